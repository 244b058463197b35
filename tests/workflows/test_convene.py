"""What a Schedule starts, on a real server: whole meetings that nobody asked for, and what is said when they go wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from temporalio.service import RPCError

from clerk import missing, scheduling
from parliament import ids
from parliament.values import ItemType, MeetingStatus
from records import erasing, meetings, schema
from records.convenings import Convening
from records.meetings import MeetingRow
from settings import Settings
from tests.support.convenings import (
    CANARIES,
    CANARY_WORDS,
    DAILY,
    SHORT,
    SUNDAYS,
    begun,
    fired,
    meeting_of,
    row,
    waiting,
    write_goals,
)
from tests.support.meetings import House, house
from tests.support.messages_service import KEY, Behaviour, served
from workflows.messages import ConveneOutcome


@pytest.fixture
def context(tmp_path: Path) -> Path:
    return write_goals(tmp_path / "context", *CANARIES)


@pytest.fixture
async def board(server: str, tmp_path: Path, context: Path) -> AsyncIterator[House]:
    """A house that stays, with simulated voices."""
    async with house(server, tmp_path / "data", schedules=True, context_dir=context) as found:
        yield found


@pytest.fixture
def messages() -> Iterator[tuple[str, Behaviour]]:
    with served() as found:
        yield found


def of_service(url: str, **more: Any) -> dict[str, Any]:
    return {
        "provider": "anthropic", "designated_dissenter": False, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url, **more,
    }  # fmt: skip


async def set_drift(board: House) -> None:
    await scheduling.set_schedule(board.client, board.store, board.settings, "drift", DAILY, replace=True)


async def convened(board: House, kind: scheduling.ScheduleKind = "drift") -> tuple[ConveneOutcome, Convening]:
    """Trigger the schedule and wait for its convener's end; what it says, and what stands on the record."""
    handle = await fired(board, kind)
    said = await asyncio.wait_for(handle.result(), 90)
    return said, await row(board, handle.id)


async def all_meetings(board: House) -> list[MeetingRow]:
    async with board.store.read() as tx:
        return await meetings.listing(tx)


async def only_meeting(board: House) -> MeetingRow:
    (meeting,) = await all_meetings(board)
    return meeting


async def notice(board: House, place: str) -> bool:
    """Whether a notice of that moment is on its way or was sent."""
    try:
        await board.client.get_workflow_handle(f"notice-{place}").describe()
    except RPCError:
        return False
    return True


# -- every week --------------------------------------------------------------------------------------------------------


async def test_a_weekly_meeting_is_drafted_approved_and_held_without_anybody(board: House) -> None:
    await scheduling.set_schedule(board.client, board.store, board.settings, "weekly", SUNDAYS)
    said, kept = await convened(board, "weekly")
    assert (said.outcome, kept.outcome, kept.why) == ("completed", "completed", "")
    record = await board.record(said.meeting or "")
    assert record.status is MeetingStatus.COMPLETED
    assert 3 <= len(record.items) <= 5, "what the chairman drafts (source 000)"
    assert any(word in item.topic for word in CANARY_WORDS for item in record.items), "from the context folder"
    assert len(record.members) == 5, "the scheduled path seats five (source 000)"
    meeting = await only_meeting(board)
    assert meeting.id == said.meeting == ids.meeting_id(kept.id)
    assert (meeting.schedule_id, meeting.planned_for) == (kept.schedule_id, kept.planned_for)
    assert meeting.name.startswith("Board meeting of ")
    assert all(canary in meeting.board_book for canary in CANARIES)


async def test_its_meetings_are_called_as_the_schedule_says(board: House) -> None:
    await scheduling.set_schedule(board.client, board.store, board.settings, "weekly", SUNDAYS, name="My Sundays")
    handle = await fired(board, "weekly")
    assert (await meeting_of(board, handle.id)).name == "My Sundays"
    await asyncio.wait_for(handle.result(), 90)


# -- goals that drift --------------------------------------------------------------------------------------------------


async def test_goals_off_track_convene_the_board_on_exactly_these(board: House) -> None:
    await set_drift(board)
    said, kept = await convened(board)
    assert (said.outcome, kept.outcome, kept.why) == ("completed", "completed", "")
    record = await board.record(said.meeting or "")
    assert record.status is MeetingStatus.COMPLETED
    assert {item.topic for item in record.items} == {f"Goal off track: {title}" for title in CANARIES}
    assert {item.type for item in record.items} == {ItemType.DECISION}
    assert all("off track" in item.description for item in record.items)
    assert len(record.members) == 5, "the scheduled path seats five (source 000)"
    assert record.resolutions
    meeting = await only_meeting(board)
    assert meeting.id == said.meeting == kept.meeting_id == ids.meeting_id(kept.id)
    assert (meeting.schedule_id, meeting.planned_for) == (kept.schedule_id, kept.planned_for)
    assert kept.ended_at is not None
    assert all(canary in meeting.board_book for canary in CANARIES), "the board has read its book"


@pytest.mark.parametrize("kind", scheduling.KINDS)
async def test_law_15_titles_of_goals_stand_nowhere_in_temporal(
    board: House, caplog: pytest.LogCaptureFixture, kind: scheduling.ScheduleKind
) -> None:
    await scheduling.set_schedule(board.client, board.store, board.settings, kind, DAILY)
    handle = await fired(board, kind)
    said = await asyncio.wait_for(handle.result(), 90)
    assert said.outcome == "completed"
    record = await board.record(said.meeting or "")
    assert any(word in item.topic for word in CANARY_WORDS for item in record.items), "the meeting was about them"
    raw = b""
    async for found in board.client.list_workflows():
        if found.id not in (handle.id, said.meeting) and store_of(board) not in found.id:
            continue
        raw += found.raw_info.SerializeToString()
        history = await board.client.get_workflow_handle(found.id, run_id=found.run_id).fetch_history()
        raw += b"".join(event.SerializeToString() for event in history.events)
    view = await board.client.get_schedule_handle(scheduling.schedule_id(board.store, kind)).describe()
    raw += view.raw_description.SerializeToString()
    assert handle.id.encode() in raw
    assert (said.meeting or "-").encode() in raw
    for word in CANARY_WORDS:
        assert word.encode() not in raw, word
        assert word not in caplog.text


def store_of(board: House) -> str:
    return board.store.store_id


async def test_too_few_goals_off_track_are_no_cause_to_meet(board: House, context: Path) -> None:
    write_goals(context, CANARIES[0], on_track=3)
    await set_drift(board)
    said, kept = await convened(board)
    assert (said.outcome, said.meeting, kept.outcome) == ("nothing_to_do", None, "nothing_to_do")
    assert kept.why == "1 of 4 goals off track; the board is convened at 2"
    assert await all_meetings(board) == []


async def test_the_same_goals_are_met_about_once_a_week_and_others_at_once(board: House, context: Path) -> None:
    await set_drift(board)
    first, kept = await convened(board)
    again, why = await convened(board)
    assert (first.outcome, again.outcome) == ("completed", "nothing_to_do")
    assert why.why == "the board met about these 2 goals less than 7 days ago"
    write_goals(context, *CANARIES, "A third goal")
    others, _ = await convened(board)
    assert others.outcome == "completed"
    write_goals(context, *CANARIES)
    assert (await convened(board))[0].outcome == "nothing_to_do"
    async with board.store.write() as tx:
        before = kept.planned_for - timedelta(days=7, minutes=1)
        await tx.execute(update(schema.convenings).where(schema.convenings.c.id == kept.id).values(planned_for=before))
    later, _ = await convened(board)
    assert later.outcome == "completed", "a week later"


async def test_a_meeting_about_goals_that_failed_is_tried_again(board: House) -> None:
    await set_drift(board)
    _, kept = await convened(board)
    async with board.store.write() as tx:
        await tx.execute(update(schema.convenings).where(schema.convenings.c.id == kept.id).values(outcome="failed"))
    assert (await convened(board))[0].outcome == "completed"


async def test_a_context_folder_that_is_gone_is_a_failure_and_told_once(
    server: str, tmp_path: Path, context: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(server, tmp_path / "data", schedules=True, context_dir=context) as board:
        monkeypatch.setattr(Settings, "has_notices", property(lambda _: True))
        await set_drift(board)
        context.rename(tmp_path / "elsewhere")
        said, kept = await convened(board)
        assert (said.outcome, kept.outcome) == ("failed", "failed")
        assert "context folder" in kept.why
        place = f"{kept.id}/convening_failed/{kept.planned_for:%Y-%m-%dT%H:%MZ}"
        assert await board.until(lambda: notice(board, place), "the notice")
        assert await all_meetings(board) == []


# -- overlap, limit, failure -------------------------------------------------------------------------------------------


async def test_it_does_not_fire_while_the_last_meeting_still_runs(
    server: str, tmp_path: Path, context: Path, messages: tuple[str, Behaviour]
) -> None:
    url, behaviour = messages
    behaviour.faults.append({"match": "/discussion/", "fault": "hold"})
    behaviour.held = asyncio.Event()
    async with house(server, tmp_path / "data", schedules=True, context_dir=context, **of_service(url)) as board:
        await set_drift(board)
        first = await fired(board, "drift")
        await board.until(lambda: _holding(behaviour), "a call is held")
        schedule = board.client.get_schedule_handle(scheduling.schedule_id(board.store, "drift"))
        await schedule.trigger()  # not by the desk, which would refuse it

        async def skipped() -> int:
            return (await schedule.describe()).info.num_actions_skipped_overlap

        assert await board.until(skipped, "the second firing is skipped") == 1
        assert (await schedule.describe()).info.num_actions == 1
        behaviour.faults.clear()
        behaviour.held.set()
        assert (await asyncio.wait_for(first.result(), 60)).outcome == "completed"
        assert len(await all_meetings(board)) == 1
        assert (await fired(board, "drift")).id != first.id, "and it fires again afterwards"


async def _holding(behaviour: Behaviour) -> bool:
    return bool(behaviour.holding)


async def test_a_meeting_over_the_limit_is_told_as_a_timeout_and_goes_on_by_itself(
    server: str, tmp_path: Path, context: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "has_notices", property(lambda _: True))
    async with house(server, tmp_path / "data", schedules=True, rules=SHORT, context_dir=context) as board:
        await set_drift(board)
        convener = await fired(board, "drift")
        meeting = await meeting_of(board, convener.id)
        held = board.client.get_workflow_handle(meeting.id)
        await begun(board, meeting.id)
        await held.signal("pause")
        said = await asyncio.wait_for(convener.result(), 60)
        kept = await row(board, convener.id)
        assert (said.outcome, kept.outcome, said.meeting) == ("timeout", "timeout", meeting.id)
        assert "goes on by itself" in kept.why
        assert (await board.record(meeting.id)).status is MeetingStatus.PAUSED
        place = f"{meeting.id}/convening_timeout/{kept.planned_for:%Y-%m-%dT%H:%MZ}"
        assert await board.until(lambda: notice(board, place), "the notice")
        await held.signal("resume")
        await asyncio.wait_for(held.result(), 60)
        assert (await board.record(meeting.id)).status is MeetingStatus.COMPLETED
        assert (await row(board, convener.id)).outcome == "timeout", "the first end stands"


async def test_a_meeting_that_halts_has_failed(
    server: str, tmp_path: Path, context: Path, messages: tuple[str, Behaviour]
) -> None:
    url, behaviour = messages
    behaviour.faults.append({"match": "/discussion/", "fault": "401"})
    async with house(server, tmp_path / "data", schedules=True, rules=SHORT, context_dir=context, **of_service(url)) as board:
        await set_drift(board)
        said, kept = await convened(board)
        assert (said.outcome, kept.outcome) == ("failed", "failed")
        async with board.store.read() as tx:
            meeting = await meetings.get(tx, said.meeting or "")
        assert meeting.status is MeetingStatus.FAILED
        assert kept.why == meeting.error
        behaviour.faults.clear()
        held = board.client.get_workflow_handle(meeting.id)
        await held.signal("resume")
        await asyncio.wait_for(held.result(), 60)
        assert (await board.record(meeting.id)).status is MeetingStatus.COMPLETED, "it waited to be resumed"


async def test_a_meeting_that_is_ended_from_outside_has_failed(
    server: str, tmp_path: Path, context: Path, messages: tuple[str, Behaviour]
) -> None:
    url, behaviour = messages
    behaviour.faults.append({"match": "/discussion/", "fault": "hang", "seconds": 20})
    async with house(server, tmp_path / "data", schedules=True, context_dir=context, **of_service(url)) as board:
        convener = await fired(board, "drift")
        meeting = await meeting_of(board, convener.id)
        await begun(board, meeting.id)
        await board.client.get_workflow_handle(meeting.id).terminate()
        said = await asyncio.wait_for(convener.result(), 30)
        assert (said.outcome, (await row(board, convener.id)).why) == ("failed", "it was ended from outside")


async def test_a_meeting_that_is_deleted_leaves_a_convening_without_one(
    server: str, tmp_path: Path, context: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "has_notices", property(lambda _: True))
    async with house(server, tmp_path / "data", schedules=True, rules=SHORT, context_dir=context) as board:
        convener = await fired(board, "drift")
        meeting = await meeting_of(board, convener.id)
        await begun(board, meeting.id)
        await board.client.get_workflow_handle(meeting.id).signal("pause")
        async with board.store.write() as tx:
            await erasing.meeting(tx, meeting.id)
        said = await asyncio.wait_for(convener.result(), 30)
        kept = await row(board, convener.id)
        assert (said.outcome, kept.meeting_id, kept.why) == ("failed", None, "the meeting was deleted")
        place = f"{kept.id}/convening_failed/{kept.planned_for:%Y-%m-%dT%H:%MZ}"
        assert await board.until(lambda: notice(board, place), "the notice")


async def test_what_a_person_must_mend_is_not_tried_again_and_said_in_one_sentence(
    server: str, tmp_path: Path, context: Path
) -> None:
    async with house(
        server, tmp_path / "data", schedules=True, context_dir=context, personas_dir=tmp_path / "no-personas"
    ) as board:
        await set_drift(board)
        said, kept = await asyncio.wait_for(convened(board), 20)
        assert (said.outcome, said.meeting) == ("failed", None)
        assert "no-personas" in kept.why
        assert kept.why.endswith(".")


async def test_a_provider_that_does_not_answer_yet_is_tried_again(
    server: str, tmp_path: Path, context: Path, messages: tuple[str, Behaviour], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that has just woken up may have no network for a while."""
    from clerk import opening
    from clerk.errors import DeskError

    asked = []
    check = opening.check_provider

    async def at_the_third_time(settings: Settings, plan: opening.Plan) -> bool:
        asked.append(1)
        if len(asked) < 3:
            raise DeskError("The service cannot be reached: check the network.")
        return await check(settings, plan)

    monkeypatch.setattr(opening, "check_provider", at_the_third_time)
    async with house(server, tmp_path / "data", schedules=True, context_dir=context) as board:
        await set_drift(board)
        said, _ = await convened(board)
        assert said.outcome == "completed"
        assert len(asked) == 3
        assert len(await all_meetings(board)) == 1


# -- who holds it ------------------------------------------------------------------------------------------------------


async def test_a_passing_meeting_does_not_poll_what_schedules_start(server: str, tmp_path: Path, context: Path) -> None:
    async with house(server, tmp_path / "data", context_dir=context) as passing:
        await set_drift(passing)
        convener = await fired(passing, "drift")
        await passing.hold("Should I walk more?")
        assert not await scheduling.polled(passing.client, passing.store)
        kinds = [event.event_type for event in (await convener.fetch_history()).events]
        assert len(kinds) == 2, "started and scheduled, and nobody took it"
    async with house(server, tmp_path / "data", schedules=True, context_dir=context) as staying:
        assert (await asyncio.wait_for(convener.result(), 90)).outcome == "completed"
        assert await scheduling.polled(staying.client, staying.store)
        assert len(await all_meetings(staying)) == 2


async def test_two_that_stay_hold_one_meeting(server: str, tmp_path: Path, context: Path) -> None:
    async with (
        house(server, tmp_path / "data", schedules=True, context_dir=context) as board,
        house(server, tmp_path / "data", schedules=True, context_dir=context),
    ):
        await set_drift(board)
        assert (await convened(board))[0].outcome == "completed"
        assert len(await all_meetings(board)) == 1


# -- what was missed ---------------------------------------------------------------------------------------------------


async def test_a_convener_that_is_too_late_holds_nothing(
    server: str, tmp_path: Path, context: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "has_notices", property(lambda _: True))
    async with house(server, tmp_path / "data", context_dir=context) as passing:
        handle = await waiting(passing, catchup=1.0)
        await asyncio.sleep(1.2)
    async with house(server, tmp_path / "data", schedules=True, context_dir=context) as board:
        said = await asyncio.wait_for(handle.result(), 30)
        kept = await row(board, handle.id)
        assert (said.outcome, kept.outcome) == ("missed", "missed")
        assert "nothing was running" in kept.why
        assert await all_meetings(board) == []
        place = f"{handle.id}/meeting_missed/{kept.planned_for:%Y-%m-%dT%H:%MZ}"
        assert await board.until(lambda: notice(board, place), "the notice")


async def test_a_convener_that_was_ended_from_outside_does_not_run_for_ever(board: House) -> None:
    await set_drift(board)
    handle = await fired(board, "drift")
    await meeting_of(board, handle.id)
    await handle.terminate()
    assert (await row(board, handle.id)).outcome == "running"
    await missing.look(board.client, board.store, board.settings)
    kept = await row(board, handle.id)
    assert (kept.outcome, kept.why) == ("failed", "its convener was ended before the meeting was over")
    assert kept.ended_at is not None and kept.ended_at <= datetime.now(UTC)
