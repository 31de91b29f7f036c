"""P10: the same work, more and more of it. Linear is what it should be."""

from .commands import Command, Task, find, scan
from .files import file_like, link, python_files

#: Address space that a process on one long line may have.
MEMORY = 4 * 2**30
NESTED = "class function:has(return > call)"


def tasks(setting):
    return files(setting) + threads(setting) + sizes(setting) + matches(setting)


def files(setting):
    """A quarter, half and all of the corpus's files."""
    all_files = python_files(setting.python)
    made = []
    for point, step in [("a quarter", 4), ("half", 2), ("all", 1)]:
        folder = setting.python
        if step > 1:
            folder = setting.work / f"files-{step}"
            for path in all_files[::step]:
                link(path, folder / path.relative_to(setting.python))
        commands = [find(setting, NESTED, reads=None), uncompared(scan("nested"))]
        made.append(Task("P10 files", "More files", NESTED, folder, commands, rounds=3, series="files", point=point))
    return made


def threads(setting):
    made = []
    for count in ["1", "2"]:
        other = uncompared(scan("nested"))
        other.arguments += ["--threads", count]
        commands = [find(setting, NESTED, ".", "--threads", count, reads=None), other]
        task = Task("P10 threads", "One thread and two", NESTED, setting.python, commands, rounds=3, series="threads")
        task.point = f"{count} thread" + ("s" if count != "1" else "")
        made.append(task)
    return made


def sizes(setting):
    """A file of about 100 kB, once, four and sixteen times in one file."""
    text = file_like(setting.python, 2500, lambda text: b"class " in text).read_bytes()
    made = []
    for times in [1, 4, 16]:
        folder = setting.work / f"size-{times}"
        folder.mkdir()
        (folder / "file.py").write_bytes((text.rstrip(b"\n") + b"\n") * times)
        commands = [find(setting, NESTED, "file.py", reads=None), uncompared(scan("nested", "file.py"))]
        title = "A larger file"
        made.append(Task("P10 size", title, NESTED, folder, commands, rounds=3, repeat=3, series="size", point=f"{times} ×"))
    return made


def matches(setting):
    """Ten, twenty and forty thousand matches, all on one line."""
    made = []
    for count in [10_000, 20_000, 40_000]:
        folder = setting.work / f"line-{count}"
        folder.mkdir()
        (folder / "file.py").write_text("x = [" + ", ".join(f"f({i})" for i in range(count)) + "]\n")
        run = ["run", "-l", "py", "-p", "f($$$A)", "--json=stream", "file.py"]
        commands = [
            find(setting, "call#f", "file.py", reads=None),
            find(setting, "call#f", "file.py", "--json", reads=None, label="cst --json"),
            Command("ast-grep", run, None, "ast-grep --json=stream"),
        ]
        title = f"Many matches on one line, in at most {MEMORY >> 30} GB of address space"
        task = Task("P10 matches", title, "call#f", folder, commands, rounds=3, series="matches", point=f"{count:,}")
        task.memory = MEMORY
        made.append(task)
    return made


def uncompared(command):
    command.reads = None
    return command
