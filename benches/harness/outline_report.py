"""Writes the comparison of `cst outline` with universal-ctags as tables."""

import json
import math

from .document import put

BEGIN = "<!-- begin: benches/run.py report-outlines -->"
END = "<!-- end: benches/run.py report-outlines -->"
#: Of what `cst` doesn't list, so many are shown for a language.
SHOWN = 4


def write(results, document):
    put(tables(json.loads(results.read_text())), BEGIN, END, document)


def tables(results):
    languages = results["languages"].values()
    parts = [introduction(results), shares(languages), kinds(languages), exclusions(languages), missing(languages)]
    return "\n".join(part for part in parts if part)


def introduction(results):
    versions = ", ".join(f"{tool} {version}" for tool, version in results["tools"].items())
    return (
        f"Compared on {results['machine']['date']}: {versions}; at most {results['files']:,} files of each language and of\n"
        f"1 MB, drawn with the seed {results['seed']}.\n\n"
        "An entry of ctags counts as listed if `cst outline --json` has a definition of the same name, of any kind, whose first\n"
        "line (or the line before or after it) or whose name's line is that of the entry.\n"
        "“All” is the share before the exclusions, which are listed below with their counts.\n"
        "Files that are not UTF-8 are read as Windows-1252. Entries of files that are not read count as not listed.\n"
    )


def shares(languages):
    lines = [
        "| language | files | with syntax errors | not read | ctags lists | all | left out | compared | cst lists | share "
        "| in files without errors |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for it in languages:
        cells = [it["title"], *(f"{it[name]:,}" for name in ("files", "files_with_errors", "files_unread", "tags"))]
        cells += [share(it["tags_listed"], it["tags"]), f"{it['tags'] - it['compared']:,}"]
        cells += [f"{it['compared']:,}", f"{it['listed']:,}", f"**{share(it['listed'], it['compared'])}**"]
        cells += [f"{share(it['clean_listed'], it['clean_compared'])} of {it['clean_compared']:,}"]
        lines.append(row(cells))
    return "\n".join(lines) + "\n"


def kinds(languages):
    lines = ["Compared entries, by ctags' kinds:\n", "| language | listed of compared |", "|---|---|"]
    for it in languages:
        counts = sorted(it["kinds"].items(), key=lambda item: -item[1]["count"])
        lines.append(row([it["title"], ", ".join(f"{kind} {of(count)}" for kind, count in counts)]))
    return "\n".join(lines) + "\n"


def exclusions(languages):
    lines = ["Exclusions, and how many of the excluded entries `cst` lists:\n"]
    lines += ["| language | why | left out | listed |", "|---|---|--:|--:|"]
    for it in languages:
        for reason, count in sorted(it["excluded"].items(), key=lambda item: -item[1]["count"]):
            lines.append(row([it["title"], reason, f"{count['count']:,}", f"{count['listed']:,}"]))
    return "\n".join(lines) + "\n"


def missing(languages):
    lines = []
    for it in languages:
        count = it["compared"] - it["listed"]
        if count:
            within = count - (it["clean_compared"] - it["clean_listed"])
            shown = ", ".join(f"`{name}` ({file(path)}:{line})" for path, line, _, name, *_ in it["missing"][:SHOWN])
            lines.append(f"- {it['title']}: {count:,}, {within:,} of them in files with syntax errors. For instance {shown}.")
    return "Entries that `cst` does not list:\n\n" + "\n".join(lines) + "\n" if lines else ""


def file(path):
    return path.rsplit("/", 1)[-1]


def of(count):
    return f"{count['listed']:,} of {count['count']:,}"


def share(part, whole):
    """In percent, rounded down: what isn't all is never 100."""
    return f"{math.floor(part / whole * 10000) / 100:.2f} %" if whole else ""


def row(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
