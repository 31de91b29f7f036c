#!/usr/bin/env python3
"""The guard of speed: this `cst` beside that of another revision, in turn, over the same sources.

    benches/against.py REVISION DIR [--cst target/release/cst] [--rounds 5] [--only P1,rewrite] [--output against.json]

DIR holds the corpora that `benches/run.py fetch` makes: `DIR/py`, and `DIR/multi` for the other languages; rows without sources are left
out, and named. The other revision is built once, in a folder of its own (`--work`), and kept there. Each command is run by both
programs in each round, first by one, then by the other; CPU is user and system seconds as the operating system counts them. The ratio of a
row is the median of the ratios of its rounds. Answers are compared: the same bytes, or at least the same places.

The exit status is 1 if a row is slower than `--allowed` times the other revision, or if answers differ.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from harness.files import file_like
from harness.languages import LANGUAGES
from harness.process import Limits, run

PROJECT = Path(__file__).resolve().parent.parent
#: Calls of one process are too short to be compared; a row of small work runs so many.
SMALL = 20
#: Options that say what is so without them where they are not known.
OPTIONAL = ["--no-cache", "--limit"]


def option(word):
    """An option without its value."""
    return word.split("=", 1)[0]


class Failure(Exception):
    """A command of one revision that the other may not know."""


@dataclass
class Row:
    name: str
    folder: Path
    arguments: list
    #: How often it runs in a turn.
    repeat: int = 1
    #: Run once by each program before the first round.
    before: list = field(default_factory=list)
    #: Whether each turn begins with a fresh copy of the folder.
    writes: bool = False


def rows(sources, work):
    """The rows, and the names of those that have no sources."""
    python = sources / "py"
    found, absent = [], []
    if python.is_dir():
        all_python = [".", "--no-ignore", "--language", "python", "--no-cache"]
        find = lambda name, *words: found.append(Row(name, python, ["find", *words, *all_python]))
        find("P1 functions named get…", 'function[name^="get"]')
        find("P2 a frequent call", "call#print")
        find("P2 a rare name", "function#get_prep_lookup")
        find("P2 a pattern", "-p", "print($$$A)")
        find("P3 no filter", "class function:has(return > call)")
        find("calls, all", "call")
        outline = ["outline", ".", "--jsonl", "--no-ids", "--limit=1000000000", "--no-ignore", "--language", "python"]
        found.append(Row("P5 outline", python, [*outline, "--no-cache"]))
        one = work / "one"
        one.mkdir(exist_ok=True)
        shutil.copy(file_like(python, 1000, lambda text: b"def get" in text), one / "file.py")
        found.append(Row("P7 one file", one, ["find", 'function[name^="get"]', "file.py"], repeat=SMALL))
        found.append(Row("start-up", one, ["--version"], repeat=SMALL))
        tests = next(python.glob("**/libpython*-testsuite"), None)
        if tests:
            rewrite = ["rewrite", "-p", "self.assertEqual($$$A)", "self.assert_equal($$$A)", ".", "--no-ignore", "--write"]
            found.append(Row("P6 a rewrite", tests, [*rewrite, "--language", "python"], writes=True))
        django = next((path for path in python.glob("**/django") if (path / "db").is_dir()), None)
        if django:
            found.append(Row("refs with index", django, ["refs", "QuerySet.bulk_create"], repeat=3, before=["index", "."]))
    else:
        absent.append("Python")
    for language in LANGUAGES:
        folder = sources / language.folder
        if not folder.is_dir():
            absent.append(language.name)
            continue
        words = [".", "--no-ignore", "--language", language.name, "--no-cache"]
        found.append(Row(f"P11 {language.name}", folder, ["find", "-p", language.pattern, *words]))
    return found, absent


def build(revision, work):
    """The program of another revision, built where none of that revision is there yet."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short=12", f"{revision}^{{commit}}"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.strip()
    program = work / commit / "cst"
    if program.is_file():
        return commit, program
    tree = work / commit / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["git", "worktree", "prune"], cwd=PROJECT, check=True)
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), commit], cwd=PROJECT, check=True)
    try:
        target = work / commit / "target"
        print(f"building {commit}", file=sys.stderr)
        subprocess.run(["cargo", "build", "--release", "--locked", "--target-dir", str(target)], cwd=tree, check=True)
        shutil.copy(target / "release" / "cst", program)
        shutil.rmtree(target)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=PROJECT, check=True)
    return commit, program


class Side:
    """A program with folders of its own for its store and its index."""

    def __init__(self, program, work, name):
        self.program = str(program.resolve())
        self.home = work / f"home-{name}"
        self.copy = work / f"copy-{name}"
        self.help = {}
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        places = {"HOME": "", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}
        self.environment = {**os.environ, **{name: str(self.home / place) for name, place in places.items()}}

    def has(self, command, name):
        return re.search(rf"^ *(-\w, )?{name}\b", self.help[command], re.MULTILINE)

    def known(self, arguments):
        """The arguments without the options of `OPTIONAL` that this revision does not have."""
        if arguments[0] not in self.help:
            asked = subprocess.run([self.program, arguments[0], "--help"], capture_output=True, text=True, env=self.environment)
            self.help[arguments[0]] = asked.stdout
        return [word for word in arguments if option(word) not in OPTIONAL or self.has(arguments[0], option(word))]

    def prepare(self, row):
        if row.before:
            made = subprocess.run([self.program, *row.before], cwd=row.folder, env=self.environment, stdout=subprocess.DEVNULL)
            if made.returncode != 0:
                raise Failure(f"{row.name}: {self.program} {row.before[0]}: exit status {made.returncode}")

    def turn(self, row, limit):
        """Seconds of CPU of one turn, and what was printed."""
        folder = row.folder
        if row.writes:
            shutil.rmtree(self.copy, ignore_errors=True)
            shutil.copytree(row.folder, self.copy, symlinks=True)
            folder = self.copy
        cpu = 0.0
        with tempfile.TemporaryFile() as output:
            for _ in range(row.repeat):
                output.seek(0)
                output.truncate()
                measured = run(
                    [self.program, *self.known(row.arguments)], folder, self.environment, Limits(limit), output, memory=False
                )
                failure = measured.failure((0, 1))
                if failure:
                    raise Failure(f"{row.name}: {self.program}: {failure}")
                cpu += measured.cpu
            output.seek(0)
            return cpu / row.repeat, output.read()


def places(output):
    """The places of an answer: paths and lines. Columns were once counted from 0."""
    lines = output.decode(errors="replace").splitlines()
    found = (re.match(r"(.+?):(\d+)(?::(\d+))?", line) for line in lines)
    return sorted((place[1], int(place[2])) for place in found if place)


def compare(new, old):
    if new == old:
        return "same bytes"
    new, old = places(new), places(old)
    if new == old:
        return "same places"
    return f"differ: {len(set(new) - set(old))} new, {len(set(old) - set(new))} gone"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("sources", type=Path, metavar="DIR")
    parser.add_argument("--cst", type=Path, default=Path("target/release/cst"), help="[%(default)s]")
    parser.add_argument("--work", type=Path, default=PROJECT / "target" / "against", help="where other revisions are built and kept [target/against]")
    parser.add_argument("--rounds", type=int, default=5, help="[%(default)s]")
    parser.add_argument("--only", help="rows by the beginning of their names, with commas")
    parser.add_argument("--limit", type=float, default=300, help="seconds a process may take [%(default)s]")
    parser.add_argument("--allowed", type=float, default=1.03, help="the largest ratio that is no failure [%(default)s]")
    parser.add_argument("--output", type=Path, help="all figures, as JSON")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    commit, other = build(options.revision, options.work)
    sides = [Side(options.cst, options.work, "new"), Side(other, options.work, "old")]
    wanted, absent = rows(options.sources.resolve(), options.work)
    if options.only:
        wanted = [row for row in wanted if any(row.name.startswith(name) for name in options.only.split(","))]
    if not wanted:
        raise SystemExit(f"nothing to measure in {options.sources}")
    figures = {row.name: {"new": [], "old": []} for row in wanted}
    for row in list(wanted):
        try:
            for side in sides:
                side.prepare(row)
                side.turn(row, options.limit)
        except Failure as failure:
            print(f"left out: {failure}", file=sys.stderr)
            wanted.remove(row)
    for count in range(options.rounds):
        for row in wanted:
            turns = {}
            # Who is first in one round is second in the next.
            for name, side in [("new", sides[0]), ("old", sides[1])][:: 1 if count % 2 == 0 else -1]:
                cpu, turns[name] = side.turn(row, options.limit)
                figures[row.name][name].append(cpu)
            figures[row.name]["answers"] = compare(turns["new"], turns["old"])
        print(f"round {count + 1} of {options.rounds}", file=sys.stderr)
    failed = False
    print(f"| CPU beside {commit} | this, s | {commit}, s | ratio | answers |\n| --- | --- | --- | --- | --- |")
    for row in wanted:
        figure = figures[row.name]
        ratio = statistics.median(new / old for new, old in zip(figure["new"], figure["old"]))
        figure["ratio"] = ratio
        new, old = (statistics.median(figure[name]) for name in ("new", "old"))
        failed |= ratio > options.allowed or figure["answers"].startswith("differ")
        print(f"| {row.name} | {new:.3f} | {old:.3f} | {ratio:.2f} | {figure['answers']} |")
    if absent:
        print(f"\nNo sources of {', '.join(absent)}.")
    if options.output:
        options.output.write_text(json.dumps({"revision": commit, "rows": figures}, indent=1, ensure_ascii=False) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
