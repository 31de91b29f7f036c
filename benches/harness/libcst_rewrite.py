"""The rewrites with LibCST, run by a Python that has it: `libcst_rewrite.py assert_equal|assert|new_name FOLDER`."""

import sys
from pathlib import Path

import libcst
import libcst.matchers as m

ASSERT_EQUAL = m.Attribute(value=m.Name("self"), attr=m.Name("assertEqual"))
PLAIN = m.Arg(keyword=None, star="")
STATEMENT = m.Expr(value=m.Call(func=ASSERT_EQUAL, args=[PLAIN, PLAIN]))
#: What may stand beside `==`, over several lines too, without parentheses.
CLOSED = (
    libcst.Name,
    libcst.Integer,
    libcst.Float,
    libcst.SimpleString,
    libcst.Attribute,
    libcst.Subscript,
    libcst.Call,
    libcst.List,
    libcst.Dict,
    libcst.Set,
    libcst.ListComp,
    libcst.DictComp,
    libcst.SetComp,
)


class Method(libcst.CSTTransformer):
    """`self.assertEqual(…)` to `self.assert_equal(…)`."""

    def leave_Call(self, original, updated):
        if not m.matches(original.func, ASSERT_EQUAL):
            return updated
        return updated.with_deep_changes(updated.func.attr, value="assert_equal")


class Function(libcst.CSTTransformer):
    """`old(…)` to `new_name(…)`."""

    def leave_Call(self, original, updated):
        if not m.matches(original.func, m.Name("old")):
            return updated
        return updated.with_deep_changes(updated.func, value="new_name")


class Assert(libcst.CSTTransformer):
    """`self.assertEqual(a, b)` to `assert a == b`, where it is a statement."""

    def leave_Expr(self, original, updated):
        if not m.matches(original, STATEMENT):
            return updated
        left, right = (operand(argument.value) for argument in updated.value.args)
        target = libcst.ComparisonTarget(operator=libcst.Equal(), comparator=right)
        return libcst.Assert(test=libcst.Comparison(left=left, comparisons=[target]), semicolon=updated.semicolon)


def operand(value):
    if isinstance(value, CLOSED) or value.lpar:
        return value
    return value.with_changes(lpar=[libcst.LeftParen()], rpar=[libcst.RightParen()])


REWRITES = {"assert_equal": Method, "assert": Assert, "new_name": Function}


def main(rewrite, folder):
    for path in sorted(Path(folder).rglob("*.py")):
        before = path.read_bytes()
        try:
            after = libcst.parse_module(before).visit(REWRITES[rewrite]()).bytes
        except Exception as error:
            print(f"{path}: {type(error).__name__}", file=sys.stderr)
            continue
        if after != before:
            path.write_bytes(after)


if __name__ == "__main__":
    main(*sys.argv[1:])
