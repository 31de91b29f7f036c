#!/usr/bin/env python3
"""Compares `cst modify FILE rename NODE NAME --references file` with other tools, rename by rename.

    benches/references/run.py --cst target/debug/cst --oracle jedi FILE...

Definitions and parameters are drawn at random from the files. Each is renamed by cst in a copy, and by the oracle; then every place of
the old name is compared. README.md says what the counts mean.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import tempfile

import oracles

NEW = "zz_renamed"


def main():
    options = arguments()
    oracle = oracles.ORACLES[options.oracle](options)
    work = pathlib.Path(tempfile.mkdtemp(prefix="cst-references-"))
    counts = collections.Counter()
    refusals = collections.Counter()
    places = collections.Counter()
    for path, node in drawn(options, work):
        text = path.read_text()
        offset = name_offset(options.cst, work, path, text, node)
        if offset is None:
            continue
        old = re.match(r"#?[\w$]+", text[offset:])
        if old is None:
            continue
        old = old.group().lstrip("#")
        offset += text[offset] == "#"
        new = oracle.new_name(old, NEW)
        try:
            wanted = oracle.rename(path, text, offset, new)
        except oracles.Unable as error:
            counts["oracle can't"] += 1
            if options.verbose:
                print(f"oracle can't  {path}:{line(text, offset)} {old}: {error}")
            continue
        counts["renames"] += 1
        result = rename(options.cst, work, path, text, node, "#" + new if text[offset - 1] == "#" else new, True)
        if result.error:
            counts["refused"] += 1
            refusals[re.sub(r"`[^`]*`|\d+", "…", result.error)] += 1
            if options.verbose:
                print(f"refused  {path}:{line(text, offset)} {old}: {result.error}")
            continue
        ours, theirs = changed(text, result.text, old, new), changed(text, wanted, old, new)
        if ours == theirs:
            counts["same"] += 1
            continue
        noted = noted_lines(result.notes)
        found = set()
        for place in sorted(ours.keys() | theirs.keys()):
            mine, other = ours.get(place), theirs.get(place)
            if mine == other:
                continue
            number = line(text, place)
            if other is None:
                kind = "we alone"
            elif mine is None:
                kind = "noted" if number in noted else oracle.excuse(text, place) or "they alone"
            else:
                kind = "another text"
            found.add(kind)
            places[kind] += 1
            if options.verbose or kind in ("we alone", "they alone", "another text"):
                source = text.splitlines()[number - 1].strip()[:90]
                print(f"{kind}  {path}:{line(text, offset)} {old} -> {path.name}:{number} ours={mine} theirs={other}: {source}")
        counts["differ: " + ", ".join(sorted(found))] += 1
    print(options.oracle, dict(sorted(counts.items())))
    print("places", dict(sorted(places.items())))
    for reason, times in refusals.most_common():
        print(f"  refused {times}: {reason}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cst", required=True, help="the program")
    parser.add_argument("--oracle", required=True, choices=sorted(oracles.ORACLES))
    parser.add_argument("--count", type=int, default=250, help="renames to compare")
    parser.add_argument("--per-file", type=int, default=12, help="renames from one file at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--typescript", default="node_modules/typescript", help="the folder of npm's package")
    parser.add_argument("--verbose", action="store_true", help="show refusals and places in notes too")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def drawn(options, work):
    """Files and ids of definitions in them, in a random order that the seed decides."""
    chance = random.Random(options.seed)
    files = sorted(options.files)
    chance.shuffle(files)
    left = options.count
    for path in files:
        if left <= 0:
            return
        try:
            text = path.read_text()
        except (UnicodeDecodeError, OSError):
            continue
        # The tools count columns in different units.
        if not text.isascii() or len(text) > 120_000:
            continue
        copy = work / ("copy" + path.suffix)
        copy.write_text(text)
        found = subprocess.run([options.cst, "find", "definition, parameter", str(copy), "--json", "--limit", "100000"],
                               capture_output=True, text=True)
        if found.returncode:
            continue
        nodes = [match["node_id"] for match in json.loads(found.stdout)["matches"] if match.get("name")]
        for node in chance.sample(nodes, min(options.per_file, len(nodes))):
            yield path, node
            left -= 1


Result = collections.namedtuple("Result", "text error notes")


def rename(cst, work, path, text, node, new, references):
    """What cst makes of a copy."""
    copy = work / ("copy" + path.suffix)
    copy.write_text(text)
    words = [cst, "modify", str(copy), "rename", node, new, "--write", "--json"]
    run = subprocess.run(words + ["--references", "file"] * references, capture_output=True, text=True)
    if run.returncode:
        try:
            message = json.loads(run.stderr or run.stdout)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            message = (run.stderr or run.stdout).strip().splitlines()[0]
        return Result(None, message, "")
    return Result(copy.read_text(), None, run.stdout + run.stderr)


def name_offset(cst, work, path, text, node):
    """Where the definition's own name is: the one place that a rename without references changes."""
    result = rename(cst, work, path, text, node, NEW, False)
    if result.error:
        result = rename(cst, work, path, text, node, "#" + NEW, False)
    if result.error:
        return None
    at = next((place for place, (one, other) in enumerate(zip(text, result.text)) if one != other), None)
    if at is None:
        return None
    while at > 0 and re.match(r"[\w$#]", text[at - 1]):
        at -= 1
    return at


def changed(text, result, old, new):
    """The places of the old name that became something else, and what."""
    places = [found.start() for found in re.finditer(rf"(?<![\w$]){re.escape(old)}(?![\w$])", text)]
    forms = [f"{old}: {new}", f"{old} as {new}", f"{new} as {old}", f"{new}: {old}", new, old]
    bounds = places + [len(text)]
    # The ways to read the result so far: its length, and what was changed.
    ways = [(bounds[0], {})] if result.startswith(text[:bounds[0]]) else []
    for place, following in zip(places, bounds[1:]):
        between = text[place + len(old):following]
        ways = [(at + len(form) + len(between), {**known, **({place: form} if form != old else {})})
                for at, known in ways for form in forms
                if result.startswith(form + between, at)]
        ways = ways[:8]
    for at, known in ways:
        if at == len(result):
            return known
    return {-1: "something else changed"}


def noted_lines(notes):
    lines = set()
    for numbers in re.findall(r"lines? ((?:\d+(?:, )?)+)", notes):
        lines.update(int(number) for number in numbers.split(", ") if number)
    return lines


def line(text, offset):
    return text.count("\n", 0, offset) + 1


if __name__ == "__main__":
    main()
