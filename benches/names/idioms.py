#!/usr/bin/env python3
"""Small programs with the idioms in which a refactor goes wrong most easily, each run before and after.

    idioms.py [LANGUAGE…] [--cst CST] [--only REGEX] [--show wrong,refused]

A line of `idioms/LANGUAGE.jsonl` is a program: `name`, `files`, the arguments of `cst refactor`, and `check`, a command line or one of
the words below. `right`: done, and the program prints the same. `wrong`: done, and it does not; `limit` if docs/symbols.md names that
as a limit. `refused`: not done, no file is changed; with `--mirror`, `needless` if it would have been right. `unfit`: it does not run
before. The status is 1 if a program is wrong. A language without its tools is left out and named.
"""
import argparse
import collections
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# `BIN` is a file for a program, `TSC` the compiler of TypeScript.
CHECKS = {
    "py": "python3 main.py",
    "js": "node main.mjs",
    "cjs": "node main.cjs",
    "ts": "TSC -p . --outDir BIN && echo '{\"type\": \"module\"}' > BIN/package.json && for file in $(find BIN -name '*.js'); do"
          " sed -i -E \"s#(from ['\\\"]\\./[^'\\\"]*)(['\\\"])#\\1.js\\2#\" $file; done && if [ -f BIN/main.js ]; then node BIN/main.js; fi",
    "go": "go vet ./... && go run .",
    "rs": "rustc --edition 2021 -A warnings -o BIN main.rs && BIN",
    "java": "javac -Xlint:none -d BIN $(find . -name '*.java') && java -cp BIN Main",
    "c": "gcc -w -o BIN *.c && BIN",
    "cpp": "g++ -w -o BIN *.cpp && BIN",
    "php": "php main.php",
    "rb": "ruby main.rb",
    "cs": "mcs -langversion:latest -nowarn:0067,0108,0109,0114,0162,0168,0169,0219,0414,0649,0659,0660,0661 -out:BIN $(find . -name '*.cs')"
          " && mono BIN",
    "kt": "kotlinc -nowarn -d BIN $(find . -name '*.kt') && kotlin -cp BIN MainKt",
    "scala": "mkdir -p BIN && scalac -nowarn -d BIN $(find . -name '*.scala') && scala -cp BIN Main",
}
TOOLS = {
    "python": "python3", "javascript": "node", "typescript": "node", "go": "go", "rust": "rustc", "java": "javac", "c": "gcc",
    "cpp": "g++", "php": "php", "ruby": "ruby", "csharp": "mcs", "kotlin": "kotlinc", "scala": "scalac",
}
# Seconds of one command.
LIMIT = 60


def run(command, folder, env):
    """Status, output and errors; the status is `None` after the limit."""
    try:
        done = subprocess.run(command, shell=isinstance(command, str), cwd=folder, env=env, capture_output=True, text=True, errors="replace", timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, "", "over the limit"
    return done.returncode, done.stdout, done.stderr


def write(folder, files):
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def is_as_before(folder, files):
    for path, text in files.items():
        try:
            with open(os.path.join(folder, path), encoding="utf-8") as file:
                if file.read() != text:
                    return False
        except OSError:
            return False
    return True


def judge(task):
    """The verdict on a program, and words to show."""
    program, cst, tsc, mirror = task
    with tempfile.TemporaryDirectory() as scratch:
        folder, out = os.path.join(scratch, "program"), os.path.join(scratch, "out")
        write(folder, program["files"])
        env = dict(os.environ, CST_STATE=os.path.join(scratch, "state"), XDG_CACHE_HOME=os.path.join(scratch, "cache"), NO_COLOR="1",
                   PYTHONDONTWRITEBYTECODE="1", GOPROXY="off", GOFLAGS="-mod=mod", GO111MODULE="on")
        check = CHECKS.get(program["check"], program["check"]).replace("BIN", out).replace("TSC", tsc)

        def said():
            if os.path.isdir(out):
                shutil.rmtree(out)
            elif os.path.exists(out):
                os.remove(out)
            return run(check, folder, env)

        before = said()
        if before[0] != 0:
            return program["name"], "unfit", (before[1] + before[2])[-200:]
        status, text, errors = run([cst, "refactor", *program["refactor"], "--write"], folder, env)
        if status != 0:
            verdict = "stuck" if status is None else "refused" if is_as_before(folder, program["files"]) else "changed"
            words = (errors or text).strip().split("\n")[0][:200]
            if mirror and verdict == "refused":
                forced = [cst, "refactor", *program["refactor"], "--force", "--leave-undetermined", "--write"]
                if run(forced, folder, env)[0] == 0 and not is_as_before(folder, program["files"]) and said()[:2] == before[:2]:
                    verdict = "needless"
            return program["name"], verdict, words
        after = said()
        verdict = "right" if after[:2] == before[:2] else "limit" if "limit" in program else "wrong"
        return program["name"], verdict, (after[1] + after[2])[-200:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*")
    parser.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"))
    parser.add_argument("--only", default="", help="a regex of the names of programs")
    parser.add_argument("--show", default="wrong,changed,stuck", help="verdicts whose programs are listed")
    parser.add_argument("--mirror", action="store_true", help="make what is refused all the same; `needless`: the program prints the same then")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    cst, tsc, sums = os.path.abspath(options.cst), os.environ.get("TSC", "tsc"), collections.Counter()
    for language in options.languages or sorted(TOOLS):
        if not shutil.which(TOOLS[language]) or language == "typescript" and not shutil.which(tsc):
            print(f"{language}: left out, its tools are missing")
            continue
        with open(os.path.join(HERE, "idioms", f"{language}.jsonl"), encoding="utf-8") as file:
            programs = [json.loads(line) for line in file]
        programs = [program for program in programs if re.search(options.only, program["name"])]
        counts = collections.Counter()
        with multiprocessing.Pool(options.jobs) as pool:
            for name, verdict, words in pool.imap(judge, [(program, cst, tsc, options.mirror) for program in programs]):
                counts[verdict] += 1
                if verdict in options.show.split(","):
                    print(f"{verdict} {language} {name}: {words.strip()}".replace("\n", " | "), flush=True)
        sums += counts
        print(f"{language}: {len(programs)} programs: " + ", ".join(f"{counts[key]} {key}" for key in sorted(counts)), flush=True)
    return 1 if sums["wrong"] or sums["changed"] or not sums else 0


if __name__ == "__main__":
    sys.exit(main())
