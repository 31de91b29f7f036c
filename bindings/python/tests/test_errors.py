"""Errors have a code, a place and a hint."""

from __future__ import annotations

from pathlib import Path

import pytest

import cst_engine as cst


def test_a_selector_error_has_its_place() -> None:
    tree = cst.parse("x = 1", "python")
    with pytest.raises(cst.SelectorError) as raised:
        tree.find("[name='é'] > fucntion")
    error = raised.value
    assert error.code == "unknown_type" and error.selector is not None and error.span is not None
    assert error.selector[slice(*error.span)] == "fucntion"
    assert "function" in (error.hint or "")
    assert str(error).splitlines()[2].index("^") == 2 + error.span[0]
    assert repr(error) == f"SelectorError('unknown_type', {error.message!r})"
    for selector, code in [("call >", "selector_syntax"), ("call:nothing", "unknown_pseudo"), ("call[x]", "unknown_attribute")]:
        with pytest.raises(cst.SelectorError) as raised:
            tree.find(selector)
        assert raised.value.code == code
    with pytest.raises(cst.CstError):
        tree.find()
    with pytest.raises(cst.CstError):
        tree.find("call", pattern="f()")


def test_sources_that_cannot_be_parsed(tmp_path: Path) -> None:
    with pytest.raises(cst.ParseError) as raised:
        cst.parse("x", "pyhton")
    assert raised.value.code == "unsupported_language"
    with pytest.raises(cst.CstError):
        cst.parse("x")
    with pytest.raises(cst.ParseError):
        cst.parse("x", path="x.unknown-thing")
    with pytest.raises(cst.ParseError) as raised:
        cst.parse(b"\x00\x01\x02", "python")
    assert raised.value.code == "unsupported_encoding"
    with pytest.raises(TypeError):
        cst.parse(3, "python")  # type: ignore[arg-type]
    with pytest.raises(UnicodeEncodeError):
        cst.parse("\ud800", "python")
    with pytest.raises(FileNotFoundError) as missing:
        cst.parse_file(tmp_path / "nothing.py")
    assert str(missing.value.filename).endswith("nothing.py")
    with pytest.raises(IsADirectoryError) as folder:
        cst.parse_file(tmp_path)
    assert folder.value.filename == str(tmp_path)
    # A hint names an argument of the function.
    with pytest.raises(cst.ParseError) as raised:
        cst.parse(b"x = '\xe9'", "python")
    assert "`encoding`" in (raised.value.hint or "") and "reading." not in str(raised.value)
    assert cst.parse(b"x = '\xe9'", "python", encoding="latin-1").text == "x = '\u00e9'"
    with pytest.raises(TypeError):
        cst.parse("x", "python", encoding="latin-1")


def test_deep_and_large_texts_end() -> None:
    deep = cst.parse("[" * 50_000 + "]" * 50_000, "javascript")
    assert len(deep) > 50_000
    assert len(deep.root.walk().__class__.__name__) > 0
    assert deep.find("array")[-1].node.parent is not None
    with pytest.raises(cst.ParseError) as raised:
        cst.parse("x\n" * (33 << 20), "python")
    assert raised.value.code == "too_large"


def test_requests_that_are_wrong() -> None:
    session = cst.Session()
    with pytest.raises(cst.CstError, match="unknown method"):
        session.request("fnd", selector="call")
    with pytest.raises(cst.CstError, match="selecter"):
        session.request("find", selecter="call")
    with pytest.raises(cst.NotFoundError):
        session.find("call", "nothing.py")
