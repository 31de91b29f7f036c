"""Runs Python programs given as JSON lines {path: text}, each in a forked child with modules from memory; answers [status, output] lines.

The child's modules come from the mapping alone, so no file is written. The status is 0, 1 for an exception, 2 for too much time.
"""
import importlib
import importlib.abc
import importlib.util
import json
import os
import select
import signal
import sys
import types

LIMIT = 4
for name in ("abc", "asyncio", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "itertools", "operator", "threading", "typing"):
    importlib.import_module(name)


class Memory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, files):
        self.files = files

    def path_of(self, name):
        stem = name.replace(".", "/")
        for path in (stem + "/__init__.py", stem + ".py"):
            if path in self.files:
                return path
        return None

    def find_spec(self, name, path=None, target=None):
        found = self.path_of(name)
        if found is None:
            if any(path.startswith(name.replace(".", "/") + "/") for path in self.files):
                spec = importlib.util.spec_from_loader(name, None, is_package=True)
                return spec
            return None
        return importlib.util.spec_from_loader(name, self, is_package=found.endswith("__init__.py"))

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        path = self.path_of(module.__name__)
        exec(compile(self.files[path], path, "exec"), module.__dict__)


def child(files, pipe):
    os.dup2(pipe, 1)
    sys.stdout = os.fdopen(1, "w")
    sys.meta_path.insert(0, Memory(files))
    sys.path[:] = [entry for entry in sys.path if entry and "names" not in entry]
    status = 0
    try:
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        exec(compile(files["main.py"], "main.py", "exec"), module.__dict__)
    except BaseException as error:
        status = 1
        print("error", type(error).__name__, str(error)[:120])
    sys.stdout.flush()
    os._exit(status)


def run(files):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            child(files, write)
        finally:
            os._exit(1)
    os.close(write)
    parts = []
    status = None
    while True:
        ready, _, _ = select.select([read], [], [], LIMIT)
        if not ready:
            os.kill(pid, signal.SIGKILL)
            status = 2
            break
        part = os.read(read, 65536)
        if not part:
            break
        parts.append(part)
        if sum(map(len, parts)) > 1_000_000:
            os.kill(pid, signal.SIGKILL)
            break
    os.close(read)
    _, ended = os.waitpid(pid, 0)
    return [status if status is not None else os.waitstatus_to_exitcode(ended), b"".join(parts).decode(errors="replace")]


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
