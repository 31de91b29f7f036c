"""Compares `cst_engine` with LibCST's matchers, py-tree-sitter's queries, and the program.

    pip install libcst tree-sitter tree-sitter-python
    python bindings/python/bench/run.py FOLDER --program target/release/cst

FOLDER has Python files. Every figure is the best of several runs. The first part needs about 100,000 calls in the largest
files of FOLDER: parsing is not measured, only finding the calls and iterating over them, reading the start of each.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, List, Optional, Tuple

import cst_engine as cst

WANTED = 100_000


def best(runs: int, work: Callable[[], int]) -> Tuple[float, int]:
    fastest, answer = float("inf"), 0
    for _ in range(runs):
        gc.collect()
        start = time.perf_counter()
        answer = work()
        fastest = min(fastest, time.perf_counter() - start)
    return fastest, answer


def sources(folder: Path) -> List[bytes]:
    """The largest files that are valid UTF-8 and parse, with at least `WANTED` calls together."""
    import libcst

    chosen, calls = [], 0
    for path in sorted(folder.rglob("*.py"), key=lambda path: -path.stat().st_size):
        data = path.read_bytes()
        if len(data) > 1_000_000:
            continue
        try:
            data.decode()
            libcst.parse_module(data)
        except Exception:  # LibCST refuses what its Python version does not know
            continue
        chosen.append(data)
        calls += len(cst.parse(data, "python").find("Call"))
        if calls >= WANTED:
            return chosen
    return chosen


def row(name: str, seconds: float, count: int, base: Optional[float]) -> None:
    ratio = "" if base is None else f"{seconds / base:8.1f} ×"
    print(f"{name:42} {seconds * 1000:10.1f} ms {count:8} matches {ratio}", flush=True)


def nodes(folder: Path) -> None:
    import libcst
    import libcst.matchers as m
    import tree_sitter
    import tree_sitter_python
    from libcst.metadata import MetadataWrapper, PositionProvider

    texts = sources(folder)
    print(f"{len(texts)} files, {sum(map(len, texts)) / 1e6:.1f} MB")
    trees = [cst.parse(text, "python") for text in texts]

    def ours() -> int:
        return sum(1 for tree in trees for match in tree.find("Call") if match.node.start_byte >= 0)

    def ours_kinds() -> int:
        return sum(1 for tree in trees for match in tree.find("call") if match.node.start.line > 0)

    base, count = best(5, ours)
    row("cst_engine: `Call`, byte offset of each", base, count, None)
    seconds, count = best(5, ours_kinds)
    row("cst_engine: `call`, line of each", seconds, count, base)

    language = tree_sitter.Language(tree_sitter_python.language())
    parsed = [tree_sitter.Parser(language).parse(text) for text in texts]
    query = tree_sitter.Query(language, "(call) @c")

    def captures() -> int:
        return sum(
            1
            for tree in parsed
            for node in tree_sitter.QueryCursor(query).captures(tree.root_node).get("c", [])
            if node.start_byte >= 0
        )

    def matches() -> int:
        return sum(
            1
            for tree in parsed
            for _, found in tree_sitter.QueryCursor(query).matches(tree.root_node)
            if found["c"][0].start_byte >= 0
        )

    seconds, count = best(5, captures)
    row("py-tree-sitter: captures", seconds, count, base)
    seconds, count = best(5, matches)
    row("py-tree-sitter: matches", seconds, count, base)

    modules = [libcst.parse_module(text) for text in texts]

    def matchers() -> int:
        return sum(1 for module in modules for _ in m.findall(module, m.Call()))

    seconds, count = best(1, matchers)
    row("LibCST: matchers.findall, no positions", seconds, count, base)
    wrappers = [MetadataWrapper(module, unsafe_skip_copy=True) for module in modules]

    def positions() -> int:
        count = 0
        for wrapper in wrappers:
            places = wrapper.resolve(PositionProvider)
            count += sum(1 for node in m.findall(wrapper, m.Call()) if places[node].start.line > 0)
        return count

    seconds, count = best(1, positions)
    row("LibCST: matchers.findall with lines", seconds, count, base)


def search(folder: Path, program: str) -> None:
    environment = {**os.environ, "CST_CACHE": "/nonexistent"}
    for selector in ["call#print", "function:not([doc])", "call"]:

        def ours() -> int:
            return sum(1 for hit in cst.search([folder], selector) if hit.path)

        def theirs() -> int:
            done = subprocess.run(
                [program, "find", selector, str(folder), "--jsonl"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, check=False,
            )
            return done.stdout.count(b"\n")

        base, count = best(3, theirs)
        row(f"{selector}: the program, --jsonl", base, count, None)
        seconds, count = best(3, ours)
        row(f"{selector}: search()", seconds, count, base)


def main() -> None:
    # LibCST recurses, and some of the files nest deeply.
    sys.setrecursionlimit(100_000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", help="the program `cst` to compare `search` with")
    arguments = parser.parse_args()
    os.environ["CST_CACHE"] = "/nonexistent"
    nodes(arguments.folder)
    if arguments.program:
        search(arguments.folder, arguments.program)


if __name__ == "__main__":
    main()
