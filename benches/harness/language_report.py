"""The first table, a line a language, and the tables of pages, the server and hostile input."""

from statistics import median

from .figures import seconds
from .goals import Results
from .languages import LANGUAGES, UNFILTERED

#: Python's tasks are those of the larger corpus.
PYTHON = {"literal": "P2", "kind": "P1", "rare": "P2 rare", "unfiltered": "P3"}


def table(results):
    found = Results(results)
    rows = []
    if "P1" in found.tasks:
        rows.append(line(found, "Python", PYTHON))
    for language in LANGUAGES:
        names = {what: f"P11 {language.name} {what}" for what in ("literal", "kind", "rare")}
        names["unfiltered"] = f"P12 {language.name}"
        if any(name in found.tasks for name in names.values()):
            rows.append(line(found, language.title, names))
    if not rows:
        return ""
    return "\n".join(
        [
            "The CPU seconds of four searches in each language, and in parentheses their ratio: of the first three to ast-grep’s for the",
            "same search, of the last to parsing the same files with tree-sitter and nothing else. The searches are a code pattern with a",
            "word that is in many files, functions by the beginning of their name, a function by a name that is in fewer than one file",
            f"in a thousand, and `{UNFILTERED}` (in Python `class function:has(return > call)`), for which every file must be parsed.\n",
            "| language | files | MB | a word | functions | a rare name | nothing to filter by |",
            "|---|--:|--:|--:|--:|--:|--:|",
            *rows,
            "",
        ]
    )


def line(found, title, names):
    amount = next(found.tasks[name]["amount"] for name in names.values() if name in found.tasks)
    cells = [title, f"{amount['files']:,}", f"{amount['bytes'] / 1e6:.1f}"]
    for what, name in names.items():
        cpu = found.median(name, "cpu")
        peer = "bare parse, one thread" if what == "unfiltered" else "ast-grep"
        relative = found.ratio(name, peer)
        cells.append("" if cpu is None else f"{cpu:.3g} ({relative:.3g} ×)" if relative is not None else f"{cpu:.3g}")
    return "| " + " | ".join(cells) + " |"


def details(results):
    """Each search in each language, with its answers."""
    tasks = [
        (name, task)
        for name, task in results["tasks"].items()
        if name.startswith(("P11 ", "P12 ")) and any(task["runs"].values())
    ]
    if not tasks:
        return ""
    lines = [
        "## In every language\n",
        "| language | search | tool | CPU s | min–max | wall s | peak MB | found | only cst | only it |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for _, task in tasks:
        language, question = task["title"].split(":")[0], f"`{task['question']}`"
        for label, runs in task["runs"].items():
            if runs:
                cpu = [run["cpu"] for run in runs]
                cells = [
                    seconds(median(cpu)),
                    f"{seconds(min(cpu))}–{seconds(max(cpu))}",
                    seconds(median(run["wall"] for run in runs)),
                ]
                cells.append(f"{max(run['peak'] for run in runs) / 1e6:.0f}")
            else:
                cells = [task["failures"].get(label, "not run"), "", "", ""]
            answer = task["answers"].get(label) or {}
            cells += [f"{answer[key]:,}" if key in answer else "" for key in ("count", "only_cst", "only_other")]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in [language, question, label, *cells]) + " |")
            language, question = "", ""
    return "\n".join(lines) + "\n"


def probes(results):
    """P13 to P15."""
    found = results.get("probes") or {}
    parts = []
    for name, title, make in [("P13", "Pages", pages), ("P14", "A server", server), ("P15", "Hostile input", hostile)]:
        if found.get(name):
            failed = isinstance(found[name], dict) and found[name].get("failure")
            parts.append(f"## {title}\n\n" + (f"Not measured: {failed}.\n" if failed else make(found[name])))
    return parts


def pages(probe):
    lines = [
        f"Pages of {probe['size']} matches of `{probe['selector']}` over the Python corpus, each asked of a `cst rpc` of its own.\n",
        "| page | CPU s | wall s | peak MB | CPU s, index | wall s, index | peak MB, index |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for page in sorted({it["page"] for it in probe["pages"]}):
        cells = [f"{page}"]
        for indexed in (False, True):
            runs = next(it["runs"] for it in probe["pages"] if it["page"] == page and it["indexed"] is indexed)
            cells += [f"{median(run[measure] for run in runs):.3g}" for measure in ("cpu", "wall")]
            cells.append(f"{max(run['peak'] for run in runs) / 1e6:.0f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def server(probe):
    lines = [
        f"One `cst rpc` over an indexed folder of {probe['files']} files: searches of the folder, of its subfolders and of single files,",
        "pages, outlines.\n",
        "| requests | seconds | MB in memory | MB of its own | mappings | open files |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    for it in probe["points"]:
        memory = f"{it['memory'] / 1e6:.1f} | {it['own'] / 1e6:.1f}"
        lines.append(f"| {it['requests']:,} | {it['seconds']:.1f} | {memory} | {it['mappings']} | {it['open_files']} |")
    return "\n".join(lines) + "\n"


def hostile(cases):
    lines = [
        "Input that is made to take long, each in a process with 4 GB of address space: selectors of up to 64 kB on files of 256 kB, files",
        "of up to 4 MB in a folder, templates of up to 64 kB. An answer, a refusal and a skipped file with its reason are all fine; a",
        "process that is stopped after the limit, ends by a signal or had more than 1 GB is not. Listed are the cases that took longest,",
        "those with the highest peaks, and all that failed.\n",
    ]
    lines += ["| | kind | wall s | peak MB | what it said | |", "|---|---|--:|--:|---|---|"]
    slowest = sorted(cases, key=lambda case: -case["slowest"]["wall"])[:10]
    largest = sorted(cases, key=lambda case: -case["peak"])[:5]
    shown = [case for case in cases if case in slowest or case in largest or case["failed"]]
    for case in sorted(shown, key=lambda case: -case["slowest"]["wall"]):
        run = case["slowest"]
        said = run["said"].replace("|", "/").replace("`", "'")[:70]
        failed = "; ".join(reason(run) for run in case["failed"])
        cells = [case["name"], case["kind"], f"{run['wall']:.1f}", f"{case['peak'] / 1e6:.0f}", said, failed or "fine"]
        lines.append("| " + " | ".join(cells) + " |")
    walls = [case["slowest"]["wall"] for case in cases]
    lines.append(f"\n{len(cases)} cases, {sum(1 for case in cases if not case['failed'])} fine; median {median(walls):.1f} s.")
    return "\n".join(lines) + "\n"


def reason(run):
    if run["stopped"]:
        return f"{run['what']}: stopped after {run['wall']:.0f} s".lstrip(": ")
    if run["status"] < 0 or run["status"] > 2:
        return f"{run['what']}: status {run['status']}".lstrip(": ")
    return f"{run['what']}: {run['peak'] / 1e6:.0f} MB".lstrip(": ")
