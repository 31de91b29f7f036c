"""The answers that Python's own `ast` gives, in the same terms: `path:line` of each match."""

import ast
import multiprocessing
import os
import warnings
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
QUESTIONS = ["getters", "print", "rare", "nested", "definitions"]


def answers(folder, rare):
    """For each question the set of `path:line`, and the files that `ast` can't parse."""
    folder = Path(folder)
    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py") if path.is_file())
    found = {question: set() for question in QUESTIONS}
    unparsed = set()
    with multiprocessing.Pool(min(os.cpu_count() or 1, 8)) as pool:
        for path, lines in pool.imap_unordered(one, [(folder, path, rare) for path in paths], 32):
            if lines is None:
                unparsed.add(path)
                continue
            for question, numbers in lines.items():
                found[question].update(f"{path}:{number}" for number in numbers)
    return found, unparsed


def one(work):
    folder, path, rare = work
    warnings.simplefilter("ignore")
    try:
        tree = ast.parse((folder / path).read_bytes())
        return path, lines(tree, rare)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return path, None


def lines(tree, rare):
    found = {question: [] for question in QUESTIONS}
    # Each node with whether a class is around it.
    rest = [(tree, False)]
    while rest:
        node, in_class = rest.pop()
        if isinstance(node, FUNCTIONS):
            if node.name.startswith("get"):
                found["getters"].append(node.lineno)
            if node.name == rare:
                found["rare"].append(node.lineno)
            if in_class and any(returns_call(inner) for inner in ast.walk(node)):
                found["nested"].append(node.lineno)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found["definitions"].append(node.lineno)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            found["print"].append(node.lineno)
        in_class = in_class or isinstance(node, ast.ClassDef)
        rest.extend((child, in_class) for child in ast.iter_child_nodes(node))
    return found


def returns_call(node):
    return isinstance(node, ast.Return) and isinstance(node.value, ast.Call)
