#!/usr/bin/env python3
"""Packs and unpacks the fuzzers' inputs.

    fuzz/corpus.py unpack edits DIR     a file for each input, as cargo fuzz wants them
    fuzz/corpus.py pack edits DIR       the inputs of DIR, minimised before with `-merge=1`, as the archive

tests/fuzz/corpus/TARGET.hex is the archive: a line of hexadecimal digits for each input, in order. Inputs that once failed are
files of their own in tests/fuzz/regressions/TARGET/, named after what went wrong.
"""

import hashlib
import pathlib
import sys


def main() -> None:
    command, target, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    archive = pathlib.Path(__file__).parent.parent / "tests" / "fuzz" / "corpus" / f"{target}.hex"
    if command == "unpack":
        folder.mkdir(parents=True, exist_ok=True)
        for line in archive.read_text().split():
            data = bytes.fromhex(line)
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
    elif command == "pack":
        inputs = sorted({path.read_bytes() for path in folder.iterdir()} - {b""})
        archive.write_text("".join(f"{data.hex()}\n" for data in inputs))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
