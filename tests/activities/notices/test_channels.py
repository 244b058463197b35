"""Which channels are set up, and what is said of those that are half set up."""

from __future__ import annotations

from typing import Any

import pytest

from activities.notices import channels_of, problems_of
from settings import Settings

MAIL = {"smtp_host": "mail.example.org", "mail_from": "board@example.org", "mail_to": "me@example.org"}
TELEGRAM = {"telegram_token": "123456789:CANARY-token-of-the-bot_0123456789", "telegram_chat": "42"}
WEBHOOK = {"webhook_url": "https://hooks.example.org/CANARY-path", "webhook_secret": "CANARY-secret-of-16"}
APPRISE = {"apprise_urls": "json://CANARY@127.0.0.1/"}


def names(**given: Any) -> list[str]:
    return [channel.name for channel in channels_of(Settings(**given))]


def test_nothing_is_set_up_by_itself() -> None:
    assert names() == [] and problems_of(Settings()) == []


def test_each_channel_is_set_up_by_its_own_settings() -> None:
    assert names(**MAIL) == ["mail"]
    assert names(**TELEGRAM) == ["telegram"]
    assert names(**WEBHOOK) == ["webhook"]
    assert names(**APPRISE) == ["apprise-1"]
    everything = {**MAIL, **TELEGRAM, **WEBHOOK, **APPRISE}
    assert names(**everything) == ["mail", "telegram", "webhook", "apprise-1"]
    assert problems_of(Settings(**everything)) == []


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        *(({name: value for name, value in group.items() if name != left_out}, left_out)
          for group in (MAIL, TELEGRAM, WEBHOOK) for left_out in group),
        ({**MAIL, "smtp_user": "me"}, "smtp_password"),
        ({**MAIL, "smtp_password": "CANARY"}, "smtp_user"),
    ],
)  # fmt: skip
def test_a_channel_that_is_half_set_up_says_what_is_missing(given: dict[str, Any], missing: str) -> None:
    (said,) = problems_of(Settings(**given))
    assert f"set BOARDROOM_{missing.upper()} too." in said and "half set up" in said
    assert "CANARY" not in said
    if missing not in ("smtp_password", "smtp_user"):
        assert names(**given) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"webhook_allowed_hosts": "127.0.0.1"},
         "The webhook is half set up: set BOARDROOM_WEBHOOK_URL and BOARDROOM_WEBHOOK_SECRET too."),
        ({"smtp_host": "mail.example.org"}, "Mail is half set up: set BOARDROOM_MAIL_FROM and BOARDROOM_MAIL_TO too."),
    ],
)  # fmt: skip
def test_several_missing_settings_are_one_sentence(given: dict[str, Any], said: str) -> None:
    assert problems_of(Settings(**given)) == [said]


@pytest.mark.parametrize(
    "wrong",
    [
        {**MAIL, "mail_to": "me"},
        {**TELEGRAM, "telegram_chat": "me"},
        {**WEBHOOK, "webhook_url": "http://127.0.0.1/CANARY"},
        {"apprise_urls": "nosuch://CANARY"},
    ],
)
def test_a_channel_that_is_set_up_wrong_stays_and_says_so(wrong: dict[str, Any]) -> None:
    """Its notices are then on the record as failed, with the same sentence; nobody would miss a channel that vanished."""
    (said,) = problems_of(Settings(**wrong))
    assert len(names(**wrong)) == 1
    assert said.endswith((".", "_HOSTS.")) and "CANARY" not in said


async def test_a_worker_with_secrets_shows_none_of_them() -> None:
    for channel in channels_of(Settings(**MAIL, **TELEGRAM, **WEBHOOK, **APPRISE)):
        assert "CANARY" not in repr(channel) + str(channel)
