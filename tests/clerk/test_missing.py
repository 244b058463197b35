"""Meetings that nobody was there to hold: found by the server's own list of times, on the record and told once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from temporalio.client import (
    Client,
    ScheduleIntervalSpec,
    ScheduleSpec,
    ScheduleUpdate,
    ScheduleUpdateInput,
)

from clerk import missing, scheduling
from clerk.timetable import Timetable
from records import convenings
from records.engine import Store
from settings import Settings
from tests.support.crashing import Server
from tests.support.meetings import connect

CATCHUP = 10.0
"""Seconds; the shortest that a Temporal server takes."""
SUNDAYS = Timetable((0,), time(6, 0), "America/Los_Angeles")


@pytest.fixture
def settings(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(Settings, "has_notices", property(lambda _: True))
    return settings.model_copy(update={"schedule_catchup": CATCHUP})


@pytest.fixture
async def client(server: str) -> Client:
    return await connect(server)


@pytest.fixture
async def mortal(tmp_path: Path) -> AsyncIterator[Server]:
    """A server on a file, which can be killed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found = Server(tmp_path / "temporal.db", probe.getsockname()[1])
    found.start()
    yield found
    found.kill()


async def fires(client: Client, schedule: str, every: float, first: float) -> datetime:
    """Have the schedule fire every so many seconds, the first time in so many; when that is."""
    begin = datetime.now(UTC) + timedelta(seconds=first)
    begin = begin.replace(microsecond=0) + timedelta(seconds=1)
    offset = timedelta(seconds=begin.timestamp() % every)

    def changed(found: ScheduleUpdateInput) -> ScheduleUpdate:
        schedule = found.description.schedule
        schedule.spec = ScheduleSpec(intervals=[ScheduleIntervalSpec(every=timedelta(seconds=every), offset=offset)])
        return ScheduleUpdate(schedule=schedule)

    handle = client.get_schedule_handle(schedule)
    await handle.update(changed)
    while (await handle.describe()).info.last_updated_at is None:  # the server takes a change up a moment later
        await asyncio.sleep(0.02)
    assert datetime.now(UTC) < begin
    return begin


async def until(moment: datetime) -> None:
    await asyncio.sleep(max(0.0, (moment - datetime.now(UTC)).total_seconds()))


async def rows(store: Store, schedule: str) -> list[tuple[datetime, str]]:
    async with store.read() as tx:
        return [
            (row.planned_for, row.outcome) for row in await convenings.since(tx, schedule, datetime(2020, 1, 1, tzinfo=UTC))
        ]


async def notices(client: Client, store: Store) -> list[str]:
    query = f'WorkflowType = "Notice" AND TaskQueue = "boardroom-{store.store_id}"'
    return [found.id async for found in client.list_workflows(query)]


async def test_a_time_at_which_no_server_ran_is_on_the_record_and_told_once(
    mortal: Server, store: Store, settings: Settings
) -> None:
    client = await connect(mortal.address)
    id_ = (await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)).schedule_id
    planned = await fires(client, id_, every=60, first=3)
    mortal.kill()
    await until(planned + timedelta(seconds=CATCHUP + 2))
    mortal.start()
    client = await connect(mortal.address)
    found: list[datetime] = []
    end = datetime.now(UTC) + timedelta(seconds=20)
    while not found and datetime.now(UTC) < end:  # as `watch` does: the server reckons a little later
        found = await missing.look(client, store, settings)
        await asyncio.sleep(0.2)
    assert found == [planned]
    assert await rows(store, id_) == [(planned, "missed")]
    assert await missing.look(client, store, settings) == []
    assert await rows(store, id_) == [(planned, "missed")]
    (notice,) = await notices(client, store)
    assert notice == f"notice-{id_}/meeting_missed/{planned:%Y-%m-%dT%H:%MZ}"
    view = await scheduling.view(client, store, "weekly")
    assert view.missed == 1
    assert "nothing was running" in view.convenings[0].why


async def test_times_at_which_no_worker_ran_are_missed_but_not_those_that_a_meeting_took_up(
    client: Client, store: Store, settings: Settings
) -> None:
    id_ = (await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)).schedule_id
    first = await fires(client, id_, every=4, first=1)
    second, third = (first + timedelta(seconds=4 * n) for n in (1, 2))
    # The first starts a convener that nobody takes; the others find it open and are skipped.
    await until(second + timedelta(seconds=CATCHUP + 1))
    info = (await client.get_schedule_handle(id_).describe()).info
    convener = info.recent_actions[0].action.workflow_id
    assert info.num_actions_skipped_overlap >= 2

    async with store.write() as tx:  # as if its meeting was being held all the time
        await convenings.begin(tx, id=convener, schedule_id=id_, planned_for=first, now=first)
    assert await missing.look(client, store, settings, now=second + timedelta(seconds=CATCHUP)) == []

    async with store.write() as tx:
        await convenings.end(tx, convener, outcome="completed", now=second - timedelta(seconds=1))
    found = await missing.look(client, store, settings, now=second + timedelta(seconds=CATCHUP))
    assert found == [second], "not the first, whose convener may still come; not the third, which may still be caught up"
    found = await missing.look(client, store, settings, now=third + timedelta(seconds=CATCHUP))
    assert found == [third]
    told = {f"notice-{id_}/meeting_missed/{moment:%Y-%m-%dT%H:%MZ}" for moment in (second, third)}
    assert set(await notices(client, store)) == told
    assert await rows(store, id_) == [(first, "completed"), (second, "missed"), (third, "missed")]

    # What lies before a pause's end is settled.
    await scheduling.pause(client, store, "weekly")
    assert await missing.look(client, store, settings, now=third + timedelta(hours=1)) == []
    await scheduling.resume(client, store, "weekly")
    assert await missing.look(client, store, settings) == []
    await scheduling.delete(client, store, "weekly")


async def test_several_missed_at_once_are_told_in_one_notice(client: Client, store: Store, settings: Settings) -> None:
    id_ = (await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)).schedule_id
    first = await fires(client, id_, every=2, first=1)
    await until(first + timedelta(seconds=CATCHUP + 9))
    found = await missing.look(client, store, settings)
    await scheduling.delete(client, store, "weekly")
    assert len(found) >= 3
    assert first not in found
    assert [outcome for _, outcome in await rows(store, id_)] == ["missed"] * len(found)
    (notice,) = await notices(client, store)
    assert notice.endswith(f"/{found[-1]:%Y-%m-%dT%H:%MZ}")


async def test_a_look_that_died_before_the_record_tells_nothing_twice(
    client: Client, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = (await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)).schedule_id
    first = await fires(client, id_, every=3, first=1)
    await until(first + timedelta(seconds=CATCHUP + 4))
    now = first + timedelta(seconds=CATCHUP + 3)

    async def dies(*_: object, **__: object) -> bool:
        raise ConnectionError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(convenings, "missed", dies)
        with pytest.raises(ConnectionError):
            await missing.look(client, store, settings, now=now)
    assert await rows(store, id_) == []
    assert len(await notices(client, store)) == 1
    assert len(await missing.look(client, store, settings, now=now)) == 1
    assert len(await notices(client, store)) == 1
    await scheduling.delete(client, store, "weekly")


async def test_nothing_is_missed_where_nothing_is_set_or_nothing_came_due(
    client: Client, store: Store, settings: Settings
) -> None:
    assert await missing.look(client, store, settings) == []
    id_ = (await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)).schedule_id
    year = datetime.now(UTC) + timedelta(days=365)
    assert await missing.look(client, store, settings, now=year) == [], "the server itself counts nothing as missed"
    assert await rows(store, id_) == []


async def test_the_watch_goes_on_whatever_happens(
    client: Client, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    looks = []

    async def look(*_: object) -> list[datetime]:
        looks.append(1)
        raise RuntimeError("words of somebody")

    monkeypatch.setattr(missing, "LOOKS", (0.0, 0.0))
    monkeypatch.setattr(missing, "EVERY", 0.01)
    monkeypatch.setattr(missing, "look", look)
    watching = asyncio.create_task(missing.watch(client, store, settings))
    await asyncio.sleep(0.2)
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    assert len(looks) > 3
    assert "RuntimeError" in caplog.text
    assert "somebody" not in caplog.text
