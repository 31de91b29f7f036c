"""Random JavaScript programs, and their runner."""
import json
import os
import subprocess

from languages import ecmascript
from languages.common import NAMES, places_in

CHECK = "js"
WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "javascript_worker.cjs")
FEATURES = ecmascript.FEATURES
assert NAMES


class Runner:
    worker = WORKER

    def __init__(self, scratch):
        self.child = None

    def run_many(self, programs):
        if not programs:
            return []
        if self.child is None or self.child.poll() is not None:
            self.child = subprocess.Popen(["node", "--experimental-vm-modules", "--no-warnings", self.worker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.child.stdin.write(json.dumps(programs) + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:
            if len(programs) > 1:
                return [self.run_many([program])[0] for program in programs]
            return [(3, "the worker ended")]
        return [tuple(row) for row in json.loads(line)]


def places(files):
    return places_in(files, [f"#{n}" for n in NAMES] + NAMES, ecmascript.SKIPPED, ecmascript.HOLES)


def generate(rng):
    return ecmascript.generate(rng, ecmascript.Writer, "main.mjs", ".mjs", ".mjs")
