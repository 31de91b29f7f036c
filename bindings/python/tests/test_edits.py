"""Edits make new trees, and change no other byte."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import List

import pytest

import cst_engine as cst

SOURCE = """class A:
    def get(self):
        return 1  # one

    def put(self, x): self.x=x


a = A().get( )
"""


def test_an_edit_makes_a_new_tree() -> None:
    tree = cst.parse(SOURCE, "python", path="a.py")
    new = tree.edit([cst.rename("function#get", "fetch"), cst.insert("class#A", "last", "def size(self):\n    return 2")])
    assert tree.text == SOURCE and tree.changes == 0 and tree.diff() == ""
    assert new.changes == 2
    assert new.text == SOURCE.replace("def get", "def fetch").replace(
        "self.x=x\n", "self.x=x\n\n    def size(self):\n        return 2\n"
    )
    assert new.diff().startswith("--- a/a.py\n+++ b/a.py\n") and new.diff(path="b.py").startswith("--- a/b.py")
    assert "\n-    def fetch" in tree.diff(new) and "\n+    def fetch" in new.diff()
    again = new.edit(cst.delete("method#size"))
    assert again.diff(tree).count("\n+    def fetch") == 1 and "size" not in again.text
    put = tree.find("method#put")[0].node
    kept = new.node(put.id)
    assert kept is not None and kept.text == put.text and kept != put


@pytest.mark.parametrize(
    ("operation", "text"),
    [
        (cst.replace("method#get return", "return 2"), "        return 2  # one\n"),
        (cst.delete("method#get"), "class A:\n    def put"),
        (cst.sub("method#get", "1", "3"), "        return 3  # one\n"),
        (cst.sub("method#get", r"re(\w+) 1", "re$1 4", regex=True), "        return 4  # one\n"),
        (cst.ensure_import("import os"), "import os\n"),
        (cst.wrap("method#get return", "if self:\n    $0"), "        if self:\n            return 1  # one\n"),
        (cst.move("method#put", "before", "method#get"), "class A:\n    def put(self, x): self.x=x\n"),
        (cst.rename("class#A", "B", references=True), "a = B().get( )\n"),
        (cst.replace("method", "pass", index=1), "    pass\n"),
        (cst.replace("method", "x = '$0'", all=True, extent="full"), None),
        (cst.replace_range("method#get", "method#put", "pass"), "class A:\n    pass\n"),
    ],
)
def test_operations(operation: cst.Operation, text: str) -> None:
    tree = cst.parse(SOURCE, "python")
    if text is None:
        with pytest.raises(cst.EditError):
            tree.edit(operation)
        return
    assert text in tree.edit([operation]).text


def test_unwrap() -> None:
    tree = cst.parse("if a:\n    f()  # 1\n    g()\n", "python")
    assert tree.edit(cst.unwrap("if")).text == "f()  # 1\ng()\n"


def test_targets_are_nodes_and_matches_too() -> None:
    tree = cst.parse(SOURCE, "python")
    match = tree.find("method#get")[0]
    by_match = tree.edit(cst.rename(match, "fetch"))
    assert by_match.text == tree.edit(cst.rename(match.node, "fetch")).text
    assert by_match.text == tree.edit(cst.rename(match.node.id, "fetch")).text
    with pytest.raises(cst.EditError, match="another tree") as raised:
        by_match.edit(cst.delete(match))
    assert raised.value.code == "stale_node" and raised.value.hint is not None
    with pytest.raises(TypeError, match="an operation is expected"):
        tree.edit(["rename"])  # type: ignore[list-item]


def test_refused_edits_say_why() -> None:
    tree = cst.parse(SOURCE, "python")
    with pytest.raises(cst.EditError) as raised:
        tree.edit([cst.rename("method#put", "set"), cst.replace("method#get", "def get(:")])
    assert (raised.value.code, raised.value.operation) == ("would_break_syntax", 1)
    with pytest.raises(cst.EditError) as raised:
        tree.edit(cst.delete("method"))
    assert raised.value.code == "ambiguous"
    assert [row["qualname"] for row in raised.value.candidates] == ["A.get", "A.put"]
    assert "line 2: method A.get" in str(raised.value)
    with pytest.raises(cst.NotFoundError) as missing:
        tree.edit(cst.delete("method#nothing"))
    assert missing.value.code == "no_match"
    with pytest.raises(cst.CstError, match="unknown gate"):
        tree.edit(cst.delete("method#get"), allow=["everything"])
    broken = tree.edit(cst.replace("method#get", "def get(:"), allow=["syntax", "structure"])
    assert broken.errors


def test_rewrites() -> None:
    tree = cst.parse("print('a', end='')\nlog.print(b)\nprint()\n", "python", path="a.py")
    new = tree.rewrite(pattern="print($$$A)", template="log.info($$$A)")
    assert new.text == "log.info('a', end='')\nlog.print(b)\nlog.info()\n" and new.changes == 2
    assert new.diff().count("\n+") == 3
    assert tree.rewrite("call#print > argument_list@a", "(1)").changes == 3
    same = tree.rewrite(pattern="nothing($A)", template="x")
    assert same.changes == 0 and same.text == tree.text and same.diff() == ""
    with pytest.raises(cst.CstError, match="captured|capture"):
        tree.rewrite(pattern="print($$$A)", template="log($B)")


def test_edits_keep_all_other_bytes(library: List[Path]) -> None:
    edited = 0
    for path in library[:200]:
        data = path.read_bytes()
        tree = cst.parse_file(path)
        if tree.errors:
            continue
        functions = tree.find("function").nodes
        if not functions:
            continue
        node = functions[len(functions) // 2]
        name = node.child("name")
        if name is None:
            continue
        new = tree.edit(cst.rename(node, "renamed_by_test"))
        source = tree.text.encode()
        expected = source[: name.start_byte] + b"renamed_by_test" + source[name.end_byte :]
        assert new.text.encode() == expected and tree.bytes == data, path
        edited += 1
    assert edited > 120


def test_rewritten_files_are_python(library: List[Path]) -> None:
    changed = 0
    for path in library[:200]:
        tree = cst.parse_file(path)
        if tree.errors:
            continue
        try:
            ast.parse(tree.bytes)
        except SyntaxError:
            continue
        new = tree.rewrite(pattern="len($X)", template="$X.__len__()")
        ast.parse(new.bytes)
        changed += new.changes
    assert changed > 200
