"""Deleting: a meeting's rows everywhere, or a person's. What is deleted is gone from the files, not only from the tables."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema, search

_M = schema.meetings


async def meeting(tx: AsyncConnection, meeting_id: str) -> bool:
    """Delete a meeting with all that hangs on it; False when there was none. Its ledger goes too: it names what was said."""
    await search.forget(tx, meeting_id)
    result = await tx.execute(delete(_M).where(_M.c.id == meeting_id))
    return bool(result.rowcount)


async def meetings_of(tx: AsyncConnection, owner: str) -> list[str]:
    return list((await tx.execute(select(_M.c.id).where(_M.c.owner == owner).order_by(_M.c.id))).scalars())


async def access_of(tx: AsyncConnection, owner: str) -> None:
    """Take back every token, session and ticket of a person, and empty the rest of the ledger."""
    await tx.execute(delete(schema.action_items).where(schema.action_items.c.person == owner))
    for table in (schema.tokens, schema.sessions, schema.tickets):
        await tx.execute(delete(table).where(table.c.owner == owner))
