"""`cst mcp` message by message: recorded conversations once more, and what no client says twice.

    python wire.py --cst FILE --folder DIR [--recorded DIR]

A recording is a file of lines `{"pid", "d": "in"|"out"|…, "m": message}`. Each message that went in is sent again, a process
for each of the recording's, and to each request an answer of the right shape has to come. Each check is a line of JSON on
standard output, which run.py collects. Python 3.9 or newer and nothing else.
"""

import argparse
import json
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path

NEW = "2026-07-28"
VERSION = "io.modelcontextprotocol/protocolVersion"
OLD = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]


def check(name, held, detail=None):
    print(json.dumps({"check": name, "held": bool(held), "detail": None if held else detail}, default=str), flush=True)


class Server:
    """A process of `cst mcp`, whose messages are read as they come."""

    def __init__(self, options):
        environment = dict(os.environ, CST_STATE=str(options.folder / "state"))
        self.process = subprocess.Popen(
            [options.cst, "mcp"],
            cwd=options.folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self.read = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.read.put(json.loads(line))
        self.read.put(None)

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def next(self, limit=10):
        try:
            return self.read.get(timeout=limit)
        except queue.Empty:
            return "nothing came"

    def ask(self, id, method, params=None, limit=10):
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.answer(id, limit)

    def answer(self, id, limit=10):
        """The answer to a request, and the notifications before it."""
        told = []
        while True:
            message = self.next(limit)
            if not isinstance(message, dict) or "method" not in message:
                return message, told
            told.append(message)

    def end(self, limit=10):
        """Ends the input; what else comes, and the status."""
        self.process.stdin.close()
        rest = []
        while isinstance(message := self.next(limit), dict):
            rest.append(message)
        return rest, self.process.wait(limit)


def replay(options):
    for path in sorted(options.recorded.glob("*.log")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for number, pid in enumerate(dict.fromkeys(line["pid"] for line in lines), 1):
            ours = [line for line in lines if line["pid"] == pid]
            wrong = conversation(options, ours)
            check(f"recorded {path.stem} {number}", not wrong, wrong)


def conversation(options, lines):
    """What went wrong when this was said again."""
    (options.folder / "a.py").write_text("def f():\n    return 1\n")
    server, wrong = Server(options), []
    for index, line in enumerate(lines):
        if line["d"] != "in":
            continue
        server.send(line["m"])
        if "id" not in line["m"]:
            continue
        answer, told = server.answer(line["m"]["id"])
        then = next(later["m"] for later in lines[index:] if later["d"] == "out" and later["m"].get("id") == line["m"]["id"])
        wrong += [f"{line['m']['method']}: {problem}" for problem in differences(line["m"], then, answer, told)]
    rest, status = server.end()
    return wrong + [f"afterwards: {message}" for message in rest] + ([f"ended with {status}"] if status else [])


def differences(request, then, now, told):
    if not isinstance(now, dict) or "result" not in now:
        yield f"answered {now}"
        return
    if now.get("jsonrpc") != "2.0" or now["id"] != request["id"]:
        yield f"not this request's answer: {now}"
    optional = {"structuredContent", "_meta"}
    for key, value in then["result"].items():
        if key in optional and key not in now["result"]:
            continue
        if not isinstance(now["result"].get(key), type(value)):
            yield f"`{key}` was {json.dumps(value)[:100]}, is {json.dumps(now['result'].get(key))[:100]}"
    result = now["result"]
    if request["method"] == "tools/list" and "outline" not in [tool["name"] for tool in result["tools"]]:
        yield "no tool `outline`"
    if request["method"] == "tools/call" and (result["isError"] or "def f()" not in result["content"][0]["text"]):
        yield f"said {result['content']}"
    if request["method"] == "initialize" and result["protocolVersion"] != request["params"]["protocolVersion"]:
        yield f"speaks {result['protocolVersion']}"
    token = request.get("params", {}).get("_meta", {}).get("progressToken")
    if any(step["params"]["progressToken"] != token for step in told):
        yield f"progress of another: {told}"


def meta(version=NEW, **more):
    about = {"name": "wire", "version": "1"}
    return {
        "_meta": {
            VERSION: version,
            "io.modelcontextprotocol/clientInfo": about,
            "io.modelcontextprotocol/clientCapabilities": {},
            **more,
        }
    }


def eras(options):
    for version in OLD:
        server = Server(options)
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}
        answer, _ = server.ask(0, "initialize", params)
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        lists = [
            server.ask(id, method)[0]
            for id, method in enumerate(
                ["ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list"], 1
            )
        ]
        rest, status = server.end()
        held = answer["result"]["protocolVersion"] == version and all("result" in reply for reply in lists) and status == 0
        check(
            f"initialize {version}",
            held and not any("resultType" in reply["result"] for reply in lists),
            [answer, lists, rest, status],
        )
    server = Server(options)
    params = {"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}
    answer, _ = server.ask(1, "initialize", params)
    check("initialize with an unknown version", answer["result"]["protocolVersion"] == OLD[0], answer)
    found, _ = server.ask(2, "server/discover", meta())
    call, _ = server.ask(3, "tools/call", {"name": "outline", "arguments": {"path": "a.py"}, **meta()})
    check(
        "both eras on one input",
        NEW in found["result"]["supportedVersions"] and call["result"]["resultType"] == "complete",
        [found, call],
    )
    wrong, _ = server.ask(4, "tools/list", meta("2031-01-01"))
    held = wrong.get("error", {}).get("code") == -32022 and NEW in wrong["error"]["data"]["supported"]
    check("an unknown version", held and wrong["error"]["data"]["requested"] == "2031-01-01", wrong)
    cached, _ = server.ask(5, "tools/list", meta())
    check(
        "lists may be kept",
        cached["result"].get("ttlMs", -1) >= 0 and cached["result"].get("cacheScope") in ("public", "private"),
        cached,
    )
    unknown, _ = server.ask(6, "tools/lst", meta())
    check("an unknown method", unknown.get("error", {}).get("code") == -32601, unknown)
    server.end()


def trifles(options):
    server = Server(options)
    zero = {"name": "outline", "arguments": {"path": "a.py"}, **meta(progressToken=0)}
    answer, told = server.ask(0, "tools/call", zero)
    check("id 0 and progress token 0", answer.get("id") == 0 and "result" in answer, [answer, told])
    answer, _ = server.ask("a-1", "ping")
    check("an id in words", answer.get("id") == "a-1" and answer.get("result") == {}, answer)
    for name, message in [
        ("cancelled, unknown", {"requestId": 4711}),
        ("cancelled, finished", {"requestId": 0}),
        ("cancelled, nothing", {}),
    ]:
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": message})
        answer, told = server.ask(name, "ping")
        check(name, answer.get("id") == name and not told, [answer, told])
    server.send(b"nonsense\n")
    answer = server.next()
    check("a parse error", answer["error"]["code"] == -32700 and answer.get("id") is None, answer)
    server.send(b"\n")
    server.send({"jsonrpc": "2.0", "method": "notifications/unheard_of"})
    server.send({"jsonrpc": "2.0", "id": 99, "result": {"roots": []}})
    answer, told = server.ask(1, "ping")
    check("an empty line, a notification, a response", answer.get("id") == 1 and not told, [answer, told])
    os.killpg(server.process.pid, signal.SIGINT)
    time.sleep(0.3)
    answer, _ = server.ask(2, "ping")
    check("an interrupt doesn't end it", isinstance(answer, dict) and answer.get("id") == 2, answer)
    rest, status = server.end()
    check("the end of input does", status == 0 and not rest, [rest, status])
    server = Server(options)
    server.send(
        json.dumps(
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "outline", "arguments": {"path": "a.py"}}}
        ).encode()
    )
    rest, status = server.end()
    check("the last line without an end", status == 0 and len(rest) == 1 and rest[0]["id"] == 5, [rest, status])


def cancelling(options):
    if not options.corpus:
        return
    server = Server(options)
    search = {"selector": "function:has(return):not(:has(call)) integer", "path": str(options.corpus), "limit": 100000}
    begun = time.monotonic()
    server.send(
        {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "tools/call",
            "params": {"name": "find", "arguments": search, "_meta": {"progressToken": 0}},
        }
    )
    time.sleep(0.3)
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 0, "reason": "enough"}})
    answer, told = server.ask(1, "ping", limit=30)
    took = time.monotonic() - begun
    check(
        "cancelled, at work: no answer to it, at once to the next",
        answer.get("id") == 1 and took < 1.5,
        [answer, took, told],
    )
    begun = time.monotonic()
    answer, told = server.ask(
        2, "tools/call", {"name": "find", "arguments": search, "_meta": {"progressToken": 0}}, limit=60
    )
    took = time.monotonic() - begun
    right = all(step["params"]["progressToken"] == 0 for step in told)
    check(
        "progress with token 0",
        answer.get("id") == 2 and told and right and len(told) <= took * 10 + 1,
        [took, told[:2], len(told)],
    )
    server.send({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "find", "arguments": search}})
    begun = time.monotonic()
    rest, status = server.end(60)
    check(
        "the end of input in the middle of a search",
        status == 0 and time.monotonic() - begun < 2 * took + 2,
        [len(rest), status],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cst", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, help="a folder whose search takes longer than a second")
    parser.add_argument("--recorded", type=Path, help="the folder of recorded conversations")
    options = parser.parse_args()
    if options.recorded:
        replay(options)
    eras(options)
    trifles(options)
    cancelling(options)


if __name__ == "__main__":
    main()
