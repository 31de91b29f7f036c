#!/usr/bin/env python3
"""The alpha law over a real package: a definition gets a fresh name, and the language's own checker must say the same as before.

    alpha.py LANGUAGE FOLDER --check COMMAND [--renames N] [--seed S] [--mirror]

FOLDER is copied. Definitions (of `cst symbols`, `cst find definition` and `cst find parameter`: types, functions, methods, fields,
variables, parameters and locals) are drawn at random and renamed one at a time with `cst refactor rename PATH:LINE:COL NEW --write`.
Status 0 means certain: COMMAND must have the same status, and say the same but for numbers (`--status-only`: the status alone). Then
the definition is renamed back, which must give the same bytes.

`certain`, `refused`, `broken` (certain, and the check differs), `not back` (refused or other bytes), `changed` (refused, but files
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

    def check(self, new=None, old=None):
        status, out = run(self.options.check, self.folder, self.env, self.options.limit)
        for path in files_of(self.folder).keys() - self.before.keys():
            os.remove(os.path.join(self.folder, path))
        if new:
            out = out.replace(new, old)
        lines = sorted(re.sub(r"\d+", "N", line).rstrip("^~ ") for line in out.split("\n"))
        return status, [line for line in lines if line]

    def same(self, old, new):
        said = self.check(new, old)
        return said[0] == self.said[0] and (not self.texts or sorted(set(said[1])) == sorted(set(self.said[1]))), said

    def rename(self, place, new, *flags):
        return run([self.options.cst, "refactor", "rename", place, new, "--write", "--json", *flags], self.folder, self.env, 120)

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


PLACE = None


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
        verdict = "changed" if PLACE.changed() else "refused"
        if PLACE.options.mirror and verdict == "refused":
            status, _ = PLACE.rename(place, new, "--force", "--leave-undetermined")
            mirror = "kept" if status != 0 or not PLACE.changed() else "needless" if PLACE.same(name, new)[0] else "needed"
    else:
        same, after = PLACE.same(name, new)
        verdict, words = "certain", ""
        if not same:
            verdict, words = "broken", f"status {PLACE.said[0]} then {after[0]}: " + " | ".join([line for line in after[1] if line not in PLACE.said[1]][:3])[:400]
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
        pool = None
        if options.jobs == 1:
            answers = map(work, found)
        else:
            pool = multiprocessing.Pool(options.jobs, start, (options, scratch))
            answers = pool.imap_unordered(work, found)
        for verdict, words, row, mirror in answers:
            counts[verdict] += 1
            kinds[row[0]][verdict] += 1
            if verdict == "refused":
                reasons[words] += 1
                if mirror:
                    mirrors[words][mirror] += 1
                    counts[mirror] += 1
            elif verdict != "certain":
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
    for reason, count in reasons.most_common(15):
        print(f"{count:6} {str(mirrors[reason]['needless']) if options.mirror else '':>6}  {reason}")
    bad = counts["broken"] + counts["not back"] + counts["changed"] + counts["stuck"]
    tried = sum(map(counts.__getitem__, ("certain", "refused", "broken", "not back", "changed", "stuck")))
    share = 100 * (tried - counts["refused"]) / max(1, tried)
    more = f" ({counts['needless']} without need, {counts['kept']} kept)" if options.mirror else ""
    print(f"names, alpha {options.language} {os.path.basename(os.path.abspath(options.folder))}, seed {options.seed}: {tried} renames: {counts['certain']} certain, {counts['refused']} refused{more}, "
          f"{counts['broken']} broken, {counts['not back']} not back, {counts['changed']} changed, {counts['stuck']} stuck; {share:.1f} % decided; {time.time() - begun:.0f} s; {out}")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
