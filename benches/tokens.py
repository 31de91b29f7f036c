#!/usr/bin/env python3
"""What three tasks cost a model: whole files, search-and-replace, and `cst`.

    benches/tokens.py [--cst target/release/cst] [--report docs/benchmarks.md] [--json tokens.json] [--calls]

The tasks are done for real, on copies of this Python's own library, and have to end in the same bytes, or for the outline in
the same definitions. A call costs what the model writes, its arguments as JSON, and what it then reads, the result. Counted
are calls, bytes and tokens (o200k) of both; what a client adds around them is the same for all and left out.

Where there is a choice it is made in favour of the other two: files are read without line numbers, only the parts that are
needed where parts will do, a search prints just the matching lines, no file is read again before it is edited, and an edit
answers with one line.

Python 3.9 or newer; for the tokens `bpe-openai` of PyPI.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from harness import document

BEGIN = "<!-- begin: benches/tokens.py -->"
END = "<!-- end: benches/tokens.py -->"
LIBRARY = Path(sysconfig.get_paths()["stdlib"])


class Ledger:
    """The calls of one way to do one task."""

    def __init__(self, folder):
        self.folder, self.calls = folder, []

    def note(self, tool, arguments, result):
        self.calls.append({"tool": tool, "arguments": json.dumps(arguments, ensure_ascii=False), "result": result})
        return result


class Files(Ledger):
    """The tools that agents have by themselves."""

    def read(self, path, offset=None, limit=None):
        lines = (self.folder / path).read_text().splitlines(keepends=True)
        arguments = {"file_path": path}
        if limit:
            lines = lines[offset - 1 : offset - 1 + limit]
            arguments.update(offset=offset, limit=limit)
        return self.note("read", arguments, "".join(lines))

    def write(self, path, content):
        (self.folder / path).write_text(content)
        self.note("write", {"file_path": path, "content": content}, f"{path} has been written.")

    def edit(self, path, old, new, replace_all=False):
        text = (self.folder / path).read_text()
        assert text.count(old) == 1 or (replace_all and old in text), f"{path}: `{old}` stands there {text.count(old)} times"
        (self.folder / path).write_text(text.replace(old, new))
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        if replace_all:
            arguments["replace_all"] = True
        self.note("edit", arguments, f"{path} has been updated.")

    def grep(self, pattern, path):
        """Lines as `path:line:text`, in the order of paths and lines."""
        paths = [self.folder / path] if (self.folder / path).is_file() else sorted((self.folder / path).rglob("*.py"))
        found = [
            f"{file.relative_to(self.folder)}:{number}:{line}"
            for file in paths
            for number, line in enumerate(file.read_text().splitlines(), 1)
            if re.search(pattern, line)
        ]
        return self.note("grep", {"pattern": pattern, "path": path}, "\n".join(found))


class Cst(Ledger):
    """The tools of `cst mcp`."""

    def __init__(self, folder, program):
        super().__init__(folder)
        environment = dict(os.environ, CST_STATE=str(folder.parent / "state"))
        self.server = subprocess.Popen(
            [program, "mcp"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tokens", "version": "1"}},
        )

    def ask(self, method, params):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\n")
        self.server.stdin.flush()
        while "id" not in (message := json.loads(self.server.stdout.readline())):
            pass
        return message["result"]

    def call(self, tool, **arguments):
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(block["text"] for block in result["content"])
        assert not result["isError"], f"{tool} {arguments}: {text}"
        return self.note(tool, arguments, text)

    def end(self):
        self.server.stdin.close()
        self.server.wait(10)


class ChangeMethod:
    """One method of a file of 2,209 lines gets another message."""

    title = "find and change one method (`Popen.communicate` in subprocess.py, {lines:,} lines)"
    paths = ["subprocess.py"]
    old = 'raise ValueError("Cannot send input after starting communication")'
    new = 'raise ValueError(\n                f"Cannot send input to process {self.pid}: it has been sent some")'

    def whole(self, files):
        text = files.read("subprocess.py")
        files.write("subprocess.py", text.replace(self.old, self.new))

    def replace(self, files):
        found = files.grep(r"def communicate\(", "subprocess.py")
        line = int(found.split(":")[1])
        part = files.read("subprocess.py", line, 65)
        assert self.old in part
        files.edit("subprocess.py", self.old, self.new)

    def cst(self, cst):
        method = "class#Popen > method#communicate"
        assert self.old in cst.call("show", path="subprocess.py", nodes=[method])
        cst.call(
            "edit", path="subprocess.py", operations=[{"op": "sub", "target": method, "find": self.old, "replace": self.new}]
        )


class AddParameter:
    """A function gets a parameter, and each call of it an argument; a function of another module has the same name."""

    title = "add a parameter and update calls (`iscoroutine` of asyncio, 11 calls in 7 files)"
    paths = ["asyncio"]
    named = "asyncio/coroutines.py"

    def whole(self, files):
        found = files.grep(r"iscoroutine\(", "asyncio")
        for path in dict.fromkeys(line.split(":")[0] for line in found.splitlines()):
            if path == "asyncio/__main__.py":
                continue
            text = files.read(path)
            if path == self.named:
                text = text.replace("def iscoroutine(obj)", "def iscoroutine(obj, generators)").replace(
                    "assert iscoroutine(coro)", "assert iscoroutine(coro, generators=True)"
                )
            files.write(
                path, re.sub(r"coroutines\.iscoroutine\((\w+)\)", r"coroutines.iscoroutine(\1, generators=True)", text)
            )

    def replace(self, files):
        found = files.grep(r"iscoroutine\(", "asyncio")
        files.edit(self.named, "def iscoroutine(obj):", "def iscoroutine(obj, generators):")
        files.edit(self.named, "assert iscoroutine(coro)", "assert iscoroutine(coro, generators=True)")
        calls = [(line.split(":")[0], *re.findall(r"coroutines\.iscoroutine\(\w+\)", line)) for line in found.splitlines()]
        calls = [call for call in calls if len(call) > 1]
        for path, call in dict.fromkeys(calls):
            files.edit(path, call, call[:-1] + ", generators=True)", replace_all=calls.count((path, call)) > 1)

    def cst(self, cst):
        cst.call("find", selector="call#iscoroutine", path="asyncio", code=True)
        cst.call(
            "edit",
            path=self.named,
            operations=[
                {"op": "insert", "target": "function#iscoroutine > parameters", "position": "last", "code": "generators"},
                {
                    "op": "insert",
                    "target": "call#iscoroutine > argument_list",
                    "position": "last",
                    "code": "generators=True",
                },
            ],
        )
        cst.call(
            "rewrite",
            path="asyncio",
            pattern="coroutines.iscoroutine($A)",
            template="coroutines.iscoroutine($A, generators=True)",
        )


class Outline:
    """All classes and functions of a package, where they stand and what they belong to."""

    title = "outline a package (`http`: 5 files, {lines:,} lines)"
    paths = ["http"]

    def whole(self, files):
        return {fact for path in self.files(files.folder) for fact in definitions(files.read(path), path)}

    def replace(self, files):
        found = files.grep(r"^\s*(class|def|async def) \w+", "http")
        facts = re.findall(r"^([^:]+):(\d+):\s*(?:class|def|async def) (\w+)", found, re.MULTILINE)
        facts = {(path, int(line), name) for path, line, name in facts}
        # A line of a docstring that begins with `class` is found too; a model that reads it wouldn't take it for one.
        return facts & {
            fact for path in self.files(files.folder) for fact in definitions((files.folder / path).read_text(), path)
        }

    def cst(self, cst):
        """Page after page, as each says how to go on; then the files of which a page shows only a part."""
        asked = {"kinds": ["class", "function", "method"]}
        pages = self.pages(cst, {"path": "http", **asked})
        for file in re.findall(r"^(http/[^\s,]+)(?:(?!^http/).)*outline this file", "\n".join(pages), re.M | re.S):
            pages += self.pages(cst, {"path": file, **asked})
        facts, path = set(), None
        for line in "\n".join(pages).splitlines():
            if header := re.match(r"(http/[^\s,]+)", line):
                path = header[1]
            elif found := re.match(r"\s*(\d+)(?:-\d+)?\s+.*?\b(?:class|def)\s+(\w+)", line):
                facts.add((path, int(found[1]), found[2]))
        return facts

    @staticmethod
    def pages(cst, asked):
        pages = [cst.call("outline", **asked)]
        while further := re.search(r'go on with cursor "(\w+)"', pages[-1]):
            pages.append(cst.call("outline", **asked, cursor=further[1]))
        return pages

    def files(self, folder):
        return [str(path.relative_to(folder)) for path in sorted((folder / "http").glob("*.py"))]


def definitions(text, path):
    """What is defined, by Python's own parser."""
    import ast

    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {(path, node.lineno, node.name) for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)}


TASKS = [ChangeMethod(), AddParameter(), Outline()]
WAYS = [("whole", "whole files"), ("replace", "search and replace"), ("cst", "cst")]


def main():
    options = parser().parse_args()
    results = [measure(task, options) for task in TASKS]
    document.put(table(results) + "\n\n" + listing(options), BEGIN, END, options.report)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


def parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cst", type=Path, default=Path("target/release/cst"), help="[%(default)s]")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="put the table there, between its markers [standard output]"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--calls", action="store_true", help="each call on standard error")
    return parser


def measure(task, options):
    done = {way: carried_out(task, way, options) for way, _ in WAYS}
    ends = {way: end for way, (_, end, _) in done.items()}
    assert ends["replace"] == ends["whole"], f"{task.title}: search and replace ended elsewhere"
    assert ends["cst"] == ends["whole"], f"{task.title}: cst ended elsewhere: {difference(ends['cst'], ends['whole'])}"
    lines = max(lines for _, _, lines in done.values())
    return {
        "task": task.title.format(lines=lines),
        "ways": {way: cost(ledger.calls) for way, (ledger, _, _) in done.items()},
    }


def carried_out(task, way, options):
    """A fresh copy, the task done on it, and what came of it: the definitions found, or the files changed."""
    with tempfile.TemporaryDirectory(prefix="cst-tokens-") as folder:
        root = Path(folder).resolve() / "work"
        for path in task.paths:
            source = LIBRARY / path
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, root / path, ignore=ignored) if source.is_dir() else copy(source, root / path)
        lines = sum(len(path.read_text().splitlines()) for path in root.rglob("*.py"))
        ledger = Cst(root, options.cst.absolute()) if way == "cst" else Files(root)
        end = getattr(task, way)(ledger)
        if way == "cst":
            ledger.end()
        if options.calls:
            for call in ledger.calls:
                print(f"--- {way}: {call['tool']} {call['arguments'][:300]}\n{call['result'][:1500]}", file=sys.stderr)
        if end is None:
            end = {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*.py"))}
        return ledger, end, lines


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def difference(one, other):
    if isinstance(one, set):
        return {"missing": sorted(other - one)[:5], "more": sorted(one - other)[:5]}
    return [path for path in other if one.get(path) != other[path]]


def cost(calls):
    written = [call["tool"] + call["arguments"] for call in calls]
    read = [call["result"] for call in calls]
    size = lambda texts: sum(len(text.encode()) for text in texts)
    return {
        "calls": len(calls),
        "bytes written": size(written),
        "bytes read": size(read),
        "tokens written": tokens(written),
        "tokens read": tokens(read),
    }


def tokens(texts):
    try:
        import bpe_openai
    except ImportError:
        return None
    encoding = bpe_openai.get_encoding("o200k_base")
    return sum(len(encoding.encode(text)) for text in texts)


def listing(options):
    """What a session costs before the first call: the list of cst's tools."""
    with tempfile.TemporaryDirectory(prefix="cst-tokens-") as folder:
        root = Path(folder).resolve() / "work"
        root.mkdir()
        cst = Cst(root, options.cst.absolute())
        text = json.dumps(cst.ask("tools/list", {}), ensure_ascii=False, separators=(",", ":"))
        cst.end()
    count = tokens([text])
    library = f"Measured on the standard library of Python {platform.python_version()}. "
    return (
        library
        + f"In addition, each session with `cst` lists its tools once: {len(text.encode()):,} bytes"
        + (f", {count:,} tokens.\n" if count else ".\n")
    )


def table(results):
    columns = ["calls", "bytes written", "bytes read", "tokens written", "tokens read"]
    rows = [["task", "way", *columns], ["---", "---", *["---:"] * len(columns)]]
    for result in results:
        for way, name in WAYS:
            numbers = [result["ways"][way][column] for column in columns]
            rows.append(
                [result["task"] if way == "whole" else "", name, *(f"{n:,}" if n is not None else "–" for n in numbers)]
            )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


if __name__ == "__main__":
    main()
