"""Writes results as tables between the markers of a document."""

import json
from statistics import median

from . import goals, language_report
from .document import put
from .figures import ratio, seconds, size
from .notes import note

BEGIN = "<!-- begin: benches/run.py report -->"
END = "<!-- end: benches/run.py report -->"


def write(results, document, rewrites=None):
    rewrites = json.loads(rewrites.read_text()) if rewrites else None
    put(tables(json.loads(results.read_text()), rewrites), BEGIN, END, document)


def tables(results, rewrites=None):
    tasks = results["tasks"]
    parts = [machine(results), language_report.table(results)]
    reached = goals.table(results, rewrites)
    if reached:
        parts.append("## Goals\n\n" + reached)
    parts.append(corpora(tasks))
    groups = [
        ("Searches", ("P1", "P2", "P3")),
        ("Outlines", ("P5",)),
        ("One file, and memory", ("P7", "P9")),
        (f"Slow tools, on {results.get('slow', 'a part')}", ("slow",)),
    ]
    for title, names in groups:
        chosen = [task for name, task in tasks.items() if name.split()[0] in names and any_run(task)]
        if chosen:
            parts.append(f"## {title}\n")
            parts += [searched(task) for task in chosen]
    parts.append(language_report.details(results))
    series = growth(tasks)
    if series:
        parts.append("## Growth\n")
        parts += series
    parts += language_report.probes(results)
    parts.append(differences(tasks))
    return "\n".join(part for part in parts if part)


def any_run(task):
    return any(task["runs"].values()) or task["failures"]


def machine(results):
    it = results["machine"]
    versions = ", ".join(f"{tool} {version}" for tool, version in results["tools"].items() if tool != "bare parse")
    memory = f", {it['memory_gb']} GB of memory" if it["memory_gb"] else ""
    busy = f" The load average was {it['load_before']} at the start." if it["load_before"] is not None else ""
    return (
        f"Measured on {it['date']}, {it['system']}, {it['cores']} cores{memory}.{busy}\n{versions}.\n\n"
        "CPU is the user and system time, in seconds, of a process with its children: median, minimum and maximum over the\n"
        "rounds, in which the tools took turns. “× cst” is the median of the ratios within a round: 7 means that the tool took\n"
        "7 times as long as `cst`. “of ast-grep” is the same relative to ast-grep. Peak is the largest resident memory of a process.\n"
        "“Only cst” and “only it” count the lines that only one of the two found. Files are in the page cache.\n"
    )


def corpora(tasks):
    rows = {}
    for name, task in tasks.items():
        it = task["amount"]
        if name == "P1" or name == "slow P1":
            rows["Python" if name == "P1" else "Python, for slow tools"] = it
    if not rows:
        return ""
    lines = ["| corpus | files | lines | MB |", "|---|--:|--:|--:|"]
    lines += [f"| {name} | {it['files']:,} | {it['lines']:,} | {it['bytes'] / 1e6:.1f} |" for name, it in rows.items()]
    return "\n".join(lines) + "\n"


def searched(task):
    """One task's table."""
    base = next((runs for label, runs in task["runs"].items() if label.startswith("cst") and runs), None)
    peer = task["runs"].get("ast-grep")
    lines = [
        f"### {task['title']}\n",
        f"`{task['question']}`, {size(task['amount'])}.\n",
        "| tool | CPU s | min–max | × cst | of ast-grep | wall s | peak MB | found | only cst | only it |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for label, runs in task["runs"].items():
        found = answer_cells(task["answers"].get(label))
        if runs:
            cpu = [run["cpu"] for run in runs]
            cells = [
                label,
                seconds(median(cpu)),
                f"{seconds(min(cpu))}–{seconds(max(cpu))}",
                ratio(runs, base, "cpu") if base else "",
                ratio(runs, peer, "cpu") if peer else "",
                seconds(median(run["wall"] for run in runs)),
                f"{max(run['peak'] for run in runs) / 1e6:.0f}",
                *found,
            ]
        elif label in task["failures"]:
            cells = [label, task["failures"][label].replace("|", "/"), "", "", "", "", "", *found]
        else:
            continue
        lines.append("| " + " | ".join(cells) + " |")
    oracle = task["answers"].get("Python's ast")
    if oracle:
        lines.append("| " + " | ".join(["Python's `ast`", "", "", "", "", "", "", *answer_cells(oracle)]) + " |")
    fill = task.get("fill")
    if fill:
        lines.append(f"\nFilling the warm store took {seconds(fill['cpu'])} CPU s, {fill['peak'] / 1e6:.0f} MB at its peak.")
    return "\n".join(lines) + "\n"


def answer_cells(answer):
    if not answer:
        return ["", "", ""]
    if "only_cst" not in answer:
        return [f"{answer['count']:,}", "", ""]
    unread = f" + {answer['unread']:,} in files it can't read" if answer["unread"] else ""
    return [f"{answer['count']:,}", f"{answer['only_cst']:,}{unread}", f"{answer['only_other']:,}"]


def growth(tasks):
    """A table for each series: a row for each tool and point."""
    parts = []
    for series in ["files", "threads", "size", "matches"]:
        points = [task for task in tasks.values() if task["series"] == series and any_run(task)]
        if not points:
            continue
        lines = [
            f"### {points[0]['title']}\n",
            f"`{points[0]['question']}`\n",
            "| tool | | MB of source | CPU s | × the first | wall s | × the first | peak MB |",
            "|---|---|--:|--:|--:|--:|--:|--:|",
        ]
        for label in points[0]["runs"]:
            first = None
            for task in points:
                runs = task["runs"].get(label) or []
                row = [label, task["point"], f"{task['amount']['bytes'] / 1e6:.2f}"]
                if runs:
                    first = first or runs
                    row += [
                        seconds(median(run["cpu"] for run in runs)),
                        ratio(runs, first, "cpu"),
                        seconds(median(run["wall"] for run in runs)),
                        ratio(runs, first, "wall"),
                        f"{max(run['peak'] for run in runs) / 1e6:.0f}",
                    ]
                else:
                    row += [task["failures"].get(label, "not run").replace("|", "/"), "", "", "", ""]
                lines.append("| " + " | ".join(row) + " |")
        parts.append("\n".join(lines) + "\n")
    return parts


def differences(tasks):
    """Where answers differ: the first places of each, and why, as far as it is known."""
    lines = []
    for name, task in tasks.items():
        for label, answer in task["answers"].items():
            if not answer.get("only_cst") and not answer.get("only_other"):
                continue
            shown = [f"only cst `{at}`" for at in answer["list_only_cst"][:2]]
            shown += [f"only it `{at}`" for at in answer["list_only_other"][:2]]
            why = note(name, task.get("oracle"), label)
            lines.append(f"- {name}, {label}: {why + ' ' if why else ''}For instance {', '.join(shown)}.")
    return "## Where answers differ\n\n" + "\n".join(lines) + "\n" if lines else ""
