"""Following is tested on a real store that is written to while it is followed, out of order, as a round's replies are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from clerk.errors import DeskError
from clerk.events import Event, FloorEvent, StatusEvent, TurnEvent, WordsEvent
from clerk.following import follow
from clerk.opening import OpenRequest, open_meeting
from parliament.agenda import agenda_from_topics
from parliament.values import EndedBy, MeetingStatus, Phase
from records import ballots, live, meetings, motions, turns
from records.engine import Store
from settings import Settings

AGENDA = agenda_from_topics(["Should I take the job in Lisbon?"])


class Meeting:
    """A meeting whose record this test writes, as the activities would."""

    def __init__(self, store: Store, id: str) -> None:
        self.store = store
        self.id = id

    async def turn(self, seq: int, member: str = "dalio", purpose: str = "discussion", **more: Any) -> None:
        row = {
            "meeting_id": self.id, "seq": seq, "id": f"t{seq}", "item_id": "agenda-1", "phase": "discussion",
            "purpose": purpose, "round": 1, "member_id": member, "name": member, "text": f"words {seq}", "status": "ok",
            "reading": "exact", "data": {}, "at": datetime.now(UTC),
        }  # fmt: skip
        async with self.store.write() as tx:
            await turns.add(tx, **(row | more))

    async def words(self, seq: int, text: str, *, attempt: int = 1, member: str = "dalio") -> None:
        async with self.store.write() as tx:
            await live.append(
                tx, meeting_id=self.id, call_id=f"call-{seq}", attempt=attempt, member_id=member, seq=seq, kind="words",
                text=text, at=datetime.now(UTC),
            )  # fmt: skip

    async def status(self, status: str, phase: str = "discussion", **more: Any) -> None:
        async with self.store.write() as tx:
            await meetings.set_status(tx, self.id, status=status, at=datetime.now(UTC), phase=phase, **more)


@pytest.fixture
async def meeting(store: Store, settings: Settings) -> Meeting:
    return Meeting(store, (await open_meeting(store, settings, OpenRequest(agenda=AGENDA))).meeting_id)


Following = Callable[..., Awaitable[list[Event]]]


async def followed(meeting: Meeting, writing: Awaitable[None], **options: Any) -> list[Event]:
    """Everything a follower is told while `writing` runs and the meeting ends."""
    events: list[Event] = []

    async def read() -> None:
        async for event in follow(meeting.store, meeting.id, poll=0.005, **options):
            events.append(event)

    reader = asyncio.create_task(read())
    await writing
    await asyncio.wait_for(reader, 20)
    return events


def seqs(events: list[Event]) -> list[int]:
    return [event.turn.seq for event in events if isinstance(event, TurnEvent)]


async def test_turns_that_land_out_of_order_are_told_in_order_and_none_is_missed(meeting: Meeting) -> None:
    async def write() -> None:
        await meeting.status("in_progress")
        for seq in (1, 3, 5, 2, 8, 4, 7, 6):
            await meeting.turn(seq)
            await asyncio.sleep(0.02)
        await meeting.status("completed", "adjournment", ended_by="agenda")

    events = await followed(meeting, write())
    assert seqs(events) == [1, 2, 3, 4, 5, 6, 7, 8]
    last = events[-1]
    assert isinstance(last, StatusEvent)
    assert (last.status, last.ended_by, last.phase) == (MeetingStatus.COMPLETED, EndedBy.AGENDA, Phase.ADJOURNMENT)


async def test_a_follower_that_comes_back_says_where_it_was_and_misses_nothing(meeting: Meeting) -> None:
    for seq in range(1, 30):
        await meeting.turn(seq)
    await meeting.status("completed", "adjournment", ended_by="agenda")

    async def nothing() -> None: ...

    for after in (0, 1, 15, 28, 29):
        assert seqs(await followed(meeting, nothing(), after=after)) == list(range(after + 1, 30))


async def test_more_turns_than_one_look_reads_are_all_told_before_the_end(meeting: Meeting) -> None:
    async with meeting.store.write() as tx:
        for seq in range(1, 1501):
            await turns.add(
                tx, meeting_id=meeting.id, seq=seq, id=f"t{seq}", item_id=None, phase="discussion", purpose="discussion",
                round=1, member_id="dalio", name="Ray Dalio", text="x", status="ok", reading="exact", data={},
                at=datetime.now(UTC),
            )  # fmt: skip
    await meeting.status("completed", "adjournment", ended_by="agenda")

    async def nothing() -> None: ...

    assert seqs(await followed(meeting, nothing())) == list(range(1, 1501))


async def test_words_come_as_they_are_said_with_their_attempt_and_end_with_the_turn(meeting: Meeting) -> None:
    async def write() -> None:
        await meeting.status("in_progress")
        await meeting.words(1, "We should")
        await asyncio.sleep(0.05)
        await meeting.words(1, "Let us", attempt=2)
        await asyncio.sleep(0.05)
        await meeting.words(1, " build", attempt=2)
        await asyncio.sleep(0.05)
        await meeting.turn(1)
        await meeting.words(1, " too late", attempt=2)
        await meeting.status("completed", ended_by="agenda")

    events = await followed(meeting, write())
    words = [(event.attempt, event.text, event.seq) for event in events if isinstance(event, WordsEvent)]
    assert words == [(1, "We should", 1), (2, "Let us", 1), (2, " build", 1)]


async def test_without_words_none_are_read(meeting: Meeting) -> None:
    async def write() -> None:
        await meeting.words(1, "We should")
        await asyncio.sleep(0.05)
        await meeting.turn(1)
        await meeting.status("completed", ended_by="agenda")

    assert not [event for event in await followed(meeting, write(), words=False) if isinstance(event, WordsEvent)]


async def test_status_is_told_when_it_changes_with_the_reason_and_only_then(meeting: Meeting) -> None:
    async def write() -> None:
        await asyncio.sleep(0.3)  # several polls, also on a busy machine
        for status, why in (("in_progress", None), ("paused", None), ("in_progress", None), ("failed", "the key is wrong")):
            await meeting.status(status, error=why)
            await asyncio.sleep(0.3)
        await meeting.status("in_progress")
        await asyncio.sleep(0.3)
        await meeting.status("completed", ended_by="deadline")

    told = [event for event in await followed(meeting, write()) if isinstance(event, StatusEvent)]
    assert [event.status.value for event in told] == [
        "prepared", "in_progress", "paused", "in_progress", "failed", "in_progress", "completed",
    ]  # fmt: skip
    assert told[4].error == "the key is wrong"
    assert all(event.chair == "aurelius" for event in told)


async def test_an_abandoned_meeting_is_over_too(meeting: Meeting) -> None:
    async def write() -> None:
        await meeting.status("paused")
        await asyncio.sleep(0.03)
        await meeting.status("paused", ended_by="abandoned")

    last = (await followed(meeting, write()))[-1]
    assert isinstance(last, StatusEvent)
    assert last.ended_by is EndedBy.ABANDONED


async def test_the_floor_shows_the_immediately_pending_question(meeting: Meeting) -> None:
    now = datetime.now(UTC)
    motion, amendment = f"MOT-{meeting.id}-1", f"AMD-{meeting.id}-4"

    async def write() -> None:
        async with meeting.store.write() as tx:
            await motions.add(
                tx, id=motion, meeting_id=meeting.id, item_id="agenda-1", kind="main", text="RESOLVED, That we go.",
                mover="aurelius", status="proposed", dissenter=None, created_at=now,
            )  # fmt: skip
        await meeting.turn(1)
        await asyncio.sleep(0.05)
        async with meeting.store.write() as tx:
            await motions.second(tx, motion, "dalio")
            await motions.add_amendment(
                tx, id=amendment, meeting_id=meeting.id, motion_id=motion, target_id=motion, degree=1, mover="musk",
                text="RESOLVED, That we go now.", summary="now", status="proposed", created_at=now,
            )  # fmt: skip
        await meeting.turn(2)
        await asyncio.sleep(0.05)
        async with meeting.store.write() as tx:
            await motions.second(tx, amendment, "jobs")
        await meeting.turn(3)
        await asyncio.sleep(0.05)
        async with meeting.store.write() as tx:
            await motions.take_words(tx, motion, amendment)
            await motions.end(tx, amendment, status="adopted", by_consent=False, at=now)
        await meeting.turn(4)
        await asyncio.sleep(0.05)
        async with meeting.store.write() as tx:
            await motions.end(tx, motion, status="adopted", by_consent=False, at=now)
        await meeting.turn(5)
        await meeting.status("completed", ended_by="agenda")

    told = [event for event in await followed(meeting, write()) if isinstance(event, FloorEvent)]
    assert told == [
        FloorEvent("RESOLVED, That we go.", "main", "aurelius", None, False),
        FloorEvent("RESOLVED, That we go.", "main", "aurelius", "dalio", False),
        FloorEvent("RESOLVED, That we go now.", "amendment", "musk", "jobs", False),
        FloorEvent("RESOLVED, That we go now.", "main", "aurelius", "dalio", True),
        FloorEvent(None),
    ]


async def test_presence_follows_from_who_answered_and_votes_come_with_their_turn(meeting: Meeting) -> None:
    async def write() -> None:
        for seq, (member, status) in enumerate((("aurelius", "present"), ("dalio", "present"), ("musk", "absent")), 1):
            async with meeting.store.write() as tx:
                await meetings.attend(tx, meeting_id=meeting.id, member_id=member, round=seq, status=status, seq=seq)
            await meeting.turn(seq, member, "roll_call", phase="quorum")
        await asyncio.sleep(0.05)
        await meeting.turn(4, "dalio", status="no_reply", text="")
        await asyncio.sleep(0.05)
        async with meeting.store.write() as tx:
            await ballots.add_vote(
                tx, question_id="q", round=1, member_id="aurelius", meeting_id=meeting.id, choice="FOR", reason="", raw="",
                reading="exact", seq=5,
            )  # fmt: skip
        await meeting.turn(5, "aurelius", "vote", phase="voting")
        await meeting.turn(6, "dalio")
        await asyncio.sleep(0.05)
        await meeting.status("completed", ended_by="agenda")

    events = await followed(meeting, write())
    present = [event.present for event in events if isinstance(event, StatusEvent)]
    assert ("aurelius", "dalio") in present
    assert ("aurelius",) in present
    assert present[-1] == ("aurelius", "dalio")
    vote = next(event.turn for event in events if isinstance(event, TurnEvent) and event.turn.purpose == "vote")
    assert vote.data["vote"] == "FOR"


async def test_an_unknown_meeting_cannot_be_followed(store: Store) -> None:
    with pytest.raises(DeskError, match="There is no meeting"):
        async for _ in follow(store, "mtg-00000000"):
            pass
