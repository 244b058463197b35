"""What passes: it is told to whoever follows now, it is no part of the record, and nobody who comes later is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from clerk import passing, reading
from clerk.errors import DeskError, Kind
from clerk.events import Event, NoticeEvent, WordsEvent
from clerk.following import looks
from records import schema
from records.engine import Store
from tests.support import stores

MEETING = "mtg-00000001"


@pytest.fixture
async def meeting(store: Store) -> str:
    async with store.write() as tx:
        await stores.create_meeting(tx, MEETING)
    return MEETING


async def told(following: AsyncIterator[list[Event]], times: int = 4) -> list[Event]:
    """What the next looks tell of what passes."""
    events: list[Event] = []
    for _ in range(times):
        events += await asyncio.wait_for(anext(following), 5)
    return [event for event in events if isinstance(event, (NoticeEvent, WordsEvent))]


async def test_who_follows_is_told_once_and_who_comes_later_never(store: Store, meeting: str) -> None:
    async with aclosing(looks(store, meeting, poll=0.005)) as now:
        assert await told(now) == []
        await passing.tell(store, meeting, kind="notice", text="Back in a\x07 minute.")
        await passing.tell(store, meeting, kind="words", text="I was saying", member_id="dalio")
        notice, words = await told(now)
        assert notice == NoticeEvent("Back in a␇ minute.")
        assert isinstance(words, WordsEvent)
        assert (words.member_id, words.text, words.seq) == ("dalio", "I was saying", None)
        assert words.call_id.startswith(passing.CALL)
        assert await told(now) == []
    async with aclosing(looks(store, meeting, poll=0.005)) as later:
        assert await told(later) == []
    assert await reading.transcript(store, meeting) == []


async def test_what_has_passed_is_forgotten(store: Store, meeting: str) -> None:
    await passing.tell(store, meeting, kind="notice", text="long ago")
    async with store.write() as tx:
        long_ago = datetime.now(UTC) - timedelta(minutes=5)
        await tx.execute(schema.live_events.update().values(at=long_ago))
    await passing.tell(store, meeting, kind="notice", text="now")
    async with store.read() as tx:
        assert await tx.scalar(select(func.count()).select_from(schema.live_events)) == 1


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({"kind": "turn", "text": "I resign."}, "record alone"),
        ({"kind": "vote", "text": "FOR"}, "record alone"),
        ({"kind": "notice", "text": ""}, "4096"),
        ({"kind": "notice", "text": " \u200b\n"}, "4096"),
        ({"kind": "notice", "text": "x" * 4097}, "4096"),
        ({"kind": "words", "text": "x"}, "member"),
        ({"kind": "words", "text": "x", "member_id": "stranger"}, "member"),
        ({"kind": "words", "text": "x", "member_id": "clerk"}, "member"),
    ],
)
async def test_nothing_else_passes(store: Store, meeting: str, event: dict[str, str], why: str) -> None:
    with pytest.raises(DeskError, match=why) as raised:
        await passing.tell(store, meeting, **event)
    assert raised.value.kind is Kind.USAGE


async def test_nothing_passes_when_it_is_over_or_unknown(store: Store, meeting: str) -> None:
    with pytest.raises(DeskError) as unknown:
        await passing.tell(store, "mtg-00000002", kind="notice", text="x")
    assert unknown.value.kind is Kind.UNKNOWN
    async with store.write() as tx:
        await tx.execute(schema.meetings.update().values(status="completed", ended_by="agenda"))
    with pytest.raises(DeskError) as over:
        await passing.tell(store, meeting, kind="notice", text="x")
    assert over.value.kind is Kind.REFUSED
