"""The program `cst`."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from typing import Optional

from ._native import run_program


def _program() -> Optional[str]:
    """What starts this program again: agents are configured with it."""
    name = sys.argv[0]
    if os.path.basename(name) == "__main__.py":
        return shutil.which("cst")
    return os.path.abspath(name) if os.path.exists(name) else shutil.which(name)


def main() -> None:
    """Runs the command line of this process and exits."""
    # Ctrl-C ends the program at once, or does what the command says, as it does outside of Python.
    if hasattr(signal, "SIGINT"):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = run_program(["cst", *sys.argv[1:]], _program())
    # Threads that wait for input must not keep the process.
    os._exit(status)
