"""Trees and nodes, compared with Python's own `ast`."""

from __future__ import annotations

import ast
import gc
import pickle
import tokenize
import weakref
from pathlib import Path
from typing import List, Set, Tuple

import pytest

import cst_engine as cst

SHOP = '''class Shop:
    """Sells."""

    def open(self):
        return 1

    @property
    def é(self, ü): pass
'''


def test_definitions_are_those_of_ast(library: List[Path]) -> None:
    definitions = 0
    for path in library:
        try:
            with tokenize.open(path) as file:
                source = file.read()
            module = ast.parse(path.read_bytes())
        except (SyntaxError, UnicodeDecodeError):
            continue
        tree = cst.parse_file(path)
        expected: Set[Tuple[str, int, int]] = set()
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                line = source.splitlines()[node.lineno - 1] if "\f" not in source else None
                column = len(line.encode()[: node.col_offset].decode()) + 1 if line is not None else node.col_offset + 1
                expected.add((node.name, node.lineno, column))
        found = {
            (match.node.name or "", *match.node.start)
            for match in tree.find("function, class")
            if match.node.type in ("function_definition", "class_definition")
        }
        assert found == expected, path
        definitions += len(found)
    assert definitions > 5000


def test_qualnames_and_docs_are_those_of_ast(library: List[Path]) -> None:
    compared = 0
    for path in library[:150]:
        try:
            module = ast.parse(path.read_bytes())
        except (SyntaxError, UnicodeDecodeError):
            continue
        tree = cst.parse_file(path)
        expected = [
            f"{node.name}.{inner.name}"
            for node in module.body
            if isinstance(node, ast.ClassDef)
            for inner in node.body
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        found = [match.node.qualname for match in tree.find("module > class > method")]
        # Classes in a class are not among them, as they are not in `module.body`.
        assert [name for name in found if name in set(expected)] == expected, path
        compared += len(expected)
    assert compared > 1000


def test_positions_offsets_and_bytes(library: List[Path]) -> None:
    for path in library[:100]:
        data = path.read_bytes()
        tree = cst.parse_file(path)
        assert tree.bytes == data
        source = tree.text.encode()
        lines = tree.text.split("\n")
        for match in tree.find("call")[:200]:
            node = match.node
            assert source[node.start_byte : node.end_byte].decode() == node.text
            start = node.start
            assert lines[start.line - 1][start.column - 1 :].startswith(node.text.split("\n")[0])


def test_a_node_has_its_facts() -> None:
    tree = cst.parse(SHOP, "python")
    method = tree.find("method")[1].node
    assert (method.name, method.qualname, method.kind, method.type) == ("é", "Shop.é", "method", "function_definition")
    assert (method.start, method.end) == ((8, 5), (8, 25))
    assert method.start == cst.Position(8, 5) and str(method.start) == "8:5" and method.start.column == 5
    assert method.end_byte - method.start_byte == len(method.text.encode()) == len(method.text) + 2
    assert method.parent is not None and method.parent.type == "decorated_definition"
    assert [node.kind for node in method.ancestors][-1] == tree.root.kind
    assert method.child("name") == method.children[0] and hash(method.child("name")) == hash(method.children[0])
    assert method.child("nothing") is None and method.children[0].field == "name"
    assert [child.text for child in method.all_children][:2] == ["def", "é"]
    assert sum(1 for _ in tree.root.walk()) == len(tree)
    shop = tree.find("class")[0].node
    assert shop.doc == "Sells." and method.doc is None
    assert tree.node(shop.id) == shop and tree.node("n99999") is None and tree.node("x") is None
    assert tree.at(5, 17).text == "1"
    with pytest.raises(ValueError):
        tree.at(99)
    assert [match.node.name for match in shop.find("method")] == ["open", "é"]
    assert method.find("class") == [] or len(method.find("class")) == 0


def test_captures() -> None:
    tree = cst.parse("print(1, 2, x=3)\nlog(4)\n", "python")
    match = tree.find(pattern="print($A, $$$REST)")[0]
    assert match["A"].text == "1" and match["A"].node is not None
    assert match["REST"].text == "2, x=3" and match["REST"].node is None
    assert [node.text for node in match["REST"].nodes] == ["2", "x=3"]
    assert list(match.captures) == ["A", "REST"] and "A" in match and "B" not in match
    with pytest.raises(KeyError, match="there are: A, REST"):
        match["B"]
    assert tree.find("call@c > argument_list@a")[1]["c"].node == tree.find("call")[1].node


def test_matches_are_a_sequence() -> None:
    matches = cst.parse("f()\n" * 10, "python").find("call")
    assert len(matches) == 10 and bool(matches)
    assert matches[-1] == matches[9] and matches[2:4] == [matches[2], matches[3]] and matches[::-1][0] == matches[9]
    assert [match.node for match in matches] == matches.nodes
    with pytest.raises(IndexError):
        matches[10]
    assert not cst.parse("x", "python").find("call")
    assert cst.parse("x", "python").first("call") is None
    first = cst.parse("f(); g()", "python").first("call")
    assert first is not None and first.node.text == "f()"


def test_reprs_say_what_is_there() -> None:
    tree = cst.parse(SHOP, "python", path="shop.py")
    assert repr(tree) == f"<Tree python shop.py: 8 lines, {len(tree)} nodes>"
    match = tree.find("method#open@m")[0]
    assert repr(match.node) == '<Node method "Shop.open" 4:5-5:17>'
    assert repr(match) == '<Match method "Shop.open" 4:5-5:17, captures m>'
    assert repr(tree.find("return")[0].node) == "<Node return `return 1` 5:9-5:17>"
    assert repr(match["m"]) == "<Capture `def open(self):…`>"
    assert repr(tree.find("method")) == "<Matches: 2 matches>"
    assert "1 syntax error" in repr(cst.parse("def f(:\n  pass\n", "python"))
    assert repr(match.detach()) == '<Hit shop.py:4:5 method "Shop.open">'
    assert repr(cst.rename("function#f", "g")) == "rename(target='function#f', to='g')"
    assert repr(cst.Session()) == "Session(state=None)"


def test_nodes_keep_their_tree_alive() -> None:
    tree = cst.parse(SHOP, "python")
    seen = weakref.ref(tree)
    node = tree.find("method")[0].node
    del tree
    gc.collect()
    assert node.name == "open" and node.tree.language == "python"
    del node
    gc.collect()
    assert seen() is None


def test_sources(tmp_path: Path) -> None:
    latin = "# coding: latin-1\nx = 'é'\n".encode("latin-1")
    tree = cst.parse(latin, "python")
    assert tree.text.endswith("'é'\n") and tree.bytes == latin
    marked = "\ufeffx = 1\r\n".encode("utf-16-le")
    assert cst.parse(marked, path="a.py").bytes == marked
    assert cst.parse("fn main() {}", path="a.rs").language == "rust"
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 1\n")
    assert cst.parse_file(file).path == "a.py" and cst.parse_file(str(file), "python").language == "python"
    assert cst.parse("", "python").text == "" and bool(cst.parse("", "python"))
    tree = cst.parse("def f(:\n  pass\n", "python")
    line, _, message = tree.errors[0]
    assert line == 1 and message and tree.root.has_error


def test_results_are_pickled_and_trees_are_not() -> None:
    tree = cst.parse(SHOP, "python", path="shop.py")
    match = tree.find("method#open > parameters@p")[0]
    for value in [tree, match, match.node, tree.find("method"), match["p"], cst.Session()]:
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(value)
    hit = match.detach()
    again = pickle.loads(pickle.dumps(hit))
    assert again == hit and hash(again) == hash(hit) and again.text == hit.text == match.node.text
    assert again.captures == {"p": "(self)"} and again.start == match.node.start and again.id == match.node.id
    assert pickle.loads(pickle.dumps(match.node.start)) == match.node.start
    for operation in [cst.rename("a", "b"), cst.insert("a", "first", "c", all=True)]:
        assert pickle.loads(pickle.dumps(operation)) == operation
    with pytest.raises(cst.SelectorError) as raised:
        tree.find("clas")
    error = pickle.loads(pickle.dumps(raised.value))
    assert type(error) is cst.SelectorError and str(error) == str(raised.value) and error.span == raised.value.span
