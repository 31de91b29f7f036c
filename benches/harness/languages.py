"""P11 and P12: the same searches in every first-class language, each over the sources of its own in the corpora.

A language's files are linked into a folder of their own, so that every tool searches the same ones. Headers named `.h` count
as C; files above `cst`'s limit for folders are left out.
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from .commands import AST_GREP_ALL, Command, Task, cst
from .files import link

#: What `cst` reads of a folder's files.
LARGEST = 4 << 20
#: Of each language as many files as make up so much, drawn with this seed.
SEED = 20
#: A search with nothing to filter by: no name, no string, no keyword.
UNFILTERED = "function:has(call call)"


@dataclass(frozen=True)
class Language:
    #: As `cst` calls it.
    name: str
    #: In the tables.
    title: str
    #: Where its files are: corpus and folder.
    folder: str
    endings: tuple
    #: As ast-grep calls it; `None` where it doesn't know the language.
    ast_grep: Optional[str]
    #: A pattern with a word that is in many files.
    pattern: str
    #: The beginning of many functions' names, and a name in few files.
    prefix: str
    rare: str
    #: ast-grep's rule for functions; `NAME` is a test of the field that holds the name.
    rule: object = None
    more: dict = field(default_factory=dict)


def kinds(*names, name="name"):
    """A rule for nodes of these kinds with a name of their own."""
    return {"any": [{"kind": kind} for kind in names], "has": {"field": name, "regex": "NAME"}}


def bound(kind, value, name="name"):
    """A rule for an anonymous function that is bound to a name."""
    anonymous = [{"kind": it} for it in ("arrow_function", "function_expression", "generator_function")]
    return {"all": [{"kind": kind}, {"has": {"field": name, "regex": "NAME"}}, {"has": {"field": value, "any": anonymous}}]}


SCRIPT = [bound("variable_declarator", "value"), bound("pair", "value", "key")]
#: A declarator of C may be a pointer, and a pointer to it.
DECLARES = {"kind": "function_declarator", "has": {"field": "declarator", "regex": "NAME"}}


def declared(*more):
    steps = [
        DECLARES,
        *({"kind": kind, "has": {**DECLARES, **({"field": "declarator"} if named else {})}} for kind, named in more),
    ]
    return {"kind": "function_definition", "has": {"field": "declarator", "any": steps}}


LANGUAGES = [
    Language(
        "javascript",
        "JavaScript",
        "multi/js",
        (".js", ".mjs", ".cjs", ".jsx"),
        "js",
        "console.error($$$A)",
        "get",
        "computeValue",
        {"any": [kinds("function_declaration", "generator_function_declaration", "method_definition"), *SCRIPT]},
    ),
    Language(
        "typescript",
        "TypeScript",
        "multi/js",
        (".ts", ".mts", ".cts"),
        "ts",
        "pipe($$$A)",
        "get",
        "postMessage",
        {
            "any": [
                kinds(
                    "function_declaration",
                    "generator_function_declaration",
                    "method_definition",
                    "function_signature",
                    "method_signature",
                    "abstract_method_signature",
                ),
                *SCRIPT,
            ]
        },
    ),
    Language(
        "java",
        "Java",
        "multi/java",
        (".java",),
        "java",
        "System.arraycopy($$$A)",
        "get",
        "makeSpliterator",
        kinds("method_declaration", "annotation_type_element_declaration", "constructor_declaration"),
    ),
    Language(
        "go",
        "Go",
        "multi/go",
        (".go",),
        "go",
        "fmt.Errorf($$$A)",
        "Get",
        "ChannelzMetric",
        kinds("function_declaration", "method_declaration", "method_elem"),
    ),
    Language(
        "rust",
        "Rust",
        "multi/rust",
        (".rs",),
        "rs",
        "$X.unwrap()",
        "get",
        "find_slice",
        kinds("function_item", "function_signature_item"),
    ),
    Language(
        "c", "C", "multi/c", (".c", ".h"), "c", "kfree($A)", "get", "kmem_cache_flags", declared(("pointer_declarator", True))
    ),
    Language(
        "cpp",
        "C++",
        "multi/cpp",
        (".cc", ".cpp", ".hpp", ".ipp"),
        "cpp",
        "static_cast<$T>($A)",
        "get",
        "is_mem_fun_pointer_tester",
        declared(("pointer_declarator", True), ("reference_declarator", False)),
    ),
    Language(
        "ruby", "Ruby", "multi/other", (".rb",), "rb", "raise $A", "get", "section_title", kinds("method", "singleton_method")
    ),
    Language(
        "php",
        "PHP",
        "multi/other",
        (".php",),
        "php",
        "count($A)",
        "get",
        "addLoader",
        kinds("function_definition", "method_declaration"),
    ),
    Language(
        "csharp",
        "C#",
        "more/csharp",
        (".cs",),
        "cs",
        "throw new ArgumentNullException($A)",
        "Get",
        "AverageAwaitAsync",
        kinds("method_declaration", "local_function_statement", "constructor_declaration"),
    ),
    Language(
        "kotlin",
        "Kotlin",
        "more/mobile",
        (".kt",),
        "kt",
        "requireNotNull($A)",
        "get",
        "invokeNative",
        {"kind": "function_declaration", "has": {"kind": "simple_identifier", "regex": "NAME"}},
    ),
    Language(
        "swift",
        "Swift",
        "more/mobile",
        (".swift",),
        "swift",
        "fatalError($A)",
        "get",
        "requestPermissions",
        kinds("function_declaration", "protocol_function_declaration"),
    ),
    Language(
        "objc", "Objective-C", "more/mobile", (".m", ".mm"), None, "RCTLogError($$$A)", "get", "LabelsForRCTPerformanceLoggerTags"
    ),
]


def tasks(setting, wanted):
    made = []
    for language in LANGUAGES:
        names = [f"P11 {language.name} {what}" for what in ("literal", "kind", "rare")] + [f"P12 {language.name}"]
        if any(map(wanted, names)):
            folder = gather(setting, language)
            if folder:
                made += of_language(setting, language, folder)
    return made


def gather(setting, language):
    """A folder with links to the language's files; `None` where there are none."""
    source = setting.corpora / language.folder
    if not source.is_dir():
        return None
    place = setting.work / "languages" / language.name
    paths = sorted(path for path in source.rglob("*") if path.suffix in language.endings and path.is_file())
    paths = [path for path in paths if not path.is_symlink() and path.stat().st_size <= LARGEST]
    random.Random(SEED).shuffle(paths)
    taken = 0
    for path in paths:
        if setting.megabytes and taken >= setting.megabytes * 1e6:
            break
        taken += path.stat().st_size
        link(path, place / path.relative_to(source))
    return place if paths else None


def of_language(setting, language, folder):
    def find(*arguments, **more):
        return cst(setting, "find", *arguments, ".", "--no-ignore", "--language", language.name, **more)

    def task(what, title, question, commands):
        name = f"P11 {language.name} {what}"
        return Task(name, f"{language.title}: {title}", question, folder, commands, only=language.name)

    literal = [find("-p", language.pattern)]
    kind = [find(f'function[name^="{language.prefix}"]')]
    rare = [find(f"function#{language.rare}")]
    if language.ast_grep:
        run = ["run", "-l", language.ast_grep, "-p", language.pattern, "--json=stream", *AST_GREP_ALL, "."]
        literal.append(Command("ast-grep", run, "ast-grep"))
        kind.append(rule(language, f"^{language.prefix}"))
        rare.append(rule(language, f"^{language.rare}$"))
    unfiltered = Task(
        f"P12 {language.name}",
        f"{language.title}: nothing to filter by",
        UNFILTERED,
        folder,
        [find(UNFILTERED), Command("bare parse", [".", language.name], None, "bare parse, one thread")],
        only=language.name,
    )
    return [
        task("literal", "a word that is in many files", language.pattern, literal),
        task("kind", "functions by the beginning of their name", f'function[name^="{language.prefix}"]', kind),
        task("rare", "functions by a rare name", f"function#{language.rare}", rare),
        unfiltered,
    ]


def rule(language, name):
    """ast-grep's search for functions by their name. JSON is YAML."""
    text = json.dumps({"id": "functions", "language": language.ast_grep, "rule": language.rule}).replace(
        '"NAME"', json.dumps(name)
    )
    return Command("ast-grep", ["scan", "--inline-rules", text, "--json=stream", *AST_GREP_ALL, "."], "ast-grep")


#: What a task's `only` counts as searched.
EXTENSIONS = {language.name: language.endings for language in LANGUAGES}
