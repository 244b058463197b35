"""Who may: API tokens, browser sessions and one-time tickets. Only hashes stand here, never what is shown once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from records import schema

_T = schema.tokens
_S = schema.sessions
_K = schema.tickets


@dataclass(frozen=True, slots=True)
class TokenRow:
    id: str
    name: str
    owner: str
    scopes: tuple[str, ...]
    hash: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class SessionRow:
    hash: str
    owner: str
    scopes: tuple[str, ...]
    csrf_hash: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class TicketRow:
    hash: str
    kind: str
    owner: str
    scopes: tuple[str, ...]
    meeting_id: str | None
    credential: str | None
    expires_at: datetime


async def add_token(tx: AsyncConnection, **row: Any) -> None:
    await tx.execute(insert(_T).values(**row))


async def token_by_hash(tx: AsyncConnection, hash_: str) -> TokenRow | None:
    return await _token(tx, _T.c.hash == hash_)


async def token(tx: AsyncConnection, token_id: str) -> TokenRow | None:
    return await _token(tx, _T.c.id == token_id)


async def tokens(tx: AsyncConnection) -> list[TokenRow]:
    return [_token_row(row) for row in await tx.execute(select(_T).order_by(_T.c.created_at, _T.c.id))]


async def revoke_token(tx: AsyncConnection, token_id: str, at: datetime) -> bool:
    """False when there is no such token or it was revoked before."""
    result = await tx.execute(update(_T).where(_T.c.id == token_id, _T.c.revoked_at.is_(None)).values(revoked_at=at))
    return bool(result.rowcount)


async def used(tx: AsyncConnection, token_id: str, at: datetime) -> None:
    await tx.execute(update(_T).where(_T.c.id == token_id).values(last_used_at=at))


async def _token(tx: AsyncConnection, condition: ColumnElement[bool]) -> TokenRow | None:
    row = (await tx.execute(select(_T).where(condition))).one_or_none()
    return _token_row(row) if row is not None else None


def _token_row(r: Any) -> TokenRow:
    return TokenRow(r.id, r.name, r.owner, tuple(r.scopes), r.hash, r.created_at, r.expires_at, r.revoked_at, r.last_used_at)


async def add_session(tx: AsyncConnection, **row: Any) -> None:
    await tx.execute(insert(_S).values(**row))


async def session(tx: AsyncConnection, hash_: str) -> SessionRow | None:
    r = (await tx.execute(select(_S).where(_S.c.hash == hash_))).one_or_none()
    if r is None:
        return None
    return SessionRow(r.hash, r.owner, tuple(r.scopes), r.csrf_hash, r.created_at, r.expires_at, r.revoked_at)


async def revoke_session(tx: AsyncConnection, hash_: str, at: datetime) -> bool:
    result = await tx.execute(update(_S).where(_S.c.hash == hash_, _S.c.revoked_at.is_(None)).values(revoked_at=at))
    return bool(result.rowcount)


async def add_ticket(tx: AsyncConnection, **row: Any) -> None:
    await tx.execute(insert(_K).values(**row))


async def use_ticket(tx: AsyncConnection, hash_: str, kind: str, now: datetime) -> TicketRow | None:
    """Consume a ticket: None when it is unknown, of another kind, stale, or was used before. Of two at once one gets it."""
    result = await tx.execute(
        update(_K)
        .where(_K.c.hash == hash_, _K.c.kind == kind, _K.c.used_at.is_(None), _K.c.expires_at > now)
        .values(used_at=now)
    )
    if not result.rowcount:
        return None
    r = (await tx.execute(select(_K).where(_K.c.hash == hash_))).one()
    return TicketRow(r.hash, r.kind, r.owner, tuple(r.scopes), r.meeting_id, r.credential, r.expires_at)


async def sweep(tx: AsyncConnection, now: datetime) -> None:
    """Forget tickets and sessions that ran out."""
    await tx.execute(delete(_K).where(_K.c.expires_at < now))
    await tx.execute(delete(_S).where(_S.c.expires_at < now))
