"""One process, measured by the operating system's own accounting.

CPU is user and system seconds of the process and the children it waited for. Peak memory is that of its largest single
process; a child of Python begins with Python's own peak, so it is run through GNU time where that is installed.
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import lru_cache


@dataclass
class Limits:
    seconds: float
    #: Bytes of address space, for tasks that some tool is known to need tens of gigabytes for.
    memory: int = 0


@dataclass
class Measured:
    cpu: float
    wall: float
    peak: int
    status: int
    stopped: bool
    errors: str

    def failure(self, fine):
        """Why the run is no result; `None` if it is one."""
        if self.stopped:
            return f"over {self.wall:.0f} s"
        if self.status not in fine:
            said = [line.strip() for line in self.errors.splitlines() if line.strip() and not line.startswith("note:")]
            return f"exit status {self.status}" + (f": {said[0][:200]}" if said else "")
        return None


def run(command, folder, environment, limits, output=None, memory=True, given=None):
    """Runs a command to its end. `output` and `given`, its input, are files, or `None` for none; without `memory`,
    nothing stands between this process and the command, and the peak isn't known."""
    peak_file = None
    if memory and gnu_time():
        with tempfile.NamedTemporaryFile(prefix="bench-", delete=False) as file:
            peak_file = file.name
        command = [gnu_time(), "-q", "-f", "%M", "-o", peak_file, *command]
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=given or subprocess.DEVNULL,
            stdout=output or subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (limits.memory,) * 2)) if limits.memory else None,
        )
        stopped = threading.Event()
        timer = threading.Timer(limits.seconds, stop, (process.pid, stopped))
        timer.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            stop(process.pid, stopped)
            raise
        finally:
            timer.cancel()
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read(1_000_000).decode(errors="replace")
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if peak_file:
        with open(peak_file) as file:
            words = file.read().split()
        os.unlink(peak_file)
        peak = int(words[-1]) * 1024 if words and words[-1].isdigit() else peak
    elif not memory:
        peak = 0
    return Measured(used.ru_utime + used.ru_stime, wall, peak, process.returncode, stopped.is_set(), text)


def stop(process, stopped):
    stopped.set()
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


@lru_cache(maxsize=None)
def gnu_time():
    """The program, if it is GNU's."""
    program = shutil.which("time")
    if not program:
        return None
    try:
        known = subprocess.run([program, "-q", "-f", "%M", "true"], capture_output=True, timeout=10).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if known else None
