"""Why answers differ, as found by looking at the places that the results list."""

#: By the question's name for the oracle, or the task's, and the tool.
NOTES = {
    ("print", "ast-grep"): "`call#print` names a call by the last part of what is called, so `te.print(…)` counts too.",
    ("print", "Python's ast"): "The same; `call[callee=\"print\"]` leaves out `te.print(…)`.",
    ("nested", "ast-grep"): "`return (f(x))`: the rule sees parentheses where `cst` and `ast` see a call.",
    ("nested", "semgrep"): "It gives the line of a decorator, the others that of `def`.",
    ("getters", "semgrep"): "It gives the line of a decorator, the others that of `def`.",
    ("definitions", "ast-grep"): "Its outline leaves out what is defined inside functions.",
    ("definitions", "universal-ctags"): "It counts lambdas that are assigned to a name.",
    ("definitions", "Python's ast"): "In one file tree-sitter finds a syntax error around two classes.",
    ("P11 go literal", "ast-grep"): "It reads the pattern as a type conversion.",
    ("P11 c literal", "ast-grep"): "It reads the pattern as a macro.",
    ("P11 ruby literal", "ast-grep"): "It accepts more arguments than the pattern has.",
    ("P11 javascript kind", "ast-grep"): "The rule leaves out functions that are assigned to a property.",
    ("P11 typescript kind", "ast-grep"): "The rule knows fewer kinds of functions without a body.",
    ("P11 c kind", "ast-grep"): "For `cst` a declaration is a function, too; the rule looks for definitions.",
    ("P11 cpp kind", "ast-grep"): "For `cst` a declaration is a function, too; the rule looks for definitions with few kinds of declarators.",
}
REGEX = "A regex sees comments and strings as code, and one line at a time."


def note(task, question, label):
    if label.startswith("ripgrep"):
        return REGEX
    return NOTES.get((question, label)) or NOTES.get((task, label), "")
