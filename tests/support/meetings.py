"""Holding whole meetings in tests: a real Temporal server, a real store, the real workers, and a look at what came of it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from temporalio.client import Client, WorkflowHandle

import stack
import worker
from clerk import opening, running
from parliament.agenda import Agenda, agenda_from_topics, make_agenda
from parliament.record import MeetingRecord
from parliament.values import ItemType
from records.assemble import load_record
from records.engine import Store
from settings import Settings
from stack_server import SEARCH_ATTRIBUTES, temporal_binary
from workflows.messages import MeetingOutcome

SEED = 7


@contextmanager
def temporal_server() -> Iterator[str]:
    """A development server in memory, as a process of its own; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [
            str(temporal_binary()),
            "server",
            "start-dev",
            "--headless",
            "--ip",
            "127.0.0.1",
            "--port",
            str(port),
            "--log-level",
            "error",
            "--dynamic-config-value",
            "history.transferProcessorMaxPollRPS=200",
            *(word for name, kind in SEARCH_ATTRIBUTES.items() for word in ("--search-attribute", f"{name}={kind}")),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 30
        while True:
            with socket.socket() as probe:
                probe.settimeout(0.2)
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert time.monotonic() < until, "the Temporal server did not start"
            time.sleep(0.05)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


async def connect(address: str) -> Client:
    """A client of the test server; a server that has just opened its port may still refuse for a moment."""
    until = time.monotonic() + 20
    while True:
        try:
            return await Client.connect(address, data_converter=stack.data_converter)
        except RuntimeError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.05)


def agenda(*topics: str, type: ItemType = ItemType.DECISION) -> Agenda:
    if type is ItemType.DECISION:
        return agenda_from_topics(topics)
    return make_agenda([{"topic": topic, "type": type.value} for topic in topics])


@dataclass
class House:
    """A client, a store and settings, with workers running: everything a meeting in a test needs."""

    client: Client
    store: Store
    settings: Settings

    async def open(
        self, agenda_: Agenda | str, *, rules: dict[str, Any] | None = None, **request: Any
    ) -> WorkflowHandle[Any, MeetingOutcome]:
        """Open and start a meeting; `rules` override single rules of it."""
        if isinstance(agenda_, str):
            agenda_ = agenda(agenda_)
        request.setdefault("seed", SEED)
        request.setdefault("provider", self.settings.provider)
        settings = self.settings.model_copy(update=rules or {})
        opened = await opening.open_meeting(self.store, settings, opening.OpenRequest(agenda=agenda_, **request))
        await running.start(self.client, self.store, settings, opened.meeting_id)
        return self.client.get_workflow_handle(opened.meeting_id, result_type=MeetingOutcome)

    async def hold(self, agenda_: Agenda | str, **request: Any) -> MeetingRecord:
        """Hold a meeting to its end and give back its record."""
        handle = await self.open(agenda_, **request)
        await asyncio.wait_for(handle.result(), 90)
        return await self.record(handle.id)

    async def record(self, meeting_id: str) -> MeetingRecord:
        async with self.store.read() as tx:
            return await load_record(tx, meeting_id)

    async def until(self, check: Any, what: str, seconds: float = 30) -> Any:
        """Poll until `check()` gives something true."""
        end = time.monotonic() + seconds
        while True:
            found = await check()
            if found:
                return found
            assert time.monotonic() < end, f"did not come: {what}"
            await asyncio.sleep(0.05)


@asynccontextmanager
async def house(
    address: str, data_dir: Path, *, schedules: bool = False, rules: dict[str, Any] | None = None, **overrides: Any
) -> AsyncIterator[House]:
    """A house with its own store on the given server. `schedules`: it stays, and holds what they bring due."""
    settings = Settings(**{"data_dir": data_dir, "provider": "simulated", "health_check": False} | overrides)
    settings = settings.model_copy(update=rules or {})
    client = await connect(address)
    store = await Store.open(None, data_dir)
    try:
        async with worker.running(client, store, settings, schedules=schedules):
            yield House(client, store, settings)
    finally:
        await store.close()
