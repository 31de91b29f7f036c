#!/usr/bin/env python3
"""Splits classes of real Python packages, and runs the packages' own tests after each split that is done.

    split_class.py [PACKAGE ...]        as for rename.py

Options: --cst PROGRAM, --work FOLDER, --show, --output JSON.

For each method without decorators of each class with a constructor, the method and those of the class that it calls on its object go
to a new class. `certain`: `cst refactor split-class` did it. `stays`: the methods need something that stays, or the object itself.
`refused`: places are not certain, or a class below overrides a method. `broken`: the tests pass before and fail after.
"""

import argparse
import ast
import json
import sys
from pathlib import Path

from move import TESTS, clean
from rename import PACKAGES, prepare, run, tests_pass


def candidates(source):
    """Paths, names of classes, and methods that may go together."""
    for path in sorted(source.rglob("*.py")):
        relative = path.relative_to(source)
        if TESTS & set(relative.parts[:-1]) or any(part.startswith(".") for part in relative.parts):
            continue
        if any(part in ("docs", "examples", "venv", "build") for part in relative.parts):
            continue
        for definition in ast.parse(path.read_text()).body:
            if isinstance(definition, ast.ClassDef):
                for methods in groups(definition):
                    yield str(relative), definition.name, methods


def groups(definition):
    functions = [node for node in definition.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not any(function.name == "__init__" for function in functions):
        return
    plain = {node.name: node for node in functions if not node.name.startswith("__") and not node.decorator_list}
    seen = set()
    for name in plain:
        group, waiting = set(), [name]
        while waiting:
            at = waiting.pop()
            if at in group or at not in plain:
                continue
            group.add(at)
            own = [node for node in ast.walk(plain[at]) if isinstance(node, ast.Attribute)]
            waiting += [node.attr for node in own if isinstance(node.value, ast.Name) and node.value.id == "self"]
        key = tuple(sorted(group))
        if key not in seen:
            seen.add(key)
            yield key


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/refactors"))
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.cst, options.peers = str(Path(options.cst).resolve()), False
    rows = [measure(package, *prepare(package, options), options) for package in options.packages or PACKAGES]
    print("| project | groups of methods | certain | stays | refused | broken |")
    print("|---|--:|--:|--:|--:|--:|")
    for row in rows:
        print("| " + " | ".join(str(row[key]) for key in ("project", "tried", "certain", "stays", "refused", "broken")) + " |")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


def measure(project, source, check, options):
    clean(source)
    passed, last = tests_pass(source, check)
    if not passed:
        sys.exit(f"{project}: the tests fail before anything is split:\n{last}")
    row = {"project": project, "tried": 0, "certain": 0, "stays": 0, "refused": 0, "broken": 0, "splits": []}
    for path, name, methods in candidates(source):
        row["tried"] += 1
        words = ["split-class", f"{path}::{name}", "--methods", ",".join(methods), "--into", "SplitPart", "--write"]
        done = run(options.cst, "refactor", *words, cwd=source)
        last = done.stderr
        if done.returncode == 0:
            passed, last = tests_pass(source, check)
            outcome = "certain" if passed else "broken"
            row["certain"] += 1
            row["broken"] += not passed
        else:
            outcome = "stays" if "is not made:" in last else "refused"
            row[outcome] += 1
        row["splits"].append({"class": f"{path}::{name}", "methods": methods, "outcome": outcome})
        if options.show:
            print(outcome, path, name, ",".join(methods), "" if outcome == "certain" else last[-400:], flush=True)
        clean(source)
    print(json.dumps({key: value for key, value in row.items() if key != "splits"}), flush=True)
    return row


if __name__ == "__main__":
    main()
