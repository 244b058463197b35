"""What the benchmarks share: the local Messages service as a process, a server on a file, a house, how results are shown."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from temporalio.client import WorkflowHandle

from clerk import opening, running
from stack_server import SEARCH_ATTRIBUTES, temporal_binary
from tests.support.meetings import House, agenda, house
from tests.support.messages_service import KEY

ROOT = Path(__file__).parents[1]
ROUNDS = [1, 5, *[1, 5, 1, 4, 5, 5, 1] * 3, 1, 1]
"""Calls of each round of the reference meeting: 5 seats, 3 items for decision; 74 calls in 25 rounds (source 000's phases)."""
TOPICS = ("Should I walk more?", "Should I swim more?", "Should I sleep more?", "Should I read more?")
REFERENCE: dict[str, Any] = {"health_check": False, "max_mentions": 0, "designated_dissenter": False}


@contextmanager
def messages_service(folder: Path, delay: float) -> Iterator[str]:
    """The local service in a process of its own; yields its base URL."""
    ports = folder / f"port-{time.monotonic_ns()}"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.messages_service", "--port-file", str(ports), "--delay", str(delay)], cwd=ROOT
    )
    try:
        until = time.monotonic() + 20
        while not ports.exists() or not ports.read_text():
            assert time.monotonic() < until, "the local service did not start"
            time.sleep(0.02)
        yield f"http://127.0.0.1:{ports.read_text()}"
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def temporal(folder: Path) -> Iterator[str]:
    """A Temporal server on a file, with the arguments of the embedded one; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    from stack_server import _ARGS

    process = subprocess.Popen(
        [str(temporal_binary()), *_ARGS, "--headless", "--port", str(port), "--db-filename", str(folder / "temporal.db"),
         *(word for name, kind in SEARCH_ATTRIBUTES.items() for word in ("--search-attribute", f"{name}={kind}"))],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="boardroom-bench-") as folder:
        yield Path(folder)


@asynccontextmanager
async def anthropic_house(address: str, folder: Path, url: str, **overrides: Any) -> AsyncIterator[House]:
    settings = REFERENCE | {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url} | overrides
    async with house(address, folder / "data", provider="anthropic", **settings) as found:
        yield found


async def meeting(board: House, items: int = 3, **rules: Any) -> tuple[float, WorkflowHandle[Any, Any]]:
    """Hold a meeting; seconds from its opening to its end, and its handle."""
    started = time.monotonic()
    settings = board.settings.model_copy(update=rules)
    topics = [f"{TOPICS[n % len(TOPICS)]} ({n + 1})" for n in range(items)]
    opened = await opening.open_meeting(board.store, settings, opening.OpenRequest(agenda=agenda(*topics), seed=7))
    await running.start(board.client, board.store, settings, opened.meeting_id)
    handle = board.client.get_workflow_handle(opened.meeting_id)
    await asyncio.wait_for(handle.result(), 600)
    return time.monotonic() - started, handle


def show(title: str, rows: list[tuple[str, str]], **figures: Any) -> None:
    """A small table for people and one line of JSON for programs."""
    print(f"\n{title}")
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"  {name:<{width}}  {value}")
    print(json.dumps({"benchmark": title, **figures}))
