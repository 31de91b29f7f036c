"""The OpenRPC document of `cst rpc`, held against what is sent and answered.

    python openrpc.py --cst FILE --folder DIR

Every schema has to be one, every reference has to lead somewhere, and calls of all methods have to fit: their parameters and
their results. Each check is a line of JSON on standard output, which run.py collects. Besides Python, `jsonschema`.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

SOURCE = '''import os


class Server:
    """Serves."""

    limit = 3

    def handle(self, request):
        return request.answer(os.sep)


def main():
    Server().handle(None)
'''
SCRIPT = """name = "reply"
language = "python"

[[step]]
select = "call#answer > attribute > *.attribute"
replace = "reply"

[[test]]
name = "a call"
before = "a.answer(b)"
after = "a.reply(b)"
"""


def check(name, held, detail=None):
    print(json.dumps({"check": name, "held": bool(held), "detail": None if held else detail}, default=str), flush=True)


class Program:
    def __init__(self, options):
        environment = dict(os.environ, CST_STATE=str(options.folder / "state"), CST_CACHE=str(options.folder / "cache"))
        self.process = subprocess.Popen(
            [options.cst, "rpc"],
            cwd=options.folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.document = self.ask("rpc.discover", {})["result"]
        self.methods = {method["name"]: method for method in self.document["methods"]}
        self.called, self.wrong = set(), []

    def ask(self, method, params):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        while "id" not in (message := json.loads(self.process.stdout.readline())):
            pass
        return message

    def call(self, method, **params):
        """Calls a method, and compares both sides with the document."""
        self.called.add(method)
        declared = {param["name"]: param for param in self.methods[method]["params"]}
        for name in params.keys() - declared.keys():
            self.wrong.append(f"{method}: `{name}` isn't declared")
        for name in (name for name, param in declared.items() if param.get("required") and name not in params):
            self.wrong.append(f"{method}: `{name}` is declared as required")
        for name in params.keys() & declared.keys():
            self.fit(f"{method}({name})", declared[name]["schema"], params[name])
        answer = self.ask(method, params)
        if "error" in answer:
            self.wrong.append(f"{method} {params}: {answer['error']}")
            return {}
        self.fit(method, self.methods[method]["result"]["schema"], answer["result"])
        return answer["result"]

    def fit(self, name, schema, value):
        whole = {**self.document, **schema} if isinstance(schema, dict) else schema
        for error in list(Draft202012Validator(whole).iter_errors(value))[:3]:
            self.wrong.append(f"{name}: at {list(error.absolute_path)}: {error.message[:300]}")


def shape(program):
    document = program.document
    check(
        "openrpc 1.x, with a title and a version",
        document["openrpc"].startswith("1.") and document["info"]["title"] and document["info"]["version"],
    )
    by_name = all(method.get("paramStructure") == "by-name" for method in document["methods"])
    check("parameters by name", by_name, [m["name"] for m in document["methods"] if m.get("paramStructure") != "by-name"])
    undescribed = [
        method["name"] for method in document["methods"] if not (method.get("summary") or method.get("description"))
    ]
    check("every method is described", not undescribed, undescribed)
    wrong = []
    for place, schema in schemas(document):
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            wrong.append(f"{place}: {error.message}")
    check("every schema is one", not wrong, wrong[:5])
    lost = sorted({reference for reference in references(document) if not leads(document, reference)})
    check("every reference leads somewhere", not lost, lost)


def schemas(document):
    for method in document["methods"]:
        for param in method["params"]:
            yield f"{method['name']}({param['name']})", param["schema"]
        yield method["name"], method["result"]["schema"]
    yield from document.get("components", {}).get("schemas", {}).items()


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from references(item)


def leads(document, reference):
    if not reference.startswith("#/"):
        return False
    for word in reference[2:].split("/"):
        word = word.replace("~1", "/").replace("~0", "~")
        if not isinstance(document, dict) or word not in document:
            return False
        document = document[word]
    return True


def session(program, folder):
    """Calls of all methods, with as many of their fields as a user would use."""
    (folder / "app.py").write_text(SOURCE)
    (folder / "broken.py").write_text("def f(:\n    return (1\n")
    call = program.call
    call("languages")
    call("check", targets=["."])
    call("outline", targets=["."], docs=True, depth=2)
    call("outline", targets=["app.py"], kinds=["class"], limit=1)
    call("chunk", targets=["app.py"], max_tokens=64, min_tokens=5, context="path")
    call("find", pattern="$A.answer($B)", targets=["."], code=True, limit=5)
    call("find", selector="method@m:has(return@r)", targets=["app.py", "broken.py"], code=True)
    call("explain", selector="class > method#handel", target="app.py")
    for form in ("code", "tree", "signature", "json"):
        call("show", target="app.py", nodes=["class#Server"], **{"as": form})
    call("show", target="app.py", at="10:8", parents=True, children=True)
    call("modify", target="app.py", operations=[{"op": "delete", "target": "method#handle"}], dry_run=True, diff=True)
    call("rewrite", pattern="$A.answer($B)", template="$A.reply($B)", targets=["."], dry_run=True)
    call("rewrite", selector="method#handle", template="$0", targets=["app.py"], on_error="skip")
    tree = (call("load", paths=["app.py"], outline=True).get("trees") or [{}])[0].get("tree_id", "")
    call("load", text="let x = 1;\n", language="javascript")
    call("load", text="x: [1\n", name="a.yaml")
    call("find", selector="class", targets=[tree])
    call("show", target=tree)
    call("modify", target=tree, operations=every_operation())
    call("undo", tree_ids=[tree])
    call("redo", tree_ids=[tree])
    call("diff", tree_ids=[tree])
    call("trees")
    call("save", tree_ids=[tree], backup=True)
    done = call("rewrite", pattern="$A.reply($B)", template="$A.said($B)", targets=["app.py"], write=True)
    if done.get("transaction"):
        call("undo", transaction=done["transaction"])
    call("drop", tree_ids=[tree])
    (folder / "script.toml").write_text(SCRIPT)
    call("run", script="script.toml", targets=["app.py"])
    call("test", scripts=["script.toml"])
    call("index", targets=["."])
    call("backups")


def every_operation():
    return [
        {"op": "ensure_import", "code": "import sys"},
        {"op": "insert", "target": "class#Server", "position": "last", "code": "def close(self):\n    pass"},
        {"op": "rename", "target": "function#main", "to": "start"},
        {"op": "sub", "target": "method#handle", "find": "answer", "replace": "reply"},
        {"op": "replace", "target": "class#Server > assign#limit", "code": "limit = 4"},
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cst", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    program = Program(options)
    shape(program)
    session(program, options.folder)
    check(f"{len(program.called)} methods: parameters and results fit", not program.wrong, program.wrong)
    left = program.methods.keys() - program.called - {"rpc.discover"}
    check("all methods were called", not left, sorted(left))


if __name__ == "__main__":
    main()
