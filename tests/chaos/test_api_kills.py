"""`kill -9` while people follow a meeting live: whichever process dies, each of them has every turn once and in order."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import websockets
from temporalio.client import Client

from clerk import access, opening, running
from records.engine import Store
from settings import Settings
from tests.support import crashing, stores
from tests.support.crashing import Processes, Server, kill
from tests.support.meetings import agenda, connect

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]

PACE = "brisk"
"""Voices that speak for a while, so that there is somebody to follow while something dies."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with stores.postgres() as url:
        yield url


@dataclass
class Follower:
    """Somebody who comes back to whoever answers, with the last seq they have, until the meeting is over."""

    urls: list[str]
    meeting: str
    secret: str
    seqs: list[int] = field(default_factory=list)
    connections: int = 0
    lost: int = 0

    async def follow(self) -> None:
        while True:
            url = self.urls[self.connections % len(self.urls)]
            self.connections += 1
            where = f"{url}/api/v1/board/meetings/{self.meeting}/ws?after={self.seqs[-1] if self.seqs else 0}"
            try:
                async with websockets.connect(where, additional_headers={"Authorization": f"Bearer {self.secret}"}) as line:
                    async for message in line:
                        event = json.loads(message)
                        if event["event"] == "turn":
                            self.seqs.append(event["seq"])
                    if line.close_code == 1000:
                        return
                    why = f"{line.close_code} {line.close_reason}"
            except (OSError, websockets.ConnectionClosed, websockets.InvalidHandshake) as error:
                why = repr(error) + str(getattr(getattr(error, "response", None), "body", ""))
            self.lost += 1
            assert self.lost < 200, f"nobody answers any more: {why}"
            await asyncio.sleep(0.1)

    async def has(self, turns: int) -> None:
        async with asyncio.timeout(90):
            while len(self.seqs) < turns:
                await asyncio.sleep(0.02)


@dataclass
class Arena:
    folder: Path
    server: Server
    processes: Processes
    store: Store
    settings: Settings
    client: Client
    secret: str

    def environment(self, **more: str) -> dict[str, str]:
        given = {"BOARDROOM_PROVIDER": "simulated", "TEMPORAL_ADDRESS": self.server.address, "BOARDROOM_SCHEDULE": "", **more}
        del given["BOARDROOM_SCHEDULE"]
        if self.settings.database_url:
            given["BOARDROOM_DATABASE_URL"] = self.settings.database_url
        found = crashing.environment(self.folder / "data", "http://127.0.0.1:9", **given)
        del found["ANTHROPIC_API_KEY"], found["ANTHROPIC_BASE_URL"]
        return found

    def worker(self) -> subprocess.Popen[Any]:
        return self.processes.start(["worker"], self.environment())

    async def api(self) -> tuple[subprocess.Popen[Any], str]:
        """An API process that answers, and its address."""
        port = free_port()
        process = self.processes.start(["api"], self.environment(BOARDROOM_PORT=str(port)))
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(answers, f"http://127.0.0.1:{port}/healthz"):
                assert process.poll() is None, "the API ended by itself"
                await asyncio.sleep(0.05)
        return process, f"ws://127.0.0.1:{port}"

    async def open(self) -> str:
        request = opening.OpenRequest(agenda=agenda("Should I walk more?"), seed=11, provider="simulated", pace=PACE)
        opened = await opening.open_meeting(self.store, self.settings, request)
        await running.start(self.client, self.store, self.settings, opened.meeting_id)
        return opened.meeting_id

    def followers(self, meeting: str, *urls: str, count: int = 3) -> tuple[list[Follower], list[asyncio.Task[None]]]:
        found = [Follower(list(urls), meeting, self.secret) for _ in range(count)]
        return found, [asyncio.create_task(follower.follow()) for follower in found]

    async def told_all(self, meeting: str, followers: list[Follower]) -> None:
        from clerk import reading

        turns = [turn.seq for turn in await reading.transcript(self.store, meeting)]
        assert turns == list(range(1, len(turns) + 1))
        for follower in followers:
            assert follower.seqs == turns  # every one, once, in order


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture
async def arena(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Arena]:
    url = None
    if getattr(request, "param", "sqlite") == "postgresql":
        url = await asyncio.to_thread(stores.new_database, request.getfixturevalue("postgres_url"))
    server = Server(tmp_path / "temporal.db", free_port())
    server.start()
    settings = Settings(
        data_dir=tmp_path / "data", database_url=url, provider="simulated", health_check=False, heartbeat=2.0, secretary=False
    )
    with crashing.processes() as started:
        client = await connect(server.address)
        store = await Store.open(settings.database_url, settings.data_dir)
        _, secret = await access.create_token(store, "follower", ["reader"])
        try:
            yield Arena(tmp_path, server, started, store, settings, client, secret)
        finally:
            started.end()
            await store.close()
            server.kill()


BOTH = pytest.mark.parametrize("arena", [pytest.param("sqlite", marks=pytest.mark.chaos_ci), "postgresql"], indirect=True)


@BOTH
async def test_an_api_process_dies_and_its_followers_go_on_at_another(arena: Arena) -> None:
    arena.worker()
    (doomed, here), (_, there) = await asyncio.gather(arena.api(), arena.api())
    meeting = await arena.open()
    moving, tasks = arena.followers(meeting, here, there)
    staying, others = arena.followers(meeting, there, count=1)
    await asyncio.gather(*(follower.has(4) for follower in (*moving, *staying)))
    kill(doomed.pid)
    await asyncio.wait_for(asyncio.gather(*tasks, *others), 120)
    assert all(follower.lost >= 1 for follower in moving)
    assert [follower.lost for follower in staying] == [0]  # the other process did not even notice
    await arena.told_all(meeting, [*moving, *staying])


@pytest.mark.parametrize("which", [pytest.param("worker", marks=pytest.mark.chaos_ci), "server"])
async def test_the_worker_or_the_temporal_server_dies_and_nobody_misses_a_turn(arena: Arena, which: str) -> None:
    worker = arena.worker()
    _, here = await arena.api()
    meeting = await arena.open()
    followers, tasks = arena.followers(meeting, here, count=2)
    await asyncio.gather(*(follower.has(4) for follower in followers))
    if which == "worker":
        kill(worker.pid)
        worker.wait(10)
        await asyncio.sleep(0.5)
        arena.worker()
    else:
        arena.server.kill()
        await asyncio.sleep(0.5)
        arena.server.start()
    await asyncio.wait_for(asyncio.gather(*tasks), 180)
    assert [follower.lost for follower in followers] == [0, 0]  # a live line does not hang on either of them
    await arena.told_all(meeting, followers)
