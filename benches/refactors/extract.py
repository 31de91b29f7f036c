#!/usr/bin/env python3
"""Extracts random ranges of real code to functions and variables, and runs the code's own tests after each.

    extract.py [PACKAGE ...]      a few known Python packages, or these (see rename.py, which prepares them)
    extract.py --folder FOLDER --check COMMAND
                                  a git repository in any language, checked by a command: `tsc --noEmit -p .`, `npm test`

Options: --kind function|variable (both), --ranges N (of each kind and package), --tests N (so many of those that were done are tested),
--cst PROGRAM, --work FOLDER, --seed N, --glob GLOB (of the folder's files), --show, --output JSON.

`done`: the code was extracted. `refused`: it would not do the same, or that cannot be seen. `invalid`: the range is not code that can be
extracted at all (only with --folder, where ranges are drawn from lines). `error`: anything else. `broken`: the check passed before and
fails after. `back`: `inline` gives back the same syntax tree (Python: `ast.dump`; otherwise the same text without white space).
"""

import argparse
import ast
import json
import random
import re
import sys
import time
from pathlib import Path

import rename
from rename import run, tests_pass

PACKAGES = ["click==8.1.7", "flask==3.0.3", "itsdangerous==2.2.0", "pluggy==1.5.0", "jinja2==3.1.4"]
SKIPPED = {"tests", "test", "docs", "examples", "testing", "bench", "benchmarks", "node_modules", "dist"}
EXPRESSIONS = (ast.Call, ast.BinOp, ast.Attribute, ast.Subscript, ast.Compare, ast.BoolOp, ast.IfExp, ast.List, ast.Dict, ast.Tuple,
               ast.JoinedStr, ast.ListComp, ast.UnaryOp, ast.Constant, ast.Lambda)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/refactors"))
    parser.add_argument("--kind", choices=["function", "variable"])
    parser.add_argument("--ranges", type=int, default=40)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check")
    parser.add_argument("--glob", default="**/*.[jt]s")
    parser.add_argument("--no-inline", action="store_true", help="do not try `inline` afterwards")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.cst, options.peers = str(Path(options.cst).resolve()), False
    kinds = [options.kind] if options.kind else ["function", "variable"]
    rows = []
    if options.folder:
        rows += [measure(options.folder.name, kind, options) for kind in kinds]
    else:
        rows += [measure(package, kind, options) for package in options.packages or PACKAGES for kind in kinds]
    table(rows)
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


def python_ranges(source, kind):
    """All runs of statements in functions, or all expressions, by Python's own parser."""
    found = []
    for path in sorted(source.rglob("*.py")):
        relative = path.relative_to(source)
        if SKIPPED & set(relative.parts) or relative.name in ("setup.py", "conftest.py", "tasks.py", "noxfile.py"):
            continue
        try:
            text = path.read_text()
            tree = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError):
            continue
        for function in ast.walk(tree):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            for node in [function, *evaluated(function)]:
                if kind == "variable" and isinstance(node, EXPRESSIONS) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                    if all(ord(letter) < 128 for line in text.split("\n")[node.lineno - 1:node.end_lineno] for letter in line):
                        found.append(f"{relative}:{node.lineno}:{node.col_offset + 1}-{node.end_lineno}:{node.end_col_offset + 1}")
                for field in ("body", "orelse", "finalbody") if kind == "function" else ():
                    block = getattr(node, field, None)
                    if not isinstance(block, list) or isinstance(node, ast.ClassDef):
                        continue
                    block = [statement for statement in block if isinstance(statement, ast.stmt)]
                    if block and isinstance(block[0], ast.Expr) and isinstance(block[0].value, ast.Constant):
                        block = block[1:]
                    for first in range(len(block)):
                        for last in range(first, len(block)):
                            start = min([block[first].lineno] + [decorator.lineno for decorator in getattr(block[first], "decorator_list", [])])
                            found.append(f"{relative}:{start}-{block[last].end_lineno}")
    return sorted(set(found))


def evaluated(node):
    """The nodes inside of one, without written types and documentation."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
                yield child
                yield from evaluated(child)


def line_ranges(source, options, generator, count):
    """Random runs of lines with the same indentation at both ends; random calls and operations for variables."""
    files = [path for path in sorted(source.glob(options.glob)) if not SKIPPED & set(path.relative_to(source).parts) and not path.name.endswith(".d.ts")]
    files = [path for path in files if not re.search(r"[-._](test|spec)\.", path.name)]
    found = []
    while len(found) < count and files:
        path = generator.choice(files)
        lines = path.read_text(errors="replace").split("\n")
        line = generator.randrange(len(lines))
        depth = len(lines[line]) - len(lines[line].lstrip())
        if not lines[line].strip() or not depth or lines[line].strip()[0] in "})]*/":
            continue
        end = line
        ends = []
        while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) >= depth):
            if lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) == depth and lines[end].rstrip()[-1] in ";}":
                ends.append(end)
            end += 1
        if ends:
            found.append(f"{path.relative_to(source)}:{line + 1}-{generator.choice(ends[:8]) + 1}")
    return found


def expression_ranges(source, options, generator, count):
    """Random expressions, as cst lists them."""
    answer = run(options.cst, "find", ":is(call, expr, collection, string)", ".", "--jsonl", cwd=source)
    rows = [json.loads(line) for line in answer.stdout.splitlines()]
    rows = [row for row in rows if "start_col" in row and row.get("kind") not in ("name", "property") and Path(row["path"]).match(options.glob) and not SKIPPED & set(Path(row["path"]).parts) and re.search(r"\.[jt]sx?$", row["path"])
            and not re.search(r"[-._](test|spec)\.|\.d\.ts$", row["path"])]
    generator.shuffle(rows)
    return [f"{row['path']}:{row['start_line']}:{row['start_col']}-{row['end_line']}:{row['end_col']}" for row in rows[:count]]


def shape(path):
    text = path.read_text()
    return ast.dump(ast.parse(text)) if path.suffix == ".py" else re.sub(r"\s+", "", text)


def measure(package, kind, options):
    source, python = (options.folder.resolve(), options.check) if options.folder else rename.prepare(package, options)
    clean(source)
    passes, said = tests_pass(source, python)
    generator = random.Random(options.seed)
    if options.folder:
        ranges = (line_ranges if kind == "function" else expression_ranges)(source, options, generator, options.ranges * 4)
    else:
        ranges = python_ranges(source, kind)
        generator.shuffle(ranges)
    row = {"package": package, "kind": kind, "tests": passes, "ranges": 0, "done": 0, "refused": 0, "invalid": 0, "error": 0, "tested": 0,
           "broken": 0, "inlined": 0, "not_back": 0, "seconds": 0.0, "each": []}
    if not passes:
        print(f"{package}: the check does not pass unchanged: {said}", file=sys.stderr)
    name = "zq_extracted"
    for place in ranges:
        if row["ranges"] >= options.ranges:
            break
        path = source / place.split(":")[0]
        before = shape(path)
        start = time.monotonic()
        done = run(options.cst, "refactor", f"extract-{kind}", name, place, "--write", "--json", cwd=source)
        row["seconds"] += time.monotonic() - start
        answer = json.loads(done.stdout) if done.stdout else {"error": {"code": "crash", "message": done.stderr[-300:]}}
        outcome = {"place": place}
        if "error" in answer:
            code = answer["error"]["code"]
            outcome["outcome"] = {"undetermined": "refused", "would_rebind": "refused", "bad_request": "invalid"}.get(code, "error")
            outcome["why"] = answer["error"]["message"]
        else:
            outcome["outcome"] = "done"
            outcome["notes"] = answer.get("notes", [])
            outcome["diff"] = run("git", "diff", "-U1", cwd=source).stdout[:4000]
            if passes and row["tested"] < options.tests:
                row["tested"] += 1
                good, said = tests_pass(source, python)
                if not good:
                    row["broken"] += 1
                    outcome["broken"] = said
            if not options.no_inline:
                lines = enumerate(path.read_text().split("\n"), 1)
                line = next((number for number, text in lines if is_definition(text.strip(), name, kind)), None)
                if line is None:
                    sys.exit(f"no definition of {name} after {place}: {outcome['diff']}")
                column = path.read_text().split("\n")[line - 1].index(name) + 1
                back = run(options.cst, "refactor", "inline", f"{place.split(':')[0]}:{line}:{column}", "--write", "--json", cwd=source)
                said = json.loads(back.stdout) if back.stdout else {"error": {"code": "crash", "message": back.stderr[-300:]}}
                if "error" in said:
                    outcome["back"] = said["error"]["message"]
                else:
                    row["inlined"] += 1
                    if shape(path) != before:
                        row["not_back"] += 1
                        outcome["back"] = run("git", "diff", "-U0", cwd=source).stdout[:2000]
            clean(source)
        row["ranges"] += outcome["outcome"] != "invalid" or not options.folder
        row[outcome["outcome"]] += 1
        row["each"].append(outcome)
        if options.show:
            print(json.dumps(outcome), flush=True)
    print(json.dumps({key: value for key, value in row.items() if key != "each"}), flush=True)
    return row


def is_definition(text, name, kind):
    if kind == "variable":
        return re.match(rf"(const |let |var )?{name} = ", text) is not None
    return re.match(rf"(static |async |function |def )*{name}\(", text) is not None and text.endswith((":", "{"))


def clean(source):
    run("git", "checkout", "-q", "--", ".", cwd=source)
    run("git", "clean", "-qfd", cwd=source)


def table(rows):
    print("| package | kind | ranges | done | refused | error | tested | broken | inlined again | not the same | seconds each |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        each = row["seconds"] / max(row["ranges"] + row["invalid"], 1)
        print(f"| {row['package']} | {row['kind']} | {row['ranges']} | {row['done']} | {row['refused']} | {row['error'] + row['invalid']} | "
              f"{row['tested']} | {row['broken']} | {row['inlined']} | {row['not_back']} | {each:.2f} |")


if __name__ == "__main__":
    main()
