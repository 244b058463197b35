"""The live hub of one process: it reads a meeting once for everybody who follows it, and lets nobody hold it up.

A follower that joins gets the transcript after the `seq` it names, then where the meeting stands, then what comes; the turns
are kept ready as text, so joining late costs no look at the store. Several processes side by side each have their own hub
over one store.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import telemetry
from clerk import following, passing, reading
from clerk.errors import DeskError
from clerk.events import Event, FloorEvent, NoticeEvent, StatusEvent, TurnEvent, WordsEvent
from parliament.record import TurnRecord
from parliament.values import Phase, Purpose

log = logging.getLogger("boardroom.api")

QUEUE = 512
"""Events that wait for a slow reader before it is cut."""
PER_OWNER = 20
"""Open connections of one person in this process."""

OVER, AGAIN, SLOW, DELETED = 1000, 1013, 4408, 4404
"""How a connection ends: the meeting is over, the record could not be read, the reader was too slow, it was deleted."""


class TooMany(Exception):
    """This person follows as much as one may."""


@dataclass(eq=False)
class Follower:
    """One connection: what waits to be sent, and the code with which it ends."""

    waiting: deque[str] = field(default_factory=deque)
    code: int | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    cut: asyncio.Event = field(default_factory=asyncio.Event)  # it ends now, whatever still waits

    def put(self, text: str) -> None:
        if len(self.waiting) >= QUEUE:
            self.end(SLOW)
        elif self.code is None:
            self.waiting.append(text)
            self.woken.set()

    def end(self, code: int) -> None:
        """End the connection: at the meeting's end when all is sent, else at once. The first reason stands."""
        if self.code is None:
            self.code = code
        if self.code != OVER:
            self.cut.set()
        self.woken.set()

    async def texts(self) -> AsyncIterator[str]:
        """What there is to send, until it ends."""
        while True:
            while self.waiting:
                yield self.waiting.popleft()
            if self.code is not None:
                return
            self.woken.clear()
            await self.woken.wait()


class Hub:
    """Followers of this process's meetings."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._rooms: dict[str, _Room] = {}
        self._open: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def join(self, meeting_id: str, owner: str, after: int) -> AsyncIterator[tuple[list[str], Follower]]:
        """Follow a meeting: the texts to send first, and the follower that gets what comes. Raises TooMany."""
        if self._open[owner] >= PER_OWNER:
            raise TooMany
        room = self._rooms.get(meeting_id)
        if room is None or room.code is not None:
            room = self._rooms[meeting_id] = _Room(self._store, meeting_id)
        self._open[owner] += 1
        room.guests += 1
        telemetry.metrics().followers.inc()
        follower = Follower()
        try:
            yield await room.join(follower, after), follower
        finally:
            telemetry.metrics().followers.dec()
            room.guests -= 1
            self._open[owner] -= 1
            if not self._open[owner]:
                del self._open[owner]
            room.leave(follower)
            if not room.guests:
                if self._rooms.get(meeting_id) is room:
                    del self._rooms[meeting_id]
                await room.close()

    async def close(self) -> None:
        for room in list(self._rooms.values()):
            await room.close()


class _Room:
    """One meeting: what was said, where it stands, and who follows."""

    def __init__(self, store: Any, meeting_id: str) -> None:
        self._store = store
        self._meeting = meeting_id
        self.guests = 0  # who follows, or is about to
        self.code: int | None = None  # how it ended
        self._followers: set[Follower] = set()
        self._turns: list[tuple[str, ...]] = []  # by seq: the turn, and what was told with it
        self._speaking: dict[tuple[str, int | None], WordsEvent] = {}  # what a voice has said of a turn that is to come
        self._status: StatusEvent | None = None
        self._phase: Phase | None = None  # the last that was told
        self._said_in: Phase | None = None  # that of the last turn
        self._motion: str | None = None
        self._resolutions: dict[str, str] = {}
        self._ready = asyncio.Event()
        self._task = asyncio.create_task(self._follow())

    async def join(self, follower: Follower, after: int) -> list[str]:
        await self._ready.wait()
        # Nothing is awaited between the copy and the joining: no event falls between them, and none comes twice.
        first = [text for told in self._turns[after:] for text in told]
        if self._status is not None:
            if self._phase is not None and (self._phase is not self._said_in or not first):
                first.append(_phase(self._phase, self._status.item_id))
            first.append(_status(self._status))
        if self._motion is not None:
            first.append(self._motion)
        first += self._resolutions.values()
        first += [_words(event) for event in self._speaking.values()]
        self._followers.add(follower)
        if self.code is not None:
            follower.end(self.code)
        return first

    def leave(self, follower: Follower) -> None:
        self._followers.discard(follower)

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        code = AGAIN
        try:
            async with contextlib.aclosing(following.looks(self._store, self._meeting)) as looks:
                async for events in looks:
                    decided = await self._new_resolutions() if any(_decides(event) for event in events) else {}
                    # From here on nothing is awaited, so that who joins meanwhile gets each event once.
                    for text in [*self._told(events), *decided.values()]:
                        for follower in self._followers:
                            follower.put(text)
                    self._resolutions |= decided
                    self._ready.set()
            code = DELETED if await self._gone() else OVER
        except DeskError:
            code = DELETED
        except Exception as error:  # followers come back, and the record is asked again
            log.warning("a meeting could not be followed (%s)", type(error).__name__)
        finally:
            self.code = code
            self._ready.set()
            for follower in self._followers:
                follower.end(code)

    async def _gone(self) -> bool:
        try:
            await reading.status(self._store, self._meeting)
        except DeskError:
            return True
        return False

    def _told(self, events: list[Event]) -> list[str]:
        """The events as they are sent, and what this room remembers of them."""
        texts: list[str] = []
        for event in events:
            match event:
                case TurnEvent(turn):
                    begun = (_phase(turn.phase, turn.item_id),) if turn.phase is not self._said_in else ()
                    self._said_in = turn.phase
                    told = (_json("turn", seq=turn.seq, turn=turn_data(turn)), *_vote(turn))
                    self._turns.append((*begun, *told))
                    self._speaking = {key: said for key, said in self._speaking.items() if said.seq != turn.seq}
                    texts += [*self._in(turn.phase, turn.item_id), *told]
                case WordsEvent():
                    self._remember(event)
                    texts.append(_words(event))
                case NoticeEvent(words):
                    texts.append(_json("notice", text=words, passing=True, broadcast=True))
                case FloorEvent():
                    self._motion = _motion(event)
                    texts.append(self._motion)
                case StatusEvent():
                    texts += [*self._in(event.phase, event.item_id), _status(event)]
                    self._status = event
        return texts

    def _in(self, phase: Phase | None, item_id: str | None) -> list[str]:
        """The phase as an event of its own, before what is the first of it: a turn, or a status while a voice begins."""
        if phase is None or phase is self._phase:
            return []
        self._phase = phase
        return [_phase(phase, item_id)]

    def _remember(self, event: WordsEvent) -> None:
        """Keep what a voice has said so far, for who joins in the middle of it; a new attempt begins anew."""
        if event.seq is None:
            return
        key = (event.call_id, event.seq)
        before = self._speaking.get(key)
        said = before.text if before is not None and before.attempt == event.attempt else ""
        self._speaking[key] = WordsEvent(event.member_id, event.call_id, event.attempt, said + event.text, event.seq)

    async def _new_resolutions(self) -> dict[str, str]:
        """Resolutions that are new or read otherwise now (action items come after the vote), by id."""
        found = {}
        with contextlib.suppress(DeskError):
            for resolution in (await reading.summary(self._store, self._meeting))["resolutions"]:
                text = _json("resolution", resolution=resolution)
                if self._resolutions.get(resolution["id"]) != text:
                    found[resolution["id"]] = text
        return found


def _decides(event: Event) -> bool:
    """Whether a resolution may have come with it: the floor is clear, the item changed, or the meeting ended."""
    return (isinstance(event, FloorEvent) and event.text is None) or isinstance(event, StatusEvent)


def turn_data(turn: TurnRecord) -> dict[str, Any]:
    """A turn as it is shown: never a whisper, and none of the record's inner data but a vote that was taken openly."""
    return turn.model_dump(mode="json", exclude={"data"}) | {"vote": turn.data.get("vote")}


def _vote(turn: TurnRecord) -> list[str]:
    """A vote that was taken; a secret ballot's votes stand at no turn, so none of them is ever told."""
    vote = turn.data.get("vote")
    if turn.purpose != Purpose.VOTE or vote is None:
        return []
    return [_json("vote", turn_seq=turn.seq, member_id=turn.member_id, choice=vote, item_id=turn.item_id)]


def _words(event: WordsEvent) -> str:
    """Words in passing: no line of the transcript, whoever they come from."""
    return _json(
        "words",
        member_id=event.member_id,
        call_id=event.call_id,
        attempt=event.attempt,
        text=event.text,
        turn_seq=event.seq,
        passing=True,
        broadcast=event.call_id.startswith(passing.CALL),
    )


def _motion(event: FloorEvent) -> str:
    motion = None
    if event.text is not None:
        motion = {
            "text": event.text,
            "kind": event.kind,
            "mover": event.mover,
            "seconder": event.seconder,
            "amended": event.amended,
        }
    return _json("motion", motion=motion)


def _phase(phase: Phase, item_id: str | None) -> str:
    return _json("phase", phase=phase.value, item_id=item_id)


def _status(now: StatusEvent) -> str:
    return _json(
        "status",
        status=now.status.value,
        phase=now.phase.value if now.phase else None,
        item_id=now.item_id,
        ended_by=now.ended_by.value if now.ended_by else None,
        error=now.error,
        chair=now.chair,
        present=list(now.present),
    )


def _json(event: str, **fields: Any) -> str:
    return json.dumps({"event": event, **fields}, ensure_ascii=False)
