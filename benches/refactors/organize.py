"""Organizes the imports of a clone with `cst` and with `ruff`, and compares the files.

    python3 benches/refactors/organize.py --cst target/release/cst --ruff ruff CLONE [CLONE ...]

Each clone is copied twice without its configuration; both copies get one `ruff.toml` that asks for sorted imports. In one copy `cst
refactor organize-imports --write` runs, in the other `ruff check --select I,F401 --fix`. Of the files that have imports, up to
`--files` are drawn and compared. `pyflakes`, if it is installed, says whether a name is undefined or unused that was not before.
"""

import argparse
import collections
import difflib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

SETTINGS = {"pyproject.toml", "ruff.toml", ".ruff.toml", "setup.cfg", "tox.ini", ".isort.cfg", ".editorconfig", ".gitignore"}
RUFF = 'line-length = 88\ntarget-version = "py311"\n[lint.isort]\n'


def copy(clone, to):
    """Copies the Python files of a clone."""
    for path in clone.rglob("*.py"):
        relative = path.relative_to(clone)
        if path.is_file() and not any(part.startswith(".") for part in relative.parts):
            target = to / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    (to / "ruff.toml").write_text(RUFF)


def messages(pyflakes, root, files):
    """What pyflakes says about names, by file; without places."""
    found = collections.defaultdict(collections.Counter)
    for start in range(0, len(files), 200):
        part = [str(path) for path in files[start : start + 200]]
        run = subprocess.run([*pyflakes, *part], cwd=root, capture_output=True, text=True)
        for line in run.stdout.splitlines():
            match = re.match(r"(.+?):\d+:\d+:? (.*)", line)
            if match and ("undefined name" in match[2] or "imported but unused" in match[2]):
                found[match[1]][match[2]] += 1
    return found


def reason(ours, theirs):
    """Why two texts differ, roughly."""
    def imports(text):
        return sorted(set(re.findall(r"\w+", " ".join(re.findall(r"(?m)^\s*(?:from|import)\b.*?(?:\([^)]*\)|$)", text)))))

    if re.sub(r"\s+", "", ours) == re.sub(r"\s+", "", theirs):
        return "only blank space"
    if imports(ours) != imports(theirs):
        more = len(imports(ours)) > len(imports(theirs))
        return "cst keeps a name" if more else "cst removes a name"
    return "order or layout"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clones", nargs="+", type=pathlib.Path)
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--ruff", default="ruff")
    parser.add_argument("--pyflakes", default=f"{sys.executable} -m pyflakes")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--show", type=int, default=0, help="show so many differences of each kind")
    options = parser.parse_args()
    cst, ruff = (shutil.which(tool) or os.path.abspath(tool) for tool in (options.cst, options.ruff))
    sums = collections.Counter()
    kinds = collections.defaultdict(list)
    for clone in options.clones:
        with tempfile.TemporaryDirectory() as folder:
            before, ours, theirs = (pathlib.Path(folder, name) for name in ("before", "ours", "theirs"))
            for to in (before, ours, theirs):
                copy(clone, to)
            has_import = re.compile(rb"(?m)^\s*(import|from)\s")
            files = sorted(path.relative_to(before) for path in before.rglob("*.py") if has_import.search(path.read_bytes()))
            files = random.Random(1).sample(files, min(options.files, len(files)))
            start = time.time()
            run = subprocess.run([cst, "refactor", "organize-imports", "--write"], cwd=ours, capture_output=True, text=True)
            seconds = time.time() - start
            if run.returncode not in (0, 1):
                print(clone.name, run.stderr[:2000])
                sums["failed clones"] += 1
                continue
            again = subprocess.run([cst, "refactor", "organize-imports"], cwd=ours, capture_output=True, text=True)
            sums["second runs that change something"] += bool(again.stdout.strip())
            if again.stdout.strip() and options.show:
                print(again.stdout[:1500])
            start = time.time()
            ruff_command = [ruff, "check", "--select", "I,F401", "--fix", "--quiet", "--no-cache", "."]
            subprocess.run(ruff_command, cwd=theirs, capture_output=True)
            print(f"{clone.name}: {len(files)} files compared; cst {seconds:.1f} s, ruff {time.time() - start:.1f} s")
            old = messages(options.pyflakes.split(), before, files)
            new = messages(options.pyflakes.split(), ours, files)
            for path in files:
                name = str(path)
                for message, count in (new[name] - old[name]).items():
                    sums["new messages of pyflakes"] += count
                    print(f"  {name}: {message}")
                left, right = ((root / path).read_bytes().decode("utf-8", "replace") for root in (ours, theirs))
                first = (before / path).read_bytes().decode("utf-8", "replace")
                sums["files"] += 1
                sums["changed by ruff"] += right != first
                sums["changed by cst"] += left != first
                sums["same"] += left == right
                sums["same, of those that one changes"] += left == right != first
                if left != right:
                    kind = reason(left, right)
                    sums[f"differs: {kind}"] += 1
                    diff = difflib.unified_diff(right.splitlines(), left.splitlines(), "ruff", "cst", lineterm="", n=2)
                    kinds[kind].append((name, "\n".join(diff)))
    for kind, found in kinds.items():
        for name, diff in random.Random(2).sample(found, min(options.show, len(found))):
            print(f"== {kind}: {name}\n{diff}\n")
    for what, count in sums.items():
        print(f"{count:6}  {what}")


main()
