#!/usr/bin/env python3
"""The benchmark harness: `cst` beside other tools, on code from package registries.

    benches/run.py fetch DIR [py|multi|more]          gets the corpora: DIR/py, DIR/multi and DIR/more
    benches/run.py measure DIR --output results.json  measures, and compares the answers
    benches/run.py report results.json docs/benchmarks.md
    benches/run.py outlines DIR/py DIR/multi          compares `cst outline` with universal-ctags
    benches/run.py report-outlines outlines.json docs/benchmarks.md
    benches/run.py rewrites DIR/py/cpython/libpython3.11-testsuite    rewrites CPython's tests, and checks the results
    benches/run.py report-rewrites rewrites.json docs/benchmarks.md

Python 3.9 or newer and nothing else; the tools are taken from `--path` folders and from PATH, and left out where they are
not installed.
"""

import argparse
import os
import sys
from pathlib import Path

from harness import corpus, machine, measure, outline_languages, outline_report, outlines, report, rewrite_report, rewrites
from harness import tasks, tools


def main():
    options = parser().parse_args()
    return options.run(options) or 0


def parser():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    fetch = commands.add_parser("fetch", help="get the corpora with pip, npm, cargo and apt-get")
    fetch.add_argument("folder", type=Path)
    fetch.add_argument("which", nargs="?", choices=list(corpus.MAKERS), help="all otherwise")
    fetch.set_defaults(run=run_fetch)

    run = commands.add_parser("measure", help="run every task with every tool, in rounds")
    run.add_argument("folder", type=Path, help="where the corpora are")
    run.add_argument("--output", type=Path, default=Path("results.json"), help="results, saved after each process")
    run.add_argument("--cst", default="target/release/cst", help="the cst to measure [%(default)s]")
    run.add_argument("--path", action="append", default=[], metavar="DIR", help="a folder with tools, before PATH")
    run.add_argument("--parse", metavar="PROGRAM", help="the bare parse: cargo bench --bench parse --no-run builds it")
    run.add_argument("--tree-sitter-library", metavar="FILE", help="a Python grammar for tree-sitter's own command line")
    run.add_argument("--rounds", type=int, default=5, help="[%(default)s]")
    run.add_argument("--minutes", type=float, default=20, help="no further round is begun that would end later [%(default)s]")
    run.add_argument("--limit", type=float, default=120, help="seconds a process may take [%(default)s]")
    run.add_argument("--only", help="tasks by the beginning of their names, with commas: P1,P10")
    run.add_argument("--within", help="one folder of the Python corpus in place of all, as Django")
    run.add_argument(
        "--megabytes", type=float, default=0, help="of each language but Python at most so much; 0 for all [%(default)s]"
    )
    run.add_argument("--requests", type=int, default=10_000, help="that P14's server answers [%(default)s]")
    run.add_argument("--slow", default="setuptools", help="the folder of the Python corpus for slow tools [%(default)s]")
    run.add_argument("--add", action="store_true", help="keep what --output holds of other tasks")
    run.set_defaults(run=run_measure)

    write = commands.add_parser("report", help="write the tables between a document's markers")
    write.add_argument("results", type=Path)
    write.add_argument("document", type=Path, nargs="?", help="standard output otherwise")
    write.add_argument("--rewrites", type=Path, metavar="FILE", help="the results of `rewrites`, for the goals")
    write.set_defaults(run=run_report)

    names = [language.name for language in outline_languages.LANGUAGES]
    compare = commands.add_parser("outlines", help="which functions, classes and methods of ctags does cst list")
    compare.add_argument("folder", type=Path, nargs="+", metavar="CORPUS", help="folders with sources in any languages")
    compare.add_argument("--language", action="append", choices=names, help="only these; may be given again")
    compare.add_argument("--files", type=int, default=400, help="of each language, drawn with a fixed seed [%(default)s]")
    compare.add_argument("--output", type=Path, default=Path("outlines.json"), help="results [%(default)s]")
    compare.add_argument("--cst", default="target/release/cst", help="[%(default)s]")
    compare.add_argument("--path", action="append", default=[], metavar="DIR", help="a folder with tools, before PATH")
    compare.set_defaults(run=run_outlines, tree_sitter_library=None, parse=None)

    write = commands.add_parser("report-outlines", help="write that comparison between a document's markers")
    write.add_argument("results", type=Path)
    write.add_argument("document", type=Path, nargs="?", help="standard output otherwise")
    write.set_defaults(run=run_report_outlines)

    compare = commands.add_parser("rewrites", help="rewrite CPython's tests with every tool, and check what they leave")
    compare.add_argument("folder", type=Path, help="CPython's tests; they are copied")
    compare.add_argument("--output", type=Path, default=Path("rewrites.json"), help="results [%(default)s]")
    compare.add_argument("--cst", default=os.environ.get("CST", "target/release/cst"), help="or CST [%(default)s]")
    compare.add_argument("--path", action="append", default=[], metavar="DIR", help="a folder with tools, before PATH")
    compare.add_argument("--rounds", type=int, default=5, help="over all files [%(default)s]")
    compare.add_argument("--sample", type=int, default=1000, metavar="KB", help="of files for LibCST [%(default)s]")
    compare.add_argument("--sample-rounds", type=int, default=3, help="over these, and over one line [%(default)s]")
    compare.add_argument("--small", type=int, default=60, metavar="KB", help="of files for semgrep [%(default)s]")
    compare.add_argument("--limit", type=float, default=60, help="seconds a process may take [%(default)s]")
    compare.add_argument("--only", help="some of assert_equal,assert,line,awkward")
    compare.set_defaults(run=run_rewrites, tree_sitter_library=None, parse=None)

    write = commands.add_parser("report-rewrites", help="write that between a document's markers")
    write.add_argument("results", type=Path)
    write.add_argument("document", type=Path, nargs="?", help="standard output otherwise")
    write.set_defaults(run=run_report_rewrites)
    return parser


def run_fetch(options):
    corpus.fetch(options.folder, [options.which] if options.which else list(corpus.MAKERS))


def run_measure(options):
    found = tools.find(options)
    if not found.has("cst"):
        print(f"no `{options.cst}`: build it, or name it with --cst", file=sys.stderr)
        return 2
    return measure.measure(options, found, machine.describe(), tasks.all_tasks)


def run_report(options):
    report.write(options.results, options.document, options.rewrites)


def run_outlines(options):
    found = tools.find(options)
    for tool in ("cst", "universal-ctags"):
        if not found.has(tool):
            print(f"no {tool}: name it with --cst, or its folder with --path", file=sys.stderr)
            return 2
    return outlines.compare(options, found, machine.describe())


def run_report_outlines(options):
    outline_report.write(options.results, options.document)


def run_rewrites(options):
    options.folder = options.folder.resolve()
    options.only = options.only.split(",") if options.only else []
    found = tools.find(options)
    if not found.has("cst"):
        print(f"no `{options.cst}`: build it, or name it with --cst", file=sys.stderr)
        return 2
    return rewrites.measure(options, found, machine.describe())


def run_report_rewrites(options):
    rewrite_report.write(options.results, options.document)


if __name__ == "__main__":
    sys.exit(main())
