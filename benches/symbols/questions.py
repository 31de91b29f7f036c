"""Five questions about a project, as an agent asks them: with the MCP tools of cst, and with grep and reading.

    python3 benches/symbols/questions.py --cst target/release/cst --folder DJANGO

For cst, the calls and the size of requests and answers are counted. Beside it: one `grep -rnw` for each name of the question, and
reading the files with hits, up to 2,000 lines each, as agents' reading tools do. A token is taken as four bytes.
"""

import argparse
import json
import os
import subprocess

QUESTIONS = [
    ("who calls get_object_or_404", [("refs", {"symbol": "get_object_or_404", "relation": "callers"})], ["get_object_or_404"]),
    ("subclasses of Model that override save",
     [("find", {"selector": "class:extends(\"django/db/models/base.py::Model\") > method#save", "path": "."})], ["save"]),
    ("what breaks if QuerySet.filter changes",
     [("refs", {"symbol": "QuerySet.filter", "relation": "impact", "depth": 1})], ["filter"]),
    ("where are CSRF tokens rotated", [("search", {"query": "rotate csrf token", "limit": 5})], ["rotate", "csrf"]),
    ("which definitions of django/utils are unused",
     [("refs", {"relation": "unused", "path": "django/utils", "certain": True})], None),
]


def ask(cst, folder, calls):
    """The text of the answers of an MCP server."""
    lines = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    for number, (tool, arguments) in enumerate(calls, 1):
        lines.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
    run = subprocess.run([cst, "mcp"], input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True, cwd=folder)
    texts = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        if answer.get("id"):
            texts[answer["id"]] = "".join(part.get("text", "") for part in answer["result"]["content"])
    return [texts[number] for number in sorted(texts)]


def grep_and_read(folder, names):
    """How many calls and bytes grep and reading take."""
    calls, size, paths = 0, 0, set()
    for name in names:
        out = subprocess.run(["grep", "-rnwI", name, "."], capture_output=True, text=True, cwd=folder).stdout
        calls += 1
        size += len(out)
        paths.update(line.split(":", 1)[0] for line in out.splitlines())
    for path in paths:
        text = "".join(open(os.path.join(folder, path), errors="replace").readlines()[:2000])
        calls += 1
        size += len(text)
    return calls, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--folder", required=True)
    parser.add_argument("--show", action="store_true", help="print the answers")
    options = parser.parse_args()
    cst = os.path.abspath(options.cst)
    print("| question | calls | tokens | grep and read: calls | tokens |")
    print("|---|--:|--:|--:|--:|")
    for question, calls, names in QUESTIONS:
        answers = ask(cst, options.folder, calls)
        size = sum(len(json.dumps(arguments)) for _, arguments in calls) + sum(map(len, answers))
        peer = "no way by grep | " if names is None else "{:,} | {:,}".format(*(lambda c, s: (c, s // 4))(*grep_and_read(options.folder, names)))
        print(f"| {question} | {len(calls)} | {size // 4:,} | {peer} |", flush=True)
        if options.show:
            print("\n".join(answers))


if __name__ == "__main__":
    main()
