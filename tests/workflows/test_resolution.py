"""A resolution is followed for months on a real server that skips the time: each moment at the right local hour, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.testing import TimeSkippingConfig, WorkflowEnvironment

import stack
import worker
from activities.interface import Answering
from parliament.following import ChangeKind
from records import completing, following, ledger, motions, papers
from records.engine import Store
from settings import Settings
from stack_server import SEARCH_ATTRIBUTES, temporal_binary
from tests.support import stores
from workflows.messages import FOLLOW_UP, Afterwards, FollowUpInput, meetings_queue

MEETING, RESOLUTION = "mtg-00000001", "RES-mtg-00000001-1"
ZONE = ZoneInfo("America/Los_Angeles")
DAY = timedelta(days=1)

pytestmark = [pytest.mark.server, pytest.mark.timeout(120)]


@asynccontextmanager
async def skipping() -> AsyncIterator[WorkflowEnvironment]:
    """A real development server whose workflows' clocks can be moved on (experimental; nobody else needs to know)."""
    attributes = (word for name, kind in SEARCH_ATTRIBUTES.items() for word in ("--search-attribute", f"{name}={kind}"))
    env = await WorkflowEnvironment.start_time_skipping_v2(
        dev_server_existing_path=str(temporal_binary()),
        dev_server_extra_args=[
            "--dynamic-config-value",
            "frontend.WorkflowTimeSkippingEnabled=true",
            "--dynamic-config-value",
            "history.transferProcessorMaxPollRPS=200",
            *attributes,
        ],
        ts_config=TimeSkippingConfig(enabled=False),
        data_converter=stack.data_converter,
    )
    async with env:
        yield env


@dataclass
class Followed:
    """An adopted resolution with its workflow, and a clock that can be moved on."""

    env: WorkflowEnvironment
    store: Store
    handle: WorkflowHandle[Any, Any]
    began: datetime

    async def later(self, days: float) -> None:
        await self.env.fast_forward(self.handle, timedelta(days=days))

    async def answer(self, response: str, **more: Any) -> str:
        found: str = await self.handle.execute_update("respond", Answering(response=response, **more), result_type=str)  # type: ignore[arg-type]
        return found

    async def history(self) -> list[following.Change]:
        found = await self.store.look(lambda tx: following.tracked(tx, RESOLUTION))
        return list(found.history) if found is not None else []

    async def moments(self) -> list[tuple[str, int, int]]:
        """What happened: its kind, how many local days after the decision, at which local hour."""
        first = self.began.astimezone(ZONE).date()
        return [
            (change.kind, (change.at.astimezone(ZONE).date() - first).days, change.at.astimezone(ZONE).hour)
            for change in await self.history()
        ]

    async def turn(self, action_id: str, *, done: bool = True) -> None:
        now = await self.now()
        await self.store.run(lambda tx: completing.turn(tx, action_id, done=done, origin="person", at=now))
        await self.handle.signal("look")

    async def now(self) -> datetime:
        """The workflow's own time, from its newest event."""
        events = [event async for event in self.handle.fetch_history_events()]
        return events[-1].event_time.ToDatetime(UTC)

    def day(self, days: int) -> date:
        return self.began.astimezone(ZONE).date() + timedelta(days=days)


@asynccontextmanager
async def followed(tmp_path: Path, *dues: int | None, afterwards: Afterwards | None = None) -> AsyncIterator[Followed]:
    """A resolution that was adopted now, with an action item for each of these days from today on."""
    began = datetime.now(UTC)
    settings = Settings(data_dir=tmp_path / "data", provider="simulated")
    store = await Store.open(None, settings.data_dir)

    async def write(tx: Any) -> None:
        await stores.create_meeting(
            tx, MEETING, created_at=began, started_at=began, completed_at=began, status="completed", ended_by="agenda",
            zone=ZONE.key,
        )  # fmt: skip
        motion = f"MOT-{MEETING}-agenda-1"
        await motions.add(
            tx, id=motion, meeting_id=MEETING, item_id="agenda-1", kind="main", text="RESOLVED, That it be done.",
            mover="dalio", status="adopted", created_at=began,
        )  # fmt: skip
        await papers.add_resolution(
            tx, id=RESOLUTION, meeting_id=MEETING, item_id="agenda-1", motion_id=motion, topic="It", created_at=began
        )
        for n, due in enumerate(dues, 1):
            day = began.astimezone(ZONE).date() + timedelta(days=due) if due is not None else None
            await ledger.add(
                tx, id=f"ACT-0000000{n}", person="shareholder", task=f"Step {n}", owner="shareholder",
                deadline=day.isoformat() if day else None, due=day, reading="date" if day else "none", origin="resolution",
                at=began, meeting_id=MEETING, item_id="agenda-1", position=n,
            )  # fmt: skip

    await store.run(write)
    try:
        async with skipping() as env, worker.running(env.client, store, settings):
            handle = await env.client.start_workflow(
                FOLLOW_UP,
                FollowUpInput(afterwards=afterwards or Afterwards()),
                id=RESOLUTION,
                task_queue=meetings_queue(store.store_id),
            )
            yield Followed(env, store, handle, began)
    finally:
        await store.close()


def kinds(moments: list[tuple[str, int, int]]) -> list[str]:
    return [kind for kind, _, _ in moments]


async def test_it_is_reminded_becomes_stale_comes_back_to_life_and_is_done(tmp_path: Path) -> None:
    async with followed(tmp_path, 45) as one:
        await one.later(15)
        assert await one.moments() == [("reminded", 7, 9), ("reminded", 14, 9)]
        await one.later(20)
        assert await one.moments() == [
            ("reminded", 7, 9), ("reminded", 14, 9), ("reminded", 21, 9), ("reminded", 28, 9), ("stale", 30, 9),
        ]  # fmt: skip
        assert await one.answer("accept") == "accepted"
        await one.later(12)
        assert kinds(await one.moments())[5:] == ["accepted", "action_due", "action_overdue"]
        assert (await one.moments())[-2:] == [("action_due", 45, 9), ("action_overdue", 46, 9)]
        await one.turn("ACT-00000001")
        assert await one.handle.result() == "done"
        assert kinds(await one.moments())[8:] == ["action_done", "done"]


async def test_what_is_deferred_comes_back_on_its_day(tmp_path: Path) -> None:
    async with followed(tmp_path) as one:
        assert await one.answer("defer", until=one.day(20).isoformat()) == "waiting"
        with pytest.raises(WorkflowUpdateFailedError):
            await one.answer("defer", until=one.day(40).isoformat())
        await one.later(19)
        assert kinds(await one.moments()) == ["deferred"]  # nobody is reminded of what was put off
        await one.later(2)
        assert (await one.moments())[1:] == [("returned", 20, 9)]
        assert (await one.store.look(lambda tx: following.tracked(tx, RESOLUTION))).user_response is None
        await one.later(7)
        assert (await one.moments())[2:] == [("reminded", 27, 9)]
        assert await one.answer("reject") == "rejected"
        assert await one.handle.result() == "rejected"


async def test_a_rejected_resolution_drops_what_it_asked_for_and_the_first_answer_stands(tmp_path: Path) -> None:
    async with followed(tmp_path, 10, None) as one:
        assert await one.answer("reject", note="") == "rejected"
        assert await one.handle.result() == "rejected"
        entries = await one.store.look(lambda tx: ledger.entries(tx, "shareholder"))
        assert [entry.status for entry in entries] == ["dropped", "dropped"]
        assert kinds(await one.moments()) == ["rejected"]


async def test_two_answers_at_once_the_first_stands(tmp_path: Path) -> None:
    async with followed(tmp_path, 10) as one:
        await one.later(0.01)
        answers = await asyncio.gather(one.answer("accept"), one.answer("reject"), return_exceptions=True)
        assert sum(isinstance(answer, WorkflowUpdateFailedError) for answer in answers) == 1
        given = [kind for kind in kinds(await one.moments()) if kind in ("accepted", "rejected")]
        assert len(given) == 1


async def test_across_the_change_of_the_clocks_the_hour_is_the_local_one(tmp_path: Path) -> None:
    async with followed(tmp_path, 120, afterwards=Afterwards(hour=6)) as one:
        assert await one.answer("accept") == "accepted"
        await one.later(125)
        moments = await one.moments()
    assert moments[1:] == [("action_due", 120, 6), ("action_overdue", 121, 6)]


async def test_a_resolution_that_is_deleted_is_followed_no_more(tmp_path: Path) -> None:
    async with followed(tmp_path, 10) as one:
        await one.later(1)
        await one.store.run(lambda tx: following.forget(tx, RESOLUTION))
        await one.handle.signal("look")
        assert await one.handle.result() == "deleted"


async def test_one_that_a_later_resolution_replaces_ends(tmp_path: Path) -> None:
    async with followed(tmp_path, 10) as one:
        await one.later(1)
        now = await one.now()

        async def replace(tx: Any) -> None:
            await following.supersede(tx, RESOLUTION, "RES-mtg-00000002-1")
            await following.add_change(
                tx, meeting_id=MEETING, resolution_id=RESOLUTION, kind=ChangeKind.SUPERSEDED, which="RES-mtg-00000002-1",
                origin="RES-mtg-00000002-1", at=now,
            )  # fmt: skip

        await one.store.run(replace)
        await one.handle.signal("look")
        assert await one.handle.result() == "superseded"
