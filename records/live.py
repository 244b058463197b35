"""Words in passing, for whoever follows live. They are gone when their turn is recorded; the transcript is what lasts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema

_L = schema.live_events


@dataclass(frozen=True, slots=True)
class LiveEvent:
    id: int
    call_id: str
    attempt: int
    member_id: str
    seq: int | None
    kind: str
    text: str


async def append(tx: AsyncConnection, **row: Any) -> None:
    await tx.execute(insert(_L).values(**row))


async def since(tx: AsyncConnection, meeting_id: str, after_id: int = 0) -> list[LiveEvent]:
    rows = await tx.execute(select(_L).where(_L.c.meeting_id == meeting_id, _L.c.id > after_id).order_by(_L.c.id))
    return [LiveEvent(r.id, r.call_id, r.attempt, r.member_id, r.seq, r.kind, r.text) for r in rows]


async def last_id(tx: AsyncConnection, meeting_id: str) -> int:
    """The id of the newest row; 0 when there is none."""
    return await tx.scalar(select(func.max(_L.c.id)).where(_L.c.meeting_id == meeting_id)) or 0


async def forget_passed(tx: AsyncConnection, meeting_id: str, before: datetime) -> None:
    """Delete what belongs to no turn and is older: it has passed, and nobody is told of it any more."""
    await tx.execute(delete(_L).where(_L.c.meeting_id == meeting_id, _L.c.seq.is_(None), _L.c.at < before))
