"""Compares `cst outline` with universal-ctags: which functions, classes and methods of ctags `cst` lists too."""

import json
import os
import random
import tempfile
from collections import Counter

from . import outline_answers, outline_languages, outline_rules

#: Which files are taken, when there are more than asked for.
SEED = 20
#: Larger files are tables and bundles.
LARGEST = 1_000_000
#: Of the missing, the results keep so many.
LISTED = 200


def compare(options, tools, machine):
    """Writes the results for each language that the folders have files in."""
    results = {
        "machine": machine,
        "tools": {name: tools.versions[name] for name in ("cst", "universal-ctags")},
        "files": options.files,
        "seed": SEED,
        "languages": {},
    }
    chosen = [it for it in outline_languages.LANGUAGES if not options.language or it.name in options.language]
    found = sources_of(options.folder, {it.name for it in chosen})
    with tempfile.TemporaryDirectory(prefix="outlines-") as state:
        environment = {**os.environ, "CST_STATE": state, "XDG_CONFIG_HOME": state}
        for language in chosen:
            files = sample(found.get(language.name, []), options.files)
            if not files:
                print(f"{language.title}: no files")
                continue
            result = compare_language(language, files, tools.programs, environment, options.folder)
            results["languages"][language.name] = result
            options.output.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            print(f"{language.title}: {result['listed']:,} of {result['compared']:,}", flush=True)
    return 0


def sources_of(folders, wanted):
    """The files of each language, in the order of their paths."""
    found = {}
    for folder in folders:
        for path in sorted(folder.resolve().rglob("*")):
            if path.suffix in ENDINGS and path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
                language = outline_languages.of(path)
                if language in wanted and not path.name.endswith(".min.js"):
                    found.setdefault(language, []).append(str(path))
    return found


ENDINGS = {ending for it in outline_languages.LANGUAGES for ending in it.endings}


def sample(files, count):
    return sorted(random.Random(SEED).sample(files, count)) if len(files) > count else files


def compare_language(language, files, programs, environment, folders):
    sources = {path: read(path) for path in files}
    tags = outline_answers.ctags(programs["universal-ctags"], language, files, sources)
    outlines = outline_answers.outlines(programs["cst"], language, files, sources, environment)
    counts, rules, kinds, missing = Counter(), {}, {}, []
    for tag in tags:
        outline = outlines[tag.path]
        is_listed = outline_answers.listed(outline, tag)
        counts["tags"] += 1
        counts["tags_listed"] += is_listed
        rule = outline_rules.excludes(language.name, tag)
        if rule:
            tally(rules, rule, is_listed)
            continue
        counts["compared"] += 1
        counts["listed"] += is_listed
        tally(kinds, tag.kind, is_listed)
        if outline.read and not outline.errors:
            counts["clean_compared"] += 1
            counts["clean_listed"] += is_listed
        if not is_listed:
            missing.append([shown(tag.path, folders), tag.line, tag.kind, tag.name, outline.errors, tag.text.strip()[:120]])
    random.Random(SEED).shuffle(missing)
    return {
        "title": language.title,
        "files": len(files),
        "files_with_errors": sum(it.errors > 0 for it in outlines.values()),
        "files_unread": sum(not it.read for it in outlines.values()),
        **{name: counts[name] for name in COUNTS},
        "kinds": kinds,
        "excluded": rules,
        "missing": missing[:LISTED],
    }


COUNTS = ["tags", "tags_listed", "compared", "listed", "clean_compared", "clean_listed"]


def tally(table, key, is_listed):
    row = table.setdefault(key, {"count": 0, "listed": 0})
    row["count"] += 1
    row["listed"] += is_listed


def read(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read().replace("\r\n", "\n").split("\n")


def shown(path, folders):
    """The path within its folder."""
    for folder in map(str, (folder.resolve() for folder in folders)):
        if path.startswith(folder + os.sep):
            return path[len(folder) + 1 :].replace(os.sep, "/")
    return path
