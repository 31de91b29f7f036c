"""Compares the complexity of functions in C, Java and Go with lizard's, and in Go with the numbers of gocyclo's rules.

    pip install lizard
    python benches/metrics/compiled.py CST FILES FOLDER…

FILES is how many files of each language are compared: evenly spaced ones of all that are in the folders. Prints for each language how many
functions both know and how many have the same number, and groups the others by the words of the difference that lizard counts otherwise.
`go` has to be on the PATH for the last row.
"""

import collections
import json
import re
import subprocess
import sys
from pathlib import Path

import lizard

LANGUAGES = {"c": ".c", "java": ".java", "go": ".go"}
GO = Path(__file__).with_name("gocyclo.go")
# Comments, strings and characters.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|`[^`]*`', re.S)


def functions_of_cst(cst: str, files: list[str]) -> dict[str, list[dict]]:
    done = subprocess.run([cst, "metrics", "--jsonl", *files], capture_output=True, check=False, text=True)
    found = collections.defaultdict(list)
    for row in map(json.loads, done.stdout.splitlines()):
        found[row["path"]].append(row)
    return found


def pairs(rows: list[dict], others: list[tuple[str, int, int]]):
    """Functions with the same name that begin nearest to each other, with the number of the other tool."""
    for name, line, number in others:
        fitting = [row for row in rows if (row.get("qualname") or "").split(".")[-1] == name]
        fitting = [row for row in fitting if row["start_line"] <= line <= row["end_line"]]
        if fitting:
            yield max(fitting, key=lambda row: row["start_line"]), number


def reason(language: str, code: str, ours: int, theirs: int) -> str:
    """What in a function may be why lizard has another number."""
    bare = NO_CODE.sub(" ", code)
    count = lambda pattern: len(re.findall(pattern, bare))
    switches, defaults = count(r"\b(?:switch|select)\b"), count(r"\bdefault\s*:")
    difference = theirs - ours
    if re.search(r"^\s*#\s*(?:if|elif|else)", bare, re.M) and language == "c":
        return "the preprocessor's branches"
    if language == "java" and count(r"->"):
        return "lambdas or arrows of `switch`"
    if language == "java" and count(r"\bnew\b[^;]*\{|\bclass\b"):
        return "classes inside the function"
    if language == "go" and count(r"\bfunc\s*\("):
        return "functions inside the function"
    if language == "java" and difference == count(r"\?") - count(r"\?[^:;]*:") and difference:
        return "wildcards of generics (`<?>`) as conditions"
    if language == "java" and count(r"<\s*\?|,\s*\?"):
        return "wildcards of generics (`<?>`) as conditions"
    if switches and difference == -switches or difference == switches:
        return "`switch` itself"
    if defaults and abs(difference) == defaults:
        return "`default`"
    if language == "c" and count(r"\bdo\b"):
        return "`do`"
    if count(r"&&?|\|\|?") and re.search(r"&&\s*\w", bare):
        return "`&&` and `||`"
    return "other"


def compare(language: str, files: list[str], ours: dict, theirs: dict[str, list[tuple[str, int, int]]], show: bool) -> None:
    same = total = 0
    reasons: collections.Counter = collections.Counter()
    examples = {}
    for path in files:
        source = Path(path).read_text(errors="replace").split("\n")
        for row, number in pairs(ours.get(path, []), theirs.get(path, [])):
            total += 1
            if row["complexity"] == number:
                same += 1
                continue
            code = "\n".join(source[row["start_line"] - 1 : row["end_line"]])
            why = reason(language.split(",")[0], code, row["complexity"], number)
            reasons[why] += 1
            examples.setdefault(why, []).append(f"{path}:{row['start_line']} {row.get('qualname')}: {row['complexity']}, there {number}")
    print(f"{language}: {same} of {total} functions the same ({100 * same / max(total, 1):.2f} %)")
    for why, count in reasons.most_common() if show else []:
        print(f"  {why}: {count}")
        for example in examples[why][:3]:
            print(f"    {example}")


def main() -> None:
    cst, most, *folders = sys.argv[1:]
    for language, end in LANGUAGES.items():
        files = sorted(str(path) for folder in folders for path in Path(folder).rglob(f"*{end}") if path.is_file())
        files = files[:: max(1, len(files) // int(most))]
        ours = functions_of_cst(cst, files)
        theirs = {}
        for path in files:
            found = lizard.analyze_file(path).function_list
            theirs[path] = [(re.split(r"::|\.", f.name)[-1].split(" ")[-1], f.start_line, f.cyclomatic_complexity) for f in found]
        compare(f"{language}, lizard", files, ours, theirs, True)
        if language == "go":
            listed = subprocess.run(["go", "run", str(GO)], input="\n".join(files), capture_output=True, text=True, check=True).stdout
            theirs = collections.defaultdict(list)
            for row in map(json.loads, listed.splitlines()):
                theirs[row["path"]].append((row["name"], row["line"], row["complexity"]))
            compare("go, gocyclo's rules", files, ours, theirs, True)


if __name__ == "__main__":
    main()
