"""Following a meeting while it runs: from any place of its transcript, without a gap, by looking at the store.

A client that comes back says the last `seq` it has and misses nothing; which process holds the meeting does not matter.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clerk import reading
from clerk.events import Event, FloorEvent, NoticeEvent, StatusEvent, TurnEvent, WordsEvent
from parliament.record import TurnRecord
from parliament.values import CLERK, PHASE_OF, SHAREHOLDER, EndedBy, MeetingStatus, Phase, Purpose, TurnStatus
from records import live, turns, watching

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from records.engine import Store

QUIET = 2.0
"""Seconds without news after which the store is looked at less often."""
SLOWLY = 0.25
"""Seconds between two looks at a quiet meeting."""


async def follow(
    store: Store, meeting_id: str, after: int = 0, words: bool = True, poll: float = 0.05
) -> AsyncGenerator[Event, None]:
    """What happens in the meeting after the turn `after`, until it is over.

    Turns come in the order of `seq` without gaps; with `words`, words in passing come too. `poll`: seconds between two
    looks while there is news. Raises DeskError for an unknown meeting.
    """
    async with aclosing(looks(store, meeting_id, after, words, poll)) as seen:
        async for events in seen:
            for event in events:
                yield event


async def looks(
    store: Store, meeting_id: str, after: int = 0, words: bool = True, poll: float = 0.05
) -> AsyncGenerator[list[Event], None]:
    """`follow`, look by look: the events of each, which may be none, so that a caller can leave in between.

    Words of a voice that speaks already come from their beginning. What a program passed on before (a notice, words that
    lead to no turn) has passed, and is told to nobody any more.
    """
    await reading.known(store, meeting_id)
    follower = _Follower(meeting_id, after, words)
    async with store.read() as tx:
        follower.passed = await live.last_id(tx, meeting_id)
    quiet = 0.0
    while True:
        async with store.read() as tx:
            events = await follower.look(tx)
        yield events
        if follower.over:
            return
        pause = poll if quiet < QUIET else max(poll, SLOWLY)
        quiet = 0.0 if events else quiet + pause
        await asyncio.sleep(pause)


def _phase_of_call(call_id: str) -> Phase | None:
    """The phase of the purpose in a call's id (`<meeting>/<item>/<purpose>/…`), where it belongs to one."""
    parts = call_id.split("/")
    return next((phase for purpose, phase in PHASE_OF.items() if len(parts) > 2 and purpose == parts[2]), None)


@dataclass
class _Follower:
    """What was told so far."""

    meeting_id: str
    seq: int
    words: bool
    word: int = 0  # the last row of words in passing
    passed: int = 0  # rows up to this one that belong to no turn were there before
    standing: StatusEvent | None = None
    floor: FloorEvent = field(default_factory=lambda: FloorEvent(None))
    absent: set[str] = field(default_factory=set)
    roll: dict[str, str] = field(default_factory=dict)
    phase: Phase | None = None
    recorded_phase: str | None = None
    over: bool = False

    async def look(self, tx: AsyncConnection) -> list[Event]:
        """What is new, read in one consistent look: turns first, then where the meeting stands, then words in passing."""
        fresh = await self._turns(tx)
        found = await watching.standing(tx, self.meeting_id)
        if found is None:  # the meeting was deleted while it was followed
            self.over = True
            return []
        events: list[Event] = [TurnEvent(turn) for turn in fresh]
        if fresh or self.standing is None:
            await self._presence(tx, fresh)
            events += await self._floor(tx)
        passing = await self._words(tx) if self.words else []
        events += passing
        self._phase(found.phase, fresh, [event for event in passing if isinstance(event, WordsEvent)])
        standing = StatusEvent(
            status=MeetingStatus(found.status),
            phase=self.phase,
            item_id=found.item_id,
            ended_by=EndedBy(found.ended_by) if found.ended_by else None,
            error=found.error,
            chair=found.chair,
            present=tuple(m for m, answer in self.roll.items() if answer == "present" and m not in self.absent),
        )
        over = found.status == MeetingStatus.COMPLETED or found.ended_by is not None
        if over and not fresh:  # the last turns were told before
            self.over = True
        if standing != self.standing and (self.over or not over):
            self.standing = standing
            events.append(standing)
        return events

    def _phase(self, recorded: str | None, fresh: list[TurnRecord], words: list[WordsEvent]) -> None:
        """The phase is whatever told of it last: the record, a turn, or a voice that began to speak in it."""
        if recorded != self.recorded_phase:
            self.recorded_phase = recorded
            self.phase = Phase(recorded) if recorded else None
        if fresh:
            self.phase = fresh[-1].phase
        for event in words:
            self.phase = _phase_of_call(event.call_id) or self.phase

    async def _turns(self, tx: AsyncConnection) -> list[TurnRecord]:
        fresh = await turns.released(tx, self.meeting_id, self.seq)
        if not fresh:
            return []
        self.seq = fresh[-1].seq
        votes = [turn.seq for turn in fresh if turn.purpose == Purpose.VOTE and turn.member_id != CLERK]
        choices = await watching.choices(tx, self.meeting_id, votes) if votes else {}
        return [reading.with_vote(turn, choices) for turn in fresh]

    async def _presence(self, tx: AsyncConnection, fresh: list[TurnRecord]) -> None:
        """Presence follows from who answered: the roll, and since then who did not reply."""
        if any(turn.purpose == Purpose.ROLL_CALL for turn in fresh) or (fresh and not self.roll):
            self.roll = await watching.answers(tx, self.meeting_id)
        for turn in fresh:
            if turn.member_id in (CLERK, SHAREHOLDER):
                continue
            if turn.status == TurnStatus.NO_REPLY:
                self.absent.add(turn.member_id)
            else:
                self.absent.discard(turn.member_id)

    async def _floor(self, tx: AsyncConnection) -> list[FloorEvent]:
        question = await watching.question(tx, self.meeting_id)
        floor = FloorEvent(None)
        if question is not None:
            floor = FloorEvent(question.text, question.kind, question.mover, question.seconder, question.amended)
        changed, self.floor = floor != self.floor, floor
        return [floor] if changed else []

    async def _words(self, tx: AsyncConnection) -> list[WordsEvent | NoticeEvent]:
        rows = await live.since(tx, self.meeting_id, self.word)
        if rows:
            self.word = rows[-1].id
        return [
            NoticeEvent(row.text)
            if row.kind == "notice"
            else WordsEvent(row.member_id, row.call_id, row.attempt, row.text, row.seq)
            for row in rows
            if (row.id > self.passed if row.seq is None else row.seq > self.seq)
        ]
