"""Reads texts as JSON strings, one a line, and prints what `ast` makes of each: a tree, or null."""

import ast
import json
import sys
import warnings


class Flat(ast.NodeTransformer):
    """`(a and b) and c` is `a and b and c`: one node for `ast`, which says the same."""

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        first = node.values[0]
        if isinstance(first, ast.BoolOp) and type(first.op) is type(node.op):
            node.values = first.values + node.values[1:]
        return node


warnings.simplefilter("ignore")
for line in sys.stdin:
    try:
        tree = ast.dump(Flat().visit(ast.parse(json.loads(line))))
    except (SyntaxError, ValueError):
        tree = None
    print(json.dumps(tree))
