"""Which files are compared in which language, and which of ctags' kinds are functions, classes and methods."""

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Language:
    #: As `cst` calls it.
    name: str
    #: In the tables.
    title: str
    #: As ctags calls it.
    ctags: str
    #: Endings of file names.
    endings: tuple
    #: The names of ctags' kinds that are compared.
    kinds: frozenset


def language(name, title, ctags, endings, kinds):
    return Language(name, title, ctags, tuple(endings.split()), frozenset(kinds.split()))


LANGUAGES = [
    language("python", "Python", "Python", ".py", "class function member"),
    language("javascript", "JavaScript", "JavaScript", ".js .mjs .cjs .jsx", "class function generator method getter setter"),
    language("typescript", "TypeScript", "TypeScript", ".ts .mts .cts", "class function generator interface enum method"),
    language("java", "Java", "Java", ".java", "annotation class enum interface method"),
    language("go", "Go", "Go", ".go", "func struct interface type methodSpec"),
    language("rust", "Rust", "Rust", ".rs", "function method struct interface enum"),
    language("c", "C", "C", ".c .h", "function struct union enum"),
    language("cpp", "C++", "C++", ".cc .cpp .cxx .hpp .hh .hxx .ipp .h", "function class struct union enum"),
    language("ruby", "Ruby", "Ruby", ".rb", "class module method singletonMethod"),
    language("php", "PHP", "PHP", ".php", "class interface trait function"),
    language("csharp", "C#", "C#", ".cs", "class interface struct enum method"),
    language("kotlin", "Kotlin", "Kotlin", ".kt", "class interface object method function"),
]

#: What only a header of C++ has.
CPP_HEADER = re.compile(rb"^[ \t]*(?:namespace\b|template[ \t]*<|class[ \t]+\w|using[ \t]+\w|#[ \t]*include[ \t]*<\w+>)", re.M)


def of(path):
    """The language of a file: by its name, and of a header by what is in it."""
    ending = Path(path).suffix
    if ending == ".h":
        return "cpp" if CPP_HEADER.search(Path(path).read_bytes()) else "c"
    return next((it.name for it in LANGUAGES if ending in it.endings), None)
