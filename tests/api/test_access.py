"""Who may: every route with every kind of credential, from the router's own list; sessions of a browser; other people's ids."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
import websockets
from fastapi import APIRouter, Depends, FastAPI
from sqlalchemy import select

from api.app import make_app
from api.auth import PUBLIC, Needs, check_scopes, routes_of, scope_of
from clerk import access
from records import schema
from settings import Settings
from tests.api.conftest import BOARD, Door
from tests.support import stores

MEETING = "mtg-00000001"
IDS = {"{meeting_id}": MEETING, "{item_id}": "agenda-1", "{member_id}": "dalio"}


def declared() -> list[tuple[str, str, str | None]]:
    """Method, path and scope of every route that is there."""
    found = []
    for route in routes_of(make_app(None, None, Settings()).app):
        methods = route.methods if hasattr(route.original_route, "methods") else {"WS"}
        found += [(method, str(route.path), scope_of(route)) for method in sorted(methods or ()) if method != "HEAD"]
    return found


ROUTES = declared()


def test_there_are_routes_to_look_at() -> None:
    assert len(ROUTES) > 30
    assert {scope for _, _, scope in ROUTES} == {"reader", "operator", "worker", None}


async def asked(door: Door, method: str, path: str, secret: str) -> int:
    """The status that a request to the route gets; 101 for a WebSocket that is opened."""
    for name, value in IDS.items():
        path = path.replace(name, value)
    if method == "WS":
        try:
            async with door.follow(MEETING, secret=secret):
                return 101
        except websockets.InvalidStatus as error:
            return error.response.status_code
    async with door.http(secret) as http:
        answer = await http.request(method, path, json=None if method in ("GET", "DELETE") else {})
        if answer.status_code >= 400 and path != "/readyz":
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["status"] == answer.status_code
        return answer.status_code


@pytest.fixture
async def watched(lone: Door) -> Door:
    async with lone.store.write() as tx:
        await stores.create_meeting(tx, MEETING, status="agenda_draft", agenda_status="draft")
    return lone


@pytest.mark.parametrize(("method", "path", "scope"), ROUTES, ids=[f"{method} {path}" for method, path, _ in ROUTES])
async def test_every_route_with_every_kind_of_credential(watched: Door, method: str, path: str, scope: str | None) -> None:
    if scope is None:
        assert path in PUBLIC
        return
    _, expired = await access.create_token(watched.store, "expired", [scope], days=1e-9)
    gone, revoked = await access.create_token(watched.store, "revoked", [scope])
    await access.revoke_token(watched.store, gone.id)
    right = watched.secrets[scope]
    for secret in ("", "nonsense", "brd_" + "x" * 43, right[:-1] + ("a" if right[-1] != "a" else "b"), expired, revoked):
        assert await asked(watched, method, path, secret) == 401
    for name in set(access.SCOPES) - {scope}:
        assert await asked(watched, method, path, watched.secrets[name]) == 403, name
    if "{meeting_id}" in path:  # somebody else, with every scope there is
        assert await asked(watched, method, path, watched.stranger) == 404
    assert await asked(watched, method, path, right) not in (401, 403, 404, 405, 500)


def test_a_route_without_a_scope_is_an_error_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(None, None, Settings()).app
    check_scopes(app)

    @app.get("/api/v1/board/secrets")
    async def forgotten() -> None: ...

    with pytest.raises(RuntimeError, match=r"/api/v1/board/secrets declares no scope"):
        check_scopes(app)

    nested, router = FastAPI(), APIRouter(prefix="/deep")

    @router.websocket("/ws")
    async def forgotten_too() -> None: ...

    nested.include_router(router, prefix="/very")
    nested.router.routes[:] = nested.router.routes[-1:]
    with pytest.raises(RuntimeError, match="/very/deep/ws"):
        check_scopes(nested)

    import api.members

    async def unwatched() -> None: ...

    monkeypatch.setattr(api.members, "router", APIRouter())
    api.members.router.add_api_route("/x", unwatched)
    with pytest.raises(RuntimeError, match="/x declares no scope"):
        make_app(None, None, Settings())


def test_a_route_with_a_meeting_that_does_not_ask_whose_it_is_is_an_error_at_the_start() -> None:
    app = make_app(None, None, Settings()).app

    @app.get("/api/v1/board/meetings/{meeting_id}/x", dependencies=[Depends(Needs("reader"))])
    async def careless(meeting_id: str) -> None: ...

    with pytest.raises(RuntimeError, match="whose meeting"):
        check_scopes(app)


# -- tokens ------------------------------------------------------------------------------------------------------------


async def test_only_hashes_are_kept_and_the_last_use_once_a_minute(lone: Door) -> None:
    async with lone.http(lone.secrets["reader"]) as http:
        assert (await http.get(f"{BOARD}/members")).status_code == 200
        [first] = [t for t in await access.tokens(lone.store) if t.name == "reader"]
        assert first.last_used_at is not None
        assert (await http.get(f"{BOARD}/members")).status_code == 200
        [again] = [t for t in await access.tokens(lone.store) if t.name == "reader"]
        assert again.last_used_at == first.last_used_at
        async with lone.store.write() as tx:
            long_ago = datetime.now(UTC) - timedelta(minutes=2)
            await tx.execute(schema.tokens.update().where(schema.tokens.c.id == first.id).values(last_used_at=long_ago))
        assert (await http.get(f"{BOARD}/members")).status_code == 200
        [later] = [t for t in await access.tokens(lone.store) if t.name == "reader"]
        assert later.last_used_at is not None
        assert later.last_used_at > first.last_used_at
    kept = b"".join(file.read_bytes() for file in lone.settings.data_dir.iterdir() if file.is_file())
    for secret in (*lone.secrets.values(), lone.stranger):
        assert secret.encode() not in kept


async def test_other_words_before_a_token_open_nothing(lone: Door) -> None:
    secret = lone.secrets["everything"]
    for value in (f"Basic {secret}", secret, f"Bearer: {secret}", f"Bearer {secret} x", f"Token {secret}", "Bearer", ""):
        async with lone.http("", Authorization=value) as http:
            assert (await http.get(f"{BOARD}/members")).status_code == 401, value
    async with lone.http("", Authorization=f"bearer {secret}") as http:
        assert (await http.get(f"{BOARD}/members")).status_code == 200
    async with lone.http("") as http:
        assert (await http.get(f"{BOARD}/members", params={"token": secret, "access_token": secret})).status_code == 401


# -- other people's ------------------------------------------------------------------------------------------------------


@pytest.mark.server
async def test_two_people_see_their_own_meetings_and_nothing_of_each_others(door: Door) -> None:
    async with door.http() as mine, door.http(door.stranger) as theirs:
        here = (await mine.post(f"{BOARD}/meetings", json={"name": "Mine"})).json()["id"]
        there = (await theirs.post(f"{BOARD}/meetings", json={"name": "Theirs"})).json()["id"]
        for http, own, other in ((mine, here, there), (theirs, there, here)):
            listed = [line["meeting_id"] for line in (await http.get(f"{BOARD}/meetings")).json()["meetings"]]
            assert listed == [own]
            unknown = (await http.get(f"{BOARD}/meetings/mtg-00000000")).json()
            foreign = (await http.get(f"{BOARD}/meetings/{other}")).json()
            assert {**foreign, "instance": "", "detail": foreign["detail"].replace(other, "mtg-00000000")} == {
                **unknown,
                "instance": "",
            }  # nothing tells the two apart
        # The same key of two people, or of one person in two meetings, stands for different things.
        also = (await mine.post(f"{BOARD}/meetings", json={"name": "Also mine"})).json()["id"]
        ids = set()
        for http, meeting in ((mine, here), (mine, also), (theirs, there)):
            key = {"Idempotency-Key": "the-same-key"}
            words = {"message": "Can we add a sleep goal?"}
            said = await http.post(f"{BOARD}/meetings/{meeting}/conversation", json=words, headers=key)
            again = await http.post(f"{BOARD}/meetings/{meeting}/conversation", json=words, headers=key)
            assert said.status_code == again.status_code == 200
            assert said.json()["reply"] == again.json()["reply"]
            assert len((await http.get(f"{BOARD}/meetings/{meeting}/conversation")).json()["messages"]) == 2
            ids.add(said.json()["message_id"])
        assert len(ids) == 3
        other_words = await mine.post(f"{BOARD}/meetings/{here}/conversation", json={"message": "Else."}, headers=key)
        assert other_words.status_code == 409


# -- the browser -------------------------------------------------------------------------------------------------------


def browser(door: Door, **headers: str) -> httpx2.AsyncClient:
    return door.http("", **({"Origin": door.url} | headers))


async def test_a_one_time_link_opens_a_session_once(lone: Door) -> None:
    ticket = await access.login_ticket(lone.store)
    async with browser(lone) as http:
        assert (await http.get("/enter")).status_code == 200  # looking at the page uses nothing up
        opened = await http.post("/api/v1/session", json={"ticket": ticket})
        assert opened.status_code == 201
        cookie = opened.headers["set-cookie"]
        port = lone.url.rpartition(":")[2]
        assert re.match(rf"boardroom-{port}=[A-Za-z0-9_-]{{43}}; ", cookie)  # boards on other ports keep their own
        flags = {flag.strip().lower() for flag in cookie.split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/"} <= flags
        assert "secure" not in flags  # plain http on the loopback
        assert not any(flag.startswith("domain") for flag in flags)
        csrf = opened.json()["csrf"]
        assert (await http.get(f"{BOARD}/meetings")).status_code == 200
        who = (await http.get("/api/v1/session")).json()
        assert (who["owner"], who["csrf"]) == ("shareholder", csrf)  # a second tab gets its CSRF token too

        path, body = f"{BOARD}/meetings", {"name": "By hand"}
        assert (await http.post(path, json=body)).status_code == 403  # no CSRF token
        assert (await http.post(path, json=body, headers={"X-CSRF-Token": "wrong"})).status_code == 403
        assert (await http.post(path, json=body, headers={"X-CSRF-Token": csrf})).status_code == 503  # Temporal is away
        for kind, content in (
            ("text/plain", b'{"name": "x"}'),
            ("application/x-www-form-urlencoded", b"name=x"),
            ("multipart/form-data; boundary=x", b"--x--"),
        ):
            sent = await http.post(path, content=content, headers={"X-CSRF-Token": csrf, "Content-Type": kind})
            assert sent.status_code == 415
        evil = await http.post(path, json=body, headers={"X-CSRF-Token": csrf, "Origin": "https://evil.example"})
        assert evil.status_code == 403
        no_origin = httpx2.AsyncClient(base_url=lone.url, cookies=dict(http.cookies), headers={"X-CSRF-Token": csrf})
        async with no_origin as bare:
            assert (await bare.post(path, json=body)).status_code == 403

        async with browser(lone) as other:
            used = await other.post("/api/v1/session", json={"ticket": ticket})
            assert used.status_code == 409
            assert "used already" in used.json()["detail"]

        assert (await http.delete("/api/v1/session", headers={"X-CSRF-Token": csrf})).status_code == 204
        async with browser(lone, Cookie=cookie.partition(";")[0]) as stolen:
            assert (await stolen.get(f"{BOARD}/meetings")).status_code == 401


async def test_of_two_who_use_a_link_at_once_one_gets_in(lone: Door) -> None:
    ticket = await access.login_ticket(lone.store)
    async with browser(lone) as http:
        answers = await asyncio.gather(*(http.post("/api/v1/session", json={"ticket": ticket}) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]


async def test_a_link_runs_out_and_another_kind_of_ticket_is_none(lone: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    async with lone.store.write() as tx:
        await stores.create_meeting(tx, MEETING)
    who = await access.by_token(lone.store, lone.secrets["everything"])
    assert who is not None
    live = await access.live_ticket(lone.store, who, MEETING)
    with monkeypatch.context() as patched:
        patched.setattr(access, "LOGIN_FOR", -access.LOGIN_FOR)
        stale = await access.login_ticket(lone.store)
    async with browser(lone) as http:
        for ticket in (live, stale, "x", "x" * 200):
            assert (await http.post("/api/v1/session", json={"ticket": ticket})).status_code == 409
        assert (await http.post("/api/v1/session", json={"ticket": "x" * 201})).status_code == 422
    async with lone.http("") as http:  # a program has no business with sessions
        assert (await http.post("/api/v1/session", json={"ticket": await access.login_ticket(lone.store)})).status_code == 403


async def test_a_session_runs_out(lone: Door) -> None:
    cookie, _, until = await access.enter(lone.store, await access.login_ticket(lone.store), hours=2)
    assert timedelta(hours=1.9) < until - datetime.now(UTC) <= timedelta(hours=2)
    port = lone.url.rpartition(":")[2]
    async with browser(lone, Cookie=f"boardroom-{port}={cookie}") as http:
        assert (await http.get(f"{BOARD}/members")).status_code == 200
        async with lone.store.write() as tx:
            await tx.execute(schema.sessions.update().values(expires_at=datetime.now(UTC)))
        assert (await http.get(f"{BOARD}/members")).status_code == 401


async def test_a_browser_follows_by_its_cookie_and_its_origin(watched: Door) -> None:
    cookie, _, _ = await access.enter(watched.store, await access.login_ticket(watched.store))
    port = watched.url.rpartition(":")[2]
    sent: dict[str, Any] = {"secret": "", "additional_headers": {"Cookie": f"boardroom-{port}={cookie}"}}
    async with watched.follow(MEETING, origin=watched.url, **sent) as line:
        assert await line.recv()
    for origin in (None, "https://evil.example", "null", watched.url.replace("http", "https") + ".evil.example"):
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with watched.follow(MEETING, origin=origin, **sent):
                pass
        assert refused.value.response.status_code == 403


async def test_elsewhere_than_on_the_loopback_the_cookie_is_secure(lone: Door) -> None:
    from contextlib import suppress

    import uvicorn

    settings = lone.settings.model_copy(update={"allowed_hosts": "board.example"})
    app = make_app(lone.client, lone.store, settings)
    assert uvicorn  # the same application, asked in process: no name of another machine is needed for that
    transport = httpx2.ASGITransport(app)
    headers = {"Host": "board.example", "Origin": "https://board.example"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://board.example", headers=headers) as http:
        opened = await http.post("/api/v1/session", json={"ticket": await access.login_ticket(lone.store)})
        assert opened.status_code == 201
        cookie = opened.headers["set-cookie"]
        assert cookie.startswith("__Host-boardroom=")
        assert {"secure", "httponly", "samesite=strict", "path=/"} <= {f.strip().lower() for f in cookie.split(";")[1:]}
        with suppress(KeyError):
            del http.headers["cookie"]
        value = cookie.partition(";")[0]
        assert (await http.get(f"{BOARD}/members", headers={"Cookie": value})).status_code == 200
        plain = value.replace("__Host-boardroom", "boardroom-80")
        assert (await http.get(f"{BOARD}/members", headers={"Cookie": plain})).status_code == 401


async def test_no_ticket_and_no_session_is_kept_but_as_a_hash_and_old_ones_are_forgotten(lone: Door) -> None:
    ticket = await access.login_ticket(lone.store)
    cookie, csrf, _ = await access.enter(lone.store, ticket)
    async with lone.store.write() as tx:
        await tx.execute(schema.tickets.update().values(expires_at=datetime.now(UTC) - timedelta(seconds=1)))
    await access.login_ticket(lone.store)
    async with lone.store.read() as tx:
        assert len((await tx.execute(select(schema.tickets))).all()) == 1
    kept = b"".join(file.read_bytes() for file in lone.settings.data_dir.iterdir() if file.is_file())
    for secret in (ticket, cookie, csrf):
        assert secret.encode() not in kept
