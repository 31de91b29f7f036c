"""What the generators share: weighted draws, and the places of names in code, outside of strings and comments."""
import re

NAMES = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu"]


def weighted(rng, rows):
    """One of the (weight, value) pairs' values."""
    at = rng.random() * sum(weight for weight, _ in rows)
    for weight, value in rows:
        at -= weight
        if at < 0:
            return value
    return rows[-1][1]


def places_in(files, names, skipped, holes=None, suffixes=None, marks="$#@"):
    """(path, line, column, name) of each name in code; `skipped` matches strings and comments, `holes` code in a string; `marks` never precede a name."""
    found = []
    word = re.compile(rf"(?<![\w{marks}])(" + "|".join(map(re.escape, names)) + r")(?![\w$])")
    for path in sorted(files):
        if suffixes and not path.endswith(suffixes):
            continue
        text = files[path]
        dead = []
        for match in skipped.finditer(text):
            if holes:
                at = match.start()
                for hole in holes.finditer(match.group()):
                    dead.append((at, match.start() + hole.start()))
                    at = match.start() + hole.end()
                dead.append((at, match.end()))
            else:
                dead.append(match.span())
        for match in word.finditer(text):
            if any(a <= match.start() < b for a, b in dead):
                continue
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
            found.append((path, line, column, match.group()))
    return found
