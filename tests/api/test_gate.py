"""The gate around all of it: names, origins, sizes, depths, kinds, ids; and that whatever is refused is a problem."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
import websockets
from hypothesis import given
from hypothesis import strategies as st

from api.app import make_app
from api.gate import MAX_BODY, MAX_DEPTH, Refused, _check_json, name_of
from api.limits import Rates
from api.serving import check_reach, serving
from clerk import access
from clerk.errors import DeskError
from records.engine import Store
from settings import Settings
from tests.api.conftest import BOARD, Door
from tests.support import stores

MEETING = "mtg-00000001"
HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


def is_problem(answer: httpx2.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert {"type", "title", "status", "detail"} <= set(told) <= {"type", "title", "status", "detail", "instance", "errors"}
    assert told["status"] == status
    assert told["detail"][-1] in '.`"…'
    assert HEADERS.items() <= dict(answer.headers).items()
    return told


async def raw(door: Door, text: bytes) -> bytes:
    """What comes back for bytes as they are."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(door.url.rpartition(":")[2]))
    writer.write(text)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


@pytest.fixture
async def meeting(lone: Door) -> str:
    async with lone.store.write() as tx:
        await stores.create_meeting(tx, MEETING, status="agenda_draft", agenda_status="draft")
    return MEETING


# -- names and origins -------------------------------------------------------------------------------------------------

EVIL_HOSTS = [
    "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:8400@localhost",
    "localhost@evil.example", "127.0.0.1 x", "127.0.0.1:abc", "127.0.0.1:123456", "127.1", "[::2]", "[::1]x", "[::1", "", ".",
    "localhost.", "0.0.0.0", "2130706433", "localhost,evil.example", "localhost/evil",
]  # fmt: skip


@pytest.mark.parametrize("host", EVIL_HOSTS)
async def test_a_host_that_is_not_ours_is_turned_away_before_anything_else(lone: Door, meeting: str, host: str) -> None:
    secret = lone.secrets["everything"]
    for method, path in (("GET", "/healthz"), ("GET", "/enter"), ("GET", f"{BOARD}/meetings"), ("POST", f"{BOARD}/meetings")):
        text = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\nConnection: close\r\n\r\n"
        assert (await raw(lone, text.encode())).startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 ")), (method, path)
    upgrade = (
        f"GET {BOARD}/meetings/{meeting}/ws HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert (await raw(lone, upgrade.encode())).startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 "))


async def test_no_host_and_two_hosts_are_none(lone: Door) -> None:
    for head in ("", "Host: localhost\r\nHost: evil.example\r\n", "Host: localhost\r\nHost: localhost\r\n"):
        answer = await raw(lone, f"GET /healthz HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode())
        assert answer.startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 ")), head
    answer = await raw(lone, b"GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 421 ", b"HTTP/1.1 400 "))


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:8400"])
async def test_this_machine_is_served_by_its_names_at_any_port(lone: Door, host: str) -> None:
    async with lone.http("", Host=host) as http:
        assert (await http.get("/healthz")).status_code == 200


async def test_a_name_that_is_allowed_is_served(lone: Door) -> None:
    settings = lone.settings.model_copy(update={"allowed_hosts": " board.example , Other.example"})
    async with serving(lone.client, lone.store, settings) as at:
        for host, status in (("board.example:443", 200), ("OTHER.example", 200), ("xboard.example", 421)):
            async with httpx2.AsyncClient(base_url=at.url, headers={"Host": host}) as http:
                assert (await http.get("/healthz")).status_code == status


@given(st.text(max_size=40))
def test_a_name_is_never_made_up(host: str) -> None:
    assert name_of(host) == "" or host.lower().startswith(name_of(host))


async def test_pages_of_other_origins_may_not_do_anything(lone: Door, meeting: str) -> None:
    evil = [
        "https://evil.example", "http://evil.example", "null", f"{lone.url}.evil.example", f"{lone.url}0", "http://127.0.0.1",
        "http://localhost", lone.url.replace("http", "ftp"), "file://", f"{lone.url}/", f"{lone.url} https://evil.example", "x",
    ]  # fmt: skip
    for origin in evil:
        async with lone.http(Origin=origin) as http:
            assert (await http.get(f"{BOARD}/members")).status_code == 200  # a page cannot read it: no CORS header is sent
            assert not [name for name in (await http.get(f"{BOARD}/members")).headers if name.startswith("access-control")]
            for method in ("POST", "PUT", "DELETE", "PATCH"):
                is_problem(await http.request(method, f"{BOARD}/meetings", json={"name": "x"}), 403)
            preflight = await http.options(f"{BOARD}/meetings", headers={"Access-Control-Request-Method": "POST"})
            assert not [name for name in preflight.headers if name.startswith("access-control")]
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with lone.follow(meeting, origin=origin):
                pass
        assert refused.value.response.status_code == 403
    async with lone.http(Origin=lone.url) as http:
        assert (await http.post(f"{BOARD}/meetings", json={"name": "x"})).status_code == 503  # let in; Temporal is away
    async with lone.follow(meeting, origin=lone.url) as line:
        assert await line.recv()


async def test_an_origin_that_is_allowed_may(lone: Door, meeting: str) -> None:
    settings = lone.settings.model_copy(update={"allowed_origins": "https://board.example, https://Other.example/"})
    async with serving(lone.client, lone.store, settings) as at:
        door = Door(at.url, lone.store, settings, lone.client, lone.secrets)
        for origin, status in (("https://board.example", 503), ("https://other.example", 503), ("http://board.example", 403)):
            async with door.http(Origin=origin) as http:
                assert (await http.post(f"{BOARD}/meetings", json={"name": "x"})).status_code == status


# -- bodies ------------------------------------------------------------------------------------------------------------


def padded(size: int) -> bytes:
    """A JSON body of exactly this many bytes."""
    empty = json.dumps({"text": ""}).encode()
    return json.dumps({"text": "x" * (size - len(empty))}).encode()


async def test_a_body_of_one_mib_is_read_and_one_byte_more_is_not(lone: Door, meeting: str) -> None:
    path = f"{BOARD}/meetings/{meeting}/user-input"
    kind = {"Content-Type": "application/json"}

    async def pieces(body: bytes) -> AsyncIterator[bytes]:
        for start in range(0, len(body), 64 * 1024):
            yield body[start : start + 64 * 1024]

    async with lone.http() as http:
        fits, larger = padded(MAX_BODY), padded(MAX_BODY + 1)
        assert (len(fits), len(larger)) == (MAX_BODY, MAX_BODY + 1)
        for content in (fits, pieces(fits)):
            assert (await http.post(path, content=content, headers=kind)).status_code not in (413, 500)
        for content in (larger, pieces(larger)):  # with its length, and without one
            assert "1 MiB" in is_problem(await http.post(path, content=content, headers=kind), 413)["detail"]
    async with lone.http("") as http:  # nobody either makes this process read more
        is_problem(await http.post(path, content=pieces(padded(MAX_BODY * 3)), headers=kind), 413)


async def test_a_body_that_does_not_come_is_not_waited_for(lone: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.gate.PATIENCE", 0.2)
    head = f"POST {BOARD}/meetings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Type: application/json\r\n\r\n"
    assert (await raw(lone, head.encode() + b"{")).startswith(b"HTTP/1.1 408 ")


async def test_a_body_is_json_and_not_nested_without_end(lone: Door, meeting: str) -> None:
    path = f"{BOARD}/meetings/{meeting}/user-input"
    kind = {"Content-Type": "application/json"}
    async with lone.http() as http:
        for depth, told in ((MAX_DEPTH, "text"), (MAX_DEPTH + 1, "levels"), (100_000, "levels")):
            body = b'{"text":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"
            assert told in is_problem(await http.post(path, content=body, headers=kind), 422)["detail"]
        for body in (
            b"{", b"nothing", b"\xff\xfe{\x00}\x00", '{"text": "x"}'.encode("utf-16"), b'{"text": "\x00"}', b'{"text": "x"',
            b'{"text": "\xff"}', b"[1,]", b'{"text": ' + b"9" * 5000 + b"}", b'{"text": NaN}', b'"text"',
            b"null", b"[]", b"{}", b'{"text": null}', b'{"text": 1}', b'{"text": ["x"]}',
        ):  # fmt: skip
            is_problem(await http.post(path, content=body, headers=kind), 422)
        lone_half = await http.post(path, content=b'{"text": "\\ud800"}', headers=kind)
        is_problem(lone_half, 409)  # read, and shown by its picture: the meeting has not begun


@given(st.recursive(st.none() | st.booleans() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3), max_leaves=60))
def test_depth_is_counted_outside_of_strings_only(value: Any) -> None:
    def depth(value: Any) -> int:
        return 1 + max((depth(each) for each in value), default=0) if isinstance(value, list) else 0

    try:
        _check_json(json.dumps(value).encode())
        refused = False
    except Refused:
        refused = True
    assert refused is (depth(value) > MAX_DEPTH)
    _check_json(json.dumps('[{"' * 100 + "\\").encode())


async def test_another_kind_of_body_is_refused(lone: Door, meeting: str) -> None:
    path = f"{BOARD}/meetings/{meeting}/user-input"
    async with lone.http() as http:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json", "", "json",
                     "application/jsonp", "application/json-patch+json"):  # fmt: skip
            answer = await http.post(path, content=b'{"text": "x"}', headers={"Content-Type": kind} if kind else {})
            is_problem(answer, 415)
        for kind in ("application/json", "Application/JSON; charset=utf-8"):
            answer = await http.post(path, content=b'{"text": "x"}', headers={"Content-Type": kind})
            assert answer.status_code not in (415, 422)


async def test_a_field_that_is_unknown_is_named_and_nothing_of_the_request_is_repeated(lone: Door, meeting: str) -> None:
    canary = "c4n4ry"
    bodies: list[tuple[str, dict[str, Any]]] = [
        (f"{BOARD}/meetings", {"name": "x", "nmae": canary}),
        (f"{BOARD}/meetings", {f"<script>{canary}": 1}),
        (f"{BOARD}/meetings", {"attendees": [canary] * 26}),
        (f"{BOARD}/meetings", {"items": [{"topic": "x", "type": canary}]}),
        (f"{BOARD}/meetings", {"scheduled_start": canary}),
        (f"{BOARD}/meetings", {"name": "x" * 501 + canary}),
        (f"{BOARD}/meetings/{meeting}/agenda/operations", {"version": 0, "operations": [{"op": canary}]}),
        (f"{BOARD}/meetings/{meeting}/agenda/operations", {"version": 0, "operations": [{"op": "remove", f"<{canary}>": 1}]}),
        (f"{BOARD}/meetings/{meeting}/user-input", {"text": {"canary": canary}}),
        ("/api/v1/session", {"ticket": canary * 50}),
    ]
    async with lone.http(Origin=lone.url) as http:
        for path, body in bodies:
            told = is_problem(await http.post(path, json=body), 422)
            assert canary not in json.dumps(told), body
        told = is_problem(await http.post(f"{BOARD}/meetings", json={"name": "x", "nmae": "y"}), 422)
        assert told["errors"][0]["where"] == "body.nmae"


# -- ids and paths -----------------------------------------------------------------------------------------------------

BAD_IDS = [
    "..", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%5c..", "%00", "mtg-00000001%00", "mtg-00000001%0a",
    "mtg-00000001%0d%0a", "%0amtg-00000001", "MTG-00000001", "mtg-0000000A", "mtg-0000001", "mtg-000000001", "mtg-0000000g",
    "mtg-00000001%20", "mtg_00000001", "mtg-%F0%9D%9F%8E0000001", "mtg-٠٠٠٠٠٠٠٠", "mtg-" + "0" * 4000, "%ff%fe",
    "'%20OR%201=1--", "mtg-00000001;x", "*", "{meeting_id}",
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD_IDS, ids=range(len(BAD_IDS)))
async def test_an_id_that_is_none_is_told_and_never_becomes_a_path(lone: Door, meeting: str, bad: str) -> None:
    async with lone.http() as http:
        for method, path in (
            ("GET", f"{BOARD}/meetings/{bad}"),
            ("DELETE", f"{BOARD}/meetings/{bad}"),
            ("POST", f"{BOARD}/meetings/{bad}/start"),
            ("GET", f"{BOARD}/meetings/{bad}/transcript"),
            ("PUT", f"{BOARD}/meetings/{meeting}/agenda/items/{bad}/commentary"),
            ("GET", f"{BOARD}/members/{bad}"),
        ):
            answer = await http.request(method, path, json={"commentary": "x"} if method == "PUT" else None)
            if answer.request.url.path.count("/") != path.count("/"):
                continue  # ".." was resolved by the client itself
            assert answer.status_code in (404, 405, 422), (method, path, answer.status_code)
            is_problem(answer, answer.status_code)
    text = f"GET {BOARD}/meetings/{bad} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {lone.secrets['reader']}\r\n"
    answered = await raw(lone, text.encode() + b"Connection: close\r\n\r\n")
    assert answered.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 422 ", b"HTTP/1.1 400 "))


async def test_numbers_out_of_bounds_are_told(lone: Door, meeting: str) -> None:
    async with lone.http() as http:
        for after in ("-1", "x", "1.5", "9" * 30, "0x1", "", "2147483648"):
            is_problem(await http.get(f"{BOARD}/meetings/{meeting}/transcript", params={"after": after}), 422)
        for version in (-1, 2**31, 1.5, "one", None, 2**80):
            is_problem(await http.post(f"{BOARD}/meetings/{meeting}/agenda/undo", json={"version": version}), 422)


async def test_every_refusal_is_a_problem_and_every_answer_has_its_headers(lone: Door) -> None:
    async with lone.http() as http:
        told = is_problem(await http.get(f"{BOARD}/nothing"), 404)
        assert told["instance"] == f"{BOARD}/nothing"
        assert "instance" not in is_problem(await http.get("/<script>alert(1)</script>"), 404)
        is_problem(await http.put(f"{BOARD}/meetings", json={}), 405)
        is_problem(await http.options(f"{BOARD}/meetings"), 405)
        is_problem(await http.get(f"{BOARD}/meetings/mtg-00000000"), 404)
        for path in ("/healthz", "/enter", "/enter.js", "/openapi.json", f"{BOARD}/members", "/metrics"):
            answer = await http.get(path)
            assert answer.status_code == 200
            assert HEADERS.items() <= dict(answer.headers).items(), path
        assert "server" not in (await http.get("/healthz")).headers
    async with lone.http("") as http:
        answer = await http.get(f"{BOARD}/members")
        is_problem(answer, 401)
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_an_error_of_our_own_says_nothing_of_what_was_said(
    lone: Door, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    words = "my " + "knee hurts"

    def fails(*_: Any) -> None:
        raise ValueError(words)

    monkeypatch.setattr("clerk.opening.members", fails)
    async with lone.http() as http:
        told = is_problem(await http.get(f"{BOARD}/members"), 500)
    assert "knee" not in json.dumps(told)
    assert "ValueError" in caplog.text
    assert "knee" not in caplog.text


async def test_a_store_that_does_not_answer_is_503_with_a_sentence(lone: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> Any:
        raise ConnectionRefusedError("no")

    for way in ("read", "look"):
        monkeypatch.setattr(lone.store, way, lambda *_: away())
    async with lone.http() as http:
        told = is_problem(await http.get(f"{BOARD}/meetings"), 503)
        assert "store" in told["detail"]
        ready = await http.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "not ready")


# -- how much ----------------------------------------------------------------------------------------------------------


async def test_who_asks_too_much_waits_and_others_do_not(store: Store, settings: Settings) -> None:
    settings = settings.model_copy(update={"api_rate": 0.5, "api_burst": 3})
    _, mine = await access.create_token(store, "mine", ["reader"])
    _, other = await access.create_token(store, "other", ["reader"])
    async with serving(None, store, settings) as at:
        door = Door(at.url, store, settings, None)  # type: ignore[arg-type]
        async with door.http(mine) as http:
            assert [(await http.get(f"{BOARD}/members")).status_code for _ in range(4)] == [200, 200, 200, 429]
            answer = await http.get(f"{BOARD}/members")
            is_problem(answer, 429)
            assert 1 <= int(answer.headers["retry-after"]) <= 2
            assert (await http.get("/healthz")).status_code == 200
        async with door.http(other) as http:
            assert (await http.get(f"{BOARD}/members")).status_code == 200
        async with door.http("") as http:  # whoever guesses
            guesses = [(await http.get(f"{BOARD}/members")).status_code for _ in range(5)]
            assert guesses == [401, 401, 401, 429, 429]
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with door.follow("mtg-00000000", secret=mine):
                pass
        assert refused.value.response.status_code == 429


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("api.limits.time.monotonic", lambda: now)
    rates = Rates(2, 3)
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    now += 0.5
    assert [rates.wait("a") for _ in range(2)] == [0, 0.5]
    now += 1000
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]  # and holds no more than its burst
    assert rates.wait("b") == 0


async def test_one_person_has_so_many_open_meetings_and_no_more(lone: Door) -> None:
    settings = lone.settings.model_copy(update={"max_meetings": 2})
    async with lone.store.write() as tx:
        await stores.create_meeting(tx, "mtg-00000001")
        await stores.create_meeting(tx, "mtg-00000002", ended_by="agenda", status="completed")
    async with serving(lone.client, lone.store, settings) as at:
        door = Door(at.url, lone.store, settings, lone.client, lone.secrets, lone.stranger)
        async with door.http() as http:
            assert (await http.post(f"{BOARD}/meetings", json={"name": "x"})).status_code == 503  # room; Temporal is away
            async with lone.store.write() as tx:
                await stores.create_meeting(tx, "mtg-00000003")
            told = is_problem(await http.post(f"{BOARD}/meetings", json={"name": "x"}), 409)
            assert "BOARDROOM_MAX_MEETINGS" in told["detail"]
        async with door.http(lone.stranger) as http:
            assert (await http.post(f"{BOARD}/meetings", json={"name": "x"})).status_code == 503


# -- reach -------------------------------------------------------------------------------------------------------------


async def test_beyond_this_machine_it_needs_tokens_and_names(store: Store, settings: Settings) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "board.example"):
        wide = settings.model_copy(update={"host": host})
        with pytest.raises(DeskError, match="BOARDROOM_ALLOWED_HOSTS"):
            await check_reach(store, wide)
        named = wide.model_copy(update={"allowed_hosts": "board.example"})
        with pytest.raises(DeskError, match="tokens create"):
            await check_reach(store, named)
    token, _ = await access.create_token(store, "t", ["reader"])
    await check_reach(store, named)
    await access.revoke_token(store, token.id)
    with pytest.raises(DeskError, match="tokens create"):  # a token that is no good is none
        await check_reach(store, named)
    for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost"):
        await check_reach(store, settings.model_copy(update={"host": host}))


async def test_a_port_that_is_taken_is_told_and_the_usual_one_gives_way(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DeskError, match=f"127.0.0.1:{port}"):
            async with serving(None, store, settings.model_copy(update={"port": port})):
                pass
        monkeypatch.setattr(Settings.model_fields["port"], "default", port)
        unset = settings.model_copy(update={"port": port})
        unset.__pydantic_fields_set__.discard("port")
        async with serving(None, store, unset) as at:  # nobody asked for it: a free one will do
            assert not at.url.endswith(f":{port}")


def test_the_schema_is_the_same_as_the_pages_own() -> None:
    """The page that lets a browser in loads nothing that the policy would not let it."""
    from api.system import PAGES

    page = (PAGES / "enter.html").read_text()
    assert "<style" not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count('<script src="/') == 1
    assert "http" not in page.replace("http-equiv", "")
    assert make_app(None, None, Settings()).app.docs_url is None


async def test_metrics_tell_kinds_and_counts_and_nobodys_ids(lone: Door, meeting: str) -> None:
    async with lone.http() as http:
        for path in (f"{BOARD}/meetings/{meeting}", f"{BOARD}/meetings/{meeting}x", "/a/hidden/path", f"{BOARD}/members/dalio"):
            await http.get(path)
        async with lone.follow(meeting) as line:
            await line.recv()
            text = (await http.get("/metrics")).text
    assert 'boardroom_http_requests_total{method="GET",route="/api/v1/board/meetings/{meeting_id}",status="200"}' in text
    assert 'boardroom_http_requests_total{method="GET",route="none",status="404"}' in text
    assert 'boardroom_meetings{status="agenda_draft"} 1' in text
    assert re.search(r"^boardroom_followers [1-9]", text, re.MULTILINE)
    for word in (meeting, "hidden", "dalio", "shareholder", lone.secrets["everything"]):
        assert word not in text
