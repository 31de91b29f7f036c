"""Operations of an edit. A target is a selector that finds one node, a node id, a `Node` or a `Match`.

If a target is a selector, code may use what it captures: `$NAME`, and `$0` for the whole node. With `all=True` the
operation is done to every match; `index` chooses one of several.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Union

if TYPE_CHECKING:
    from typing import Literal

    from ._native import Match, Node, Tree

    Where = Literal["before", "after", "first", "last"]
    Extent = Literal["node", "full"]
    Target = Union[str, Node, Match]


@dataclass(frozen=True, repr=False)
class Operation:
    """An operation of a batch, made by `rename`, `insert` and the others."""

    op: str
    fields: Dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(f'{name}={value!r}' for name, value in self.fields.items())})"


def _operation(op: str, **fields: Any) -> Operation:
    return Operation(op, {name: value for name, value in fields.items() if value is not None and value is not False})


def replace(
    target: Target, code: str, *, extent: Optional[Extent] = None, all: bool = False, index: Optional[int] = None
) -> Operation:
    """Replaces a node by code. `extent="full"` means with its decorators and the comments above it."""
    return _operation("replace", target=target, code=code, extent=extent, all=all, match_index=index)


def replace_range(start: Target, end: Target, code: str, *, extent: Optional[Extent] = None) -> Operation:
    """Replaces consecutive siblings by code."""
    return Operation("replace_range", {**_operation("", to=end, code=code, extent=extent).fields, "from": start})


def insert(
    target: Target,
    position: Where,
    code: str,
    *,
    extent: Optional[Extent] = None,
    all: bool = False,
    index: Optional[int] = None,
) -> Operation:
    """Adds code before or after a node, or first or last inside it. The code gets the indentation of the place."""
    return _operation("insert", target=target, position=position, code=code, extent=extent, all=all, match_index=index)


def delete(
    target: Target, *, extent: Optional[Extent] = None, all: bool = False, index: Optional[int] = None
) -> Operation:
    """Deletes a node, with its decorators and the comments above it unless `extent="node"`."""
    return _operation("delete", target=target, extent=extent, all=all, match_index=index)


def move(
    target: Target, position: Where, to: Target, *, extent: Optional[Extent] = None, index: Optional[int] = None
) -> Operation:
    """Moves a node before or after another, or first or last inside it."""
    return _operation("move", target=target, position=position, to=to, extent=extent, match_index=index)


def wrap(
    target: Target, code: str, *, extent: Optional[Extent] = None, all: bool = False, index: Optional[int] = None
) -> Operation:
    """Wraps a node in code, in which `$0` is its place."""
    return _operation("wrap", target=target, code=code, extent=extent, all=all, match_index=index)


def unwrap(target: Target, *, all: bool = False, index: Optional[int] = None) -> Operation:
    """Replaces a node by its body."""
    return _operation("unwrap", target=target, all=all, match_index=index)


def rename(
    target: Target, to: str, *, references: bool = False, all: bool = False, index: Optional[int] = None
) -> Operation:
    """Renames a definition; with `references=True` also what refers to it in the same text."""
    named = "file" if references else None
    return _operation("rename", target=target, to=to, references=named, all=all, match_index=index)


def sub(
    target: Target, find: str, replace: str, *, regex: bool = False, all: bool = False, index: Optional[int] = None
) -> Operation:
    """Replaces text inside a node; with `regex=True`, `$1` is the first group."""
    return _operation("sub", target=target, find=find, replace=replace, regex=regex, all=all, match_index=index)


def ensure_import(code: str) -> Operation:
    """Adds an import unless it is there."""
    return _operation("ensure_import", code=code)


def encode(operations: Union[Operation, Iterable[Operation]], tree: Tree) -> str:
    """The operations in JSON, their targets as words. Called by `Tree.edit`."""
    from ._native import Match, Node

    def word(value: Any) -> Any:
        if isinstance(value, Match):
            value = value.node
        return value._reference(tree) if isinstance(value, Node) else value

    batch: List[Operation] = [operations] if isinstance(operations, Operation) else list(operations)
    rows: List[Dict[str, Any]] = []
    for operation in batch:
        if not isinstance(operation, Operation):
            raise TypeError(f"an operation is expected, such as rename(…), not {operation!r}")
        rows.append({"op": operation.op, **{name: word(value) for name, value in operation.fields.items()}})
    return json.dumps(rows)
