"""Files, folders and projects: searches, outlines, chunks, scripts, sessions."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._errors import CstError, from_json
from ._html import of_changes
from ._native import Engine, Hits
from ._native import search as _search

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]


def _paths(paths: Paths) -> List[str]:
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def search(
    paths: Paths,
    selector: Optional[str] = None,
    *,
    pattern: Optional[str] = None,
    define: Sequence[str] = (),
    language: Optional[str] = None,
    glob: Sequence[str] = (),
    hidden: bool = False,
    no_ignore: bool = False,
    threads: Optional[int] = None,
    ordered: bool = True,
    code: bool = False,
    limit: Optional[int] = None,
    max_size: Optional[int] = None,
) -> Hits:
    """Finds nodes in files and folders: `for hit in cst.search(["src/"], "call#print")`.

    The search runs on several threads while Python takes the hits, and waits if too many are not taken. Hits come in
    the order of the paths, or, with `ordered=False`, as they are found. Folders are walked as `cst find` does: what
    `.gitignore` names is left out. With `code=True` hits have their text, in which very long lines are cut. Files that
    cannot be read do not stop the search; at its end, `hits.skipped` has them. `hits.searched`, `hits.files` and
    `hits.total` say how far it is. No paths at all are an error.
    """
    listed = _paths(paths)
    if not listed:
        raise ValueError("no paths to search; `.` is the working directory")
    if (selector is None) == (pattern is None):
        raise TypeError("search() takes either a selector or a pattern")
    for name, number in [("limit", limit), ("threads", threads), ("max_size", max_size)]:
        if number is not None and number < 0:
            raise ValueError(f"{name} cannot be negative: {number}")
    globs = [glob] if isinstance(glob, str) else list(glob)
    defined = [define] if isinstance(define, str) else list(define)
    return _search(
        listed, selector, pattern, defined, language, globs, hidden, no_ignore, threads, ordered, code, limit, max_size
    )


@dataclass(frozen=True)
class Definition:
    """A definition in an outline."""

    path: Optional[str]
    name: str
    kind: str
    qualname: str
    signature: str
    start_line: int
    end_line: int
    depth: int
    id: str
    doc: Optional[str] = None


@dataclass(frozen=True)
class Chunk:
    """A piece of a file. `ranges` are byte offsets, `lines` the first and last line."""

    id: str
    path: Optional[str]
    language: Optional[str]
    kind: str
    qualnames: Tuple[str, ...]
    lines: Tuple[int, int]
    ranges: Tuple[Tuple[int, int], ...]
    tokens: int
    context: str
    text: str
    hash: str
    parent: Optional[str] = None
    part: Optional[Tuple[int, int]] = None
    note: Optional[str] = None


@dataclass(frozen=True)
class FileChange:
    """What a script or a rewrite does to a file."""

    path: Optional[str]
    matches: int
    applied: int
    diff: Optional[str] = None
    error: Optional[CstError] = None


@dataclass(frozen=True)
class Changes:
    """What a script or a rewrite does to all files."""

    files: Tuple[FileChange, ...]
    matches: int
    applied: int
    written: bool
    transaction: Optional[str] = None
    details: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def diff(self) -> str:
        """The unified diff of all files."""
        return "".join(file.diff or "" for file in self.files)

    def _repr_html_(self) -> str:
        return of_changes(self)


def _changes(answer: Dict[str, Any]) -> Changes:
    def change(row: Dict[str, Any]) -> FileChange:
        error = row.get("error")
        raised = from_json(json.dumps(error)) if error else None
        return FileChange(row.get("path"), row["matches"], row["applied"], row.get("diff"), raised)

    files = tuple(change(row) for row in answer["files"])
    return Changes(
        files, answer["matches"], answer["applied"], answer["written"], answer.get("transaction"), answer
    )


class Session:
    """Requests to the engine, answered in this process: the methods of `cst rpc`, as docs/protocol.md describes them.

    `request` sends any request and returns its answer as a dict. The other methods have names and defaults for those
    that are asked most. `state` is the folder of the session store, in which loaded trees outlive the process; without
    it they live as long as the session. `root` limits what is read and written to a folder, and `directory` is the
    working directory of requests.
    """

    def __init__(
        self, *, state: Optional[Path] = None, root: Optional[Path] = None, directory: Optional[Path] = None
    ) -> None:
        def text(path: Optional[Path]) -> Optional[str]:
            return None if path is None else os.fspath(path)

        self._engine = Engine(state=text(state), root=text(root), directory=text(directory))
        self._state = text(state)

    def __repr__(self) -> str:
        return f"Session(state={self._state!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a Session cannot be pickled; make one with the same `state` in the other process")

    def request(self, method: str, /, **params: Any) -> Dict[str, Any]:
        """Sends a request and returns its answer. Fields that are None are left out."""
        fields = {name.rstrip("_"): value for name, value in params.items() if value is not None}
        answer: Dict[str, Any] = json.loads(self._engine.request(method, json.dumps(fields, default=os.fspath)))
        return answer

    def _targets(self, paths: Optional[Paths]) -> Optional[List[Any]]:
        return None if paths is None else list(_paths(paths))

    def find(self, selector: str, paths: Optional[Paths] = None, **params: Any) -> List[Dict[str, Any]]:
        """Finds nodes in files, folders and loaded trees; the matches as in JSON."""
        found: List[Dict[str, Any]] = self.request(
            "find", selector=selector, targets=self._targets(paths), **params
        )["matches"]
        return found

    def load(self, paths: Paths, **params: Any) -> List[Dict[str, Any]]:
        """Loads trees of files; each answer has its `tree_id`."""
        trees: List[Dict[str, Any]] = self.request("load", paths=_paths(paths), **params)["trees"]
        return trees

    def modify(self, target: Path, operations: Sequence[Any], **params: Any) -> Dict[str, Any]:
        """Applies operations to a loaded tree, or, with `write=True`, to a file."""
        from ._operations import Operation

        rows = [{"op": op.op, **op.fields} if isinstance(op, Operation) else op for op in operations]
        return self.request("modify", target=os.fspath(target), operations=rows, **params)

    def save(self, trees: Sequence[str], **params: Any) -> Dict[str, Any]:
        """Writes loaded trees to their files: all of them, or none."""
        return self.request("save", tree_ids=list(trees), **params)

    def undo(self, **params: Any) -> Dict[str, Any]:
        """Steps trees back, or undoes a transaction: `undo(tree_ids=[…])`, `undo(transaction=…)`, `undo(last=True)`."""
        return self.request("undo", **params)

    def rewrite(
        self,
        selector: Optional[str] = None,
        template: str = "",
        paths: Optional[Paths] = None,
        *,
        pattern: Optional[str] = None,
        write: bool = False,
        **params: Any,
    ) -> Changes:
        """Replaces matches in files; a preview unless `write=True`, then in all files or in none."""
        targets = self._targets(paths)
        return _changes(
            self.request(
                "rewrite", selector=selector, pattern=pattern, template=template, targets=targets, write=write, **params
            )
        )

    def run(self, script: Path, paths: Optional[Paths] = None, *, write: bool = False, **params: Any) -> Changes:
        """Runs a script: a file, or the text of one."""
        return _changes(
            self.request("run", script=_script(script), targets=self._targets(paths), write=write, **params)
        )

    def outline(self, paths: Optional[Paths] = None, *, docs: bool = False, **params: Any) -> List[Definition]:
        """The definitions of files and folders."""
        answer = self.request("outline", targets=self._targets(paths), docs=docs or None, **params)
        return [_definition(file.get("path"), row) for file in answer["files"] for row in file["definitions"]]

    def chunk(self, paths: Optional[Paths] = None, *, max_tokens: int = 1024, **params: Any) -> List[Chunk]:
        """Files cut into pieces for retrieval."""
        answer = self.request("chunk", targets=self._targets(paths), max_tokens=max_tokens, **params)
        return [_chunk(row) for row in answer["chunks"]]

    def scan(self, paths: Optional[Paths] = None, **params: Any) -> Dict[str, Any]:
        """What rules find: those in `.cst/rules`, `rules=[…]` and `packs=[…]`, or `selector=…` as the only one."""
        return self.request("scan", targets=self._targets(paths), **params)

    def symbols(self, query: Optional[str] = None, **params: Any) -> Dict[str, Any]:
        """Definitions of the project by name."""
        return self.request("symbols", query=query, **params)

    def refs(self, symbol: str, **params: Any) -> Dict[str, Any]:
        """Who refers to a symbol of the project, and how sure that is."""
        return self.request("refs", symbol=symbol, **params)

    def callers(self, symbol: str, **params: Any) -> Dict[str, Any]:
        """Who calls a function."""
        return self.request("calls", symbol=symbol, **params)

    def callees(self, symbol: str, **params: Any) -> Dict[str, Any]:
        """What a function calls."""
        return self.request("calls", symbol=symbol, callees=True, **params)

    def hierarchy(self, symbol: str, **params: Any) -> Dict[str, Any]:
        """The classes above and below a class."""
        return self.request("hierarchy", symbol=symbol, **params)

    def deps(self, **params: Any) -> Dict[str, Any]:
        """Which files import which."""
        return self.request("deps", **params)

    def text_search(self, query: str, **params: Any) -> Dict[str, Any]:
        """Definitions by the words in them, the best first."""
        return self.request("search", query=query, **params)

    def unused(self, **params: Any) -> Dict[str, Any]:
        """Definitions that nothing refers to."""
        return self.request("unused", **params)

    def impact(self, **params: Any) -> Dict[str, Any]:
        """Which definitions have changed, and what refers to them."""
        return self.request("impact", **params)

    def refactor(self, kind: str, /, *, write: bool = False, **params: Any) -> Dict[str, Any]:
        """Changes a definition and all that refers to it: `refactor("rename", symbol="Server.handle", to="respond")`."""
        return self.request("refactor", kind=kind, write=write, **params)

    def languages(self) -> List[Dict[str, Any]]:
        """The languages known."""
        rows: List[Dict[str, Any]] = self.request("languages")["languages"]
        return rows


def _script(script: Path) -> Any:
    if isinstance(script, str) and "\n" in script:
        return {"text": script}
    return os.fspath(script)


def _definition(path: Optional[str], row: Dict[str, Any]) -> Definition:
    return Definition(
        path,
        row["name"],
        row["kind"],
        row["qualname"],
        row["signature"],
        row["start_line"],
        row["end_line"],
        row["depth"],
        row["node_id"],
        row.get("doc"),
    )


def _chunk(row: Dict[str, Any]) -> Chunk:
    part = row.get("part")
    return Chunk(
        id=row["id"],
        path=row["path"],
        language=row["language"],
        kind=row["kind"],
        qualnames=tuple(row["qualnames"]),
        lines=(row["lines"][0], row["lines"][1]),
        ranges=tuple((start, end) for start, end in row["ranges"]),
        tokens=row["tokens"],
        context=row["context"],
        text=row["text"],
        hash=row["hash"],
        parent=row.get("parent"),
        part=(part[0], part[1]) if part else None,
        note=row.get("note"),
    )


def outline(paths: Paths, *, docs: bool = False, language: Optional[str] = None) -> List[Definition]:
    """The definitions of files and folders, in the order of the paths and of their texts."""
    return Session().outline(paths, docs=docs, reading={"language": language} if language else None)


def chunk(paths: Paths, *, max_tokens: int = 1024, language: Optional[str] = None) -> List[Chunk]:
    """Files and folders cut into pieces of at most `max_tokens` tokens, at the borders of definitions and statements."""
    return Session().chunk(paths, max_tokens=max_tokens, reading={"language": language} if language else None)


def run_script(script: Path, paths: Paths, *, write: bool = False) -> Changes:
    """Runs a refactor script, a file or the text of one, on files and folders.

    A preview unless `write=True`. Then all files are written or, if anything is refused, none.
    """
    return Session().run(script, paths, write=write)
