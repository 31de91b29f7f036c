#!/usr/bin/env python3
"""Clients that were written elsewhere, against `cst rpc` and `cst mcp`.

    benches/clients/run.py [CLIENT…] [--cst target/release/cst] [--corpus DIR] [--recorded DIR] [--json results.json]

| client | what it is | speaks to |
|---|---|---|
| newline   | json-rpc-2.0, npm | `cst rpc`, a line a message |
| headers   | vscode-jsonrpc, npm | `cst rpc --framing headers` |
| openrpc   | jsonschema, PyPI | `cst rpc`, every method against its own document |
| sdk       | mcp 2.x, PyPI, without a handshake | `cst mcp`, 2026-07-28 |
| sdk-auto  | mcp 2.x, PyPI, as it comes | `cst mcp`, whichever era it finds |
| sdk-old   | mcp 2.x, PyPI, with a handshake | `cst mcp`, 2025-11-25 |
| sdk-1     | mcp 1.x, PyPI | `cst mcp`, 2025-11-25 |
| inspector | the MCP Inspector's command line, npm | `cst mcp` |
| wire      | recorded conversations, and single messages | `cst mcp`, both eras |

A client that isn't installed is left out. README.md says how to get them. `--corpus` is any large folder of Python; without
it, what has to last longer than a second isn't tried.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
CLIENTS = ["newline", "headers", "openrpc", "sdk", "sdk-auto", "sdk-old", "sdk-1", "inspector", "wire"]


def main():
    options = parser().parse_args()
    options.cst = options.cst.absolute()
    results = []
    for client in options.clients or CLIENTS:
        with tempfile.TemporaryDirectory(prefix="cst-client-") as folder:
            result = ask(client, Path(folder), options)
        results.append(result)
        print(summary(result), flush=True)
        for row in result["checks"]:
            if not row["held"]:
                print(f"    NO   {row['check']}\n         {json.dumps(row['detail'])[:1500]}")
            elif options.verbose:
                print(f"    yes  {row['check']}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(row["held"] for result in results for row in result["checks"]) else 1


def parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", nargs="*", metavar="CLIENT", choices=[*CLIENTS, []], help="all otherwise")
    parser.add_argument("--cst", type=Path, default=Path("target/release/cst"), help="[%(default)s]")
    parser.add_argument(
        "--modules",
        default=os.environ.get("NODE_PATH", ""),
        metavar="DIR",
        help="node_modules with the JSON-RPC clients [NODE_PATH]",
    )
    parser.add_argument("--node", default="node", help="for the Inspector, 22.19 or newer [%(default)s]")
    parser.add_argument("--inspector", default=shutil.which("mcp-inspector"), metavar="FILE", help="[mcp-inspector on PATH]")
    parser.add_argument("--python", default=sys.executable, help="one that has mcp 2.x [this one]")
    parser.add_argument("--python-1", default="", help="one that has mcp 1.x")
    parser.add_argument("--corpus", type=Path, help="a folder whose search takes longer than a second")
    parser.add_argument("--recorded", type=Path, help="recorded conversations")
    parser.add_argument("--limit", type=float, default=300, help="seconds a client may take [%(default)s]")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--verbose", action="store_true", help="say what held, too")
    return parser


def ask(client, folder, options):
    command, environment = command_of(client, folder, options)
    if command is None:
        return {"client": client, "checks": [], "left out": "not installed"}
    if client == "inspector":
        return {"client": client, "checks": inspect(command, folder, options)}
    try:
        done = subprocess.run(
            command, env=dict(os.environ, **environment), capture_output=True, text=True, timeout=options.limit
        )
        output, errors, status = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as error:
        output, errors, status = (error.stdout or b"").decode(), (error.stderr or b"").decode(), "timed out"
    checks = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if "No module named" in errors or "Cannot find module" in errors:
        return {"client": client, "checks": [], "left out": errors.strip().splitlines()[-1]}
    if status != 0:
        checks.append({"check": "came to its end", "held": False, "detail": f"{status}: {errors[-1200:]}"})
    return {"client": client, "checks": checks}


def command_of(client, folder, options):
    """The command that runs a client's checks, None when it isn't there."""
    given = ["--cst", str(options.cst), "--folder", str(folder)]
    corpus = ["--corpus", str(options.corpus.absolute())] if options.corpus else []
    if client in ("newline", "headers"):
        words = [f"{name}={value}" for name, value in zip(given[::2], given[1::2])]
        words += [f"{name}={value}" for name, value in zip(corpus[::2], corpus[1::2])]
        return ["node", str(HERE / f"{client}.cjs"), *words], {"NODE_PATH": str(Path(options.modules).absolute())}
    if client == "wire":
        recorded = ["--recorded", str(options.recorded.absolute())] if options.recorded else []
        return [sys.executable, str(HERE / "wire.py"), *given, *corpus, *recorded], {}
    if client == "openrpc":
        return [options.python, str(HERE / "openrpc.py"), *given], {}
    if client == "inspector":
        return ([options.node, options.inspector] if options.inspector else None), {}
    mode = {"sdk": ["--mode", "2026-07-28"], "sdk-old": ["--mode", "legacy"]}.get(client, [])
    python = options.python_1 if client == "sdk-1" else options.python
    return ([python, str(HERE / "sdk.py"), *given, *corpus, *mode] if python else None), {}


def inspect(command, folder, options):
    """The Inspector starts a server for each call: what one of them loaded, the next one finds."""
    (folder / "app.py").write_text("class Server:\n    def handle(self):\n        return 1\n")
    environment = dict(os.environ, CST_STATE=str(folder / "state"), HOME=str(folder))
    checks = []

    def call(*words):
        store = ["-e", f"CST_STATE={folder / 'state'}"]
        done = subprocess.run(
            [*command, "--cli", str(options.cst), "mcp", *store, *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        try:
            return done.returncode, json.loads(done.stdout), done.stderr
        except ValueError:
            return done.returncode, {}, done.stdout + done.stderr

    def tool(name, *pairs):
        status, result, errors = call(
            "--method", "tools/call", "--tool-name", name, *(word for pair in pairs for word in ("--tool-arg", pair))
        )
        return status, "\n".join(block["text"] for block in result.get("content", [])), result or errors

    def check(name, held, detail):
        checks.append({"check": name, "held": bool(held), "detail": None if held else detail})

    status, listed, errors = call("--method", "tools/list", "--strict")
    names = [tool["name"] for tool in listed.get("tools", [])]
    check("tools/list --strict", status == 0 and "outline" in names and "session" in names, [status, names, errors])
    status, text, result = tool("outline", "path=app.py")
    check("tools/call outline", status == 0 and "class Server" in text, [status, result])
    status, text, result = tool("session", "action=load", 'paths=["app.py"]')
    tree = text.split()[0] if text else ""
    check("tools/call session load", status == 0 and tree, [status, result])
    operations = [{"op": "rename", "target": "method#handle", "to": "serve"}]
    status, text, result = tool("edit", f"tree_id={tree}", f"operations={json.dumps(operations)}")
    check("tools/call edit, another process", status == 0 and "serve" in text, [status, result])
    status, text, result = tool("session", "action=save", f"tree_ids={json.dumps([tree])}")
    check(
        "tools/call session save, another process",
        status == 0 and "def serve" in (folder / "app.py").read_text(),
        [status, result],
    )
    status, text, result = tool("find", "selector=class >", "path=app.py")
    check("a failure is a result", isinstance(result, dict) and result.get("isError"), [status, result])
    for method in ("resources/list", "prompts/list"):
        status, result, errors = call("--method", method)
        check(method, status == 0 or "not support" in errors, [status, result, errors])
    return checks


def summary(result):
    if result.get("left out"):
        return f"{result['client']:10}  left out: {result['left out']}"
    held = sum(row["held"] for row in result["checks"])
    return f"{result['client']:10}  {held} of {len(result['checks'])} held"


if __name__ == "__main__":
    sys.exit(main())
