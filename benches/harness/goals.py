"""The goals, and whether the results reach them."""

from statistics import median

#: CPU of a page relative to the first page's that counts as the same; and of a server's memory and mappings.
SAME_PAGE = 1.5
SAME_SERVER = 1.1
LITERAL, KIND, RARE = 1 / 4, 1 / 4, 1 / 30
WALL = 1.15


class Results:
    """What the tables say, by task and command."""

    def __init__(self, results, rewrites=None):
        self.tasks = results["tasks"]
        self.probes = results.get("probes") or {}
        #: Of `rewrites`, the tasks over all files, by kind.
        self.rewrites = {}
        for task in (rewrites or {"tasks": {}})["tasks"].values():
            self.rewrites.setdefault(task["kind"], task)

    def ratio(self, name, of, label="cst", measure="cpu"):
        """The median of the ratios within a round; `None` where either was not measured."""
        task = self.tasks.get(name)
        if not task:
            return None
        mine, theirs = task["runs"].get(label) or [], task["runs"].get(of) or []
        pairs = [run[measure] / other[measure] for run, other in zip(mine, theirs) if other[measure]]
        return median(pairs) if pairs else None

    def rewrite(self, kind, of):
        """The CPU of a rewrite, relative to another command's."""
        runs = self.rewrites.get(kind, {"runs": {}})["runs"]
        pairs = list(zip(runs.get("cst") or [], runs.get(of) or []))
        return median(run["cpu"] / other["cpu"] for run, other in pairs) if pairs else None

    def median(self, name, measure, label="cst"):
        runs = (self.tasks.get(name) or {"runs": {}})["runs"].get(label)
        return median(run[measure] for run in runs) if runs else None

    def peak(self, name, label="cst"):
        runs = (self.tasks.get(name) or {"runs": {}})["runs"].get(label)
        return max(run["peak"] for run in runs) if runs else None

    def languages(self):
        """The languages of P11 and P12, in the order of the results."""
        names = [name.split()[1] for name in self.tasks if name.startswith(("P11 ", "P12 "))]
        return list(dict.fromkeys(names))


def table(results, rewrites=None):
    found = Results(results, rewrites)
    rows = [
        row
        for make in (searches, outlines, rewrites_of, single, growth, languages, pages, server, hostile)
        for row in make(found)
    ]
    if not rows:
        return ""
    lines = ["| | goal | measured | |", "|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def row(name, goal, measured, limit, show=None):
    """One goal: at most `limit`."""
    if measured is None:
        return []
    show = show or ratio
    reached = "reached" if measured <= limit else f"**short by {(measured / limit - 1) * 100:.0f} %**"
    return [(name, goal, show(measured), reached)]


def ratio(value):
    return f"{value:.3g} ×"


def searches(found):
    yield from row("P1", "functions by the beginning of their name: ≤ 1/7 of ast-grep", found.ratio("P1", "ast-grep"), 1 / 7)
    yield from row("P2", "calls of one function: ≤ 1/7 of ast-grep", found.ratio("P2", "ast-grep"), 1 / 7)
    yield from row("P2", "a rare name: ≤ 1/50 of ast-grep", found.ratio("P2 rare", "ast-grep"), 1 / 50)
    wall = found.ratio("P3", "bare parse, one thread")
    yield from row("P3", "nothing to filter by: ≤ 1.15 × the bare parse", wall, WALL)
    yield from row("P3", "and below ast-grep", found.ratio("P3", "ast-grep"), 1)
    warm = {name: found.ratio(name, "ast-grep", "cst, warm store") for name in ("P1", "P2", "P2 rare", "P3")}
    warm = {name: value for name, value in warm.items() if value is not None}
    if warm:
        worst = max(warm, key=warm.get)
        yield from row("P4", f"each of these with the warm store: ≤ 1/50 of ast-grep (the worst: {worst})", warm[worst], 1 / 50)


def outlines(found):
    yield from row("P5", "outlines: ≤ ast-grep's", found.ratio("P5", "ast-grep"), 1)
    yield from row("P5", "with the warm store: ≤ 1/5 of ctags", found.ratio("P5", "universal-ctags", "cst, warm store"), 1 / 5)


def rewrites_of(found):
    yield from row("P6", "a renaming rewrite: ≤ 1/2 of ast-grep -U", found.rewrite("assert_equal", "ast-grep"), 1 / 2)
    yield from row("P6", "and ≤ 1.2 × the search of the same", found.rewrite("assert_equal", "cst find"), 1.2)
    yield from row("P6", "a rewrite that must be parsed again: ≤ 0.9 of ast-grep -U", found.rewrite("assert", "ast-grep"), 0.9)
    peaks = [run["peak"] for task in found.rewrites.values() if task["kind"] != "line" for run in task["runs"].get("cst") or []]
    yield from row("P6", "peak of both: ≤ 60 MB", megabytes(max(peaks, default=None)), 60, show_megabytes)


def single(found):
    milliseconds = found.median("P7", "cpu")
    yield from row(
        "P7", "a file of 1,000 lines: ≤ 7 ms of CPU", milliseconds and milliseconds * 1e3, 7, lambda it: f"{it:.1f} ms"
    )
    yield from row("P7", "in ≤ 10 MB", megabytes(found.peak("P7")), 10, show_megabytes)
    yield from row("P9", "peak over the corpus: ≤ 45 MB", megabytes(found.peak("P9")), 45, show_megabytes)


def growth(found):
    for series, first, last, factor in [("files", "a quarter", "all", 4), ("size", "1 ×", "16 ×", 16)]:
        few, many = (found.median(f"P10 {series} {point}", "cpu") for point in (first, last))
        if few and many:
            sizes = [found.tasks[f"P10 {series} {point}"]["amount"]["bytes"] for point in (first, last)]
            relative = (many / few) / (sizes[1] / sizes[0])
            yield from row("P10", f"linear in {series}: CPU for each byte, {last} to {first}: ≤ 1.2 ×", relative, 1.2)
    one, two = (found.median(f"P10 threads {point}", "wall") for point in ("1 thread", "2 threads"))
    if one and two:
        show = lambda it: f"{1.8 / it:.2f} ×"
        yield from row("P10", "two threads: ≥ 1.8 × one", 1.8 / (one / two), 1, show)
    yield from row("P10", "40,000 matches on a line: ≤ 100 MB", megabytes(found.peak("P10 matches 40,000")), 100, show_megabytes)


def languages(found):
    for what, title, limit in [
        ("literal", "a word in many files", LITERAL),
        ("kind", "functions by name", KIND),
        ("rare", "a rare name", RARE),
    ]:
        values = {name: found.ratio(f"P11 {name} {what}", "ast-grep") for name in found.languages()}
        yield from of_all("P11", f"{title}: ≤ 1/{1 / limit:.0f} of ast-grep in every language", values, limit)
    values = {name: found.ratio(f"P12 {name}", "bare parse, one thread") for name in found.languages()}
    yield from of_all("P12", "nothing to filter by: ≤ 1.15 × the bare parse in every language", values, WALL)


def of_all(name, goal, values, limit):
    values = {language: value for language, value in values.items() if value is not None}
    if not values:
        return
    short = {language: value for language, value in values.items() if value > limit}
    listed = ", ".join(f"{language} {value / limit - 1:.0%}" for language, value in sorted(short.items(), key=lambda it: -it[1]))
    low, high = min(values.values()), max(values.values())
    measured = f"{low:.3g}–{high:.3g} ×, reached in {len(values) - len(short)} of {len(values)}"
    yield name, goal, measured, f"**short in {listed}**" if short else "reached"


def pages(found):
    probe = found.probes.get("P13")
    if not probe or "failure" in probe:
        return
    for indexed in (False, True):
        cpu = {it["page"]: median(run["cpu"] for run in it["runs"]) for it in probe["pages"] if it["indexed"] is indexed}
        if len(cpu) > 1:
            last = max(cpu)
            goal = f"page {last} costs about what page 1 costs, {'with' if indexed else 'without'} an index: ≤ {SAME_PAGE} ×"
            yield from row("P13", goal, cpu[last] / cpu[1], SAME_PAGE)


def server(found):
    probe = found.probes.get("P14")
    if not probe or "failure" in probe or len(probe["points"]) < 2:
        return
    # The first requests fill caches.
    first, last = probe["points"][-2], probe["points"][-1]
    for measure, title in [("own", "memory of its own"), ("mappings", "mappings")]:
        goal = f"a server's {title} after {last['requests']:,} requests and after {first['requests']:,}: ≤ {SAME_SERVER} ×"
        yield from row("P14", goal, last[measure] / first[measure], SAME_SERVER)


def hostile(found):
    probe = found.probes.get("P15")
    if not probe or "failure" in probe:
        return
    failed = [case["name"] for case in probe if case["failed"]]
    goal = f"{len(probe)} hostile selectors, files and templates: each ends, in ≤ 1 GB, not by a signal"
    yield "P15", goal, f"{len(probe) - len(failed)} of {len(probe)}", (
        f"**short in: {', '.join(failed)}**" if failed else "reached"
    )


def megabytes(size):
    return None if size is None else size / 1e6


def show_megabytes(value):
    return f"{value:.0f} MB"
