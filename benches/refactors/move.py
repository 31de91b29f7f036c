#!/usr/bin/env python3
"""Moves files and definitions of real packages drawn at random, and runs the packages' own tests or a compiler after each move.

    move.py [PACKAGE ...]                      as for rename.py
    move.py --folder FOLDER --check COMMAND    a git repository in any language: `tsc -p . --noEmit`

Options: --cst PROGRAM, --work FOLDER, --count N (definitions, and as many files), --seed N, --show, --output JSON.

A definition moves to another module of its folder, or to a new one. A file gets another name, or goes to another folder.
`certain`: `cst refactor` did it. `refused`: it did not. `broken`: the check passes before and fails after. `back`: of the certain moves,
those that leave nothing but import lines and blank lines changed when they are taken back by a second move.
"""

import argparse
import json
import random
import re
import sys
from pathlib import Path

from rename import PACKAGES, prepare, run, tests_pass

TESTS = {"tests", "test", "docs", "examples", "testing", "bench", "benchmarks", "node_modules", "artwork"}
IMPORT = re.compile(r"^[+-]\s*(from|import|export|\}|\)|\w+,?$|$|[\w ,{}]+ from )")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/refactors"))
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.cst, options.peers = str(Path(options.cst).resolve()), False
    rows = []
    for package in options.packages or ([] if options.folder else PACKAGES):
        source, python = prepare(package, options)
        rows.append(measure(package, source, python, options))
    if options.folder:
        rows.append(measure(options.folder.name, options.folder.resolve(), options.check, options))
    print("| project | kind | tried | certain | refused | broken | back |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for row in rows:
        for kind in ("definition", "file"):
            one = row[kind]
            print(f"| {row['project']} | {kind} | {one['tried']} | {one['certain']} | {one['refused']} | {one['broken']} | {one['back']} |")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


def clean(source):
    run("git", "reset", "-q", "--hard", cwd=source)
    run("git", "clean", "-fdq", cwd=source)


def draw(source, options):
    """Definitions at the top of modules with new places, and files with new paths."""
    answer = json.loads(run(options.cst, "symbols", "--json", cwd=source).stdout)
    choice = random.Random(options.seed)
    tops = [row for row in answer["symbols"] if row["kind"] in ("function", "class", "interface", "variable", "type")]
    tops = [row for row in tops if "." not in row["qualname"].split("::")[-1] and not TESTS & set(Path(row["path"]).parts[:-1])]
    tops = [row for row in tops if Path(row["path"]).name not in ("setup.py", "conftest.py", "noxfile.py") and not Path(row["path"]).name.startswith("test_")]
    files = sorted({row["path"] for row in tops})
    definitions = []
    for row in choice.sample(tops, min(options.count, len(tops))):
        path = Path(row["path"])
        beside = [other for other in files if Path(other).parent == path.parent and other != row["path"] and Path(other).suffix == path.suffix]
        to = choice.choice(beside) if beside and choice.random() < 0.5 else str(path.parent / f"moved_{row['qualname'].split('.')[-1].lower()}{path.suffix}")
        definitions.append((f"{row['path']}:{row['line']}:{row['col']}", row["qualname"], row["path"], to))
    moves = []
    folders = sorted({str(Path(path).parent) for path in files})
    for path in choice.sample(files, min(options.count, len(files))):
        old = Path(path)
        to = Path(choice.choice(folders)) / old.name if choice.random() < 0.5 else old.parent / f"renamed_{old.name}"
        if str(to) != path and not (source / to).exists():
            moves.append((path, str(to)))
    return definitions, moves


def measure(project, source, check, options):
    clean(source)
    passed, last = tests_pass(source, check)
    if not passed:
        sys.exit(f"{project}: the check fails before anything moves:\n{last}")
    definitions, moves = draw(source, options)
    row = {"project": project, "moves": []}
    for kind, drawn in (("definition", definitions), ("file", moves)):
        counts = row[kind] = {"tried": 0, "certain": 0, "refused": 0, "broken": 0, "back": 0}
        for one in drawn:
            if kind == "definition":
                place, name, path, to = one
                forth, back = ["move", place, to], ["move", f"{to}::{name}", path]
            else:
                path, to = one
                forth, back = ["move-file", path, to], ["move-file", to, path]
            counts["tried"] += 1
            done = run(options.cst, "refactor", *forth, "--write", cwd=source)
            outcome = "refused"
            if done.returncode == 0:
                passed, last = tests_pass(source, check)
                outcome = "certain" if passed else "broken"
                counts["certain"] += 1
                counts["broken"] += not passed
                run("git", "add", "-A", cwd=source)
                if run(options.cst, "refactor", *back, "--write", cwd=source).returncode == 0:
                    run("git", "add", "-A", cwd=source)
                    diff = run("git", "diff", "--cached", "-U0", cwd=source).stdout.split("\n")
                    changed = [line for line in diff if line.startswith(("+", "-")) and not line.startswith(("+++", "---"))]
                    moved = sorted(line[1:] for line in changed if line[0] == "+") == sorted(line[1:] for line in changed if line[0] == "-")
                    counts["back"] += moved or all(IMPORT.match(line) for line in changed)
            else:
                counts["refused"] += 1
            row["moves"].append({"kind": kind, "from": one, "outcome": outcome, "message": done.stderr[-300:] if done.returncode else ""})
            if options.show:
                print(outcome, *one, "" if outcome == "certain" else (done.stderr if done.returncode else last)[-300:], flush=True)
            clean(source)
    print(json.dumps({key: value for key, value in row.items() if key != "moves"}), flush=True)
    return row


if __name__ == "__main__":
    main()
