"""How well `cst search` finds a function by what its documentation says.

The first sentence of a function's documentation is the query, and the function must be found in a copy of the sources from which
that sentence was removed. Prints the mean reciprocal rank over the first 100 results, beside `git grep` and a plain FTS5 table of
the same definitions.

    python3 benches/symbols/search.py --cst target/release/cst NAME=FOLDER ... [--queries 2000] [--embed MODEL]

Functions with a sentence of at least four words that no other function has are taken, at random with a fixed seed. Files are
Python (read by `ast`), or TypeScript and Go (read by `cst outline --docs`).
"""

import argparse
import ast
import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

RANKS = 100
STOP = set("a an and are as at be by can do does for from has have how i if in into is it its not of on or that the their them then "
           "this to was we what when where which who why will with you".split())


def sentence(text):
    """The first sentence of a documentation, as one line."""
    paragraph = re.split(r"\n\s*\n", text.strip())[0]
    line = " ".join(paragraph.split())
    match = re.match(r"(.+?[.!?])(\s|$)", line)
    return (match.group(1) if match else line).strip()


def python_functions(path, source):
    """The functions of a file: name, line, first and last line of the sentence to remove, the sentence."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            doc = ast.get_docstring(node, clean=True)
            if doc and isinstance(node.body[0], ast.Expr):
                yield node.name, node.lineno, (node.body[0].lineno, node.body[0].end_lineno), sentence(doc)


def outlined_functions(cst, folder):
    """The same for other languages: documentation is the comment above a function."""
    out = subprocess.run([cst, "outline", "--docs", "--jsonl", folder], capture_output=True, text=True).stdout
    for line in out.splitlines():
        row = json.loads(line)
        if "definitions" not in row:
            continue
        path = row["path"]
        lines = open(path, encoding="utf-8", errors="replace").read().splitlines()
        for found in row["definitions"]:
            if found["kind"] not in ("function", "method") or not found.get("doc"):
                continue
            first = found["start_line"]
            top = first - 1
            while top > 0 and re.match(r"\s*(//|/\*|\*)", lines[top - 1]):
                top -= 1
            text = "\n".join(re.sub(r"^\s*(///?|/\*\*?|\*/|\*)", "", line).replace("*/", "") for line in lines[top:first - 1])
            if text.strip():
                yield path, found["name"], first, (top + 1, first - 1), sentence(text)


def collect(cst, folder):
    """All functions with a usable sentence."""
    found = []
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if name.endswith(".py"):
                source = open(path, encoding="utf-8", errors="replace").read()
                found += [(path, *row) for row in python_functions(path, source)]
    if not found:
        found = list(outlined_functions(cst, folder))
    seen = {}
    for row in found:
        seen.setdefault(row[4].lower(), []).append(row)
    unique = [rows[0] for rows in seen.values() if len(rows) == 1]
    return [row for row in unique if len(re.findall(r"\w+", row[4])) >= 4 and len(row[4]) < 300]


def remove(rows, folder, copy):
    """Copies the folder, without the sentences of the chosen functions."""
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    by_path = {}
    for row in rows:
        by_path.setdefault(row[0], []).append(row)
    for path, chosen in by_path.items():
        lines = open(path, encoding="utf-8", errors="surrogateescape", newline="").read().split("\n")
        for _, _, _, (first, last), text in chosen:
            block = "\n".join(lines[first - 1:last])
            pattern = r"(?:\s|//|/\*|\*|#)+".join(re.escape(word) for word in text.split())
            # The lines must stay where they are.
            block = re.sub(pattern, lambda match: "\n" * match.group(0).count("\n"), block, count=1)
            lines[first - 1:last] = block.split("\n")
        target = os.path.join(copy, os.path.relpath(path, folder))
        open(target, "w", encoding="utf-8", errors="surrogateescape", newline="").write("\n".join(lines))


def embed(cst, copy, model):
    """Makes the vectors; how long that took, and what was printed."""
    start = time.time()
    run = subprocess.run([cst, "index", "--embed", model], capture_output=True, text=True, cwd=copy)
    if run.returncode:
        sys.exit(run.stderr)
    return time.time() - start, run.stderr.strip().splitlines()[-1]


def cst_ranks(cst, copy, rows, folder, mode=None):
    """The rank of each function in the answers of `cst`, and of its file."""
    requests = []
    for number, row in enumerate(rows):
        # Words alone: a colon or a minus in a sentence is not meant as a filter.
        query = " ".join(re.findall(r"\w+", row[4]))
        params = {"query": query, "targets": ["."], "limit": RANKS}
        if mode:
            params["mode"] = mode
        requests.append(json.dumps({"jsonrpc": "2.0", "id": number, "method": "search", "params": params}))
    run = subprocess.run([cst, "rpc"], input="\n".join(requests) + "\n", capture_output=True, text=True, cwd=copy)
    answers = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        if "id" not in answer:
            continue
        if "result" not in answer:
            sys.exit(f"cst: {answer}")
        answers[answer["id"]] = answer["result"]["results"]
    ranks, files = [], []
    for number, row in enumerate(rows):
        path, name = os.path.relpath(row[0], folder), row[1]
        paths = list(dict.fromkeys(found["path"] for found in answers[number]))
        files.append(paths.index(path) + 1 if path in paths else 0)
        rank = 0
        for place, found in enumerate(answers[number], 1):
            same = found["path"] == path and re.split(r"[.:#]+", found["qualname"])[-1] == name
            if same and abs(found["line"] - row[2]) <= 40:
                rank = place
                break
        ranks.append(rank)
    return ranks, files


def definitions(cst, copy):
    """The definitions of the copy with their text, for the peers."""
    out = subprocess.run([cst, "outline", "--jsonl", "."], capture_output=True, text=True, cwd=copy).stdout
    for line in out.splitlines():
        row = json.loads(line)
        if "definitions" not in row:
            continue
        lines = open(os.path.join(copy, row["path"]), encoding="utf-8", errors="replace").read().splitlines()
        for found in row["definitions"]:
            yield row["path"], found["name"], found["start_line"], "\n".join(lines[found["start_line"] - 1:found["end_line"]])


def fts_ranks(rows, folder, all_definitions):
    """A plain FTS5 table of definitions with the tokenizer as it comes."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE d USING fts5(body)")
    base.executemany("INSERT INTO d (rowid, body) VALUES (?, ?)", [(n + 1, d[3]) for n, d in enumerate(all_definitions)])
    ranks = []
    for row in rows:
        words = [word for word in re.findall(r"\w+", row[4].lower()) if word not in STOP]
        query = " OR ".join(f'"{word}"' for word in words)
        path, name = os.path.relpath(row[0], folder), row[1]
        rank = 0
        if query:
            found = base.execute("SELECT rowid FROM d WHERE d MATCH ? ORDER BY rank LIMIT ?", (query, RANKS))
            for place, (number,) in enumerate(found, 1):
                definition = all_definitions[number - 1]
                if definition[0] == path and definition[1] == name and abs(definition[2] - row[2]) <= 40:
                    rank = place
                    break
        ranks.append(rank)
    return ranks


def grep_ranks(rows, folder, copy):
    """`git grep` for the words, files by how many different words they have; the rank of the function's file."""
    ranks = []
    for row in rows:
        words = sorted({word for word in re.findall(r"\w+", row[4].lower()) if word not in STOP and len(word) > 2})
        counts = {}
        for word in words:
            out = subprocess.run(["git", "grep", "--no-index", "-liwF", "-e", word, "--", "."], capture_output=True, text=True, cwd=copy)
            for path in out.stdout.splitlines():
                counts[path] = counts.get(path, 0) + 1
        path = os.path.relpath(row[0], folder)
        mine = counts.get(path, 0)
        better = sum(1 for count in counts.values() if count > mine)
        same = sum(1 for count in counts.values() if count == mine)
        rank = better + (same + 1) / 2 if mine else 0
        ranks.append(rank if rank <= RANKS else 0)
    return ranks


def mean(ranks):
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--grep", type=int, default=100, help="how many of the queries git grep is tried on")
    parser.add_argument("--misses", type=int, default=0, help="print so many functions that are not in the first ten")
    parser.add_argument("--embed", metavar="MODEL", help="also search by meaning, and by both")
    parser.add_argument("--only-cst", action="store_true", help="leave the other tools out")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the copies and indexes there, and use those that are there")
    parser.add_argument("folders", nargs="+", metavar="NAME=FOLDER")
    options = parser.parse_args()
    cst = os.path.abspath(options.cst)
    print("| sources | functions | `cst search` | in the first 10 | plain FTS5 | its file by `cst search` | its file by `git grep` |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for named in options.folders:
        name, _, folder = named.partition("=")
        folder = os.path.abspath(folder)
        rows = collect(cst, folder)
        random.Random(2026).shuffle(rows)
        rows = rows[:options.queries]
        with contextlib.ExitStack() as stack:
            if options.keep:
                work = os.path.join(os.path.abspath(options.keep), name)
            else:
                work = stack.enter_context(tempfile.TemporaryDirectory())
            copy = os.path.join(work, "copy")
            if not os.path.exists(copy):
                remove(rows, folder, copy)
            os.environ["CST_CACHE"] = os.path.join(work, "cache")
            mine, files = cst_ranks(cst, copy, rows, folder, "lexical")
            if options.embed:
                seconds, made = embed(cst, copy, os.path.abspath(options.embed))
                print(f"    {name}: {made} ({seconds:.0f} s)", file=sys.stderr)
                for mode in ("semantic", None):
                    start = time.time()
                    found, of_file = cst_ranks(cst, copy, rows, folder, mode)
                    ten = sum(1 for rank in found if 0 < rank <= 10) / len(found)
                    label = f"{name}, by {'meaning' if mode else 'both'}"
                    print(f"| {label} | {len(rows):,} | {mean(found):.3f} | {ten:.0%} | | {mean(of_file):.3f} | |", flush=True)
                    print(f"    {label}: {1000 * (time.time() - start) / len(rows):.0f} ms a query", file=sys.stderr)
            if options.only_cst:
                print(f"| {name} | {len(rows):,} | {mean(mine):.3f} | | | {mean(files):.3f} | |", flush=True)
                continue
            listed = list(definitions(cst, copy))
            plain = fts_ranks(rows, folder, listed)
            grep = grep_ranks(rows[:options.grep], folder, copy)
            ten = sum(1 for rank in mine if 0 < rank <= 10) / len(mine)
            print(f"| {name} | {len(rows):,} | {mean(mine):.3f} | {ten:.0%} | {mean(plain):.3f} | {mean(files):.3f} | {mean(grep):.3f} |", flush=True)
            for row, rank in list(zip(rows, mine))[:4 * options.misses]:
                if not 0 < rank <= 10 and options.misses:
                    print(f"    {rank or '-'}  {os.path.relpath(row[0], folder)}:{row[2]} {row[1]}: {row[4]}")


if __name__ == "__main__":
    main()
