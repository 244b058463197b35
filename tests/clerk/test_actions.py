"""The ledger at the desk: what is extracted from a transcript, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from clerk import actions
from clerk.errors import DeskError
from records import papers, turns
from records.engine import Store
from settings import Settings
from tests.support import stores

MEETING = "mtg-abc123"
SETTINGS = Settings(zone="UTC", provider="simulated")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(None, tmp_path / "data")
    yield opened
    await opened.close()


async def say(tx: Any, seq: int, member: str, text: str, **data: Any) -> None:
    await turns.add(tx, **stores.turn(seq, MEETING, member_id=member, text=text, data=data), clear_words=False)


async def test_what_a_transcript_says_is_to_be_done_is_added_once(store: Store) -> None:
    """A meeting that was brought along has its commands in the chairman's words (source 000, Command DSL)."""

    async def write(tx: Any) -> None:
        await stores.create_meeting(tx, MEETING, status="completed", ended_by="imported", chair="aurelius")
        await say(tx, 1, "aurelius", 'Adopted. {ACTION: "Schedule 3 cardio sessions" @shareholder "2026-12-10"} Well done.')
        await say(tx, 2, "dalio", 'I say {ACTION: "Pay Ray Dalio" @shareholder "today"}')
        await say(tx, 3, "aurelius", 'He said: "{ACTION: "Pay" @shareholder}" and {ACTION: "Ask again" @dalio "next Friday"}')

    await store.run(write)
    found = await actions.extract(store, "shareholder", MEETING)
    tasks = {entry.task: entry for entry in found.added}
    assert tasks["Schedule 3 cardio sessions"].due == date(2026, 12, 10)
    assert (tasks["Ask again"].owner, tasks["Ask again"].due) == ("dalio", date(2026, 12, 11))  # said on a Tuesday
    assert not any("Pay" in task for task in tasks)
    await store.run(lambda tx: say(tx, 4, "aurelius", 'And {ACTION: "Ask the neighbours" @nobody "31 February"} please.'))
    (unread,) = (await actions.extract(store, "shareholder", MEETING)).unread
    assert "Ask the neighbours" in unread and "nobody" in unread
    again = await actions.extract(store, "shareholder", MEETING)
    assert (again.found, again.added) == (found.found, ())
    with pytest.raises(DeskError):
        await actions.extract(store, "somebody else", MEETING)


async def test_the_same_key_adds_once_and_an_item_turns_once(store: Store) -> None:
    one = await actions.add(store, SETTINGS, "shareholder", "Call the landlord", key="k")
    assert (await actions.add(store, SETTINGS, "shareholder", "Call the landlord", key="k")).id == one.id
    with pytest.raises(DeskError, match="another item") as refused:
        await actions.add(store, SETTINGS, "shareholder", "Call the landlord", deadline="2027-01-01", key="k")
    assert refused.value.kind == "refused"
    assert len(await actions.listing(store, "shareholder")) == 1
    assert (await actions.turn(None, store, "shareholder", one.id, done=True)).status == "done"
    with pytest.raises(DeskError, match="already"):
        await actions.turn(None, store, "shareholder", one.id, done=True)
    with pytest.raises(DeskError, match="no action item"):
        await actions.turn(None, store, "somebody else", one.id, done=False)


async def test_law_03_a_command_that_was_ruled_out_of_order_asks_for_nothing(store: Store) -> None:
    """In a meeting held here, whoever presided then: the commands that were read are kept, and so is the ruling."""
    ask, pay = '{ACTION: "Ask again" @dalio}', '{ACTION: "Pay" @shareholder}'

    async def write(tx: Any) -> None:
        await stores.create_meeting(tx, MEETING, status="completed", ended_by="agenda", chair="aurelius")
        await say(tx, 1, "dalio", "I preside.", commands=[pay, ask])  # the chair passed on
        await papers.add_ruling(
            tx, meeting_id=MEETING, seq=1, n=0, kind="refused_command", member_id="dalio", item_id="agenda-1", text=pay,
            result="out of order", reason="nothing was adopted", rule="",
        )  # fmt: skip

    await store.run(write)
    found = await actions.extract(store, "shareholder", MEETING)
    assert [entry.task for entry in found.added] == ["Ask again"]
