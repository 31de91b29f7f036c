import os
from typing import Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union, overload

from ._operations import Operation
from ._position import Position

__version__: str

class Tree:
    """A parsed text. It never changes: `edit` and `rewrite` return a new tree."""

    @property
    def text(self) -> str:
        """The text."""
    @property
    def bytes(self) -> bytes:
        """The text in its encoding: the bytes of a file."""
    @property
    def encoding(self) -> str:
        """The name of the encoding."""
    @property
    def language(self) -> str:
        """The name of the language."""
    @property
    def path(self) -> Optional[str]:
        """The path of the file, if it is one."""
    @property
    def root(self) -> Node:
        """The node of the whole text."""
    @property
    def errors(self) -> List[Tuple[int, int, str]]:
        """The syntax errors, as (line, column, message)."""
    @property
    def changes(self) -> int:
        """How many places the edit changed that made this tree; 0 for one that was parsed."""
    def find(
        self, selector: Optional[str] = None, *, pattern: Optional[str] = None, define: Sequence[str] = ()
    ) -> Matches:
        """The nodes that a selector, or a code pattern, finds, in the order of the text."""
    def first(
        self, selector: Optional[str] = None, *, pattern: Optional[str] = None, define: Sequence[str] = ()
    ) -> Optional[Match]:
        """The first match, or None."""
    def node(self, id: str) -> Optional[Node]:
        """The node with an id, such as `n31`; None if the tree has none."""
    def at(self, line: int, column: int = 1) -> Node:
        """The innermost named node at a line, from 1, and a column, in characters from 1."""
    def edit(
        self,
        operations: Union[Operation, Iterable[Operation]],
        *,
        define: Sequence[str] = (),
        allow: Sequence[str] = (),
    ) -> Tree:
        """A new tree with operations applied: all of them or, with an error, none.

        `allow` names checks that do not refuse: `syntax`, `structure`.
        """
    @overload
    def rewrite(
        self,
        selector: str,
        template: str,
        *,
        define: Sequence[str] = (),
        allow: Sequence[str] = (),
    ) -> Tree:
        """A new tree in which every match is replaced by a template."""
    @overload
    def rewrite(
        self,
        *,
        pattern: str,
        template: str,
        define: Sequence[str] = (),
        allow: Sequence[str] = (),
    ) -> Tree: ...
    def diff(self, old: Optional[Tree] = None, *, path: Union[None, str, os.PathLike[str]] = None) -> str:
        """The unified diff from another tree to this one; by default from the tree that was edited."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

class Node:
    """A node of a tree. Attributes are computed when they are read."""

    @property
    def tree(self) -> Tree:
        """The tree that it belongs to."""
    @property
    def id(self) -> str:
        """The id: `n31`. A node that an edit leaves alone keeps it in the new tree."""
    @property
    def kind(self) -> str:
        """The most specific kind, the same in all languages: `method`; `node` if it has none."""
    @property
    def type(self) -> str:
        """The type in the grammar: `function_definition`."""
    @property
    def field(self) -> Optional[str]:
        """The field of the parent that it is in."""
    @property
    def name(self) -> Optional[str]:
        """The name of a definition, or of what is imported, called and so on."""
    @property
    def qualname(self) -> Optional[str]:
        """The name with those of the enclosing definitions: `Shop.open`."""
    @property
    def doc(self) -> Optional[str]:
        """The documentation of a definition, without quotes and comment signs."""
    @property
    def text(self) -> str:
        """The text."""
    @property
    def start(self) -> Position:
        """Where it starts."""
    @property
    def end(self) -> Position:
        """The place after its last character."""
    @property
    def start_byte(self) -> int:
        """The offset of its first byte in the text in UTF-8."""
    @property
    def end_byte(self) -> int:
        """The offset after its last byte."""
    @property
    def is_named(self) -> bool:
        """Whether it is a node of the language, and not a sign such as `(`."""
    @property
    def has_error(self) -> bool:
        """Whether it is, or contains, a syntax error."""
    @property
    def parent(self) -> Optional[Node]:
        """The node around it; None for the root."""
    @property
    def ancestors(self) -> List[Node]:
        """The nodes around it, innermost first."""
    @property
    def children(self) -> List[Node]:
        """The named nodes directly in it."""
    @property
    def all_children(self) -> List[Node]:
        """All nodes directly in it, signs among them."""
    def walk(self) -> Iterator[Node]:
        """All nodes in it and below, in the order of the text, itself first."""
    def child(self, field: str) -> Optional[Node]:
        """The child in a field: `body`, `parameters`."""
    def find(
        self, selector: Optional[str] = None, *, pattern: Optional[str] = None, define: Sequence[str] = ()
    ) -> Matches:
        """The nodes that a selector, or a code pattern, finds among this node and those below."""
    def _reference(self, tree: Tree) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

class Capture:
    """What is captured: a node, several siblings with what is between them, or nothing."""

    @property
    def text(self) -> str:
        """The text; empty if nothing was captured."""
    @property
    def node(self) -> Optional[Node]:
        """The node, if it is a single one."""
    @property
    def nodes(self) -> List[Node]:
        """The named nodes in order."""

class Match:
    """A node that a selector found, and its captures."""

    @property
    def node(self) -> Node:
        """The node."""
    @property
    def captures(self) -> Dict[str, Capture]:
        """What the selector captures, by name: `@c` as `c`, `$X` of a pattern as `X`."""
    def detach(self) -> Hit:
        """The match without its tree: plain data, which can be pickled."""
    def __getitem__(self, name: str) -> Capture: ...
    def __contains__(self, name: str) -> bool: ...

class Matches(Sequence[Match]):
    """The matches of a selector in a tree, in the order of the text."""

    @property
    def nodes(self) -> List[Node]:
        """The nodes alone."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Match: ...
    @overload
    def __getitem__(self, index: slice) -> List[Match]: ...
    def __iter__(self) -> Iterator[Match]: ...

class Hit:
    """A node that a search found: plain data, which can be pickled."""

    @property
    def path(self) -> Optional[str]:
        """The path of the file."""
    @property
    def kind(self) -> str:
        """The most specific kind; `node` if it has none."""
    @property
    def type(self) -> str:
        """The type in the grammar."""
    @property
    def name(self) -> Optional[str]:
        """The name."""
    @property
    def qualname(self) -> Optional[str]:
        """The name with those of the enclosing definitions."""
    @property
    def id(self) -> Optional[str]:
        """The id in the file, if it is known."""
    @property
    def start(self) -> Position:
        """Where it starts."""
    @property
    def end(self) -> Position:
        """The place after its last character."""
    @property
    def start_byte(self) -> int:
        """The offset of its first byte."""
    @property
    def end_byte(self) -> int:
        """The offset after its last byte."""
    @property
    def text(self) -> Optional[str]:
        """The text, if it was asked for."""
    @property
    def captures(self) -> Dict[str, str]:
        """The texts of what the selector captures, by name."""
    def to_json(self) -> str:
        """The hit as JSON, in the form of `cst find --jsonl`."""
    @staticmethod
    def from_json(json: str) -> Hit:
        """The hit of such JSON."""

class Hits(Iterator[Hit]):
    """The hits of a search, as they are found."""

    def __iter__(self) -> Hits: ...
    def __next__(self) -> Hit: ...
    def close(self) -> None:
        """Ends the search. What was found before can still be taken; then the iteration ends."""
    @property
    def searched(self) -> int:
        """How many files were searched; so far, while the search runs."""
    @property
    def files(self) -> Optional[int]:
        """How many files there are to search; None while the folders are walked."""
    @property
    def total(self) -> int:
        """How many matches there are, listed or not; so far, while the search runs."""
    @property
    def is_done(self) -> bool:
        """Whether the search has ended, so that the numbers are final. It ends when the last hit is taken."""
    @property
    def skipped(self) -> List[Tuple[str, str, str]]:
        """At the end: files that were skipped, as (path, code, message)."""

class Engine:
    def __init__(
        self, *, state: Optional[str] = None, root: Optional[str] = None, directory: Optional[str] = None
    ) -> None: ...
    def request(self, method: str, params: str) -> str: ...

def parse(
    source: Union[str, bytes],
    language: Optional[str] = None,
    *,
    path: Union[None, str, os.PathLike[str]] = None,
    encoding: Optional[str] = None,
) -> Tree:
    """Parses a text: a str, or the bytes of a file, which are decoded as they declare, unless `encoding` names it.

    The language is given by its name, or by the name of the file. A syntax error in the text is not an error: see `Tree.errors`.
    """

def parse_file(
    path: Union[str, os.PathLike[str]], language: Optional[str] = None, *, encoding: Optional[str] = None
) -> Tree:
    """Parses a file. Its name or its text decides the language, unless it is given."""

def search(
    paths: Sequence[str],
    selector: Optional[str],
    pattern: Optional[str],
    define: Sequence[str],
    language: Optional[str],
    glob: Sequence[str],
    hidden: bool,
    no_ignore: bool,
    threads: Optional[int],
    ordered: bool,
    code: bool,
    limit: Optional[int],
    max_size: Optional[int],
) -> Hits: ...
def run_program(words: Sequence[str], program: Optional[str]) -> int: ...
