"""The courses of a preparation whose histories are committed, beside those of meetings (tests/support/courses.py).

python -m tests.support.preparations        # records them anew into tests/histories (until the first release; say why)
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from clerk import preparing
from clerk.errors import DeskError
from clerk.preparing import CreateRequest
from tests.support.meetings import House, agenda, house, temporal_server

HISTORIES = Path(__file__).parents[1] / "histories"
PREFIX = "preparation_"
TOPIC = "Should I walk more?"


async def _created(board: House, topic: str | None = TOPIC, policy: str = "remind", **fields: Any) -> str:
    settings = board.settings.model_copy(update={"on_review_deadline": policy, "remind_every": 0.5})
    request = CreateRequest(agenda=agenda(topic) if topic else None, provider="simulated", seed=7, **fields)
    return await preparing.create(board.client, board.store, settings, request, unattended=fields.pop("unattended", False))


async def _begun(board: House, meeting: str) -> None:
    await preparing.approve(board.client, board.store, meeting)
    await preparing.start(board.client, board.store, board.settings, meeting)


async def _talked_over(board: House) -> str:
    meeting = await _created(board, None)
    await preparing.request_agenda(board.client, board.store, meeting)
    await preparing.converse(board.client, board.store, meeting, "Can we add a sleep goal?")
    await preparing.revise(board.client, board.store, meeting, "Make it shorter.")
    await preparing.approve(board.client, board.store, meeting)
    await preparing.edit(board.client, board.store, meeting)
    await _begun(board, meeting)
    return meeting


async def _refused(board: House) -> str:
    meeting = await _created(board, None)
    for call in (
        preparing.approve(board.client, board.store, meeting),
        preparing.start(board.client, board.store, board.settings, meeting),
    ):
        with contextlib.suppress(DeskError):
            await call
    await preparing.request_agenda(board.client, board.store, meeting)
    await _begun(board, meeting)
    return meeting


async def _scheduled(board: House) -> str:
    meeting = await _created(board, scheduled_start=datetime.now(UTC) + timedelta(seconds=1))
    await preparing.approve(board.client, board.store, meeting)
    return meeting


async def _reminded(board: House) -> str:
    meeting = await _created(board, review_deadline=datetime.now(UTC) + timedelta(seconds=0.2))
    await asyncio.sleep(1.5)
    await _begun(board, meeting)
    return meeting


async def _held_at_deadline(board: House) -> str:
    return await _created(board, policy="hold", review_deadline=datetime.now(UTC) + timedelta(seconds=0.2))


async def _dropped(board: House) -> str:
    return await _created(board, policy="drop", review_deadline=datetime.now(UTC) + timedelta(seconds=0.2))


async def _unattended(board: House) -> str:
    request = CreateRequest(attendees="auto", provider="simulated", seed=7, name="Weekly")
    return await preparing.create(board.client, board.store, board.settings, request, unattended=True)


COURSES: dict[str, Callable[[House], Awaitable[str]]] = {
    "talked_over": _talked_over,
    "refused": _refused,
    "scheduled": _scheduled,
    "reminded": _reminded,
    "held_at_deadline": _held_at_deadline,
    "dropped": _dropped,
    "unattended": _unattended,
}


async def _record() -> None:
    for old in HISTORIES.glob(f"{PREFIX}*.json"):
        old.unlink()
    with temporal_server() as address:
        for name, course in COURSES.items():
            with tempfile.TemporaryDirectory() as folder:
                async with house(address, Path(folder)) as board:
                    meeting = await course(board)
                    await asyncio.wait_for(board.client.get_workflow_handle(meeting).result(), 60)
                    runs = [run async for run in board.client.list_workflows(f'WorkflowId = "{meeting}"')]
                    first = min(runs, key=lambda run: run.start_time)
                    history = await board.client.get_workflow_handle(meeting, run_id=first.run_id).fetch_history()
                    file = HISTORIES / f"{PREFIX}{name}.json"
                    file.write_text(history.to_json().replace(str(HISTORIES.parents[1]), "boardroom") + "\n")
                    print(file.name, len(history.events))


if __name__ == "__main__":
    asyncio.run(_record())
