"""The searches with LibCST's matchers, run by a Python that has it: `libcst_search.py getters|print|nested FOLDER`."""

import sys
from pathlib import Path

import libcst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider

RETURNS_CALL = m.Return(value=m.Call())
SIMPLE = {
    "getters": m.FunctionDef(name=m.Name(value=m.MatchIfTrue(lambda name: name.startswith("get")))),
    "print": m.Call(func=m.Name("print")),
}


class Nested(libcst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self):
        self.classes = 0
        self.lines = []

    def visit_ClassDef(self, node):
        self.classes += 1

    def leave_ClassDef(self, node):
        self.classes -= 1

    def visit_FunctionDef(self, node):
        if self.classes and m.findall(node.body, RETURNS_CALL):
            self.lines.append(self.get_metadata(PositionProvider, node).start.line)


def lines(question, path):
    wrapper = MetadataWrapper(libcst.parse_module(path.read_bytes()), unsafe_skip_copy=True)
    if question == "nested":
        visitor = Nested()
        wrapper.visit(visitor)
        return visitor.lines
    positions = wrapper.resolve(PositionProvider)
    return [positions[node].start.line for node in m.findall(wrapper.module, SIMPLE[question])]


def main(question, folder):
    for path in sorted(Path(folder).rglob("*.py")):
        try:
            found = lines(question, path)
        except Exception as error:
            print(f"{path}: {type(error).__name__}", file=sys.stderr)
            continue
        for line in found:
            print(f"{path}:{line}")


if __name__ == "__main__":
    main(*sys.argv[1:])
