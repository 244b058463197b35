"""Five meetings over the example context: the fifth's board book, agenda and dashboard show what the first four left.

The expectations are written by hand from what the four meetings are made to do: votes and action items are the test's own.
"""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from clerk import actions, preparing, resolutions
from clerk.access import OWNER
from clerk.dashboard import dashboard
from cli.dashboard_page import page
from parliament.following import ResolutionStatus
from records import meetings, schema
from tests.support.meetings import House, agenda
from tests.support.messages_service import Behaviour
from tests.workflows.conftest import anthropic_house

EXAMPLE = Path(__file__).parents[2] / "examples" / "context"

pytestmark = [pytest.mark.server, pytest.mark.timeout(170)]


def motion(words: str) -> dict[str, Any]:
    return {"motion": f"RESOLVED, That the shareholder shall {words} by 1 February 2027."}


def todo(task: str, deadline: str | None) -> dict[str, Any]:
    return {"action_items": [{"task": task, "owner": "shareholder", "deadline": deadline}]}


FOUR: tuple[tuple[int, str, dict[str, dict[str, Any]], dict[str, Any] | None], ...] = (
    # days ago, topic, replies, the person's answer
    (
        60,
        "Weekly cardio sessions",
        {
            "/motion/": motion("increase the weekly cardio to 3 sessions"),
            "/action_items/": todo("Run on Tuesdays", "in two weeks"),
        },
        {"response": "accept"},
    ),
    (
        40,
        "Sleep before the exam",
        {"/motion/": motion("begin each night at 22:30"), "/action_items/": todo("Buy an alarm clock", None)},
        None,
    ),
    (
        20,
        "Weekly cardio sessions",
        {
            "/motion/": motion("reduce the weekly cardio to 1 session"),
            "/action_items/": todo("Walk on Sundays", "in three weeks"),
        },
        None,
    ),
    (
        5,
        "The weekly cardio session",
        {"/debate/.*/dalio$": {"procedural": "lay_on_table"}, "/motion/": motion("keep a log of the cardio")},
        None,
    ),
)


async def hold(board: House, service: Behaviour, days: int, topic: str, replies: dict[str, dict[str, Any]]) -> str:
    """Hold a meeting, and move it so many days into the past."""
    service.replies.clear()
    service.replies.update(replies)
    record = await board.hold(agenda(topic), name=topic)
    back = timedelta(days=days)

    async def shift(tx: Any) -> None:
        for table, columns in (
            (schema.meetings, ("created_at", "started_at", "completed_at")),
            (schema.motions, ("created_at", "closed_at")),
            (schema.action_items, ("created_at",)),
            (schema.resolutions, ("created_at",)),
        ):
            where = table.c.id == record.id if table is schema.meetings else table.c.meeting_id == record.id
            for row in (await tx.execute(table.select().where(where))).all():
                moved = {name: getattr(row, name) - back for name in columns if getattr(row, name) is not None}
                await tx.execute(update(table).where(table.c.id == row.id).values(**moved))
        # The deadline's words are read anew, against the day that the meeting has now.
        await tx.execute(
            update(schema.action_items).where(schema.action_items.c.meeting_id == record.id).values(due=None, reading="")
        )

    await board.store.run(shift)
    return record.id


def section(text: str, heading: str) -> str:
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    assert found, heading
    return found[1]


async def test_the_fifth_meeting_knows_what_is_open(server: str, tmp_path: Path, messages: tuple[str, Behaviour]) -> None:
    url, service = messages
    async with anthropic_house(server, tmp_path, url, context_dir=EXAMPLE, secretary=False) as board:
        held: list[str] = []
        for days, topic, replies, response in FOUR:
            held.append(await hold(board, service, days, topic, replies))
            if response is not None:
                await resolutions.respond(
                    board.client, board.store, board.settings, f"RES-{held[-1]}-1", OWNER, response["response"]
                )
                await move_answer(board, f"RES-{held[-1]}-1", days - 1)
        service.replies.clear()
        await actions.add(board.store, board.settings, OWNER, "Call the landlord", deadline="in three days")
        first, second, third, fourth = held
        meeting = await preparing.create(board.client, board.store, board.settings, preparing.CreateRequest(name="The fifth"))
        await preparing.request_agenda(board.client, board.store, meeting)
        asked = json.dumps(service.requests[-1], ensure_ascii=False)
        async with board.store.read() as tx:
            book = (await meetings.get(tx, meeting)).board_book
        view = await dashboard(board.store, board.settings)
        html = page(view)

    # The board book
    waiting = section(book, "Resolutions that wait for an answer")
    assert f"RES-{second}-1" in waiting and f"RES-{third}-1" in waiting
    assert f"RES-{first}-1" not in waiting
    open_items = section(book, "Open action items")
    due = datetime.now(UTC).date() - timedelta(days=60) + timedelta(days=14)
    lines = [line for line in open_items.splitlines() if line.startswith("- ")]
    assert "Run on Tuesdays" in lines[0] and "OVERDUE since" in lines[0]
    assert abs((date.fromisoformat(re.findall(r"\d{4}-\d{2}-\d{2}", lines[0])[0]) - due).days) <= 1  # zones
    assert sorted(line.rpartition(": ")[2] for line in lines) == sorted(
        ("Run on Tuesdays", "Buy an alarm clock", "Walk on Sundays", "Call the landlord")
    )
    assert sum("OVERDUE" in line for line in lines) == 1
    assert "The weekly cardio session" in section(book, "Tabled items")
    followed = section(book, "Resolutions that are followed")
    assert f"RES-{first}-1, Weekly cardio sessions, OVERDUE" in followed and "1 overdue" in followed
    assert f"RES-{second}-1, Sleep before the exam, STALE" in followed
    opposed = section(book, "Decisions that contradict an earlier one")
    assert "increase the weekly cardio" in opposed and "reduce the weekly cardio" in opposed
    assert opposed.index(f"RES-{first}-1") < opposed.index(f"RES-{third}-1")
    assert "3 meetings" in section(book, "Topics that keep coming back")
    precedent = section(book, "Precedent: earlier resolutions on these topics")
    assert f"RES-{first}-1" in precedent

    # The agenda: what the chairman is asked to draft it from
    for pressing in (
        "Overdue since", "Decisions that contradict each other: Weekly cardio sessions", "Nothing moves: Sleep before the exam",
        "From the table: The weekly cardio session", "Waiting for an answer: Sleep before the exam",
        "Back again after 3 meetings",
    ):  # fmt: skip
        assert pressing in asked, pressing

    # The dashboard
    stands = {paper.id: paper.status for paper in view.papers}
    assert stands == {
        f"RES-{first}-1": ResolutionStatus.OVERDUE,
        f"RES-{second}-1": ResolutionStatus.STALE,
        f"RES-{third}-1": ResolutionStatus.WAITING,
    }
    assert [one.earlier.id for one in view.opposed] == [f"RES-{first}-1"]
    assert len(view.durations) == 4
    assert "1 overdue" in html and "1 stale" in html and "1 waiting" in html
    assert fourth not in html.partition("Meetings: planned and actual")[0]  # it decided nothing


async def move_answer(board: House, resolution: str, days: int) -> None:
    """The answer was given so many days ago, and nothing moved since."""
    back = timedelta(days=days)

    async def shift(tx: Any) -> None:
        changes = schema.resolution_changes
        for row in (await tx.execute(changes.select().where(changes.c.resolution_id == resolution))).all():
            await tx.execute(update(changes).where(changes.c.id == row.id).values(at=row.at - back))

    await asyncio.sleep(0.3)  # its workflow has looked, and holds nothing of what is moved
    await board.store.run(shift)
