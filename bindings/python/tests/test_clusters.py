"""What the programs for Spark and Ray do with the rows of a table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SPARK = Path(__file__).parents[3] / "examples" / "spark"


@pytest.mark.parametrize("job", ["find", "rewrite", "chunk", "facts"])
def test_nulls_are_rows_with_an_error(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SPARK))
    sys.modules.pop("work", None)
    from work import COLUMNS, Work  # type: ignore[import-not-found]

    work = Work(job, "call", None, "g()")
    # None, NaN and what pandas has are all the null of some table.
    for null in [None, float("nan"), object()]:
        (row,) = work.rows_of("repo", "a.py", null)
        assert (row["repo"], row["path"], row["error"]) == ("repo", "a.py", "no_content") and list(row) == COLUMNS
        (row,) = work.rows_of("repo", null, b"f()")
        assert (row["path"], row["error"]) == (None, "no_path")
        rows = work.rows_of(null, "a.py", b"def f(): f()\n")
        assert rows and all(row["error"] is None and row["repo"] is None for row in rows)
    for content in [b"f()\n", bytearray(b"f()\n"), memoryview(b"f()\n")]:
        assert all(row["error"] is None for row in work.rows_of("repo", "a.py", content))
    # It is said before a text that a file must have is looked for.
    (row,) = Work(job, "call", None, "g()", containing="f").rows_of("repo", "a.py", None)
    assert row["error"] == "no_content"
