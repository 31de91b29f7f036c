#!/usr/bin/env python3
"""Compares the matches of code patterns with ast-grep's, span by span.

    CST=target/release/cst AST_GREP=ast-grep benches/harness/patterns.py FOLDER [FOLDER…]

`patterns.json` beside this file has the patterns, by language, each with the reason why the two differ where they do. Every pattern
is searched in all folders by both programs, in files with the same endings, and the sets of (file, start, end) are
compared. A line of the table is a pattern: how many `cst` finds, how many ast-grep finds, how many one of them finds alone, and the
reason. The exit status is 1 if a difference has no reason recorded. Python 3.9 or newer and nothing else.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TABLE = Path(__file__).with_suffix(".json")


def main():
    options = parser().parse_args()
    table = json.loads(options.table.read_text(encoding="utf-8"))
    folders = [str(folder) for folder in options.folder]
    rows = []
    for language in table:
        if options.language and language["language"] not in options.language:
            continue
        present = [folder for folder in folders if has_files(folder, language["endings"])]
        if not present:
            continue
        for pattern in language["patterns"]:
            if options.only and options.only not in pattern["code"]:
                continue
            row = compare(options, language, pattern, present)
            rows.append(row)
            print(line(row), flush=True)
            examples(row, options.show)
    unexplained = [row for row in rows if row["differs"] and not row["why"]]
    same = sum(not row["differs"] for row in rows)
    print(f"\n{len(rows)} patterns: {same} with the same matches, {len(rows) - same} with others, {len(unexplained)} of these unexplained")
    if options.output:
        kept = [{key: value for key, value in row.items() if key not in ("ours_alone", "theirs_alone")} for row in rows]
        options.output.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if unexplained else 0


def parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+", help="folders with sources in any languages")
    parser.add_argument("--language", action="append", help="only this one; may be given again")
    parser.add_argument("--only", metavar="TEXT", help="only patterns with this in them")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show N of the matches that one alone finds [%(default)s]")
    parser.add_argument("--table", type=Path, default=TABLE, help="patterns and reasons [%(default)s]")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the rows as JSON, too")
    parser.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"), help="or CST [%(default)s]")
    parser.add_argument("--ast-grep", default=os.environ.get("AST_GREP", "ast-grep"), help="or AST_GREP [%(default)s]")
    return parser


def has_files(folder, endings):
    return any(next(Path(folder).rglob(f"*.{ending}"), None) for ending in endings)


def compare(options, language, pattern, folders):
    """Both programs at once, each in its own process."""
    with ThreadPoolExecutor(2) as pool:
        ours = pool.submit(cst, options.cst, language, pattern["code"], folders)
        theirs = pool.submit(ast_grep, options.ast_grep, language, pattern.get("theirs", pattern["code"]), folders)
        ours, theirs = ours.result(), theirs.result()
    return {
        "language": language["language"],
        "code": pattern["code"],
        "ours": len(ours),
        "theirs": len(theirs),
        "only_ours": len(ours - theirs),
        "only_theirs": len(theirs - ours),
        "differs": ours != theirs,
        "why": pattern.get("why", ""),
        "ours_alone": sorted(ours - theirs),
        "theirs_alone": sorted(theirs - ours),
    }


def cst(program, language, code, folders):
    globs = [word for ending in language["endings"] for word in ("--glob", f"*.{ending}")]
    words = [program, "find", f"--pattern={code}", "--language", language["language"], "--jsonl", "--hidden", "--no-ignore", *globs]
    found = set()
    for match in answers([*words, *folders], (0, 1)):
        if "path" in match and "start_line" in match:
            start, end = (match["start_line"], match["start_col"]), (match["end_line"], match["end_col"])
            found.add((os.path.normpath(match["path"]), start, end))
    return found


def ast_grep(program, language, code, folders):
    globs = [word for ending in language["endings"] for word in ("--globs", f"*.{ending}")]
    hidden = [word for what in ("hidden", "dot", "exclude", "global", "parent", "vcs") for word in ("--no-ignore", what)]
    name = language.get("theirs", language["language"])
    found = set()
    for match in answers([program, "run", "-p", code, "-l", name, "--json=stream", *hidden, *globs, *folders], (0, 1)):
        start, end = match["range"]["start"], match["range"]["end"]
        places = (start["line"] + 1, start["column"]), (end["line"] + 1, end["column"])
        found.add((os.path.normpath(match["file"]), *places))
    return found


def answers(command, good):
    """The objects that a program prints, a line each."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in good:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        print(f"  {Path(command[0]).name}: {' '.join(said[:3])}", file=sys.stderr)
    for text in done.stdout.splitlines():
        if text.startswith(b"{"):
            yield json.loads(text)


def line(row):
    code = row["code"].replace("\n", "\\n")
    counts = f"{row['ours']:>7,} {row['theirs']:>7,} {row['only_ours']:>7,} {row['only_theirs']:>7,}"
    why = row["why"] or ("UNEXPLAINED" if row["differs"] else "")
    return f"{row['language']:<11} {code:<52} {counts}  {why}"


def examples(row, count):
    for name, places in (("only cst", row["ours_alone"]), ("only ast-grep", row["theirs_alone"])):
        for path, start, end in places[:: max(1, len(places) // count)][:count] if count else []:
            print(f"    {name}: {path}:{start[0]}:{start[1]}-{end[0]}:{end[1]}  {first_line(path, start)}")


def first_line(path, start):
    lines = Path(path).read_bytes().splitlines()
    return lines[start[0] - 1].decode(errors="replace").strip()[:140] if start[0] <= len(lines) else ""


if __name__ == "__main__":
    sys.exit(main())
