"""The tools that cst's renames are compared with. Each makes a text from a text, the offset of a name and a new name."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile


class Unable(Exception):
    """The tool refuses, or fails."""


class Oracle:
    line_comment = None

    def __init__(self, options):
        pass

    def new_name(self, old, new):
        # A capital makes a component in JSX, and exports in Go.
        return new[0].upper() + new[1:] if old[:1].isupper() else new

    def excuse(self, text, place):
        """Why a place that the tool alone renames doesn't count: it is in a comment, which stays as it is. `None` if it counts."""
        if self.line_comment is None:
            return None
        opened, closed = text.rfind("/*", 0, place), text.rfind("*/", 0, place)
        start = text.rfind("\n", 0, place) + 1
        return "in a comment" if opened > closed or self.line_comment in text[start:place] else None


class Jedi(Oracle):
    def rename(self, path, text, offset, new):
        import jedi
        line, column = position(text, offset)
        try:
            script = jedi.Script(text, path="/nowhere/module.py", project=jedi.Project("/nowhere", sys_path=[]))
            changed = script.rename(line + 1, column, new_name=new).get_changed_files()
        except Exception as error:
            raise Unable(f"{type(error).__name__}: {error}") from error
        return next(iter(changed.values())).get_new_code() if changed else text


class Rope(Oracle):
    def rename(self, path, text, offset, new):
        from rope.base.project import Project
        from rope.refactor.rename import Rename
        folder = tempfile.mkdtemp(prefix="cst-rope-")
        try:
            pathlib.Path(folder, "module.py").write_text(text)
            project = Project(folder, ropefolder=None)
            changes = Rename(project, project.get_resource("module.py"), offset).get_changes(new)
            contents = [change.new_contents for change in changes.changes if hasattr(change, "new_contents")]
            return contents[0] if contents else text
        except Exception as error:
            raise Unable(f"{type(error).__name__}: {error}") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class TypeScript(Oracle):
    """The language service of npm's `typescript`; one file is all that it sees."""

    line_comment = "//"

    def __init__(self, options):
        script = pathlib.Path(__file__).with_name("typescript.cjs")
        self.process = subprocess.Popen(["node", str(script), str(pathlib.Path(options.typescript).resolve())],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def rename(self, path, text, offset, new):
        self.process.stdin.write(json.dumps({"name": path.name, "text": text, "offset": offset, "to": new}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Unable(answer["error"])
        return apply(text, answer["edits"])


class Server(Oracle):
    """A language server on standard input and output."""

    command = []
    language = ""

    def __init__(self, options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cst-server-"))
        self.prepare()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=self.folder)
        self.last = 0
        self.texts = {}
        self.ask("initialize", {"processId": os.getpid(), "rootUri": self.folder.as_uri(), "capabilities": {},
                                "workspaceFolders": [{"uri": self.folder.as_uri(), "name": "work"}]})
        self.send({"method": "initialized", "params": {}})

    def prepare(self):
        pass

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if message.get("id") == self.last and "method" not in message:
                if "error" in message:
                    raise Unable(message["error"]["message"].splitlines()[0])
                return message["result"]
            if "id" in message:
                items = len(message.get("params", {}).get("items", [])) if isinstance(message.get("params"), dict) else 0
                self.send({"id": message["id"], "result": [None] * items or None})

    def place(self, path):
        return self.folder / path.name

    def rename(self, path, text, offset, new):
        place = self.place(path)
        uri = place.as_uri()
        if self.texts.get(uri) != text:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            self.texts[uri] = text
            self.send({"method": "textDocument/didOpen", "params": {"textDocument": {
                "uri": uri, "languageId": self.language, "version": 1, "text": text}}})
        line, column = position(text, offset)
        answer = self.ask("textDocument/rename", {"textDocument": {"uri": uri}, "newName": new,
                                                  "position": {"line": line, "character": column}})
        if not answer:
            raise Unable("no answer")
        edits = list((answer.get("changes") or {}).get(uri, []))
        for change in answer.get("documentChanges") or []:
            if change.get("textDocument", {}).get("uri") == uri:
                edits += change["edits"]
        starts = [0] + [found.end() for found in re.finditer("\n", text)]

        def at(position):
            return starts[position["line"]] + position["character"]

        return apply(text, [[at(edit["range"]["start"]), at(edit["range"]["end"]), edit["newText"]] for edit in edits])


class Gopls(Server):
    command = ["gopls", "serve"]
    language = "go"
    line_comment = "//"

    def prepare(self):
        (self.folder / "go.mod").write_text("module example.com/work\n\ngo 1.19\n")

    def place(self, path):
        # A folder for each file, which is a package of its own.
        return self.folder / re.sub(r"\W", "_", str(path)) / path.name


def position(text, offset):
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)


def apply(text, edits):
    for start, end, code in sorted(edits, reverse=True):
        text = text[:start] + code + text[end:]
    return text


ORACLES = {"jedi": Jedi, "rope": Rope, "typescript": TypeScript, "gopls": Gopls}
