"""Outlines, chunks, scripts and sessions."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import cst_engine as cst

SCRIPT = """
name = "log"
[[step]]
select = ':like("print($$$A)")'
replace = "log.info($$$A)"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(
        "class Shop:\n    def open(self):\n        print(1)\n        return self.count()\n\n    def count(self):\n        return 2\n"
    )
    (tmp_path / "main.py").write_text("from shop import Shop\n\nShop().open()\nprint(2)\n")
    return tmp_path


def test_outline(project: Path) -> None:
    rows = cst.outline("shop.py")
    assert [(row.qualname, row.kind, row.depth) for row in rows] == [
        ("Shop", "class", 0),
        ("Shop.open", "method", 1),
        ("Shop.count", "method", 1),
    ]
    assert rows[1].signature.startswith("def open(self)") and rows[1].start_line == 2
    assert {row.path for row in cst.outline([project])} == {"shop.py"}
    assert pickle.loads(pickle.dumps(rows)) == rows


def test_chunks_hold_the_whole_text(project: Path) -> None:
    chunks = cst.chunk("shop.py", max_tokens=24)
    assert len(chunks) > 1 and all(chunk.tokens <= 24 for chunk in chunks)
    data = (project / "shop.py").read_bytes()
    covered = sorted(part for chunk in chunks for part in chunk.ranges)
    assert b"".join(data[start:end] for start, end in covered).split() == data.split()
    assert pickle.loads(pickle.dumps(chunks)) == chunks


def test_scripts(project: Path) -> None:
    before = (project / "shop.py").read_text()
    preview = cst.run_script(SCRIPT, ["."])
    assert (preview.matches, preview.applied, preview.written) == (2, 2, False)
    assert preview.diff().count("\n+") == 4 and (project / "shop.py").read_text() == before
    (project / "log.toml").write_text(SCRIPT)
    done = cst.run_script("log.toml", ".", write=True)
    assert done.written and "log.info(1)" in (project / "shop.py").read_text()
    assert cst.run_script("log.toml", ".").applied == 0
    assert pickle.loads(pickle.dumps(preview)) == preview


def test_a_session_answers_every_request(project: Path) -> None:
    session = cst.Session(state=project / "state")
    assert [row["qualname"] for row in session.find("method", ["shop.py"])] == ["Shop.open", "Shop.count"]
    (tree,) = session.load("shop.py")
    session.modify(tree["tree_id"], [cst.rename("method#count", "total")])
    again = cst.Session(state=project / "state")
    assert "total" in again.request("diff", tree_ids=[tree["tree_id"]])["trees"][0]["diff"]
    again.save([tree["tree_id"]])
    assert "def total" in (project / "shop.py").read_text()
    assert again.undo(last=True)["restored"] == ["shop.py"]
    # Questions about a project read unsaved trees in place of their files.
    with pytest.raises(cst.NotFoundError, match="Shop.count"):
        session.refs("Shop.count")
    session.request("drop", tree_ids=[tree["tree_id"]])
    roles = {row["role"] for row in session.refs("Shop.open")["references"]}
    assert "call" in roles
    assert session.callers("Shop.count")["root"] and session.callees("Shop.open")["root"]
    assert session.symbols("Shop") and session.deps() and session.unused() and session.text_search("count")
    assert session.hierarchy("Shop")["schema"] == 1
    changes = session.rewrite(pattern="print($A)", template="log($A)", paths=".")
    assert changes.applied == 2 and not changes.written
    renamed = session.refactor("rename", symbol="Shop.open", to="unlock", write=True)
    assert renamed["schema"] == 1 and "Shop().unlock()" in (project / "main.py").read_text()
    assert {row["name"] for row in session.languages()} >= {"python", "rust"}


def test_a_session_stays_in_its_root(project: Path) -> None:
    inside = project / "inside"
    inside.mkdir()
    session = cst.Session(root=inside, directory=inside)
    with pytest.raises(cst.CstError) as raised:
        session.find("call", "../shop.py")
    assert raised.value.code == "outside_root"
