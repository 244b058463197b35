"""When a command stops following a meeting: driven by looks in an order that a fast machine gives only now and then.

Everything else about holding a meeting is tested by whole meetings, in test_meet.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import pytest

from clerk import following
from clerk.events import Event, StatusEvent, TurnEvent
from cli.holding import _Evening, _Interrupts
from parliament.record import TurnRecord
from parliament.values import CLERK, MeetingStatus, Phase


def standing(status: MeetingStatus) -> StatusEvent:
    return StatusEvent(status, Phase.OPENING, None, None, "too few members answer", "aurelius")


def line(seq: int, purpose: str) -> TurnEvent:
    return TurnEvent(
        TurnRecord(
            seq=seq, id=str(seq), item_id=None, phase=Phase.OPENING, purpose=purpose, round=0, member_id=CLERK, name="", text=""
        )
    )


LOST, GOING = standing(MeetingStatus.QUORUM_LOST), standing(MeetingStatus.IN_PROGRESS)
OLD = [line(7, "no_quorum"), line(8, "halted")]


async def looks_taken(monkeypatch: pytest.MonkeyPatch, known: int | None, *looks: list[Event]) -> tuple[int, MeetingStatus]:
    """After how many of the looks the command leaves, and in which status; a command that stays would wait for ever."""
    taken = 0

    async def scripted(*_: Any, **__: Any) -> AsyncGenerator[list[Event], None]:
        nonlocal taken
        for events in looks:
            taken += 1
            yield events
        await asyncio.Event().wait()

    monkeypatch.setattr(following, "looks", scripted)
    evening = _Evening(SimpleNamespace(store=None), "mtg-1234abcd", _Interrupts(), known=known, as_json=True)  # type: ignore[arg-type]
    await asyncio.wait_for(evening._follow(), 5)
    return taken, evening.status


async def test_the_old_halt_of_a_resumed_meeting_does_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = ([*OLD, LOST], [], [line(9, "resumed"), GOING], [], [line(10, "halted"), LOST])
    assert await looks_taken(monkeypatch, 8, *looks) == (5, MeetingStatus.QUORUM_LOST)


async def test_a_resumed_meeting_that_halts_again_between_two_looks_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other status was ever seen, so none is told; the command waited for one, for ever."""
    looks: tuple[list[Event], ...] = ([*OLD, LOST], [line(9, "resumed"), line(10, "no_quorum"), line(11, "halted")])
    assert await looks_taken(monkeypatch, 8, *looks) == (2, MeetingStatus.QUORUM_LOST)


async def test_a_resumed_meeting_that_halts_again_before_the_first_look_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await looks_taken(monkeypatch, 8, [*OLD, line(9, "resumed"), line(10, "halted"), LOST]) == (
        1,
        MeetingStatus.QUORUM_LOST,
    )


async def test_a_turn_before_a_status_of_the_same_look_is_not_taken_with_the_old_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: tuple[list[Event], ...] = ([*OLD, LOST], [line(9, "resumed"), GOING], [line(10, "halted"), LOST])
    assert await looks_taken(monkeypatch, 8, *looks) == (3, MeetingStatus.QUORUM_LOST)


async def test_a_meeting_that_was_just_opened_is_left_at_its_first_halt(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await looks_taken(monkeypatch, None, [line(1, "halted"), LOST]) == (1, MeetingStatus.QUORUM_LOST)
