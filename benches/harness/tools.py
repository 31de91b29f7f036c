"""Which tools are installed, where, and in which version."""

import os
import re
import shutil
import subprocess
from pathlib import Path

#: Name in the tables, program, arguments that print its version.
PROGRAMS = [
    ("ast-grep", "ast-grep", ["--version"]),
    ("semgrep", "semgrep", ["--version"]),
    ("ripgrep", "rg", ["--version"]),
    ("universal-ctags", "ctags", ["--version"]),
    ("tree-sitter", "tree-sitter", ["--version"]),
]


class Tools:
    def __init__(self):
        self.programs = {}
        self.versions = {}
        #: What `cst` says of the options of its commands.
        self.help = {}

    def has(self, tool):
        return tool in self.programs

    def add(self, tool, program, version):
        self.programs[tool] = str(program)
        self.versions[tool] = version

    def cst_knows(self, command, option):
        if command not in self.help:
            self.help[command] = answer([self.programs["cst"], command, "--help"])
        return re.search(rf"{re.escape(option)}\b", self.help[command]) is not None


def find(options):
    tools = Tools()
    cst = Path(options.cst).resolve()
    if cst.is_file():
        tools.add("cst", cst, version(answer([str(cst), "--version"])))
    places = os.pathsep.join([*options.path, os.environ.get("PATH", "")])
    for name, program, arguments in PROGRAMS:
        path = shutil.which(program, path=places)
        if path and not (name == "tree-sitter" and not options.tree_sitter_library):
            path = os.path.abspath(path)
            tools.add(name, path, version(answer([path, *arguments])))
    if "universal-ctags" in tools.programs and "Universal" not in answer([tools.programs["universal-ctags"], "--version"]):
        del tools.programs["universal-ctags"]
    if options.tree_sitter_library:
        tools.programs["tree-sitter library"] = os.path.abspath(options.tree_sitter_library)
    libcst = python_with("libcst", places)
    if libcst:
        tools.add("LibCST", *libcst)
    parse = options.parse or built_parse(cst)
    if parse:
        tools.add("bare parse", Path(parse).resolve(), "the tree-sitter that cst is built with")
    return tools


def python_with(package, places):
    ask = f"import {package}, importlib.metadata as m; print(m.version('{package}'))"
    for folder in places.split(os.pathsep):
        python = os.path.join(os.path.abspath(folder), "python3")
        if folder and os.path.isfile(python):
            said = answer([python, "-c", ask]).strip()
            if re.fullmatch(r"[\d.]+\S*", said):
                return python, said
    return None


def built_parse(cst):
    """The newest that `cargo bench --bench parse --no-run` left beside cst."""
    programs = [path for path in (cst.parent / "deps").glob("parse-*") if os.access(path, os.X_OK) and not path.suffix]
    return max(programs, key=lambda path: path.stat().st_mtime, default=None)


def answer(command):
    try:
        quiet = {**os.environ, "SEMGREP_ENABLE_VERSION_CHECK": "0", "SEMGREP_SEND_METRICS": "off"}
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, env=quiet)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def version(said):
    number = re.search(r"\d+\.\d+(\.\d+)?\S*", said)
    return number.group(0).rstrip(",") if number else "unknown"
