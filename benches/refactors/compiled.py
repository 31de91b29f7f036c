#!/usr/bin/env python3
"""Refactors at random places of code in a language with a compiler, which says after each whether the program still compiles.

    compiled.py FOLDER --check COMMAND [--glob '*.go']

FOLDER is a git repository without changes; COMMAND runs in it: `go vet ./...`, `cargo check --offline`, `javac -d /tmp/out $(find . -name '*.java')`.
A COMMAND that also runs the program compares what it prints.

Options: --kind function|variable|inline|signature|move|move-file (all), --count N (of each kind), --cst PROGRAM, --seed N, --show.

`done`: the refactor said that it is certain, and wrote. `broken`: the check prints something else after it, or fails. `refused`: the
program might not do the same. `invalid`: the place is nothing that the kind applies to; these do not count.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

KINDS = ["function", "variable", "inline", "signature", "move", "move-file"]
CODES = {"undetermined": "refused", "would_rebind": "refused", "bad_request": "invalid", "not_found": "invalid"}


def run(*words, cwd):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=600)


def found(options, selector):
    answer = run(options.cst, "find", selector, ".", "--jsonl", cwd=options.folder)
    rows = [json.loads(line) for line in answer.stdout.splitlines()]
    return [row for row in rows if "start_col" in row and Path(row["path"]).match(options.glob)]


def name_place(options, row):
    """The place of a definition's name."""
    lines = (options.folder / row["path"]).read_text(errors="replace").split("\n")
    name = (row.get("name") or "").split(",")[0].strip()
    for line in range(row["start_line"], row["end_line"] + 1):
        start = row["start_col"] - 1 if line == row["start_line"] else 0
        at = re.search(rf"\b{re.escape(name)}\b", lines[line - 1][start:]) if name else None
        if at:
            return f"{row['path']}:{line}:{start + at.start() + 1}"
    return None


def runs_of_lines(options, generator):
    """Lines with the same indentation at both ends, in functions."""
    ranges = []
    for row in found(options, "function"):
        lines = (options.folder / row["path"]).read_text(errors="replace").split("\n")
        depth = lambda number: len(lines[number]) - len(lines[number].lstrip())
        inside = [number for number in range(row["start_line"], row["end_line"] - 1) if lines[number].strip()]
        for first in inside:
            ends = [last for last in inside if first <= last < first + 8 and depth(last) == depth(first)]
            if lines[first].strip()[0] not in "})]*/":
                ranges.extend((row["path"], first, last) for last in ends)
    generator.shuffle(ranges)
    return [f"{path}:{first + 1}-{last + 1}" for path, first, last in ranges]


def requests(kind, options, generator):
    """Places with the arguments of the refactor, in random order."""
    if kind == "function":
        return [["extract-function", "zqMade" if options.glob.endswith("go") else "zq_made", place] for place in runs_of_lines(options, generator)]
    if kind == "variable":
        rows = found(options, ":is(call, expr, collection, string, number)")
        generator.shuffle(rows)
        rows = [row for row in rows if row.get("kind") not in ("name", "property")]
        return [["extract-variable", "zq_made", f"{row['path']}:{row['start_line']}:{row['start_col']}-{row['end_line']}:{row['end_col']}"] for row in rows]
    if kind == "move-file":
        paths = sorted({row["path"] for row in found(options, "function")})
        generator.shuffle(paths)
        moved = lambda path: str(Path(path).with_name("zq_moved" + Path(path).suffix))
        folder = lambda path: str(Path(path).parent / "zqsub" / Path(path).name)
        return [["move-file", path, generator.choice([moved, folder])(path)] for path in paths]
    selector = {"inline": ":is(variable, function)", "signature": "function", "move": ":is(function, struct, class, enum, interface, trait)"}[kind]
    rows = found(options, selector)
    generator.shuffle(rows)
    places = [(row, place) for row in rows if (place := name_place(options, row))]
    if kind == "inline":
        return [["inline", place] for _, place in places]
    if kind == "move":
        targets = sorted({row["path"] for row in rows})
        made = []
        for row, place in places:
            if "." in (row.get("qualname") or "") or row.get("kind") == "method":
                continue
            path = Path(row["path"])
            new = path.with_name("zqmoved" + path.suffix)
            others = [target for target in targets if target != row["path"]] or [str(new)]
            made.append(["move", place, generator.choice([str(new), generator.choice(others)])])
        return made
    suffix = Path(options.glob).suffix
    new = {".go": "zqExtra int", ".rs": "zq_extra: u8", ".java": "int zqExtra"}[suffix]
    value = {".go": "0", ".rs": "0", ".java": "0"}[suffix]
    made = []
    for row, place in places:
        head = (options.folder / row["path"]).read_text(errors="replace").split("\n")[row["start_line"] - 1]
        names = re.findall(r"\b([a-z]\w*)\s*:", head) if suffix == ".rs" else []
        made.append(["signature", place, "--add", new, "--value", value])
        if len(names) > 1:
            made.append(["signature", place, "--reorder", f"{names[1]},{names[0]}"])
        if names:
            made.append(["signature", place, "--remove", names[0]])
    return made


def clean(options):
    run("git", "checkout", "-q", "--", ".", cwd=options.folder)
    run("git", "clean", "-qfd", cwd=options.folder)


def checked(options):
    done = subprocess.run(["bash", "-c", options.check], cwd=options.folder, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, (done.stdout + done.stderr)[-1500:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", required=True)
    parser.add_argument("--glob", default="*.go")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    options.cst, options.folder = str(Path(options.cst).resolve()), options.folder.resolve()
    clean(options)
    status, before, said = checked(options)
    if status:
        sys.exit(f"the check fails before anything is changed:\n{said}")
    rows = []
    for kind in options.kind or KINDS:
        generator = random.Random(options.seed)
        counts, reasons = Counter(), Counter()
        for words in requests(kind, options, generator):
            if counts["tried"] == options.count:
                break
            done = run(options.cst, "refactor", *words, "--write", "--json", cwd=options.folder)
            answer = json.loads(done.stdout) if done.stdout else {"error": {"code": "crash", "message": done.stderr[-300:]}}
            if "error" in answer:
                outcome, last = CODES.get(answer["error"]["code"], "error"), answer["error"]["message"]
                reasons[re.sub(r"`[^`]*`|\S+:\d+:\d+:?", "…", last)[-90:]] += outcome != "invalid"
            else:
                status, after, last = checked(options)
                outcome = "broken" if status or after != before else "done"
                if outcome == "broken":
                    last += "\n" + run("git", "diff", "-U1", cwd=options.folder).stdout[:3000]
                clean(options)
            counts["tried"] += outcome != "invalid"
            counts[outcome] += 1
            if options.show and (outcome != "done" or options.show == "all"):
                print(f"{outcome}: {' '.join(words)}: {last}", flush=True)
        print(kind, dict(counts), flush=True)
        for reason, count in reasons.most_common(12) if options.show else ():
            print(f"  {count} {reason}")
        rows.append((kind, counts))
    print("| folder | kind | tried | done | refused | error | broken |\n|---|---|--:|--:|--:|--:|--:|")
    for kind, counts in rows:
        done = counts["done"] + counts["broken"]
        print(f"| {options.folder.name} | {kind} | {counts['tried']} | {done} | {counts['refused']} | {counts['error']} | {counts['broken']} |")


if __name__ == "__main__":
    main()
