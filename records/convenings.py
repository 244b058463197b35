"""What schedules did: a row for each time one came due, what came of it, and what was missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once

_C = schema.convenings
_META = schema.meta


@dataclass(frozen=True, slots=True)
class Convening:
    id: str
    schedule_id: str
    planned_for: datetime
    meeting_id: str | None
    outcome: str  # running, completed, failed, timeout, missed, or nothing_to_do
    why: str
    started_at: datetime
    ended_at: datetime | None


async def begin(tx: AsyncConnection, *, id: str, schedule_id: str, planned_for: datetime, now: datetime) -> bool:
    row = {"id": id, "schedule_id": schedule_id, "planned_for": planned_for, "outcome": "running", "started_at": now}
    return await add_once(tx, _C, row)


async def convened(tx: AsyncConnection, id: str, meeting_id: str) -> None:
    await tx.execute(update(_C).where(_C.c.id == id, _C.c.meeting_id.is_(None)).values(meeting_id=meeting_id))


async def end(tx: AsyncConnection, id: str, *, outcome: str, now: datetime, why: str = "") -> bool:
    """The first end stands."""
    result = await tx.execute(
        update(_C).where(_C.c.id == id, _C.c.ended_at.is_(None)).values(outcome=outcome, why=why, ended_at=now)
    )
    return bool(result.rowcount)


async def missed(tx: AsyncConnection, *, schedule_id: str, planned_for: datetime, now: datetime, why: str) -> bool:
    """Record a meeting that was not held because nothing was running. False when it is on record already."""
    row = {
        "id": f"{schedule_id}-missed-{planned_for:%Y%m%dT%H%M%SZ}", "schedule_id": schedule_id, "planned_for": planned_for,
        "outcome": "missed", "why": why, "started_at": now, "ended_at": now,
    }  # fmt: skip
    return await add_once(tx, _C, row)


async def get(tx: AsyncConnection, id: str) -> Convening | None:
    r = (await tx.execute(select(_C).where(_C.c.id == id))).one_or_none()
    return _row(r) if r is not None else None


async def listing(tx: AsyncConnection, schedule_id: str | None = None, limit: int = 20) -> list[Convening]:
    """The newest first."""
    query = select(_C).order_by(_C.c.planned_for.desc(), _C.c.id).limit(limit)
    if schedule_id is not None:
        query = query.where(_C.c.schedule_id == schedule_id)
    return [_row(r) for r in await tx.execute(query)]


async def since(tx: AsyncConnection, schedule_id: str, planned: datetime) -> list[Convening]:
    """All that a schedule did or missed from a planned time on, the oldest first."""
    query = select(_C).where(_C.c.schedule_id == schedule_id, _C.c.planned_for >= planned)
    return [_row(r) for r in await tx.execute(query.order_by(_C.c.planned_for, _C.c.id))]


async def running(tx: AsyncConnection) -> list[Convening]:
    """Those whose end is not on record."""
    return [_row(r) for r in await tx.execute(select(_C).where(_C.c.ended_at.is_(None)).order_by(_C.c.planned_for, _C.c.id))]


async def call_meetings(tx: AsyncConnection, schedule_id: str, name: str | None) -> None:
    """What a schedule's meetings are called; None forgets it. The name is the person's text: it stands here alone (law 15)."""
    key = _name_key(schedule_id)
    await tx.execute(delete(_META).where(_META.c.key == key))
    if name is not None:
        await tx.execute(insert(_META).values(key=key, value=name))


async def meetings_called(tx: AsyncConnection, schedule_id: str) -> str | None:
    found: str | None = await tx.scalar(select(_META.c.value).where(_META.c.key == _name_key(schedule_id)))
    return found


async def forget(tx: AsyncConnection, schedule_ids: Sequence[str]) -> None:
    """Delete all that these schedules did, and what their meetings are called."""
    await tx.execute(delete(_C).where(_C.c.schedule_id.in_(schedule_ids)))
    await tx.execute(delete(_META).where(_META.c.key.in_([_name_key(id) for id in schedule_ids])))


def _name_key(schedule_id: str) -> str:
    return f"meetings of {schedule_id}"


def _row(r: object) -> Convening:
    names = Convening.__dataclass_fields__
    return Convening(**{name: getattr(r, name) for name in names})
