"""Files that rewriting gets wrong easily: `old(…)` is to be `new_name(…)` in them, and nothing else may change."""

import codecs
from pathlib import Path

#: What is awkward, and the file.
FILES = [
    ("`\\r\\n`, over lines, a comment inside", b"x = old(1)\r\ny = [\r\n  old(2, # c\r\n    3),\r\n]\r\n"),
    ("`\\r`", b"x = old(1)\ry = old(2)\r"),
    ("three kinds of line ends", b"x = old(1)\r\ny = 2\nz = old(3)\r"),
    ("a byte order mark", b"\xef\xbb\xbfx = old(1)\n"),
    ("tabs", b"def f():\n\told(1)\n\tif x:\n\t\told(\n\t\t\t2)\n"),
    ("a form feed", b"x = 1\n\x0c\nold(x)\n"),
    ("U+2028 and U+0085 in strings", "s = 'a\u2028b'\nold('\u0085', s)\n".encode()),
    ("an emoji and a combining accent before it", "# \U0001f600 e\u0301\nold('\U0001f600', gr\u00f6\u00dfe)\n".encode()),
    ("no line end at the end", b"old(1)"),
    ("spaces and empty lines at the end", b"old(1)   \n\n\n  \n"),
    ("several on a line, with `;`", b"x = old(1); y = old(2); old(3)\n"),
    ("a body on the line of `def`", b"def f(): return old(1)\n"),
    ("bodies on the lines of `if` and `else`", b"if a: old(1)\nelif old(2): pass\nelse: old(3)\n"),
    ("a decorator", b"@old(1)\ndef f(): pass\n"),
    ("in f-strings, in each other", b"x = f'{old(1)!r:>{old(2)}} {old(f\"{old(3)}\")}'\n"),
    ("strings over lines, raw, of bytes", b"old(\"\"\"a\n  b\n\"\"\", r'\\n', b'x')\n"),
    ("no arguments, a last comma", b"old(  )\nold(1,)\nold(\n  1,\n  2,\n)\n"),
    ("a continued line", b"x = old(1) \\\n  + old(2)\n"),
    ("a syntax error elsewhere", b"x = (old(1)\n)\nbroken = = 1\ny = old(2)\n"),
    ("200 in each other", b"x = " + b"old(" * 200 + b"1" + b")" * 200 + b"\n"),
    ("3,000 on a line", b"x = [" + b"old(1), " * 3_000 + b"]\n"),
    ("Latin-1, declared", b"# -*- coding: latin-1 -*-\nold('caf\xe9', gr\xf6sse)\n"),
    ("KOI8-R, declared", b"# coding: koi8-r\nold('\xf0\xd2\xc9')\n"),
    ("UTF-16 with a mark", codecs.BOM_UTF16_LE + "x = old('\U0001f600')\r\n".encode("utf-16-le")),
]


#: Larger than this, it is for itself.
SMALL = 1000


def groups():
    """The files that are rewritten together, by their indices."""
    small = [index for index, (_, text) in enumerate(FILES) if len(text) <= SMALL]
    return [small, *([index] for index in range(len(FILES)) if index not in small)]


def make(folder, group):
    folder.mkdir(parents=True)
    for index in group:
        (folder / name(index)).write_bytes(FILES[index][1])


def judge(folder, group):
    """What a tool made of each, by title: right, untouched or wrong."""
    return {FILES[index][0]: verdict(FILES[index][1], (Path(folder) / name(index)).read_bytes()) for index in group}


def verdict(before, after):
    if after == expected(before):
        return "right"
    return "untouched" if after == before else "wrong"


def expected(text):
    if text.startswith(codecs.BOM_UTF16_LE):
        return text.replace("old(".encode("utf-16-le"), "new_name(".encode("utf-16-le"))
    return text.replace(b"old(", b"new_name(")


def name(index):
    return f"file{index:02}.py"
