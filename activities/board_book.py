"""The board book of one meeting: the person's context folder and what the record knows, put together and kept (source 000)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection

from activities.book.building import build_book, with_precedents
from activities.book.pressing import topics
from activities.book.rendering import render_book
from activities.book.values import FromTheRecord, OpenAction, Precedent, Tabled, Waiting
from records import agendas, knowledge
from records.engine import Store
from records.meetings import MeetingRow

PUT_OFF_FOR = timedelta(days=180)
"""A tabled item older than this is offered no more."""


@dataclass(frozen=True)
class Book:
    """The book as it stands in the store, its pressing topics, and the earlier decisions in it, a line each."""

    text: str
    topics: tuple[str, ...]
    precedents: tuple[str, ...]


async def book_for(store: Store, folder: Path | None, meeting: MeetingRow, today: date) -> Book:
    """Build the meeting's book anew and keep it with the meeting: from then on every voice reads it from the store.

    Health data goes no other way than this: by reference, never through a workflow (law 6, SERVICE_SECURITY 10).
    """
    zone = ZoneInfo(meeting.zone)

    async def known(tx: AsyncConnection) -> FromTheRecord:
        since = datetime.combine(today, time(), zone).astimezone(UTC) - PUT_OFF_FOR
        return FromTheRecord(
            waiting=tuple(
                Waiting(p.id, p.meeting_id, p.topic, p.text, p.decided_at.astimezone(zone).date())
                for p in await knowledge.waiting(tx, meeting.owner)
            ),
            actions=tuple(
                OpenAction(t.id, t.task, t.owner, t.deadline, t.resolution_id, t.meeting_id)
                for t in await knowledge.open_tasks(tx, meeting.owner)
            ),
            tabled=tuple(
                Tabled(p.item_id, p.meeting_id, p.topic, p.status, p.at.astimezone(zone).date())
                for p in await knowledge.put_off(tx, meeting.owner, since)
                if p.meeting_id != meeting.id
            ),
        )

    from_record = await store.look(known)
    book = await asyncio.to_thread(lambda: build_book(folder, today=today, known=from_record))
    pressing = topics(book)

    async def earlier(tx: AsyncConnection) -> tuple[Precedent, ...]:
        found = await knowledge.precedents(tx, meeting.owner, [meeting.name, *pressing], but=meeting.id)
        dissents = await knowledge.dissents(tx, [paper.id for paper in found])
        return tuple(
            Precedent(
                p.id,
                p.meeting_id,
                p.topic,
                p.text,
                p.status,
                p.decided_at.astimezone(zone).date(),
                dissents.get(p.id, ()),
            )
            for p in found
        )

    precedents = await store.look(earlier)
    text = render_book(with_precedents(book, precedents), today=today)
    await store.run(lambda tx: agendas.set_fields(tx, meeting.id, board_book=text))
    return Book(text, pressing, tuple(f"{p.topic}: {p.outcome} on {p.on} ({p.resolution_id})" for p in precedents))
