"""Exceptions. Each has a code, and, where they are known, the place and a hint."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple, Type


class CstError(Exception):
    """Something was refused, and nothing was changed or written.

    `code` is one of the codes of docs/formats.md, such as `unknown_type`. `span` is the place in `selector`, as offsets
    in characters. `line` is a line of the file at `path`. `operation` is the index of the operation in the batch.
    `details` has all that is known, as in JSON.
    """

    code: str
    message: str
    hint: Optional[str]
    path: Optional[str]
    line: Optional[int]
    operation: Optional[int]
    selector: Optional[str]
    span: Optional[Tuple[int, int]]
    candidates: List[Dict[str, Any]]
    details: Dict[str, Any]

    def __init__(self, details: Dict[str, Any]) -> None:
        self.details = details
        self.code = details["code"]
        self.message = details["message"]
        self.hint = details.get("hint")
        self.path = details.get("path")
        self.line = details.get("line")
        self.operation = details.get("operation")
        self.selector = details.get("selector")
        self.candidates = details.get("candidates", [])
        span = details.get("span")
        self.span = None
        if span is not None and self.selector is not None:
            source = self.selector.encode()
            start = len(source[: span["start"]].decode(errors="replace"))
            self.span = (start, start + len(source[span["start"] : span["end"]].decode(errors="replace")))
        super().__init__(details)

    def __str__(self) -> str:
        lines = [self.message]
        if self.span is not None and self.selector:
            start, end = self.span
            line_start = self.selector.rfind("\n", 0, start) + 1
            line = self.selector[line_start:].split("\n", 1)[0]
            carets = " " * (start - line_start) + "^" * max(1, min(end, line_start + len(line)) - start)
            lines += [f"  {line}", f"  {carets}"]
        for candidate in self.candidates[:5]:
            name = candidate.get("qualname") or candidate["kind"]
            lines.append(f"  line {candidate['line']}: {candidate['kind']} {name} ({candidate['node_id']})")
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r}, {self.message!r})"


class SelectorError(CstError):
    """A selector, pattern or template is wrong. `span` says where."""


class ParseError(CstError):
    """A text cannot be parsed: its language or encoding is not known, or it is too large or too deep."""


class EditError(CstError):
    """An edit was refused. The tree is as it was."""


class NotFoundError(CstError):
    """A file, a node, or a tree is missing."""


class Cancelled(CstError):
    """The request was cancelled."""


_CLASSES: Dict[str, Type[CstError]] = {
    "selector_syntax": SelectorError,
    "unknown_type": SelectorError,
    "unknown_attribute": SelectorError,
    "unknown_field": SelectorError,
    "unknown_pseudo": SelectorError,
    "bad_pattern": SelectorError,
    "bad_regex": SelectorError,
    "unsupported_language": ParseError,
    "unsupported_encoding": ParseError,
    "too_large": ParseError,
    "too_deep": ParseError,
    "no_match": NotFoundError,
    "ambiguous": EditError,
    "conflict": EditError,
    "stale_node": EditError,
    "stale_file": EditError,
    "would_break_syntax": EditError,
    "would_restructure": EditError,
    "would_rebind": EditError,
    "undetermined": EditError,
    "expect_count": EditError,
    "not_found": NotFoundError,
    "unknown_node": NotFoundError,
    "unknown_tree": NotFoundError,
    "cancelled": Cancelled,
}


def from_json(text: str) -> CstError:
    """The exception of an error in JSON."""
    details = json.loads(text)
    return _CLASSES.get(details["code"], CstError)(details)
