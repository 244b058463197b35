"""Killing real processes at exact points, and comparing what stands in the record afterwards.

A point is reached through a barrier: `BOARDROOM_HOLD_AT` holds a process where `activities.points.reached` names it and leaves
a mark, or the local Messages service holds a call. A test that never sees the mark fails.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from records import schema
from records.engine import Store
from stack_server import SEARCH_ATTRIBUTES, temporal_binary
from tests.support.messages_service import KEY, MOTION, Behaviour

BOARDROOM = Path(sysconfig.get_path("scripts")) / "boardroom"

SEED = 11
TOPIC = "Should I walk more?"

REPLIES: dict[str, dict[str, Any]] = {
    "/debate/.*/dalio$": {"amendment": {"text": MOTION.replace("ten", "twenty"), "summary": "twenty for ten"}},
    "/amendment/.*/roosevelt$": {"position": "SUPPORT"},
    "/amendment/.*/davinci$": {"position": "OBJECT"},
    "/vote/-/1/musk$": {"vote": "AGAINST", "dissent": "Twenty minutes are not ambitious."},
    "/action_items/": {
        "action_items": [
            {"task": "Put the walk into the calendar", "owner": "shareholder", "deadline": "2026-12-10"},
            {"task": "Ask again in a month", "owner": "dalio", "deadline": None},
        ]
    },
}
"""One rich meeting: a contested amendment, a dissent, two action items."""

TIMES = {"at", "created_at", "closed_at", "recorded_at", "started_at", "completed_at", "active_seconds", "received_at"}
TABLES = (
    schema.turns, schema.motions, schema.amendments, schema.votes, schema.ballots, schema.dissents, schema.rulings,
    schema.resolutions, schema.action_items, schema.attendance, schema.agenda_items, schema.whispers, schema.agent_sessions,
)  # fmt: skip


async def everything(store: Store, meeting_id: str) -> dict[str, list[dict[str, Any]]]:
    """All rows of a meeting without their times, its id written as MTG: what must be the same after any crash."""
    found: dict[str, list[dict[str, Any]]] = {}
    async with store.read() as tx:
        for table in TABLES:
            key = list(table.primary_key.columns)
            rows = await tx.execute(select(table).where(table.c.meeting_id == meeting_id).order_by(*key))
            found[table.name] = [
                json.loads(json.dumps({k: v for k, v in row._asdict().items() if k not in TIMES}).replace(meeting_id, "MTG"))
                for row in rows
            ]
    for row in found["action_items"]:
        row["id"] = "ACT"  # a digest of the meeting's id
        del row["due"], row["reading"]  # whoever follows the resolution reads its deadlines, some time after the meeting
    for row in found["agent_sessions"]:
        row["session_id"] = "MD5"
    found["action_items"].sort(key=lambda row: row["task"])
    return found


def environment(data_dir: Path, url: str, **more: str) -> dict[str, str]:
    """A process's environment: nothing of the developer's, voices from the local service, quick recovery."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TEMPORAL_", "BOARDROOM_", "ANTHROPIC_"))}
    return (
        kept
        | {
            "BOARDROOM_DATA_DIR": str(data_dir),
            "BOARDROOM_PROVIDER": "anthropic",
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": url,
            "BOARDROOM_HEALTH_CHECK": "false",
            "BOARDROOM_DESIGNATED_DISSENTER": "false",
            "BOARDROOM_SECRETARY": "false",  # her work has crashes of its own
            "BOARDROOM_HEARTBEAT": "2",
            "BOARDROOM_STICKY": "1",
        }
        | more
    )


@dataclass
class Server:
    """A Temporal server on a file, as a process that can be killed and started again on its port."""

    file: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [str(temporal_binary()), "server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", str(self.port),
             "--db-filename", str(self.file), "--log-level", "error",
             "--dynamic-config-value", "history.transferProcessorMaxPollRPS=200",
             *(word for name, kind in SEARCH_ATTRIBUTES.items() for word in ("--search-attribute", f"{name}={kind}"))],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(20)


@dataclass
class Processes:
    """What a test started, by id; the rest of the machine is not its business."""

    started: list[subprocess.Popen[Any]] = field(default_factory=list)

    def start(self, arguments: list[str], env: dict[str, str], **options: Any) -> subprocess.Popen[Any]:
        process = subprocess.Popen(
            [sys.executable, str(BOARDROOM), *arguments], env=env, stdin=subprocess.DEVNULL,
            **({"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options),
        )  # fmt: skip
        self.started.append(process)
        return process

    def end(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait(20)


@contextmanager
def processes() -> Iterator[Processes]:
    found = Processes()
    try:
        yield found
    finally:
        found.end()


async def reached(folder: Path, point: str, seconds: float = 60) -> int:
    """Wait until a process stands at the point; its id. Fails when it is never reached."""
    until = time.monotonic() + seconds
    while True:
        marks = [name for name in os.listdir(folder) if name.startswith(f"{point}.")]
        if marks:
            return int(marks[0].rpartition(".")[2])
        assert time.monotonic() < until, f"the point {point} was not reached"
        await asyncio.sleep(0.02)


async def held(behaviour: Behaviour, seconds: float = 60) -> str:
    """Wait until the service holds a call; its id."""
    until = time.monotonic() + seconds
    while not behaviour.holding:
        assert time.monotonic() < until, "no call was held"
        await asyncio.sleep(0.02)
    return behaviour.holding[0]


def release(behaviour: Behaviour) -> None:
    """Let held calls, and all later ones, go on."""
    behaviour.faults.clear()
    if behaviour.held is not None:
        behaviour.held.set()


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


Act = Callable[[], Awaitable[None]]
