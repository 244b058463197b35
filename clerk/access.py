"""Who may: tokens for programs, sessions for a browser, tickets that work once (SERVICE_SECURITY 4, 5, 6, 7).

What opens a door is random, shown once, and kept as a hash. A person has an owner's name; a token sees that owner's meetings
and no others.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.exc import InterfaceError, OperationalError

from clerk.errors import DeskError, Kind
from parliament.text import is_blank, one_line
from records import access
from records.troubles import RecordConflict as RecordConflict
from records.troubles import StoreError

if TYPE_CHECKING:
    from records.engine import Store

SCOPES = ("reader", "asker", "operator", "admin", "worker")
"""reader: the record; asker: questions to it; operator: meetings; admin: tokens; worker: passing events of a meeting."""
EVERYTHING = ("reader", "asker", "operator", "admin")
OWNER = "shareholder"

PREFIX = "brd_"
TOKEN = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
LOGIN_FOR = timedelta(minutes=10)
LIVE_FOR = timedelta(seconds=30)
USED_EVERY = timedelta(minutes=1)
"""How exactly the last use of a token is kept: a write for every request would cost more than it tells."""
OWNER_TOKEN = "owner.token"
STORE_AWAY = (StoreError, OperationalError, InterfaceError, OSError)
"""What a store raises that does not answer; the first says it in a sentence for people."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody at the door: whose meetings they see, what they may do, and by what they came in."""

    owner: str
    scopes: frozenset[str]
    credential: str  # "token:<id>" or "session:<hash>"
    expires_at: datetime | None = None
    csrf_hash: str | None = None  # of a session; a token needs none


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is listed: never the secret."""

    id: str
    name: str
    owner: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= datetime.now(UTC) else "valid"


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


async def create_token(
    store: Store, name: str, scopes: Iterable[str], *, owner: str = OWNER, days: float | None = None
) -> tuple[Token, str]:
    """A new token and its secret, which is shown this once. DeskError for an unknown scope or a name that is none."""
    name, owner, wanted = one_line(name), one_line(owner), tuple(dict.fromkeys(scopes))
    if is_blank(name) or len(name) > 100:
        raise DeskError("A token needs a name of 1 to 100 characters, so that you know later whose it is.", usage=True)
    if not re.fullmatch(r"[A-Za-z0-9._@-]{1,100}", owner):
        raise DeskError("An owner is a name of letters, digits and . _ @ -.", usage=True)
    if not wanted or any(scope not in SCOPES for scope in wanted):
        raise DeskError(f"A scope is one of {', '.join(SCOPES)}.", usage=True)
    if days is not None and not 0 < days <= 36500:
        raise DeskError("A token lasts a number of days above 0.", usage=True)
    secret = PREFIX + secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    row = {
        "id": f"tok-{secrets.token_hex(4)}", "name": name, "owner": owner, "scopes": list(wanted), "hash": hashed(secret),
        "created_at": now, "expires_at": now + timedelta(days=days) if days is not None else None,
    }  # fmt: skip
    async with store.write() as tx:
        await access.add_token(tx, **row)
        made = await access.token(tx, str(row["id"]))
    assert made is not None
    return _token(made), secret


async def tokens(store: Store) -> list[Token]:
    async with store.read() as tx:
        return [_token(row) for row in await access.tokens(tx)]


async def revoke_token(store: Store, token_id: str) -> None:
    """Take a token back at once, for open connections too. DeskError for one that is not there or was revoked."""
    async with store.write() as tx:
        if await access.token(tx, token_id) is None:
            raise DeskError("There is no such token: `boardroom tokens list` shows them.", kind=Kind.UNKNOWN)
        if not await access.revoke_token(tx, token_id, datetime.now(UTC)):
            raise DeskError("That token was revoked already.", kind=Kind.REFUSED)


async def by_token(store: Store, secret: str) -> Who | None:
    """Who a bearer token stands for; None when it is none, unknown, expired or revoked."""
    if not TOKEN.fullmatch(secret):
        return None
    now = datetime.now(UTC)
    row = await store.look(lambda tx: access.token_by_hash(tx, hashed(secret)))
    if row is None or not hmac.compare_digest(row.hash, hashed(secret)) or not _stands(row, now):
        return None
    if row.last_used_at is None or now - row.last_used_at > USED_EVERY:
        with contextlib.suppress(*STORE_AWAY):  # a store that is full or busy keeps nobody out
            async with store.write() as tx:
                await access.used(tx, row.id, now)
    return Who(row.owner, frozenset(row.scopes), f"token:{row.id}", row.expires_at)


async def by_session(store: Store, secret: str) -> Who | None:
    """Who a session's cookie stands for."""
    row = await store.look(lambda tx: access.session(tx, hashed(secret)))
    if row is None or row.revoked_at is not None or row.expires_at <= datetime.now(UTC):
        return None
    return Who(row.owner, frozenset(row.scopes), f"session:{row.hash}", row.expires_at, row.csrf_hash)


async def still_stands(store: Store, who: Who) -> bool:
    """Whether what somebody came in by is still good: asked again while a connection is open."""
    kind, _, key = who.credential.partition(":")
    now = datetime.now(UTC)
    if kind == "token":
        token = await store.look(lambda tx: access.token(tx, key))
        return token is not None and _stands(token, now)
    session = await store.look(lambda tx: access.session(tx, key))
    return session is not None and session.revoked_at is None and session.expires_at > now


async def login_ticket(store: Store, *, owner: str = OWNER, scopes: Iterable[str] = EVERYTHING) -> str:
    """A one-time ticket that opens a browser session; printed in the terminal as a link."""
    return await _ticket(store, "login", owner, scopes, LOGIN_FOR)


async def live_ticket(store: Store, who: Who, meeting_id: str) -> str:
    """A one-time ticket for one live connection to one meeting, good for half a minute."""
    return await _ticket(store, "live", who.owner, who.scopes, LIVE_FOR, meeting_id=meeting_id, credential=who.credential)


async def enter(store: Store, ticket: str, *, hours: float = 12.0) -> tuple[str, str, datetime]:
    """Consume a login ticket: the session's cookie, its CSRF token, and when it ends. DeskError when it does not open."""
    now = datetime.now(UTC)
    until = now + timedelta(hours=hours)
    cookie = secrets.token_urlsafe(32)
    csrf = csrf_of(cookie)
    async with store.write() as tx:
        found = await access.use_ticket(tx, hashed(ticket), "login", now)
        if found is None:
            raise DeskError(
                "This link was used already or is too old: `boardroom tokens link` prints a new one.", kind=Kind.REFUSED
            )
        await access.add_session(
            tx,
            hash=hashed(cookie),
            owner=found.owner,
            scopes=list(found.scopes),
            csrf_hash=hashed(csrf),
            created_at=now,
            expires_at=until,
        )
    return cookie, csrf, until


def csrf_of(cookie: str) -> str:
    """The CSRF token of a session: whoever has its cookie can have it, so that every page of a browser can; nobody else can."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"boardroom csrf " + cookie.encode()).digest()).decode().rstrip("=")


async def leave(store: Store, who: Who) -> None:
    """End a session."""
    kind, _, key = who.credential.partition(":")
    if kind == "session":
        async with store.write() as tx:
            await access.revoke_session(tx, key, datetime.now(UTC))


async def by_live_ticket(store: Store, ticket: str, meeting_id: str) -> Who | None:
    """Consume a live ticket. It stands for what it was asked for with, and ends when that does."""
    async with store.write() as tx:
        found = await access.use_ticket(tx, hashed(ticket), "live", datetime.now(UTC))
    if found is None or found.meeting_id != meeting_id or found.credential is None:
        return None
    who = Who(found.owner, frozenset(found.scopes), found.credential)
    return who if await still_stands(store, who) else None


async def has_tokens(store: Store) -> bool:
    """Whether any token is good."""
    return any(token.state == "valid" for token in await tokens(store))


async def owner_token(store: Store, data_dir: Path) -> Path:
    """See that the owner has a token, in a file of the data directory that only the owner reads; made at the first start.

    DeskError when others may read the file, or it cannot be written.
    """
    file = data_dir / OWNER_TOKEN
    try:
        kept = _private(file)
        if kept is not None and await by_token(store, kept) is not None:
            return file
        _, secret = await create_token(store, "owner", (*EVERYTHING, "worker"))
        _keep(file, secret)
    except OSError as error:
        raise DeskError(
            f"The owner's token cannot be kept in {file} ({error.strerror}): see to the rights of its folder."
        ) from None
    return file


def _keep(file: Path, secret: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(secret + "\n")
    new.replace(file)


def _private(file: Path) -> str | None:
    """What the file holds; None when there is none. DeskError when others may read or write it, or it is no plain file."""
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with os.fdopen(opened, encoding="utf-8", errors="replace") as kept:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o077:
            raise DeskError(f"{file} may be read by others: delete it, and a new token is made at the next start.")
        return kept.read(200).strip()


async def _ticket(
    store: Store,
    kind: str,
    owner: str,
    scopes: Iterable[str],
    lasts: timedelta,
    *,
    meeting_id: str | None = None,
    credential: str | None = None,
) -> str:
    secret = secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    async with store.write() as tx:
        await access.sweep(tx, now)
        await access.add_ticket(
            tx,
            hash=hashed(secret),
            kind=kind,
            owner=owner,
            scopes=sorted(scopes),
            meeting_id=meeting_id,
            credential=credential,
            created_at=now,
            expires_at=now + lasts,
        )
    return secret


def _stands(row: access.TokenRow, now: datetime) -> bool:
    return row.revoked_at is None and (row.expires_at is None or row.expires_at > now)


def _token(row: access.TokenRow) -> Token:
    return Token(row.id, row.name, row.owner, row.scopes, row.created_at, row.expires_at, row.revoked_at, row.last_used_at)
