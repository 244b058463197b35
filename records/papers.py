"""What a meeting leaves: rulings, the shareholder's inputs, resolutions, action items."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once


async def add_ruling(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, schema.rulings, row)


async def ruling_text(tx: AsyncConnection, meeting_id: str, seq: int, kind: str) -> str:
    r = schema.rulings
    return await tx.scalar(select(r.c.text).where(r.c.meeting_id == meeting_id, r.c.seq == seq, r.c.kind == kind)) or ""


async def refused_commands(tx: AsyncConnection, meeting_id: str) -> dict[int, set[int]]:
    """Turn -> the places among its commands, from 0, of those that were ruled out of order."""
    r = schema.rulings
    rows = await tx.execute(select(r.c.seq, r.c.n).where(r.c.meeting_id == meeting_id, r.c.kind == "refused_command"))
    found: dict[int, set[int]] = {}
    for row in rows:
        found.setdefault(row.seq, set()).add(row.n)
    return found


async def add_input(tx: AsyncConnection, *, id: str, meeting_id: str, text: str, received_at: datetime) -> bool:
    return await add_once(
        tx, schema.user_inputs, {"id": id, "meeting_id": meeting_id, "text": text, "received_at": received_at}, same=("text",)
    )


async def take_up_input(tx: AsyncConnection, input_id: str, seq: int) -> str:
    """Mark an input as put to the board at this place and give back its words."""
    u = schema.user_inputs
    await tx.execute(update(u).where(u.c.id == input_id, u.c.taken_up_seq.is_(None)).values(taken_up_seq=seq))
    return await tx.scalar(select(u.c.text).where(u.c.id == input_id)) or ""


async def add_resolution(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, schema.resolutions, row, same=("motion_id",))


async def add_action(tx: AsyncConnection, *, meeting_id: str, **row: Any) -> bool:
    """Put an action item of a meeting into the ledger of the person it is held for; its deadline is read afterwards."""
    person = await tx.scalar(select(schema.meetings.c.owner).where(schema.meetings.c.id == meeting_id))
    return await add_once(tx, schema.action_items, {"meeting_id": meeting_id, "person": person, "status": "pending", **row})
