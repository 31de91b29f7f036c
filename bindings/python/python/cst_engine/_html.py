"""What notebooks show: tables of matches, the state of a search, diffs. All that comes from files is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Iterable, List, Optional, Sequence

if TYPE_CHECKING:
    from ._native import Hit, Hits, Matches
    from ._project import Changes

#: How many rows a table has.
_ROWS = 50
#: How many lines of diffs are shown.
_LINES = 400
#: How many characters of a node's code are shown.
_CODE = 120

_MONO = "font-family:monospace;white-space:pre;text-align:left"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    columns = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_MONO}">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _first_line(code: Optional[str]) -> str:
    lines = (code or "").splitlines()
    line = lines[0] if lines else ""
    is_whole = len(lines) <= 1 and len(line) <= _CODE
    return line if is_whole else line[:_CODE] + " \u2026"


def _more(count: int, what: str) -> str:
    return f"<p>and {count:,} more {what}</p>" if count > 0 else ""


def _plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def of_matches(matches: Matches) -> str:
    """A table of matches, with a column for each capture."""
    if not len(matches):
        return "<p>no matches</p>"
    shown = matches[:_ROWS]
    names: List[str] = []
    for match in shown:
        names += [name for name in match.captures if name not in names]

    def row(index: int) -> List[str]:
        match = shown[index]
        node, captures = match.node, match.captures
        place = f"{node.start.line}:{node.start.column}"
        texts = [_first_line(captures[name].text) if name in captures else "" for name in names]
        return [place, node.kind, node.qualname or node.name or "", _first_line(node.text), *texts]

    head = ["place", "kind", "name", "code", *(f"${name}" for name in names)]
    return _table(head, (row(index) for index in range(len(shown)))) + _more(len(matches) - _ROWS, "matches")


def of_hit(hit: Hit) -> str:
    """A table with one row."""
    captures = hit.captures
    head = ["place", "kind", "name", "code", *(f"${name}" for name in captures)]
    place = f"{hit.path or '-'}:{hit.start.line}:{hit.start.column}"
    row = [place, hit.kind, hit.qualname or hit.name or "", _first_line(hit.text), *map(_first_line, captures.values())]
    return _table(head, [row])


def of_hits(hits: Hits) -> str:
    """How far a search is. Its hits come once, so none is taken for this."""
    found = f"{_plural(hits.total, 'match', 'matches')} in {_plural(hits.searched, 'file', 'files')}"
    if hits.is_done:
        skipped = f", {_plural(len(hits.skipped), 'file', 'files')} skipped" if hits.skipped else ""
        return f"<p>{found}{skipped}</p>"
    of = f" of {hits.files:,}" if hits.files else ""
    return f"<p>searching: {found}{of} so far. <code>list(hits)</code> takes them.</p>"


def of_changes(changes: Changes) -> str:
    """The diffs of all files, with what was not changed and why."""
    did = "changed" if changes.written else "would change"
    parts = [
        f"<p>{_plural(changes.applied, 'place', 'places')} in {_plural(len(changes.files), 'file', 'files')} {did}</p>"
    ]
    left = _LINES
    style = "display:block;color:#1d2333"
    colours = {"+": "#e6f6ea", "-": "#fdecea", "@": "#eef0f6"}
    for file in changes.files:
        name = escape(file.path or "text")
        if file.error is not None:
            parts.append(f"<p><code>{name}</code>: {escape(str(file.error))}</p>")
        lines = (file.diff or "").splitlines()
        if not lines or left <= 0:
            continue
        rows = "".join(
            f'<span style="{style};background:{colours.get(line[:1], "#ffffff")}">{escape(line) or " "}</span>'
            for line in lines[:left]
        )
        parts.append(f'<pre style="margin:0 0 8px">{rows}</pre>')
        left -= len(lines)
    return "".join(parts) + _more(-left, "lines")
