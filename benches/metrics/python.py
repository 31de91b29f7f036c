"""Compares the numbers of Python functions with those of radon, mccabe, pylint, complexipy and cognitive_complexity.

    pip install radon mccabe pylint complexipy cognitive_complexity
    python benches/metrics/python.py target/release/cst FILE...

Prints how many functions have the same number, and for each difference what in the function may be its reason.
"""

import ast
import collections
import json
import os
import re
import subprocess
import sys
import warnings

import astroid
import mccabe
from cognitive_complexity.api import get_cognitive_complexity
from complexipy import code_complexity
from pylint.checkers.design_analysis import MisdesignChecker
from pylint.lint import PyLinter
from radon.visitors import ComplexityVisitor

warnings.simplefilter("ignore")
sys.setrecursionlimit(20000)
IGNORED = re.compile("_.*|^ignored_|^unused_")
PAIRS = {
    "radon": "complexity",
    "mccabe": "complexity",
    "complexipy": "cognitive",
    "cognitive_complexity": "cognitive",
    "pylint statements": "statements",
    "pylint returns": "returns",
    "pylint branches": "branches",
    "pylint locals": "locals",
}
VISITED = {"return", "try", "if", "while", "for", "match"}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def pylint_numbers(source):
    """What pylint's checker counts; it only tells numbers beyond its limits."""
    linter = PyLinter()
    checker = MisdesignChecker(linter)
    linter.register_checker(checker)
    linter.config.ignored_argument_names = IGNORED
    checker.open()
    checker.add_message = lambda *_, **__: None
    found = {}

    def walk(node):
        name = type(node).__name__.lower()
        is_function = name in ("functiondef", "asyncfunctiondef")
        if is_function:
            checker.visit_functiondef(node)
        elif name in VISITED:
            getattr(checker, "visit_" + name)(node)
        elif name != "classdef":
            checker.visit_default(node)
        for child in node.get_children():
            walk(child)
        if is_function:
            found[node.fromlineno, node.name] = {
                "pylint statements": checker._stmts.pop(),
                "pylint returns": checker._returns.pop(),
                "pylint branches": checker._branches[node],
                # Without the arguments that begin with an underscore, which pylint leaves out.
                "pylint locals": len(set(node.locals)) - ("_" in node.locals),
            }

    walk(astroid.parse(source))
    return found


def oracle(source):
    """The numbers of each function, by its line and name."""
    tree = ast.parse(source)
    rows = {}
    for function in (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)):
        visitor = ComplexityVisitor(off=False)
        visitor.visit(function)
        row = rows.setdefault((function.lineno, function.name), {"node": function})
        row["radon"] = visitor.functions[0].complexity
        row["cognitive_complexity"] = get_cognitive_complexity(function)
    graphs = mccabe.PathGraphingAstVisitor()
    graphs.preorder(tree, graphs)
    lines = {line: row for (line, _), row in rows.items()}
    for graph in graphs.graphs.values():
        if graph.lineno in lines:
            lines[graph.lineno]["mccabe"] = graph.complexity()
    for function in code_complexity(source).functions:
        for (line, name), row in rows.items():
            if name == function.name.split("::")[-1] and function.line_start <= line <= function.line_end and "complexipy" not in row:
                row["complexipy"] = function.complexity
                break
    for key, numbers in pylint_numbers(source).items():
        rows.get(key, {}).update(numbers)
    return rows


def reason(function, tool):
    """What in a function the tools count differently."""
    has = lambda kinds: any(isinstance(node, kinds) for node in ast.walk(function))
    within = lambda outer, inner: any(
        isinstance(node, outer) and any(isinstance(below, inner) for below in ast.walk(node) if below is not node)
        for node in ast.walk(function)
    )
    is_else_if = any(isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) for node in ast.walk(function))
    reasons = [
        ("an `if` alone in an `else`, or an `elif`", tool in ("pylint statements", "pylint branches", "cognitive_complexity") and is_else_if),
        ("`else` of a loop", tool == "cognitive_complexity" and any(getattr(node, "orelse", None) for node in ast.walk(function) if isinstance(node, (ast.For, ast.While)))),
        ("inside `assert`", tool == "radon" and within(ast.Assert, (*COMPREHENSIONS, ast.BoolOp, ast.IfExp))),
        ("a comprehension", tool in ("complexipy", "mccabe") and has(COMPREHENSIONS)),
        ("a boolean operator, a ternary, `assert`", tool == "mccabe" and has((ast.BoolOp, ast.IfExp, ast.Assert))),
        ("`try` with its handlers", tool == "mccabe" and has(ast.Try)),
        ("an operator in an argument or a display", tool == "complexipy" and within((ast.Call, ast.Dict, ast.JoinedStr, ast.Lambda, ast.Subscript, ast.BinOp, ast.Compare, ast.Tuple), (ast.BoolOp, ast.IfExp))),
        ("operators in operators", within(ast.BoolOp, ast.BoolOp)),
        ("an inner definition", any(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for node in ast.walk(function) if node is not function)),
    ]
    return next((text for text, holds in reasons if holds), "other")


def main(cst, files):
    answer = json.loads(subprocess.run([cst, "metrics", "--json", "--", *files], capture_output=True, text=True, check=False).stdout)
    own = {(os.path.abspath(row["path"]), row["start_line"], row.get("qualname", "").split(".")[-1]): row for row in answer["functions"]}
    same, total, reasons = collections.Counter(), collections.Counter(), collections.defaultdict(collections.Counter)
    for path in files:
        try:
            rows = oracle(open(path, encoding="utf-8").read())
        except (SyntaxError, UnicodeError, ValueError, RecursionError):
            continue
        for (line, name), row in rows.items():
            found = own[os.path.abspath(path), line, name]
            for tool, number in PAIRS.items():
                if tool in row:
                    total[tool] += 1
                    same[tool] += row[tool] == found[number]
                    if row[tool] != found[number]:
                        reasons[tool][reason(row["node"], tool)] += 1
    for tool, number in PAIRS.items():
        print(f"{tool:22} {number:11} {same[tool]:6} of {total[tool]:6}  {100 * same[tool] / max(1, total[tool]):6.2f} %  {dict(reasons[tool].most_common())}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
