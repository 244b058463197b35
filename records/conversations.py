"""The conversation with the chairman about the agenda (source 000, ConversationHistory)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once

_C = schema.conversation


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `agenda_action` says what it did to the agenda, when it did something."""

    id: str
    n: int
    role: str  # "user" or "assistant"
    content: str
    timestamp: datetime
    agenda_action: dict[str, Any] | None


async def add(
    tx: AsyncConnection,
    *,
    id: str,
    meeting_id: str,
    role: str,
    content: str,
    timestamp: datetime,
    agenda_action: dict[str, Any] | None = None,
) -> bool:
    """Put a message at the end of the conversation. The same id and content again change nothing; False then."""
    if (await tx.execute(select(_C.c.id).where(_C.c.id == id).with_for_update())).one_or_none() is not None:
        row = {"id": id, "meeting_id": meeting_id, "n": 0, "role": role, "content": content, "timestamp": timestamp}
        return await add_once(tx, _C, row, same=("content", "role"))
    last = await tx.scalar(select(func.max(_C.c.n)).where(_C.c.meeting_id == meeting_id))
    await tx.execute(
        _C.insert().values(
            id=id,
            meeting_id=meeting_id,
            n=(last or 0) + 1,
            role=role,
            content=content,
            timestamp=timestamp,
            agenda_action=agenda_action,
        )
    )
    return True


async def messages(tx: AsyncConnection, meeting_id: str, *, last: int | None = None, before: str = "") -> list[Message]:
    """The messages in their order; with `last` only so many of the newest, with `before` only those before that message."""
    query = select(_C).where(_C.c.meeting_id == meeting_id).order_by(_C.c.n.desc())
    if before:
        place = select(_C.c.n).where(_C.c.id == before).scalar_subquery()
        query = query.where(_C.c.n < place)
    if last is not None:
        query = query.limit(last)
    rows = (await tx.execute(query)).all()
    return [Message(r.id, r.n, r.role, r.content, r.timestamp, r.agenda_action) for r in reversed(rows)]


async def message(tx: AsyncConnection, message_id: str) -> Message | None:
    r = (await tx.execute(select(_C).where(_C.c.id == message_id))).one_or_none()
    return Message(r.id, r.n, r.role, r.content, r.timestamp, r.agenda_action) if r is not None else None


async def clear(tx: AsyncConnection, meeting_id: str) -> int:
    """Forget the conversation; the changes it made to the agenda stay."""
    result = await tx.execute(delete(_C).where(_C.c.meeting_id == meeting_id))
    return int(result.rowcount)
