"""The size of the machine, without its name."""

import os
import platform
from datetime import datetime, timezone


def describe():
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gb": round(memory() / 2**30) if memory() else None,
        "system": f"{platform.system()} {platform.machine()}",
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "load_before": load(),
    }


def memory():
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None


def load():
    """How many processes wanted a core in the last minute: much more than the cores, and wall time means little."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
