"""`kill -9` at eight points of a proposal review: the same files as undisturbed, byte for byte but for times and ids."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select
from temporalio.client import Client

from clerk import reviews
from clerk.reviews import ReviewRequest, Stand
from protocols.review_files import stamp
from records import schema
from records.engine import Store
from settings import Settings
from tests.support import crashing
from tests.support.crashing import Processes, Server, environment
from tests.support.meetings import connect
from tests.support.reviews import PAYMENTS, SEED, SPLIT, proposal

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(240)]

POINTS = (
    "after_reply:3", "heard_assessment:2", "heard_response:4", "vote_written:2", "review_resolved:1", "review_copy_written:1",
    "review_file_written:7", "review_decided:1",
)  # fmt: skip
"""A point, and the how-manieth time it is reached: in each phase, and between any two steps of its end."""


class Place:
    """A server that lives on a file, a store, and a folder for the review's files."""

    def __init__(self, server: Server, client: Client, store: Store, settings: Settings, started: Processes, out: Path) -> None:
        self.server, self.client, self.store = server, client, store
        self.settings, self.started, self.out = settings, started, out

    @property
    def env(self) -> dict[str, str]:
        return environment(self.settings.data_dir, "-", TEMPORAL_ADDRESS=self.server.address, BOARDROOM_PROVIDER="simulated")

    async def begin(self) -> str:
        request = ReviewRequest(
            documents=proposal(PAYMENTS), seed=SEED, provider="simulated", faults=SPLIT, folder=self.out, track="payments"
        )
        opened = await reviews.open_review(self.store, self.settings, reviews.plan(self.settings, request))
        await reviews.start(self.client, self.store, self.settings, opened.meeting_id)
        return opened.meeting_id

    async def finish(self, meeting_id: str) -> Stand:
        """Decide it once it is escalated, as often as that takes, and wait for its end."""
        until = asyncio.get_running_loop().time() + 90
        while not await reviews.ended(self.store, meeting_id):
            assert asyncio.get_running_loop().time() < until
            await asyncio.sleep(0.05)
        await reviews.decide(
            self.client, self.store, meeting_id, "approve", "The pilot is small.", key="decision-0123456789abcdef"
        )
        await asyncio.wait_for(self.client.get_workflow_handle(meeting_id).result(), 90)
        return await reviews.stand(self.store, meeting_id)

    def files(self, found: Stand) -> dict[str, str]:
        """Everything in the folder; this run's time and meeting written as WHEN and MTG, that of the decision left out."""
        record = found.record
        assert record.decision is not None

        def same(text: str) -> str:
            for mine, anyones in (
                (record.decision.at if record.decision else "", "DECIDED"),
                (record.timestamp, "WHEN"),
                (stamp(record.timestamp), "STAMP"),
                (record.meeting_id, "MTG"),
            ):
                text = text.replace(mine, anyones)
            return text

        return {
            same(str(path.relative_to(self.out))): same(path.read_text(encoding="utf-8"))
            for path in sorted(self.out.rglob("*"))
            if path.is_file()
        }


@contextlib.asynccontextmanager
async def place(folder: Path) -> AsyncIterator[Place]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        server = Server(folder / "temporal.db", probe.getsockname()[1])
    folder.mkdir(parents=True, exist_ok=True)
    server.start()
    settings = Settings(data_dir=folder / "data", provider="simulated", health_check=False, call_retries=0)
    with crashing.processes() as started:
        client = await connect(server.address)
        store = await Store.open(None, settings.data_dir)
        try:
            yield Place(server, client, store, settings, started, folder / "out")
        finally:
            await store.close()
            started.end()
            server.kill()


@pytest.mark.parametrize(
    "point", [pytest.param(p, marks=pytest.mark.chaos_ci if p.startswith("review_file_written") else ()) for p in POINTS]
)
async def test_killed_here_the_files_are_the_same(tmp_path: Path, point: str) -> None:
    async with place(tmp_path / "undisturbed") as calm:
        calm.started.start(["worker"], calm.env)
        wanted = calm.files(await calm.finish(await calm.begin()))
    assert len(wanted) == 11  # five at the top, five in the session's copy, and the lock

    async with place(tmp_path / "killed") as torn:
        hold = {"BOARDROOM_HOLD_AT": point, "BOARDROOM_HOLD_DIR": str(tmp_path)}
        worker = torn.started.start(["worker"], torn.env | hold)
        meeting_id = await torn.begin()
        deciding = None
        if point.startswith("review_decided"):
            deciding = asyncio.create_task(torn.finish(meeting_id))
        assert await crashing.reached(tmp_path, point.partition(":")[0]) == worker.pid
        worker.kill()
        worker.wait(20)
        torn.started.start(["worker"], torn.env)
        found = await (deciding or torn.finish(meeting_id))
        assert torn.files(found) == wanted
        assert not list(torn.out.rglob(".*.new"))
        async with torn.store.read() as tx:
            calls = (await tx.execute(select(schema.calls.c.id, schema.calls.c.state))).all()
        assert max(Counter(row.id for row in calls).values()) == 1  # nothing was bought twice
        assert {row.state for row in calls} <= {"done", "failed"}
