"""Executive summaries in their versions, what the person said of them, and the secretary's review: one of each meeting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once

_S = schema.summaries
_F = schema.summary_feedback
_R = schema.reviews


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """One version. `source` "record": put together by code; `problems`: why a model's was not taken, a sentence each."""

    meeting_id: str
    version: int
    source: str
    content: dict[str, Any]
    problems: list[str]
    at: datetime


@dataclass(frozen=True, slots=True)
class Feedback:
    id: str
    version: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredReview:
    meeting_id: str
    source: str
    content: dict[str, Any]
    at: datetime


async def add(
    tx: AsyncConnection,
    *,
    meeting_id: str,
    version: int,
    source: str,
    content: dict[str, Any],
    problems: list[str],
    at: datetime,
) -> bool:
    """Write a version down once; False when it stands already."""
    return await add_once(
        tx,
        _S,
        {
            "meeting_id": meeting_id,
            "version": version,
            "source": source,
            "content": content,
            "problems": problems,
            "at": at,
        },
    )


async def get(tx: AsyncConnection, meeting_id: str, version: int) -> StoredSummary | None:
    row = (await tx.execute(select(_S).where(_S.c.meeting_id == meeting_id, _S.c.version == version))).one_or_none()
    return StoredSummary(*row) if row is not None else None


async def latest(tx: AsyncConnection, meeting_id: str) -> StoredSummary | None:
    query = select(_S).where(_S.c.meeting_id == meeting_id).order_by(_S.c.version.desc()).limit(1)
    row = (await tx.execute(query)).one_or_none()
    return StoredSummary(*row) if row is not None else None


async def last_version(tx: AsyncConnection, meeting_id: str) -> int:
    """The number of the newest version; 0 when there is none."""
    return await tx.scalar(select(func.max(_S.c.version)).where(_S.c.meeting_id == meeting_id)) or 0


async def add_feedback(tx: AsyncConnection, *, id: str, meeting_id: str, version: int, text: str, at: datetime) -> bool:
    """What the person said of a version. The same id and text again change nothing."""
    row = {"id": id, "meeting_id": meeting_id, "version": version, "text": text, "at": at}
    return await add_once(tx, _F, row, same=("text",))


async def feedback(tx: AsyncConnection, meeting_id: str) -> list[Feedback]:
    """Everything the person said of the meeting's summaries, the oldest first."""
    rows = await tx.execute(select(_F).where(_F.c.meeting_id == meeting_id).order_by(_F.c.at, _F.c.id))
    return [Feedback(row.id, row.version, row.text, row.at) for row in rows]


async def add_review(tx: AsyncConnection, *, meeting_id: str, source: str, content: dict[str, Any], at: datetime) -> bool:
    """Write the review of a meeting down once; False when it stands already."""
    return await add_once(tx, _R, {"meeting_id": meeting_id, "source": source, "content": content, "at": at})


async def review(tx: AsyncConnection, meeting_id: str) -> StoredReview | None:
    row = (await tx.execute(select(_R).where(_R.c.meeting_id == meeting_id))).one_or_none()
    return StoredReview(*row) if row is not None else None
