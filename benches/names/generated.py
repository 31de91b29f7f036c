#!/usr/bin/env python3
"""Random small programs whose output is numbers: a rename that `cst` calls certain must not change the output.

    generated.py LANGUAGE --programs N --seed S [--renames K] [--jobs 2] [--cst PATH] [--peer jedi|tsserver]

Each program has one to four modules in which seven names mean many things. It is run, an occurrence of one of the names is drawn, and
`cst refactor rename FILE:LINE:COL NEW --write` renames it, to a fresh name or (--in-use, a share) to another of the seven.

Verdicts: `right` (status 0, the same output), `wrong` (status 0, another output or an error), `refused` (another status, nothing changed),
`changed` (another status, but files differ), `stuck` (over the time limit).
Refused renames are forced on a copy (`--force --leave-undetermined`, the mirror): where the output is the same, the refusal was needless;
these are counted by their first reason. `kept` were refused by the forced rename as well.

Wrong programs are shrunk and written to OUT/wrong-LANGUAGE.jsonl, in the format of the traps: name, check, refactor, files.
Needless refusals go to OUT/needless-LANGUAGE.jsonl (the smallest programs of each reason), and with --peer those that the peer renames
rightly ("behind: …"). The last line is the summary; the status is 1
if a rename was wrong.
"""
import argparse
import collections
import importlib
import itertools
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
LANGUAGES = ["python", "javascript", "typescript", "go", "rust", "java", "c", "php", "ruby"]
BATCH = {"python": 40, "javascript": 40, "typescript": 60, "go": 40, "rust": 30, "java": 60, "c": 24, "php": 24, "ruby": 24}


class Cst:
    """The program under test, and a folder for its state."""

    def __init__(self, path, scratch):
        self.path = path
        self.scratch = tempfile.mkdtemp(dir=scratch)
        self.calls = 0
        self.env = dict(os.environ, CST_STATE=os.path.join(self.scratch, "state"), XDG_CACHE_HOME=os.path.join(self.scratch, "cache"), NO_COLOR="1")

    def rename(self, files, place, new, *flags):
        """(exit status, files afterwards, what is said) of one rename in a fresh folder."""
        self.calls += 1
        if self.calls % 500 == 0:
            shutil.rmtree(os.path.join(self.scratch, "state"), ignore_errors=True)
        folder = os.path.join(self.scratch, f"p{self.calls}")
        for path, text in files.items():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as file:
                file.write(text)
        command = [self.path, "refactor", "rename", place, new, "--write", "--json", *flags]
        try:
            done = subprocess.run(command, cwd=folder, env=self.env, capture_output=True, text=True, errors="replace", timeout=60)
            status, said = done.returncode, done.stdout or done.stderr
        except subprocess.TimeoutExpired:
            status, said = None, ""
        after = {}
        for root, _, names in os.walk(folder):
            for name in names:
                full = os.path.join(root, name)
                with open(full, errors="replace") as file:
                    after[os.path.relpath(full, folder)] = file.read()
        shutil.rmtree(folder, ignore_errors=True)
        return status, after, said


def reason_of(said, names):
    """The first reason of a refusal, without names, places and numbers."""
    try:
        error = json.loads(said)["error"]
        places = error.get("places") or []
        text = error["code"] + ": " + (places[0]["why"] if places and places[0].get("why") else error["message"])
    except (ValueError, KeyError, TypeError):
        text = said.strip().split("\n")[0]
    text = re.sub(r"[\w./-]+\.\w+:\d+(:\d+)?", "PLACE", text)
    text = re.sub(r"`[^`]*`", "`X`", text)
    text = re.sub(r"\b(" + "|".join(map(re.escape, names)) + r")\b", "NAME", text)
    return re.sub(r"\d+", "N", text)[:160]


def fresh(old, files):
    """A name that no file has, in the case of the old one."""
    if old[:1] in "#$@":
        return old[0] + fresh(old[1:], files)
    text = "\n".join(files.values())
    for stem in ("zebra", "yak", "wolf"):
        new = stem.upper() if old.isupper() else stem.capitalize() if old[:1].isupper() else stem
        if new not in text:
            return new
    return "zebra9"


def shrink(files, place, new, still, limit=25):
    """The program without each block, line, file and bracket that isn't needed for `still` (a test on several candidates at once)."""
    start = time.time()
    path, line, column = place.split(":")
    line = int(line)

    def place_of(files, line):
        return f"{path}:{line}:{column}"

    def candidates():
        for other in list(files):
            if other != path and other not in KEPT:
                yield {p: t for p, t in files.items() if p != other}, line
        for name in files:
            lines = files[name].split("\n")
            for part in (2, 4, 8):
                step = len(lines) // part
                if name in KEPT or step < 3:
                    break
                for a in range(0, len(lines) - 1, step):
                    b = min(a + step, len(lines) - 1)
                    if not (name == path and a < line <= b):
                        yield {**files, name: "\n".join(lines[:a] + lines[b:])}, line - (b - a) if name == path and b < line else line
        for name in files:
            if name in KEPT:
                continue
            lines = files[name].split("\n")
            for at in range(len(lines)):
                if not lines[at].strip():
                    continue
                indent = len(lines[at]) - len(lines[at].lstrip())
                end = at + 1
                while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
                    end += 1
                if end < len(lines) and end > at + 1 and lines[end].strip()[:1] in ("}", ")", "]") or end < len(lines) and lines[end].strip() == "end":
                    end += 1
                for a, b in {(at, end), (at, at + 1)}:
                    if name == path and a < line <= b:
                        continue
                    moved = line - (b - a) if name == path and b < line else line
                    yield {**files, name: "\n".join(lines[:a] + lines[b:])}, moved
                # The block's body in place of the block, as after `if`, `for` and `try`.
                if end > at + 2 and not (name == path and at == line - 1):
                    body = [text[4:] if text.startswith("    ") else text for text in lines[at + 1:end]]
                    if body and body[-1].strip() in ("}", "end"):
                        body = body[:-1]
                    moved = line - 1 if name == path and line > at + 1 else line
                    if not (name == path and at + 1 < line <= end):
                        yield {**files, name: "\n".join(lines[:at] + body + lines[end:])}, moved
        for name in files:
            if name in KEPT:
                continue
            lines = files[name].split("\n")
            for at, text in enumerate(lines):
                for match in re.finditer(r"\(", text):
                    depth, end = 0, None
                    for i in range(match.start(), len(text)):
                        depth += {"(": 1, ")": -1}.get(text[i], 0)
                        if depth == 0:
                            end = i + 1
                            break
                    if end is None or text[match.start():end] in ("()", "(1)"):
                        continue
                    if name == path and at == line - 1 and match.start() < int(column):
                        continue
                    call = re.search(r"\w$|[\])]$", text[:match.start()])
                    for short in (["()", "(1)"] if call else ["1"]):
                        yield {**files, name: "\n".join(lines[:at] + [text[:match.start()] + short + text[end:]] + lines[at + 1:])}, line

    at, clean = 0, False
    while time.time() - start < limit:
        rows = list(itertools.islice(candidates(), at, None))
        found = None
        for first in range(0, len(rows), SHRINK_BATCH[0]):
            found = still([(f, place_of(f, moved), new) for f, moved in rows[first:first + SHRINK_BATCH[0]]])
            if found is not None:
                files, line = rows[first + found]
                at += first + found
                clean = False
                break
            if time.time() - start > limit:
                break
        if found is None:
            if clean or at == 0:
                break
            at, clean = 0, True
    return files, place_of(files, line)


KEPT = {"go.mod", "tsconfig.json", "package.json"}
SHRINK_BATCH = [8]
SHRINK_BATCHES = {"typescript": 24, "go": 24, "rust": 16, "java": 32}


class Session:
    """One job: a language, its runner, and the program under test."""

    def __init__(self, options, scratch):
        self.options = options
        self.language = importlib.import_module(f"languages.{options.language}")
        self.runner = self.language.Runner(scratch)
        self.cst = Cst(options.cst, scratch)
        self.peer = importlib.import_module(f"peers.{options.peer}").Peer(scratch, self.language) if options.peer else None
        self.shrunk = 0
        SHRINK_BATCH[0] = SHRINK_BATCHES.get(options.language, 8)

    def still_wrong(self, tries):
        """The index of the first candidate that runs before, is called certain, and does something else afterwards."""
        before = self.runner.run_many([files for files, _, _ in tries])
        rows = []
        for at, (files, place, new) in enumerate(tries):
            if before[at][0] == 0 and before[at][1].strip():
                status, after, _ = self.cst.rename(files, place, new)
                if status == 0 and after != files:
                    rows.append((at, after))
        results = self.runner.run_many([after for _, after in rows])
        for (at, _), result in zip(rows, results):
            if result != before[at]:
                return at
        return None

    def still_needless(self, wanted):
        def still(tries):
            before = self.runner.run_many([files for files, _, _ in tries])
            rows = []
            for at, (files, place, new) in enumerate(tries):
                if before[at][0] == 0 and before[at][1].strip():
                    status, after, said = self.cst.rename(files, place, new)
                    if status not in (0, None) and reason_of(said, self.language.NAMES) == wanted and self.is_live(files, place, before[at]):
                        status, forced, _ = self.cst.rename(files, place, new, "--force", "--leave-undetermined")
                        if status == 0 and forced != files:
                            rows.append((at, forced))
            results = self.runner.run_many([after for _, after in rows])
            for (at, _), result in zip(rows, results):
                if result == before[at]:
                    return at
            return None
        return still

    def is_live(self, files, place, before):
        """Whether the program does something else when this one occurrence has another name."""
        path, line, column = place.split(":")
        lines = files[path].split("\n")
        text, at = lines[int(line) - 1], int(column) - 1
        lines[int(line) - 1] = text[:at] + re.sub(r"^([#$@]*)\w+", r"\1nothing", text[at:])
        return self.runner.run_many([{**files, path: "\n".join(lines)}])[0] != before

    def batch(self, first, count):
        """Counts, wrong programs and needless refusals of programs `first` to `first + count`."""
        options, language = self.options, self.language
        counts, wrong, needless, kept, refused = collections.Counter(), [], [], [], collections.Counter()
        programs = []
        for number in range(first, first + count):
            files = language.generate(random.Random(f"{options.seed}:{number}"))
            if not options.without or not re.search(options.without, "\n".join(files.values())):
                programs.append((number, files))
        before = self.runner.run_many([files for _, files in programs])
        tries = []
        for (number, files), result in zip(programs, before):
            if result[0] != 0 or not result[1].strip():
                counts["unfit"] += 1
                if options.show_unfit:
                    print(f"--- unfit {number}: {result[1][-600:]}", flush=True)
                    for path, text in files.items():
                        print(f"# {path}\n{text}", flush=True)
                continue
            counts["programs"] += 1
            rng = random.Random(f"{options.seed}:{number}:renames")
            places = language.places(files)
            rng.shuffle(places)
            for path, line, column, old in places[: options.renames]:
                new = fresh(old, files)
                if rng.random() < options.in_use:
                    mark = old[0] if old[0] in "#$@" else ""
                    new = mark + rng.choice([n for n in language.NAMES if n != old[len(mark):] and n[:1].isupper() == old[len(mark)].isupper()] or [new[len(mark):]])
                tries.append((number, files, f"{path}:{line}:{column}", old, new, result))
        rows = []
        for number, files, place, old, new, result in tries:
            counts["renames"] += 1
            status, after, said = self.cst.rename(files, place, new)
            reason = reason_of(said, language.NAMES) if status not in (0, None) else None
            if status is None:
                counts["stuck"] += 1
            elif status == 0:
                rows.append(("certain", number, files, place, new, result, after, None))
            elif after != files:
                counts["changed"] += 1
                wrong.append({"name": f"changed_{number}", "check": language.CHECK, "refactor": ["rename", place, new], "files": files, "shown": "refused, but files differ"})
            else:
                counts["refused"] += 1
                refused[reason] += 1
                if not options.no_mirror:
                    status, forced, said = self.cst.rename(files, place, new, "--force", "--leave-undetermined")
                    if status != 0 or forced == files:
                        counts["kept"] += 1
                        kept.append(("kept: " + reason, {"name": f"kept_{number}", "check": language.CHECK, "refactor": ["rename", place, new], "files": files}))
                    else:
                        rows.append(("forced", number, files, place, new, result, forced, reason))
            if self.peer:
                done = self.peer.rename(files, place, new)
                if done is None:
                    counts["peer refused"] += 1
                else:
                    rows.append(("peer", number, files, place, new, result, done, reason))
        results = self.runner.run_many([row[6] for row in rows])
        for (kind, number, files, place, new, result, after, reason), ran in zip(rows, results):
            same = ran == result
            if kind == "certain":
                counts["right" if same else "wrong"] += 1
                if not same:
                    wrong.append(self.reported(number, files, place, new, result, ran))
            elif kind == "peer":
                counts["peer right" if same else "peer wrong"] += 1
                if same and reason:
                    counts["behind"] += 1
                    needless.append(("behind: " + reason, {"name": f"behind_{number}", "check": language.CHECK, "refactor": ["rename", place, new], "files": files}))
            else:
                counts["needless" if same else "needed"] += 1
                if same:
                    needless.append((reason, {"name": f"needless_{number}", "check": language.CHECK, "refactor": ["rename", place, new], "files": files}))
        return counts, wrong, needless + kept, refused

    def reported(self, number, files, place, new, before, ran):
        self.shrunk += 1
        if self.shrunk <= self.options.shrink:
            files, place = shrink(files, place, new, self.still_wrong)
            before = self.runner.run_many([files])[0]
            _, after, _ = self.cst.rename(files, place, new)
            ran = self.runner.run_many([after])[0]
        return {"name": f"names_{self.options.seed}_{number}", "check": self.language.CHECK, "refactor": ["rename", place, new], "files": files,
                "shown": f"before {before[1].strip()[-120:]!r}, after {ran[1].strip()[-200:]!r}"}


SESSION = None


def start(options, scratch):
    global SESSION
    SESSION = Session(options, scratch)


def work(span):
    return SESSION.batch(*span)


def cause_of(program, features):
    """The features that a shrunk program has, as a first guess at its cause."""
    text = "\n".join(program["files"].values())
    found = [name for name, pattern in features.items() if re.search(pattern, text)]
    return "star import" if "star import" in found else ", ".join(found) or "plain"


def size(program):
    return sum(map(len, program["files"].values()))


def write_wrong(out, options, wrong):
    """The smallest wrong programs of each cause."""
    features = importlib.import_module(f"languages.{options.language}").FEATURES
    causes = collections.defaultdict(list)
    for program in sorted(wrong, key=size):
        causes[cause_of(program, features)].append(program)
    with open(os.path.join(out, f"wrong-{options.language}.jsonl"), "w") as file:
        for cause, programs in sorted(causes.items(), key=lambda row: -len(row[1])):
            for program in programs[: options.each]:
                file.write(json.dumps({**program, "cause": cause, "count": len(programs)}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first program: the seed and the number give the program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--renames", type=int, default=3, help="renames of each program")
    parser.add_argument("--in-use", type=float, default=0.2, help="share of renames to a name in use")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"))
    parser.add_argument("--peer", choices=["jedi", "tsserver"])
    parser.add_argument("--no-mirror", action="store_true", help="refused renames are not forced")
    parser.add_argument("--shrink", type=int, default=40, help="so many wrong programs of each job are shrunk")
    parser.add_argument("--each", type=int, default=3, help="so many wrong programs of each cause are written")
    parser.add_argument("--examples", type=int, default=0, help="so many needless refusals of each reason are shrunk")
    parser.add_argument("--keep", type=int, default=3, help="so many needless refusals of each reason are written, the smallest")
    parser.add_argument("--reasons", type=int, default=12, help="so many reasons of refusals are printed")
    parser.add_argument("--without", help="a regex: programs that match are left out, to look past a known cause")
    parser.add_argument("--show-unfit", action="store_true", help="print programs that do not run, with the error")
    parser.add_argument("--out", help="folder of the results; default: a temporary one")
    options = parser.parse_args()
    options.cst = os.path.abspath(options.cst)
    if not os.path.exists(options.cst):
        parser.error(f"no program {options.cst}")
    out = options.out or tempfile.mkdtemp(prefix="names-")
    os.makedirs(out, exist_ok=True)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    counts, wrong, needless, refused = collections.Counter(), [], collections.defaultdict(list), collections.Counter()
    needless_counts = collections.Counter()
    begun = time.time()
    with tempfile.TemporaryDirectory(dir=memory) as scratch:
        step = BATCH[options.language]
        spans = [(at, min(step, options.first + options.programs - at)) for at in range(options.first, options.first + options.programs, step)]
        if options.jobs == 1:
            start(options, scratch)
            answers = map(work, spans)
            pool = None
        else:
            pool = multiprocessing.Pool(options.jobs, start, (options, scratch))
            answers = pool.imap_unordered(work, spans)
        for some, bad, spare, reasons in answers:
            counts += some
            refused += reasons
            wrong += bad
            for reason, program in spare:
                needless_counts[reason] += 1
                kept = needless[reason]
                kept.append(program)
                kept.sort(key=size)
                del kept[max(options.keep, options.examples):]
            for program in bad:
                print(f"wrong {program['name']}: cst refactor {' '.join(program['refactor'])}: {program['shown']}", flush=True)
            if bad:
                write_wrong(out, options, wrong)
        if pool:
            pool.close()
            pool.join()
        if options.examples:
            start(options, scratch)
            for reason, kept in needless.items():
                if reason.startswith(("kept: ", "behind: ")):
                    continue
                for at, program in enumerate(kept[: options.examples]):
                    files, place = shrink(program["files"], program["refactor"][1], program["refactor"][2], SESSION.still_needless(reason), 30)
                    kept[at] = {**program, "files": files, "refactor": ["rename", place, program["refactor"][2]]}
    with open(os.path.join(out, f"needless-{options.language}.jsonl"), "w") as file:
        for reason, _ in needless_counts.most_common():
            for program in sorted(needless[reason], key=size):
                file.write(json.dumps({"reason": reason, **program}) + "\n")
    print(f"reasons of refusals, {options.language}: all, needless")
    for reason, count in refused.most_common(options.reasons):
        print(f"{count:7} {needless_counts[reason]:7}  {reason}")
    if options.peer:
        print(f"{options.peer}: {counts['peer right']} right, {counts['peer wrong']} wrong, {counts['peer refused']} refused; "
              f"right where cst refuses {counts['behind']}")
    bad = counts["wrong"] + counts["changed"] + counts["stuck"]
    share = 100 * counts["needless"] / max(1, counts["renames"])
    print(f"names, generated {options.language}, seed {options.seed}: {counts['renames']} renames in {counts['programs']} programs ({counts['unfit']} unfit): "
          f"{counts['right']} right, {counts['wrong']} wrong, {counts['refused']} refused ({counts['needless']} without need, {share:.1f} %; {counts['kept']} kept), "
          f"{counts['changed']} changed, {counts['stuck']} stuck; {time.time() - begun:.0f} s; {out}")
    return 1 if bad or not counts["renames"] else 0


if __name__ == "__main__":
    sys.exit(main())
