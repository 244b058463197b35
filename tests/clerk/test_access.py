"""Tokens, sessions and tickets at the desk, on both stores; and the owner's token in its file."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clerk import access
from clerk.errors import DeskError, Kind
from records.engine import Store, sqlite_url
from tests.support import stores

MEETING = "mtg-00000001"


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with stores.postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "data")
    return stores.new_database(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = await Store.open(url)
    async with opened.write() as tx:
        await stores.create_meeting(tx, MEETING)
    yield opened
    await opened.close()


async def test_a_token_is_random_shown_once_and_stands_for_its_owner_and_scopes(store: Store) -> None:
    made, secret = await access.create_token(store, "  my\nlaptop ", ["reader", "operator", "reader"], owner="ann@example.org")
    assert re.fullmatch(r"brd_[A-Za-z0-9_-]{43}", secret)
    assert re.fullmatch(r"tok-[0-9a-f]{8}", made.id)
    assert (made.name, made.scopes, made.state) == ("my laptop", ("reader", "operator"), "valid")
    _, other = await access.create_token(store, "other", ["reader"])
    assert secret != other
    who = await access.by_token(store, secret)
    assert who is not None
    assert (who.owner, who.scopes, who.credential) == ("ann@example.org", {"reader", "operator"}, f"token:{made.id}")
    async with store.read() as tx:
        from records import access as rows

        [row] = [row for row in await rows.tokens(tx) if row.id == made.id]
    assert row.hash == hashlib.sha256(secret.encode()).hexdigest()
    for wrong in (
        "",
        "brd_",
        secret[:-1],
        secret + "x",
        secret + "\n",
        secret.upper(),
        secret[4:],
        row.hash,
        f"brd_{row.hash}",
    ):
        assert await access.by_token(store, wrong) is None


async def test_what_is_no_token_is_told(store: Store) -> None:
    for name, scopes, more in (
        ("", ["reader"], {}),
        (" \u200b", ["reader"], {}),
        ("x" * 101, ["reader"], {}),
        ("t", [], {}),
        ("t", ["everything"], {}),
        ("t", ["reader", "READER"], {}),
        ("t", ["reader"], {"owner": ""}),
        ("t", ["reader"], {"owner": "../x"}),
        ("t", ["reader"], {"owner": "x" * 101}),
        ("t", ["reader"], {"days": 0}),
        ("t", ["reader"], {"days": -1}),
        ("t", ["reader"], {"days": 1e9}),
        ("t", ["reader"], {"days": float("nan")}),
    ):
        with pytest.raises(DeskError) as raised:
            await access.create_token(store, name, scopes, **more)  # type: ignore[arg-type]
        assert raised.value.kind is Kind.USAGE
    assert await access.tokens(store) == []


async def test_a_token_ends_when_it_runs_out_or_is_revoked(store: Store) -> None:
    short, brief_secret = await access.create_token(store, "short", ["reader"], days=0.3 / 86400)
    gone, gone_secret = await access.create_token(store, "gone", ["reader"])
    brief_who, gone_who = await access.by_token(store, brief_secret), await access.by_token(store, gone_secret)
    assert brief_who is not None
    assert gone_who is not None
    assert await access.still_stands(store, brief_who)
    await access.revoke_token(store, gone.id)
    assert await access.by_token(store, gone_secret) is None
    assert not await access.still_stands(store, gone_who)
    await asyncio.sleep(0.4)
    assert await access.by_token(store, brief_secret) is None
    assert not await access.still_stands(store, brief_who)
    assert {token.id: token.state for token in await access.tokens(store)} == {short.id: "expired", gone.id: "revoked"}
    with pytest.raises(DeskError) as again:
        await access.revoke_token(store, gone.id)
    assert again.value.kind is Kind.REFUSED
    with pytest.raises(DeskError) as unknown:
        await access.revoke_token(store, "tok-00000000")
    assert unknown.value.kind is Kind.UNKNOWN


async def test_a_login_ticket_opens_one_session_and_no_other_ticket_does(store: Store) -> None:
    ticket = await access.login_ticket(store, owner="ann", scopes=["reader"])
    results = await asyncio.gather(*(access.enter(store, ticket) for _ in range(4)), return_exceptions=True)
    opened = [result for result in results if isinstance(result, tuple)]
    assert len(opened) == 1
    cookie, csrf, until = opened[0]
    assert csrf == access.csrf_of(cookie) != cookie
    who = await access.by_session(store, cookie)
    assert who is not None
    assert (who.owner, who.scopes, who.expires_at) == ("ann", {"reader"}, until)
    assert who.csrf_hash == access.hashed(csrf)
    assert await access.by_session(store, csrf) is None
    assert await access.by_token(store, cookie) is None
    await access.leave(store, who)
    assert await access.by_session(store, cookie) is None
    assert not await access.still_stands(store, who)


async def test_a_live_ticket_ends_with_what_it_was_asked_for_with(store: Store) -> None:
    made, secret = await access.create_token(store, "t", ["reader"])
    who = await access.by_token(store, secret)
    assert who is not None
    ticket = await access.live_ticket(store, who, MEETING)
    found = await access.by_live_ticket(store, ticket, MEETING)
    assert found is not None
    assert (found.owner, found.scopes, found.credential) == (who.owner, who.scopes, who.credential)
    assert await access.by_live_ticket(store, ticket, MEETING) is None
    elsewhere = await access.live_ticket(store, who, MEETING)
    assert await access.by_live_ticket(store, elsewhere, "mtg-00000002") is None
    assert await access.by_live_ticket(store, elsewhere, MEETING) is None  # it was tried at another door: it is used up
    login = await access.login_ticket(store)
    assert await access.by_live_ticket(store, login, MEETING) is None
    late = await access.live_ticket(store, who, MEETING)
    await access.revoke_token(store, made.id)
    assert await access.by_live_ticket(store, late, MEETING) is None


async def test_whether_there_is_any_token_that_is_good(store: Store) -> None:
    assert not await access.has_tokens(store)
    await access.create_token(store, "old", ["reader"], days=1e-9)
    assert not await access.has_tokens(store)
    made, _ = await access.create_token(store, "new", ["reader"])
    assert await access.has_tokens(store)
    await access.revoke_token(store, made.id)
    assert not await access.has_tokens(store)


async def test_the_owners_token_is_made_once_kept_privately_and_made_anew_when_it_is_no_good(
    store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "data"
    file = await access.owner_token(store, folder)
    assert file == folder / "owner.token"
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    secret = file.read_text().strip()
    who = await access.by_token(store, secret)
    assert who is not None
    assert (who.owner, who.scopes) == ("shareholder", set(access.SCOPES))
    await access.owner_token(store, folder)
    assert (file.read_text().strip(), len(await access.tokens(store))) == (secret, 1)
    [token] = await access.tokens(store)
    await access.revoke_token(store, token.id)
    await access.owner_token(store, folder)
    assert file.read_text().strip() != secret
    assert sorted(path.name for path in folder.iterdir()) == ["owner.token"]  # nothing half-written is left

    file.chmod(0o640)
    with pytest.raises(DeskError, match="may be read by others"):
        await access.owner_token(store, folder)
    file.unlink()
    os.symlink(tmp_path / "elsewhere", file)
    with pytest.raises(DeskError, match="cannot be kept"):
        await access.owner_token(store, folder)
    assert not (tmp_path / "elsewhere").exists()


async def test_the_last_use_is_kept_and_does_not_stand_in_the_way(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = await access.create_token(store, "t", ["reader"])

    def full() -> object:
        raise OSError("no room")

    with monkeypatch.context() as patched:
        patched.setattr(store, "write", full)
        assert await access.by_token(store, secret) is not None
    [token] = await access.tokens(store)
    assert token.last_used_at is None
    before = datetime.now(UTC)
    await access.by_token(store, secret)
    [token] = await access.tokens(store)
    assert token.last_used_at is not None
    assert before - timedelta(seconds=1) < token.last_used_at <= datetime.now(UTC)
