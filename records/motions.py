"""Motions and amendments."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.values import Disposition
from records import schema
from records.writing import add_once

_M = schema.motions
_A = schema.amendments


async def add(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, _M, row, same=("mover", "kind"))


async def add_amendment(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, _A, row, same=("mover", "target_id"))  # its text may be amended


async def get_amendment(tx: AsyncConnection, amendment_id: str) -> Row[Any]:
    return (await tx.execute(select(_A).where(_A.c.id == amendment_id))).one()


async def second(tx: AsyncConnection, question_id: str, member_id: str) -> None:
    """The seconder of a motion or amendment that has not ended; the first one stands."""
    for table in (_M, _A):
        await tx.execute(
            update(table)
            .where(table.c.id == question_id, table.c.seconder.is_(None), table.c.closed_at.is_(None))
            .values(seconder=member_id, status="pending")
        )


async def end(tx: AsyncConnection, question_id: str, *, status: str, by_consent: bool, at: datetime) -> None:
    """How a motion or amendment ended; the first end stands."""
    for table in (_M, _A):
        await tx.execute(
            update(table)
            .where(table.c.id == question_id, table.c.closed_at.is_(None))
            .values(status=status, by_consent=by_consent, closed_at=at)
        )


async def take_words(tx: AsyncConnection, question_id: str, amendment_id: str) -> None:
    """An adopted amendment's words replace those of its target; the words as moved are kept once.

    Nothing happens where an amendment that was adopted later has changed the target again: this is a late copy then (law 4).
    """
    amendment = await get_amendment(tx, amendment_id)
    if amendment.closed_at is not None:
        later = select(_A.c.id).where(
            _A.c.target_id == question_id, _A.c.status == Disposition.ADOPTED.value, _A.c.closed_at > amendment.closed_at
        )
        if (await tx.execute(later.limit(1))).first() is not None:
            return
    await tx.execute(update(_A).where(_A.c.id == question_id).values(text=amendment.text))
    await tx.execute(
        update(_M)
        .where(_M.c.id == question_id, _M.c.text != amendment.text)
        .values(text=amendment.text, original_text=func.coalesce(_M.c.original_text, _M.c.text))
    )


async def text_of(tx: AsyncConnection, motion_id: str) -> str:
    """The motion's words as they stand; "" for an unknown one."""
    return await tx.scalar(select(_M.c.text).where(_M.c.id == motion_id)) or ""
