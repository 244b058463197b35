"""The board book of one meeting: the person's context folder and what the record knows, put together and kept (source 000)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection

from activities.book.building import build_book, with_precedents
from activities.book.pressing import topics
from activities.book.rendering import render_book
from activities.book.values import FromTheRecord, OpenAction, Opposed, Precedent, Returning, Standing, Tabled, Waiting
from parliament.deadlines import read_deadline
from parliament.following import ENDED, Plan, ResolutionStatus, status
from parliament.tracking import Decision, contradictions, repeated
from records import agendas, following, knowledge, ledger
from records.engine import Store
from records.following import Tracked
from records.ledger import Entry
from records.meetings import MeetingRow

RETURNS = 3
"""So many meetings make a topic one that keeps coming back."""
PUT_OFF_FOR = timedelta(days=180)
"""A tabled item older than this is offered no more."""


@dataclass(frozen=True)
class Book:
    """The book as it stands in the store, its pressing topics, and the earlier decisions in it, a line each."""

    text: str
    topics: tuple[str, ...]
    precedents: tuple[str, ...]


async def book_for(
    store: Store, folder: Path | None, meeting: MeetingRow, today: date, *, stale_days: int = Plan().stale_days
) -> Book:
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
            actions=tuple(_open_action(entry) for entry in await ledger.entries(tx, meeting.owner, status=ledger.PENDING)),
            tabled=tuple(
                Tabled(p.item_id, p.meeting_id, p.topic, p.status, p.at.astimezone(zone).date())
                for p in await knowledge.put_off(tx, meeting.owner, since)
                if p.meeting_id != meeting.id
            ),
            **_across(
                [one for one in await following.tracked_of(tx, meeting.owner) if one.meeting_id != meeting.id],
                await knowledge.topics(tx, meeting.owner, since, but=meeting.id),
                datetime.combine(today, time(12), zone),
                Plan(stale_days=stale_days),
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


def _open_action(entry: Entry) -> OpenAction:
    """An item of the ledger; its deadline is read against the day it was set where nobody has read it yet."""
    due = entry.due
    if not entry.reading:
        due = read_deadline(entry.deadline, entry.created_at.astimezone(ZoneInfo(entry.meeting_zone or "UTC")).date()).due
    return OpenAction(entry.id, entry.task, entry.owner, entry.deadline, entry.resolution_id, entry.meeting_id, due)


def _across(papers: Sequence[Tracked], topics: Sequence[tuple[str, str]], now: datetime, plan: Plan) -> dict[str, Any]:
    """What shows only across meetings: where resolutions stand, what contradicts, what keeps coming back."""
    stands = {paper.id: status(paper.followed, now, plan) for paper in papers}
    shown = {ResolutionStatus.WAITING, *ENDED}
    today = now.date()
    alive = [paper for paper in papers if stands[paper.id] not in (ResolutionStatus.REJECTED, ResolutionStatus.SUPERSEDED)]
    named = {paper.id: _precedent(paper, stands[paper.id]) for paper in alive}
    return {
        "standing": tuple(
            Standing(
                paper.id,
                paper.topic,
                paper.text,
                stands[paper.id].value,
                paper.decided_at.astimezone(paper.zone).date(),
                sum(not (task.done or task.dropped) for task in paper.followed.tasks),
                sum(
                    not (task.done or task.dropped) and task.due is not None and task.due < today
                    for task in paper.followed.tasks
                ),
            )
            for paper in papers
            if stands[paper.id] not in shown
        ),
        "opposed": tuple(
            Opposed(named[one.earlier.id], named[one.later.id])
            for one in contradictions([Decision(paper.id, paper.topic, paper.text) for paper in alive])
        ),
        "returning": tuple(
            Returning(one.topic, met)
            for one in repeated(topics, times=RETURNS)
            if len(met := tuple(dict.fromkeys(one.ids))) >= RETURNS
        ),
    }


def _precedent(paper: Tracked, standing: ResolutionStatus) -> Precedent:
    return Precedent(
        paper.id, paper.meeting_id, paper.topic, paper.text, standing.value, paper.decided_at.astimezone(paper.zone).date()
    )
