"""What is asked, and how each tool is asked it.

P1 to P5, P7 and P9 are here (P4 is a row of P1 to P3), P10 is in `growth`, P11 and P12 in `languages`, P13 and P14 in
`serving`, P15 in `hostile`. P6, rewriting, is in `rewrites`; P8, a loaded tree, is measured by `cargo bench --bench figures`.
"""

from functools import partial
from pathlib import Path

from . import growth, languages
from .commands import AST_GREP_ALL, RULES, SEMGREP, Command, Task, cst, find, ripgrep, run_print, scan
from .files import file_like

#: Found in fewer than one file in a thousand.
RARE = "get_prep_lookup"
MANY = "1000000000"


def all_tasks(setting, wanted):
    """The tasks whose names are wanted; nothing is made ready for the others."""
    makers = []
    if setting.python:
        makers += [(["P1", "P2", "P3"], searches), (["P5"], outlines), (["P7"], one_file), (["P9"], memory)]
        makers += [(["P10"], growth.tasks)]
    makers += [(["P11", "P12"], partial(languages.tasks, wanted=wanted))]
    if setting.slow:
        makers += [(["slow"], slow)]
    tasks = []
    for names, make in makers:
        if any(map(wanted, names)):
            tasks += [task for task in make(setting) if wanted(task.name)]
    for task in tasks:
        task.commands = [command for command in task.commands if setting.tools.has(command.tool)]
    return tasks


QUESTIONS = [
    ("P1", "Functions by the beginning of their name", 'function[name^="get"]', "getters"),
    ("P2", "Calls of one function", "call#print", "print"),
    ("P2 rare", "Functions by a rare name", f"function#{RARE}", "rare"),
    ("P3", "Methods that return a call: no word to look for", "class function:has(return > call)", "nested"),
]
REGEXES = {
    "getters": r"^\s*(async\s+)?def\s+get",
    "print": r"\bprint\s*\(",
    "rare": rf"^\s*(async\s+)?def\s+{RARE}\b",
}


def searches(setting):
    tasks = []
    for name, title, selector, question in QUESTIONS:
        again, fill = warm_store(setting, "find", partial(find, setting, selector))
        commands = [find(setting, selector), *again, run_print() if question == "print" else scan(question)]
        if question in REGEXES:
            commands.append(ripgrep(REGEXES[question]))
        if question == "nested":
            commands.append(Command("bare parse", [".", "python"], None, "bare parse, one thread"))
        tasks.append(Task(name, title, selector, setting.python, commands, oracle=question, fill=fill))
    return tasks


def warm_store(setting, command, make):
    """P4: the same again with the warm store, and what fills it; nothing where this `cst` has none."""
    if not (setting.tools.cst_knows(command, "--cache") or setting.tools.cst_knows(command, "--no-cache")):
        return [], None
    fill = make(warm=True, label="cst, filling the store")
    fill.reads = None
    return [make(warm=True, label="cst, warm store")], fill


def outline(setting, **more):
    arguments = [".", "--jsonl", "--no-ids", "--max-files", MANY, "--no-ignore", "--language", "python"]
    return cst(setting, "outline", *arguments, reads="cst outline", **more)


def outlines(setting):
    again, fill = warm_store(setting, "outline", partial(outline, setting))
    commands = [
        outline(setting),
        *again,
        Command(
            "ast-grep",
            ["outline", "-l", "py", "--items", "structure", "--view", "expanded", "--json=stream", *AST_GREP_ALL, "."],
            "ast-grep outline",
        ),
        Command(
            "universal-ctags",
            ["-R", "--languages=Python", "--kinds-Python=cfm", "--sort=no", "-x", "--_xformat=%F:%n:%K", "."],
            "lines",
        ),
    ]
    title = "Outline of every file"
    return [Task("P5", title, "cst outline", setting.python, commands, oracle="definitions", fill=fill)]


def one_file(setting):
    """P7: a file of a thousand lines, the one nearest to that which has a getter."""
    path = file_like(setting.python, 1000, lambda text: b"def get" in text)
    folder = setting.work / "one"
    folder.mkdir()
    (folder / "file.py").write_bytes(path.read_bytes())
    commands = [find(setting, 'function[name^="get"]', "file.py"), scan("getters", "file.py")]
    commands += [
        cst(setting, "outline", "file.py", "--no-ids", reads=None, label="cst outline"),
        Command("ast-grep", ["outline", "--items", "structure", "file.py"], None, "ast-grep outline"),
        Command("universal-ctags", ["--output-format=u-ctags", "-f", "-", "file.py"]),
        ripgrep("def get", "file.py"),
        Command("cst", ["--version"], None, "cst --version"),
    ]
    title = "One file of 1,000 lines, as a whole process"
    return [Task("P7", title, 'function[name^="get"]', folder, commands, oracle="getters", repeat=10)]


def memory(setting):
    """P9: all calls there are; what a tool keeps of its matches shows in its peak."""
    commands = [find(setting, "call", reads=None), scan("calls")]
    commands[1].reads = None
    return [Task("P9", "Every call, and how much memory that takes", "call", setting.python, commands, rounds=2)]


def slow(setting):
    """The searches again, on a part of the corpus, with tools that take minutes for all of it."""
    tasks = []
    for name, title, selector, question in QUESTIONS:
        commands = [find(setting, selector), run_print() if question == "print" else scan(question)]
        rule = RULES / f"{question}.semgrep.yml"
        if rule.exists():
            commands.append(Command("semgrep", [*SEMGREP, "-c", str(rule), "."], "semgrep"))
        script = str(Path(__file__).parent / "libcst_search.py")
        if question in ("getters", "print", "nested"):
            commands.append(Command("LibCST", [script, question, "."], "lines"))
        query = RULES / f"{question}.scm"
        library = setting.tools.programs.get("tree-sitter library")
        if query.exists() and library:
            arguments = ["query", "--lib-path", library, "--lang-name", "python", "--paths", "files", str(query)]
            commands.append(Command("tree-sitter", arguments))
        if len(commands) > 2:
            task = Task(f"slow {name}", title, selector, setting.slow, commands, oracle=question, rounds=1)
            tasks.append(task)
    return tasks
