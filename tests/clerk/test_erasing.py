"""Deleting a meeting everywhere, and erasing a person, on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import date
from pathlib import Path

import pytest
from temporalio.service import RPCError

from clerk import access, actions, erasing, preparing, reading, scheduling
from clerk.errors import DeskError, Kind
from clerk.preparing import CreateRequest
from clerk.timetable import timetable
from tests.support.meetings import House, agenda, house, temporal_server


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with temporal_server() as address:
        yield address


@pytest.fixture
async def board(server: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(server, tmp_path) as found:
        yield found


async def created(board: House, topic: str = "Should I see canary0042 again?", owner: str = access.OWNER) -> str:
    request = CreateRequest(agenda=agenda(topic), provider="simulated", seed=7)
    return await preparing.create(board.client, board.store, board.settings, request, owner=owner)


async def held(board: House) -> str:
    meeting = await created(board)
    await preparing.approve(board.client, board.store, meeting)
    await preparing.start(board.client, board.store, board.settings, meeting)
    await asyncio.wait_for(board.client.get_workflow_handle(meeting).result(), 60)
    await asyncio.wait_for(board.client.get_workflow_handle(f"after-{meeting}").result(), 60)
    return meeting


async def gone(board: House, meeting: str, *, history: bool = True) -> None:
    with pytest.raises(DeskError) as caught:
        await reading.known(board.store, meeting)
    assert caught.value.kind is Kind.UNKNOWN
    if not history:
        return

    async def forgotten() -> bool:
        # Whatever followed it is gone, too: its resolutions, the secretary's work.
        for workflow_id in (meeting, f"RES-{meeting}-1", f"after-{meeting}"):
            try:
                await board.client.get_workflow_handle(workflow_id).describe()
            except RPCError:
                continue
            return False
        return True

    # The server takes its time with a workflow that is closed: some 35 seconds.
    await board.until(forgotten, "the workflow is deleted", seconds=120)


async def test_a_meeting_that_is_over_is_deleted_everywhere(board: House, tmp_path: Path) -> None:
    meeting = await held(board)
    assert (await erasing.delete(board.client, board.store, meeting)).meetings == (meeting,)
    await gone(board, meeting)
    content = b"".join(file.read_bytes() for file in tmp_path.glob("boardroom.db*"))
    assert b"canary0042" not in content


async def test_a_meeting_in_preparation_is_deleted_and_its_workflow_ended(board: House) -> None:
    meeting = await created(board)
    await erasing.delete(board.client, board.store, meeting)
    await gone(board, meeting)


async def test_a_meeting_that_waits_to_be_resumed_is_not_deleted_by_the_way(board: House) -> None:
    board.settings = board.settings.model_copy(update={"simulated_faults": "silent:dalio,silent:roosevelt,silent:jobs"})
    handle = await board.open("Should I walk more?", faults="silent:dalio,silent:roosevelt,silent:davinci,silent:musk")

    async def waits() -> bool:
        return (await reading.status(board.store, handle.id)).value == "quorum_lost"

    await board.until(waits, "the quorum is lost")
    with pytest.raises(DeskError) as caught:
        await erasing.delete(board.client, board.store, handle.id)
    assert caught.value.kind is Kind.REFUSED
    assert "let it end" in caught.value.message
    with pytest.raises(DeskError):
        await erasing.erase(board.client, board.store, access.OWNER)
    assert (await erasing.erase(board.client, board.store, access.OWNER, force=True)).meetings == (handle.id,)
    await gone(board, handle.id)


async def test_a_person_is_erased_with_tokens_and_schedules_and_nobody_else_is(board: House) -> None:
    meeting = await held(board)
    other = await created(board, owner="livia")
    _, secret = await access.create_token(board.store, "laptop", ["reader"])
    _, hers = await access.create_token(board.store, "laptop", ["reader"], owner="livia")
    await scheduling.set_schedule(
        board.client,
        board.store,
        board.settings,
        "weekly",
        timetable("sun", "06:00", "America/Los_Angeles", today=date(2026, 12, 1)),
        name="Weekly",
        replace=False,
    )
    mine = await actions.add(board.store, board.settings, access.OWNER, "Call the landlord")
    hers_too = await actions.add(board.store, board.settings, "livia", "Call the landlord")
    await erasing.erase(board.client, board.store, access.OWNER)
    await gone(board, meeting, history=False)
    assert await actions.listing(board.store, access.OWNER) == []
    assert [entry.id for entry in await actions.listing(board.store, "livia")] == [hers_too.id] != [mine.id]
    assert await access.by_token(board.store, secret) is None
    assert await scheduling.find(board.client, board.store, "weekly") is None
    assert (await reading.known(board.store, other)).owner == "livia"
    assert await access.by_token(board.store, hers) is not None
