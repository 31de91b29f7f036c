"""Searches over files: the same as the program's, in order or not, from several threads."""

from __future__ import annotations

import json
import pickle
import subprocess
import sysconfig
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import List, Tuple

import pytest

import cst_engine as cst

PROGRAM = Path(sysconfig.get_path("scripts")) / "cst"


def program(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, check=False)


def folder() -> str:
    return sysconfig.get_paths()["stdlib"] + "/asyncio"


@pytest.mark.parametrize("selector", ["call#print", "class > method:has-own(return)", "function@f:has(call@c)"])
def test_hits_are_those_of_the_program(selector: str) -> None:
    rows = program("find", selector, folder(), "--jsonl", "--no-ignore").stdout.splitlines()
    hits = cst.search([folder()], selector, no_ignore=True)
    found = [json.loads(hit.to_json()) for hit in hits]
    assert found == [json.loads(row) for row in rows]
    assert len(found) == hits.total and hits.searched > 20
    unordered = cst.search(folder(), selector, ordered=False, no_ignore=True)
    key = lambda row: json.dumps(row, sort_keys=True)  # noqa: E731
    assert sorted((json.loads(hit.to_json()) for hit in unordered), key=key) == sorted(found, key=key)


def test_a_hit_has_its_facts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class A:\n    def é(self): pass\n")
    (hit,) = cst.search(tmp_path, "method@m > parameters@p", code=True)
    assert (hit.path, hit.type, hit.start, hit.end) == ("a.py", "parameters", (2, 10), (2, 16))
    assert hit.text == "(self)" and hit.captures["p"] == "(self)"
    (hit,) = cst.search([tmp_path / "a.py"], "method")
    assert (hit.kind, hit.name, hit.qualname, hit.text) == ("method", "é", "A.é", None)
    assert pickle.loads(pickle.dumps(hit)) == hit and cst.Hit.from_json(hit.to_json()) == hit


def test_options(tmp_path: Path) -> None:
    for name in ["a.py", "b.py", "c.js", ".hidden.py"]:
        (tmp_path / name).write_text("f();f()\n")
    paths = lambda **options: [hit.path for hit in cst.search(tmp_path, "call", **options)]  # noqa: E731
    assert paths() == ["a.py", "a.py", "b.py", "b.py", "c.js", "c.js"]
    assert paths(language="javascript") == ["c.js", "c.js"] and paths(glob=["b.*"]) == ["b.py", "b.py"]
    assert len(paths(hidden=True)) == 8 and len(paths(limit=3)) == 3
    assert [hit.path for hit in cst.search(tmp_path, pattern="f()", threads=1)] == paths()
    hits = cst.search([tmp_path / "a.py", tmp_path / "gone.py"], "call")
    assert len(list(hits)) == 2 and [code for _, code, _ in hits.skipped] == ["not_found"]
    with pytest.raises(ValueError):
        cst.search([], "call")
    with pytest.raises(cst.SelectorError):
        list(cst.search(tmp_path, "cal"))
    # What is wrong with the call is said by the call.
    for wrong in [{}, {"selector": "call", "pattern": "f()"}]:
        with pytest.raises(TypeError, match="either a selector or a pattern"):
            cst.search(tmp_path, **wrong)
    for name in ["limit", "threads", "max_size"]:
        with pytest.raises(ValueError, match=f"{name} cannot be negative: -1"):
            cst.search(tmp_path, "call", **{name: -1})
    with pytest.raises(cst.NotFoundError):
        list(cst.search("gone", "call"))


def test_a_search_that_is_closed_ends_quietly() -> None:
    everything = sum(1 for _ in cst.search(folder(), "identifier", no_ignore=True))
    hits = cst.search(folder(), "identifier", no_ignore=True)
    taken = 0
    for _ in hits:
        taken += 1
        if taken == 10:
            hits.close()
    # What waited is still taken, and the rest is not searched.
    assert 10 <= taken < everything
    assert next(hits, None) is None and list(hits) == []
    hits = cst.search(folder(), "identifier", no_ignore=True)
    hits.close()
    assert all(isinstance(hit, cst.Hit) for hit in hits)
    assert "closed" in repr(hits)


def test_a_search_says_how_far_it_is(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"f{number:03}.py").write_text("f()\n" * 100)
    hits = cst.search(tmp_path, "call")
    seen = []
    for _ in hits:
        assert not hits.is_done and hits.searched <= 200 and hits.total <= 20_000
        seen.append((hits.searched, hits.total))
    assert seen == sorted(seen) and len(set(seen)) > 10
    assert "so far" in repr(cst.search(tmp_path, "call"))
    assert hits.is_done and (hits.searched, hits.files, hits.total) == (200, 200, 20_000)
    assert repr(hits) == "<Hits: 20000 in 200 files>"


def test_notebooks_show_tables(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("f('<b>')\n" * 60)
    matches = cst.parse_file("a.py").find(pattern="f($X)")
    html = matches._repr_html_()
    assert html.count("<tr>") == 51 and "and 10 more matches" in html and "$X" in html
    assert "<b>" not in html and "&lt;b&gt;" in html
    assert "no matches" in cst.parse("x", "python").find("call")._repr_html_()
    hits = cst.search("a.py", pattern="f($X)", code=True)
    assert "searching" in hits._repr_html_()
    first = next(hits)
    assert "a.py:1:1" in first._repr_html_() and "&lt;b&gt;" in first._repr_html_()
    assert len(list(hits)) == 59 and "60 matches in 1 file" in hits._repr_html_()
    changes = cst.Session().rewrite(pattern="f($X)", template="g($X)", paths=["a.py"])
    html = changes._repr_html_()
    assert "60 places in 1 file would change" in html and "+g(&#x27;&lt;b&gt;&#x27;)" in html and "<b>" not in html


def test_a_search_that_is_left_ends() -> None:
    before = threading.active_count()
    for _ in range(20):
        hits = cst.search(folder(), "identifier", no_ignore=True)
        next(hits)
        del hits
    hits = cst.search(folder(), "identifier", no_ignore=True)
    next(hits)
    hits.close()
    assert threading.active_count() == before


def test_threads_search_at_once(library: List[Path]) -> None:
    def facts(path: Path) -> Tuple[str, int, List[str]]:
        tree = cst.parse_file(path)
        return str(path), len(tree), [match.node.qualname or "" for match in tree.find("function")]

    alone = [facts(path) for path in library[:80]]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(facts, library[:80])) == alone
        tree = cst.parse_file(library[10])
        counts = pool.map(lambda _: len(tree.find("function:has(return)")), range(32))
        assert len(set(counts)) == 1
        totals = list(pool.map(lambda _: sum(1 for _ in cst.search(folder(), "call", no_ignore=True)), range(4)))
        assert len(set(totals)) == 1 and totals[0] > 1000
    hits = cst.search(folder(), "call", no_ignore=True)
    with ThreadPoolExecutor(4) as pool:
        shared = pool.map(lambda _: sum(1 for _ in hits), range(4))
        assert sum(shared) == totals[0]


def test_the_lock_is_released_while_it_parses() -> None:
    source = "def f(x):\n    return [x, {'a': (1, 2)}]\n" * 40_000
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    cst.parse(source, "python")
    took = time.monotonic() - start
    done.set()
    thread.join()
    assert ticks > took * 1000 / 50


def test_the_program_is_there() -> None:
    assert program("--version").stdout.startswith("cst ")
    assert program("find", "cal", ".").returncode == 2
    done = subprocess.run([str(PROGRAM), "pipe"], input='{"id":1,"path":"a.py","text":"f()","selector":"call"}\n', capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["total"] == 1
    assert program("find", "call", ".").returncode == 1
    installed = program("agent", "install", "claude-code", "--dry-run")
    assert str(PROGRAM) in installed.stdout or '"cst"' in installed.stdout, installed.stdout
