"""What earlier meetings leave for the next one: what waits for an answer, what is to be done, what was put off, precedent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.values import Disposition
from records import schema, search

_M = schema.meetings
_R = schema.resolutions
_Q = schema.motions
_I = schema.agenda_items
_T = schema.action_items
_D = schema.dissents


@dataclass(frozen=True, slots=True)
class Paper:
    """A resolution and the motion it is the paper of."""

    id: str
    meeting_id: str
    topic: str
    text: str
    status: str  # how the motion ended
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class Task:
    """An action item that is not done."""

    id: str
    meeting_id: str
    resolution_id: str | None
    task: str
    owner: str
    deadline: str | None  # as it was said
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PutOff:
    """An item that a meeting tabled or did not reach."""

    meeting_id: str
    item_id: str
    topic: str
    status: str
    description: str
    at: datetime


async def waiting(tx: AsyncConnection, owner: str) -> list[Paper]:
    """Adopted resolutions that the person has not answered, the oldest first."""
    rows = await tx.execute(
        _papers(owner)
        .where(_Q.c.status == Disposition.ADOPTED.value, _R.c.user_response.is_(None))
        .order_by(_R.c.created_at, _R.c.id)
    )
    return [Paper(*row) for row in rows]


async def paper(tx: AsyncConnection, resolution_id: str) -> Paper | None:
    """One resolution, by its id."""
    row = (await tx.execute(_columns().where(_R.c.id == resolution_id))).one_or_none()
    return Paper(*row) if row is not None else None


async def meeting_of(tx: AsyncConnection, resolution_id: str, owner: str) -> str | None:
    """The meeting of a person's resolution; None where there is none, or it is somebody else's."""
    query = select(_R.c.meeting_id).join(_M, _M.c.id == _R.c.meeting_id).where(_R.c.id == resolution_id, _M.c.owner == owner)
    return await tx.scalar(query)


async def with_resolutions(tx: AsyncConnection, owner: str, limit: int = 300) -> list[str]:
    """The person's meetings that left resolutions, the newest first."""
    held = select(_R.c.meeting_id).distinct().scalar_subquery()
    query = select(_M.c.id).where(_M.c.owner == owner, _M.c.id.in_(held)).order_by(_M.c.created_at.desc(), _M.c.id).limit(limit)
    return list((await tx.execute(query)).scalars())


async def adopted(tx: AsyncConnection, meeting_id: str) -> int:
    """How many resolutions a meeting adopted."""
    rows = await tx.execute(_columns().where(_R.c.meeting_id == meeting_id, _Q.c.status == Disposition.ADOPTED.value))
    return len(rows.all())


async def open_tasks(tx: AsyncConnection, owner: str) -> list[Task]:
    """Action items that are not done, the oldest first."""
    rows = await tx.execute(
        select(_T.c.id, _T.c.meeting_id, _T.c.resolution_id, _T.c.task, _T.c.owner, _T.c.deadline, _T.c.created_at)
        .join(_M, _M.c.id == _T.c.meeting_id)
        .where(_M.c.owner == owner, _T.c.status == "pending")
        .order_by(_T.c.created_at, _T.c.id)
    )
    return [Task(*row) for row in rows]


async def put_off(tx: AsyncConnection, owner: str, since: datetime) -> list[PutOff]:
    """Items tabled or not reached since then whose topic no later meeting has taken up, the newest first."""
    rows = (
        await tx.execute(
            select(_I.c.meeting_id, _I.c.id, _I.c.topic, _I.c.status, _I.c.description, _M.c.created_at)
            .join(_M, _M.c.id == _I.c.meeting_id)
            .where(_M.c.owner == owner, _M.c.created_at >= since, _M.c.started_at.is_not(None))
            .order_by(_M.c.created_at.desc(), _I.c.number)
        )
    ).all()
    seen: set[str] = set()
    found = []
    for row in rows:
        key = row.topic.casefold()
        if row.status in ("tabled", "unfinished") and key not in seen:
            found.append(PutOff(*row))
        if row.status != "pending":
            seen.add(key)
    return found


async def topics(tx: AsyncConnection, owner: str, since: datetime, *, but: str = "") -> list[tuple[str, str]]:
    """(meeting, topic) of every item that a meeting has taken up since then, in order of time. `but`: not of this meeting."""
    rows = await tx.execute(
        select(_I.c.meeting_id, _I.c.topic)
        .join(_M, _M.c.id == _I.c.meeting_id)
        .where(_M.c.owner == owner, _M.c.started_at >= since, _I.c.status != "pending", _M.c.id != but)
        .order_by(_M.c.started_at, _M.c.id, _I.c.number)
    )
    return [(row.meeting_id, row.topic) for row in rows]


async def precedents(tx: AsyncConnection, owner: str, topics: list[str], *, but: str = "", limit: int = 5) -> list[Paper]:
    """Earlier resolutions on the same topics, by full-text search; the best match first. `but`: not of this meeting."""
    hits = await search.find(tx, " ".join(topics), kind="resolution", owner=owner, but=but, limit=limit)
    if not hits:
        return []
    rows = await tx.execute(_papers(owner).where(_R.c.id.in_([hit.ref for hit in hits])))
    papers = {row.id: Paper(*row) for row in rows}
    return [papers[hit.ref] for hit in hits if hit.ref in papers]


async def dissents(tx: AsyncConnection, resolution_ids: list[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The dissents from each of these resolutions, as (member, statement): they are never dropped (law 10)."""
    if not resolution_ids:
        return {}
    rows = await tx.execute(
        select(_R.c.id, _D.c.member_id, _D.c.statement)
        .join(_D, _D.c.question_id == _R.c.motion_id)
        .where(_R.c.id.in_(resolution_ids))
        .order_by(_R.c.id, _D.c.member_id)
    )
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in rows:
        found[row.id] = (*found.get(row.id, ()), (row.member_id, row.statement))
    return found


def _columns() -> Select[Any]:
    return (
        select(_R.c.id, _R.c.meeting_id, _R.c.topic, _Q.c.text, _Q.c.status, _R.c.created_at)
        .join(_Q, _Q.c.id == _R.c.motion_id)
        .join(_M, _M.c.id == _R.c.meeting_id)
    )


def _papers(owner: str) -> Select[Any]:
    return _columns().where(_M.c.owner == owner)
