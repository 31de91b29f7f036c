#!/usr/bin/env python3
"""A scripted model on the loopback interface, for coding agents that are run without a network.

    benches/agents/model.py script.json log.jsonl [--port 0]

Speaks what the agents speak: Anthropic's Messages, OpenAI's Responses and Chat Completions, Gemini's generateContent,
streamed or whole. The first line on standard output is the address. The script is a list of steps,

    [{"name": "edit", "tools": ["Edit", "replace"], "arguments": {"file_path": "a.py"}}]

and the model calls the first of a step's `tools` (shell patterns) that the request offers. A step whose tools aren't
offered is left out. How far the conversation is stands in the request itself, as the number of calls in its history, so
a request that is sent again gets the same reply. After the last step, and to a request without tools, the model says
`all done`.

Each request is a line of the log: what it offered as tools, which step's results it brought, the text of those, and the
body. Assertions are made on the log, since it holds what a model would have been sent.

Python 3.9 or newer and nothing else.
"""

import argparse
import fnmatch
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Tool:
    """A tool as a request offers it. Kinds and namespaces are the Responses API's; a custom tool takes text, no JSON."""

    name: str
    kind: str = "function"
    namespace: str = ""
    declaration: dict = field(default_factory=dict)

    @property
    def full_name(self):
        return f"{self.namespace}{self.name}"


@dataclass
class Asked:
    """What a request says on any wire: tools, calls made before, and what came after the last of the model's turns."""

    tools: list
    calls: int
    since: list


@dataclass
class Reply:
    """What the model answers: a call of a tool, or without one the last words."""

    number: int
    tool: Tool = None
    arguments: object = None

    @property
    def call_id(self):
        return f"call_{self.number:03}"

    @property
    def written(self):
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


WORDS = "all done"


class Messages:
    """Anthropic's Messages."""

    name = "messages"

    def read(self, body):
        messages = body.get("messages", [])
        blocks = [b for m in messages if m["role"] == "assistant" and isinstance(m["content"], list) for b in m["content"]]
        tools = [Tool(t["name"], declaration=t) for t in body.get("tools", []) if "input_schema" in t]
        return Asked(tools, sum(b.get("type") == "tool_use" for b in blocks), after_last(messages, is_assistant))

    def write(self, reply, body):
        if reply.tool:
            block = {
                "type": "tool_use",
                "id": f"toolu_{reply.number:03}",
                "name": reply.tool.full_name,
                "input": reply.arguments,
            }
            stop = "tool_use"
        else:
            block, stop = {"type": "text", "text": WORDS}, "end_turn"
        message = {
            "id": f"msg_{reply.number:03}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model", ""),
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 10},
        }
        if not body.get("stream"):
            return message
        empty = dict(block, input={}) if reply.tool else dict(block, text="")
        delta = (
            {"type": "input_json_delta", "partial_json": reply.written}
            if reply.tool
            else {"type": "text_delta", "text": WORDS}
        )
        events = [
            {"type": "message_start", "message": dict(message, content=[], stop_reason=None)},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 10}},
            {"type": "message_stop"},
        ]
        return [(event["type"], event) for event in events]


class Responses:
    """OpenAI's Responses."""

    name = "responses"
    kinds = ("function", "custom", "tool_search")
    calls = ("function_call", "custom_tool_call", "tool_search_call")

    def read(self, body):
        items = body.get("input", [])
        items = items if isinstance(items, list) else [items]
        declared = [t for t in body.get("tools", [])]
        declared += [t for i in items if isinstance(i, dict) for t in i.get("tools", []) if isinstance(t, dict)]
        made = [i for i in items if isinstance(i, dict) and i.get("type") in self.calls]
        return Asked(list(self.tools(declared)), len(made), after_last(items, lambda i: i in made))

    def tools(self, declared, namespace=""):
        for tool in declared:
            if tool.get("type") == "namespace":
                yield from self.tools(tool.get("tools", []), tool["name"])
            elif tool.get("type") in self.kinds:
                yield Tool(tool.get("name", tool["type"]), tool["type"], namespace, tool)

    def write(self, reply, body):
        item = self.item(reply)
        if reply.tool and reply.tool.namespace:
            item["namespace"] = reply.tool.namespace
        response = {
            "id": f"resp_{reply.number:03}",
            "object": "response",
            "created_at": int(time.time()),
            "model": body.get("model", ""),
            "status": "completed",
            "output": [item],
            "parallel_tool_calls": False,
            "tools": [],
            "usage": {
                "input_tokens": 10,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 10,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 20,
            },
        }
        if not body.get("stream"):
            return response
        at = {"output_index": 0, "item_id": item["id"]}
        events = [{"type": "response.created", "response": dict(response, status="in_progress", output=[])}]
        events.append({"type": "response.output_item.added", "output_index": 0, "item": self.begun(item)})
        if item["type"] == "message":
            part = item["content"][0]
            events += [
                {"type": "response.content_part.added", **at, "content_index": 0, "part": dict(part, text="")},
                {"type": "response.output_text.delta", **at, "content_index": 0, "delta": WORDS},
                {"type": "response.output_text.done", **at, "content_index": 0, "text": WORDS},
                {"type": "response.content_part.done", **at, "content_index": 0, "part": part},
            ]
        elif item["type"] == "function_call":
            events += [
                {"type": "response.function_call_arguments.delta", **at, "delta": reply.written},
                {"type": "response.function_call_arguments.done", **at, "arguments": reply.written},
            ]
        elif item["type"] == "custom_tool_call":
            events += [
                {"type": "response.custom_tool_call_input.delta", **at, "delta": reply.written},
                {"type": "response.custom_tool_call_input.done", **at, "input": reply.written},
            ]
        events.append({"type": "response.output_item.done", "output_index": 0, "item": item})
        events.append({"type": "response.completed", "response": response})
        return [(event["type"], dict(event, sequence_number=number)) for number, event in enumerate(events)]

    def item(self, reply):
        if not reply.tool:
            content = [{"type": "output_text", "text": WORDS, "annotations": []}]
            return {"type": "message", "id": "item_last", "role": "assistant", "status": "completed", "content": content}
        call = {"id": f"item_{reply.number:03}", "call_id": reply.call_id, "status": "completed"}
        if reply.tool.kind == "tool_search":
            return {"type": "tool_search_call", "execution": "client", "arguments": reply.arguments, **call}
        if reply.tool.kind == "custom":
            return {"type": "custom_tool_call", "name": reply.tool.name, "input": reply.written, **call}
        return {"type": "function_call", "name": reply.tool.name, "arguments": reply.written, **call}

    def begun(self, item):
        empty = {"message": {"content": []}, "function_call": {"arguments": ""}, "custom_tool_call": {"input": ""}}
        return dict(item, status="in_progress", **empty.get(item["type"], {}))


class Chat:
    """OpenAI's Chat Completions."""

    name = "chat"

    def read(self, body):
        messages = body.get("messages", [])
        tools = [Tool(t["function"]["name"], declaration=t) for t in body.get("tools", []) if t.get("type") == "function"]
        calls = sum(len(m.get("tool_calls") or []) for m in messages)
        return Asked(tools, calls, after_last(messages, is_assistant))

    def write(self, reply, body):
        message = {"role": "assistant", "content": None if reply.tool else WORDS}
        if reply.tool:
            function = {"name": reply.tool.full_name, "arguments": reply.written}
            message["tool_calls"] = [{"index": 0, "id": reply.call_id, "type": "function", "function": function}]
        finish = "tool_calls" if reply.tool else "stop"
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        whole = {"id": f"chat_{reply.number:03}", "created": int(time.time()), "model": body.get("model", "")}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return dict(whole, object="chat.completion", choices=[choice], usage=usage)
        whole["object"] = "chat.completion.chunk"
        chunks = [
            dict(whole, choices=[{"index": 0, "delta": message, "finish_reason": None}]),
            dict(whole, choices=[{"index": 0, "delta": {}, "finish_reason": finish}]),
            dict(whole, choices=[], usage=usage),
        ]
        return [(None, chunk) for chunk in chunks] + [(None, "[DONE]")]


class Gemini:
    """Gemini's generateContent. Whether it is streamed stands in the path, and so in the body that `read` is given."""

    name = "gemini"

    def read(self, body):
        contents = body.get("contents", [])
        tools = [Tool(f["name"], declaration=f) for t in body.get("tools", []) for f in t.get("functionDeclarations", [])]
        calls = sum("functionCall" in p for c in contents if c.get("role") == "model" for p in c.get("parts", []))
        return Asked(tools, calls, after_last(contents, lambda c: c.get("role") == "model"))

    def write(self, reply, body):
        part = {"functionCall": {"name": reply.tool.full_name, "args": reply.arguments}} if reply.tool else {"text": WORDS}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
        answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}
        return [(None, answer)] if body["stream"] else answer


def is_assistant(message):
    return message.get("role") == "assistant"


def after_last(items, holds):
    """The items after the last one of which it holds; all of them when there is none."""
    last = max((index for index, item in enumerate(items) if holds(item)), default=-1)
    return items[last + 1 :]


def next_call(script, asked):
    """The step that comes next and the tool it is carried out with, both None at the end."""
    steps = [(step, tool) for step in script if (tool := offered(step, asked.tools))]
    return steps[asked.calls] if asked.calls < len(steps) else (None, None)


def offered(step, tools):
    for pattern in step["tools"]:
        for tool in tools:
            if fnmatch.fnmatchcase(tool.full_name, pattern):
                return tool
    return None


def step_before(script, asked):
    """The step whose results a request brings."""
    names = [step["name"] for step in script if offered(step, asked.tools)]
    return names[asked.calls - 1] if 0 < asked.calls <= len(names) else None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        models = [{"id": "scripted", "object": "model", "created": 0, "owned_by": "loopback", "type": "model"}]
        if self.path.split("?")[0].endswith("/models"):
            return self.send({"object": "list", "data": models, "models": []})
        self.note({"unknown": f"{self.command} {self.path}"})
        self.send({}, 404)

    do_HEAD = do_GET

    def do_POST(self):
        body = self.body()
        path = self.path.split("?")[0]
        if path.endswith("count_tokens") or path.endswith("countTokens"):
            return self.send({"input_tokens": 10, "totalTokens": 10})
        wire = wire_of(path)
        if wire is None:
            self.note({"unknown": f"{self.command} {self.path}"})
            return self.send({}, 404)
        if wire.name == "gemini":
            body["stream"] = "stream" in path
        asked = wire.read(body)
        step, tool = next_call(self.server.script, asked) if asked.tools else (None, None)
        self.note(
            {
                "wire": wire.name,
                "model": body.get("model"),
                "calls": asked.calls,
                "tools": [tool.full_name for tool in asked.tools],
                "declarations": [tool.declaration for tool in asked.tools],
                "results_of": step_before(self.server.script, asked),
                "since": texts(asked.since),
                "next": step and step["name"],
                "body": body,
            }
        )
        arguments = step and step["arguments"]
        answer = wire.write(Reply(asked.calls, tool, arguments), body)
        self.stream(answer) if isinstance(answer, list) else self.send(answer)

    def body(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(data)
        except ValueError:
            body = {}
        return body if isinstance(body, dict) else {}

    def send(self, answer, status=200):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def stream(self, events):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, event in events:
            data = event if isinstance(event, str) else json.dumps(event)
            self.wfile.write((f"event: {name}\n" if name else "").encode() + f"data: {data}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True

    def note(self, line):
        with self.server.lock, open(self.server.log, "a", encoding="utf-8") as log:
            log.write(json.dumps(line, ensure_ascii=False) + "\n")

    def log_message(self, *_):
        pass


def wire_of(path):
    if path.endswith("/messages"):
        return Messages()
    if path.endswith("/responses"):
        return Responses()
    if path.endswith("/chat/completions"):
        return Chat()
    if path.endswith(":generateContent") or path.endswith(":streamGenerateContent"):
        return Gemini()
    return None


def texts(value):
    """All strings in it that are a model's to read, a line each: whatever the wire, a tool's result is one of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(texts(item) for item in value)
    if isinstance(value, dict):
        return "\n".join(texts(item) for key, item in value.items() if key not in ("id", "role", "type"))
    return ""


def serve(script, log, port=0):
    """The server, serving in a thread of its own; its address is `url`."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.script, server.log, server.lock = script, log, threading.Lock()
    server.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("script", type=Path)
    parser.add_argument("log", type=Path)
    parser.add_argument("--port", type=int, default=0, help="[a free one]")
    options = parser.parse_args()
    server = serve(json.loads(options.script.read_text()), options.log, options.port)
    print(server.url, flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        server.shutdown()


if __name__ == "__main__":
    main()
