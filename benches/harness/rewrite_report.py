"""Writes what rewrites took, and how right they were, as tables."""

import json
from statistics import median

from .document import put
from .figures import ratio, seconds, size
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
    busy = f" The load average was {it['load_before']} at the start." if it["load_before"] is not None else ""
    return (
        f"Measured on {it['date']}, {it['system']}, {it['cores']} cores.{busy} {versions};\n"
        f"judged by Python {results['python']}.\n\n"
        "CPU, ratios and peak are as above. Each run writes the files, on a fresh copy. LibCST and semgrep got a part of the\n"
        f"files, drawn with the seed {results['seed']}, none larger than a quarter of that part. `cst` ran on the same part next to\n"
        "them, so compare within a table. `cst rewrite` also stores what `cst undo` needs.\n"
    )


TOOLS = ("cst", "ast-grep", "LibCST", "semgrep")

#: What is counted, before the verdicts.
EXPLAINED = {
    "assert_equal": (
        "The resulting files. A file is exact if it is the original, byte for byte, with the new name where `ast` finds the\n"
        "old one. The others are untouched, or mean the same but have other bytes changed, or have another `ast` than the\n"
        "exact file, or no longer parse. “Others changed” counts changed files without such calls, and files that `ast`\n"
        "cannot read. “Again” counts the files that a second run changes.\n"
    ),
    "assert": (
        "The resulting files. A file is right if it parses, if its `ast` is the original's with assertions in place of these\n"
        "statements, and if no comment is lost or added. If such a call is not a statement, the only right answer is to leave\n"
        "it alone; `cst` with `--on-error skip` leaves the file as it was and says so.\n"
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
    return "Files that `cst` skips, and why:\n\n" + "\n".join(lines) + "\n"


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
