"""Writes what the names of C or C++ sources mean, by libclang: one JSON line for each use of something in the folder.

    uses_c.py FOLDER [clang options] > uses.jsonl        needs `pip install libclang`; each source is a unit of its own
"""

import json
import os
import sys

from clang import cindex

KINDS = cindex.CursorKind
SOURCES = (".c", ".cc", ".cpp", ".cxx")


def place(location, root):
    if location.file is None:
        return None
    path = os.path.relpath(os.path.realpath(location.file.name), root)
    return None if path.startswith("..") else (path, location.line, location.column)


def main():
    root = os.path.realpath(sys.argv[1])
    index = cindex.Index.create()
    found, names = {}, {}
    for folder, _, files in os.walk(root):
        for name in sorted(files):
            if not name.endswith(SOURCES):
                continue
            path = os.path.join(folder, name)
            unit = index.parse(path, args=sys.argv[2:], options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
            inside = (cursor for cursor in unit.cursor.get_children() if place(cursor.location, root))
            for cursor in (inner for cursor in inside for inner in cursor.walk_preorder()):
                try:
                    kind = cursor.kind
                except ValueError:
                    continue
                wanted = kind.is_reference() or kind in (KINDS.DECL_REF_EXPR, KINDS.MEMBER_REF_EXPR, KINDS.MACRO_INSTANTIATION,
                                                         KINDS.LABEL_REF, KINDS.MEMBER_REF)
                if not wanted or cursor.referenced is None:
                    continue
                other = cursor.referenced
                spelling = other.spelling
                use = place(cursor.location, root)
                to = {place(other.location, root), place(other.canonical.location, root)}
                definition = other.get_definition()
                if definition is not None:
                    to.add(place(definition.location, root))
                to.discard(None)
                if not to or use is None or not spelling or use in to:
                    continue
                found.setdefault(use, set()).update(to)
                names[use] = spelling
    texts = {}
    for use, to in sorted(found.items()):
        path, line, column = use
        if path not in texts:
            with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                texts[path] = file.read().split("\n")
        # What a macro expands to has the place of the macro.
        if not texts[path][line - 1][column - 1:].startswith(names[use]):
            continue
        places = [{"path": path, "line": line, "col": column} for path, line, column in sorted(to)]
        print(json.dumps({"path": path, "line": line, "col": column, "word": names[use], "to": places}))


main()
