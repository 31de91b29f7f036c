#!/usr/bin/env python3
"""The alpha law over a real package: a definition gets a fresh name, and the language's own checker must say the same as before.

    alpha.py LANGUAGE FOLDER --check COMMAND [--renames N] [--seed S] [--mirror]

FOLDER is copied. Definitions (of `cst symbols`, `cst find definition` and `cst find parameter`: types, functions, methods, fields,
variables, parameters and locals) are drawn at random and renamed one at a time with `cst refactor rename PATH:LINE:COL NEW --write`.
Status 0 means certain: COMMAND must have the same status, and say the same but for numbers (`--status-only`: the status alone). Then
the definition is renamed back, which must give the same bytes.

`certain`, `refused`, `theirs` (refused because something outside of the package demands the name), `broken` (certain, and the check differs), `not back` (refused or other bytes), `changed` (refused, but files
differ). With --mirror each refused rename is made with `--force --leave-undetermined`; if the check is the same, the refusal was
needless. The last line is the summary; the status is 1 if a rename broke the check, was not undone or left changes.
With --batch N the edits of N renames are checked at once, and halved where the check fails, so what is broken is what breaks it alone.

    alpha.py python PACKAGE --check 'python3 -m pyflakes . ; python3 -m pytest -q -x'
    alpha.py go MODULE --check 'go vet ./...'
    alpha.py rust CRATE --check 'cargo check --offline --tests'
    alpha.py typescript PROJECT --check 'tsc --noEmit'
    alpha.py c FOLDER --check 'gcc -fsyntax-only *.c'
"""
import argparse
import collections
import difflib
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

    def check(self, names=()):
        there = files_of(self.folder).keys() | self.before.keys()
        status, out = run(self.options.check, self.folder, self.env, self.options.limit)
        for path in files_of(self.folder).keys() - there:
            os.remove(os.path.join(self.folder, path))
        for new, old in sorted(names, reverse=True):
            out = out.replace(new, old)
        lines = sorted(re.sub(r"\d+", "N", line).rstrip("^~ ") for line in out.split("\n"))
        return status, [line for line in lines if line]

    def alike(self, said):
        return said[0] == self.said[0] and (not self.texts or sorted(set(said[1])) == sorted(set(self.said[1])))

    def same(self, old, new):
        said = self.check([(new, old)])
        return self.alike(said), said

    def rename(self, place, new, *flags, write=True):
        return run([self.options.cst, "refactor", "rename", place, new, "--json", *flags, *(["--write"] if write else [])], self.folder, self.env, 120)

    def changed(self):
        """Paths whose bytes are not those of the package."""
        now = files_of(self.folder)
        return [path for path in now.keys() | self.before.keys() if now.get(path) != self.before.get(path)]

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


# A refusal that is an answer: no tool can rename it.
THEIRS = re.compile("outside of the project demands")
PLACE = None


class Clash(Exception):
    """Two renames change the same bytes, or more than lines of files that exist."""


def edits_of(reply):
    """{path: {line: [(start, end, text)]}} of a reply's differences."""
    edits = collections.defaultdict(dict)
    for file in json.loads(reply[reply.index("{"):]).get("files", []):
        if not file.get("diff") or file.get("moved_from"):
            raise Clash
        line, old, new = 0, [], []

        def pair():
            if len(old) != len(new):
                raise Clash
            for (at, before), after in zip(old, new):
                edits[file["path"]][at] = pieces(before, after)
            old.clear()
            new.clear()

        for row in file["diff"].split("\n")[2:]:
            if row.startswith("@@"):
                pair()
                line = int(re.match(r"@@ -(\d+)", row).group(1)) - 1
            elif row.startswith("-"):
                if new:
                    pair()
                old.append((line, row[1:]))
                line += 1
            elif row.startswith("+"):
                new.append(row[1:])
            elif row.startswith(" "):
                pair()
                line += 1
        pair()
    return edits


def pieces(before, after):
    """The edits of a line, by words."""
    split = [re.findall(r"\w+|\W", text) for text in (before, after)]
    at = [0]
    for word in split[0]:
        at.append(at[-1] + len(word))
    return [(at[a], at[b], "".join(split[1][c:d])) for kind, a, b, c, d in difflib.SequenceMatcher(None, *split, autojunk=False).get_opcodes() if kind != "equal"]


def merged(plans):
    """The edits of several renames as one; Clash if two touch."""
    edits = collections.defaultdict(lambda: collections.defaultdict(list))
    for plan in plans:
        for path, lines in plan.items():
            for line, parts in lines.items():
                taken = edits[path][line]
                if any(start <= end_of and begin <= end for begin, end_of, _ in taken for start, end, _ in parts):
                    raise Clash
                taken.extend(parts)
    return edits


def apply(edits):
    for path, lines in edits.items():
        text = PLACE.before[path].decode(errors="surrogateescape").split("\n")
        for line, parts in lines.items():
            for begin, end, new in sorted(parts, reverse=True):
                text[line] = text[line][:begin] + new + text[line][end:]
        with open(os.path.join(PLACE.folder, path), "wb") as file:
            file.write("\n".join(text).encode(errors="surrogateescape"))


def halves(items):
    """{number: what is said, or None} for renames (number, plan, old, new): which break the check alone."""
    if not items:
        return {}
    try:
        edits = merged([item[1] for item in items])
    except Clash:
        return halves(items[: len(items) // 2]) | halves(items[len(items) // 2:])
    apply(edits)
    said = PLACE.check([(item[3], item[2]) for item in items])
    same = PLACE.alike(said)
    PLACE.restore()
    if same:
        return {item[0]: None for item in items}
    if len(items) == 1:
        return {items[0][0]: said}
    return halves(items[: len(items) // 2]) | halves(items[len(items) // 2:])


def work_each(rows):
    return [work(row) for row in rows]


def work_batch(rows):
    """What `work` says of each row, with the checks of many renames at once."""
    answers, plans, forced = {}, [], []
    for number, row in enumerate(rows):
        kind, path, line, column, name = row
        place, new = f"{path}:{line}:{column}", fresh(name) + "abcdefghijklmnopqrstuvwxyz"[number % 26] * (number // 26 + 1)
        if name.isupper():
            new = new.upper()
        status, said = PLACE.rename(place, new, write=False)
        try:
            if status == 0:
                plan = edits_of(said)
                apply(merged([plan]))
                status, said = PLACE.rename(place, name)
                left = PLACE.changed()
                PLACE.restore()
                answers[number] = ("not back", reason_of(said, [name, new]) if status != 0 else "other bytes in " + ", ".join(left[:3]), row, None) if left else ("certain", "", row, None)
                plans.append((number, plan, name, new))
                continue
            words = "" if status is None else reason_of(said, [name, new])
            verdict = "stuck" if status is None else "theirs" if THEIRS.search(said) else "refused"
            answers[number] = (verdict, words, row, None)
            if verdict == "refused" and PLACE.options.mirror:
                status, said = PLACE.rename(place, new, "--force", "--leave-undetermined", write=False)
                if status == 0:
                    forced.append((number, edits_of(said), name, new))
                else:
                    answers[number] = answers[number][:3] + ("kept",)
        except Clash:
            PLACE.restore()
            answers[number] = work(row)
    for number, said in halves(plans).items():
        if said:
            answers[number] = ("broken", difference(said), rows[number], None)
    for at in range(0, len(forced), 4):
        for number, said in halves(forced[at: at + 4]).items():
            answers[number] = answers[number][:3] + ("needed" if said else "needless",)
    return list(answers.values())


def difference(said):
    return f"status {PLACE.said[0]} then {said[0]}: " + " | ".join([line for line in said[1] if line not in PLACE.said[1]][:3])[:400]


def start(options, scratch):
    global PLACE
    PLACE = Place(options, scratch)


def fresh(name):
    stem = "zebra" + ("_" if "_" in name else "")
    if name.isupper() and len(name) > 1:
        return "ZEBRA_Q"
    lead = "_" * (len(name) - len(name.lstrip("_")))
    return lead + (stem.capitalize() + "Q" if name.lstrip("_")[:1].isupper() else stem + "q")


def work(row):
    """(verdict, reason or what is said, the row, mirror) of one definition."""
    kind, path, line, column, name = row
    place, new = f"{path}:{line}:{column}", fresh(name)
    mirror = None
    status, said = PLACE.rename(place, new)
    if status is None:
        verdict, words = "stuck", ""
    elif status != 0:
        words = reason_of(said, [name, new])
        verdict = "changed" if PLACE.changed() else "theirs" if THEIRS.search(said) else "refused"
        if PLACE.options.mirror and verdict == "refused":
            status, _ = PLACE.rename(place, new, "--force", "--leave-undetermined")
            mirror = "kept" if status != 0 or not PLACE.changed() else "needless" if PLACE.same(name, new)[0] else "needed"
    else:
        same, after = PLACE.same(name, new)
        verdict, words = "certain", ""
        if not same:
            verdict, words = "broken", difference(after)
        else:
            # A class in Java and the file of its name are renamed together.
            if not os.path.exists(os.path.join(PLACE.folder, path)):
                place = place.replace(f"{name}.", f"{new}.", 1)
            status, said = PLACE.rename(place, name)
            left = PLACE.changed()
            if left:
                verdict, words = "not back", (reason_of(said, [name, new]) if status != 0 else "other bytes in " + ", ".join(left[:3]))
    PLACE.restore()
    return verdict, words, row, mirror


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(SUFFIXES))
    parser.add_argument("folder")
    parser.add_argument("--check", required=True, help="a command line that is run in the copy")
    parser.add_argument("--renames", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="each has a copy of its own")
    parser.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"))
    parser.add_argument("--mirror", action="store_true", help="refused renames are forced and checked")
    parser.add_argument("--status-only", action="store_true", help="compare the status of the check, not what it says")
    parser.add_argument("--batch", type=int, default=1, help="check the edits of so many renames at once")
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
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        start(options, scratch)
        print(f"check: status {PLACE.said[0]}, {'its text counts' if PLACE.texts else 'its status alone counts'}", flush=True)
        found = PLACE.definitions()
        random.Random(options.seed).shuffle(found)
        found = found[: options.renames]
        pool, size = None, max(1, options.batch)
        batches = [found[at: at + size] for at in range(0, len(found), size)]
        one = work_batch if size > 1 else work_each
        if options.jobs == 1:
            answers = map(one, batches)
        else:
            pool = multiprocessing.Pool(options.jobs, start, (options, scratch))
            answers = pool.imap_unordered(one, batches)
        answers = (answer for batch in answers for answer in batch)
        for verdict, words, row, mirror in answers:
            counts[verdict] += 1
            kinds[row[0]][verdict] += 1
            if verdict == "refused":
                reasons[words] += 1
                if mirror:
                    mirrors[words][mirror] += 1
                    counts[mirror] += 1
            elif verdict not in ("certain", "theirs"):
                print(f"{verdict}: {row[0]} {row[4]} {row[1]}:{row[2]}:{row[3]}: {words}", flush=True)
            rows.append({"verdict": verdict, "words": words, "kind": row[0], "place": f"{row[1]}:{row[2]}:{row[3]}", "name": row[4], "mirror": mirror})
            if options.minutes and time.time() - begun > 60 * options.minutes:
                break
        if pool:
            pool.terminate()
            pool.join()
    with open(os.path.join(out, f"alpha-{options.language}-{os.path.basename(os.path.abspath(options.folder))}.jsonl"), "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    for kind, row in sorted(kinds.items()):
        print(f"{kind:10} " + ", ".join(f"{count} {verdict}" for verdict, count in row.most_common()))
    if reasons:
        print("reasons of refusals: all" + (", needless" if options.mirror else ""))
    for reason, count in reasons.most_common(25):
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
