#!/usr/bin/env python3
"""`cst hook`, given what agents once sent, and what nobody should.

    benches/agents/hooks.py RECORDED [--cst target/release/cst]

RECORDED is a folder of recorded payloads, `claude.jsonl` and the like, each line `{"argv", "env", "json"}`. They are sent again
in a fresh git project, in which the edits that they tell of are made in between. The reply has to be the agent's own format;
it speaks up where an edit broke the file and nowhere else. Then each agent's hook gets input of every broken kind, a git that
hangs and folders that can't be written: always status 0, the neutral reply, and that within 2.5 seconds.

Python 3.9 or newer, and git.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RECORDED_AT = "/home/dev/project"
WORDS = "cst: this edit left a.py with a syntax error"
SOURCE = "def f():\n    return 1\n"
AGENTS = {"claude": "claude-code", "codex": "codex", "gemini": "gemini", "cline": "cline", "copilot-camel": "copilot"}
NEUTRAL = {"cline": {"cancel": False}, "opencode": None}
LIMIT = 2.5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recorded", type=Path)
    parser.add_argument("--cst", type=Path, default=Path("target/release/cst"), help="[%(default)s]")
    options = parser.parse_args()
    checks = []
    for name, agent in AGENTS.items():
        checks += replay(name, agent, options)
    for agent in [*dict.fromkeys(AGENTS.values()), "opencode", "cursor"]:
        checks += trouble(agent, options)
    for name, held, detail in checks:
        if not held:
            print(f"NO  {name}\n    {detail}")
    print(f"{sum(held for _, held, _ in checks)} of {len(checks)} held")
    return 0 if all(held for _, held, _ in checks) else 1


class Project:
    """A fresh git project in a folder that is removed afterwards."""

    def __init__(self, options):
        self.temporary = tempfile.TemporaryDirectory(prefix="hooks-")
        self.folder = Path(self.temporary.name).resolve() / "project"
        self.folder.mkdir()
        self.cst = options.cst.absolute()
        self.file = self.folder / "a.py"
        self.file.write_text(SOURCE)
        identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"]
        for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "start"]):
            subprocess.run(["git", *words], cwd=self.folder, check=True)

    def hook(self, agent, sent, *words, environment=None, **more):
        """Status, standard output, and the seconds that it took."""
        begun = time.monotonic()
        more.setdefault("cwd", self.folder)
        done = subprocess.run(
            [self.cst, "hook", agent, *words],
            input=sent,
            capture_output=True,
            timeout=30,
            env={**os.environ, "HOME": str(self.folder.parent), **(environment or {})},
            **more,
        )
        return done.returncode, done.stdout.decode(errors="replace"), time.monotonic() - begun

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()


def replay(name, agent, options):
    with Project(options) as project:
        for number, line in enumerate((options.recorded / f"{name}.jsonl").read_text().splitlines(), 1):
            line = json.loads(line.replace(RECORDED_AT, str(project.folder)))
            payload = line["json"]
            said = " ".join(line["argv"]) + json.dumps(payload)
            event = re.search(r"(pre|post|before|after)tool|tool_(call|result)", said, re.IGNORECASE)
            is_post = bool(event) and event.group(0).lower() in ("posttool", "aftertool", "tool_result")
            breaks = bool(event) and is_post and make(payload, project)
            words = (["post"] if is_post else ["pre"]) if agent == "copilot" else []
            status, output, took = project.hook(agent, json.dumps(payload).encode(), *words, environment=line["env"])
            good = status == 0 and took < LIMIT and right(agent, output, breaks)
            yield f"recorded {name} {number}", good, [status, took, output, f"breaks: {breaks}"]


def make(payload, project):
    """Makes the edit that a payload tells of; whether the file is broken by it and wasn't before."""
    before = project.file.read_text()
    failed = any(word in json.dumps(payload) for word in ('"error"', "NOPE"))
    arguments = next(value for key, value in found(payload) if key in ("tool_input", "input", "toolArgs"))
    command = arguments.get("command") or " ".join(arguments.get("commands", []))
    old = next((arguments[key] for key in ("old_string", "old_text", "old_str") if key in arguments), None)
    new = next(
        (arguments[key] for key in ("new_string", "new_text", "new_str", "content", "file_text") if key in arguments), None
    )
    path = Path(arguments.get("file_path") or arguments.get("path") or "a.py")
    if failed:
        pass
    elif "*** Begin Patch" in command:
        project.file.write_text(before.replace("return 1", "return (1"))
        (project.folder / "b.py").write_text("x = 1\n")
    elif command:
        subprocess.run(command, shell=True, cwd=project.folder, check=True)
    elif old is not None and new is not None:
        path.write_text(path.read_text().replace(old, new))
    elif new is not None:
        path.write_text(new)
    return errors(project.file.read_text()) and not errors(before)


def found(value):
    """All keys with their values, however deep."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key, item
            yield from found(item)


def errors(text):
    try:
        compile(text, "a.py", "exec")
    except SyntaxError:
        return True
    return False


def right(agent, output, speaks):
    if agent == "opencode":
        return output.startswith(WORDS) if speaks else output == ""
    try:
        reply = json.loads(output)
    except ValueError:
        return False
    if not speaks:
        return reply == NEUTRAL.get(agent, {})
    text = said_in(agent, reply)
    return isinstance(text, str) and text.startswith(WORDS) and len(text) <= 600


def said_in(agent, reply):
    if agent in ("claude-code", "codex", "gemini"):
        event = "AfterTool" if agent == "gemini" else "PostToolUse"
        inner = reply.get("hookSpecificOutput", {})
        shape = set(reply) == {"hookSpecificOutput"} and set(inner) == {"hookEventName", "additionalContext"}
        return inner["additionalContext"] if shape and inner["hookEventName"] == event else None
    if agent == "cline":
        return (
            reply.get("contextModification")
            if set(reply) == {"cancel", "contextModification"} and reply["cancel"] is False
            else None
        )
    key = "additional_context" if agent == "cursor" else "additionalContext"
    return reply.get(key) if set(reply) == {key} else None


BROKEN = {
    "nothing": b"",
    "no JSON": b"nonsense",
    "half": b'{"hook_event_name": "PostToolUse", "tool_na',
    "null": b"null",
    "a number": b"3",
    "an array": b"[]",
    "an empty object": b"{}",
    "no text": b"\xff\xfe\x00{",
    "zeros": b"\0" * 100,
    "deep": b"[" * 200000,
    "17 MiB": b'{"tool_name": "' + b"x" * (17 << 20) + b'"}',
    "wrong types": b'{"hook_event_name": 3, "tool_name": [], "tool_input": "x", "cwd": 5, "hookName": {}, "toolName": 2}',
    "no such folder": b'{"hook_event_name": "PostToolUse", "tool_name": "Edit", "cwd": "/nonexistent", '
    b'"tool_input": {"file_path": "/nonexistent/a.py"}}',
}


def edit_of(agent, project):
    """A payload of an edit that broke the file, with no before-image in it."""
    path = str(project.file)
    shared = {
        "session_id": "s",
        "cwd": str(project.folder),
        "tool_input": {"file_path": path, "path": path, "content": "x", "command": "true"},
    }
    if agent == "cline":
        return {
            "hookName": "PostToolUse",
            "taskId": "s",
            "workspaceRoots": [str(project.folder)],
            "postToolUse": {"toolName": "write_to_file", "parameters": {"path": path}, "success": True},
        }
    if agent == "copilot":
        return {
            "sessionId": "s",
            "cwd": str(project.folder),
            "toolName": "edit",
            "toolArgs": {"path": path},
            "toolResult": {"resultType": "success"},
        }
    if agent == "opencode":
        return {"tool": "write", "sessionID": "s", "callID": "c", "args": {"filePath": path}, "cwd": str(project.folder)}
    if agent == "cursor":
        return {
            **shared,
            "hook_event_name": "postToolUse",
            "cursor_version": "1",
            "workspace_roots": [str(project.folder)],
            "tool_name": "Write",
            "tool_output": "{}",
        }
    if agent == "gemini":
        return {**shared, "hook_event_name": "AfterTool", "tool_name": "write_file", "tool_response": {"llmContent": "done"}}
    if agent == "codex":
        patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-    return 1\n+    return (1\n*** End Patch"
        return {
            **shared,
            "hook_event_name": "PostToolUse",
            "tool_name": "apply_patch",
            "tool_input": {"command": patch},
            "tool_use_id": "c",
            "tool_response": "done",
        }
    return {
        **shared,
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_use_id": "c",
        "tool_response": {"filePath": path},
    }


def trouble(agent, options):
    words = ["post"] if agent in ("copilot", "opencode") else []
    neutral = lambda said: said[0] == 0 and said[2] < LIMIT and right(agent, said[1], False)
    for name, sent in BROKEN.items():
        with Project(options) as project:
            said = project.hook(agent, sent, *words)
            yield f"{agent}: {name}", neutral(said), said
    with Project(options) as project:
        project.file.write_text("def f():\n    return (1\n")
        sent = json.dumps(edit_of(agent, project)).encode()
        speaks = lambda said: said[0] == 0 and said[2] < LIMIT and right(agent, said[1], True)
        said = project.hook(agent, sent, *words)
        yield f"{agent}: a broken edit", speaks(said), said
        said = project.hook(agent, b"\xef\xbb\xbf" + sent, *words)
        yield f"{agent}: behind a mark", speaks(said), said
        said = project.hook(
            agent,
            sent.replace(b'"cwd"', b'"raw": "a\x01\tb", "cwd"', 1).replace(b'"taskId"', b'"raw": "\x02", "taskId"', 1),
            *words,
        )
        yield f"{agent}: control characters", speaks(said), said
        slow = project.folder.parent / "slow"
        slow.mkdir()
        (slow / "git").write_text("#!/bin/sh\nsleep 60\n")
        (slow / "git").chmod(0o755)
        said = project.hook(agent, sent, *words, environment={"PATH": f"{slow}:{os.environ['PATH']}"})
        yield f"{agent}: a git that hangs", said[0] == 0 and said[2] < LIMIT and (neutral(said) or speaks(said)), said
        said = project.hook(agent, sent, *words, environment={"PATH": "/nonexistent"})
        yield f"{agent}: no git", speaks(said), said
        yield f"{agent}: input that doesn't end", *endless(agent, project, sent, words)
        said = project.hook(agent, sent, *words, "nonsense", "--what")
        yield f"{agent}: wrong usage", neutral(said), said
        (project.folder / ".cst").exists() and subprocess.run(["rm", "-r", str(project.folder / ".cst")], check=True)
        (project.folder / ".cst").write_text("in the way")
        said = project.hook(agent, sent, *words)
        yield f"{agent}: nowhere to write the journal", said[0] == 0 and said[2] < LIMIT and (
            neutral(said) or speaks(said)
        ), said


def endless(agent, project, sent, words):
    """A standard input that is never closed: the payload is whole or it isn't, an answer comes all the same."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [project.cst, "hook", agent, *words], cwd=project.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    process.stdin.write(sent[:-1])
    process.stdin.flush()
    try:
        status = process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        status = "waits"
    took = time.monotonic() - begun
    output = process.stdout.read().decode()
    process.stdin.close()
    return status == 0 and took < LIMIT and right(agent, output, False), [status, output, took]


if __name__ == "__main__":
    sys.exit(main())
