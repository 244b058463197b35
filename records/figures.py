"""Figures over all of a person's meetings: how members voted, how votes could be read, how long meetings took."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.motions import MotionKind
from records import schema

_M = schema.meetings
_I = schema.agenda_items
_V = schema.votes
_B = schema.ballots
_Q = schema.motions


@dataclass(frozen=True, slots=True)
class CastVote:
    """What the record says of one seat on one main motion; of several rounds the last that was not void."""

    meeting_id: str
    question_id: str
    member_id: str
    choice: str
    reading: str


@dataclass(frozen=True, slots=True)
class Duration:
    """A meeting's planned minutes, and the seconds that its items took, without pauses. None: not one was taken up."""

    meeting_id: str
    name: str
    started_at: datetime
    zone: str
    planned_minutes: int
    actual_seconds: float | None
    ended_by: str | None
    simulated: bool


async def votes(tx: AsyncConnection, owner: str) -> list[CastVote]:
    """Every seat's vote on every main motion that was decided by a vote, in the order of the decisions."""
    last = (
        select(_B.c.question_id, func.max(_B.c.round).label("round"))
        .where(_B.c.outcome.is_not(None))
        .group_by(_B.c.question_id)
        .subquery()
    )
    rows = await tx.execute(
        select(_V.c.meeting_id, _V.c.question_id, _V.c.member_id, _V.c.choice, _V.c.reading)
        .join(last, (last.c.question_id == _V.c.question_id) & (last.c.round == _V.c.round))
        .join(_Q, _Q.c.id == _V.c.question_id)
        .join(_M, _M.c.id == _V.c.meeting_id)
        .where(_M.c.owner == owner, _Q.c.kind == MotionKind.MAIN.value)
        .order_by(_Q.c.created_at, _Q.c.id, _V.c.member_id)
    )
    return [CastVote(*row) for row in rows]


async def readings(tx: AsyncConnection, owner: str) -> dict[str, int]:
    """How the replies of all votes could be read, on whatever question: exact, tolerant or failed -> how many."""
    rows = await tx.execute(
        select(_V.c.reading, func.count())
        .join(_M, _M.c.id == _V.c.meeting_id)
        .where(_M.c.owner == owner, _V.c.choice.not_in(("ABSENT", "NO_REPLY")))
        .group_by(_V.c.reading)
    )
    return {row[0]: row[1] for row in rows}


async def choices(tx: AsyncConnection, owner: str) -> dict[str, int]:
    """What stands in the record for all votes, on whatever question -> how many."""
    rows = await tx.execute(
        select(_V.c.choice, func.count()).join(_M, _M.c.id == _V.c.meeting_id).where(_M.c.owner == owner).group_by(_V.c.choice)
    )
    return {row[0]: row[1] for row in rows}


async def durations(tx: AsyncConnection, owner: str) -> list[Duration]:
    """The meetings that were held, in order of time."""
    planned = func.coalesce(func.sum(_I.c.time_minutes), 0)
    rows = await tx.execute(
        select(
            _M.c.id,
            _M.c.name,
            _M.c.started_at,
            _M.c.zone,
            planned,
            func.sum(_I.c.active_seconds),
            _M.c.ended_by,
            _M.c.simulated,
        )
        .join(_I, _I.c.meeting_id == _M.c.id, isouter=True)
        .where(_M.c.kind == "board", _M.c.owner == owner, _M.c.started_at.is_not(None))
        .group_by(_M.c.id)
        .order_by(_M.c.started_at, _M.c.id)
    )
    return [Duration(*row) for row in rows]


async def names(tx: AsyncConnection, owner: str) -> dict[str, str]:
    """Member id -> the name under which it sat last."""
    rows = await tx.execute(select(_M.c.config).where(_M.c.owner == owner).order_by(_M.c.created_at))
    return {member["id"]: member["name"] for row in rows for member in row.config.get("members", ())}
