"""Gives every call of `requests.get` a timeout, unless it has one, and imports the constant."""

import sys
from pathlib import Path

import cst_engine as cst


def with_timeouts(tree: cst.Tree) -> cst.Tree:
    calls = [
        match.node
        for match in tree.find('call[callee="requests.get"]')
        if not match.node.find('argument_list > keyword_argument[name="timeout"]')
    ]
    arguments = [call.child("arguments") for call in calls]
    operations = [cst.insert(node, "last", "timeout=TIMEOUT") for node in arguments if node is not None]
    if not operations:
        return tree
    return tree.edit([*operations, cst.ensure_import("from settings import TIMEOUT")])


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        new = with_timeouts(cst.parse_file(path))
        if new.changes:
            path.write_bytes(new.bytes)
            print(new.diff(), end="")


if __name__ == "__main__":
    main()
