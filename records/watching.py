"""What a follower asks again and again while a meeting runs: a few narrow columns, none of the texts that never change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a meeting stands."""

    status: str
    phase: str | None
    item_id: str | None
    ended_by: str | None
    error: str | None
    chair: str


@dataclass(frozen=True, slots=True)
class Question:
    """A motion or amendment that is before the board. `degree` 0: a motion."""

    id: str
    degree: int
    kind: str
    text: str
    mover: str
    seconder: str | None
    amended: bool


async def standing(tx: AsyncConnection, meeting_id: str) -> Standing | None:
    """None for an unknown meeting."""
    m, i = schema.meetings, schema.agenda_items
    item = select(i.c.id).where(i.c.meeting_id == meeting_id, i.c.status == "open").limit(1).scalar_subquery()
    row = (
        await tx.execute(
            select(m.c.status, m.c.phase, item.label("item_id"), m.c.ended_by, m.c.error, m.c.chair).where(m.c.id == meeting_id)
        )
    ).one_or_none()
    return Standing(*row) if row is not None else None


async def question(tx: AsyncConnection, meeting_id: str) -> Question | None:
    """The immediately pending question: an amendment that was seconded, of the highest degree, else a motion not yet ended."""
    m, a = schema.motions, schema.amendments
    motions = await tx.execute(
        select(m.c.id, m.c.kind, m.c.text, m.c.mover, m.c.seconder, m.c.original_text)
        .where(m.c.meeting_id == meeting_id, m.c.closed_at.is_(None))
        .order_by(m.c.created_at.desc(), m.c.id.desc())
        .limit(1)
    )
    motion = motions.one_or_none()
    if motion is None:
        return None
    amendments = await tx.execute(
        select(a.c.id, a.c.degree, a.c.text, a.c.mover, a.c.seconder)
        .where(a.c.motion_id == motion.id, a.c.closed_at.is_(None), a.c.seconder.is_not(None))
        .order_by(a.c.degree.desc())
        .limit(1)
    )
    amendment = amendments.one_or_none()
    if amendment is not None:
        return Question(
            amendment.id, amendment.degree, "amendment", amendment.text, amendment.mover, amendment.seconder, amended=False
        )
    return Question(
        motion.id, 0, motion.kind, motion.text, motion.mover, motion.seconder, amended=motion.original_text is not None
    )


async def choices(tx: AsyncConnection, meeting_id: str, places: Collection[int]) -> dict[int, str]:
    """The recorded choice of each vote that stands at one of these places of the transcript."""
    v = schema.votes
    rows = await tx.execute(select(v.c.seq, v.c.choice).where(v.c.meeting_id == meeting_id, v.c.seq.in_(places)))
    return {row.seq: row.choice for row in rows}


async def answers(tx: AsyncConnection, meeting_id: str) -> dict[str, str]:
    """Each member's latest answer to the roll: "present", "absent" or "no_reply"."""
    t = schema.attendance
    rows = await tx.execute(select(t.c.member_id, t.c.status).where(t.c.meeting_id == meeting_id).order_by(t.c.round))
    return {row.member_id: row.status for row in rows}
