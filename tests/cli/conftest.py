"""The command line is tested as a person uses it: a process of its own, a data directory of its own, nothing mocked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import stack_keeper
from tests.support import warm
from tests.support.servers import ROOT, processes


def environment(data_dir: Path, **more: str) -> dict[str, str]:
    """This process's environment without any setting of its owner's, and with our own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BOARDROOM_", "TEMPORAL_", "ANTHROPIC_"))
        and name not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "UV_RUN_RECURSION_DEPTH")
    }
    kept |= {"BOARDROOM_DATA_DIR": str(data_dir), "XDG_CONFIG_HOME": str(data_dir.parent / "config"), "PYTHONPATH": str(ROOT)}
    return kept | more


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as the one JSON value that it must be."""
        return json.loads(self.out)

    def told(self) -> str:
        """The one sentence that wrong usage or a failure is told in: no traceback, nothing on standard output."""
        assert "Traceback" not in self.err
        lines = [line for line in self.err.split("\n") if line]
        assert len(lines) == 1, self.err
        assert lines[0][-1] in '.!?`"', lines[0]
        return lines[0]


Boardroom = Callable[..., Run]


def commands(folder: Path) -> Boardroom:
    """`boardroom …`, run to its end in this folder, with its data directory there."""

    def run(*arguments: str, timeout: float = 120, **variables: str) -> Run:
        env = environment(folder / "data", **variables)
        if any(name.startswith("PYTHON") for name in variables):  # read by the interpreter when it starts
            command = [sys.executable, "-m", "cli.main", *arguments]
            done = subprocess.run(
                command,
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
            return Run(done.returncode, done.stdout, done.stderr)
        return Run(*warm.run(arguments, cwd=folder, env=env, timeout=timeout))

    return run


@contextmanager
def ending(data_dir: Path) -> Iterator[Path]:
    """A test that failed leaves nothing running in its data directory either."""
    yield data_dir
    for process in reversed(processes(data_dir).values()) if data_dir.is_dir() else ():
        if stack_keeper.runs(process):
            os.kill(process["pid"], signal.SIGKILL)


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    with ending(tmp_path / "data") as found:
        yield found


@pytest.fixture
def boardroom(data_dir: Path, tmp_path: Path) -> Boardroom:
    """Run `boardroom …` to its end."""
    return commands(tmp_path)
