"""Writes what rewrites took, and how right they were, as tables."""

import json
from statistics import median

from .document import put
from .report import ratio, seconds, size
from .rewrite_answers import VERDICTS

BEGIN = "<!-- begin: benches/run.py report-rewrites -->"
END = "<!-- end: benches/run.py report-rewrites -->"


def write(results, document):
    put(tables(json.loads(results.read_text())), BEGIN, END, document)


def tables(results):
    tasks = results["tasks"]
    parts = [introduction(results)]
    for kind in VERDICTS:
        chosen = [task for task in tasks.values() if task["kind"] == kind]
        if chosen:
            parts.append(f"### {chosen[0]['title']}\n")
            parts += [times(task) for task in chosen]
            parts += [EXPLAINED[kind], verdicts(chosen, kind), left_out(chosen)]
    line = [task for task in tasks.values() if task["kind"] == "line"]
    if line:
        parts += [f"### {line[0]['title']}\n", growth(line)]
    if "awkward" in results:
        parts += ["### Awkward files\n", awkward(results["awkward"])]
    return "\n".join(part for part in parts if part)


def introduction(results):
    it = results["machine"]
    versions = ", ".join(f"{tool} {results['tools'][tool]}" for tool in TOOLS if tool in results["tools"])
    busy = f" At the start {it['load_before']} processes wanted a core." if it["load_before"] is not None else ""
    return (
        f"Measured on {it['date']}, {it['system']}, {it['cores']} cores.{busy} {versions};\n"
        f"judged by Python {results['python']}.\n\n"
        "CPU, ratios and peak are as above; each run is on a fresh copy of the files, and writes them. LibCST and semgrep\n"
        f"got a part of the files, drawn with the seed {results['seed']} and none larger than a quarter of it, and `cst` that\n"
        "part beside them: compare within a table. `cst rewrite` also keeps what undoes it.\n"
    )


TOOLS = ("cst", "ast-grep", "LibCST", "semgrep")

#: What is counted, before the verdicts.
EXPLAINED = {
    "assert_equal": (
        "What the files are then. Exact is: byte for byte the original, with the new name where `ast` says that the name\n"
        "stands. Of the others some are untouched, some have other bytes moved and mean the same, some have another `ast`\n"
        "than the exact file's, and some don't parse any more. “Others changed” counts files without such calls, and\n"
        "those that `ast` can't read. “Again” counts the files that a second run changes.\n"
    ),
    "assert": (
        "What the files are then. Right is: it parses, its `ast` is the original's with these statements made assertions,\n"
        "and no comment is lost or added. A file in which such a call isn't a statement has no right answer but to\n"
        "leave that call alone; `cst` with `--on-error skip` leaves the file as it was and says so.\n"
    ),
}


def times(task):
    base, found, peer = (task["runs"].get(label) for label in ("cst", "cst find", "ast-grep"))
    originals = task["originals"]
    what = "calls" if task["kind"] == "assert_equal" else "statements"
    others = {"× cst": base, "× cst find": found, "of ast-grep": peer}
    others = {name: runs for name, runs in others.items() if runs}
    lines = [
        f"`{task['question']}`, {size(task['amount'])}; {originals['places']:,} {what} in {originals['with']:,} files.\n",
        row(["tool", "CPU s", "min–max", *others, "wall s", "peak MB"]),
        "|---|" + "--:|" * (len(others) + 4),
    ]
    for label, runs in task["runs"].items():
        if runs:
            cpu = [run["cpu"] for run in runs]
            cells = [label, seconds(median(cpu)), f"{seconds(min(cpu))}–{seconds(max(cpu))}"]
            cells += [ratio(runs, other, "cpu") for other in others.values()]
            cells += [seconds(median(run["wall"] for run in runs)), peak(runs)]
        else:
            cells = [label, task["failures"].get(label, "not run"), *[""] * (len(others) + 3)]
        lines.append(row(cells))
    return "\n".join(lines) + "\n"


def verdicts(tasks, kind):
    names = VERDICTS[kind]
    lines = [
        row(["tool", "of", "files", *names.values(), "others changed", "again"]),
        "|---|--:|" + "--:|" * (len(names) + 3),
    ]
    for task in tasks:
        for label, check in task["checks"].items():
            cells = [label, size(task["amount"]).split(", ")[1], f"{task['originals']['with']:,}"]
            cells += [f"{check['counts'][name]:,}" for name in names]
            cells += [f"{check['others']:,}", str(check.get("again", ""))]
            lines.append(row(cells))
    return "\n".join(lines) + "\n"


def left_out(tasks):
    """The files that `cst` says it leaves out."""
    found = tasks[0]["checks"].get("cst", {}).get("left_out", [])
    if not found:
        return ""
    lines = [f"- `{path.rsplit('/', 1)[-1]}:{line}`, {code}: {why}" for path, line, code, why in found]
    return "What `cst` leaves out of all the files, and why:\n\n" + "\n".join(lines) + "\n"


def growth(tasks):
    lines = [
        f"`{tasks[0]['question']}`; {tasks[-1]['point']} calls are {tasks[-1]['amount']['bytes'] / 1e6:.1f} MB.\n",
        "| tool | calls | CPU s | × the first | wall s | peak MB | |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for label in tasks[0]["runs"]:
        first = None
        for task in tasks:
            runs = task["runs"].get(label)
            if runs:
                first = first or runs
                cells = [seconds(median(run["cpu"] for run in runs)), ratio(runs, first, "cpu")]
                cells += [seconds(median(run["wall"] for run in runs)), peak(runs)]
                check = task["checks"].get(label)
                cells.append(("right" if check["right"] else "wrong") if check else "")
            else:
                cells = [task["failures"].get(label, "not run"), "", "", "", ""]
            lines.append(row([label, task["point"], *cells]))
    return "\n".join(lines) + "\n"


def awkward(results):
    tools = results["tools"]
    lines = [
        "`old($$$A)` to `new_name($$$A)`: right where only the name is another, byte for byte.\n",
        row(["file", *tools]),
        "|---|" + "---|" * len(tools),
    ]
    for title in results["titles"]:
        lines.append(row([title, *(verdicts[title] for verdicts in tools.values())]))
    right = [f"**{list(verdicts.values()).count('right')} of {len(verdicts)}**" for verdicts in tools.values()]
    lines.append(row(["right", *right]))
    return "\n".join(lines) + "\n"


def peak(runs):
    return f"{max(run['peak'] for run in runs) / 1e6:.0f}"


def row(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
