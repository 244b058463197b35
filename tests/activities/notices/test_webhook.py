"""The webhook against real peers: signed, pinned, bounded in time and size, and never with anybody's words."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from pytest_httpserver import HTTPServer

from activities.notices import posting, signed
from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from activities.notices.signed import signature
from activities.notices.webhook import Webhook, problems
from settings import Settings
from tests.activities.notices.conftest import HOST
from tests.support.peers import OK, Certificate, Leading, peer

ROOT = Path(__file__).parents[3]
SECRET = "CANARY-secret-of-the-webhook"
PUBLIC, OTHER = "93.184.215.14", "93.184.215.15"


def settings(url: str = f"https://{HOST}/hook?key=CANARY-key", allowed: str = "") -> Settings:
    return Settings(webhook_url=url, webhook_secret=SECRET, webhook_allowed_hosts=allowed)


def local(port: int) -> Settings:
    return settings(f"http://127.0.0.1:{port}/hook?key=CANARY-key", "127.0.0.1")


async def refusal(channel: Webhook, message: Message) -> ChannelError:
    with pytest.raises(ChannelError) as raised:
        await channel.send(message)
    assert "CANARY" not in str(raised.value) and "127.0.0.1" not in str(raised.value)
    assert raised.value.__cause__ is None
    return raised.value


class Resolver:
    """Answers in turn what it was given, and the last for ever; counts how often it was asked."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    async def __call__(self, _host: str, _port: int) -> list[str]:
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


async def test_a_peer_gets_signed_json_once_and_can_check_it(httpserver: HTTPServer, message: Message) -> None:
    httpserver.expect_oneshot_request("/hook", method="POST", query_string="key=CANARY-key").respond_with_data("", status=204)
    await Webhook(local(httpserver.port)).send(message)
    httpserver.check_assertions()
    (got, _answer) = httpserver.log[0]
    body = got.get_data()
    assert got.headers["Idempotency-Key"] == got.headers["Webhook-Id"] == message.id
    assert got.headers["Content-Type"] == "application/json"
    stamp = got.headers["Webhook-Timestamp"]
    assert abs(int(stamp) - time.time()) < 60
    signed = hmac.new(SECRET.encode(), f"{message.id}.{stamp}.".encode() + body, hashlib.sha256).digest()
    assert got.headers["Webhook-Signature"] == "v1," + base64.b64encode(signed).decode()
    assert json.loads(body) == {
        "id": message.id, "kind": "meeting_ended", "meeting_id": "mtg-9fed5d5a", "subject": message.subject,
        "text": message.plain, "link": None, "simulated": False, "possibly_repeated": True,
    }  # fmt: skip


async def test_the_receiver_that_the_documentation_shows_can_tell_what_is_genuine(message: Message) -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/notices.md").read_text(encoding="utf-8"), re.DOTALL)
    receiver: dict[str, Any] = {}
    exec(shown, receiver)
    genuine = receiver["genuine"]
    for secret in (SECRET, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"):
        async with peer() as server:
            await Webhook(local(server.port).model_copy(update={"webhook_secret": SecretStr(secret)})).send(message)
        (got,) = server.requests
        assert genuine(got.headers, got.body, secret)
        assert not genuine(got.headers, got.body + b" ", secret)
        assert not genuine(got.headers, got.body, secret[:-4] + "BBBB")
        assert not genuine({**got.headers, "webhook-id": "another"}, got.body, secret)
        assert not genuine({**got.headers, "webhook-timestamp": str(int(time.time()) - 30)}, got.body, secret)


async def test_law_15_a_webhook_never_carries_details(httpserver: HTTPServer, message: Message) -> None:
    assert "CANARY-topic" in message.text
    httpserver.expect_request("/hook").respond_with_data("")
    await Webhook(local(httpserver.port)).send(message)
    (got, _answer) = httpserver.log[0]
    assert b"CANARY-topic" not in got.get_data() and "CANARY-topic" not in str(got.headers)


def test_the_signature_covers_id_time_and_body() -> None:
    """The example that Standard Webhooks gives in its specification's reference libraries."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    right = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body)
    assert right == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    others = {
        signature(secret + "BBBB", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body),
        signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJeK", "1614265330", body),
        signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265331", body),
        signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body + b" "),
    }
    assert len(others) == 4 and right not in others


async def test_a_public_name_is_reached_over_tls_with_its_own_name(trusted: Certificate, message: Message) -> None:
    async with peer(trusted.context()) as server:
        network = Leading({PUBLIC: server.port})
        await Webhook(settings(), Resolver([PUBLIC]), network).send(message)
        assert network.asked == [(PUBLIC, 443)]
        assert server.name == HOST
        assert server.requests[0].line == "POST /hook?key=CANARY-key HTTP/1.1"
        assert server.requests[0].headers["host"] == HOST


async def test_a_name_that_points_inside_a_moment_later_is_not_asked_again(trusted: Certificate, message: Message) -> None:
    """Rebinding: the address that was checked is the one that is connected to."""
    async with peer(trusted.context()) as server, peer(trusted.context()) as trap:
        network = Leading({PUBLIC: server.port, "127.0.0.1": trap.port, HOST: trap.port})
        resolver = Resolver([PUBLIC], ["127.0.0.1"])
        channel = Webhook(settings(), resolver, network)
        await channel.send(message)
        assert (resolver.asked, network.asked) == (1, [(PUBLIC, 443)])
        assert (await refusal(channel, message)).retryable is False  # the next notice asks anew, and is refused
        assert network.asked == [(PUBLIC, 443)]
        assert (len(server.requests), trap.connections) == (1, 0)


async def test_an_address_that_does_not_answer_leaves_time_for_the_next(trusted: Certificate, message: Message) -> None:
    async with peer(trusted.context()) as server:
        network = Leading({OTHER: server.port})
        await Webhook(settings(), Resolver([PUBLIC, OTHER]), network).send(message)
        assert network.asked == [(PUBLIC, 443), (OTHER, 443)]
        assert len(server.requests) == 1


async def test_a_certificate_that_nobody_vouches_for_gets_nothing(signed: Certificate, message: Message) -> None:
    async with peer(signed.context()) as server:
        error = await refusal(Webhook(settings(), Resolver([PUBLIC]), Leading({PUBLIC: server.port})), message)
        assert "certificate" in str(error) and not error.unsure
        assert server.requests == []


async def test_a_certificate_of_another_name_gets_nothing(trusted: Certificate, message: Message) -> None:
    async with peer(trusted.context()) as server:
        channel = Webhook(settings("https://other.example.org/"), Resolver([PUBLIC]), Leading({PUBLIC: server.port}))
        error = await refusal(channel, message)
        assert "certificate" in str(error) and server.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(message: Message, status: int) -> None:
    async with peer() as inside, peer() as server:
        server.answer = [
            f"HTTP/1.1 {status} Moved\r\nLocation: http://127.0.0.1:{inside.port}/\r\nContent-Length: 0\r\n\r\n".encode()
        ]
        error = await refusal(Webhook(local(server.port)), message)
        assert "points elsewhere" in str(error) and not error.retryable
        assert (len(server.requests), inside.connections) == (1, 0)


@pytest.mark.parametrize(
    ("status", "headers", "retryable", "unsure", "wait"),
    [
        (400, "", False, False, None), (401, "", False, False, None), (404, "", False, False, None),
        (410, "", False, False, None),
        (408, "", True, False, None), (425, "", True, False, None),
        (429, "Retry-After: 17\r\n", True, False, 17.0), (429, "Retry-After: 0\r\n", True, False, 1.0),
        (429, "Retry-After: 999999\r\n", True, False, 3600.0), (429, "Retry-After: nan\r\n", True, False, None),
        (429, "Retry-After: soon\r\n", True, False, None),
        (500, "", True, True, None), (502, "", True, True, None), (503, "Retry-After: 5\r\n", True, False, 5.0),
        (504, "", True, True, None),
    ],
)  # fmt: skip
async def test_a_refusal_says_whether_to_try_again(
    message: Message, status: int, headers: str, retryable: bool, unsure: bool, wait: float | None
) -> None:
    async with peer() as server:
        server.answer = [f"HTTP/1.1 {status} CANARY\r\n{headers}Content-Length: 6\r\n\r\nCANARY".encode()]
        error = await refusal(Webhook(local(server.port)), message)
        assert str(error) == f"The webhook answered {status} and did not take the notice."
        assert (error.retryable, error.unsure, error.retry_after) == (retryable, unsure, wait)


async def test_a_passing_answer_is_waited_out(message: Message) -> None:
    async with peer() as server:
        server.answer = [b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0.05, OK]
        await Webhook(local(server.port)).send(message)


async def test_an_oversized_answer_is_cut(message: Message) -> None:
    async with peer() as server:
        whole = 64 * 1024 * 1024
        server.answer = [f"HTTP/1.1 200 OK\r\nContent-Length: {whole}\r\n\r\n".encode(), b"x" * whole]
        began = time.monotonic()
        await Webhook(local(server.port)).send(message)
        assert time.monotonic() - began < signed.PATIENCE
        assert server.written < whole / 4, "nearly all of it was read"


async def test_no_more_of_an_answer_is_kept_than_allowed(message: Message) -> None:
    async with peer() as server:
        server.answer = [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", b"x" * 300_000]
        answer = await posting.post("It", posting.Address(False, "127.0.0.1", server.port, "/"), {}, b"{}", seconds=5)
        assert len(answer.body) == posting.ANSWER == 64 * 1024


async def test_endless_headers_are_not_read(message: Message) -> None:
    async with peer() as server:
        server.answer = [b"HTTP/1.1 200 OK\r\n", b"X-Padding: " + b"x" * 48_000_000]
        error = await refusal(Webhook(local(server.port)), message)
        assert error.unsure and server.written < 16_000_000


@pytest.mark.parametrize(
    "answer",
    [
        [30.0],
        [b"HTTP/1.1 200", 30.0],
        [b"HTTP/1.1 200 OK\r\n", *(part for _ in range(100) for part in (b"X-A: b\r\n", 0.1))],
    ],
    ids=["silent", "begins and stops", "drips headers"],
)
async def test_a_peer_that_takes_its_time_is_left(
    message: Message, monkeypatch: pytest.MonkeyPatch, answer: list[bytes | float]
) -> None:
    monkeypatch.setattr(signed, "PATIENCE", 0.5)
    async with peer() as server:
        server.answer = answer
        began = time.monotonic()
        error = await refusal(Webhook(local(server.port)), message)
        assert time.monotonic() - began < 2.0
        assert str(error) == "The webhook gave no answer."
        assert error.unsure and error.retryable, "it has the notice, perhaps"


async def test_a_status_counts_however_long_its_answer_takes(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed, "PATIENCE", 0.5)
    async with peer() as server:
        server.answer = [b"HTTP/1.1 202 Accepted\r\nContent-Length: 1000\r\n\r\n", 30.0]
        await Webhook(local(server.port)).send(message)


async def test_a_resolver_that_takes_its_time_is_left(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed, "PATIENCE", 0.2)

    async def slow(_host: str, _port: int) -> list[str]:
        await asyncio.sleep(30)
        return [PUBLIC]

    error = await refusal(Webhook(settings(), slow, Leading({})), message)
    assert "could not be resolved in time" in str(error) and error.retryable and not error.unsure


async def test_a_peer_that_never_shakes_hands_has_certainly_nothing(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed, "PATIENCE", 0.5)
    async with peer() as server:  # it speaks no TLS and waits for a line
        error = await refusal(Webhook(settings(), Resolver([PUBLIC]), Leading({PUBLIC: server.port})), message)
        assert not error.unsure and error.retryable and server.requests == []


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-CANARY\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"\x00" * 100])
async def test_what_does_not_answer_in_http_may_have_the_notice(message: Message, answer: bytes) -> None:
    async with peer() as server:
        server.answer = [answer]
        error = await refusal(Webhook(local(server.port)), message)
        assert error.unsure and error.retryable


async def test_nothing_there_is_certain_and_may_pass(message: Message) -> None:
    async with AsyncExitStack() as exits:
        server = await exits.enter_async_context(peer())
        port = server.port
    error = await refusal(Webhook(local(port)), message)
    assert "could not be reached" in str(error) and error.retryable and not error.unsure


async def test_what_the_settings_have_wrong_is_said_at_each_notice(message: Message) -> None:
    channel = Webhook(Settings(webhook_url="http://127.0.0.1/CANARY", webhook_secret=SECRET), Resolver([PUBLIC]), Leading({}))
    error = await refusal(channel, message)
    assert not error.retryable and "it is not https" in str(error)


def test_problems_are_named_with_their_mend() -> None:
    assert problems(settings()) == []
    assert problems(local(5000)) == []
    short = problems(Settings(webhook_url=f"https://{HOST}/", webhook_secret="CANARY"))
    assert short == ["BOARDROOM_WEBHOOK_SECRET is too short: take 16 characters or more, at random."]
    broken = problems(Settings(webhook_url=f"https://{HOST}/", webhook_secret="whsec_CANARY!!!!!!!!!!!"))
    assert broken == ["BOARDROOM_WEBHOOK_SECRET begins with whsec_ but does not go on in base64: copy it whole."]
    (host,) = problems(settings(allowed="http://home.lan"))
    assert host == "BOARDROOM_WEBHOOK_ALLOWED_HOSTS names 'http://home.lan', which is no host: write host or host:port."


async def test_no_secret_is_in_any_log(message: Message, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    async with peer() as server:
        await Webhook(local(server.port)).send(message)
    assert "CANARY" not in caplog.text
