"""Reads what the tools print as sets of `path:line`, and compares them."""

import json
import posixpath
import re

#: Of each difference, the results keep so many lines.
LISTED = 200


def read(form, file):
    """The `path:line` of each match, as a set."""
    return {place(path, line) for path, line in READERS[form](file)}


def place(path, line):
    return f"{posixpath.normpath(path)}:{line}"


def lines(file):
    for line in file:
        found = re.match(r"(.+?):(\d+)(?::|$)", line)
        if found:
            yield found[1], int(found[2])


def ast_grep(file):
    for line in file:
        match = json.loads(line)
        yield match["file"], match["range"]["start"]["line"] + 1


def semgrep(file):
    for match in json.load(file)["results"]:
        yield match["path"], match["start"]["line"]


DEFINITIONS = {"class", "function", "method", "constructor"}


def cst_outline(file):
    for line in file:
        entry = json.loads(line)
        for definition in entry.get("definitions", []):
            if definition["kind"] in DEFINITIONS:
                yield entry["path"], definition["start_line"]


def ast_grep_outline(file):
    for line in file:
        entry = json.loads(line)
        rest = list(entry["items"])
        while rest:
            item = rest.pop()
            rest += item.get("members") or []
            if item["symbolType"] in DEFINITIONS:
                yield entry["path"], item["range"]["start"]["line"] + 1


READERS = {
    "lines": lines,
    "ast-grep": ast_grep,
    "semgrep": semgrep,
    "cst outline": cst_outline,
    "ast-grep outline": ast_grep_outline,
}


def compare(ours, theirs, unparsed=frozenset()):
    """How two answers differ; `unparsed` are files that the other can't read, which are counted apart."""
    only_ours, only_theirs = ours - theirs, theirs - ours
    apart = {at for at in only_ours if at.rsplit(":", 1)[0] in unparsed}
    return {
        "count": len(theirs),
        "only_cst": len(only_ours) - len(apart),
        "only_other": len(only_theirs),
        "unread": len(apart),
        "list_only_cst": sorted(only_ours - apart)[:LISTED],
        "list_only_other": sorted(only_theirs)[:LISTED],
        "list_unread": sorted(apart)[:LISTED],
    }
