"""Whether a rewrite did what was asked, as Python's own `ast` and `tokenize` see it.

A renamed file has one right answer, byte for byte: the original with another name where `ast` says that the calls' names
stand, in the file's declared encoding. An assertion can be laid out in several ways, so there the syntax tree is compared
with that of the original in which the statements are replaced, and the comments as a multiset.
"""

import ast
import multiprocessing
import os
import re
import tokenize
import warnings
from collections import Counter
from io import BytesIO
from pathlib import Path

OLD, NEW = "assertEqual", "assert_equal"
#: What `ast.parse` raises for what it can't read.
UNREAD = (SyntaxError, ValueError, RecursionError, MemoryError)
#: A file's verdicts, best first, and what the tables call them.
VERDICTS = {
    "assert_equal": {
        "exact": "exact",
        "untouched": "untouched",
        "moved": "other bytes moved",
        "meaning": "`ast` differs",
        "broken": "doesn't parse",
    },
    "assert": {
        "exact": "right",
        "untouched": "untouched",
        "comments": "comments lost",
        "meaning": "`ast` differs",
        "broken": "doesn't parse",
    },
}
#: The fields with statements, or with what has statements.
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
#: Of each verdict, the results keep so many paths.
LISTED = 20


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*.py") if path.is_file()}


class Originals:
    """Files before the rewrite: how often each has what is to be rewritten, `None` where `ast` can't tell."""

    def __init__(self, folder, kind):
        self.kind = kind
        self.files = files_of(folder)
        self.counts = dict(parallel(count, [(kind, path, text) for path, text in self.files.items()]))

    def describe(self):
        numbers = [number for number in self.counts.values() if number]
        unread = sum(number is None for number in self.counts.values())
        return {"files": len(self.files), "with": len(numbers), "places": sum(numbers), "unread": unread}

    def judge(self, folder):
        """The verdicts on what a tool made of them."""
        results = files_of(folder)
        work, others = [], []
        for path, before in self.files.items():
            after = results.get(path, b"")
            if self.counts[path]:
                work.append((self.kind, path, before, after))
            elif after != before:
                others.append(path)
        listed = {verdict: [] for verdict in VERDICTS[self.kind]}
        for path, verdict in parallel(judge, work):
            listed[verdict].append(path)
        return {
            "counts": {verdict: len(paths) for verdict, paths in listed.items()},
            "paths": {verdict: sorted(paths)[:LISTED] for verdict, paths in listed.items() if verdict != "exact"},
            "others": len(others),
            "list_others": sorted(others)[:LISTED],
        }


def parallel(function, work):
    with multiprocessing.Pool(min(os.cpu_count() or 1, 8)) as pool:
        return pool.map(function, work, 8)


def count(work):
    kind, path, text = work
    if OLD.encode() not in text:
        return path, 0
    tree = parse(text)
    if tree is None:
        return path, None
    return path, len(calls(tree)) if kind == "assert_equal" else replace_statements(tree)


def judge(work):
    kind, path, before, after = work
    return path, VERDICT[kind](before, after)


def judge_names(before, after):
    expected = renamed(before)
    if after == expected:
        return "exact"
    if after == before:
        return "untouched"
    tree = parse(after)
    if tree is None:
        return "broken"
    return "moved" if same(tree, parse(expected)) else "meaning"


def judge_asserts(before, after):
    if after == before:
        return "untouched"
    tree = parse(after)
    if tree is None:
        return "broken"
    expected = parse(before)
    replace_statements(expected)
    if not same(tree, expected):
        return "meaning"
    return "exact" if comments(after) == comments(before) else "comments"


VERDICT = {"assert_equal": judge_names, "assert": judge_asserts}


def parse(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except UNREAD:
            return None


def calls(tree):
    """The names in the calls of `self.assertEqual`."""
    return [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and is_assert_equal(node.func)]


def is_assert_equal(function):
    if not isinstance(function, ast.Attribute) or function.attr != OLD:
        return False
    return isinstance(function.value, ast.Name) and function.value.id == "self"


def renamed(text):
    """The file with the new name in its calls, and every other byte as it is."""
    encoding, _ = tokenize.detect_encoding(BytesIO(text).readline)
    source = text.decode(encoding)
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", source)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    parts, rest = [], 0
    for line, column in sorted((name.end_lineno, name.end_col_offset) for name in calls(parse(text))):
        # Columns count bytes of UTF-8, whatever the file is in.
        end = starts[line - 1] + len(lines[line - 1].encode()[:column].decode())
        start = end - len(OLD)
        if source[start:end] != OLD:
            raise ValueError(f"line {line} has no `{OLD}` where `ast` sees it")
        parts += [source[rest:start], NEW]
        rest = end
    return "".join([*parts, source[rest:]]).encode(encoding)


def replace_statements(tree):
    """Makes the statements `self.assertEqual(a, b)` assertions; how many there were."""
    replaced = 0
    rest = [tree]
    while rest:
        node = rest.pop()
        for block in (getattr(node, field, []) for field in BLOCKS):
            for index, statement in enumerate(block):
                if is_statement(statement):
                    left, right = statement.value.args
                    block[index] = ast.Assert(ast.Compare(left, [ast.Eq()], [right]), None)
                    replaced += 1
                else:
                    rest.append(statement)
    return replaced


def is_statement(node):
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    plain = len(call.args) == 2 and not call.keywords and not any(isinstance(it, ast.Starred) for it in call.args)
    return plain and is_assert_equal(call.func)


def same(one, other):
    """Whether two trees are equal but for positions."""
    rest = [(one, other)]
    while rest:
        mine, theirs = rest.pop()
        if type(mine) is not type(theirs):
            return False
        if isinstance(mine, ast.AST):
            rest.extend((getattr(mine, field, None), getattr(theirs, field, None)) for field in mine._fields)
        elif isinstance(mine, list):
            if len(mine) != len(theirs):
                return False
            rest.extend(zip(mine, theirs))
        elif mine is not theirs and repr(mine) != repr(theirs):
            return False
    return True


def comments(text):
    tokens = tokenize.tokenize(BytesIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
