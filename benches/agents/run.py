#!/usr/bin/env python3
"""Real coding agents, with `cst` installed into them, against a scripted model.

    benches/agents/run.py [AGENT…] [--cst target/release/cst] [--path DIR]… [--json results.json]

Each agent runs in a fresh git project and a fresh home, in a network namespace with nothing but its loopback. What
`cst agent install` wrote is all it is told of cst. The model breaks `a.py`, asks for cst's outline, mends the file, has
cst edit it and breaks it again from the shell; then the log tells whether the tools were offered, whether the words of the
hook reached the next request where they should and only there, and the project whether install, install again, dry run and
uninstall did what they say. Then all of it again in a project that has servers and hooks of others. An agent that isn't
installed is left out, one that can't run says why.

Python 3.9 or newer, Linux's `unshare` and git; the agents come from npm (README.md).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import model
import recipes

WORDS = "cst: this edit left a.py with a syntax error"
SOURCE = "def f():\n    return 1\n"
OTHER = "other-hook-ran"
TOOLS = {"outline", "find", "show", "edit", "rewrite", "explain", "session"}
CHECKS = [
    "dry run",
    "install",
    "again",
    "tools",
    "break",
    "outline",
    "mend",
    "edit",
    "shell",
    "journal",
    "others",
    "missing",
    "uninstall",
]

WORD_OF = {True: "yes", "as said": "as said"}


def main():
    options = parser().parse_args()
    if not options.inside:
        return subprocess.run(alone() + [sys.executable, *sys.argv, "--inside"], check=False).returncode
    loopback_up()
    chosen = [recipe for recipe in recipes.ALL if not options.agents or recipe.id in options.agents]
    results = [
        attempt(recipe, beside, options)
        for recipe in chosen
        for beside in (False, True)
        if options.scope in recipe.scopes and (not beside or (recipe.existing and not options.bare))
    ]
    print(table(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    return 0 if all(result["held"] for result in results if "left out" not in result) else 1


def parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=f"all otherwise: {', '.join(r.id for r in recipes.ALL)}")
    parser.add_argument("--cst", type=Path, default=Path("target/release/cst"), help="[%(default)s]")
    parser.add_argument(
        "--path", action="append", default=[], metavar="DIR", help="a folder with agents' programs, before PATH"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave projects, homes, logs and outputs there")
    parser.add_argument("--bare", action="store_true", help="only in projects that have no configuration before")
    parser.add_argument(
        "--scope", choices=["project", "user", "local"], default="project", help="of those that have it [%(default)s]"
    )
    parser.add_argument("--limit", type=float, default=120, help="seconds an agent may take [%(default)s]")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser


def alone():
    """The command that runs another without a network, and ends what that one leaves behind."""
    return ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]


def loopback_up():
    """Brings the loopback interface of the new network namespace up, as `ip link set lo up` would."""
    import fcntl
    import socket
    import struct

    get_flags, set_flags, up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(handle, get_flags, request))[1]
        fcntl.ioctl(handle, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def attempt(recipe, beside, options):
    name = recipe.id + (", beside others" if beside else "") + (f", {options.scope}" if options.scope != "project" else "")
    folder = re.sub(r"\W+", "-", name)
    root = options.keep / folder if options.keep else Path(tempfile.mkdtemp(prefix=f"agent-{folder}-"))
    shutil.rmtree(root, ignore_errors=True)
    try:
        return Attempt(name, recipe, beside, options, root.absolute()).run()
    except OSError as error:
        return {"agent": name, "version": None, "held": False, "left out": str(error)}
    finally:
        if not options.keep:
            shutil.rmtree(root, ignore_errors=True)


def link_or_copy(source, target):
    """A file of its own under another name, so that its path isn't the source's."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


class Attempt:
    """One agent in one fresh project."""

    def __init__(self, name, recipe, beside, options, root):
        self.name, self.recipe, self.beside, self.options, self.root = name, recipe, beside, options, root
        self.project, self.home, self.log = root / "project", root / "home", root / "model.jsonl"
        self.checks, self.details = {}, {}

    def run(self):
        result = {"agent": self.name, "version": self.prepare(), "held": False}
        if result["version"] is None:
            return dict(result, **{"left out": f"`{self.recipe.program}` is not installed"})
        self.installs()
        self.converse()
        self.judge()
        self.missing()
        self.uninstalls()
        self.checks.setdefault("others", True)
        held = all(self.checks.get(check) for check in CHECKS)
        return dict(result, held=held, checks=self.checks, details=self.details)

    def prepare(self):
        for folder in (self.project, self.home, self.root / "bin"):
            folder.mkdir(parents=True)
        self.program = self.root / "bin" / "cst"
        link_or_copy(self.options.cst.resolve(), self.program)
        (self.project / "a.py").write_text(SOURCE)
        (self.project / "README.md").write_text("# A project\n")
        self.environment = {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
            "NO_COLOR": "1",
            "PATH": ":".join([str(self.root / "bin"), *self.options.path, os.environ["PATH"]]),
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
        }
        if not shutil.which(self.recipe.program, path=self.environment["PATH"]):
            return None
        (self.home / ".gitconfig").write_text("[user]\n\tname = dev\n\temail = dev@example.com\n")
        for path, text in self.recipe.existing.items() if self.beside else ():
            self.place_file(self.home / path[2:] if path.startswith("~/") else self.project / path, text)
        for command in (["git", "init", "-q"], ["git", "add", "."], ["git", "commit", "-q", "-m", "start"]):
            self.call(command)
        self.server = model.serve([], self.log)
        self.place = recipes.Place(self.server.url, self.project, self.home)
        self.server.script = self.recipe.script(self.place)
        self.environment.update(self.recipe.environment(self.place))
        for path, text in self.recipe.home(self.place).items():
            self.place_file(self.home / path, text)
        return self.call([self.recipe.program, "--version"]).stdout.strip().split("\n")[0]

    def place_file(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def call(self, command, limit=60):
        try:
            return subprocess.run(
                command,
                cwd=self.project,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit,
            )
        except subprocess.TimeoutExpired as error:
            output = [(text or b"").decode("utf-8", "replace") for text in (error.stdout, error.stderr)]
            return subprocess.CompletedProcess(command, "timed out", *output)

    def installs(self):
        install = ["cst", "agent", "install", *self.recipe.installed, "--scope", self.options.scope]
        for command in self.recipe.before:
            self.note("before", self.call(command(self.place)))
        self.before = self.files()
        self.note("dry run", self.call(install + ["--dry-run"]))
        self.checks["dry run"] = self.files() == self.before
        self.checks["install"] = self.note("install", self.call(install)).returncode == 0
        self.installed = self.files()
        self.touched = {
            path for path in self.before.keys() | self.installed.keys() if self.before.get(path) != self.installed.get(path)
        }
        self.details["touched"] = sorted(self.touched)
        self.checks["install"] &= bool(self.touched)
        self.checks["again"] = self.call(install).returncode == 0 and self.files() == self.installed

    def uninstalls(self):
        """What install touched is as it was. An agent may have rewritten a file meanwhile; then it tells of no cst."""
        done = self.note(
            "uninstall", self.call(["cst", "agent", "uninstall", *self.recipe.installed, "--scope", self.options.scope])
        )
        after = self.files()
        left = sorted(path for path in self.touched if after.get(path) != self.before.get(path) and not self.forgotten(path))
        self.details["left"] = left
        self.checks["uninstall"] = done.returncode == 0 and not left

    def forgotten(self, path):
        """Whether just the agent's own is left there: a folder with its files, a file without a word of cst."""
        path = self.root / path
        if path.is_dir():
            return any(path.iterdir())
        return not self.beside and path.is_file() and not re.search(r"\bcst\b", path.read_text(errors="replace"))

    def files(self):
        """All files and folders of project and home with what they hold, but for git's and the journal's."""
        found = {}
        for folder in (self.project, self.home):
            for path in folder.rglob("*"):
                parts = path.relative_to(folder).parts
                if ".git" in parts or ".cst" in parts or "node_modules" in parts or path == self.project / "a.py":
                    continue
                content = path.read_bytes().decode("latin-1") if path.is_file() else None
                if path.is_file() or path.is_dir():
                    found[str(path.relative_to(self.root))] = (content, path.lstat().st_mode)
        return found

    def converse(self):
        done = self.call(self.recipe.command(self.place), self.options.limit)
        self.note("agent", done)
        (self.root / "output.txt").write_text(f"{done.returncode}\n{done.stdout}\n--- standard error\n{done.stderr}")

    def missing(self):
        """Where the project is checked out by someone who has no cst, the agent's own edits go on."""
        log, gone = self.log, self.program.with_name("gone")
        self.program.rename(gone)
        (self.project / "a.py").write_text(SOURCE)
        self.server.log = self.root / "missing.jsonl"
        self.note("agent without cst", self.call(self.recipe.command(self.place), self.options.limit))
        self.server.log = log
        gone.rename(self.program)
        self.checks["missing"] = (self.project / "a.py").read_text() == SOURCE + "def h(:\n"
        if self.recipe.needs_cst and not self.checks["missing"]:
            self.checks["missing"] = "as said"

    def judge(self):
        lines = [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []
        unknown = sorted({line["unknown"] for line in lines if "unknown" in line})
        lines = [line for line in lines if "wire" in line]
        said = {}
        for line in lines:
            if line["results_of"]:
                said.setdefault(line["results_of"], line["since"])
        tools = sorted({tool for line in lines for tool in line["tools"]})
        ours = [tool for tool in tools if tool.startswith(self.recipe.prefix)]
        self.details.update(
            {
                "requests": len(lines),
                "wire": sorted({line["wire"] for line in lines}),
                "tools": ours,
                "other tools": [tool for tool in tools if tool not in ours],
                "unknown requests": unknown,
                "said": {name: text[:1500] for name, text in said.items()},
            }
        )
        self.checks["tools"] = {tool[len(self.recipe.prefix) :] for tool in ours} >= TOOLS
        self.checks["break"] = said.get("break", "").count(WORDS) == 1
        self.checks["outline"] = "def f()" in said.get("outline", "")
        self.checks["edit"] = "def g():" in (self.project / "a.py").read_text() and WORDS not in said.get("edit", WORDS)
        self.checks["mend"] = "mend" in said and WORDS not in said["mend"]
        self.checks["shell"] = said.get("shell", "").count(WORDS) == 1
        if OTHER in "".join(self.recipe.existing.values()) and self.beside:
            self.checks["others"] = (self.project / OTHER).exists()
        self.checks["journal"] = self.journal(said)

    def journal(self, said):
        """A line for each edit that was made, under this agent's name; only the broken ones have errors."""
        lines = [
            json.loads(line)
            for path in sorted(self.project.glob(".cst/journal/*.jsonl"))
            for line in path.read_text().splitlines()
        ]
        self.details["journal"] = lines
        broken = [bool(line.get("new_errors")) for line in lines]
        expected = [name != "mend" for name in ("break", "mend", "shell") if name in said]
        agent = re.split("[+<]", self.recipe.id)[0]
        return bool(lines) and broken == expected and all(line.get("agent") == agent for line in lines)

    def note(self, name, done):
        self.details[name] = {"status": done.returncode, "output": (done.stdout + done.stderr)[-3000:]}
        return done


def table(results):
    rows = [["agent", "version", *CHECKS]]
    for result in results:
        checks = result.get("checks", {})
        cells = [WORD_OF.get(checks.get(check), "NO") for check in CHECKS] if checks else [result.get("left out", "")]
        rows.append([result["agent"], str(result["version"] or ""), *cells])
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])


if __name__ == "__main__":
    sys.exit(main())
