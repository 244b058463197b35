"""Completing and reopening an action item: in the ledger, and as a change of the resolution that it carries out."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.following import ChangeKind
from records import following, ledger, schema
from records.ledger import Entry

_C = schema.action_changes


async def turn(tx: AsyncConnection, action_id: str, *, done: bool, origin: str, at: datetime, note: str = "") -> Entry | None:
    """Complete an item, or reopen it, with its changes; the item as it was. None when it stood so already, or is not there.

    Whoever calls this lets the resolution's workflow look afterwards (signal `look`).
    """
    entry = await ledger.entry(tx, action_id)
    if entry is None or not await ledger.turn_to(tx, action_id, ledger.DONE if done else ledger.PENDING, at):
        return None
    kind = "completed" if done else "reopened"
    which = str(1 + await _times(tx, action_id, kind))
    await ledger.note(tx, action_id, kind=kind, origin=origin, at=at, text=note, which=which)
    if entry.resolution_id is not None and entry.meeting_id is not None:
        await following.add_change(
            tx,
            meeting_id=entry.meeting_id,
            resolution_id=entry.resolution_id,
            kind=ChangeKind.ACTION_DONE if done else ChangeKind.ACTION_REOPENED,
            which=f"{action_id}/{which}",
            origin=origin,
            note=note,
            at=at,
        )
    return entry


async def _times(tx: AsyncConnection, action_id: str, kind: str) -> int:
    query = select(func.count()).where(_C.c.action_id == action_id, _C.c.kind == kind)
    return await tx.scalar(query) or 0
