"""Why answers differ, as found by looking at the places that the results list."""

#: By the question's name for the oracle, and the tool.
NOTES = {
    ("print", "ast-grep"): "`call#print` names a call by the last part of what is called, so `te.print(…)` counts too.",
    ("print", "Python's ast"): "The same; `call[callee=\"print\"]` leaves out `te.print(…)`.",
    ("nested", "ast-grep"): "`return (f(x))`: the rule sees parentheses where `cst` and `ast` see a call.",
    ("nested", "semgrep"): "It gives the line of a decorator, the others that of `def`.",
    ("getters", "semgrep"): "It gives the line of a decorator, the others that of `def`.",
    ("definitions", "ast-grep"): "Its outline leaves out what is defined inside functions.",
    ("definitions", "universal-ctags"): "It counts lambdas that are given a name.",
    ("definitions", "Python's ast"): (
        "`cst` leaves out a file in an encoding that it wasn't told, and says so; in another, tree-sitter finds a syntax "
        "error around two classes."
    ),
}
#: What a regex finds in strings and comments is no match, and what it misses none either.
REGEX = "A regex sees comments and strings as code, and one line at a time."


def note(question, label):
    if label.startswith("ripgrep"):
        return REGEX
    return NOTES.get((question, label), "")
