"""Tasks and the commands they are made of; how `cst` and the other tools are called."""

from dataclasses import dataclass
from pathlib import Path
from typing import Optional

RULES = Path(__file__).parent.parent / "rules"

#: Nothing that a repository says is left out, by any tool.
AST_GREP_ALL = ["--no-ignore", "vcs", "--no-ignore", "parent", "--no-ignore", "dot"]
SEMGREP = ["scan", "--metrics=off", "--disable-version-check", "--no-git-ignore", "--max-target-bytes", "0", "-q", "--json"]


@dataclass
class Command:
    tool: str
    arguments: list
    #: How `answers` reads what it prints; `None` where it isn't compared.
    reads: Optional[str] = None
    #: The name in the tables.
    label: str = ""
    #: Exit statuses that are results.
    fine: tuple = (0, 1)

    def __post_init__(self):
        self.label = self.label or self.tool


@dataclass
class Task:
    name: str
    title: str
    question: str
    folder: Path
    commands: list
    #: The oracle's question, where there is one.
    oracle: Optional[str] = None
    #: The most rounds, for slow tools.
    rounds: int = 1000
    #: Runs in a turn, for small work; the turn counts as their mean.
    repeat: int = 1
    #: Bytes of address space a process may have.
    memory: int = 0
    #: Run once before the first round.
    fill: Optional[Command] = None
    #: For P10: the series, and where on it this is.
    series: str = ""
    point: str = ""
    #: Files, lines and bytes of `folder`.
    amount: Optional[dict] = None
    #: Only these files count as searched.
    only: Optional[str] = None


@dataclass
class Setting:
    """Where the corpora stand, and who is there to be measured."""

    tools: object
    python: Optional[Path]
    #: A copy of a part of `python`, for slow tools.
    slow: Optional[Path]
    #: Where the corpora of all languages are.
    corpora: Path
    #: Of each language but Python at most so many MB; 0 for all.
    megabytes: float
    #: The harness's own, for files that it makes.
    work: Path


def cst(setting, command, *arguments, reads="lines", warm=False, label=""):
    knows = setting.tools.cst_knows
    options = ["--cache"] if warm and knows(command, "--cache") else []
    options += ["--no-cache"] if not warm and knows(command, "--no-cache") else []
    return Command("cst", [command, *arguments, *options], reads, label)


def find(setting, selector, *targets, **more):
    return cst(setting, "find", selector, *(targets or ["."]), "--no-ignore", "--language", "python", **more)


def scan(rule, *targets):
    rule = str(RULES / f"{rule}.ast-grep.yml")
    return Command("ast-grep", ["scan", "-r", rule, "--json=stream", *AST_GREP_ALL, *(targets or ["."])], "ast-grep")


def run_print(*targets):
    arguments = ["run", "-l", "py", "-p", "print($$$A)", "--json=stream", *AST_GREP_ALL]
    return Command("ast-grep", [*arguments, *(targets or ["."])], "ast-grep")


def ripgrep(regex, *targets):
    return Command("ripgrep", ["-nH", "--no-ignore", "-t", "py", regex, *(targets or ["."])], "lines", "ripgrep (a regex)")
