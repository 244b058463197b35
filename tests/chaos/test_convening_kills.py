"""`kill -9` while a scheduled meeting is convened: afterwards there is one meeting, held once, and one end on the record."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client

from clerk import scheduling
from clerk.timetable import Timetable
from parliament import ids
from parliament.values import MeetingStatus
from records import convenings, meetings, turns
from records.engine import Store
from settings import Settings
from tests.support import crashing
from tests.support.crashing import Processes, Server, environment
from tests.support.meetings import connect
from workflows.messages import ConveneOutcome

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(180)]

SUNDAYS = Timetable((0,), time(6, 0), "America/Los_Angeles")


@dataclass
class Sunday:
    """A server, a store with a weekly schedule, and worker processes that come and go."""

    folder: Path
    server: Server
    processes: Processes
    store: Store
    settings: Settings
    client: Client

    def worker(self, **hold: str) -> subprocess.Popen[Any]:
        env = environment(
            self.folder / "data", "-", TEMPORAL_ADDRESS=self.server.address, BOARDROOM_PROVIDER="simulated", **hold
        )
        return self.processes.start(["worker"], env)

    def holding_worker(self, point: str) -> subprocess.Popen[Any]:
        return self.worker(BOARDROOM_HOLD_AT=point, BOARDROOM_HOLD_DIR=str(self.folder))

    async def held_once(self, convener: str) -> None:
        """Wait for the convener's end; there is one meeting, and everything of it once."""
        handle = self.client.get_workflow_handle(convener, result_type=ConveneOutcome)
        said = await asyncio.wait_for(handle.result(), 90)
        assert (said.outcome, said.meeting) == ("completed", ids.meeting_id(convener))
        async with self.store.read() as tx:
            (meeting,) = await meetings.listing(tx)
            (kept,) = await convenings.listing(tx)
            lines = await turns.transcript(tx, meeting.id)
        assert (meeting.id, meeting.status) == (said.meeting, MeetingStatus.COMPLETED)
        assert (kept.id, kept.outcome, kept.meeting_id) == (convener, "completed", meeting.id)
        assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
        held = [f async for f in self.client.list_workflows(f'WorkflowId = "{meeting.id}" AND WorkflowType = "BoardMeeting"')]
        assert len(held) == 1


@pytest.fixture
async def sunday(tmp_path: Path) -> AsyncIterator[Sunday]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        server = Server(tmp_path / "temporal.db", probe.getsockname()[1])
    server.start()
    with crashing.processes() as started:
        settings = Settings(data_dir=tmp_path / "data", provider="simulated")
        client = await connect(server.address)
        store = await Store.open(None, settings.data_dir)
        try:
            await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
            yield Sunday(tmp_path, server, started, store, settings, client)
        finally:
            await store.close()
            started.end()
            server.kill()


@pytest.mark.parametrize(
    "point",
    [
        pytest.param("convening_opened", marks=pytest.mark.chaos_ci),
        "heard_vote",
        "convening_ended",
    ],
)
async def test_the_worker_is_killed(sunday: Sunday, point: str) -> None:
    worker = sunday.holding_worker(point)
    convener = await scheduling.trigger(sunday.client, sunday.store, "weekly")
    assert await crashing.reached(sunday.folder, point) == worker.pid
    worker.kill()
    worker.wait(20)
    sunday.worker()
    await sunday.held_once(convener)


async def test_server_and_worker_are_killed_together(sunday: Sunday) -> None:
    worker = sunday.holding_worker("convening_opened")
    convener = await scheduling.trigger(sunday.client, sunday.store, "weekly")
    await crashing.reached(sunday.folder, "convening_opened")
    sunday.server.kill()
    worker.kill()
    worker.wait(20)
    sunday.server.start()
    sunday.worker()
    await sunday.held_once(convener)
