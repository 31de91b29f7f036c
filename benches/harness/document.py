"""Puts tables between the markers of a document."""

import sys


def put(text, begin, end, document):
    """In place of what is between the markers; at the end where there are none, and on standard output without a document."""
    if document is None:
        sys.stdout.write(text)
        return
    old = document.read_text() if document.exists() else ""
    if begin in old and end in old:
        before, rest = old.split(begin, 1)
        after = rest.split(end, 1)[1]
    else:
        before, after = old.rstrip("\n") + "\n\n" if old else "", "\n"
    document.write_text(f"{before}{begin}\n{text}{end}{after}")
