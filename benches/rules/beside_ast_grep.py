#!/usr/bin/env python3
"""Compares the findings of ast-grep's rules with those of ast-grep itself.

    CST=target/release/cst benches/rules/beside_ast_grep.py --rules RULES --code FOLDER [--code FOLDER] [--fixes]

RULES is an `sgconfig.yml`, a file of rules or a folder of such files. Findings are compared by file, rule, first byte and last byte; with
`--fixes` also by what each fix makes of the file. Since ast-grep runs no rule if it refuses one, each file of a folder is first given to
it alone; those that it accepts are run together. The exit status is 1 if there is a difference. Programs: CST and AST_GREP, or
`target/release/cst` and `ast-grep`.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

CST = os.environ.get("CST", "target/release/cst")
AST_GREP = os.environ.get("AST_GREP", "ast-grep")


class Found:
    """The findings of one program, and the texts that its fixes make."""

    def __init__(self):
        self.counts = collections.Counter()
        self.fixed = {}
        self.refused = ""


def run(command):
    done = subprocess.run(command, capture_output=True)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def apply(path, edits):
    text = pathlib.Path(path).read_bytes()
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new.encode() + text[end:]
    return text


def ask_ast_grep(rules, code, fixes):
    found = Found()
    option = "--config" if pathlib.Path(rules).name.startswith("sgconfig") else "--rule"
    ignores = [word for kind in ("hidden", "dot", "exclude", "global", "parent", "vcs") for word in ("--no-ignore", kind)]
    status, out, err = run([AST_GREP, "scan", option, rules, "--json=stream", *ignores, *code])
    if "Error:" in err and not out:
        found.refused = " ".join(err.split())
    for line in filter(None, out.split("\n")):
        row = json.loads(line)
        span = row["range"]["byteOffset"]
        path = os.path.realpath(row["file"])
        key = (path, row["ruleId"], span["start"], span["end"])
        found.counts[key] += 1
        if fixes and row.get("replacement") is not None:
            part = row["replacementOffsets"]
            found.fixed[key] = apply(path, [(part["start"], part["end"], row["replacement"])])
    return found


def ask_cst(rules, code, fixes):
    found = Found()
    status, out, err = run([CST, "scan", "--rules", rules, "--json", "--hidden", "--no-ignore", *code])
    try:
        answer = json.loads(out)
    except ValueError:
        found.refused = " ".join((out + err).split()) or f"exit status {status}"
        return found
    # A file that is too large, or not text, is no fault of a rule.
    problems = [one["error"] for one in answer.get("problems", [])]
    found.refused = "; ".join(f"{one.get('line')}: {one['message']}" for one in problems)
    for row in answer["findings"]:
        if row.get("suppressed"):
            continue
        path = os.path.realpath(row["path"])
        key = (path, row["rule"], row["start_byte"], row["end_byte"])
        found.counts[key] += 1
        if fixes and row.get("fix"):
            edits = [(one["start_byte"], one["end_byte"], one["text"]) for one in row["fix"]["edits"]]
            found.fixed[key] = apply(path, edits)
    return found


def show(title, places, shown):
    for path, rule, start, end in sorted(places)[:shown]:
        text = pathlib.Path(path).read_bytes()
        line = text.count(b"\n", 0, start) + 1
        code = text[start:end].decode("utf-8", "replace").replace("\n", "⏎")
        print(f"  {title}: {rule} {path}:{line} [{start}-{end}] {code[:100]}")


def compare(rules, options, total):
    theirs, ours = ask_ast_grep(rules, options.code, options.fixes), ask_cst(rules, options.code, options.fixes)
    same = theirs.counts & ours.counts
    only_theirs, only_ours = theirs.counts - ours.counts, ours.counts - theirs.counts
    if theirs.refused:
        print(f"ast-grep: {theirs.refused[-600:]}")
    for problem in ours.refused.split("; ") if ours.refused else []:
        total["refused by cst alone"] += 1
        print(f"only cst refuses: {problem[:300]}")
    total["same"] += sum(same.values())
    total["only ast-grep"] += sum(only_theirs.values())
    total["only cst"] += sum(only_ours.values())
    for title, places in (("only ast-grep", only_theirs), ("only cst", only_ours)):
        by_rule = collections.defaultdict(list)
        for place in places:
            by_rule[place[1]].append(place)
        for rule, places in sorted(by_rule.items()):
            print(f"{title}: {len(places)} of {rule}")
            show(title, places, options.shown)
    total["rules with findings"] = len({key[1] for key in theirs.counts} | {key[1] for key in ours.counts})
    if options.fixes:
        compare_fixes(theirs, ours, same, options, total)


def accepted(files, options, total):
    """The files of rules that ast-grep accepts, one by one."""
    with tempfile.TemporaryDirectory() as empty, ThreadPoolExecutor(2) as pool:
        theirs = list(pool.map(lambda file: ask_ast_grep(str(file), [empty], False).refused, files))
        for file, refused in zip(files, theirs):
            if not refused:
                yield file
                continue
            mine = ask_cst(str(file), [empty], False).refused if options.refused else ""
            total["refused by both" if mine else "refused by ast-grep"] += 1
            if options.refused:
                print(f"{file.name}:\n  ast-grep: {refused[-260:]}\n  cst: {mine[:260]}")


def compare_fixes(theirs, ours, same, options, total):
    for key in same:
        wanted = theirs.fixed.get(key)
        if wanted is None:
            continue
        made = ours.fixed.get(key)
        if made is None and wanted == pathlib.Path(key[0]).read_bytes():
            made = wanted
        if made == wanted:
            total["fixes same"] += 1
            continue
        kind = "fixes not made by cst" if made is None else "fixes that differ"
        total[kind] += 1
        if total[kind] <= options.shown:
            show(kind, [key], 1)
            if made is not None:
                at = next((i for i, (a, b) in enumerate(zip(wanted, made)) if a != b), min(len(wanted), len(made)))
                print(f"    ast-grep: {wanted[max(0, at - 40):at + 60]!r}\n    cst:      {made[max(0, at - 40):at + 60]!r}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--code", action="append", required=True)
    parser.add_argument("--fixes", action="store_true", help="compare what fixes make, too")
    parser.add_argument("--refused", action="store_true", help="show what both say about rules that ast-grep refuses")
    parser.add_argument("--shown", type=int, default=5, help="how many differences of a kind are shown")
    options = parser.parse_args()
    rules = pathlib.Path(options.rules)
    total = collections.Counter()
    if rules.is_file():
        compare(str(rules), options, total)
    else:
        files = sorted(file for file in rules.rglob("*") if file.suffix in (".yml", ".yaml"))
        with tempfile.TemporaryDirectory() as folder:
            together = pathlib.Path(folder, "rules")
            together.mkdir()
            for number, file in enumerate(accepted(files, options, total)):
                shutil.copy(file, together / f"{number:05}_{file.name}")
                total["rule files"] += 1
            config = pathlib.Path(folder, "sgconfig.yml")
            config.write_text("ruleDirs: [rules]\n")
            compare(str(config), options, total)
    print(", ".join(f"{total[name]} {name}" for name in sorted(total)))
    differs = ("only ast-grep", "only cst", "refused by cst alone", "fixes that differ")
    return 1 if any(total[name] for name in differs) else 0


if __name__ == "__main__":
    sys.exit(main())
