"""Telegram against a local service that answers as its bots' interface does: `sendMessage`, its limits and its refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from activities.notices import telegram
from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from activities.notices.telegram import LONGEST, Telegram, cut, problems
from settings import Settings
from tests.corpus.injections import INJECTIONS
from tests.support.peers import Certificate, peer

TOKEN = "123456789:CANARY-token-of-the-bot_0123456789"
PATH = f"/bot{TOKEN}/sendMessage"
SENT = {"ok": True, "result": {"message_id": 7, "date": 1796100000, "chat": {"id": 42, "type": "private"}, "text": "…"}}


def settings(base: str, **more: Any) -> Settings:
    return Settings(**{"telegram_token": TOKEN, "telegram_chat": "42", "telegram_base_url": base, **more})


def failed(code: int, description: str, **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"ok": False, "error_code": code, "description": description}
    return {**found, "parameters": parameters} if parameters else found


async def refusal(channel: Telegram, message: Message) -> ChannelError:
    with pytest.raises(ChannelError) as raised:
        await channel.send(message)
    assert "CANARY" not in str(raised.value) and "123456789" not in str(raised.value)
    assert raised.value.__cause__ is None and TOKEN not in repr(raised.value.__context__)
    return raised.value


async def test_a_chat_gets_one_plain_message(httpserver: HTTPServer, message: Message) -> None:
    httpserver.expect_oneshot_request(PATH, method="POST").respond_with_json(SENT)
    await Telegram(settings(httpserver.url_for(""))).send(message)
    httpserver.check_assertions()
    (got, _answer) = httpserver.log[0]
    assert got.headers["Content-Type"] == "application/json"
    assert got.get_json() == {
        "chat_id": "42", "text": f"{message.subject}\n\n{message.text}", "link_preview_options": {"is_disabled": True},
    }  # fmt: skip


async def test_a_relay_may_have_a_path_of_its_own(httpserver: HTTPServer, message: Message) -> None:
    httpserver.expect_oneshot_request("/relay" + PATH).respond_with_json(SENT)
    await Telegram(settings(httpserver.url_for("/relay/"))).send(message)
    httpserver.check_assertions()


async def test_over_tls_only_a_certificate_of_that_host_gets_the_token(signed: Certificate, message: Message) -> None:
    async with peer(signed.context()) as server:
        error = await refusal(Telegram(settings(f"https://localhost:{server.port}")), message)
        assert "certificate" in str(error) and server.requests == []


async def test_a_trusted_certificate_gets_it(trusted: Certificate, message: Message) -> None:
    async with peer(trusted.context()) as server:
        body = json.dumps(SENT).encode()
        server.answer = [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body]
        await Telegram(settings(f"https://localhost:{server.port}")).send(message)
        assert server.requests[0].line == f"POST {PATH} HTTP/1.1"


REFUSALS = [
    (429, failed(429, "Too Many Requests: retry after 17", retry_after=17), True, False, 17.0, "asks to wait"),
    (429, failed(429, "Too Many Requests"), True, False, 30.0, "asks to wait"),
    (429, failed(429, "Too Many Requests", retry_after="soon"), True, False, 30.0, "asks to wait"),
    (429, failed(429, "Too Many Requests", retry_after=-5), True, False, 1.0, "asks to wait"),
    (429, failed(429, "Too Many Requests", retry_after=10**9), True, False, 3600.0, "asks to wait"),
    (401, failed(401, "Unauthorized CANARY"), False, False, None, "BOARDROOM_TELEGRAM_TOKEN"),
    (404, failed(404, "Not Found"), False, False, None, "BOARDROOM_TELEGRAM_TOKEN"),
    (403, failed(403, "Forbidden: bot was blocked by the user"), False, False, None, "start a chat with it"),
    (400, failed(400, "Bad Request: chat not found CANARY"), False, False, None, "BOARDROOM_TELEGRAM_CHAT"),
    (400, failed(400, "upgraded", migrate_to_chat_id=-100123), False, False, None, "supergroup"),
    (500, failed(500, "Internal Server Error"), True, True, None, "failed (500)"),
    (502, "<html>CANARY</html>", True, True, None, "failed (502)"),
    (200, "<html>CANARY sign in to the hotel's network</html>", True, True, None, "is not Telegram"),
    (200, [1, 2], True, True, None, "is not Telegram"),
    (302, "", True, False, None, "is not Telegram"),
    (404, "<html>CANARY</html>", True, False, None, "is not Telegram"),
    (200, failed(400, "Bad Request"), False, False, None, "refused the notice"),
]


@pytest.mark.parametrize(("status", "body", "retryable", "unsure", "wait", "says"), REFUSALS)
async def test_a_refusal_says_whether_to_try_again(
    httpserver: HTTPServer,
    message: Message,
    status: int,
    body: Any,
    retryable: bool,
    unsure: bool,
    wait: float | None,
    says: str,
) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    httpserver.expect_request(PATH).respond_with_data(text, status=status, headers={"Location": httpserver.url_for("/inside")})
    error = await refusal(Telegram(settings(httpserver.url_for(""))), message)
    assert (error.retryable, error.unsure, error.retry_after) == (retryable, unsure, wait)
    assert says in str(error)
    assert len(httpserver.log) == 1


async def test_a_header_may_say_how_long_to_wait(httpserver: HTTPServer, message: Message) -> None:
    httpserver.expect_request(PATH).respond_with_data("busy", status=429, headers={"Retry-After": "9"})
    assert (await refusal(Telegram(settings(httpserver.url_for(""))), message)).retry_after == 9.0


@pytest.mark.parametrize("answer", ["[" * 60_000, '{"ok": ' + "9" * 60_000 + "}", '{"ok": "true"}', '{"ok": 1}', "null", ""])
async def test_an_answer_that_is_odd_is_no_success(httpserver: HTTPServer, message: Message, answer: str) -> None:
    httpserver.expect_request(PATH).respond_with_data(answer)
    await refusal(Telegram(settings(httpserver.url_for(""))), message)


async def test_a_service_that_takes_its_time_is_left(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telegram, "PATIENCE", 0.5)
    async with peer() as server:
        server.answer = [30.0]
        error = await refusal(Telegram(settings(f"http://127.0.0.1:{server.port}")), message)
        assert str(error) == "Telegram gave no answer." and error.unsure and error.retryable


async def test_nothing_there_is_certain_and_may_pass(message: Message) -> None:
    async with peer() as server:
        port = server.port
    error = await refusal(Telegram(settings(f"http://127.0.0.1:{port}")), message)
    assert error.retryable and not error.unsure


async def test_the_token_is_in_no_log(httpserver: HTTPServer, message: Message, caplog: pytest.LogCaptureFixture) -> None:
    """Libraries log addresses, and the token is part of this one."""
    caplog.set_level("DEBUG")
    httpserver.expect_request(PATH).respond_with_json(SENT)
    await Telegram(settings(httpserver.url_for(""))).send(message)
    ours = [record.getMessage() for record in caplog.records if record.name != "werkzeug"]  # the local service's own log
    assert ours, "nothing was logged at all: this test looks at nothing"
    assert "CANARY" not in " ".join(ours)


@pytest.mark.parametrize(("_name", "text"), INJECTIONS, ids=[name for name, _ in INJECTIONS])
async def test_law_03_no_text_is_markup(httpserver: HTTPServer, message: Message, _name: str, text: str) -> None:
    httpserver.expect_request(PATH).respond_with_json(SENT)
    await Telegram(settings(httpserver.url_for(""))).send(replace(message, text=text))
    got = httpserver.log[0][0].get_json()
    assert got["text"].endswith(text) and "parse_mode" not in got and "entities" not in got


async def test_a_long_notice_is_cut_to_what_telegram_takes(httpserver: HTTPServer, message: Message) -> None:
    def strict(request: Request) -> Response:
        text = request.get_json()["text"]
        if len(text.encode("utf-16-le")) > 2 * LONGEST:
            return Response(json.dumps(failed(400, "Bad Request: message is too long")), 400)
        return Response(json.dumps(SENT))

    httpserver.expect_request(PATH).respond_with_handler(strict)
    channel = Telegram(settings(httpserver.url_for("")))
    for text in ("x" * 10_000, "\U0001f9d1" * 5_000, "\u4f1a" * 4_100):
        await channel.send(replace(message, text=text))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50), st.integers(0, 4200))
def test_cutting_keeps_the_beginning_and_no_half_of_a_character(text: str, more: int) -> None:
    whole = text + "\U0001f600" * (more // 2) + "e" * more
    found = cut(whole)
    units = len(found.encode("utf-16-le")) // 2
    assert units <= LONGEST
    if found != whole:
        assert found.endswith("…") and whole.startswith(found[:-1]) and units >= LONGEST - 1
    else:
        assert len(whole.encode("utf-16-le")) // 2 <= LONGEST


@pytest.mark.parametrize(
    "token",
    ["CANARY", "123456789", "123456789:", f"{TOKEN}/../x", f"{TOKEN}\r\n", f"bot{TOKEN}", f"{TOKEN}?a=b",
     "1:CANARY-token-of-the-bot_0123456789"],
)  # fmt: skip
async def test_what_is_no_token_is_never_sent(httpserver: HTTPServer, message: Message, token: str) -> None:
    chosen = settings(httpserver.url_for(""), telegram_token=token)
    (said,) = problems(chosen)
    assert "BOARDROOM_TELEGRAM_TOKEN" in said and token not in said
    with pytest.raises(ChannelError, match="is no token of a bot") as raised:
        await Telegram(chosen).send(message)
    assert not raised.value.retryable and httpserver.log == []


def test_a_chat_has_a_number_or_a_name() -> None:
    for chat in ("42", "-1001234567890", "@my_channel"):
        assert problems(settings("https://api.telegram.org", telegram_chat=chat)) == []
    for chat in ("me", "+4212345", "@x y", "12 34", "@", "https://t.me/me"):
        (said,) = problems(settings("https://api.telegram.org", telegram_chat=chat))
        assert said.startswith("BOARDROOM_TELEGRAM_CHAT is no chat")
