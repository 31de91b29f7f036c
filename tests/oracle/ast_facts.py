"""What Python's own `ast` says of its standard library: a line of JSON for each file.

Usage: ast_facts.py STRIDE, where every STRIDEth file is looked at. Files that `ast` can't parse, or that aren't UTF-8,
are counted in the last line.
"""

import ast
import json
import os
import sys
import sysconfig
import warnings

# Kinds of nodes whose lines alone are compared.
BY_LINE = """
Return TypeAlias Delete Assign AugAssign AnnAssign For AsyncFor While If With AsyncWith Match Raise Try TryStar Assert
Import ImportFrom Global Nonlocal Expr Pass Break Continue Lambda ListComp SetComp DictComp GeneratorExp Await Yield YieldFrom
IfExp NamedExpr Compare BinOp BoolOp Subscript Dict Set List Slice ExceptHandler match_case comprehension
""".split()


def files(folder):
    """All Python files of the standard library in order, other packages left out."""
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("site-packages", "dist-packages", "__pycache__")]
        found += [os.path.join(root, name) for name in names if name.endswith(".py")]
    return sorted(found)


def last_name(node):
    """The last part of what a name says; none for a call's result, an element, a literal."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.NamedExpr):
        return node.target.id
    return None


class Facts:
    def __init__(self, source):
        self.lines = source.splitlines(keepends=True)
        self.functions, self.classes, self.calls, self.lambdas = [], [], [], []
        self.imports, self.aliases, self.decorators, self.documented = [], [], [], []
        self.calls_in_strings = []
        self.by_line = {}

    def column(self, node):
        """The column in characters; `ast` counts bytes."""
        line = self.lines[node.lineno - 1]
        return len(line[: node.col_offset].decode("utf-8"))

    def visit(self, node, scopes, owner, in_string):
        """Walks without recursion, so that nothing is too deep."""
        open_nodes = [(node, scopes, owner, in_string)]
        while open_nodes:
            node, scopes, owner, in_string = open_nodes.pop()
            self.note(node, scopes, owner, in_string)
            children = [(child, scopes, owner, in_string) for child in ast.iter_child_nodes(node)]
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                kind = "class" if isinstance(node, ast.ClassDef) else "function"
                inner = scopes + [node.name]
                children = [(child, inner, kind, in_string) for child, *_ in children]
            elif isinstance(node, ast.Lambda):
                children = [(child, scopes, "function", in_string) for child, *_ in children]
            elif isinstance(node, ast.JoinedStr):
                children = [(child, scopes, owner, True) for child, *_ in children]
            open_nodes += children

    def note(self, node, scopes, owner, in_string):
        name = type(node).__name__
        if in_string:
            # Before Python 3.12, places inside of f-strings aren't those of the file.
            if isinstance(node, ast.Call):
                self.calls_in_strings.append([last_name(node.func), len(node.args) + len(node.keywords)])
            return
        if name in BY_LINE:
            line = getattr(node, "lineno", None)
            if name in ("match_case", "comprehension"):
                line = (node.pattern if name == "match_case" else node.target).lineno
            self.by_line.setdefault(name, []).append(line)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            arguments = node.args
            count = len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs)
            count += (arguments.vararg is not None) + (arguments.kwarg is not None)
            is_async = isinstance(node, ast.AsyncFunctionDef)
            self.functions.append([node.lineno, ".".join(scopes + [node.name]), owner == "class", is_async, count])
        elif isinstance(node, ast.ClassDef):
            self.classes.append([node.lineno, ".".join(scopes + [node.name])])
        elif isinstance(node, ast.Lambda):
            arguments = node.args
            count = len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs)
            count += (arguments.vararg is not None) + (arguments.kwarg is not None)
            self.lambdas.append([node.lineno, self.column(node), count])
        elif isinstance(node, ast.Call):
            count = len(node.args) + len(node.keywords)
            self.calls.append([node.lineno, self.column(node), last_name(node.func), count])
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            self.imports.append([node.lineno, names, names])
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            self.imports.append([node.lineno, [module], [alias.name for alias in node.names]])
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.aliases += [[alias.name, alias.asname] for alias in node.names if alias.asname]
        for decorator in getattr(node, "decorator_list", ()):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            self.decorators.append([decorator.lineno, last_name(called)])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            if (ast.get_docstring(node, clean=False) or "").strip():
                self.documented.append(getattr(node, "lineno", 0))


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(100_000)
    folder = sysconfig.get_paths()["stdlib"]
    unreadable = 0
    for path in files(folder)[:: int(sys.argv[1])]:
        with open(path, "rb") as file:
            source = file.read()
        try:
            source.decode("utf-8")
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            unreadable += 1
            continue
        facts = Facts(source.removeprefix(b"\xef\xbb\xbf"))
        facts.visit(tree, [], "module", False)
        fields = {key: value for key, value in vars(facts).items() if key != "lines"}
        print(json.dumps({"path": path, "name": os.path.relpath(path, folder), **fields}))
    print(json.dumps({"unreadable": unreadable}))


main()
