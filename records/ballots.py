"""Votes, ballots and dissents of recorded votes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.values import Vote
from records import schema
from records.writing import add_once

_V = schema.votes
_NOT_COUNTED = (Vote.NO_REPLY.value, Vote.ABSENT.value)


async def add_vote(tx: AsyncConnection, **row: Any) -> bool:
    """A seat's entry on one question in one round. Another choice than the one that stands raises RecordConflict.

    The closing of a ballot writes entries for the seats of which nothing was counted, without a `seq`. Where a reply has
    landed in the meantime (a deadline cut the vote, and the voice went on), the record must say what was counted: the reply
    is kept with the seat's reason and raw words, and marked as too late.
    """
    if row["seq"] is None and row["choice"] in _NOT_COUNTED:
        if await add_once(tx, _V, row):
            return True
        key = [column == row[column.name] for column in _V.primary_key]
        landed = (await tx.execute(select(_V).where(*key).with_for_update())).one()
        if landed.choice not in _NOT_COUNTED:
            reason = f"Too late to be counted: {landed.reason}" if landed.reason else "Too late to be counted."
            late = {"choice": row["choice"], "reading": row["reading"], "reason": reason, "raw": landed.raw or landed.choice}
            await tx.execute(update(_V).where(*key).values(**late))
        return False
    return await add_once(tx, _V, row, same=("choice",))


async def close(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, schema.ballots, row, same=("outcome", "tally"))


async def add_dissent(tx: AsyncConnection, **row: Any) -> bool:
    """Permanent (law 10): nothing updates or deletes a dissent but the owner's order to delete its meeting."""
    return await add_once(tx, schema.dissents, row)
