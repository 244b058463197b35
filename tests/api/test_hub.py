"""The hub by itself, where the moments can be chosen: who joins while the last one leaves, and who waits for its first look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api import hub
from api.hub import Hub
from clerk.events import Event, StatusEvent, TurnEvent
from parliament.record import TurnRecord
from parliament.values import MeetingStatus, Phase

MEETING = "mtg-00000001"


def spoken(seq: int) -> TurnEvent:
    return TurnEvent(
        TurnRecord(
            seq=seq, id=f"t{seq}", item_id=None, phase=Phase.OPENING, purpose="opening", round=1, member_id="dalio",
            name="Ray Dalio", text=f"Turn {seq}",
        )
    )  # fmt: skip


STANDING = StatusEvent(MeetingStatus.IN_PROGRESS, Phase.OPENING, None, None, None, "aurelius")


class Looks:
    """The looks at a meeting, let go one by one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.queue: asyncio.Queue[list[Event] | None] = asyncio.Queue()
        self.begun = 0
        monkeypatch.setattr("api.hub.following.looks", self.looks)
        monkeypatch.setattr("api.hub.reading.summary", self.summary)

    async def summary(self, store: Any, meeting_id: str) -> dict[str, Any]:
        return {"resolutions": []}

    async def looks(self, store: Any, meeting_id: str) -> AsyncIterator[list[Event]]:
        self.begun += 1
        while (events := await self.queue.get()) is not None:
            yield events


async def test_who_waits_for_the_first_look_is_not_sent_away_with_who_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks(monkeypatch)
    shared = Hub(None)

    async def joined() -> tuple[list[str], int | None]:
        async with shared.join(MEETING, "ann", 0) as (first, follower):
            return first, follower.code

    leaving, staying = asyncio.create_task(joined()), asyncio.create_task(joined())
    await asyncio.sleep(0.01)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    looks.queue.put_nowait([spoken(1), STANDING])
    first, code = await asyncio.wait_for(staying, 5)
    assert code is None
    assert len(first) == 3  # the phase, the turn, the status
    assert looks.begun == 1  # one reading for both


async def test_who_comes_when_the_last_one_has_left_gets_a_new_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks(monkeypatch)
    shared = Hub(None)
    for round_ in (1, 2):
        looks.queue.put_nowait([spoken(1), STANDING])
        async with shared.join(MEETING, "ann", 0) as (first, follower):
            assert (len(first), follower.code) == (3, None)
        assert looks.begun == round_
    assert shared._rooms == {}
    assert not shared._open


async def test_a_reader_that_reads_is_never_cut_and_one_that_does_not_is_cut_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "QUEUE", 4)
    looks = Looks(monkeypatch)
    shared = Hub(None)
    looks.queue.put_nowait([STANDING])
    async with shared.join(MEETING, "ann", 0) as (_, quick), shared.join(MEETING, "bob", 0) as (_, slow):
        heard = []
        texts = quick.texts()
        for seq in range(1, 10):
            looks.queue.put_nowait([spoken(seq)])
            heard.append(await asyncio.wait_for(anext(texts), 5))
        assert quick.code is None
        assert [f'"seq": {seq},' in text for seq, text in enumerate(heard, 1)] == [True] * 9
        assert (slow.code, slow.cut.is_set(), len(slow.waiting)) == (hub.SLOW, True, 4)


async def test_at_the_end_everything_is_sent_before_the_line_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks(monkeypatch)

    async def there(*_: Any) -> None: ...

    monkeypatch.setattr("api.hub.reading.status", there)
    shared = Hub(None)
    looks.queue.put_nowait([STANDING])
    async with shared.join(MEETING, "ann", 0) as (_, follower):
        looks.queue.put_nowait([spoken(1), spoken(2)])
        looks.queue.put_nowait(None)
        heard = [text async for text in follower.texts()]
        assert (len(heard), follower.code, follower.cut.is_set()) == (2, hub.OVER, False)
