#!/usr/bin/env python3
"""The alpha law over a real package: a definition gets a fresh name, and the language's own checker must say the same as before.

    alpha.py LANGUAGE FOLDER --check COMMAND [--renames N] [--seed S] [--mirror]

FOLDER is copied. Definitions (of `cst symbols`, `cst find definition` and `cst find parameter`: types, functions, methods, fields,
variables, parameters and locals) are drawn at random and renamed one at a time with `cst refactor rename PATH:LINE:COL NEW --write`.
Status 0 means certain: COMMAND must have the same status, and say the same but for numbers (`--status-only`: the status alone). Then
the definition is renamed back, which must give the same bytes.

With --batch N the edits of up to N certain renames on different lines are checked together, each with a name of its own; a batch whose
check differs is halved until the broken renames are found.

`certain`, `refused`, `theirs` (refused because something outside of the package demands the name), `broken` (certain, and the check differs), `not back` (refused or other bytes), `changed` (refused, but files
differ). With --mirror each refused rename is made with `--force --leave-undetermined`; if the check is the same, the refusal was
needless. The last line is the summary; the status is 1 if a rename broke the check, was not undone or left changes.

    alpha.py python PACKAGE --check 'python3 -m pyflakes . ; python3 -m pytest -q -x'
    alpha.py go MODULE --check 'go vet ./...'
    alpha.py rust CRATE --check 'cargo check --offline --tests'
    alpha.py typescript PROJECT --check 'tsc --noEmit'
    alpha.py c FOLDER --check 'gcc -fsyntax-only *.c'
"""
import argparse
import collections
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from generated import reason_of  # noqa: E402

SUFFIXES = {
    "python": (".py", ".pyi"), "javascript": (".js", ".mjs", ".cjs", ".jsx"), "typescript": (".ts", ".tsx", ".mts", ".cts"), "go": (".go",), "rust": (".rs",), "java": (".java",),
    "c": (".c", ".h"), "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"), "csharp": (".cs",), "php": (".php",), "ruby": (".rb",), "kotlin": (".kt",), "scala": (".scala",), "swift": (".swift",),
}
LEFT_OUT = {".git", "node_modules", "target", "__pycache__", "venv", ".venv", "dist", "build", "vendor"}
KNOWN = {"class", "function", "method", "field", "interface", "struct", "enum", "constant", "variable", "type", "trait", "macro", "member", "assign", "property", "parameter", "module"}


def run(command, folder, env, limit):
    """(status, output) of a command line or list, which is ended with all it started after `limit` seconds."""
    child = subprocess.Popen(command, shell=isinstance(command, str), cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        out, _ = child.communicate(timeout=limit)
        return child.returncode, out
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        return None, "over the time limit"


def files_of(folder):
    found = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in names:
            full = os.path.join(root, name)
            if os.path.isfile(full) and not os.path.islink(full):
                with open(full, "rb") as file:
                    found[os.path.relpath(full, folder)] = file.read()
    return found


# Refusals because something outside of the package demands the name.
THEIRS = re.compile("outside of the project demands")

class Place:
    """A copy of the package, and the program that renames in it."""

    def __init__(self, options, scratch):
        self.options = options
        self.folder = os.path.join(tempfile.mkdtemp(dir=scratch), os.path.basename(os.path.abspath(options.folder)))
        shutil.copytree(options.folder, self.folder, symlinks=True)
        self.env = dict(os.environ, CST_STATE=os.path.join(self.folder, "..", "state"), XDG_CACHE_HOME=os.path.join(self.folder, "..", "cache"), NO_COLOR="1", PYTHONDONTWRITEBYTECODE="1")
        if not os.path.exists(os.path.join(self.folder, ".git")):
            for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "as it is"]):
                subprocess.run(["git", *words], cwd=self.folder, capture_output=True)
        self.before = files_of(self.folder)
        self.said = self.check()
        self.texts = self.said == self.check() and not options.status_only

    def check(self, names=None):
        """Status and lines of the check; `names`: what each new name was before."""
        status, out = run(self.options.check, self.folder, self.env, self.options.limit)
        for path in files_of(self.folder).keys() - self.before.keys():
            os.remove(os.path.join(self.folder, path))
        if names:
            out = re.sub("|".join(sorted(map(re.escape, names), key=len, reverse=True)), lambda found: names[found[0]], out)
        lines = sorted(re.sub(r"\d+", "N", line).rstrip("^~ ") for line in out.split("\n"))
        return status, [line for line in lines if line]

    def same(self, names):
        said = self.check(names)
        return said[0] == self.said[0] and (not self.texts or sorted(set(said[1])) == sorted(set(self.said[1]))), said

    def rename(self, place, new, *flags):
        return run([self.options.cst, "refactor", "rename", place, new, "--write", "--json", *flags], self.folder, self.env, 120)

    def changed(self):
        """Paths whose bytes are not those of the package."""
        now = files_of(self.folder)
        return [path for path in now.keys() | self.before.keys() if now.get(path) != self.before.get(path)]

    def changed_lines(self):
        """{(path, line): new bytes} of what changed; none if lines or files were added or removed."""
        found = {}
        for path in self.changed():
            full = os.path.join(self.folder, path)
            if path not in self.before or not os.path.exists(full):
                return None
            with open(full, "rb") as file:
                old, new = self.before[path].split(b"\n"), file.read().split(b"\n")
            if len(old) != len(new):
                return None
            found.update({(path, number): after for number, (before, after) in enumerate(zip(old, new)) if before != after})
        return found

    def write_lines(self, lines):
        for path in {path for path, _ in lines}:
            text = self.before[path].split(b"\n")
            for (other, number), line in lines.items():
                if other == path:
                    text[number] = line
            with open(os.path.join(self.folder, path), "wb") as file:
                file.write(b"\n".join(text))

    def restore(self):
        for path in self.changed():
            full = os.path.join(self.folder, path)
            if path in self.before:
                with open(full, "wb") as file:
                    file.write(self.before[path])
            else:
                os.remove(full)

    def definitions(self):
        """(kind, path, line, column in bytes, name), sorted; each once."""
        rows = {}
        options = self.options

        def ask(*words):
            done = subprocess.run([options.cst, *words, "--json"], cwd=self.folder, env=self.env, capture_output=True, text=True, errors="replace")
            return json.loads(done.stdout) if done.stdout.startswith("{") else {}

        for row in ask("symbols").get("symbols", []):
            rows[row["path"], row["line"], row["col"]] = (row["kind"], re.split(r"[.:#]", row["qualname"])[-1])
        for kind in ("definition", "parameter"):
            for row in ask("find", kind, ".").get("matches", []):
                name, data = row.get("name"), self.before.get(row["path"], b"")
                if not name:
                    continue
                found = re.search(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)", data[row["start_byte"]:row["end_byte"]])
                if found:
                    at = row["start_byte"] + found.start()
                    line = data.count(b"\n", 0, at) + 1
                    rows.setdefault((row["path"], line, at - (data.rfind(b"\n", 0, at) + 1) + 1), (row["kind"], name))
        suffixes = SUFFIXES[options.language]
        return sorted((kind, path, line, column, name) for (path, line, column), (kind, name) in rows.items()
                      if path.endswith(suffixes) and kind in KNOWN and re.fullmatch(r"[A-Za-z_]\w*", name) and not re.fullmatch(r"__\w+__|_|self|cls|this|main|init", name)
                      and not (options.exclude and re.search(options.exclude, path)) and (not options.kinds or kind in options.kinds.split(",")))


PLACE = None


def start(options, scratch):
    global PLACE
    PLACE = Place(options, scratch)


def fresh(name, number=None):
    """A name that looks like the old one and is nowhere in use; with a number, one for each number."""
    stem = "zebra" + ("_" if "_" in name else "")
    end = "" if number is None else "".join(chr(ord("a") + int(digit)) for digit in str(number)) + "q"
    if name.isupper() and len(name) > 1:
        return "ZEBRA_Q" + end.upper()
    # A function that a tool runs by its name stays one.
    run = re.match(r"(Test|Benchmark|Example|Fuzz)(?=[A-Z])|test_", name)
    if run:
        return run[0] + (stem if run[0] == "test_" else stem.capitalize()) + "Q" + end
    lead = "_" * (len(name) - len(name.lstrip("_")))
    return lead + (stem.capitalize() + "Q" if name.lstrip("_")[:1].isupper() else stem + "q") + end


def work(row, number=None):
    """(verdict, reason or what is said, the row, mirror, changed lines) of one definition; with a number, the check of a certain one is left to a batch."""
    kind, path, line, column, name = row
    place, new = f"{path}:{line}:{column}", fresh(name, number)
    # A private name of JavaScript has its sign.
    if PLACE.before[path].split(b"\n")[line - 1][column - 1:column] == b"#":
        name, new = f"#{name}", f"#{new}"
    mirror = lines = None
    status, said = PLACE.rename(place, new)
    if status is None:
        verdict, words = "stuck", ""
    elif status != 0:
        words = reason_of(said, [name, new])
        verdict = "changed" if PLACE.changed() else "theirs" if THEIRS.search(said) else "refused"
        if PLACE.options.mirror and verdict == "refused":
            status, _ = PLACE.rename(place, new, "--force", "--leave-undetermined")
            mirror = "kept" if status != 0 or not PLACE.changed() else "needless" if PLACE.same({new: name})[0] else "needed"
    else:
        lines = PLACE.changed_lines() if number is not None else None
        verdict, words = ("certain", "") if lines else check_certain({new: name})
        if verdict == "certain":
            # A class in Java and the file of its name are renamed together.
            if not os.path.exists(os.path.join(PLACE.folder, path)):
                place = place.replace(f"{name}.", f"{new}.", 1)
            status, said = PLACE.rename(place_of(place, new), name)
            left = PLACE.changed()
            if left:
                verdict, words = "not back", (reason_of(said, [name, new]) if status != 0 else "other bytes in " + ", ".join(left[:3]))
    PLACE.restore()
    return verdict, words, row, mirror, lines and ({new: name}, lines)


def place_of(place, new):
    """The place of the new name: in `{ a: b }` it is not where `a` was."""
    path, line, column = place.rsplit(":", 2)
    full = os.path.join(PLACE.folder, path)
    if os.path.exists(full):
        with open(full, "rb") as file:
            text = file.read().split(b"\n")[int(line) - 1]
        at = text.find(new.encode(), int(column) - 1)
        at = text.find(new.encode()) if at < 0 else at
        return f"{path}:{line}:{max(at, 0) + 1}"
    return place


def check_certain(names):
    """The verdict on what is now in the copy, and the new complaints."""
    same, after = PLACE.same(names)
    return ("certain", "") if same else ("broken", f"status {PLACE.said[0]} then {after[0]}: " + " | ".join([line for line in after[1] if line not in PLACE.said[1]][:3])[:400])


class Batches:
    """Edits of certain renames, on different lines, which are checked together."""

    def __init__(self, size):
        self.size = size
        self.open = []

    def add(self, answer):
        """Answers whose batch is full, checked."""
        lines = answer[4][1].keys()
        for batch in self.open:
            if not any(lines & other[4][1].keys() for other in batch):
                break
        else:
            batch = []
            self.open.append(batch)
        batch.append(answer)
        if len(batch) >= self.size:
            self.open.remove(batch)
            return self.checked(batch)
        if len(self.open) > self.size:
            return self.checked(self.open.pop(0))
        return []

    def rest(self):
        batches, self.open = self.open, []
        return [answer for batch in batches for answer in self.checked(batch)]

    def checked(self, batch):
        """The answers of a batch, with the verdict `broken` where the check differs."""
        names = {new: old for answer in batch for new, old in answer[4][0].items()}
        PLACE.write_lines({place: text for answer in batch for place, text in answer[4][1].items()})
        verdict, words = check_certain(names)
        PLACE.restore()
        if verdict == "certain" or len(batch) == 1:
            return [(verdict if verdict == "broken" else answer[0], words or answer[1], *answer[2:]) for answer in batch]
        half = len(batch) // 2
        return self.checked(batch[:half]) + self.checked(batch[half:])


def in_batches(rows, size):
    batches = Batches(size)
    for number, row in enumerate(rows):
        answer = work(row, number)
        yield from batches.add(answer) if answer[4] else [answer]
    yield from batches.rest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(SUFFIXES))
    parser.add_argument("folder")
    parser.add_argument("--check", required=True, help="a command line that is run in the copy")
    parser.add_argument("--renames", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="each has a copy of its own")
    parser.add_argument("--batch", type=int, help="check so many certain renames at once, in one job")
    parser.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"))
    parser.add_argument("--mirror", action="store_true", help="refused renames are forced and checked")
    parser.add_argument("--status-only", action="store_true", help="compare the status of the check, not what it says")
    parser.add_argument("--limit", type=int, default=300, help="seconds of one check")
    parser.add_argument("--minutes", type=float, help="end after so many minutes, with the renames made until then")
    parser.add_argument("--kinds", help="only these kinds, separated by commas")
    parser.add_argument("--exclude", help="a regex of paths whose definitions are not renamed")
    parser.add_argument("--out", help="folder of the results; default: a temporary one")
    options = parser.parse_args()
    options.cst = os.path.abspath(options.cst)
    out = options.out or tempfile.mkdtemp(prefix="alpha-")
    os.makedirs(out, exist_ok=True)
    begun = time.time()
    counts, kinds, reasons, mirrors = collections.Counter(), collections.defaultdict(collections.Counter), collections.Counter(), collections.defaultdict(collections.Counter)
    made = os.path.join(out, f"alpha-{options.language}-{os.path.basename(os.path.abspath(options.folder))}.jsonl")
    with tempfile.TemporaryDirectory() as scratch, open(made, "w") as file:
        start(options, scratch)
        print(f"check: status {PLACE.said[0]}, {'its text counts' if PLACE.texts else 'its status alone counts'}", flush=True)
        found = PLACE.definitions()
        random.Random(options.seed).shuffle(found)
        found = found[: options.renames]
        pool = None
        if options.batch:
            answers = in_batches(found, options.batch)
        elif options.jobs == 1:
            answers = map(work, found)
        else:
            pool = multiprocessing.Pool(options.jobs, start, (options, scratch))
            answers = pool.imap_unordered(work, found)
        for verdict, words, row, mirror, _ in answers:
            counts[verdict] += 1
            kinds[row[0]][verdict] += 1
            if verdict == "refused":
                reasons[words] += 1
                if mirror:
                    mirrors[words][mirror] += 1
                    counts[mirror] += 1
            elif verdict not in ("certain", "theirs"):
                print(f"{verdict}: {row[0]} {row[4]} {row[1]}:{row[2]}:{row[3]}: {words}", flush=True)
            file.write(json.dumps({"verdict": verdict, "words": words, "kind": row[0], "place": f"{row[1]}:{row[2]}:{row[3]}", "name": row[4], "mirror": mirror}) + "\n")
            file.flush()
            if options.minutes and time.time() - begun > 60 * options.minutes:
                break
        if pool:
            pool.terminate()
            pool.join()
    for kind, row in sorted(kinds.items()):
        print(f"{kind:10} " + ", ".join(f"{count} {verdict}" for verdict, count in row.most_common()))
    if reasons:
        print("reasons of refusals: all" + (", needless" if options.mirror else ""))
    for reason, count in reasons.most_common(15):
        print(f"{count:6} {str(mirrors[reason]['needless']) if options.mirror else '':>6}  {reason}")
    bad = counts["broken"] + counts["not back"] + counts["changed"] + counts["stuck"]
    tried = sum(map(counts.__getitem__, ("certain", "refused", "theirs", "broken", "not back", "changed", "stuck")))
    share = 100 * (tried - counts["refused"]) / max(1, tried)
    more = f" ({counts['needless']} without need, {counts['kept']} kept)" if options.mirror else ""
    print(f"names, alpha {options.language} {os.path.basename(os.path.abspath(options.folder))}, seed {options.seed}: {tried} renames: {counts['certain']} certain, {counts['refused']} refused{more}, {counts['theirs']} theirs, "
          f"{counts['broken']} broken, {counts['not back']} not back, {counts['changed']} changed, {counts['stuck']} stuck; {share:.1f} % decided; {time.time() - begun:.0f} s; {out}")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
