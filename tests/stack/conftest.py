"""Fixtures of the stack's tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import stack_keeper
from tests.support.servers import User, processes


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    found = tmp_path / "data"
    yield found
    for process in reversed(processes(found).values()):  # a test that failed leaves nothing behind either
        if stack_keeper.runs(process):
            os.kill(process["pid"], signal.SIGKILL)


@pytest.fixture
def user(data_dir: Path) -> Iterator[Callable[[], User]]:
    started: list[User] = []

    def start() -> User:
        started.append(User(data_dir))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.kill()


@pytest.fixture(autouse=True)
def no_server_of_the_developer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("TEMPORAL_", "BOARDROOM_")) and name != "BOARDROOM_CI":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
