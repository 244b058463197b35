"""Convening in tests: a context folder with goals off track, schedules that are triggered, and the courses of a convener."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import time
from pathlib import Path
from typing import Any

from temporalio.client import WorkflowHandle

from clerk import scheduling
from clerk.timetable import Timetable
from parliament.values import MeetingStatus
from records import convenings, meetings
from records.convenings import Convening
from records.meetings import MeetingRow
from tests.support.meetings import House, house
from workflows.messages import CONVENE, ConveneInput, ConveneOutcome, meetings_queue, schedule_queue

SUNDAYS = Timetable((0,), time(6, 0), "America/Los_Angeles")
DAILY = Timetable(tuple(range(7)), time(7, 0), "America/Los_Angeles")

CANARIES = ("Lower my zebrafish pressure", "Sleep off the marmalade apnoea")
"""Titles of goals that are off track: words which stand nowhere else, and must stand nowhere in Temporal (law 15)."""
CANARY_WORDS = ("zebrafish", "marmalade")

SHORT = {"meeting_deadline": 60.0, "closing_allowance": -56.0, "schedule_drafting": 0.5}
"""A limit of 4.5 seconds for a meeting that may take a minute."""


def write_goals(folder: Path, *titles: str, on_track: int = 1) -> Path:
    """A context folder in which the goals of these titles are off track."""
    active = folder / "goals" / "active"
    active.mkdir(parents=True, exist_ok=True)
    for old in active.glob("*.json"):
        old.unlink()
    for n, title in enumerate(titles):
        goal = {"id": f"off-{n}", "title": title, "progress_percent": 10 + n, "status": "off_track"}
        (active / f"off-{n}.json").write_text(json.dumps(goal))
    for n in range(on_track):
        goal = {"id": f"on-{n}", "title": f"Read a book {n}", "progress_percent": 80, "status": "on_track"}
        (active / f"on-{n}.json").write_text(json.dumps(goal))
    return folder


async def fired(board: House, kind: scheduling.ScheduleKind) -> WorkflowHandle[Any, ConveneOutcome]:
    """Set the schedule if it is not, and trigger it; its convener."""
    table = SUNDAYS if kind == "weekly" else DAILY
    if await scheduling.find(board.client, board.store, kind) is None:
        await scheduling.set_schedule(board.client, board.store, board.settings, kind, table)
    convener = await scheduling.trigger(board.client, board.store, kind)
    return board.client.get_workflow_handle(convener, result_type=ConveneOutcome)


async def row(board: House, convener: str) -> Convening:
    async with board.store.read() as tx:
        found = await convenings.get(tx, convener)
    assert found is not None
    return found


async def meeting_of(board: House, convener: str) -> MeetingRow:
    """The meeting of a convener, as soon as it is opened."""

    async def opened() -> MeetingRow | None:
        async with board.store.read() as tx:
            found = await convenings.get(tx, convener)
            return await meetings.find(tx, found.meeting_id) if found is not None and found.meeting_id else None

    found: MeetingRow = await board.until(opened, "the meeting is opened")
    return found


async def begun(board: House, meeting: str) -> None:
    """Wait until the meeting is in progress."""

    async def runs() -> bool:
        return (await board.record(meeting)).status is MeetingStatus.IN_PROGRESS

    await board.until(runs, "the meeting runs")


async def waiting(board: House, catchup: float) -> WorkflowHandle[Any, ConveneOutcome]:
    """A convener that was started while nobody was there."""
    id_ = scheduling.schedule_id(board.store, "weekly")
    return await board.client.start_workflow(
        CONVENE,
        ConveneInput(schedule_id=id_, meetings_queue=meetings_queue(board.store.store_id), catchup=catchup),
        id=f"convene-{board.store.store_id}-weekly-2026-12-06T14:00:00Z",
        task_queue=schedule_queue(board.store.store_id),
        result_type=ConveneOutcome,
    )


# -- courses whose histories are committed -----------------------------------------------------------------------------


async def _to_its_end(board: House, kind: scheduling.ScheduleKind) -> str:
    handle = await fired(board, kind)
    await asyncio.wait_for(handle.result(), 90)
    return handle.id


async def _weekly(address: str, folder: Path) -> tuple[House, str]:
    context = write_goals(folder / "context", *CANARIES)
    async with house(address, folder / "data", schedules=True, context_dir=context) as board:
        return board, await _to_its_end(board, "weekly")


async def _drift(address: str, folder: Path) -> tuple[House, str]:
    context = write_goals(folder / "context", *CANARIES)
    async with house(address, folder / "data", schedules=True, context_dir=context) as board:
        return board, await _to_its_end(board, "drift")


async def _nothing(address: str, folder: Path) -> tuple[House, str]:
    context = write_goals(folder / "context")
    async with house(address, folder / "data", schedules=True, context_dir=context) as board:
        return board, await _to_its_end(board, "drift")


async def _failed(address: str, folder: Path) -> tuple[House, str]:
    nowhere = Path("no-personas")
    async with house(address, folder / "data", schedules=True, personas_dir=nowhere, smtp_host="127.0.0.1") as board:
        return board, await _to_its_end(board, "weekly")


async def _timeout(address: str, folder: Path) -> tuple[House, str]:
    async with house(address, folder / "data", schedules=True, rules=SHORT) as board:
        handle = await fired(board, "weekly")
        meeting = (await meeting_of(board, handle.id)).id
        await begun(board, meeting)
        await board.client.get_workflow_handle(meeting).signal("pause")
        await asyncio.wait_for(handle.result(), 60)
        await board.client.get_workflow_handle(meeting).terminate()
        return board, handle.id


async def _missed(address: str, folder: Path) -> tuple[House, str]:
    async with house(address, folder / "data") as passing:
        handle = await waiting(passing, catchup=1.0)
        await asyncio.sleep(1.2)
    async with house(address, folder / "data", schedules=True) as board:
        await asyncio.wait_for(board.client.get_workflow_handle(handle.id).result(), 30)
        return board, handle.id


CONVENINGS: dict[str, Callable[[str, Path], Awaitable[tuple[House, str]]]] = {
    "convened_weekly": _weekly,
    "convened_for_drift": _drift,
    "convened_nothing_to_do": _nothing,
    "convened_failed_and_told": _failed,
    "convened_timeout": _timeout,
    "convened_missed": _missed,
}
"""Name of a convener's course -> what runs it, on a server and in a folder of its own; the convener's workflow id."""
