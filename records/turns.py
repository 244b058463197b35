"""The transcript: append-only, one row a turn, under the place the workflow gave it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.record import TurnRecord
from parliament.values import Phase
from records import schema
from records.writing import add_once

_T = schema.turns


async def add(tx: AsyncConnection, *, clear_words: bool = True, **row: Any) -> bool:
    """Write a turn once. A place that is taken keeps what it has: a reply that comes after its time was over is dropped.

    Words in passing of that place are removed with it, unless the caller knows that there were none.
    """
    new = await add_once(tx, _T, row)
    if clear_words:
        w = schema.live_events
        await tx.execute(delete(w).where(w.c.meeting_id == row["meeting_id"], w.c.seq == row["seq"]))
    return new


async def get(tx: AsyncConnection, meeting_id: str, seq: int) -> TurnRecord:
    return _turn((await tx.execute(select(_T).where(_T.c.meeting_id == meeting_id, _T.c.seq == seq))).one())


async def transcript(
    tx: AsyncConnection,
    meeting_id: str,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int | None = None,
    purpose: str | None = None,
) -> list[TurnRecord]:
    """Turns with `after` < seq < `before`, in order; there may be gaps where a voice has not been heard yet.

    `purpose`: only the turns of that purpose.
    """
    query = select(_T).where(_T.c.meeting_id == meeting_id, _T.c.seq > after).order_by(_T.c.seq)
    if purpose is not None:
        query = query.where(_T.c.purpose == purpose)
    if before is not None:
        query = query.where(_T.c.seq < before)
    if limit is not None:
        query = query.limit(limit)
    return [_turn(row) for row in await tx.execute(query)]


async def released(tx: AsyncConnection, meeting_id: str, after: int = 0, limit: int = 1000) -> list[TurnRecord]:
    """The gap-free run of turns after `after`: rows of a round land out of order, and a follower must never skip one."""
    run: list[TurnRecord] = []
    for turn in await transcript(tx, meeting_id, after=after, limit=limit):
        if turn.seq != after + len(run) + 1:
            break
        run.append(turn)
    return run


async def last_seq(tx: AsyncConnection, meeting_id: str) -> int:
    return await tx.scalar(select(func.max(_T.c.seq)).where(_T.c.meeting_id == meeting_id)) or 0


async def whisper_add(tx: AsyncConnection, *, meeting_id: str, seq: int, member_id: str, text: str) -> bool:
    """Private reasoning, kept apart from the transcript; only `boardroom whispers` reads it (law 7)."""
    return await add_once(tx, schema.whispers, {"meeting_id": meeting_id, "seq": seq, "member_id": member_id, "text": text})


async def whispers(tx: AsyncConnection, meeting_id: str) -> list[tuple[int, str, str]]:
    """(seq, member id, text) in order."""
    w = schema.whispers
    rows = await tx.execute(select(w.c.seq, w.c.member_id, w.c.text).where(w.c.meeting_id == meeting_id).order_by(w.c.seq))
    return [(row.seq, row.member_id, row.text) for row in rows]


def _turn(row: Row[Any]) -> TurnRecord:
    at: datetime = row.at
    return TurnRecord(
        seq=row.seq,
        id=row.id,
        item_id=row.item_id,
        phase=Phase(row.phase),
        purpose=row.purpose,
        round=row.round,
        member_id=row.member_id,
        name=row.name,
        text=row.text,
        status=row.status,
        reading=row.reading,
        data=row.data,
        at=at.isoformat(timespec="milliseconds"),
    )
