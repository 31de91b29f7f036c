"""Validates the SARIF of real scans against the published schema, and the reviewdog form against the shape of its messages.

    python3 benches/rules/sarif.py CST SCHEMA [FOLDER…]

SCHEMA is sarif-schema-2.1.0.json of OASIS; the crate `serde-sarif` carries it as `src/schema.json`. Needs `jsonschema` from PyPI.
Scans a small project with all that a log can hold (a baseline, suppressions, fixes, labels, a rule that is wrong, files that cannot be
read, absolute paths), then each FOLDER with all shipped packs. Prints a line for each log; the exit status is 1 if one is not valid.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

RULES = """\
id: call
language: python
severity: warning
message: calls $A
note: "**No** calls."
url: https://example.org/call
rule: { pattern: f($A) }
fix: g($A)
labels: { A: { style: primary, message: this } }
---
id: wrong
language: python
rule: { kind: nosuch }
"""
PACKS = "quality,python,javascript,go,rust,java,security"
# What GitHub's code scanning takes in one run.
MOST_RESULTS = 25_000


def run(cst: str, folder: Path, *arguments: str) -> dict:
    done = subprocess.run([cst, *arguments], cwd=folder, capture_output=True, check=False)
    return json.loads(done.stdout)


def check(name: str, log: dict, validator: jsonschema.Draft7Validator) -> bool:
    errors = sorted(validator.iter_errors(log), key=lambda error: list(error.absolute_path))
    results = log["runs"][0]["results"]
    notes = log["runs"][0]["invocations"][0]
    noted = sum(len(notes.get(key, [])) for key in ("toolConfigurationNotifications", "toolExecutionNotifications"))
    print(f"{name}: {len(results)} results, {noted} notifications, {len(json.dumps(log)):,} bytes: {'not valid' if errors else 'valid'}")
    if len(results) > MOST_RESULTS:
        print(f"  GitHub takes at most {MOST_RESULTS:,} results of a run")
    for error in errors[:5]:
        print(f"  {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    return not errors


def main() -> int:
    cst, schema, *folders = sys.argv[1:]
    cst = str(Path(cst).resolve())
    validator = jsonschema.Draft7Validator(json.loads(Path(schema).read_text()), format_checker=jsonschema.FormatChecker())
    is_valid = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "r.yml").write_text(RULES)
        (folder / "a b#é.py").write_text("f(1)\n")
        scan = ("scan", "--rules", "r.yml", "--baseline", "known.json")
        subprocess.run([cst, *scan, "--write-baseline"], cwd=folder, capture_output=True, check=False)
        (folder / "a b#é.py").write_text("f(1)\nf(2)  # cst-ignore: call -- wanted\né = [f('é'), f(\n    3)]\nx(\n")
        (folder / "bad.py").write_bytes(b"f(\xff)\n")
        block = "def f(a):\n    b = g(a)\n    return b + 1\n"
        (folder / "twice.py").write_text(block * 2)
        is_valid &= check("all parts", run(cst, folder, *scan, "--format", "sarif"), validator)
        elsewhere = ("scan", "--select", "call", str(folder / "a b#é.py"), "--format", "sarif")
        is_valid &= check("absolute paths", run(cst, Path("/"), *elsewhere), validator)
        is_valid &= check("nothing found", run(cst, folder, "scan", "--select", "call#nobody", "--format", "sarif"), validator)
        duplicates = ("duplicates", "--min-tokens", "10", "--format", "sarif")
        is_valid &= check("duplicates", run(cst, folder, *duplicates), validator)
    for folder in map(Path, folders):
        is_valid &= check(folder.name, run(cst, folder, "scan", "--pack", PACKS, "--format", "sarif"), validator)
        is_valid &= check(f"{folder.name}, duplicates", run(cst, folder, "duplicates", "--format", "sarif"), validator)
    return 0 if is_valid else 1


if __name__ == "__main__":
    sys.exit(main())
