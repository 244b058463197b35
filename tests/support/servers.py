"""Real servers, real processes. Everything polls with a deadline, and ends only what it started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import stack_keeper

ROOT = Path(__file__).parents[2]

USER = """
import asyncio, sys
from pathlib import Path
from stack_server import EmbeddedServer

async def main():
    server = await EmbeddedServer.join(Path(sys.argv[1]))
    print(server.address, flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await server.leave()
    print("left", flush=True)

asyncio.run(main())
"""


class User:
    """A process of its own that has joined, or is joining, the embedded server."""

    def __init__(self, data_dir: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER, str(data_dir)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def address(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def leave(self) -> None:
        """Returns when the process has left and ended."""
        out, _ = self.process.communicate("\n", timeout=30)
        assert out.strip().endswith("left")
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=10)


def eventually(what: Callable[[], Any], *, within: float = 20.0) -> Any:
    """The first truthy answer of `what`; fails when there is none in time."""
    until = time.monotonic() + within
    while not (found := what()):
        assert time.monotonic() < until, f"not within {within} s"
        time.sleep(0.02)
    return found


def processes(data_dir: Path) -> dict[str, dict[str, Any]]:
    """Keeper and server that the state file names, if they run."""
    try:
        found = json.loads((data_dir / "temporal" / "state.json").read_text())
    except FileNotFoundError:
        return {}
    return {name: found[name] for name in ("keeper", "server") if stack_keeper.runs(found[name])}


def of_directory(data_dir: Path) -> list[int]:
    """Pids of all living processes whose command line names the data directory: nothing may hide from the state file."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(data_dir).encode() in words and stack_keeper.started_at(int(entry.name)):
                found.append(int(entry.name))
    return found
