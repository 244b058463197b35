"""Before the meeting, on a real server: created, changed, approved, started, each refusal with its reason, and the timers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clerk import preparing, running
from clerk.errors import DeskError, Kind
from clerk.preparing import CreateRequest
from parliament.agenda_changes import Add, Remove, SetMinutes
from parliament.values import EndedBy, MeetingStatus
from records import meetings
from tests.support.meetings import House, agenda, house
from workflows.messages import MeetingOutcome


@pytest.fixture
async def board(server: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(server, tmp_path) as found:
        yield found


async def created(board: House, *topics: str, **fields: Any) -> str:
    settings = board.settings.model_copy(update=fields.pop("settings", {}))
    request = CreateRequest(agenda=agenda(*topics) if topics else None, provider="simulated", seed=7, **fields)
    return await preparing.create(board.client, board.store, settings, request)


async def status(board: House, meeting_id: str) -> MeetingStatus:
    async with board.store.read() as tx:
        return (await meetings.get(tx, meeting_id)).status


async def outcome(board: House, meeting_id: str) -> MeetingOutcome:
    handle = board.client.get_workflow_handle(meeting_id, result_type=MeetingOutcome)
    return await asyncio.wait_for(handle.result(), 60)


async def refused(call: Any, *words: str) -> DeskError:
    with pytest.raises(DeskError) as caught:
        await call
    assert caught.value.kind is Kind.REFUSED, caught.value.message
    for word in words:
        assert word in caught.value.message
    return caught.value


async def test_an_approved_agenda_becomes_a_meeting_under_the_same_id(board: House) -> None:
    meeting = await created(board, "Should I walk more?")
    assert await status(board, meeting) is MeetingStatus.AGENDA_DRAFT
    view = await preparing.approve(board.client, board.store, meeting)
    assert (view.status, view.agenda.status) == (MeetingStatus.PREPARED, "approved")
    await preparing.start(board.client, board.store, board.settings, meeting)
    found = await outcome(board, meeting)
    assert (found.status, found.ended_by) == (MeetingStatus.COMPLETED, EndedBy.AGENDA)
    record = await board.record(meeting)
    assert [item.topic for item in record.items] == ["Should I walk more?"]
    assert len(record.resolutions) == 1
    assert len(record.members) == 7  # the whole pool of an ad-hoc meeting (source 000)


async def test_seats_are_chosen_for_the_agenda_when_it_is_approved(board: House) -> None:
    meeting = await created(board, attendees="auto")
    view = await preparing.change_agenda(
        board.client, board.store, meeting, [Add(topic="Should I simplify the design of my day?")], 0
    )
    assert view.status is MeetingStatus.AGENDA_DRAFT
    await preparing.approve(board.client, board.store, meeting, view.version)
    async with board.store.read() as tx:
        row = await meetings.get(tx, meeting)
    assert row.attendees == [member["id"] for member in row.config["members"]]
    assert len(row.attendees) == 5
    assert {"aurelius", "roosevelt", "dalio", "jobs"} <= set(row.attendees)


async def test_what_is_not_in_order_is_refused_with_its_reason_and_changes_nothing(board: House) -> None:
    client, store = board.client, board.store
    empty = await created(board)
    await refused(preparing.approve(client, store, empty), "empty")
    await refused(preparing.start(client, store, board.settings, empty), "not approved")
    await refused(running.pause(client, store, empty), "has not begun")
    await refused(running.say(client, store, empty, "hello"), "has not begun")
    assert await status(board, empty) is MeetingStatus.CREATED
    meeting = await created(board, "Should I walk more?")
    await preparing.approve(client, store, meeting)
    for call in (
        preparing.change_agenda(client, store, meeting, [Add(topic="More")], 0),
        preparing.comment(store, meeting, "agenda-1", "no"),
        preparing.approve(client, store, meeting),
        preparing.revise(client, store, meeting, "shorter"),
        preparing.converse(client, store, meeting, "hello"),
        preparing.request_agenda(client, store, meeting),
    ):
        await refused(call, "approved")
    await preparing.start(client, store, board.settings, meeting)
    await outcome(board, meeting)
    for call in (
        preparing.start(client, store, board.settings, meeting),
        preparing.edit(client, store, meeting),
        preparing.approve(client, store, meeting),
        running.pause(client, store, meeting),
        running.say(client, store, meeting, "hello"),
    ):
        await refused(call, "over")


async def test_starting_twice_starts_once(board: House) -> None:
    meeting = await created(board, "Should I walk more?")
    await preparing.approve(board.client, board.store, meeting)
    found = await asyncio.gather(
        *(preparing.start(board.client, board.store, board.settings, meeting) for _ in range(3)), return_exceptions=True
    )
    assert sum(result is None for result in found) == 1
    assert all(isinstance(result, DeskError) and result.kind is Kind.REFUSED for result in found if result is not None)
    assert (await outcome(board, meeting)).status is MeetingStatus.COMPLETED


async def test_an_approved_agenda_is_edited_again_and_approved_at_the_version_that_was_read(board: House) -> None:
    client, store = board.client, board.store
    meeting = await created(board, "Should I walk more?", "Should I swim more?")
    read = await preparing.agenda(store, meeting)
    changed = await preparing.change_agenda(client, store, meeting, [SetMinutes(item_id="agenda-1", time_minutes=25)], 0)
    assert changed.changes[-1].lines == ["planned 25 minutes for “Should I walk more?”"]
    await refused(preparing.approve(client, store, meeting, read.version), "changed since you read it")
    await preparing.approve(client, store, meeting, changed.version)
    view = await preparing.edit(client, store, meeting)
    assert view.status is MeetingStatus.AGENDA_DRAFT
    view = await preparing.change_agenda(client, store, meeting, [Remove(item_id="agenda-2")], view.version)
    assert [item.id for item in view.agenda.items] == ["agenda-1"]
    view = await preparing.undo(client, store, meeting, view.version)
    assert [item.id for item in view.agenda.items] == ["agenda-1", "agenda-2"]
    assert view.changes[-1].lines == ["took back: took “Should I swim more?” off the agenda"]
    view = await preparing.change_agenda(client, store, meeting, [Add(topic="Should I read more?")], view.version)
    assert view.agenda.items[-1].id == "agenda-3"


async def test_of_two_changes_for_one_version_the_second_is_told(board: House) -> None:
    meeting = await created(board, "Should I walk more?")
    changes = [
        preparing.change_agenda(board.client, board.store, meeting, [Add(topic=topic)], 0) for topic in ("Mine", "Yours")
    ]
    found = await asyncio.gather(*changes, return_exceptions=True)
    (lost,) = [result for result in found if isinstance(result, DeskError)]
    assert lost.kind is Kind.REFUSED
    assert "changed meanwhile" in lost.message
    assert (await preparing.agenda(board.store, meeting)).version == 1


async def test_a_scheduled_start_starts_an_approved_meeting_by_itself(board: House) -> None:
    begin = datetime.now(UTC) + timedelta(seconds=1.5)
    meeting = await created(board, "Should I walk more?", scheduled_start=begin)
    await preparing.approve(board.client, board.store, meeting)
    await outcome(board, meeting)
    record = await board.record(meeting)
    assert datetime.fromisoformat(record.started_at) >= begin - timedelta(milliseconds=5)


@pytest.mark.parametrize("policy", ["remind", "hold", "drop"])
async def test_at_the_review_deadline_the_policy_says_what_becomes_of_the_meeting(board: House, policy: str) -> None:
    deadline = datetime.now(UTC) + timedelta(seconds=1)
    meeting = await created(board, "Should I walk more?", review_deadline=deadline, settings={"on_review_deadline": policy})
    if policy == "remind":
        await asyncio.sleep(2)
        assert await status(board, meeting) is MeetingStatus.AGENDA_DRAFT
        await preparing.approve(board.client, board.store, meeting)
        await preparing.start(board.client, board.store, board.settings, meeting)
    found = await outcome(board, meeting)
    if policy == "drop":
        assert (found.status, found.ended_by) == (MeetingStatus.FAILED, EndedBy.ABANDONED)
        assert await status(board, meeting) is MeetingStatus.FAILED
        await refused(preparing.approve(board.client, board.store, meeting), "over")
    else:
        assert found.status is MeetingStatus.COMPLETED


async def test_comment_and_feedback_are_kept_and_reach_the_record(board: House) -> None:
    client, store = board.client, board.store
    meeting = await created(board, "Should I walk more?")
    view = await preparing.comment(store, meeting, "agenda-1", "My knee hurts. {ADJOURN}")
    assert view.agenda.items[0].user_commentary == "My knee hurts. {ADJOURN}"
    view, _ = await preparing.feedback(client, store, meeting, "Keep it short.")
    assert view.agenda.user_feedback == "Keep it short."
    with pytest.raises(DeskError) as caught:
        await preparing.comment(store, meeting, "agenda-9", "x")
    assert caught.value.kind is Kind.UNKNOWN
    with pytest.raises(DeskError) as caught:
        await preparing.comment(store, meeting, "agenda-1", "x" * 9000)
    assert caught.value.kind is Kind.USAGE


# -- the chairman -----------------------------------------------------------------------------------------------------


@pytest.fixture
async def at_home(server: str, tmp_path: Path) -> AsyncIterator[House]:
    """A house whose chairman reads the invented person's context folder."""
    async with house(server, tmp_path, context_dir=Path(__file__).parents[2] / "examples/context") as found:
        yield found


async def drafted(board: House, **fields: Any) -> str:
    meeting = await created(board, **fields)
    _, done = await preparing.request_agenda(board.client, board.store, meeting)
    assert done
    return meeting


async def test_the_chairman_drafts_from_the_board_book_and_names_both_figures(at_home: House) -> None:
    meeting = await drafted(at_home, name="The last week of November")
    view = await preparing.agenda(at_home.store, meeting)
    assert (view.status, view.version, view.changes[0].origin) == (MeetingStatus.AGENDA_DRAFT, 1, "chairman")
    assert 3 <= len(view.agenda.items) <= 5
    topics = " ".join(item.topic for item in view.agenda.items)
    assert "conversation in Italian" in topics
    workouts = next(item for item in view.agenda.items if "Workouts" in item.topic)
    assert "5 workouts" in workouts.description
    assert "3 workouts" in workouts.description
    async with at_home.store.read() as tx:
        assert "## Check of the views against the raw data" in (await meetings.get(tx, meeting)).board_book


async def test_a_drafted_agenda_is_talked_over_changed_taken_back_approved_and_held(at_home: House) -> None:
    client, store = at_home.client, at_home.store
    meeting = await drafted(at_home, attendees="auto")
    before = await preparing.agenda(store, meeting)
    answer = await preparing.converse(client, store, meeting, "Can we add a sleep goal?")
    assert answer.lines == ["added “Should I set a goal for sleep?” at place 6 (decision, 15 minutes)"]
    assert answer.reply.role == "assistant"
    assert answer.reply.agenda_action == {"version": 2, "lines": answer.lines, "operations": 1}
    assert "<speaking>" not in answer.reply.content
    why = await preparing.converse(client, store, meeting, "Why is the item on workouts there?")
    assert "Two sources disagree" in why.reply.content.replace("two sources", "Two sources")
    assert why.view.version == 2
    view = await preparing.undo(client, store, meeting, 2)
    assert view.agenda.items == before.agenda.items
    revised, _ = await preparing.revise(client, store, meeting, "Make it shorter. Drop the item on workouts.")
    assert revised.version == 4
    assert revised.planned_minutes < before.planned_minutes
    assert not any("Workouts" in item.topic for item in revised.agenda.items)
    kept = {item.topic: item.id for item in before.agenda.items}
    assert all(kept.get(item.topic, item.id) == item.id for item in revised.agenda.items)
    assert not revised.agenda.revision_requested
    await preparing.approve(client, store, meeting, revised.version)
    await preparing.start(client, store, at_home.settings, meeting)
    assert (await outcome(at_home, meeting)).status is MeetingStatus.COMPLETED
    record = await at_home.record(meeting)
    assert len(record.members) == 5
    assert [item.topic for item in record.items] == [item.topic for item in revised.agenda.items]


async def test_an_invalid_tool_call_goes_back_and_is_mended(server: str, tmp_path: Path) -> None:
    async with house(server, tmp_path, simulated_faults="bad_tool") as board:
        meeting = await created(board, "Should I walk more?", faults="bad_tool")
        answer = await preparing.converse(board.client, board.store, meeting, "Please give item 1 20 minutes")
        assert answer.lines == ["planned 20 minutes for “Should I walk more?”"]


async def test_law_05_the_same_message_is_answered_once(at_home: House) -> None:
    client, store = at_home.client, at_home.store
    meeting = await drafted(at_home)
    found = [
        await preparing.converse(client, store, meeting, "Add an item on the garden", message_id="msg-000000000001")
        for _ in range(2)
    ]
    assert found[0].reply == found[1].reply
    assert found[1].view.version == 2
    assert len(await preparing.conversation(store, meeting)) == 2


async def test_of_two_conversations_at_once_the_version_check_tells_the_loser(at_home: House) -> None:
    client, store = at_home.client, at_home.store
    meeting = await drafted(at_home)
    asked = ("Add an item on the garden", "Add an item on the roof")
    found = await asyncio.gather(*(preparing.converse(client, store, meeting, text) for text in asked), return_exceptions=True)
    lost = [result for result in found if isinstance(result, DeskError)]
    view = await preparing.agenda(store, meeting)
    assert view.version == 3 - len(lost)  # both may have come one after the other
    for error in lost:
        assert error.kind is Kind.REFUSED
        assert "read the agenda again" in error.message


async def test_the_conversation_is_cleared_and_the_agenda_stays(at_home: House) -> None:
    client, store = at_home.client, at_home.store
    meeting = await drafted(at_home)
    await preparing.converse(client, store, meeting, "Add an item on the garden")
    assert await preparing.clear_conversation(store, meeting) == 2
    assert await preparing.conversation(store, meeting) == []
    assert (await preparing.agenda(store, meeting)).version == 2


async def test_an_unattended_meeting_is_drafted_approved_and_held_by_itself(at_home: House) -> None:
    request = CreateRequest(attendees="auto", provider="simulated", seed=7, name="Weekly")
    meeting = await preparing.create(at_home.client, at_home.store, at_home.settings, request, unattended=True)
    found = await outcome(at_home, meeting)
    assert found.status is MeetingStatus.COMPLETED
    record = await at_home.record(meeting)
    assert len(record.members) == 5
    assert 3 <= len(record.items) <= 5
    assert record.resolutions
