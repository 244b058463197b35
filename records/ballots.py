"""Votes, ballots and dissents of recorded votes."""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once


async def add_vote(tx: AsyncConnection, **row: Any) -> bool:
    """A seat's entry on one question in one round; the voter's own reply comes first and stands."""
    return await add_once(tx, schema.votes, row, same=("choice",))


async def close(tx: AsyncConnection, **row: Any) -> bool:
    return await add_once(tx, schema.ballots, row, same=("outcome", "tally"))


async def add_dissent(tx: AsyncConnection, **row: Any) -> bool:
    """Permanent (law 10): nothing updates or deletes a dissent but the owner's order to delete its meeting."""
    return await add_once(tx, schema.dissents, row)
