"""Notices on their way: one row per notice and channel, so that each is sent once, or says that it may be a repetition."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once

_N = schema.notices


@dataclass(frozen=True, slots=True)
class NoticeRow:
    id: str
    channel: str
    meeting_id: str | None
    kind: str
    ref: str | None
    state: str  # "open", "sending", "unsure", "sent" or "failed"
    attempts: int
    possibly_repeated: bool
    trouble: str
    created_at: datetime
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """The notice is this attempt's to send. `repeated`: an attempt before may have sent it and died before it said so."""

    repeated: bool


async def claim(
    tx: AsyncConnection,
    *,
    id: str,
    channel: str,
    kind: str,
    owner: str,
    lease_seconds: float,
    now: datetime,
    meeting_id: str | None = None,
    ref: str | None = None,
) -> Claimed | datetime | None:
    """Take a notice for sending. None: it is sent, or was given up; a time: nobody may before then, since another attempt holds
    it or its channel asked to wait."""
    until = now + timedelta(seconds=lease_seconds)
    row = {
        "id": id, "channel": channel, "meeting_id": meeting_id, "kind": kind, "ref": ref, "state": "sending",
        "lease_owner": owner, "lease_until": until, "attempts": 1, "created_at": now,
    }  # fmt: skip
    if await add_once(tx, _N, row):
        return Claimed(repeated=False)
    where = (_N.c.id == id) & (_N.c.channel == channel)
    found = (await tx.execute(select(_N).where(where).with_for_update())).one()
    if found.state in ("sent", "failed"):
        return None
    if found.state == "sending" and found.lease_until > now and found.lease_owner != owner:
        return found.lease_until  # type: ignore[no-any-return]
    if found.state in ("open", "unsure") and found.lease_until is not None and found.lease_until > now:
        return found.lease_until  # type: ignore[no-any-return]
    repeated = found.state in ("sending", "unsure") or found.possibly_repeated
    await tx.execute(
        update(_N)
        .where(where)
        .values(state="sending", lease_owner=owner, lease_until=until, attempts=found.attempts + 1, possibly_repeated=repeated)
    )
    return Claimed(repeated=repeated)


async def settle(
    tx: AsyncConnection,
    *,
    id: str,
    channel: str,
    owner: str,
    state: str,
    now: datetime,
    trouble: str = "",
    wait: float = 0.0,
) -> bool:
    """Say what became of it: "sent", "failed" (given up), "open" (certainly not sent; another attempt may), or "unsure" (it may
    have been sent; another attempt may, and says so). `wait`: seconds for which the channel asked not to be asked again."""
    until = now + timedelta(seconds=wait) if wait > 0 and state in ("open", "unsure") else None
    result = await tx.execute(
        update(_N)
        .where(_N.c.id == id, _N.c.channel == channel, _N.c.lease_owner == owner, _N.c.state == "sending")
        .values(state=state, trouble=trouble, lease_owner=None, lease_until=until, sent_at=now if state == "sent" else None)
    )
    return bool(result.rowcount)


async def listing(tx: AsyncConnection, meeting_id: str | None = None, limit: int = 200) -> list[NoticeRow]:
    """The newest first."""
    query = select(_N).order_by(_N.c.created_at.desc(), _N.c.id, _N.c.channel).limit(limit)
    if meeting_id is not None:
        query = query.where(_N.c.meeting_id == meeting_id)
    return [
        NoticeRow(
            r.id, r.channel, r.meeting_id, r.kind, r.ref, r.state, r.attempts, r.possibly_repeated, r.trouble, r.created_at,
            r.sent_at,
        )
        for r in await tx.execute(query)
    ]  # fmt: skip
