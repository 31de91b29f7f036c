#!/usr/bin/env python3
"""Compares what `cst` says about names with a SCIP index of the same files.

    compare.py python [PACKAGE ...]        downloads packages, indexes them with scip-python, compares
    compare.py typescript [PACKAGE ...]    the same with scip-typescript
    compare.py one FOLDER INDEX            compares one folder with an index of it: SCIP, as `rust-analyzer scip` writes it too
    compare.py uses FOLDER USES            compares it with a file of uses, as the programs in `oracles` write it: go/types, javac, libclang, Ruby

Options: --cst PROGRAM, --work FOLDER (downloads and indexes), --scip FOLDER (a node_modules with the indexers; `npm install
@sourcegraph/scip-python @sourcegraph/scip-typescript` makes it), --show N (examples of each group), --output JSON.

Each use of a name for which the index knows a definition inside the folder is in one group: `right` (the same symbol), `other`
(certainly another one), `itself` (certainly the place of the use, as if it were a definition), `outside` (something outside of the
folder), `open` (a candidate or not determined), `missing` (no answer). The first three after `right` are claims that are wrong.
"""

import argparse
import collections
import json
import random
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import scip

PYTHON = ["flask==3.0.3", "requests==2.32.3", "click==8.1.7", "werkzeug==3.0.3", "jinja2==3.1.4", "rich==13.7.1", "httpx==0.27.0",
          "attrs==23.2.0"]
TYPESCRIPT = ["rxjs@7.8.1", "zod@4.1.5"]
TSCONFIG = {"compilerOptions": {"target": "es2020", "module": "esnext", "moduleResolution": "node", "lib": ["es2022", "dom", "esnext"],
                                "strict": True, "skipLibCheck": True, "allowImportingTsExtensions": True, "noEmit": True},
            "include": ["./**/*.ts"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["python", "typescript", "one", "uses"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, default=Path("target/symbols"))
    parser.add_argument("--scip", type=Path, default=Path("target/symbols/node_modules"))
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = []
    if options.what == "one":
        folder, index = map(Path, options.names)
        rows.append(compare(folder, index, options))
    elif options.what == "uses":
        folder, uses = map(Path, options.names)
        rows.append(compare_uses(folder, uses, options))
    else:
        packages = options.names or (PYTHON if options.what == "python" else TYPESCRIPT)
        get = python_package if options.what == "python" else typescript_package
        for package in packages:
            folder = get(package, options)
            rows.append(compare(folder, folder / ORACLE, options))
    print("| package | uses | right | wrong | of these itself | of these outside | open | missing |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for row in rows:
        wrong = sum(row[group] for group in WRONG)
        numbers = [row["right"], wrong, row["itself"], row["outside"], row["open"], row["missing"]]
        shares = " | ".join(f"{100 * number / max(row['uses'], 1):.2f} %" for number in numbers)
        print(f"| {row['name']} | {row['uses']:,} | {shares} |")
    if options.output:
        options.output.write_text(json.dumps(rows, indent=1) + "\n")


# `cst` would use a file `index.scip`.
ORACLE = "oracle.scip"
GROUPS = ["right", "other", "itself", "outside", "open", "missing"]
WRONG = ["other", "itself", "outside"]


def alone(folder):
    """Makes the folder a repository, so that it is a project of its own and not a part of one above it."""
    if not (folder / ".git").exists():
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)


def python_package(package, options):
    name = package.split("=")[0]
    folder = options.work / "python" / name
    if not folder.exists():
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, package], check=True)
        for extra in [folder / "bin", *folder.glob("*.dist-info")]:
            subprocess.run(["rm", "-rf", extra], check=True)
    if not (folder / ORACLE).exists():
        none = (options.work / "environment.json").resolve()
        none.write_text("[]")
        program = options.scip.resolve() / ".bin" / "scip-python"
        subprocess.run([program, "index", "--quiet", "--project-name", name, "--project-version", "1", "--environment", none], cwd=folder,
                       check=True)
        (folder / "index.scip").rename(folder / ORACLE)
    alone(folder)
    return folder


def typescript_package(package, options):
    name = package.rsplit("@", 1)[0]
    folder = options.work / "typescript" / name
    if not folder.exists():
        folder.mkdir(parents=True)
        archive = subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True).stdout.split()[-1]
        with tarfile.open(folder / archive) as packed:
            packed.extractall(folder)
    source = folder / "package" / "src"
    if not (source / ORACLE).exists():
        (source / "tsconfig.json").write_text(json.dumps(TSCONFIG))
        program = options.scip.resolve() / ".bin" / "scip-typescript"
        subprocess.run([program, "index", "--no-progress-bar"], cwd=source, check=True, capture_output=True)
        (source / "index.scip").rename(source / ORACLE)
    alone(source)
    return source


def answers(folder, options):
    """What cst says: (path, line, column) to the group and the places it leads to, from 0."""
    output = (options.work / "symbols.jsonl").resolve()
    output.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([Path(options.cst).resolve(), "index", "--export", "jsonl", "--output", output, "--no-ignore", "."], cwd=folder, check=True,
                   capture_output=True)
    found = {}
    with open(output, encoding="utf-8") as lines:
        for line in lines:
            name = json.loads(line)
            places = {(to["path"], to.get("line", 1) - 1, to.get("col", 1) - 1) for to in name["to"]}
            found[name["path"], name["line"] - 1, name["col"] - 1] = name["is"], places
    return found


def compare(folder, index, options):
    own = answers(folder, options)
    definitions, occurrences = collections.defaultdict(set), collections.defaultdict(set)
    uses = collections.defaultdict(set)
    for path, line, column, length, symbol, defines in scip.occurrences(index):
        symbol = f"{path} {symbol}" if symbol.startswith("local ") else symbol
        occurrences[symbol].add((path, line, column))
        if defines:
            definitions[symbol].add((path, line, column))
        uses[path, line, column, length].add((symbol, defines))
    # Symbols that differ only in their kind: an interface and a constant, a class and its constructor.
    bare_at = collections.defaultdict(set)
    for symbol, places in definitions.items():
        for place in places:
            bare_at[place].add(bare(symbol))
    counts, examples, texts = collections.Counter(), collections.defaultdict(list), {}
    for (path, line, column, length), symbols in uses.items():
        if any(defines for _, defines in symbols):
            continue
        wanted = [symbol for symbol, _ in symbols if symbol in definitions]
        if not wanted:
            continue
        if path not in texts:
            texts[path] = (folder / path).read_text(encoding="utf-8").split("\n")
        text = texts[path][line]
        word = text[column:column + length]
        # Columns of other lines may count otherwise; dots and quoted modules are no names.
        if not text.isascii() or not word.strip(".") or word[0] in "'\"":
            continue
        # The index names the class for its `__slots__`.
        if all(symbol.endswith("#") and path.endswith(".py") and not symbol.rstrip("#").endswith(word) for symbol in wanted):
            continue
        # The index names a module for a name that is imported from it, and for the first part of its own path.
        if path.endswith(".py") and all(is_module_of_another(symbol, word) for symbol in wanted):
            continue
        last = word.split(".")[-1]
        is_path = "." in word.strip(".")
        at = path, line, column + (length - len(last) if is_path else 0)
        group, places = own.get(at, ("missing", set()))
        group = group_of(group, places, at, lambda: any(same(symbol, at, places, own, definitions, occurrences, bare_at) for symbol in wanted))
        counts[group] += 1
        if group != "right":
            examples[group].append(f"{path}:{line + 1}:{column + 1} {word} -> {sorted(places)[:2]}, not {wanted[0]}: {text.strip()[:100]}")
    if options.show:
        random.seed(1)
        for group, found in examples.items():
            print(f"{folder}: {group}")
            for example in random.sample(found, min(options.show, len(found))):
                print("  ", example)
    name = folder.parent.parent.name if folder.name == "src" else folder.name
    return {"name": name, "uses": sum(counts.values()), **{group: counts[group] for group in GROUPS}}


def compare_uses(folder, uses, options):
    """The same with lines such as {"path": "a.go", "line": 1, "col": 2, "word": "x", "to": [{"path": …, "line": …, "col": …}]}, from 1."""
    own = answers(folder, options)
    counts, examples, texts = collections.Counter(), collections.defaultdict(list), {}
    with open(uses, encoding="utf-8") as lines:
        for use in map(json.loads, lines):
            path = use["path"]
            if path not in texts:
                texts[path] = (folder / path).read_text(encoding="utf-8", errors="replace").split("\n")
            wanted = {(to["path"], to["line"] - 1, to["col"] - 1) for to in use["to"]}
            at = path, use["line"] - 1, use["col"] - 1
            # Columns of other lines may count otherwise.
            if at in wanted or not texts[path][at[1]].isascii():
                continue
            group, places = own.get(at, ("missing", set()))
            # A symbol may be declared at several places.
            group = group_of(group, places, at, lambda: places & wanted or any((places - {at}) & own.get(place, ("", set()))[1] for place in wanted))
            counts[group] += 1
            if group != "right":
                examples[group].append(f"{path}:{at[1] + 1}:{at[2] + 1} {use['word']} -> {sorted(places)[:2]}, not {sorted(wanted)[0]}")
    random.seed(1)
    for group, found in examples.items():
        for example in random.sample(found, min(options.show, len(found))):
            print(f"{group}: {example}")
    return {"name": folder.name, "uses": sum(counts.values()), **{group: counts[group] for group in GROUPS}}


def group_of(group, places, at, is_right):
    """The group of a use at `at` of which `cst` says `group` and `places`; the oracle knows a definition in the folder."""
    if group == "known":
        return "right" if is_right() else "itself" if at in places else "other"
    return {"undetermined": "open", "external": "outside"}.get(group, group)


def same(symbol, at, places, own, definitions, occurrences, bare_at):
    """Whether the places are of the symbol: the index or `cst` takes one for its definition, or its stub's. The use at `at` is none."""
    for place in places - {at}:
        path, line, column = place
        if place in definitions[symbol] or bare(symbol) in bare_at.get(place, ()):
            return True
        # Another definition of the same symbol, as a second assignment to a field.
        if place in occurrences[symbol] and place in own.get(place, ("", set()))[1]:
            return True
        for other, first, _ in definitions[symbol]:
            if other == path and (line, first) == (0, 0):
                return True
            # The index prefers `.pyi`, cst the source.
            if other.endswith(".pyi") and other[:-1] == path:
                return True
    return False


def is_module_of_another(symbol, word):
    module = re.search(r"(\w+)`?/__init__:$", symbol)
    return module is not None and module[1] != word.split(".")[-1]


def bare(symbol):
    return symbol.replace("`<constructor>`().", "").rstrip("#./():")


if __name__ == "__main__":
    main()
