"""P6 and P10: rewrites to disk by `cst` and other tools, what they take, and whether what they leave is right.

Each tool gets a fresh copy of the files in each round, and `cst` a session store of its own in it; within a round the
tools take turns. What a tool made of its first copy is judged (`rewrite_answers`), and it is run on that again: nothing
should change then. Slow tools get a part of the files, drawn with a fixed seed, and `cst` that part once more beside them.
"""

import json
import os
import platform
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from . import rewrite_awkward
from .commands import AST_GREP_ALL, RULES, SEMGREP, Command, Setting, Task, cst
from .files import amount
from .growth import MEMORY
from .measure import Store, key_of
from .process import Limits, run
from .rewrite_answers import Originals, files_of

#: Name, pattern and template, title.
METHOD = ("assert_equal", "self.assertEqual($$$A)", "self.assert_equal($$$A)", "Another name for a method")
ASSERT = ("assert", "self.assertEqual($A, $B)", "assert $A == $B", "Assertions in place of calls")
FUNCTION = ("new_name", "old($$$A)", "new_name($$$A)", "Many calls on one line")
#: Which files are drawn for the slow tools.
SEED = 20
POINTS = [2_500, 40_000, 200_000]
#: What takes so many seconds is run once.
LONG = 20
#: Seconds for awkward files, which are small.
AWKWARD = 20
#: Of what `cst` leaves out, the results keep so many.
LISTED = 50
LEFT_OUT = re.compile(r"(.+?):(\d+): left out: (\w+): (.*)")


def measure(options, found, machine):
    begin = time.monotonic()
    work = Path(tempfile.mkdtemp(prefix="cst-rewrites-"))
    try:
        results = {"machine": machine, "tools": found.versions, "python": platform.python_version()}
        results.update(rounds=options.rounds, limit=options.limit, seed=SEED, tasks={})
        bench = Bench(options, Setting(found, None, None, None, work), Store(options.output, results))
        if not options.only or "awkward" in options.only:
            bench.awkward()
        for task, kind in tasks(options, bench):
            if not options.only or task.name.split()[0] in options.only:
                began = time.monotonic()
                bench.measure(task, kind)
                print(f"{key_of(task)}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        results["minutes"] = round((time.monotonic() - begin) / 60, 1)
        bench.store.save()
        print(f"{options.output}: {results['minutes']} minutes", file=sys.stderr)
        return 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


def tasks(options, bench):
    """Each task with the kind of its judgement."""
    setting = bench.setting
    for rewrite in (METHOD, ASSERT):
        kind, pattern, _, title = rewrite
        found = cst(setting, "find", "-p", pattern, *OURS, label="cst find")
        searched = [found] if kind == "assert_equal" else []
        for name, part, tools, rounds in [
            ("all", options.folder, [*searched, ast_grep(rewrite)], options.rounds),
            ("sample", options.sample, [ast_grep(rewrite), libcst(rewrite)], options.sample_rounds),
            ("small", options.small, [semgrep(rewrite)], 1),
        ]:
            folder = part if name == "all" else bench.part(name, part, options.folder)
            skip = ["--on-error", "skip"] if kind == "assert" else []
            commands = [rewriting(setting, rewrite, *skip), *tools]
            yield Task(f"{kind} {name}", title, pattern, folder, commands, rounds=rounds), kind
    for count in POINTS:
        folder = setting.work / f"line-{count}"
        folder.mkdir()
        calls = ", ".join(f"old({index % 100_000})" for index in range(count))
        (folder / "file.py").write_text(f"x = [{calls}]\n")
        search = cst(setting, "find", "-p", FUNCTION[1], *OURS, "--json", label="cst find --json")
        commands = [rewriting(setting, FUNCTION), search, ast_grep(FUNCTION)]
        task = Task("line", FUNCTION[3], FUNCTION[1], folder, commands, rounds=options.sample_rounds)
        task.series, task.point, task.memory = "line", f"{count:,}", MEMORY
        yield task, "line"


OURS = [".", "--no-ignore", "--language", "python"]


def rewriting(setting, rewrite, *more):
    _, pattern, template, _ = rewrite
    return cst(setting, "rewrite", "-p", pattern, template, *OURS, "--write", *more)


def ast_grep(rewrite):
    _, pattern, template, _ = rewrite
    return Command("ast-grep", ["run", "-l", "py", "-p", pattern, "-r", template, "-U", *AST_GREP_ALL, "."])


def libcst(rewrite):
    return Command("LibCST", [str(Path(__file__).parent / "libcst_rewrite.py"), rewrite[0], "."])


def semgrep(rewrite):
    return Command("semgrep", [*SEMGREP, "--autofix", "-c", str(RULES / f"{rewrite[0]}.semgrep.yml"), "."])


class Bench:
    def __init__(self, options, setting, store):
        self.options = options
        self.setting = setting
        self.store = store
        #: The tools that failed on the line, by label: not tried with a longer one.
        self.failed = {}

    def part(self, name, size, folder):
        """A copy of some files that have something to rewrite, of about so many kB."""
        place = self.setting.work / name
        if place.exists():
            return place
        files = sorted((path, text) for path, text in files_of(folder).items() if b"self.assertEqual(" in text)
        random.Random(SEED).shuffle(files)
        taken = 0
        for path, text in files:
            if taken >= size * 1000:
                break
            # None is more than a quarter of it.
            if len(text) > size * 250:
                continue
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(text)
            taken += len(text)
        return place

    def measure(self, task, kind):
        task.commands = [command for command in task.commands if self.setting.tools.has(command.tool)]
        originals = Originals(task.folder, kind) if kind != "line" else None
        entry = {
            "title": task.title,
            "question": task.question,
            "kind": kind,
            "point": task.point,
            "amount": amount(task.folder),
            "originals": originals.describe() if originals else None,
            "commands": {command.label: self.shown(command) for command in task.commands},
            "runs": {command.label: [] for command in task.commands},
            "failures": {},
            "checks": {},
        }
        self.store.results["tasks"][key_of(task)] = entry
        for count in range(task.rounds):
            for command in task.commands:
                runs = entry["runs"][command.label]
                if command.label in entry["failures"] or (runs and runs[-1]["wall"] > LONG):
                    continue
                if command.label in self.failed:
                    entry["failures"][command.label] = f"not run: {self.failed[command.label]} calls were too many"
                    continue
                self.turn(task, command, entry, originals, count)
                self.store.save()

    def turn(self, task, command, entry, originals, count):
        files = self.fresh(task.folder)
        measured = self.run(command, files, Limits(self.options.limit, task.memory))
        failure = measured.failure(command.fine)
        if failure:
            allowed = f", with {task.memory >> 30} GB allowed" if task.memory else ""
            entry["failures"][command.label] = failure + allowed
            entry["runs"][command.label] = []
            if task.series:
                self.failed[command.label] = task.point
            print(f"{key_of(task)}: {command.label}: {failure}", file=sys.stderr)
            return
        entry["runs"][command.label].append({"cpu": measured.cpu, "wall": measured.wall, "peak": measured.peak})
        if count == 0 and "find" not in command.label:
            entry["checks"][command.label] = self.check(task, command, files, originals, measured)

    def check(self, task, command, files, originals, measured):
        if originals is None:
            result = (files / "file.py").read_bytes()
            return {"right": result == (task.folder / "file.py").read_bytes().replace(b"old(", b"new_name(")}
        check = originals.judge(files)
        if command.tool == "cst":
            left = [found.groups() for found in map(LEFT_OUT.fullmatch, measured.errors.splitlines()) if found]
            check["left_out"] = [[os.path.normpath(path), int(line), *why] for path, line, *why in left][:LISTED]
        # What takes minutes isn't run again.
        if command.tool != "semgrep":
            before = files_of(files)
            again = self.run(command, files, Limits(self.options.limit))
            after = files_of(files)
            check["again"] = again.failure((0, 1)) or sum(before[path] != after[path] for path in before)
        return check

    def awkward(self):
        """Each tool gets the small ones at once, and those that may take it long one by one."""
        ours = rewriting(self.setting, FUNCTION, "--on-error", "skip")
        commands = [ours, ast_grep(FUNCTION), libcst(FUNCTION), semgrep(FUNCTION)]
        found = {command.label: {} for command in commands if self.setting.tools.has(command.tool)}
        for number, group in enumerate(rewrite_awkward.groups()):
            originals = self.setting.work / f"awkward-{number}"
            rewrite_awkward.make(originals, group)
            for command in commands:
                if command.label not in found:
                    continue
                files = self.fresh(originals)
                failure = self.run(command, files, Limits(min(self.options.limit, AWKWARD))).failure((0, 1))
                verdicts = rewrite_awkward.judge(files, group)
                if failure:
                    print(f"awkward: {command.label}: {failure}", file=sys.stderr)
                    verdicts = {title: f"{verdict}: {failure}" for title, verdict in verdicts.items()}
                found[command.label].update(verdicts)
        titles = [title for title, _ in rewrite_awkward.FILES]
        self.store.results["awkward"] = {"titles": titles, "tools": found}
        self.store.save()

    def fresh(self, folder):
        """A copy with nothing else beside it."""
        turn = self.setting.work / "turn"
        shutil.rmtree(turn, ignore_errors=True)
        shutil.copytree(folder, turn / "files")
        # Without this, semgrep leaves out what looks like tests.
        (turn / "files" / ".semgrepignore").write_text("")
        return turn / "files"

    def run(self, command, files, limits):
        beside = files.parent
        environment = {
            **os.environ,
            "CST_STATE": str(beside / "state"),
            "XDG_STATE_HOME": str(beside / "state"),
            "CST_CACHE": str(beside / "cache"),
            "XDG_CACHE_HOME": str(beside / "cache"),
            "SEMGREP_SEND_METRICS": "off",
            "PYTHONWARNINGS": "ignore",
        }
        words = [self.setting.tools.programs[command.tool], *command.arguments]
        with open(beside / "output", "wb") as output:
            return run(words, files, environment, limits, output)

    def shown(self, command):
        program = os.path.basename(self.setting.tools.programs[command.tool])
        here = str(Path(__file__).parent.parent)
        return " ".join([program, *command.arguments]).replace(here, "benches")
