"""Places in a text."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """A place: the line, from 1, and the column in characters, from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"
