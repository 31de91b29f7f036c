#!/usr/bin/env python3
"""Changes signatures of functions of real Python packages drawn at random, and runs the packages' own tests after each change.

    signature.py [PACKAGE ...]        as for rename.py

Options: --cst PROGRAM, --work FOLDER, --functions N (of each package), --seed N, --show, --output JSON.

`add`: a parameter `extra_option=None` is added, and calls pass nothing. `pass`: calls pass `None` for it. `swap`: the first two parameters
change places. `certain`: `cst refactor signature` did it. `broken`: the tests pass before and fail after. `back`: of those that were done,
how many the opposite change gives back the same bytes (`--remove`, or the swap again); `kept`: the opposite change is refused, since a
call that is not certain might pass the new parameter.
"""

import argparse
import ast
import json
import random
import sys
from pathlib import Path

from move import TESTS, clean
from rename import PACKAGES, prepare, run, tests_pass


def functions(source):
    """Paths, lines, columns and parameters of functions and methods."""
    found = []
    for path in sorted(source.rglob("*.py")):
        relative = path.relative_to(source)
        left_out = ("docs", "examples", "venv", "build", "setup.py", "conftest.py", "noxfile.py")
        if TESTS & set(relative.parts[:-1]) or any(part.startswith(".") or part in left_out for part in relative.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("__"):
                line = path.read_text().split("\n")[node.lineno - 1]
                names = [argument.arg for argument in node.args.posonlyargs + node.args.args if argument.arg not in ("self", "cls")]
                found.append((str(relative), node.lineno, line.index(node.name, line.index("def ")) + 1, node.name, names))
    return found


def changes(names):
    yield "add", ["--add", "extra_option=None"], ["--remove", "extra_option"]
    yield "pass", ["--add", "extra_option=None", "--value", "None"], ["--remove", "extra_option"]
    if len(names) > 1:
        yield "swap", ["--reorder", f"{names[1]},{names[0]}"], ["--reorder", f"{names[0]},{names[1]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/refactors"))
    parser.add_argument("--functions", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.cst, options.peers = str(Path(options.cst).resolve()), False
    rows = [measure(package, *prepare(package, options), options) for package in options.packages or PACKAGES]
    print("| project | change | tried | certain | refused | broken | back | kept |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        for change, counts in row["counts"].items():
            print(f"| {row['project']} | {change} | " + " | ".join(str(counts[key]) for key in ("tried", "certain", "refused", "broken", "back", "kept")) + " |")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


def measure(project, source, check, options):
    clean(source)
    passed, last = tests_pass(source, check)
    if not passed:
        sys.exit(f"{project}: the tests fail before anything is changed:\n{last}")
    all_functions = functions(source)
    random.Random(options.seed).shuffle(all_functions)
    kinds = ("tried", "certain", "refused", "broken", "back", "kept")
    row = {"project": project, "counts": {}, "changes": []}
    for path, line, col, name, names in all_functions[: options.functions]:
        for change, words, back in changes(names):
            counts = row["counts"].setdefault(change, dict.fromkeys(kinds, 0))
            counts["tried"] += 1
            place = f"{path}:{line}:{col}"
            done = run(options.cst, "refactor", "signature", place, *words, "--write", cwd=source)
            outcome, last = "refused", done.stderr
            if done.returncode == 0:
                passed, last = tests_pass(source, check)
                outcome = "certain" if passed else "broken"
                counts["certain"] += 1
                counts["broken"] += not passed
                done = run(options.cst, "refactor", "signature", place, *back, "--write", cwd=source)
                is_back = not run("git", "status", "--short", cwd=source).stdout.strip()
                counts["back"] += is_back
                counts["kept"] += done.returncode != 0
                if not is_back and done.returncode == 0:
                    outcome += ", not back"
                    last += done.stderr + run("git", "diff", cwd=source).stdout[-800:]
            else:
                counts["refused"] += 1
            row["changes"].append({"place": place, "name": name, "change": change, "outcome": outcome})
            if options.show:
                print(outcome, change, place, name, "" if outcome == "certain" else last[-900:], flush=True)
            clean(source)
    print(json.dumps({key: value for key, value in row.items() if key != "changes"}), flush=True)
    return row


if __name__ == "__main__":
    main()
