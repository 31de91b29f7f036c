"""Files of a corpus: listed, counted, chosen, and put elsewhere."""

import os
import shutil
from pathlib import Path


def python_files(folder):
    return sorted(path for path in folder.rglob("*.py") if path.is_file())


def file_like(folder, lines, fits):
    """The file whose count of lines is nearest, and then the first by path."""
    best = None
    for path in python_files(folder):
        text = path.read_bytes()
        distance = abs(text.count(b"\n") - lines)
        if (best is None or distance < best[0]) and fits(text):
            best = (distance, path)
    if best is None:
        raise FileNotFoundError(f"no file fits in {folder.name}")
    return best[1]


def link(path, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(path, place)
    except OSError:
        shutil.copyfile(path, place)


def amount(folder, extensions=(".py",)):
    """Files, lines and bytes of a folder."""
    counted = {"files": 0, "lines": 0, "bytes": 0}
    for path in Path(folder).rglob("*"):
        if path.suffix in extensions and path.is_file() and not path.is_symlink():
            text = path.read_bytes()
            counted["files"] += 1
            counted["lines"] += text.count(b"\n")
            counted["bytes"] += len(text)
    return counted
