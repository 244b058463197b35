"""Schedules on a real server: when they fire, by the server's own reckoning, and what can be done with them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from temporalio.api.workflowservice.v1 import ListScheduleMatchingTimesRequest
from temporalio.client import Client, ScheduleOverlapPolicy

import stack
from clerk import scheduling
from clerk.errors import DeskError, Kind
from clerk.timetable import Timetable, timetable
from records import convenings
from records.engine import Store
from settings import Settings
from tests.support.meetings import connect
from workflows.messages import schedule_queue

ANGELES = ZoneInfo("America/Los_Angeles")
SUNDAYS = Timetable((0,), time(6, 0), "America/Los_Angeles")


@pytest.fixture
async def client(server: str) -> Client:
    return await connect(server)


async def firings(client: Client, schedule: str, start: datetime, end: datetime) -> list[datetime]:
    """The firings that the server itself lists."""
    first, last = Timestamp(), Timestamp()
    first.FromDatetime(start)
    last.FromDatetime(end)
    found = await client.workflow_service.list_schedule_matching_times(
        ListScheduleMatchingTimesRequest(namespace=client.namespace, schedule_id=schedule, start_time=first, end_time=last)
    )
    return [moment.ToDatetime().replace(tzinfo=UTC) for moment in found.start_time]


async def test_it_fires_at_six_local_time_on_each_of_the_next_104_sundays(
    client: Client, store: Store, settings: Settings
) -> None:
    view = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    now = datetime.now(UTC)
    found = await firings(client, view.schedule_id, now, now + timedelta(weeks=104))
    local = [moment.astimezone(ANGELES) for moment in found]
    first = local[0].date()
    assert [moment.date() for moment in local] == [first + timedelta(weeks=n) for n in range(104)]
    assert {(moment.isoweekday(), moment.timetz().replace(tzinfo=None)) for moment in local} == {(7, time(6, 0))}
    offsets = [moment.utcoffset() for moment in local]
    changes = sum(one != other for one, other in pairwise(offsets))
    assert changes == 4, "four changes of the clocks lie in two years"
    assert {moment.hour for moment in found} == {13, 14}
    assert view.next == tuple(found[: len(view.next)])


@pytest.mark.parametrize("zone", ["Europe/Lisbon", "Asia/Kolkata", "Australia/Lord_Howe"])
async def test_the_server_and_the_timetable_agree_in_other_zones(
    client: Client, store: Store, settings: Settings, zone: str
) -> None:
    table = timetable("wed,sun", "23:45", zone, today=datetime.now(UTC).date())
    view = await scheduling.set_schedule(client, store, settings, "weekly", table)
    assert view.timetable == table
    now = datetime.now(UTC)
    local = [m.astimezone(ZoneInfo(zone)) for m in await firings(client, view.schedule_id, now, now + timedelta(weeks=52))]
    assert len({moment.date() for moment in local}) == len(local) >= 104
    assert {(m.isoweekday() % 7, m.hour, m.minute, m.second) for m in local} == {(0, 23, 45, 0), (3, 23, 45, 0)}


async def test_what_the_server_is_told_holds_to_its_rules(client: Client, store: Store, settings: Settings) -> None:
    settings = settings.model_copy(update={"schedule_catchup": 7200.0})
    view = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS, name="Back pain, every week")
    described = await client.get_schedule_handle(view.schedule_id).describe()
    assert described.schedule.policy.overlap is ScheduleOverlapPolicy.SKIP
    assert described.schedule.policy.catchup_window == timedelta(hours=2)
    assert described.schedule.action.task_queue == schedule_queue(store.store_id)
    assert store.store_id in view.schedule_id
    assert store.store_id in described.schedule.action.id
    assert view.name == "Back pain, every week"
    raw = described.raw_description.SerializeToString()
    assert b"pain" not in raw, "law 15: a name is the person's text, and stands in the store alone"


async def test_one_that_is_there_is_replaced_only_when_that_is_said(client: Client, store: Store, settings: Settings) -> None:
    await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS, name="First")
    other = Timetable((3,), time(7, 30), "Europe/Lisbon")
    with pytest.raises(DeskError, match=r"every Sunday at 06:00 .*--replace") as told:
        await scheduling.set_schedule(client, store, settings, "weekly", other)
    assert told.value.usage
    assert (await scheduling.view(client, store, "weekly")).timetable == SUNDAYS
    await scheduling.pause(client, store, "weekly")
    found = await scheduling.set_schedule(client, store, settings, "weekly", other, replace=True)
    assert (found.timetable, found.paused, found.name) == (other, True, None)
    assert (await scheduling.resume(client, store, "weekly")).next[0].astimezone(ZoneInfo("Europe/Lisbon")).hour == 7


async def test_what_is_not_there_is_said_to_be_unknown(client: Client, store: Store) -> None:
    assert await scheduling.views(client, store) == []
    for change in (scheduling.view, scheduling.pause, scheduling.resume, scheduling.trigger, scheduling.delete):
        with pytest.raises(DeskError, match="no weekly schedule: `boardroom schedule set --weekly") as told:
            await change(client, store, "weekly")
        assert told.value.kind is Kind.UNKNOWN
    with pytest.raises(DeskError, match="There is no schedule"):
        await scheduling.only(client, store)


async def test_two_schedules_are_told_apart(client: Client, store: Store, settings: Settings, tmp_path: Path) -> None:
    await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    assert await scheduling.only(client, store) == "weekly"
    with pytest.raises(DeskError, match="BOARDROOM_CONTEXT_DIR"):
        await scheduling.set_schedule(client, store, settings, "drift", SUNDAYS)
    (tmp_path / "context").mkdir()
    settings = settings.model_copy(update={"context_dir": tmp_path / "context"})
    daily = timetable("daily", "07:00", "UTC", today=datetime.now(UTC).date())
    await scheduling.set_schedule(client, store, settings, "drift", daily)
    with pytest.raises(DeskError, match="weekly or drift") as told:
        await scheduling.only(client, store)
    assert told.value.usage
    assert [view.kind for view in await scheduling.views(client, store)] == ["weekly", "drift"]
    await scheduling.delete(client, store, "weekly")
    assert await scheduling.only(client, store) == "drift"


async def test_two_stores_on_one_server_have_schedules_of_their_own(
    client: Client, store: Store, settings: Settings, tmp_path: Path
) -> None:
    await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    other = await Store.open(None, tmp_path / "other")
    try:
        assert await scheduling.views(client, other) == []
        await scheduling.set_schedule(client, other, settings, "weekly", SUNDAYS)
    finally:
        await other.close()


async def test_pausing_and_resuming(client: Client, store: Store, settings: Settings) -> None:
    await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    with pytest.raises(DeskError, match="not paused") as told:
        await scheduling.resume(client, store, "weekly")
    assert told.value.kind is Kind.REFUSED
    paused = await scheduling.pause(client, store, "weekly")
    assert paused.paused
    assert paused.next == ()
    assert paused.note.startswith("paused 2")
    with pytest.raises(DeskError, match="paused already"):
        await scheduling.pause(client, store, "weekly")
    resumed = await scheduling.resume(client, store, "weekly")
    assert not resumed.paused
    assert resumed.next
    assert resumed.note.startswith("resumed 2")


async def test_a_paused_schedule_does_not_fire(client: Client, store: Store, settings: Settings) -> None:
    """On a spec of seconds, so that it would have fired many times."""
    view = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    await scheduling.pause(client, store, "weekly")
    await every_second(client, view.schedule_id)
    await asyncio.sleep(2.5)
    info = (await client.get_schedule_handle(view.schedule_id).describe()).info
    assert (info.num_actions, info.num_actions_skipped_overlap) == (0, 0)
    await scheduling.resume(client, store, "weekly")
    await asyncio.sleep(2.5)
    info = (await client.get_schedule_handle(view.schedule_id).describe()).info
    assert info.num_actions == 1, "the same schedule fires when it is not paused"
    assert info.num_actions_skipped_overlap >= 1, "and not while the convener waits"


async def every_second(client: Client, schedule: str) -> None:
    from temporalio.client import ScheduleCalendarSpec, ScheduleRange, ScheduleSpec, ScheduleUpdate, ScheduleUpdateInput

    def quicker(found: ScheduleUpdateInput) -> ScheduleUpdate:
        changed = found.description.schedule
        always = [ScheduleRange(0, 59)]
        changed.spec = ScheduleSpec(calendars=[ScheduleCalendarSpec(second=always, minute=always, hour=[ScheduleRange(0, 23)])])
        return ScheduleUpdate(schedule=changed)

    await client.get_schedule_handle(schedule).update(quicker)


async def test_a_schedule_that_was_changed_elsewhere_is_shown_and_not_misread(
    client: Client, store: Store, settings: Settings
) -> None:
    view = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    await every_second(client, view.schedule_id)
    found = await scheduling.view(client, store, "weekly")
    assert found.timetable is None
    assert found.words == "at times that were set elsewhere"


async def test_triggered_twice_it_convenes_once(client: Client, store: Store, settings: Settings) -> None:
    await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    convener = await scheduling.trigger(client, store, "weekly")
    assert convener.startswith(f"convene-{store.store_id}-weekly-")
    with pytest.raises(DeskError, match="still runs") as told:
        await scheduling.trigger(client, store, "weekly")
    assert told.value.kind is Kind.REFUSED
    info = (await client.get_schedule_handle(scheduling.schedule_id(store, "weekly")).describe()).info
    assert info.num_actions == 1
    await client.get_workflow_handle(convener).terminate()
    assert (await scheduling.view(client, store, "weekly")).running is None
    assert await scheduling.trigger(client, store, "weekly") != convener


async def test_nobody_is_there(client: Client, store: Store) -> None:
    assert not await scheduling.polled(client, store)


async def test_a_server_that_is_gone_is_said_to_be_away(store: Store, settings: Settings) -> None:
    lazy = await Client.connect("127.0.0.1:1", lazy=True, data_converter=stack.data_converter)
    for call in (scheduling.set_schedule(lazy, store, settings, "weekly", SUNDAYS), scheduling.views(lazy, store)):
        with pytest.raises(DeskError, match="does not answer") as told:
            await call
        assert told.value.kind is Kind.AWAY


async def test_deleting_leaves_what_it_did_on_the_record(client: Client, store: Store, settings: Settings) -> None:
    view = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS, name="Sunday")
    now = datetime.now(UTC)
    async with store.write() as tx:
        await convenings.begin(tx, id="c1", schedule_id=view.schedule_id, planned_for=now, now=now)
        await convenings.end(tx, "c1", outcome="completed", now=now)
    await scheduling.delete(client, store, "weekly")
    async with store.read() as tx:
        assert [row.outcome for row in await convenings.listing(tx, view.schedule_id)] == ["completed"]
        assert await convenings.meetings_called(tx, view.schedule_id) is None
    again = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS)
    assert again.name is None
    assert [row.id for row in again.convenings] == ["c1"]


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "x" * 201])
async def test_names_that_are_none(client: Client, store: Store, settings: Settings, name: str) -> None:
    with pytest.raises(DeskError, match="name of the meetings") as told:
        await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS, name=name)
    assert told.value.usage
    assert await scheduling.views(client, store) == []


async def test_forgetting_takes_every_schedule_away_with_all_that_is_kept_of_them(
    client: Client, store: Store, settings: Settings
) -> None:
    await scheduling.forget(client, store)
    view = await scheduling.set_schedule(client, store, settings, "weekly", SUNDAYS, name="Sunday")
    async with store.write() as tx:
        await convenings.begin(tx, id="c1", schedule_id=view.schedule_id, planned_for=view.next[0], now=view.next[0])
    await scheduling.forget(client, store)
    assert await scheduling.views(client, store) == []
    async with store.read() as tx:
        assert await convenings.listing(tx) == []
        assert await convenings.meetings_called(tx, view.schedule_id) is None
