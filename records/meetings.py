"""Meetings, their items, sessions and attendance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.record import ItemRecord
from parliament.values import ItemStatus, ItemType, MeetingStatus
from records import schema
from records.writing import add_once

_M = schema.meetings
_I = schema.agenda_items


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """A meeting as it stands in its own table."""

    id: str
    kind: str
    name: str
    status: MeetingStatus
    phase: str | None
    quorum: int
    chair: str
    chair_named: str
    zone: str
    seed: int
    simulated: bool
    provider: str
    config: dict[str, Any]
    attendees: list[str]
    standing_items: list[str]
    user_feedback: str
    revision_requested: bool
    board_book: str
    scheduled_start: datetime | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    ended_by: str | None
    error: str | None
    agenda_status: str = "approved"
    owner: str = "shareholder"
    agenda_version: int = 0
    schedule_id: str | None = None
    planned_for: datetime | None = None
    review_deadline: datetime | None = None


async def create(tx: AsyncConnection, *, items: Sequence[dict[str, Any]], **meeting: Any) -> None:
    """Write a meeting and its agenda items (columns of the two tables) in the caller's transaction."""
    await tx.execute(insert(_M).values(**meeting))
    if items:
        await tx.execute(insert(_I), [{"meeting_id": meeting["id"], **item} for item in items])


async def find(tx: AsyncConnection, meeting_id: str) -> MeetingRow | None:
    row = (await tx.execute(select(_M).where(_M.c.id == meeting_id))).one_or_none()
    return _row(row) if row is not None else None


async def get(tx: AsyncConnection, meeting_id: str) -> MeetingRow:
    """The meeting. Raises LookupError when there is none."""
    found = await find(tx, meeting_id)
    if found is None:
        raise LookupError(f"there is no meeting {meeting_id}")
    return found


async def listing(tx: AsyncConnection, limit: int = 1000) -> list[MeetingRow]:
    """The newest first."""
    return [_row(row) for row in await tx.execute(select(_M).order_by(_M.c.created_at.desc(), _M.c.id).limit(limit))]


async def lines(tx: AsyncConnection, limit: int = 1000, owner: str | None = None) -> Sequence[Row[Any]]:
    """What a list shows of each board meeting, the newest first: none of the long texts."""
    m = _M.c
    columns = (m.id, m.name, m.status, m.ended_by, m.simulated, m.created_at, m.started_at, m.completed_at)
    query = select(*columns).where(m.kind == "board").order_by(m.created_at.desc(), m.id).limit(limit)
    if owner is not None:
        query = query.where(m.owner == owner)
    return (await tx.execute(query)).all()


async def owner_of(tx: AsyncConnection, meeting_id: str) -> str | None:
    return await tx.scalar(select(_M.c.owner).where(_M.c.id == meeting_id))


async def status_of(tx: AsyncConnection, meeting_id: str) -> MeetingStatus | None:
    found = await tx.scalar(select(_M.c.status).where(_M.c.id == meeting_id))
    return MeetingStatus(found) if found is not None else None


async def open_ones(tx: AsyncConnection, owner: str) -> int:
    """How many meetings of a person are not over."""
    return await tx.scalar(select(func.count()).select_from(_M).where(_M.c.owner == owner, _M.c.ended_by.is_(None))) or 0


async def items(tx: AsyncConnection, meeting_id: str) -> tuple[ItemRecord, ...]:
    rows = await tx.execute(select(_I).where(_I.c.meeting_id == meeting_id).order_by(_I.c.number))
    return tuple(
        ItemRecord(
            id=r.id,
            number=r.number,
            topic=r.topic,
            type=ItemType(r.type),
            time_minutes=r.time_minutes,
            description=r.description,
            desired_outcome=r.desired_outcome,
            user_commentary=r.user_commentary,
            status=ItemStatus(r.status),
            why=r.why,
            active_seconds=r.active_seconds,
        )
        for r in rows
    )


async def set_status(
    tx: AsyncConnection,
    meeting_id: str,
    *,
    status: str,
    at: datetime,
    error: str | None = None,
    phase: str | None = None,
    ended_by: str | None = None,
) -> None:
    """The meeting's status and what goes with it: the time of the first start, the end, why it is halted."""
    values: dict[str, Any] = {"status": status, "error": error}
    if phase is not None:
        values["phase"] = phase
    await tx.execute(update(_M).where(_M.c.id == meeting_id).values(**values))
    if status == MeetingStatus.IN_PROGRESS.value:
        await tx.execute(update(_M).where(_M.c.id == meeting_id, _M.c.started_at.is_(None)).values(started_at=at))
    if ended_by is not None:
        await tx.execute(
            update(_M).where(_M.c.id == meeting_id, _M.c.completed_at.is_(None)).values(completed_at=at, ended_by=ended_by)
        )


async def set_phase(tx: AsyncConnection, meeting_id: str, phase: str) -> None:
    await tx.execute(update(_M).where(_M.c.id == meeting_id, _M.c.phase.is_distinct_from(phase)).values(phase=phase))


async def set_chair(tx: AsyncConnection, meeting_id: str, member_id: str) -> None:
    await tx.execute(update(_M).where(_M.c.id == meeting_id).values(chair=member_id))


async def set_item(
    tx: AsyncConnection, meeting_id: str, item_id: str, *, status: str, why: str, active_seconds: float | None
) -> None:
    values: dict[str, Any] = {"status": status, "why": why}
    if active_seconds is not None:
        values["active_seconds"] = active_seconds
    await tx.execute(update(_I).where(_I.c.meeting_id == meeting_id, _I.c.id == item_id).values(**values))
    if status == ItemStatus.OPEN.value:
        number = select(_I.c.number).where(_I.c.meeting_id == meeting_id, _I.c.id == item_id).scalar_subquery()
        await tx.execute(update(_M).where(_M.c.id == meeting_id).values(item_index=number))


async def start_session(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, schema.agent_sessions, row)


async def sessions(tx: AsyncConnection, meeting_id: str) -> dict[str, str]:
    """Member id -> session id (source 000's `agent_sessions`)."""
    s = schema.agent_sessions
    return {
        r.member_id: r.session_id
        for r in await tx.execute(select(s).where(s.c.meeting_id == meeting_id).order_by(s.c.member_id))
    }


async def attend(tx: AsyncConnection, **row: Any) -> bool:
    """A member's own answer to the roll; `round` is the place of that answer in the transcript."""
    return await add_once(tx, schema.attendance, row)


def _row(row: Row[Any]) -> MeetingRow:
    names = set(MeetingRow.__dataclass_fields__) - {"status"}
    return MeetingRow(status=MeetingStatus(row.status), **{name: getattr(row, name) for name in names})


async def by_status(tx: AsyncConnection) -> dict[str, int]:
    """How many meetings stand at each status."""
    rows = await tx.execute(select(_M.c.status, func.count()).group_by(_M.c.status))
    return {row.status: row[1] for row in rows}
