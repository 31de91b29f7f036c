#!/usr/bin/env python3
"""How long a rename takes, beside rope, tsserver and gopls: the same definitions, previews only.

    times.py LANGUAGE FOLDER --peer rope|tsserver|gopls [--renames N] [--seed S] [--program PATH]

FOLDER is copied. Definitions are drawn as `alpha.py` draws them; those that `cst` calls certain count. `cst` is a process for each rename,
without an index and with one (`cst index`). The other tool is one process for all: its first answer has the start and the loading of the
project in it, the later ones don't. `fresh` starts it again for each of the first renames. Seconds are those of the clock; medians.

`same` counts renames of which both tools change the same number of places, and `refused` those that the other tool doesn't make.
Programs: `rope` is imported; tsserver is `$TYPESCRIPT/lib/tsserver.js` (node); gopls is on the PATH, or --program.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import alpha  # noqa: E402

FRESH = 5


class Rope:
    def __init__(self, folder, options):
        code = ("import sys, json\nfrom rope.base.project import Project\nfrom rope.refactor.rename import Rename\n"
                "project = Project(sys.argv[1], ropefolder=None)\n"
                "for line in sys.stdin:\n"
                "    path, offset, new = json.loads(line)\n"
                "    try:\n"
                "        changes = Rename(project, project.get_resource(path), offset).get_changes(new).changes\n"
                "        count = sum(change.new_contents.count(new) for change in changes if hasattr(change, 'new_contents'))\n"
                "    except Exception:\n"
                "        count = None\n"
                "    print(json.dumps(count), flush=True)\n")
        self.folder = folder
        self.child = subprocess.Popen([sys.executable, "-c", code, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def rename(self, path, line, column, new):
        """The number of places, or None if the tool refuses."""
        text = pathlib.Path(self.folder, path).read_bytes()
        offset = sum(map(len, text.split(b"\n")[:line - 1])) + line - 1 + column - 1
        self.child.stdin.write(json.dumps([path, len(text[:offset].decode()), new]) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline() or "null")

    def close(self):
        self.child.kill()
        self.child.wait()


class Server:
    """A server that talks in messages with a length."""

    def __init__(self, command, folder):
        self.folder = folder
        self.seq = 0
        self.opened = set()
        self.child = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def read(self):
        length = None
        while True:
            line = self.child.stdout.readline()
            if not line:
                raise EOFError
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif line in (b"\r\n", b"\n") and length is not None:
                return json.loads(self.child.stdout.read(length))

    def close(self):
        self.child.kill()
        self.child.wait()


class Tsserver(Server):
    def __init__(self, folder, options):
        super().__init__(["node", os.path.join(os.environ["TYPESCRIPT"], "lib", "tsserver.js"), "--disableAutomaticTypingAcquisition"], folder)

    def ask(self, command, answer=True, **arguments):
        self.seq += 1
        self.child.stdin.write(json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode() + b"\n")
        self.child.stdin.flush()
        while answer:
            said = self.read()
            if said.get("type") == "response" and said.get("request_seq") == self.seq:
                return said.get("body")

    def rename(self, path, line, column, new):
        full = os.path.join(self.folder, path)
        if path not in self.opened:
            self.opened.add(path)
            self.ask("open", answer=False, file=full)
        body = self.ask("rename", file=full, line=line, offset=column)
        if not body or not body["info"]["canRename"]:
            return None
        return sum(len(file["locs"]) for file in body["locs"])


class Gopls(Server):
    def __init__(self, folder, options):
        super().__init__([options.program or "gopls", "serve"], folder)
        self.ask("initialize", {"processId": None, "rootUri": pathlib.Path(folder).as_uri(), "capabilities": {"workspace": {"workspaceFolders": True}},
                                "workspaceFolders": [{"uri": pathlib.Path(folder).as_uri(), "name": "m"}]})
        self.tell("initialized", {})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.child.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.seq += 1
        self.send({"id": self.seq, "method": method, "params": params})
        while True:
            said = self.read()
            if "method" in said and "id" in said:
                items = said.get("params", {}).get("items") if isinstance(said.get("params"), dict) else None
                self.send({"id": said["id"], "result": [None] * len(items) if items else None})
            elif said.get("id") == self.seq and "method" not in said:
                return said.get("result")

    def rename(self, path, line, column, new):
        full = pathlib.Path(self.folder, path)
        if path not in self.opened:
            self.opened.add(path)
            self.tell("textDocument/didOpen", {"textDocument": {"uri": full.as_uri(), "languageId": "go", "version": 1, "text": full.read_text()}})
        found = self.ask("textDocument/rename", {"textDocument": {"uri": full.as_uri()}, "position": {"line": line - 1, "character": column - 1}, "newName": new})
        if not found:
            return None
        changes = [change["edits"] for change in found.get("documentChanges") or []] or list((found.get("changes") or {}).values())
        return sum(map(len, changes))


PEERS = {"rope": Rope, "tsserver": Tsserver, "gopls": Gopls}


def timed(call):
    begun = time.perf_counter()
    answer = call()
    return time.perf_counter() - begun, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(alpha.SUFFIXES))
    parser.add_argument("folder")
    parser.add_argument("--peer", choices=sorted(PEERS), required=True)
    parser.add_argument("--program")
    parser.add_argument("--renames", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exclude")
    parser.add_argument("--kinds")
    parser.add_argument("--show", action="store_true", help="print the definitions of which both change another number of places")
    parser.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"))
    options = parser.parse_args()
    options.cst = os.path.abspath(options.cst)
    options.check, options.status_only, options.limit = "true", True, 60
    with tempfile.TemporaryDirectory() as scratch:
        place = alpha.Place(options, scratch)
        rows = place.definitions()
        random.Random(options.seed).shuffle(rows)
        chosen = []
        for _, path, line, column, name in rows:
            if len(chosen) == options.renames:
                break
            new = alpha.fresh(name)
            seconds, (status, said) = timed(lambda: run(place, path, line, column, new))
            if status == 0:
                chosen.append((path, line, column, new, seconds, matches(said)))
        if not chosen:
            sys.exit("no certain rename")
        subprocess.run([options.cst, "index", "."], cwd=place.folder, env=place.env, capture_output=True)
        indexed = [timed(lambda: run(place, path, line, column, new))[0] for path, line, column, new, _, _ in chosen]
        peer = PEERS[options.peer]
        fresh, later, first = [], [], None
        same = refused = other = 0
        for path, line, column, new, _, _ in chosen[:FRESH]:
            def once():
                tool = peer(place.folder, options)
                tool.rename(path, line, column, new)
                return tool
            seconds, tool = timed(once)
            tool.close()
            fresh.append(seconds)
        tool = peer(place.folder, options)
        for path, line, column, new, _, count in chosen:
            seconds, found = timed(lambda: tool.rename(path, line, column, new))
            if first is None:
                first = seconds
            else:
                later.append(seconds)
            same += found == count
            refused += found is None
            other += found is not None and found != count
            if options.show and found != count:
                print(f"{path}:{line}:{column}: {count} places, {options.peer} {found}", flush=True)
        tool.close()
    files = sum(path.endswith(alpha.SUFFIXES[options.language]) for path in place.before)
    print("| package | files | renames | cst | with an index | the other, started for one rename | the other, later renames | same places | other places | refused |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    print(f"| {os.path.basename(os.path.abspath(options.folder))}, {options.peer} | {files} | {len(chosen)} | {median(row[4] for row in chosen)} | {median(indexed)} | {median(fresh)} | {median(later)} "
          f"| {same} | {other} | {refused} |")


def run(place, path, line, column, new):
    return alpha.run([place.options.cst, "refactor", "rename", f"{path}:{line}:{column}", new, "--json"], place.folder, place.env, 60)


def matches(said):
    try:
        return sum(file["applied"] for file in json.loads(said)["files"])
    except (ValueError, KeyError):
        return None


def median(seconds):
    seconds = list(seconds)
    return f"{1000 * statistics.median(seconds):.0f} ms" if seconds else "–"


if __name__ == "__main__":
    main()
