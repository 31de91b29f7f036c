"""P13 and P14: pages of a search, and a server that answers many requests over an indexed folder."""

import json
import os
import select
import subprocess
import tempfile
import time

from .process import Limits, run

PAGE = 100
PAGES = (1, 10, 100)
#: After so many requests the server is looked at.
POINTS = (100, 1_000, 10_000)
SELECTOR = "call"


class Server:
    """A `cst rpc` in a folder."""

    def __init__(self, program, folder, environment, seconds=120):
        self.seconds = seconds
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [program, "rpc", "--root", "."],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self.asked = 0
        self.buffer = b""

    def ask(self, method, **params):
        self.asked += 1
        message = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.line())
            if answer.get("id") == self.asked:
                break
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def line(self):
        output = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            if not select.select([output], [], [], self.seconds)[0]:
                raise RuntimeError(f"no answer for {self.seconds} s")
            read = os.read(output, 1 << 20)
            if not read:
                raise RuntimeError("the server ended")
            self.buffer += read
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def close(self):
        self.process.stdin.close()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def pages(session, rounds):
    """What pages cost, each asked by a process of its own: without an index and with one."""
    setting = session.setting
    program = setting.tools.programs["cst"]
    cursors, server = {1: None}, Server(program, setting.python, session.environment)
    cursor = None
    for page in range(1, max(PAGES)):
        found = server.ask("find", **request(cursor, False))
        cursor = found.get("cursor")
        if cursor is None:
            break
        if page + 1 in PAGES:
            cursors[page + 1] = cursor
    server.ask("index", targets=["."], no_ignore=True)
    server.close()
    measured = []
    for indexed in (False, True):
        runs = {page: [] for page in cursors}
        for _ in range(rounds):
            for page, cursor in cursors.items():
                runs[page].append(one_page(session, cursor, indexed))
        measured += [{"page": page, "indexed": indexed, "runs": found} for page, found in runs.items()]
    return {"selector": SELECTOR, "size": PAGE, "pages": measured}


def request(cursor, indexed):
    reading = {"no_ignore": True, "language": "python", **({} if indexed else {"no_cache": True})}
    return {"selector": SELECTOR, "targets": ["."], "limit": PAGE, "reading": reading, **({"cursor": cursor} if cursor else {})}


def one_page(session, cursor, indexed):
    setting = session.setting
    message = {"jsonrpc": "2.0", "id": 1, "method": "find", "params": request(cursor, indexed)}
    with tempfile.TemporaryFile(dir=setting.work) as given, tempfile.TemporaryFile(dir=setting.work) as output:
        given.write(json.dumps(message).encode() + b"\n")
        given.seek(0)
        command = [setting.tools.programs["cst"], "rpc", "--root", "."]
        measured = run(command, setting.python, session.environment, Limits(session.limit), output, given=given)
        output.seek(0)
        answer = json.loads(output.read().splitlines()[-1])
        if "error" in answer or not answer["result"]["matches"]:
            raise RuntimeError(f"a page without matches: {answer.get('error')}")
    return {"cpu": measured.cpu, "wall": measured.wall, "peak": measured.peak}


def server(session, requests):
    """Memory and mappings of a server after some requests: searches of the folder and of files, pages, outlines."""
    setting = session.setting
    folder = setting.slow or setting.python
    served = Server(setting.tools.programs["cst"], folder, session.environment)
    served.ask("index", targets=["."], no_ignore=True)
    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))
    made, points = 0, []
    began = time.monotonic()
    for number in range(max(point for point in POINTS if point <= requests) if requests >= POINTS[0] else requests):
        ask_one(served, number, paths[number * 7 % len(paths)])
        made += 1
        if made in POINTS or made == requests:
            points.append({"requests": made, "seconds": time.monotonic() - began, **state(served.process.pid)})
    status = served.close()
    return {"files": len(paths), "points": points, "status": status}


def ask_one(served, number, path):
    reading = {"no_ignore": True}
    kind = number % 10
    if kind == 0:
        served.ask("find", selector=f'function[name^="{"abcdefgs"[number // 10 % 8]}"]', targets=["."], limit=20, reading=reading)
    elif kind == 1:
        first = served.ask("find", selector="call", targets=["."], limit=50, reading=reading)
        served.ask("find", selector="call", targets=["."], limit=50, cursor=first["cursor"], reading=reading)
    elif kind == 2:
        folder = os.path.dirname(path) or "."
        served.ask("find", selector="class > function", targets=[folder], limit=20, reading=reading)
    elif kind < 6:
        served.ask("outline", targets=[path])
    else:
        served.ask("find", selector="call:has(string)", targets=[path], limit=20)


def state(process):
    """Of a process on Linux: bytes in memory, those of them that are its own, and the number of mappings."""
    with open(f"/proc/{process}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    with open(f"/proc/{process}/maps") as file:
        mappings = sum(1 for _ in file)
    files = len(os.listdir(f"/proc/{process}/fd"))
    size = {name: int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "RssAnon") if name in fields}
    return {"memory": size.get("VmRSS", 0), "own": size.get("RssAnon", 0), "mappings": mappings, "open_files": files}
