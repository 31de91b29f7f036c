"""Counts long functions without documentation by folder."""

import sys
from collections import Counter
from pathlib import PurePath

import cst_engine as cst


def report(folder: str) -> "Counter[str]":
    counts: Counter[str] = Counter()
    for hit in cst.search([folder], "function[lines>50]:not([doc])", ordered=False):
        counts[str(PurePath(hit.path or "-").parent)] += 1
    return counts


def main() -> None:
    for folder, count in report(sys.argv[1]).most_common(10):
        print(f"{count:6} {folder}")


if __name__ == "__main__":
    main()
