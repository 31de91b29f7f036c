"""Finds and edits code by its syntax.

    import cst_engine as cst

    tree = cst.parse("class A:\\n    def get(self): return 1\\n", "python")
    for match in tree.find("class > method:has-own(return)"):
        print(match.node.qualname, match.node.start)

    new = tree.edit([cst.rename("method#get", "fetch")])
    print(new.diff())

`parse` and `parse_file` make a `Tree`, which never changes. `Tree.find` finds nodes by a selector, as in CSS, or by a code
pattern. `Tree.edit` and `Tree.rewrite` make a new tree. `search`, `outline`, `chunk` and `run_script` work on files and
folders, and a `Session` answers every other request. Lines and columns count from 1, columns in characters; byte offsets
are those of the text in UTF-8. Errors are `CstError`, with a code, a place and a hint.
"""

from ._errors import Cancelled, CstError, EditError, NotFoundError, ParseError, SelectorError
from ._native import Capture, Hit, Hits, Match, Matches, Node, Tree, __version__, parse, parse_file
from ._operations import (
    Operation,
    delete,
    ensure_import,
    insert,
    move,
    rename,
    replace,
    replace_range,
    sub,
    unwrap,
    wrap,
)
from ._position import Position
from ._project import Changes, Chunk, Definition, FileChange, Session, chunk, outline, run_script, search

__all__ = [
    "Cancelled",
    "Capture",
    "Changes",
    "Chunk",
    "CstError",
    "Definition",
    "EditError",
    "FileChange",
    "Hit",
    "Hits",
    "Match",
    "Matches",
    "Node",
    "NotFoundError",
    "Operation",
    "ParseError",
    "Position",
    "SelectorError",
    "Session",
    "Tree",
    "__version__",
    "chunk",
    "delete",
    "ensure_import",
    "insert",
    "move",
    "outline",
    "parse",
    "parse_file",
    "rename",
    "replace",
    "replace_range",
    "run_script",
    "search",
    "sub",
    "unwrap",
    "wrap",
]
