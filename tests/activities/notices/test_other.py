"""Other channels by apprise: against a real local peer, and where apprise is not installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from activities.notices import other
from activities.notices.channels import ChannelError, channels_of, problems_of
from activities.notices.composing import Message
from activities.notices.other import others, problems
from settings import Settings

ROOT = Path(__file__).parents[3]


def settings(urls: str) -> Settings:
    return Settings(apprise_urls=urls)


async def test_each_address_gets_the_notice_and_is_a_channel_of_its_own(httpserver: HTTPServer, message: Message) -> None:
    for path in ("/one", "/two"):
        httpserver.expect_oneshot_request(path, method="POST").respond_with_data("")
    at = f"{httpserver.host}:{httpserver.port}"
    channels = others(settings(f"json://CANARY-user:CANARY-password@{at}/one, json://{at}/two"))
    assert [channel.name for channel in channels] == ["apprise-1", "apprise-2"]
    for channel in channels:
        await channel.send(message)
    httpserver.check_assertions()
    got = json.loads(httpserver.log[0][0].get_data())
    assert got["title"] == message.subject
    assert got["message"].split() == message.text.split()


async def test_a_refusal_tells_the_place_and_no_secret(httpserver: HTTPServer, message: Message) -> None:
    httpserver.expect_request("/one").respond_with_data("CANARY", status=500)
    (channel,) = others(settings(f"json://CANARY-user:CANARY-password@{httpserver.host}:{httpserver.port}/one"))
    with pytest.raises(ChannelError) as raised:
        await channel.send(message)
    assert str(raised.value) == "Address number 1 of BOARDROOM_APPRISE_URLS did not take the notice."
    assert raised.value.retryable and raised.value.unsure, "apprise does not say how far it came"


async def test_a_peer_that_takes_its_time_is_left(
    httpserver: HTTPServer, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other, "PATIENCE", 0.2)
    (channel,) = others(settings(f"json://{httpserver.host}:{httpserver.port}/one"))

    def slow(_request: Any) -> Any:
        time.sleep(1.0)

    httpserver.expect_request("/one").respond_with_handler(slow)
    with pytest.raises(ChannelError, match="gave no answer") as raised:
        await channel.send(message)
    assert raised.value.unsure


async def test_what_apprise_does_not_know_is_named_by_its_place(message: Message) -> None:
    chosen = settings("json://127.0.0.1, nosuch://CANARY-token@x")
    (said,) = problems(chosen)
    assert "number 2" in said and "CANARY" not in said
    with pytest.raises(ChannelError) as raised:
        await others(chosen)[1].send(message)
    assert not raised.value.retryable and "CANARY" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("json://a", 1), ("json://a,json://b", 2), ("json://a json://b", 2), (" json://a ,\n json://b , ", 2),
        ("", 0), (",", 0),
        ("mailto://u:p@example.org?to=a@example.org,b@example.org,ntfy://topic", 2),
    ],
)  # fmt: skip
def test_addresses_are_told_apart_also_where_they_hold_commas(text: str, count: int) -> None:
    assert len(others(settings(text))) == count


async def test_neither_address_nor_notice_is_in_any_log(
    httpserver: HTTPServer, message: Message, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    httpserver.expect_request("/CANARY-path").respond_with_data("", status=500)
    (channel,) = others(settings(f"json://CANARY-user:CANARY-password@{httpserver.host}:{httpserver.port}/CANARY-path"))
    with pytest.raises(ChannelError):
        await channel.send(message)
    said = [record.getMessage() for record in caplog.records if record.name == "apprise"]
    # Where this is the first test of a process to use it, it says which language it found.
    assert [text for text in said if "locale" not in text] == [] and "CANARY" not in " ".join(said)


async def test_without_apprise_it_says_how_to_install_it(message: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    chosen = settings("json://127.0.0.1")
    assert problems_of(chosen) == [other.MISSING] and "install boardroom[channels]" in other.MISSING
    (channel,) = channels_of(chosen)
    with pytest.raises(ChannelError) as raised:
        await channel.send(message)
    assert str(raised.value) == other.MISSING and not raised.value.retryable


def test_apprise_is_loaded_only_where_it_is_set_up() -> None:
    code = (
        "import sys; from settings import Settings; from activities.notices import channels_of, problems_of;"
        "s = Settings(telegram_token='123456:' + 'a' * 30, telegram_chat='1'); channels_of(s); problems_of(s);"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'apprise', 'aiosmtplib', 'requests'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
