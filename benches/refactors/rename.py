#!/usr/bin/env python3
"""Renames symbols of real Python packages drawn at random, and runs the packages' own tests after each rename.

    rename.py [PACKAGE ...]       a few known packages, or these (NAME==VERSION, with tests in the source distribution)
    rename.py --folder FOLDER --check COMMAND
                                  a git repository in any language, checked by a compiler: `tsc --noEmit`, `go vet ./...`, `cargo check`

Options: --cst PROGRAM, --work FOLDER, --symbols N (of each package), --tests N (so many of the certain renames are tested), --peers
(also rope and jedi, which must be installed in the environment of the tests), --seed N, --show (each rename), --output JSON.

For each symbol `cst refactor rename` renames it or refuses. `certain`: it did. `refused`: places are not certain, or a name would mean
something else. `broken`: the tests passed before and fail after a rename that was called certain. `back`: renaming back gives the same
bytes. For the peers `done` and `broken` are counted over the same symbols.
"""

import argparse
import ast
import json
import random
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path

PACKAGES = {
    "click==8.1.7": [], "flask==3.0.3": ["werkzeug==3.0.3", "jinja2==3.1.4", "click==8.1.7", "itsdangerous==2.2.0", "blinker==1.8.2"],
    "jinja2==3.1.4": ["markupsafe==2.1.5", "trio==0.26.0"], "itsdangerous==2.2.0": ["freezegun==1.5.1"], "attrs==23.2.0": ["hypothesis==6.108.2", "cloudpickle==3.0.0"],
    "werkzeug==3.0.3": ["markupsafe==2.1.5", "ephemeral-port-reserve==1.1.4", "pytest-timeout==2.3.1", "pytest-xprocess==1.0.2", "watchdog==4.0.1", "cryptography==42.0.8"],
    "pluggy==1.5.0": [], "toolz==0.12.1": [], "more-itertools==10.3.0": [], "packaging==24.1": ["pretend==1.0.9"],
    "tomlkit==0.13.0": ["pyyaml==6.0.1"], "sortedcontainers==2.4.0": [],
}
KINDS = ["class", "function", "method", "variable", "field", "parameter"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/refactors"))
    parser.add_argument("--symbols", type=int, default=25)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check")
    parser.add_argument("--exclude", default=None, help="a regex of paths whose definitions are not renamed")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    options.cst = str(Path(options.cst).resolve())
    rows = []
    if options.folder:
        rows.append(measure(options.folder.name, options))
    for package in options.packages or ([] if options.folder else PACKAGES):
        rows.append(measure(package, options))
        print(json.dumps({key: value for key, value in rows[-1].items() if key != "renames"}), flush=True)
    table(rows, options)
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


def run(*command, cwd=None, timeout=600):
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "timeout")


def prepare(package, options):
    """The unpacked source distribution as a git repository, and an environment for its tests."""
    name = package.split("=")[0]
    folder = (options.work / name).resolve()
    source = folder / "source"
    python = folder / "venv" / "bin" / "python"
    if not source.exists():
        folder.mkdir(parents=True, exist_ok=True)
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", package.split("=")[0], "-d", str(folder), package)
        archive = next(folder.glob("*.tar.gz"))
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        unpacked = next(path for path in folder.iterdir() if path.is_dir() and path.name != "venv")
        unpacked.rename(source)
        for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "as released"]):
            run("git", *command, cwd=source)
    if not python.exists():
        run(sys.executable, "-m", "venv", str(folder / "venv"))
        extra = ["rope", "jedi"] if options.peers else []
        done = run(str(python), "-m", "pip", "install", "-q", "pytest==8.2.2", *PACKAGES.get(package, []), *extra)
        done = run(str(python), "-m", "pip", "install", "-q", "--no-deps", "-e", str(source))
        if done.returncode:
            sys.exit(f"{package}: {done.stderr[-2000:]}")
    return source, python


def tests_pass(source, python):
    if isinstance(python, str):
        done = run("sh", "-c", python, cwd=source, timeout=300)
        return done.returncode == 0, (done.stdout + done.stderr)[-600:]
    done = run(str(python), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header", "-W", "ignore", cwd=source, timeout=300)
    return done.returncode == 0, done.stdout[-400:]


def symbols(source):
    """All definitions of the package, by Python's own parser: kind, path, line, column, name."""
    found = []
    for path in sorted(source.rglob("*.py")):
        relative = path.relative_to(source)
        if {"tests", "test", "docs", "examples", "testing", "bench", "benchmarks"} & set(relative.parts) or relative.name in ("setup.py", "conftest.py", "tasks.py", "noxfile.py"):
            continue
        try:
            text = path.read_text()
            tree = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError):
            continue
        lines = text.split("\n")
        visit(tree, None, str(relative), lines, found)
    return found


def visit(node, holder, path, lines, found):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            kind = "class" if isinstance(child, ast.ClassDef) else "method" if isinstance(holder, ast.ClassDef) else "function"
            line = lines[child.lineno - 1]
            at = re.search(rf"\b(?:class|def)\s+({re.escape(child.name)})\b", line)
            if at and not (child.name.startswith("__") and child.name.endswith("__")):
                found.append((kind, path, child.lineno, byte_column(line, at.start(1)), child.name))
            if not isinstance(child, ast.ClassDef):
                arguments = child.args
                for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
                    if argument.arg not in ("self", "cls", "_"):
                        found.append(("parameter", path, argument.lineno, argument.col_offset + 1, argument.arg))
            visit(child, child, path, lines, found)
            continue
        targets = child.targets if isinstance(child, ast.Assign) else [child.target] if isinstance(child, ast.AnnAssign) else []
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(holder, (type(None), ast.ClassDef)) and not target.id.startswith("__"):
                kind = "field" if isinstance(holder, ast.ClassDef) else "variable"
                found.append((kind, path, target.lineno, target.col_offset + 1, target.id))
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                found.append(("field", path, target.end_lineno, target.end_col_offset - len(target.attr) + 1, target.attr))
        visit(child, holder, path, lines, found)


def listed(source, options):
    """The definitions that `cst symbols` lists."""
    answer = json.loads(run(options.cst, "symbols", "--json", cwd=source).stdout)
    found = [(row["kind"], row["path"], row["line"], row["col"], row["qualname"].split(".")[-1]) for row in answer["symbols"]]
    known = {"class", "function", "method", "field", "interface", "struct", "enum", "constant", "variable", "type", "trait", "macro", "member"}
    return [row for row in found if row[0] in known and re.fullmatch(r"\w+", row[4]) and not (options.exclude and re.search(options.exclude, row[1]))]


def byte_column(line, at):
    return len(line[:at].encode()) + 1


def measure(package, options):
    source, python = (options.folder.resolve(), options.check) if options.folder else prepare(package, options)
    run("git", "checkout", "-q", "--", ".", cwd=source)
    run("git", "clean", "-qfd", cwd=source)
    passes, said = tests_pass(source, python)
    all_symbols = listed(source, options) if options.folder else symbols(source)
    random.Random(options.seed).shuffle(all_symbols)
    chosen, each = [], {}
    for symbol in all_symbols:
        if each.get(symbol[0], 0) < -(-options.symbols // (len({kind for kind, *_ in all_symbols}))):
            each[symbol[0]] = each.get(symbol[0], 0) + 1
            chosen.append(symbol)
    row = {"package": package, "tests": passes, "symbols": len(chosen), "certain": 0, "refused": 0, "error": 0, "tested": 0, "broken": 0,
           "not_back": 0, "seconds": 0.0, "renames": []}
    if not passes:
        print(f"{package}: the tests do not pass unchanged: {said}", file=sys.stderr)
    peers = {name: {"done": 0, "tested": 0, "broken": 0, "seconds": 0.0} for name in (["rope", "jedi"] if options.peers else [])}
    for kind, path, line, column, name in chosen:
        new = new_name(name)
        start = time.monotonic()
        done = run(options.cst, "refactor", "rename", f"{path}:{line}:{column}", new, "--write", "--json", cwd=source)
        row["seconds"] += time.monotonic() - start
        answer = json.loads(done.stdout) if done.stdout else {"error": {"code": "crash", "message": done.stderr[-300:]}}
        outcome = {"kind": kind, "place": f"{path}:{line}:{column}", "name": name}
        if "error" in answer:
            code = answer["error"]["code"]
            outcome["outcome"] = "refused" if code in ("undetermined", "would_rebind") else "error"
            outcome["why"] = answer["error"]["message"]
            outcome["places"] = len(answer["error"].get("places", []))
        else:
            outcome["outcome"] = "certain"
            outcome["places"] = answer["certain"]
            if passes and row["tested"] < options.tests:
                row["tested"] += 1
                good, said = tests_pass(source, python)
                if not good:
                    row["broken"] += 1
                    outcome["broken"] = said
                    outcome["diff"] = run("git", "diff", "-U0", cwd=source).stdout[:3000]
            back = run(options.cst, "refactor", "rename", f"{path}:{line}:{column}", name, "--write", "--json", cwd=source)
            if run("git", "diff", "--quiet", cwd=source).returncode:
                row["not_back"] += 1
                outcome["not_back"] = (back.stdout + back.stderr)[:500]
            run("git", "checkout", "-q", "--", ".", cwd=source)
        row[outcome["outcome"]] += 1
        for peer, counts in peers.items():
            outcome[peer] = by_peer(peer, source, python, (path, line, column, new), counts, passes)
        row["renames"].append(outcome)
        if options.show:
            print(json.dumps(outcome), flush=True)
    row.update(peers)
    return row


def new_name(name):
    bare = name.strip("_")
    head = name[: len(name) - len(name.lstrip("_"))]
    return f"{head}Zq{bare}" if bare[:1].isupper() and not bare.isupper() else f"{head}ZQ_{bare}" if bare.isupper() else f"{head}zq_{bare}"


ROPE = """
import sys
from rope.base.project import Project
from rope.refactor.rename import Rename
path, line, column, new = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
project = Project(".", ropefolder=None)
resource = project.get_resource(path)
text = resource.read()
offset = sum(len(l) + 1 for l in text.split("\\n")[: line - 1]) + column - 1
project.do(Rename(project, resource, offset).get_changes(new))
"""
JEDI = """
import sys, jedi
path, line, column, new = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
script = jedi.Script(path=path, project=jedi.Project("."))
script.rename(line, column - 1, new_name=new).apply()
"""


def by_peer(peer, source, python, symbol, counts, passes):
    start = time.monotonic()
    done = run(str(python), "-c", ROPE if peer == "rope" else JEDI, *map(str, symbol), cwd=source, timeout=120)
    counts["seconds"] += time.monotonic() - start
    changed = run("git", "diff", "--quiet", cwd=source).returncode
    outcome = "refused"
    if done.returncode == 0 and changed:
        counts["done"] += 1
        outcome = "done"
        if passes:
            counts["tested"] += 1
            if not tests_pass(source, python)[0]:
                counts["broken"] += 1
                outcome = "broken"
    run("git", "checkout", "-q", "--", ".", cwd=source)
    run("git", "clean", "-qfd", cwd=source)
    return outcome


def table(rows, options):
    print("| package | symbols | certain | refused | error | tested | broken | not the same back | seconds a rename |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        each = row["seconds"] / max(row["symbols"], 1)
        print(f"| {row['package']} | {row['symbols']} | {row['certain']} | {row['refused']} | {row['error']} | {row['tested']} | "
              f"{row['broken']} | {row['not_back']} | {each:.2f} |")
    for peer in ["rope", "jedi"] if options.peers else []:
        counts = {key: sum(row[peer][key] for row in rows) for key in ("done", "tested", "broken", "seconds")}
        symbols = sum(row["symbols"] for row in rows)
        print(f"{peer}: {counts['done']} of {symbols} done, {counts['broken']} of {counts['tested']} broken, "
              f"{counts['seconds'] / max(symbols, 1):.2f} s each")


if __name__ == "__main__":
    main()
