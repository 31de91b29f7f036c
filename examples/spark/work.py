"""What is done with a batch of files: a table with `repo`, `path` and `content` in, a table of rows out.

A file that cannot be parsed or edited becomes a row with an `error`, so that it does not end the task; so does a null in
place of a path or a content. A file in an unrecognised language gives no row. The programs for Spark and Ray differ only
in who calls `rows_of`.
"""

from __future__ import annotations

import functools
import json
from typing import Any, Dict, Iterator, List, Optional

import cst_engine as cst

#: The columns of every result; those that do not apply are null.
COLUMNS = ["repo", "path", "kind", "name", "start_line", "start_col", "start_byte", "end_byte", "value", "error"]
#: Larger files become errors, as they do in folders.
MAX_BYTES = 4 << 20

Row = Dict[str, Any]


class Work:
    """A job: `find`, `rewrite`, `chunk` or `facts`. It is plain data, which a cluster can send to its workers."""

    def __init__(
        self,
        job: str,
        selector: Optional[str],
        pattern: Optional[str],
        template: Optional[str],
        *,
        containing: Optional[str] = None,
        max_tokens: int = 512,
    ) -> None:
        self.job, self.selector, self.pattern, self.template = job, selector, pattern, template
        self.containing, self.max_tokens = containing.encode() if containing else None, max_tokens

    def rows_of(self, repo: Any, path: Any, content: Any) -> List[Row]:
        """The rows of one file. Each value is as the table has it: a null is None, NaN or another value of pandas."""
        empty: Row = dict.fromkeys(COLUMNS)
        empty.update(repo=repo if isinstance(repo, str) else None, path=path if isinstance(path, str) else None)
        if empty["path"] is None:
            return [{**empty, "error": "no_path"}]
        if not isinstance(content, (bytes, bytearray, memoryview)):
            return [{**empty, "error": "no_content"}]
        content = bytes(content)
        if self.containing is not None and self.containing not in content:
            return []
        if len(content) > MAX_BYTES:
            return [{**empty, "error": "too_large"}]
        try:
            tree = cst.parse(content, path=path)
            rows = self._chunks_of(tree, path) if self.job == "chunk" else self._facts_of(tree)
            return [{**empty, **row} for row in rows]
        except cst.CstError as error:
            # No language is not a fault of the file; neither is a word that another language knows.
            if error.code in ("unsupported_language", "unknown_type", "unknown_attribute", "unknown_field"):
                return []
            return [{**empty, "error": error.code}]

    def _chunks_of(self, tree: cst.Tree, path: str) -> Iterator[Row]:
        target = {"text": tree.text, "name": path}
        answer = _session().request("chunk", targets=[target], max_tokens=self.max_tokens)
        for chunk in answer["chunks"]:
            yield {
                "kind": chunk["kind"],
                "name": ", ".join(chunk["qualnames"]) or None,
                "start_line": chunk["lines"][0],
                "start_byte": chunk["ranges"][0][0],
                "end_byte": chunk["ranges"][-1][1],
                "value": chunk["text"],
            }

    def _facts_of(self, tree: cst.Tree) -> Iterator[Row]:
        if self.job == "rewrite":
            new = (
                tree.rewrite(self.selector, self.template or "")
                if self.selector is not None
                else tree.rewrite(pattern=self.pattern or "", template=self.template or "")
            )
            if new.changes:
                yield {"kind": "diff", "start_line": None, "value": new.diff()}
            return
        if self.job == "facts":
            for match in tree.find("function, class, import"):
                yield {**_place(match.node), "value": match.node.doc}
            return
        for match in tree.find(self.selector, pattern=self.pattern):
            captures = {name: capture.text for name, capture in match.captures.items()}
            yield {**_place(match.node), "value": json.dumps(captures) if captures else None}


@functools.lru_cache(maxsize=1)
def _session() -> cst.Session:
    """The session of this process, made once."""
    return cst.Session()


def _place(node: cst.Node) -> Row:
    start = node.start
    return {
        "kind": node.kind,
        "name": node.qualname or node.name,
        "start_line": start.line,
        "start_col": start.column,
        "start_byte": node.start_byte,
        "end_byte": node.end_byte,
    }
