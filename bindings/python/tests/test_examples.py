"""The examples run, and the code in docs/python.md does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import cst_engine as cst

HERE = Path(__file__).parent.parent
GUIDE = HERE.parent.parent / "docs" / "python.md"


def run(example: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(HERE / "examples" / example), *words], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_assertions_become_plain(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text("self.assertEqual(\n    a,  # one\n    b or c,\n)\nself.assertTrue(x)\n")
    diff = run("codemod_assert.py", "t.py")
    assert "+# one\n+assert a == (b or c)\n" in diff and "+assert x\n" in diff


def test_calls_get_timeouts(tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text("import requests\nrequests.get(u)\nrequests.get(u, timeout=3)\nget(u)\n")
    run("codemod_timeout.py", "t.py")
    text = (tmp_path / "t.py").read_text()
    assert "requests.get(u, timeout=TIMEOUT)\nrequests.get(u, timeout=3)\nget(u)\n" in text
    assert "from settings import TIMEOUT\n" in text


def test_functions_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "t.py").write_text("def f():\n" + "    pass\n" * 60)
    assert run("report.py", str(tmp_path)).split()[0] == "1"


def test_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    ours = [block for block in blocks if "import libcst" not in block]
    assert len(ours) >= 8
    (tmp_path / "src").mkdir()
    shop = 'import logging\nlog = logging.getLogger()\n\nclass Shop:\n    def open(self):\n        print("open")\n        return 1\n'
    (tmp_path / "shop.py").write_text(shop)
    (tmp_path / "src" / "shop.py").write_text(shop)
    names = {"cst": cst}
    for block in ours:
        exec(compile(block, str(GUIDE), "exec"), names)
