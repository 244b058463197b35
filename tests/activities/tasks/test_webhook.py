"""Action items by webhook: signed, once each, to where the operator said and nowhere inside."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from activities.notices import signed
from activities.notices.signed import signature
from activities.tasks import SinkError, TaskItem, problems_of, sinks_of, webhook
from activities.tasks.webhook import WebhookSink
from settings import Settings, SettingsError, load
from tests.activities.tasks.conftest import HOST
from tests.support.peers import OK, Certificate, Leading, Peer, peer

ROOT = Path(__file__).parents[3]
SECRET = "CANARY-secret-of-the-tasks"
PUBLIC = "93.184.215.14"
ITEM = TaskItem(
    "ACT-0000000a", "Call <script>\u202e", "shareholder", "next Friday", date(2026, 12, 11), "The flat", "RES-mtg-00000001-1",
    owner_name="You",
)  # fmt: skip


def settings(url: str = f"https://{HOST}/hook?key=CANARY-key", allowed: str = "", secret: str = SECRET) -> Settings:
    return Settings(tasks_webhook_url=url, tasks_webhook_secret=secret, webhook_allowed_hosts=allowed)


def local(server: Peer) -> WebhookSink:
    (sink,) = sinks_of(settings(f"http://127.0.0.1:{server.port}/hook?key=CANARY-key", "127.0.0.1"))
    assert isinstance(sink, WebhookSink)
    return sink


def resolving(*addresses: str) -> Any:
    async def resolver(_host: str, _port: int) -> list[str]:
        return list(addresses)

    return resolver


async def refusal(sink: WebhookSink, *items: TaskItem) -> SinkError:
    with pytest.raises(SinkError) as raised:
        await sink.push(items or [ITEM])
    assert not re.search(r"CANARY|127\.0\.0\.1|Call", str(raised.value))
    assert raised.value.__cause__ is None
    return raised.value


async def test_a_peer_gets_each_item_signed_and_tells_a_repetition_from_a_change() -> None:
    async with peer() as server:
        sink = local(server)
        await sink.push([ITEM])
        await sink.push([ITEM])
        await sink.push([replace(ITEM, done=True)])
        assert await sink.completed() == frozenset()
    first, again, done = server.requests
    assert first.line == "POST /hook?key=CANARY-key HTTP/1.1"
    assert json.loads(first.body) == {
        "id": "ACT-0000000a", "type": "action_item", "task": "Call <script>\u202e", "owner": "shareholder", "owner_name": "You",
        "deadline": "next Friday", "due": "2026-12-11", "topic": "The flat", "resolution_id": "RES-mtg-00000001-1",
        "status": "pending",
    }  # fmt: skip
    assert json.loads(done.body) == json.loads(first.body) | {"status": "done"}
    assert {request.headers["idempotency-key"] for request in server.requests} == {ITEM.id}
    assert first.headers["webhook-id"] == again.headers["webhook-id"] != done.headers["webhook-id"]
    for request in server.requests:
        id, stamp = request.headers["webhook-id"], request.headers["webhook-timestamp"]
        assert request.headers["webhook-signature"] == signature(SECRET, id, stamp, request.body)


async def test_the_receiver_that_the_documentation_shows_can_tell_what_is_genuine() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/notices.md").read_text(encoding="utf-8"), re.DOTALL)
    receiver: dict[str, Any] = {}
    exec(shown, receiver)
    async with peer() as server:
        await local(server).push([ITEM])
    (got,) = server.requests
    assert receiver["genuine"](got.headers, got.body, SECRET)
    assert not receiver["genuine"](got.headers, got.body.replace(b"pending", b"done"), SECRET)


async def test_a_public_name_is_reached_over_tls_at_the_address_that_was_checked(trusted: Certificate) -> None:
    async with peer(trusted.context()) as server:
        network = Leading({PUBLIC: server.port})
        await WebhookSink(settings(), resolving(PUBLIC), network).push([ITEM])
        assert (network.asked, server.name, len(server.requests)) == ([(PUBLIC, 443)], HOST, 1)


@pytest.mark.parametrize("inside", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "64:ff9b::7f00:1"])
async def test_a_name_that_leads_inside_gets_nothing(inside: str) -> None:
    network = Leading({})
    error = await refusal(WebhookSink(settings(), resolving(PUBLIC, inside), network))
    assert "its host is inside" in str(error) and not error.retryable
    assert network.asked == []


async def test_errors_name_the_tasks_own_setting() -> None:
    error = await refusal(WebhookSink(settings(), resolving(), Leading({})))
    assert "check its name in BOARDROOM_TASKS_WEBHOOK_URL" in str(error) and error.retryable
    async with peer() as server:
        server.answer = [b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"]
        error = await refusal(local(server))
    assert "BOARDROOM_TASKS_WEBHOOK_URL" in str(error) and not error.retryable and len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "retryable", "unsure"),
    [(400, False, False), (401, False, False), (410, False, False), (408, True, False), (425, True, False), (429, True, False),
     (500, True, True), (502, True, True), (503, True, False)],
)  # fmt: skip
async def test_a_refusal_says_whether_to_try_again(status: int, retryable: bool, unsure: bool) -> None:
    async with peer() as server:
        server.answer = [f"HTTP/1.1 {status} CANARY\r\nContent-Length: 6\r\n\r\nCANARY".encode()]
        error = await refusal(local(server))
    assert str(error) == f"The tasks' webhook answered {status} and did not take an item."
    assert (error.retryable, error.unsure) == (retryable, unsure)


async def test_silence_may_mean_that_it_was_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed, "PATIENCE", 0.5)
    async with peer() as server:
        server.answer = [30.0]
        error = await refusal(local(server))
        assert str(error) == "The tasks' webhook gave no answer." and error.unsure and error.retryable

    async def slow(_host: str, _port: int) -> list[str]:
        await asyncio.sleep(30)
        return [PUBLIC]

    error = await refusal(WebhookSink(settings(), slow, Leading({})))
    assert "could not be resolved in time" in str(error) and error.retryable and not error.unsure


async def test_an_item_that_is_refused_holds_up_no_other_and_a_dead_peer_is_not_asked_for_each() -> None:
    items = [replace(ITEM, id=f"ACT-{n:08x}") for n in range(30)]
    async with peer() as server:
        server.answer = [b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"]
        assert not (await refusal(local(server), *items)).retryable
        assert sorted(json.loads(one.body)["id"] for one in server.requests) == [item.id for item in items]
    async with peer() as server:
        server.answer = [b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"]
        assert (await refusal(local(server), *items)).retryable
        assert len(server.requests) == webhook.AT_ONCE
        server.answer = [OK]
        await local(server).push(items)
        assert len(server.requests) == webhook.AT_ONCE + 30


def test_problems_are_named_with_their_mend() -> None:
    assert problems_of(settings()) == []
    assert problems_of(settings(secret="short")) == [
        "BOARDROOM_TASKS_WEBHOOK_SECRET is too short: take 16 characters or more, at random."
    ]
    assert problems_of(settings(secret="whsec_CANARY!!!!!!!!!!!")) == [
        "BOARDROOM_TASKS_WEBHOOK_SECRET begins with whsec_ but does not go on in base64: copy it whole."
    ]
    assert "http://home.lan" in problems_of(settings(allowed="http://home.lan"))[0]
    (inside,) = problems_of(settings("http://127.0.0.1/CANARY"))
    assert inside.startswith("BOARDROOM_TASKS_WEBHOOK_URL: ") and "CANARY" not in inside


async def test_what_the_settings_have_wrong_is_said_at_each_push() -> None:
    for wrong in (settings(secret="short"), settings(allowed="http://home.lan"), settings("http://127.0.0.1/")):
        error = await refusal(WebhookSink(wrong, resolving(PUBLIC), Leading({})))
        assert str(error) == problems_of(wrong)[0] and not error.retryable


def test_the_secret_comes_from_a_file_that_is_the_persons_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    file.chmod(0o600)
    monkeypatch.setenv("BOARDROOM_TASKS_WEBHOOK_SECRET_FILE", str(file))
    found = load(tasks_webhook_url=f"https://{HOST}/")
    assert found.tasks_webhook_secret is not None and found.tasks_webhook_secret.get_secret_value() == SECRET
    assert "CANARY" not in repr(found) and len(sinks_of(found)) == 1
    file.chmod(0o644)
    with pytest.raises(SettingsError, match="others may read or write it"):
        load()


async def test_no_secret_is_in_any_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    async with peer() as server:
        await local(server).push([ITEM])
    assert not re.search("CANARY|Call", caplog.text)
