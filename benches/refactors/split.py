#!/usr/bin/env python3
"""Splits each module of real packages into a file a class, and runs the packages' own tests or a compiler after each split.

    split.py [PACKAGE ...]                      as for rename.py
    split.py --folder FOLDER --check COMMAND    a git repository in any language: `tsc -p . --noEmit`

Options: --cst PROGRAM, --work FOLDER, --least N (modules with fewer lines are left out), --show, --output JSON.

`certain`: `cst refactor split-file` did it. `whole`: it has no two parts. `refused`: places are not certain. `broken`: the check passes
before and fails after.
"""

import argparse
import json
import sys
from pathlib import Path

from move import TESTS, clean
from rename import PACKAGES, prepare, run, tests_pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/refactors"))
    parser.add_argument("--least", type=int, default=100)
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
    print("| project | modules | certain | files made | whole | refused | broken |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        keys = ("project", "tried", "certain", "files", "whole", "refused", "broken")
        print("| " + " | ".join(str(row[key]) for key in keys) + " |")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


def measure(project, source, check, options):
    clean(source)
    passed, last = tests_pass(source, check)
    if not passed:
        sys.exit(f"{project}: the check fails before anything is split:\n{last}")
    answer = json.loads(run(options.cst, "symbols", "--json", cwd=source).stdout)
    paths = {row["path"] for row in answer["symbols"] if row["kind"] in ("function", "class", "interface", "type")}
    paths = [path for path in sorted(paths) if not TESTS & set(Path(path).parts[:-1])]
    row = {"project": project, "tried": 0, "certain": 0, "files": 0, "whole": 0, "refused": 0, "broken": 0, "modules": []}
    for path in paths:
        name = Path(path).name
        if name in ("setup.py", "conftest.py", "noxfile.py") or len((source / path).read_text().split("\n")) < options.least:
            continue
        row["tried"] += 1
        done = run(options.cst, "refactor", "split-file", path, "--write", cwd=source)
        last = done.stderr
        if done.returncode == 0:
            passed, last = tests_pass(source, check)
            outcome = "certain" if passed else "broken"
            row["certain"] += 1
            row["broken"] += not passed
            made = run("git", "status", "--short", "-uall", cwd=source).stdout.split("\n")
            row["files"] += sum(line.startswith("??") for line in made)
        else:
            outcome = "whole" if "no two parts" in last else "refused"
            row[outcome] += 1
        row["modules"].append({"path": path, "outcome": outcome, "message": last[-300:] if outcome != "certain" else ""})
        if options.show:
            print(outcome, path, "" if outcome in ("certain", "whole") else last[-900:], flush=True)
        clean(source)
    print(json.dumps({key: value for key, value in row.items() if key != "modules"}), flush=True)
    return row


if __name__ == "__main__":
    main()
