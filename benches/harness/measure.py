"""Rounds: each task's commands in turn, A B C A B C, so that a busy machine is busy for all of them.

The rounds are outermost: whenever it ends, everything has been measured equally often. Results are saved after each
process. A command that fails or takes too long is told with its reason and not run again.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from . import answers, hostile, oracle, serving
from .commands import Setting
from .files import amount, link, python_files
from .process import Limits, run
from .languages import EXTENSIONS
from .tasks import RARE

#: Measured once, after the rounds.
PROBES = ("P13", "P14", "P15")


def measure(options, found, machine, all_tasks):
    begin = time.monotonic()
    work = Path(tempfile.mkdtemp(prefix="cst-bench-"))
    try:
        setting = set_up(options, found, work)
        tasks = all_tasks(setting, lambda name: wanted(name, options.only))
        wanted_probes = [probe for probe in PROBES if wanted(probe, options.only)]
        if not tasks and not wanted_probes:
            print(f"nothing to measure: there is neither `py` nor `multi` in {options.folder}", file=sys.stderr)
            return 2
        results = begin_results(options, found, machine)
        store = Store(options.output, results)
        session = Session(setting, store, options.limit)
        for task in tasks:
            session.prepare(task)
        session.ask_oracle(tasks)
        for count in range(options.rounds if tasks else 0):
            began = time.monotonic()
            for task in tasks:
                if count < task.rounds:
                    at = time.monotonic()
                    session.turn(task, count)
                    print(f"{key_of(task)}: {time.monotonic() - at:.0f} s", file=sys.stderr)
            now = time.monotonic()
            print(f"round {count + 1} of {options.rounds}: {now - began:.0f} s", file=sys.stderr)
            if count + 1 < options.rounds and now - begin + (now - began) > options.minutes * 60:
                print(f"no further round: {options.minutes:g} minutes would pass", file=sys.stderr)
                break
        for name in wanted_probes:
            at = time.monotonic()
            session.probe(name, options)
            print(f"{name}: {time.monotonic() - at:.0f} s", file=sys.stderr)
        results["minutes"] = round((time.monotonic() - begin) / 60, 1)
        store.save()
        print(f"{options.output}: {len(tasks)} tasks, {results['minutes']} minutes", file=sys.stderr)
        return 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


def wanted(name, only):
    """`P2` wants `P2` and `P2 rare`; a group's name, asked for beforehand, is wanted when anything in it is."""
    for word in (only or name).split(","):
        if f"{name} ".startswith(f"{word} ") or f"{word} ".startswith(f"{name} "):
            return True
    return False


def set_up(options, found, work):
    python = options.folder / "py"
    part = python / options.slow
    if options.within:
        python = python / options.within
    slow = None
    if part.is_dir():
        slow = work / "slow"
        for path in python_files(part):
            link(path, slow / path.relative_to(part))
        # Without this, semgrep leaves out what looks like tests.
        (slow / ".semgrepignore").write_text("")
        (slow / "files").write_text("".join(f"{path.relative_to(slow)}\n" for path in python_files(slow)))
    python = python.resolve() if python.is_dir() else None
    return Setting(found, python, slow, options.folder.resolve(), options.megabytes, work)


def begin_results(options, found, machine):
    results = {"tasks": {}}
    if options.add and options.output.exists():
        results = json.loads(options.output.read_text())
    results.update(machine=machine, tools=found.versions, rounds=options.rounds, limit=options.limit)
    results["slow"] = options.slow
    return results


class Store:
    """The results, on disk after each step; written beside and moved, so that the file is always whole."""

    def __init__(self, path, results):
        self.path = path
        self.results = results

    def save(self):
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps(self.results, indent=1) + "\n")
        beside.replace(self.path)


class Session:
    def __init__(self, setting, store, limit):
        self.setting = setting
        self.store = store
        self.limit = limit
        #: Commands that failed, by task and label.
        self.failed = set()
        #: Folders whose warm store some task has filled: filling it again takes no time.
        self.filled = set()
        self.oracles = {}
        self.amounts = {}
        # Nothing of the user's is read or written: neither a session store nor a warm one.
        state = str(setting.work / "state")
        self.environment = {
            **os.environ,
            "CST_STATE": state,
            "XDG_STATE_HOME": state,
            "CST_CACHE": str(setting.work / "cache"),
            "XDG_CACHE_HOME": str(setting.work / "cache"),
            "SEMGREP_SEND_METRICS": "off",
            "PYTHONWARNINGS": "ignore",
        }

    def prepare(self, task):
        key = (task.folder, task.only)
        if key not in self.amounts:
            self.amounts[key] = amount(task.folder, EXTENSIONS.get(task.only, (".py",)))
        task.amount = self.amounts[key]
        entry = {
            "title": task.title,
            "question": task.question,
            "oracle": task.oracle,
            "series": task.series,
            "point": task.point,
            "amount": task.amount,
            "repeat": task.repeat,
            "commands": {command.label: self.shown(command) for command in task.commands},
            "runs": {command.label: [] for command in task.commands},
            "failures": {},
            "answers": {},
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
        }
        self.store.results["tasks"][key_of(task)] = entry
        if task.fill and self.setting.tools.has(task.fill.tool):
            measured = self.once(task, task.fill, None)
            failure = measured.failure(task.fill.fine)
            if failure:
                entry["failures"][task.fill.label] = failure
            if task.folder not in self.filled:
                entry["fill"] = {"cpu": measured.cpu, "wall": measured.wall, "peak": measured.peak}
            self.filled.add(task.folder)

    def shown(self, command):
        program = os.path.basename(self.setting.tools.programs[command.tool])
        here = str(Path(__file__).parent.parent)
        return " ".join([program, *command.arguments]).replace(here, "benches")

    def ask_oracle(self, tasks):
        for task in tasks:
            if task.oracle in oracle.QUESTIONS and task.folder not in self.oracles:
                began = time.monotonic()
                self.oracles[task.folder] = oracle.answers(task.folder, RARE)
                print(f"Python's ast: {time.monotonic() - began:.0f} s", file=sys.stderr)

    def probe(self, name, options):
        """What isn't a comparison of tools: pages, a server, hostile input."""
        results = self.store.results.setdefault("probes", {})
        try:
            if name == "P13":
                results[name] = serving.pages(self, options.rounds) if self.setting.python else None
            elif name == "P14":
                results[name] = serving.server(self, options.requests) if self.setting.python else None
            else:
                results[name] = hostile.measure(self)
        except (RuntimeError, OSError) as error:
            results[name] = {"failure": str(error)}
            print(f"{name}: {error}", file=sys.stderr)
        self.store.save()

    def turn(self, task, count):
        entry = self.store.results["tasks"][key_of(task)]
        read_all(task.folder)
        found = {}
        for command in task.commands:
            if (key_of(task), command.label) in self.failed:
                continue
            compared = count == 0 and command.reads
            measured, failure, matches = self.run(task, command, compared)
            if failure:
                self.failed.add((key_of(task), command.label))
                entry["failures"][command.label] = failure
                entry["runs"][command.label] = []
                print(f"{key_of(task)}: {command.label}: {failure}", file=sys.stderr)
            else:
                entry["runs"][command.label].append(measured)
                if compared:
                    found[command.label] = matches
            self.store.save()
        if found:
            entry["answers"] = self.agree(task, found)
            self.store.save()

    def run(self, task, command, compared):
        """One command's turn: what it took, why it failed, what it found."""
        with tempfile.TemporaryFile(mode="w+", errors="replace", dir=self.setting.work) as output:
            try:
                first = self.once(task, command, output if command.reads else None)
            except OSError as error:
                return None, f"it can't be run: {error.strerror}", None
            failure = first.failure(command.fine)
            if failure:
                allowed = f", with {task.memory >> 30} GB allowed" if task.memory else ""
                return None, failure + allowed, None
            turn = {"cpu": first.cpu, "wall": first.wall, "peak": first.peak}
            matches = None
            if compared:
                output.seek(0)
                try:
                    matches = answers.read(command.reads, output)
                except (ValueError, KeyError) as error:
                    return None, f"its answer can't be read: {error!r}"[:200], None
        if task.repeat > 1:
            # The first told the peak; the others run without anything in between.
            times = [self.once(task, command, None, memory=False) for _ in range(task.repeat)]
            turn["cpu"] = sum(run.cpu for run in times) / len(times)
            turn["wall"] = sum(run.wall for run in times) / len(times)
        return turn, None, matches

    def once(self, task, command, output, memory=True):
        words = [self.setting.tools.programs[command.tool], *command.arguments]
        limits = Limits(self.limit, task.memory)
        return run(words, task.folder, self.environment, limits, output, memory)

    def agree(self, task, found):
        """Each answer against that of cst, and against the oracle's."""
        ours = next((label for label in found if label.startswith("cst")), None)
        if ours is None:
            return {label: {"count": len(matches)} for label, matches in found.items()}
        compared = {ours: {"count": len(found[ours])}}
        for label, matches in found.items():
            if label != ours:
                compared[label] = answers.compare(found[ours], matches)
        if task.folder in self.oracles and task.oracle:
            expected, unparsed = self.oracles[task.folder]
            compared["Python's ast"] = answers.compare(found[ours], expected[task.oracle], unparsed)
        return compared


def key_of(task):
    return f"{task.name} {task.point}".strip()


def read_all(folder):
    """So that all of it is in the page cache, for whoever comes first."""
    for path in Path(folder).rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.read_bytes()
