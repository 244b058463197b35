"""The live hub of one process: it reads a meeting once for everybody who follows it, and lets nobody hold it up.

A follower that joins gets the transcript after the `seq` it names, then where the meeting stands, then what comes; the turns
are kept ready as text, so joining late costs no look at the store. Several processes side by side each have their own hub
over one store.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import telemetry
from clerk import following, reading
from clerk.errors import DeskError
from clerk.events import Event, FloorEvent, NoticeEvent, StatusEvent, TurnEvent, WordsEvent
from parliament.record import TurnRecord
from parliament.values import Purpose

QUEUE = 512
"""Events that wait for a slow reader before it is cut."""
PER_OWNER = 20
"""Open connections of one person in this process."""

OVER, SLOW, DELETED = 1000, 4408, 4404


@dataclass(eq=False)
class Follower:
    """One connection's queue. `ended`: the code it is closed with, once everything in the queue was sent."""

    owner: str
    queue: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(QUEUE))
    ended: int | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, text: str) -> bool:
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.end(SLOW)
            return False
        self.woken.set()
        return True

    def end(self, code: int) -> None:
        if self.ended is None:
            self.ended = code
        self.woken.set()


class Hub:
    """Followers of this process's meetings."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._rooms: dict[str, _Room] = {}
        self._open: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def join(self, meeting_id: str, owner: str, after: int) -> Any:
        """Follow a meeting; gives (the events to send first, the follower). None when this person follows too many."""
        if self._open[owner] >= PER_OWNER:
            yield None
            return
        self._open[owner] += 1
        telemetry.metrics().followers.inc()
        room = self._rooms.get(meeting_id)
        if room is None or room.closed:
            room = self._rooms[meeting_id] = _Room(self._store, meeting_id)
        follower = Follower(owner)
        try:
            yield await room.join(follower, after), follower
        finally:
            room.leave(follower)
            if not room.followers:
                await room.close()
                if self._rooms.get(meeting_id) is room:
                    del self._rooms[meeting_id]
            self._open[owner] -= 1
            telemetry.metrics().followers.dec()

    async def close(self) -> None:
        for room in list(self._rooms.values()):
            await room.close()


class _Room:
    """One meeting: what was said, where it stands, and who follows."""

    def __init__(self, store: Any, meeting_id: str) -> None:
        self._store = store
        self._meeting = meeting_id
        self.followers: set[Follower] = set()
        self.closed = False
        self._turns: list[str] = []
        self._status: StatusEvent | None = None
        self._motion: str | None = None
        self._resolutions: dict[str, str] = {}
        self._ready = asyncio.Event()
        self._task = asyncio.create_task(self._follow())

    async def join(self, follower: Follower, after: int) -> list[str]:
        await self._ready.wait()
        # Nothing is awaited between the copy and the joining: no event falls between them, and none comes twice.
        first = self._turns[after:]
        if self._status is not None:
            first += _status(None, self._status)
        if self._motion is not None:
            first.append(self._motion)
        first += self._resolutions.values()
        self.followers.add(follower)
        if self.closed:
            follower.end(OVER if self._status is not None else DELETED)
        return first

    def leave(self, follower: Follower) -> None:
        self.followers.discard(follower)

    async def close(self) -> None:
        self.closed = True
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _follow(self) -> None:
        code = OVER
        try:
            async with contextlib.aclosing(following.looks(self._store, self._meeting, from_now=True)) as looks:
                async for events in looks:
                    decided = await self._new_resolutions() if any(_decides(event) for event in events) else {}
                    # From here on nothing is awaited, so that who joins meanwhile gets each event once.
                    for text in [*self._told(events), *decided.values()]:
                        for follower in list(self.followers):
                            if not follower.put(text):
                                self.followers.discard(follower)
                    self._resolutions |= decided
                    self._ready.set()
            if self._status is None or await self._gone():
                code = DELETED
        except DeskError:
            code = DELETED
        finally:
            self.closed = True
            self._ready.set()
            for follower in self.followers:
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
                    text = _json("turn", seq=turn.seq, turn=turn_data(turn))
                    self._turns.append(text)
                    texts.append(text)
                    texts += _vote(turn)
                case WordsEvent():
                    texts.append(
                        _json(
                            "words",
                            member_id=event.member_id,
                            call_id=event.call_id,
                            attempt=event.attempt,
                            text=event.text,
                            turn_seq=event.seq,
                        )
                    )
                case NoticeEvent(words):
                    texts.append(_json("notice", text=words, passing=True))
                case FloorEvent():
                    self._motion = _motion(event)
                    texts.append(self._motion)
                case StatusEvent():
                    texts += _status(self._status, event)
                    self._status = event
        return texts

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
    data = turn.model_dump(mode="json", exclude={"data"})
    if turn.data.get("vote") is not None:
        data["vote"] = turn.data["vote"]
    return data


def _vote(turn: TurnRecord) -> list[str]:
    """A vote that was taken; a secret ballot's votes stand at no turn, so none of them is ever told."""
    vote = turn.data.get("vote")
    if turn.purpose != Purpose.VOTE or vote is None:
        return []
    return [_json("vote", turn_seq=turn.seq, member_id=turn.member_id, choice=vote, item_id=turn.item_id)]


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


def _status(before: StatusEvent | None, now: StatusEvent) -> list[str]:
    """The status, and the phase as an event of its own where it is another one."""
    texts = []
    if now.phase is not None and (before is None or (before.phase, before.item_id) != (now.phase, now.item_id)):
        texts.append(_json("phase", phase=now.phase.value, item_id=now.item_id))
    texts.append(
        _json(
            "status",
            status=now.status.value,
            phase=now.phase.value if now.phase else None,
            item_id=now.item_id,
            ended_by=now.ended_by.value if now.ended_by else None,
            error=now.error,
            chair=now.chair,
            present=list(now.present),
        )
    )
    return texts


def _json(event: str, **fields: Any) -> str:
    return json.dumps({"event": event, **fields}, ensure_ascii=False)
