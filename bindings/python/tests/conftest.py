"""Files of CPython's own library, and an environment without the user's configuration."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import List

import pytest


def _library() -> List[Path]:
    root = Path(sysconfig.get_paths()["stdlib"])
    chosen = [path for path in sorted(root.glob("*.py")) if path.stat().st_size < 400_000]
    for folder in ["json", "asyncio", "email", "concurrent/futures", "unittest", "xml", "http", "logging", "importlib"]:
        chosen += sorted((root / folder).rglob("*.py"))
    return chosen


@pytest.fixture(scope="session")
def library() -> List[Path]:
    files = _library()
    assert len(files) >= 250
    return files


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]:
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.chdir(tmp_path)
