#!/usr/bin/env python3
"""Deletes what `cst unused --certain` lists from real packages, and runs the packages' own tests before and after.

    delete_unused.py --work FOLDER [--packages NAME ...]
    delete_unused.py --work FOLDER --folder FOLDER --check COMMAND
                                  a git repository in any language, checked by a command: `cargo check --tests --offline`

Options: --cst PROGRAM, --work FOLDER (scratch copies and environments), --out FOLDER (the table and the rows), --packages NAME ... (names
out of PACKAGES, all otherwise), --show (rows that are wrong), --list.

`certain`: rows of `cst unused --certain`. `run`: those among them whose body the package's own tests execute, so that they are wrong
whatever the tests say (Python alone, by coverage). `deleted`: definitions that `cst refactor delete-unused` deleted. `newly failing`: tests
that passed before and fail, or are not there any more, after; of a crate, tests that do not compile or are gone. Each certain row is written
to OUT/NAME.rows, to be read by hand: `run` or `-`, in how many other lines the name occurs as a word, kind, qualified name, place. What was
deleted is in OUT/NAME.diff, and the tests that fail are in OUT/NAME.failing. The baseline is kept in WORK/NAME, and taken once.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree
from pathlib import Path

# What the tests need, how they are run, and which of them.
PACKAGES = {
    "tornado": {"version": "6.4", "needs": ["pycurl==7.45.3"], "module": "tornado.test"},
    "click": {"version": "8.1.7"},
    "flask": {"version": "3.0.3", "needs": ["werkzeug==3.0.3", "jinja2==3.1.4", "asgiref==3.8.1"]},
    "itsdangerous": {"version": "2.2.0", "needs": ["freezegun==1.5.1"]},
    "jinja2": {"version": "3.1.4", "needs": ["trio==0.26.0"]},
    "markupsafe": {"version": "2.1.5"},
    "werkzeug": {"version": "3.0.3", "needs": ["ephemeral-port-reserve==1.1.4", "pytest-timeout==2.3.1", "pytest-xprocess==1.0.2",
                                               "watchdog==4.0.1", "cryptography==42.0.8"]},
    "attrs": {"version": "23.2.0", "needs": ["hypothesis==6.108.2", "cloudpickle==3.0.0"]},
    "marshmallow": {"version": "3.21.3", "needs": ["pytz==2024.1", "simplejson==3.19.2"]},
    "more-itertools": {"version": "10.3.0"},
    "networkx": {"version": "3.3", "tests": ["networkx/utils", "networkx/classes", "networkx/readwrite", "networkx/generators", "networkx/algorithms/flow",
                                             "networkx/algorithms/tree", "networkx/algorithms/tests"]},
    "packaging": {"version": "24.1", "needs": ["pretend==1.0.9"]},
    "pluggy": {"version": "1.5.0"},
    "tomlkit": {"version": "0.13.0", "needs": ["pyyaml==6.0.1"]},
    "toolz": {"version": "0.12.1"},
    "cachetools": {"version": "5.3.3"},
    "starlette": {"version": "0.37.2", "needs": ["httpx==0.27.0", "itsdangerous==2.2.0", "jinja2==3.1.4", "python-multipart==0.0.9", "pyyaml==6.0.1",
                                                 "trio==0.26.0", "typing_extensions==4.12.2"]},
    "scrapy": {"version": "2.11.2", "needs": ["testfixtures==8.3.0", "twisted==24.3.0", "w3lib==2.1.2", "sybil==6.1.1", "pexpect==4.9.0", "attrs==23.2.0"],
               "tests": ["tests", *(f"--ignore=tests/{name}.py" for name in (
                   "test_command_check", "test_command_fetch", "test_command_shell", "test_command_parse", "test_commands", "test_crawl", "test_crawler",
                   "test_downloader_handlers_http2", "test_downloader_handlers", "test_feedexport", "test_proxy_connect", "test_engine",
                   "test_engine_stop_download_bytes", "test_engine_stop_download_headers", "test_closespider", "test_webclient",
                   "test_downloaderslotssettings", "test_request_attribute_binding", "test_scheduler", "test_spidermiddleware_httperror",
                   "test_pipeline_crawl", "test_downloadermiddleware_robotstxt"))]},
    "markdown": {"version": "3.6", "module": "unittest", "arguments": ["discover", "tests"], "needs": ["pyyaml==6.0.1"]},
    "sqlparse": {"version": "0.5.0"},
    "pygments": {"version": "2.18.0", "needs": ["wcag-contrast-ratio==0.9"], "tests": ["tests", "--ignore=tests/examplefiles", "--ignore=tests/snippets"]},
    "minimist": {"version": "1.2.8", "registry": "npm", "needs": ["tape@5.8.1"], "tests": ["test/*.js"]},
    "qs": {"version": "6.12.1", "registry": "npm", "tests": ["test/*.js"],
           "needs": ["tape@5.8.1", "es-value-fixtures@1.4.2", "has-override-mistake@1.0.1", "has-property-descriptors@1.0.2", "iconv-lite@0.5.2",
                     "mock-property@1.0.3", "object-inspect@1.13.1", "safer-buffer@2.1.2", "for-each@0.3.3", "has-symbols@1.0.3", "qs-iconv@1.0.4", "side-channel@1.0.6"]},
}
# Crates without dependencies, out of the sources that cargo has fetched for cst itself.
PACKAGES |= {name: {"version": version, "registry": "cargo"} for name, version in
             {"strsim": "0.11.1", "heck": "0.5.0", "shlex": "2.0.1", "percent-encoding": "2.3.2", "unit-prefix": "0.5.2"}.items()}
# Runs a module with its tests by unittest, and writes how each of them went.
RECORD = """
import atexit, json, runpy, sys, unittest
file, module, sys.argv[1:] = sys.argv[1], sys.argv[2], sys.argv[3:]
went = {}
def record(name, how):
    old = getattr(unittest.TestResult, name)
    def new(self, test, *rest, **more):
        key = test.id()
        went[key] = how if went.get(key, "passed") == "passed" else went[key]
        return old(self, test, *rest, **more)
    setattr(unittest.TestResult, name, new)
for name, how in dict(addSuccess="passed", addError="failed", addFailure="failed", addSkip="skipped", addExpectedFailure="passed", addUnexpectedSuccess="failed").items():
    record(name, how)
atexit.register(lambda: open(file, "w").write(json.dumps(went)))
sys.path.insert(0, "")
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
OUTSIDE = ["*.egg-info/", "build/", "*.so", "*.pyc", "__pycache__/", "node_modules/", "/target/", "package-lock.json", ".hypothesis/", ".pytest_cache/"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", nargs="*", default=list(PACKAGES))
    parser.add_argument("--cst", default="target/release/cst")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        return print("\n".join(f"{name} {package['version']}" for name, package in PACKAGES.items()))
    options.cst = str(Path(options.cst).resolve())
    options.work = options.work.resolve()
    options.out = (options.out or options.work / "out").resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in [options.folder.name] if options.folder else options.packages:
        name = name.split("=")[0].lower()
        package = {"version": "", "check": options.check, "registry": "folder"} if options.folder else PACKAGES[name]
        try:
            row = measure(name, package, options)
        except Exception as error:  # one package more or less
            row = {"package": name, "version": package["version"], "error": f"{type(error).__name__}: {error}"}
        rows.append(row)
        (options.out / f"{name}.json").write_text(json.dumps(row, indent=1) + "\n")
        print(line(row), flush=True)
    table(rows, options)


def run(*command, cwd=None, timeout=1800, **environment):
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace", timeout=timeout, stdin=subprocess.DEVNULL,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "timeout")


def checked(*command, **options):
    done = run(*command, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))[:200]}: {(done.stderr or done.stdout)[-1500:]}")
    return done.stdout


def prepare(name, package, options):
    """The sources as a git repository, and what their tests need. All of it is kept for the next time."""
    folder = options.work / name
    source, is_ready = folder / "source", folder / "ready"
    if is_ready.exists():
        return source
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    registry = package.get("registry", "pypi")
    if registry in ("folder", "cargo"):
        found = options.folder or next(Path("~/.cargo/registry/src").expanduser().glob(f"*/{name}-{package['version']}"))
        shutil.copytree(found, source, ignore=shutil.ignore_patterns(".git", "target", "node_modules"))
    else:
        named = f"{name}=={package['version']}"
        if registry == "pypi":
            checked(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder), named)
        else:
            checked("npm", "pack", "--silent", f"{name}@{package['version']}", cwd=folder)
        with tarfile.open(next(path for path in folder.iterdir() if path.suffix in (".gz", ".tgz"))) as tar:
            tar.extractall(folder, filter="data")
        next(path for path in folder.iterdir() if path.is_dir()).rename(source)
    shutil.rmtree(source / "build", ignore_errors=True)
    checked("git", "init", "-q", cwd=source)
    (source / ".git/info/exclude").write_text("\n".join(OUTSIDE) + "\n")
    checked("git", "add", "-A", cwd=source)
    checked("git", "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "as released", cwd=source)
    if registry == "npm":
        # In the folder above, so that only what the tests need is installed.
        (folder / "package.json").write_text("{}")
        checked("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *package["needs"], cwd=folder)
    elif registry == "pypi":
        python = str(folder / "venv/bin/python")
        checked(sys.executable, "-m", "venv", str(folder / "venv"))
        checked(python, "-m", "pip", "install", "-q", "pytest==8.2.2", "coverage==7.5.4", *package.get("needs", []))
        checked(python, "-m", "pip", "install", "-q", "-e", str(source))
    clean(source)
    is_ready.write_text("")
    return source


def clean(source):
    checked("git", "reset", "-q", "--hard", cwd=source)
    checked("git", "clean", "-fdq", cwd=source)


def tests(source, package, *before):
    """How each test went, by its name, and the end of what was printed."""
    file = source.parent / "went"
    file.unlink(missing_ok=True)
    python = str(source.parent / "venv/bin/python")
    if package.get("check"):
        done = run("sh", "-c", package["check"], cwd=source)
        return {"check": "failed" if done.returncode else "passed"}, (done.stdout + done.stderr)[-3000:]
    if package.get("registry") == "cargo":
        # Building and running takes the cores from others, so that a test passes if it is still there and compiles.
        done = run("cargo", "check", "--tests", "--offline", "-q", cwd=source, CARGO_TARGET_DIR=str(source.parent / "target"))
        how = "failed" if done.returncode else "passed"
        texts = {path.relative_to(source): path.read_text() for path in sorted(source.rglob("*.rs"))}
        return {f"{path}::{name}": how for path, text in texts.items() for name in re.findall(r"#\[test\][^{]*?fn (\w+)", text)}, done.stderr[-3000:]
    if package.get("registry") == "npm":
        went, said = {}, ""
        for path in sorted(path for pattern in package["tests"] for path in source.glob(pattern)):
            done = run("node", str(path.relative_to(source)), cwd=source, timeout=300)
            said += done.stderr[-1500:]
            part = ""
            for text in done.stdout.split("\n"):
                part = text[2:] if text.startswith("# ") else part
                if found := re.match(r"\s*(not )?ok \d+ (.*)", text):
                    key = f"{path.name}: {part}: {found[2]}"
                    went[key] = "failed" if found[1] or went.get(key) == "failed" else "passed"
            went[path.name] = "failed" if done.returncode else "passed"
        return went, said
    if package.get("module"):
        (source.parent / "record.py").write_text(RECORD)
        done = run(python, *before, str(source.parent / "record.py"), str(file), package["module"], *package.get("arguments", []), cwd=source)
        went = json.loads(file.read_text()) if file.exists() else {}
    else:
        done = run(python, *(before or ["-B"]), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=short", "-W", "ignore",
                   f"--junitxml={file}", *package.get("tests", []), cwd=source)
        went = junit(file) if file.exists() else {}
    return went, done.stdout[-4000:] + done.stderr[-2000:]


def junit(file):
    went = {}
    for case in xml.etree.ElementTree.parse(file).iter("testcase"):
        key = f"{case.get('classname')}::{case.get('name')}"
        how = {child.tag for child in case}
        found = "failed" if how & {"failure", "error"} else "skipped" if "skipped" in how else "passed"
        went[key] = found if went.get(key, "passed") == "passed" else went[key]
    return went


def baseline(source, package):
    """How the tests go unchanged, and which lines they execute; kept for the next time."""
    kept = source.parent / "baseline.json"
    if not kept.exists():
        went, said = tests(source, package)
        clean(source)
        # What fails by chance does not count.
        again, _ = tests(source, package)
        flaky = sorted(key for key in went if went[key] != again.get(key))
        clean(source)
        lines = {}
        if package.get("registry", "pypi") == "pypi":
            data = source.parent / "coverage"
            tests(source, package, "-m", "coverage", "run", "--rcfile=/dev/null", f"--data-file={data}", "--source=.")
            run(str(source.parent / "venv/bin/python"), "-m", "coverage", "json", "--rcfile=/dev/null", f"--data-file={data}", "-o", f"{data}.json", "-i", cwd=source)
            covered = json.loads(Path(f"{data}.json").read_text()) if Path(f"{data}.json").exists() else {"files": {}}
            lines = {path: found["executed_lines"] for path, found in covered["files"].items()}
        kept.write_text(json.dumps({"went": went, "flaky": flaky, "said": said, "lines": lines}))
        clean(source)
    return json.loads(kept.read_text())


def is_run(source, row, lines):
    """Whether the tests execute the body of a function, or of a method of a class."""
    if not row["path"].endswith(".py") or row["path"] not in lines:
        return False
    executed = set(lines[row["path"]])
    for node in ast.walk(ast.parse((source / row["path"]).read_bytes())):
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if (is_function or isinstance(node, ast.ClassDef)) and node.name == row["qualname"].split(".")[-1] and node.lineno <= row["line"] <= node.body[0].lineno:
            functions = [node] if is_function else [child for child in node.body if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))]
            return any(set(range(one.body[0].lineno, one.body[-1].end_lineno + 1)) & executed for one in functions)
    return False


def measure(name, package, options):
    source = prepare(name, package, options)
    clean(source)
    before = baseline(source, package)
    start = time.monotonic()
    done = run(options.cst, "unused", "--certain", "--json", cwd=source)
    seconds = time.monotonic() - start
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    certain = [row for row in answer["unused"] if row["confidence"] == "certain"]
    with (options.out / f"{name}.rows").open("w") as rows:
        for row in certain:
            row["run"] = is_run(source, row, before["lines"])
            word = row["qualname"].split(".")[-1].split("::")[-1]
            others = run("git", "grep", "-wnF", "-e", word, cwd=source).stdout.splitlines()
            row["others"] = sum(not other.startswith(f"{row['path']}:{row['line']}:") for other in others)
            rows.write(f"{'run' if row['run'] else '-'}\t{row['others']}\t{row['kind']}\t{row['qualname']}\t{row['path']}:{row['line']}\n")
            if options.show and row["run"]:
                print(f"  run by the tests: {row['kind']} {row['qualname']} {row['path']}:{row['line']}")
    done = run(options.cst, "refactor", "delete-unused", "--write", "--json", cwd=source)
    deletion = json.loads(done.stdout) if done.stdout.startswith("{") else {"error": {"message": (done.stdout + done.stderr)[-600:]}}
    (options.out / f"{name}.diff").write_text(run("git", "diff", cwd=source).stdout)
    is_changed = run("git", "diff", "--quiet", cwd=source).returncode != 0
    went, said = tests(source, package) if is_changed else (before["went"], "")
    newly = sorted(key for key, how in before["went"].items() if how == "passed" and key not in before["flaky"] and went.get(key) not in ("passed", "skipped"))
    (options.out / f"{name}.failing").write_text("".join(f"{went.get(key, 'gone')}\t{key}\n" for key in newly) + (f"\n{said}" if newly else ""))
    clean(source)
    count = lambda all_tests, how: sum(value == how for value in all_tests.values())
    return {"package": name, "version": package["version"], "definitions": answer["definitions"], "certain": len(certain),
            "run": sum(row["run"] for row in certain), "deleted": deletion.get("certain", 0), "refused": deletion.get("error", {}).get("message"),
            "before": [count(before["went"], how) for how in ("passed", "failed")], "after": [count(went, how) for how in ("passed", "failed")],
            "newly": len(newly), "seconds": round(seconds, 1), "rows": certain}


COLUMNS = ("package", "version", "definitions", "certain", "run", "deleted", "before", "after", "newly failing", "seconds")


def line(row):
    if "error" in row:
        return f"| {row['package']} | {row['version']} | {row['error'][:600]} |"
    both = {key: f"{row[key][0]}/{row[key][1]}" for key in ("before", "after")}
    deleted = "refused: " + row["refused"].split("\n")[0][:200] if row["refused"] else row["deleted"]
    cells = {**row, **both, "deleted": deleted, "newly failing": row["newly"]}
    return "| " + " | ".join(str(cells[column]).replace("|", "\\|") for column in COLUMNS) + " |"


def table(rows, options):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---|" + "--:|" * (len(COLUMNS) - 2), *map(line, rows)]
    measured = [row for row in rows if "error" not in row]
    total = {key: sum(row[key] for row in measured) for key in ("definitions", "certain", "run", "deleted", "newly")}
    lines.append(f"| {len(measured)} packages | | {total['definitions']} | {total['certain']} | {total['run']} | {total['deleted']} | | | {total['newly']} | |")
    (options.out / "table.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
