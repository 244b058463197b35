"""`kill -9` at exact points: the record afterwards is that of an undisturbed meeting with the same seed, and no reply that
was stored is bought again (laws 4 and 5)."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle

from clerk import opening, running
from records.engine import Store
from settings import Settings
from tests.support import crashing
from tests.support.crashing import REPLIES, SEED, TOPIC, Processes, Server, environment, everything
from tests.support.meetings import agenda, connect
from tests.support.messages_service import KEY, Behaviour, served

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(180)]

UNDISTURBED: dict[str, Any] = {}
"""The record and the calls of the undisturbed meeting, once a test process."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Arena:
    """A server, a service, a store, and worker processes that come and go."""

    folder: Path
    server: Server
    url: str
    behaviour: Behaviour
    processes: Processes
    store: Store
    settings: Settings
    client: Client

    def worker(self, **hold: str) -> subprocess.Popen[Any]:
        env = environment(self.folder / "data", self.url, TEMPORAL_ADDRESS=self.server.address, **hold)
        return self.processes.start(["worker"], env)

    def holding_worker(self, point: str) -> subprocess.Popen[Any]:
        return self.worker(BOARDROOM_HOLD_AT=point, BOARDROOM_HOLD_DIR=str(self.folder))

    async def open(self) -> WorkflowHandle[Any, Any]:
        request = opening.OpenRequest(agenda=agenda(TOPIC), seed=SEED, provider="anthropic")
        opened = await opening.open_meeting(self.store, self.settings, request)
        await running.start(self.client, self.store, self.settings, opened.meeting_id)
        return self.client.get_workflow_handle(opened.meeting_id)

    async def finish(self, handle: WorkflowHandle[Any, Any]) -> tuple[dict[str, Any], Counter[str]]:
        await asyncio.wait_for(handle.result(), 90)
        calls = Counter(call.replace(handle.id, "MTG") for call in self.behaviour.calls)
        return await everything(self.store, handle.id), calls


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    server = Server(tmp_path / "temporal.db", free_port())
    server.start()
    with served(Behaviour(replies=dict(REPLIES))) as (url, behaviour), crashing.processes() as started:
        settings = Settings(
            secretary=False,
            data_dir=tmp_path / "data", provider="anthropic", health_check=False, designated_dissenter=False, heartbeat=2.0,
            ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=url,
        )  # fmt: skip
        client = await connect(server.address)
        store = await Store.open(None, settings.data_dir)
        try:
            yield Arena(tmp_path, server, url, behaviour, started, store, settings, client)
        finally:
            await store.close()
            started.end()
            server.kill()


async def undisturbed(arena: Arena) -> tuple[dict[str, Any], Counter[str]]:
    """The same meeting without any disturbance, in the same arena and before it."""
    if not UNDISTURBED:
        worker = arena.worker()
        UNDISTURBED["record"], UNDISTURBED["calls"] = await arena.finish(await arena.open())
        worker.send_signal(signal.SIGTERM)
        worker.wait(30)
        arena.behaviour.calls.clear()
        assert len(UNDISTURBED["record"]["action_items"]) == 2
        assert len(UNDISTURBED["record"]["dissents"]) == 1
        assert set(UNDISTURBED["calls"].values()) == {1}
    return UNDISTURBED["record"], UNDISTURBED["calls"]


def compare(found: tuple[dict[str, Any], Counter[str]], plan: tuple[dict[str, Any], Counter[str]], in_flight: int) -> None:
    """Same record; more calls than planned only for those that were in flight."""
    for table, rows in plan[0].items():
        assert found[0][table] == rows, table
    again = found[1] - plan[1]
    assert not plan[1] - found[1]
    assert sum(again.values()) <= in_flight, again


POINTS = [
    # name, calls that may be bought twice: those in flight when the process died
    pytest.param("before_call:8", 5, id="before-a-call"),
    pytest.param("after_reply:9", 5, id="reply-there-and-not-stored", marks=pytest.mark.chaos_ci),
    pytest.param("heard_discussion:2", 5, id="stored-and-activity-not-returned"),
    pytest.param("vote_written:2", 5, id="between-vote-calls", marks=pytest.mark.chaos_ci),
    pytest.param("heard_motion:1", 0, id="motion-stored-and-not-returned"),
    pytest.param("heard_action_items:1", 0, id="actions-stored-and-not-returned"),
    pytest.param("recorded_resolution:1", 1, id="while-the-resolution-is-written", marks=pytest.mark.chaos_ci),
    pytest.param("record_written:4", 5, id="record-written-and-not-returned"),
]


@pytest.mark.parametrize(("point", "in_flight"), POINTS)
async def test_the_worker_is_killed(arena: Arena, point: str, in_flight: int) -> None:
    plan = await undisturbed(arena)
    worker = arena.holding_worker(point)
    handle = await arena.open()
    pid = await crashing.reached(arena.folder, point.partition(":")[0])
    assert pid == worker.pid
    worker.kill()
    worker.wait(20)
    arena.worker()
    compare(await arena.finish(handle), plan, in_flight)


async def test_the_worker_is_killed_during_a_call(arena: Arena) -> None:
    plan = await undisturbed(arena)
    arena.behaviour.faults.append({"match": "/debate/.*/dalio$", "fault": "hold"})
    arena.behaviour.held = asyncio.Event()
    worker = arena.worker()
    handle = await arena.open()
    await crashing.held(arena.behaviour)
    worker.kill()
    worker.wait(20)
    arena.behaviour.faults.clear()
    arena.worker()
    compare(await arena.finish(handle), plan, 5)


@pytest.mark.chaos_ci
async def test_sigterm_during_a_call_buys_nothing_twice(arena: Arena) -> None:
    plan = await undisturbed(arena)
    arena.behaviour.faults.append({"match": "/debate/.*/dalio$", "fault": None, "delay": 3.0})
    worker = arena.worker()
    handle = await arena.open()
    until = asyncio.get_running_loop().time() + 60
    while not any("/debate/" in call and call.endswith("dalio") for call in arena.behaviour.calls):
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)
    worker.send_signal(signal.SIGTERM)
    await asyncio.to_thread(worker.wait, 60)
    arena.worker()
    compare(await arena.finish(handle), plan, 0)


@pytest.mark.chaos_ci
async def test_the_server_is_killed_during_a_call(arena: Arena) -> None:
    plan = await undisturbed(arena)
    arena.behaviour.faults.append({"match": "/vote/-/1/dalio$", "fault": None, "delay": 2.0})
    arena.worker()
    handle = await arena.open()
    until = asyncio.get_running_loop().time() + 60
    while not any(call.endswith("/vote/-/1/dalio") for call in arena.behaviour.calls):
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)
    arena.server.kill()
    arena.server.start()
    compare(await arena.finish(handle), plan, 0)


async def test_server_and_worker_are_killed_together(arena: Arena) -> None:
    plan = await undisturbed(arena)
    worker = arena.holding_worker("heard_vote:3")
    handle = await arena.open()
    await crashing.reached(arena.folder, "heard_vote")
    arena.server.kill()
    worker.kill()
    worker.wait(20)
    arena.server.start()
    arena.worker()
    compare(await arena.finish(handle), plan, 5)


@pytest.mark.chaos_ci
async def test_the_command_line_itself_is_killed_and_the_meeting_goes_on(arena: Arena) -> None:
    plan = await undisturbed(arena)
    env = environment(arena.folder / "own", arena.url, BOARDROOM_HOLD_AT="heard_vote:2", BOARDROOM_HOLD_DIR=str(arena.folder))
    words = ["meet", TOPIC, "--json", "--seed", str(SEED), "--provider", "anthropic"]
    process = arena.processes.start(words, env)
    assert await crashing.reached(arena.folder, "heard_vote") == process.pid
    process.kill()
    process.wait(20)
    store = await Store.open(None, arena.folder / "own")
    try:
        from records import meetings

        async with store.read() as tx:
            (meeting,) = await meetings.listing(tx)
        again = arena.processes.start(["meet", "--resume", meeting.id, "--json"], env, stdout=subprocess.PIPE)
        out, _ = await asyncio.to_thread(again.communicate, None, 90)
        assert again.returncode == 0
        assert json.loads(out)["status"] == "completed"
        calls = Counter(call.replace(meeting.id, "MTG") for call in arena.behaviour.calls)
        compare((await everything(store, meeting.id), calls), plan, 5)
    finally:
        await store.close()
