"""How figures are written in tables."""

from statistics import median


def ratio(runs, base, measure):
    """The median of the ratios pair by pair."""
    pairs = [(run[measure], other[measure]) for run, other in zip(runs, base) if other[measure]]
    if not pairs:
        return ""
    value = median(mine / theirs for mine, theirs in pairs)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def seconds(value):
    return f"{value:.2f}" if value >= 1 else f"{value:.3f}" if value >= 0.1 else f"{value:.4f}"


def size(amount):
    count, size = amount["files"], amount["bytes"]
    return f"{count:,} file{'' if count == 1 else 's'}, " + (f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB")
