"""The ledger of model calls, which is also where a reply is bought: claimed, leased, stored, looked up (law 5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema
from records.writing import add_once

_C = schema.calls

# Built once: building a statement costs as much as running it. What is not bound here is set by the parameters' names.
_LEASED = (_C.c.id == bindparam("call"), _C.c.lease_owner == bindparam("owner"), _C.c.state == "in_flight")
_FOUND = select(_C).where(_C.c.id == bindparam("call")).with_for_update()
_CLAIM = update(_C).where(_C.c.id == bindparam("call")).values(state="in_flight")
_RENEW = update(_C).where(*_LEASED)
_FINISH = (
    update(_C)
    .where(_C.c.id == bindparam("call"), (_C.c.state == "open") | (_C.c.state == "in_flight"))
    .values(state="done", lease_owner=None, lease_until=None, retry_at=None)
)


@dataclass(frozen=True, slots=True)
class Done:
    """The reply was bought before."""

    reply: str
    stop_reason: str
    model: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The call was given up; `trouble` is the last failure."""

    trouble: str


@dataclass(frozen=True, slots=True)
class Held:
    """Another attempt is making this call; its lease runs until then unless it is renewed."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """The provider failed; not before this moment is it tried again."""

    retry_at: datetime


@dataclass(frozen=True, slots=True)
class Granted:
    """The call is the caller's to make, under a lease."""

    attempt: int
    failures: int


Claim = Done | Failed | Held | Waiting | Granted


@dataclass(frozen=True, slots=True)
class Spent:
    """What a meeting has cost so far. `unpriced` counts replies of models without a known price."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_microusd: int = 0
    unpriced: int = 0
    failures: int = 0


async def claim(
    tx: AsyncConnection,
    call_id: str,
    *,
    meeting_id: str,
    member_id: str,
    purpose: str,
    owner: str,
    lease_seconds: float,
    now: datetime,
) -> Claim:
    """Claim a call in the caller's transaction, or learn why not.

    `owner` names one attempt. A live lease is Held for its own owner too: that the same name asks again does not say that the
    call it made before has ended.
    """
    new = {
        "id": call_id,
        "meeting_id": meeting_id,
        "member_id": member_id,
        "purpose": purpose,
        "state": "in_flight",
        "lease_owner": owner,
        "lease_until": now + timedelta(seconds=lease_seconds),
        "attempts": 1,
        "created_at": now,
    }
    if await add_once(tx, _C, new):  # the usual case is one statement
        return Granted(attempt=1, failures=0)
    row = (await tx.execute(_FOUND, {"call": call_id})).one()
    if row.state == "done":
        return Done(reply=row.reply, stop_reason=row.stop_reason, model=row.model)
    if row.state == "failed":
        return Failed(trouble=row.last_trouble or "")
    if row.state == "in_flight" and row.lease_until > now:
        return Held(until=row.lease_until)
    if row.retry_at is not None and row.retry_at > now:
        return Waiting(retry_at=row.retry_at)
    await tx.execute(
        _CLAIM, {"call": call_id, "lease_owner": owner, "lease_until": new["lease_until"], "attempts": row.attempts + 1}
    )
    return Granted(attempt=row.attempts + 1, failures=row.failures)


async def renew(tx: AsyncConnection, call_id: str, *, owner: str, lease_seconds: float, now: datetime) -> bool:
    """Prolong the lease; False when it is another's by now."""
    result = await tx.execute(_RENEW, {"call": call_id, "owner": owner, "lease_until": now + timedelta(seconds=lease_seconds)})
    return bool(result.rowcount)


async def finish(tx: AsyncConnection, call_id: str, *, reply: str, provider: str, now: datetime, **ledger: Any) -> bool:
    """Store the reply. The first one stands; False when one was there."""
    result = await tx.execute(_FINISH, {"call": call_id, "reply": reply, "provider": provider, "done_at": now, **ledger})
    return bool(result.rowcount)


async def failures(tx: AsyncConnection, call_id: str) -> int:
    """How often the provider failed at this call. Read under the caller's write transaction."""
    return await tx.scalar(select(_C.c.failures).where(_C.c.id == call_id).with_for_update()) or 0


async def fail(
    tx: AsyncConnection, call_id: str, *, owner: str, trouble: str, now: datetime, retry_at: datetime | None, final: bool
) -> None:
    """Count a provider's failure; `final` gives the call up."""
    await tx.execute(
        update(_C)
        .where(_C.c.id == call_id, _C.c.state == "in_flight", _C.c.lease_owner == owner)
        .values(
            state="failed" if final else "open",
            failures=_C.c.failures + 1,
            last_trouble=trouble,
            lease_owner=None,
            lease_until=None,
            retry_at=retry_at,
            done_at=now if final else None,
        )
    )


async def release(tx: AsyncConnection, call_id: str, *, owner: str) -> None:
    """Give a claimed call back without a failure being counted."""
    await tx.execute(
        update(_C)
        .where(_C.c.id == call_id, _C.c.lease_owner == owner, _C.c.state == "in_flight")
        .values(state="open", lease_owner=None, lease_until=None)
    )


async def spent(tx: AsyncConnection, meeting_id: str) -> Spent:
    """The ledger's sums of a meeting."""
    done = case((_C.c.state == "done", 1), else_=0)
    names = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_microusd")
    row = (
        await tx.execute(
            select(
                func.coalesce(func.sum(done), 0),
                *(func.coalesce(func.sum(_C.c[name]), 0) for name in names),
                func.coalesce(func.sum(case(((_C.c.state == "done") & _C.c.cost_microusd.is_(None), 1), else_=0)), 0),
                func.coalesce(func.sum(_C.c.failures), 0),
            ).where(_C.c.meeting_id == meeting_id)
        )
    ).one()
    return Spent(*(int(value) for value in row))
