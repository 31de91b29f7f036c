"""P15: input that is made to take long. Each must end within its budget and its memory, and never by a signal.

A process may have 4 GB of address space; what counts is the memory that it had at its peak. An answer, a refusal and a file
that is skipped with a reason are all fine.
"""

import itertools
import random
import shutil
import sys

from .process import Limits, run

#: Address space of a process.
MEMORY = 4 << 30
#: What its peak may be.
ALLOWED = 1 << 30
#: The longest selector and the largest file of a folder.
SELECTOR = 64 << 10
FILE = 4 << 20


def fill(part, size, begin="", end=""):
    """As many parts as fit in a size."""
    return begin + part * ((size - len(begin) - len(end)) // len(part)) + end


def nest(levels, begin, middle, end):
    return begin * levels + middle + end * levels


SELECTORS = [
    ("steps", fill("* ", SELECTOR, end="*")),
    ("steps, children", fill("*>", SELECTOR, end="*")),
    ("branches", fill("*,", SELECTOR, end="*")),
    ("relative steps", fill("* ", SELECTOR, "*:has(", "*)")),
    ("relative steps that pick", fill("*:nth(-1) ", SELECTOR, "*:has(", "*)")),
    ("lists", fill(":is(*)", SELECTOR, "*")),
    ("lists of relatives", fill(":has(*)", SELECTOR, "*")),
    ("nested `:has`", nest(120, "*:has(", "* *:has(* > *)", ")")),
    ("nested `:not`", nest(120, "*:not(* ", "*", ")")),
    ("counts", fill("[count(*)>0]", SELECTOR, "*")),
    ("counts of steps", "*[count(* * * *) > 3]"),
    ("a count of many steps", fill("* ", SELECTOR, "*[count(", "*) > 3]")),
    ("counts of ancestors", "*[count(< * < *) > 3]"),
    ("positions in a list", fill(":nth-child(n of *)", SELECTOR, "*")),
    ("positions above", fill("* << ", SELECTOR, end="*:nth(3)")),
    ("captures", "*@a ~ *@b ~ *@c ~ *@d ~ *@e[text=@a.text]"),
    ("captures of neighbours", "*@a + *@b + *@c"),
    ("captures inside", "*:has(*@a *@b *@c:not(*))"),
    ("variables", "*[text=$a] ~ *[text!=$a][text=$b] ~ *[text!=$b][text=$c] ~ *:not([text=$b]):not([text!=$c])"),
    ("variables everywhere", "*[text=$a] *[text=$a]"),
    ("regexes", fill("[text=/(a|b|[^c]){900}/]", SELECTOR, "*")),
    ("a regex over all texts", "*[text=/(.*a){20}b/]"),
    ("searches of all texts", fill("[text*='zz']", SELECTOR, "*")),
    ("patterns", ("*" + ':like("f($$$A, $X, $$$B, $X, $$$C)")' * 90)),
    ("a pattern with many holes", '*:like("f(' + "$$$A, $X, " * 300 + '$X)")'),
    ("attributes", fill("[qualname*=a][doc][visibility=public]", SELECTOR, "*")),
    ("brackets", "(" * SELECTOR),
    ("definitions", "definition" + fill(":has(definition)", SELECTOR // 2)),
]

#: The files that selectors are tried on, by their shape.
SHAPES = [
    ("flat.py", lambda size: fill("f(a, 1)\n", size)),
    ("deep.py", lambda size: nest(size // 2, "(", "x", ")") + "\n"),
    ("nested.js", lambda size: nest(size // 14, "function f(){", "", "}")),
]
#: Their size; of the nested one less, as far as the parser gets.
SHAPE = 256 << 10

FILES = [
    ("brackets.py", "(" * FILE),
    ("brackets.js", "[" * FILE),
    ("closed.py", nest(FILE // 2 - 4, "(", "x", ")")),
    ("braces.c", "{" * FILE),
    ("calls.java", "class A { int a = " + nest(1_000_000, "f(", "1", ")") + "; }"),
    ("generics.ts", "a<" * (FILE // 2)),
    ("generics.cpp", "A<" * (FILE // 2)),
    ("casts.cs", "class A { int a = " + "(int)" * (FILE // 5) + "1; }"),
    ("templates.js", "`${" * (FILE // 3)),
    ("conditionals.c", "#if A\n" * (FILE // 6)),
    ("operators.py", "x = a" + "+a" * (FILE // 2 - 8)),
    ("members.js", "a" + ".b" * (FILE // 2 - 8)),
    ("decorators.py", "@d\n" * (FILE // 3 - 8) + "def f(): pass\n"),
    ("attributes.rs", "#[a]\n" * (FILE // 5 - 8) + "fn f() {}\n"),
    ("comments.go", "// c\n" * (FILE // 5)),
    ("lines.py", "\n" * FILE),
    ("quotes.py", '"' * FILE),
    ("heredocs.rb", "<<A\n" * (FILE // 4)),
    ("strings.php", "<?php\n" + '"{$a["' * (FILE // 6 - 8)),
    ("zeros.py", "\0" * FILE),
    ("bytes.py", None),
    ("words.rb", "def a\n" * (FILE // 6)),
    ("indented.py", "".join(f"{' ' * level}if x:\n" for level in range(2_000)) + "(" * 1000),
    ("classes.py", "".join(f"{' ' * level}class A{level}:\n" for level in range(500)) + " " * 500 + "x = 1\n"),
    ("functions.js", nest(FILE // 16, "function f(){", "", "}")),
    ("arrows.ts", nest(FILE // 18, "const f = () => {", "1", "}")),
    ("elses.c", "void f() {" + "if (a) b(); else " * (FILE // 17 - 8) + "; }"),
    ("lists.json", "[" * FILE),
    ("tags.html", "<a>" * (FILE // 3)),
    ("quotes.md", "> " * (FILE // 2)),
    ("sequences.yaml", "- " * (FILE // 2)),
    ("expansions.sh", "$(" * (FILE // 2)),
    ("blocks.kt", "fun f() = " + "{ " * (FILE // 2 - 8)),
    ("closures.swift", "let a = " + "{ " * (FILE // 2 - 8)),
]

CALLS = "f(a)\n" * 20_000
TEMPLATES = [
    ("a long template", CALLS, ["-p", "f($A)", "g(" + "$A, " * 16_000 + ")"]),
    ("a long capture, often", "f(" + "a, " * 300_000 + ")\n", ["-p", "f($$$A)", "g(" + "$$$A, " * 8_000 + ")"]),
    ("a rewrite that nests", CALLS, ["-p", "f($A)", "f(f($A))", "--until-stable"]),
    ("a rewrite that grows", "f(a)\n", ["-p", "f($$$A)", "f($$$A, $$$A)", "--until-stable"]),
    ("brackets", CALLS, ["-p", "f($A)", "(" * SELECTOR]),
    ("placeholders", CALLS, ["-p", "f($A)", "$" * SELECTOR]),
    ("calls in calls", nest(10_000, "f(", "a", ")") + "\n", ["-p", "f($A)", "g($A, $A)"]),
]


def measure(session):
    work = session.setting.work / "hostile"
    work.mkdir()
    found = []
    try:
        for case in itertools.chain(selectors(session, work), files(session, work), templates(session, work)):
            found.append(case)
            failed = "; ".join(f"{run['what']} status {run['status']}, {run['peak'] / 1e6:.0f} MB" for run in case["failed"])
            print(
                f"P15 {case['kind']} {case['name']}: {case['slowest']['wall']:.1f} s{' FAILED: ' * bool(failed)}{failed}",
                file=sys.stderr,
            )
    finally:
        shutil.rmtree(work)
    return found


def selectors(session, work):
    """Each selector over every shape: the worst run, and the highest peak."""
    paths = []
    for name, make in SHAPES:
        (work / name).write_text(make(SHAPE))
        paths.append(name)
    for name, selector in SELECTORS:
        file = work / "selector.txt"
        file.write_text(selector[:SELECTOR])
        runs = [one(session, work, ["find", "-f", str(file), path, "--count"], path) for path in paths]
        yield {"kind": "selector", "name": name, "bytes": len(selector), **worst(runs)}


def files(session, work):
    """Each file in a folder of its own, searched and outlined."""
    for name, text in FILES:
        folder = work / name.replace(".", "-")
        folder.mkdir()
        data = random.Random(20).randbytes(FILE) if text is None else text.encode()[:FILE]
        (folder / name).write_bytes(data)
        runs = [
            one(session, folder, ["find", "*:has(call)", ".", "--count", "--no-ignore"], "find"),
            one(session, folder, ["outline", ".", "--no-ignore"], "outline"),
        ]
        shutil.rmtree(folder)
        yield {"kind": "file", "name": name, "bytes": len(data), **worst(runs)}


def templates(session, work):
    for name, text, arguments in TEMPLATES:
        path = work / "template.py"
        path.write_text(text)
        run = one(session, work, ["rewrite", *arguments, "template.py"], "")
        yield {"kind": "template", "name": name, "bytes": len(text), **worst([run])}


def one(session, folder, arguments, what):
    program = session.setting.tools.programs["cst"]
    limits = Limits(session.limit, MEMORY)
    measured = run([program, *arguments, "--no-cache"], folder, session.environment, limits)
    return {
        "what": what,
        "wall": measured.wall,
        "cpu": measured.cpu,
        "peak": measured.peak,
        "status": measured.status,
        "stopped": measured.stopped,
        "said": " ".join(measured.errors.split())[:200],
    }


def worst(runs):
    """The run that took longest, the highest peak of all, and the runs that failed."""
    slowest = max(runs, key=lambda run: run["wall"])
    failed = [run for run in runs if run["stopped"] or run["status"] not in (0, 1, 2) or run["peak"] > ALLOWED]
    return {"slowest": slowest, "peak": max(run["peak"] for run in runs), "failed": failed}
