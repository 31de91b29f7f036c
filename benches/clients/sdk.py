"""`cst mcp` driven by the official Python SDK, `mcp` of PyPI: 2.x in both eras, 1.x in the older one.

    python sdk.py --cst FILE --folder DIR [--corpus DIR] [--mode 2026-07-28|auto|legacy]

Each check is a line of JSON on standard output, which run.py collects. Besides `mcp`, `jsonschema`, and `bpe-openai` for
the tokens; without the latter they aren't counted.
"""

import argparse
import asyncio
import json
import os
import signal
import time
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client

SOURCE = '''"""A server."""


class Server:
    def handle(self, request):
        return request.answer()

    def close(self):
        pass


def main():
    Server().handle(None)
'''
TOOLS = ["outline", "find", "show", "edit", "rewrite", "explain", "session"]
FORBIDDEN = ("anyOf", "oneOf", "allOf")
IS_NEW = int(version("mcp").split(".")[0]) >= 2


def check(name, held, detail=None):
    print(json.dumps({"check": name, "held": bool(held), "detail": None if held else detail}, default=str), flush=True)


class Connection:
    """One session of either SDK, with results as plain data."""

    def __init__(self, client, server, about):
        self.client, self.server, self.about = client, server, about

    async def tools(self):
        return plain(await self.client.list_tools())["tools"]

    async def call(self, name, arguments, **more):
        if not IS_NEW and "read_timeout_seconds" in more:
            more["read_timeout_seconds"] = timedelta(seconds=more["read_timeout_seconds"])
        result = plain(await self.client.call_tool(name, arguments, **more))
        text = "\n".join(block["text"] for block in result["content"])
        return text, result.get("isError", False), result

    async def said(self, name, arguments, **more):
        return (await self.call(name, arguments, **more))[0]


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def connected(options, more=()):
    environment = {"CST_STATE": str(options.folder / "state")}
    server = StdioServerParameters(command=str(options.cst), args=["mcp", *more], env=environment, cwd=str(options.folder))
    known = set(children())
    if IS_NEW:
        async with mcp.Client(server, mode=options.mode) as client:
            about = {"version": client.protocol_version, "instructions": client.instructions}
            yield Connection(client, set(children()) - known, about)
        return
    async with stdio_client(server) as streams, mcp.ClientSession(*streams) as client:
        result = plain(await client.initialize())
        about = {"version": result["protocolVersion"], "instructions": result.get("instructions")}
        yield Connection(client, set(children()) - known, about)


def children():
    """The processes started by this one."""
    return [int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]


async def listing(connection, options):
    tools = await connection.tools()
    names = [tool["name"] for tool in tools]
    check("tools/list", [name for name in names if name in TOOLS] == TOOLS, names)
    wrong = [problem for tool in tools for problem in problems(tool)]
    check("schemas", not wrong, wrong)
    reading = [tool["name"] for tool in tools if tool["annotations"].get("readOnlyHint")]
    check("annotations", reading[:4] == ["outline", "find", "show", "explain"], reading)
    # Pinned to a version without a handshake, the SDK doesn't ask for them.
    if connection.about["instructions"] is not None or options.mode == "auto":
        check("instructions", 0 < len(connection.about["instructions"] or "") < 500, connection.about)
    count = tokens(json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":")))
    if count is not None:
        check(f"under 2,500 tokens ({count:,})", count < 2500, count)


def problems(tool):
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    for part in ("inputSchema", "outputSchema"):
        if part not in tool:
            continue
        schema = tool[part]
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            yield f"{tool['name']}.{part}: {error.message}"
        if schema.get("type") != "object" or any(word in schema for word in FORBIDDEN):
            yield f"{tool['name']}.{part}: no plain object"
        if '"$ref"' in json.dumps(schema):
            yield f"{tool['name']}.{part}: refers"


def tokens(text):
    try:
        import bpe_openai
    except ImportError:
        return None
    return len(bpe_openai.get_encoding("o200k_base").encode(text))


async def calls(connection, options):
    """Each tool with arguments that are right. Results are text only, and not long."""
    file = options.folder / "app.py"
    file.write_text(SOURCE)
    on = {"path": "app.py"}
    rename = [{"op": "rename", "target": "method#handle", "to": "serve"}]
    rewriting = {"pattern": "request.answer()", "template": "request.reply()", "path": "."}
    for name, arguments, words in [
        ("outline", on, ["class Server", "def handle(self, request)", "def main()"]),
        ("outline", {"path": "."}, ["app.py"]),
        ("find", {"selector": "method#handle", **on}, ["app.py:5:4", "Server.handle"]),
        ("find", {"pattern": "$A.answer()", **on}, ["app.py:6:15"]),
        ("show", {"nodes": ["method#handle"], **on}, ["def handle(self, request):", "return request.answer()"]),
        ("show", {"at": "9", **on}, ["pass"]),
        ("explain", {"selector": "class > method#handel", **on}, ["handle"]),
        ("edit", {"operations": rename, "dry_run": True, **on}, ["+    def serve("]),
        ("edit", {"operations": rename, **on}, ["Server.serve"]),
        ("rewrite", {**rewriting, "dry_run": True}, ["+        return request.reply()"]),
        ("rewrite", rewriting, ["app.py"]),
    ]:
        text, failed, result = await connection.call(name, arguments)
        said = f"{name} {json.dumps(arguments)}"
        shape = "structuredContent" not in result and len(text) < 8000
        check(said, not failed and shape and all(word in text for word in words), text)
    check(
        "written",
        file.read_text() == SOURCE.replace("def handle", "def serve").replace("answer()", "reply()"),
        file.read_text(),
    )


async def failures(connection, options):
    """What can't be done is a result that the model reads, and names the way on."""
    (options.folder / "app.py").write_text(SOURCE)
    on = {"path": "app.py"}
    for name, arguments, word in [
        ("find", {"selectr": "class", **on}, "selector"),
        ("find", {"selector": "class", "pth": "app.py"}, "path"),
        ("find", {"selector": "class >", **on}, "selector"),
        ("find", {"selector": "clss", **on}, "class"),
        ("find", {"selector": 3, **on}, "selector"),
        ("find", on, "selector"),
        ("outline", {"path": "missing.py"}, "missing.py"),
        ("show", {"nodes": ["n99999"], **on}, "n99999"),
        ("edit", {"operations": [{"op": "delete", "target": "method"}], **on}, "all"),
        ("edit", {"operations": [{"op": "nmae", "target": "method"}], **on}, "rename"),
        ("edit", {"operations": [{"op": "replace", "target": "method#close", "code": "def close(:"}], **on}, "syntax"),
        ("edit", {"operations": "delete all", **on}, "operations"),
        ("session", {"action": "saev"}, "save"),
        ("session", {"action": "save", "tree_ids": ["nothing"]}, "nothing"),
        ("session", {}, "action"),
    ]:
        text, failed, _ = await connection.call(name, arguments)
        check(f"refused: {name} {json.dumps(arguments)}", failed and word in text, text)
    check("unwritten", (options.folder / "app.py").read_text() == SOURCE)
    try:
        text, failed, _ = await connection.call("outlin", {})
        check("unknown tool", False, text)
    except Exception as error:
        code = getattr(getattr(error, "error", None), "code", None)
        check("unknown tool", code == -32602 and "outline" in str(error), f"{code} {error}")


async def staging(connection, options):
    """A tree over edits, and over the end of the server in mid-session: another one goes on with it."""
    file = options.folder / "staged.py"
    file.write_text(SOURCE)
    loaded = await connection.said("session", {"action": "load", "paths": ["staged.py"]})
    tree = loaded.split()[0]
    edit = {"operations": [{"op": "rename", "target": "class#Server", "to": "Host"}], "tree_id": tree}
    await connection.said("edit", edit)
    file.with_name("changed.py").write_text(SOURCE)
    found = await connection.said("find", {"selector": "function#main", "path": "changed.py"})
    file.with_name("id").write_text(found.splitlines()[0].split()[-1])
    diff = await connection.said("session", {"action": "diff", "tree_ids": [tree]})
    check("staged", "+class Host:" in diff and file.read_text() == SOURCE, [loaded, diff])
    for server in connection.server:
        os.kill(server, signal.SIGKILL)
    try:
        await connection.call("outline", {"path": "staged.py"}, read_timeout_seconds=5)
        check("killed", False, "the server still answers")
    except BaseException as error:
        check("killed", not isinstance(error, KeyboardInterrupt), repr(error))
    return tree, file


async def going_on(connection, tree, file):
    """Another server: the tree is there, and an id that the one before showed of a file means no other node."""
    changed = file.with_name("changed.py")
    changed.write_text("def other():\n    return 0\n\n\n" + SOURCE)
    replacing = {"op": "replace", "target": file.with_name("id").read_text(), "code": "def main():\n    pass"}
    text, failed, _ = await connection.call("edit", {"path": "changed.py", "operations": [replacing]})
    held = "def other():\n    return 0" in changed.read_text() and (failed or changed.read_text().count("def main()") == 1)
    check("after a kill: an old id of a file that changed", held, [text, changed.read_text()])
    listed = await connection.said("session", {"action": "list"})
    found = await connection.said("find", {"selector": "class", "tree_id": tree})
    check("after a kill: the tree", tree in listed and "Host" in found, [listed, found])
    await connection.said("session", {"action": "undo", "tree_ids": [tree]})
    undone = await connection.said("find", {"selector": "class", "tree_id": tree})
    await connection.said("session", {"action": "redo", "tree_ids": [tree]})
    saved = await connection.said("session", {"action": "save", "tree_ids": [tree]})
    text = file.read_text()
    check(
        "after a kill: undo, redo, save",
        "Server" in undone and text == SOURCE.replace("class Server", "class Host"),
        [undone, saved, text],
    )
    await connection.said("session", {"action": "drop", "tree_ids": [tree]})
    listed = await connection.said("session", {"action": "list"})
    check("after a kill: drop", tree not in listed, listed)


async def long(connection, options):
    """A search that takes a while says how far it is, and ends when nobody waits for it any more."""
    if not options.corpus:
        return
    steps = []

    async def note(done, total, message):
        steps.append((time.monotonic(), done, total, message))

    search = {"selector": "function:has(return):not(:has(call)) integer", "path": str(options.corpus), "limit": 100000}
    begun = time.monotonic()
    text, failed, _ = await connection.call("find", search, progress_callback=note)
    took = time.monotonic() - begun
    grows = all(later[1] >= earlier[1] for earlier, later in zip(steps, steps[1:]))
    held = not failed and steps and grows and len(steps) / took <= 10.5 and steps[0][0] - begun >= 0.9
    check("progress", held, {"took": took, "steps": len(steps), "text": text[-300:]})
    check("a long result is cut, and says so", len(text) <= 8000 and "cursor" in text[-600:], [len(text), text[-600:]])
    begun = time.monotonic()
    try:
        await connection.call("find", search, read_timeout_seconds=0.3)
        check("cancelled", False, "it was answered")
    except Exception:
        pass
    text = await connection.said("outline", {"path": "app.py"})
    # 1.x only stops waiting, 2.x calls the request off.
    most = 2 if IS_NEW else 2 * took + 2
    check(
        "after a call that was given up",
        "class Server" in text and time.monotonic() - begun < most,
        time.monotonic() - begun,
    )


async def structured(options):
    async with connected(options, ["--structured"]) as connection:
        tools = await connection.tools()
        wrong = [problem for tool in tools for problem in problems(tool)]
        check("--structured: schemas", not wrong and all("outputSchema" in tool for tool in tools), wrong)
        _, _, result = await connection.call("find", {"selector": "class", "path": "app.py"})
        row = result["structuredContent"]["matches"][0]
        check("--structured: a result that the client accepts", row["name"] == "Server", result)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cst", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, help="a folder whose search takes longer than a second")
    parser.add_argument("--mode", default="auto", help="of 2.x [%(default)s]")
    options = parser.parse_args()
    async with connected(options) as connection:
        expected = {"legacy": "2025-11-25"}.get(options.mode, "2026-07-28") if IS_NEW else "2025-11-25"
        check(f"speaks {connection.about['version']}", connection.about["version"] == expected, connection.about)
        await listing(connection, options)
        await calls(connection, options)
        await failures(connection, options)
        await long(connection, options)
    tree = file = None
    try:
        async with connected(options) as connection:
            tree, file = await staging(connection, options)
    except BaseException:
        # A client may well be upset at its end when the server was killed.
        if tree is None:
            raise
    async with connected(options) as connection:
        await going_on(connection, tree, file)
    await structured(options)


if __name__ == "__main__":
    asyncio.run(main())
