"""Telegram, by its bots' `sendMessage`. The token is part of the address, so no address and no transport's error is shown."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from activities.notices.posting import Address, Answer, post, retry_after
from settings import Settings

PATIENCE = 15.0
LONGEST = 4096
"""Units of UTF-16 that Telegram takes in one message."""

_TOKEN = re.compile(r"[0-9]{3,20}:[A-Za-z0-9_-]{20,100}")
_CHAT = re.compile(r"-?[0-9]{1,20}|@[A-Za-z0-9_]{3,64}")


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each."""
    found = []
    if settings.telegram_token is not None and not _TOKEN.fullmatch(settings.telegram_token.get_secret_value()):
        found.append("BOARDROOM_TELEGRAM_TOKEN is no token of a bot: copy it whole from @BotFather (digits, a colon, letters).")
    if settings.telegram_chat and not _CHAT.fullmatch(settings.telegram_chat):
        found.append("BOARDROOM_TELEGRAM_CHAT is no chat: write its number, such as 123456789, or @name of a public channel.")
    return found


class Telegram:
    """One plain message to one chat."""

    name = "telegram"

    def __init__(self, settings: Settings) -> None:
        assert settings.telegram_token is not None
        self._problems = problems(settings)
        self._chat = settings.telegram_chat
        base = urlsplit(settings.telegram_base_url)
        tls = base.scheme == "https"
        self._address = Address(
            tls,
            base.hostname or "",
            base.port or (443 if tls else 80),
            f"{base.path.rstrip('/')}/bot{settings.telegram_token.get_secret_value()}/sendMessage",
        )

    async def send(self, message: Message) -> None:
        """Returns when Telegram says that it has the message. ChannelError."""
        if self._problems:
            raise ChannelError(self._problems[0], retryable=False)
        # No parse_mode: what people wrote is text, and nothing in it is markup (law 3).
        body = {
            "chat_id": self._chat,
            "text": cut(f"{message.subject}\n\n{message.text}"),
            "link_preview_options": {"is_disabled": True},
        }
        answer = await post(
            "Telegram",
            self._address,
            {"Content-Type": "application/json"},
            json.dumps(body).encode(),
            seconds=PATIENCE,
        )
        said = _said(answer)
        if answer.status == 200 and said.get("ok") is True:
            return
        raise _refusal(answer, said)


def cut(text: str) -> str:
    """The text within Telegram's limit, by its way of counting; "…" stands for what is cut off."""
    units = text.encode("utf-16-le")
    if len(units) <= 2 * LONGEST:
        return text
    return units[: 2 * (LONGEST - 1)].decode("utf-16-le", "ignore") + "…"


def _said(answer: Answer) -> dict[str, Any]:
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _refusal(answer: Answer, said: dict[str, Any]) -> ChannelError:
    status = answer.status
    parameters = said.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    if status == 429:
        wait = retry_after(parameters.get("retry_after")) or retry_after(answer.headers.get("retry-after"))
        return ChannelError("Telegram asks to wait.", retry_after=wait or 30.0)
    if status >= 500:
        return ChannelError(f"Telegram failed ({status}).", unsure=True)
    if "ok" not in said:
        # A page of a hotel's network, or some other service at that address.
        return ChannelError(
            f"What answered ({status}) is not Telegram: check BOARDROOM_TELEGRAM_BASE_URL and the network.",
            unsure=status == 200,
        )
    if "migrate_to_chat_id" in parameters:
        return ChannelError(
            "The Telegram group has become a supergroup with another number: set BOARDROOM_TELEGRAM_CHAT to that one.",
            retryable=False,
        )
    if status in (401, 404):
        return ChannelError("Telegram does not know the bot: set BOARDROOM_TELEGRAM_TOKEN to its token.", retryable=False)
    if status == 403:
        return ChannelError(
            "Telegram does not let the bot write to BOARDROOM_TELEGRAM_CHAT: start a chat with it, or add it to the group.",
            retryable=False,
        )
    return ChannelError(f"Telegram refused the notice ({status}): check BOARDROOM_TELEGRAM_CHAT.", retryable=False)
