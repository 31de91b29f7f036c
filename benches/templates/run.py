#!/usr/bin/env python3
"""The template law, checked with the languages' own parsers.

    benches/templates/run.py [--cst target/debug/cst] [--rust PROGRAM] [--node-modules DIR] [--show N] [LANGUAGE]...

For each expression, template and context, the code `f(EXPRESSION)` in the context is rewritten by `f($A)` and the template.
What comes out must be the tree that the same code has with parentheses around the expression and around the template.
README.md says what has to be installed.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases

HERE = Path(__file__).parent
MOST = 500
"""Requests sent to a process at once."""


def main():
    options = parser().parse_args()
    failed = False
    for name in options.languages or cases.ALL:
        report = check(cases.ALL[name], options)
        failed |= report["wrong"] > 0
        print(name, json.dumps(report))
    return 1 if failed else 0


def parser():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("languages", nargs="*", choices=[*cases.ALL, []], metavar="LANGUAGE")
    words.add_argument("--cst", default="target/debug/cst")
    words.add_argument("--rust", default="rust-tree", help="the program of rust/, built")
    words.add_argument("--go", default="go-tree", help="the program of go/, built")
    words.add_argument("--java", help="the folder of the compiled java/Trees.java")
    words.add_argument("--node-modules", default="node_modules", help="where @babel/parser is")
    words.add_argument("--every", type=int, default=1, help="check one of so many combinations")
    words.add_argument("--show", type=int, default=0, help="print so many wrong ones of each template")
    words.add_argument("--refused", action="store_true", help="print those refused too")
    words.add_argument("--output", type=Path, help="writes all wrong ones, a line of JSON each")
    return words


def command(language, options):
    return {
        "python": [sys.executable, str(HERE / "python_tree.py")],
        "javascript": ["node", str(HERE / "babel.cjs"), "jsx"],
        "typescript": ["node", str(HERE / "babel.cjs"), "typescript"],
        "tsx": ["node", str(HERE / "babel.cjs"), "typescript", "jsx"],
        "rust": [options.rust],
        "go": [options.go],
        "java": ["java", "-cp", options.java or "", "Trees"],
        "ruby": ["ruby", str(HERE / "ruby_tree.rb")],
        "php": ["php", str(HERE / "php_tree.php")],
    }[language]


def trees(language, texts, options):
    """What the language's parser makes of each text; `None` where it refuses."""
    texts = list(dict.fromkeys(texts))
    environment = {**os.environ, "NODE_PATH": str(Path(options.node_modules).resolve())}
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(command(language, options), input=lines, capture_output=True, text=True, env=environment, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(texts), f"{len(found)} trees of {len(texts)} texts\n{done.stderr}"
    return dict(zip(texts, found))


def rewrites(language, asked, options):
    """What cst makes of each (source, pattern, template): a text, or an error."""
    def run(part):
        lines = []
        for number, (source, pattern, template) in enumerate(part):
            params = {"pattern": pattern, "template": template, "targets": [{"text": source, "language": language}]}
            lines.append(json.dumps({"jsonrpc": "2.0", "id": number, "method": "rewrite", "params": params}))
        done = subprocess.run([options.cst, "rpc"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
        return [text(answers[number], source) for number, (source, _, _) in enumerate(part)]

    parts = [asked[at:at + MOST] for at in range(0, len(asked), MOST)]
    with ThreadPoolExecutor(2) as pool:
        return [text for part in pool.map(run, parts) for text in part]


def text(answer, source):
    """The new text, from an answer with a diff; an error as a dictionary."""
    if "error" in answer:
        return answer["error"]
    files = answer["result"]["files"]
    if not files or not files[0].get("matches"):
        return {"message": "no match", "none": True}
    diff = files[0].get("diff", "")
    if not diff:
        return source
    new = []
    at = 0
    old = source.split("\n")
    for line in diff.split("\n")[2:]:
        if line.startswith("@@"):
            start = int(line.split()[1].split(",")[0][1:]) - 1
            new += old[at:start]
            at = start
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith("-"):
            at += 1
        elif line.startswith(" "):
            new.append(line[1:])
            at += 1
    return "\n".join(new + old[at:])


def check(given, options):
    combined = []
    for context in given.contexts:
        for template in given.templates:
            for expression in given.expressions:
                source = context.replace("$0", f"f({expression})")
                inner = template.replace("$A", f"({expression})")
                combined.append((source, context.replace("$0", f"({inner})"), expression, template, context))
    combined = combined[::options.every]
    parsed = trees(given.language, [text for one in combined for text in one[:2]], options)
    usable = [one for one in combined if parsed[one[0]] is not None]
    answers = rewrites(given.language, [(one[0], given.pattern if hasattr(given, "pattern") else "f($A)", one[3]) for one in usable], options)
    made = trees(given.language, [answer for answer in answers if isinstance(answer, str)], options)
    report = collections.Counter(combinations=0, right=0, wrong=0, refused=0, refused_needlessly=0, unmatched=0, bare=0)
    wrong = []
    shown = collections.Counter()
    for (source, expected, expression, template, context), answer in zip(usable, answers):
        report["combinations"] += 1
        wanted = parsed[expected]
        if isinstance(answer, dict):
            if answer.get("none"):
                report["unmatched"] += 1
                continue
            report["refused"] += 1
            report["refused_needlessly"] += wanted is not None
            if options.refused and wanted is not None and shown[template, "no"] < max(options.show, 1):
                shown[template, "no"] += 1
                print("REFUSED", template, "|", repr(source), "|", answer["message"].split("\n")[0])
            continue
        tree = made[answer]
        if wanted is None and tree is not None:
            # Parentheses can't stand there: a pattern that is assigned to.
            report["bare"] += 1
            continue
        if tree is not None and tree == wanted:
            report["right"] += 1
            report["parentheses"] += answer.count("(") - source.replace("f(", "", 1).count("(")
            continue
        report["wrong"] += 1
        wrong.append({"expression": expression, "template": template, "context": context, "answer": answer,
                      "parses": tree is not None, "possible": wanted is not None})
        if shown[template] < options.show:
            shown[template] += 1
            print("WRONG", template, "|", expression, "|", repr(answer), "" if tree else "(does not parse)", "" if wanted else "(nor with parentheses)")
    if options.output:
        with open(options.output, "w") as file:
            file.writelines(json.dumps(one) + "\n" for one in wrong)
    return report


if __name__ == "__main__":
    sys.exit(main())
