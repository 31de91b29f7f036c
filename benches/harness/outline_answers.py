"""What ctags and `cst outline` list of a file: names and the lines that they stand on."""

import json
import re
import subprocess
from dataclasses import dataclass, field

#: Files for one process.
BATCH = 50
MANY = "1000000000"
#: Of files that aren't in UTF-8; ctags takes them as they are.
ENCODING = "windows-1252"
#: How lines begin that stand before a name and may hold it too: decorators and attributes, which may go on, and comments.
DECORATOR = re.compile(r"\s*(?:@(?!interface\b)|#!?\[|\[\w)")
COMMENT = re.compile(r"\s*(?://|/?\*)")


@dataclass(frozen=True)
class Tag:
    """An entry of ctags, with the source around it."""

    path: str
    name: str
    kind: str
    line: int
    #: The line it points to.
    text: str
    #: The file's lines.
    source: list = field(repr=False, compare=False)


@dataclass
class Outline:
    """What `cst` says of a file."""

    read: bool = False
    errors: int = 0
    #: The lines at which each name is listed.
    lines: dict = field(default_factory=dict)


def ctags(program, language, files, sources):
    """The tags of the kinds that are compared."""
    command = [program, "--options=NONE", f"--language-force={language.ctags}", "-f", "-", "--output-format=json"]
    command += ["--fields=+nK", "--sort=no", "-L", "-"]
    said = subprocess.run(command, input="\n".join(files).encode(), capture_output=True).stdout
    tags = []
    for row in said.decode("utf-8", "replace").splitlines():
        tag = json.loads(row)
        if tag.get("_type") != "tag" or tag["kind"] not in language.kinds:
            continue
        lines, line = sources[tag["path"]], tag["line"]
        text = lines[line - 1] if line <= len(lines) else ""
        tags.append(Tag(tag["path"], tag["name"], tag["kind"], line, text, lines))
    return tags


def outlines(program, language, files, sources, environment):
    """What `cst outline` says of each file; a file it doesn't name wasn't read."""
    found = {path: Outline() for path in files}
    read_outlines(program, language, files, sources, environment, [], found)
    unread = [path for path in files if not found[path].read]
    read_outlines(program, language, unread, sources, environment, ["--encoding", ENCODING], found)
    return found


def read_outlines(program, language, files, sources, environment, options, found):
    command = [program, "outline", "--jsonl", "--no-cache", "--no-ids", "--max-files", MANY, "--threads", "1", "--no-ignore"]
    command += ["--language", language.name, *options]
    for start in range(0, len(files), BATCH):
        batch = files[start : start + BATCH]
        said = subprocess.run([*command, *batch], capture_output=True, env=environment).stdout
        for row in said.decode("utf-8", "replace").splitlines():
            entry = json.loads(row)
            if entry.get("path") not in found or "definitions" not in entry:
                continue
            outline = found[entry["path"]]
            outline.read, outline.errors = True, len(entry["errors"])
            for definition in entry["definitions"]:
                add(outline.lines, definition, sources[entry["path"]])


def add(lines, definition, source):
    start, end = definition["start_line"], definition["end_line"]
    for name in definition["name"].split(", "):
        at = lines.setdefault(plain(name), set())
        at.update((start - 1, start, start + 1))
        at.add(name_line(name, start, end, source))


def name_line(name, start, end, source):
    """The first line with the name, after decorators, attributes and what else stands before it."""
    word = re.compile(r"(?<!\w)" + re.escape(name.split("::")[-1].split(".")[-1]) + r"(?!\w)")
    depth = 0
    for line in range(start, min(end, len(source)) + 1):
        text = source[line - 1]
        if depth > 0 or DECORATOR.match(text):
            code = re.sub(r'"[^"]*"', "", text)
            depth = max(0, depth + sum(code.count(it) for it in "([") - sum(code.count(it) for it in ")]"))
        elif word.search(text) and not COMMENT.match(text):
            return line
    return start


def plain(name):
    """A name without what the two write differently: quotes, `#` of private ones, spaces of operators, type arguments."""
    name = name.strip("\"'`").lstrip("#").replace(" ", "")
    if not name.startswith("operator"):
        name = re.sub(r"(?<=\w)<.*", "", name)
    return re.split(r"::|\\|\.(?=\w)", name)[-1]


def listed(outline, tag):
    return tag.line in outline.lines.get(plain(tag.name), ())
