"""Telegram, by its bots' `sendMessage`. The token is part of the address, so no error of the transport is ever shown."""

from __future__ import annotations

import httpx2

from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from settings import Settings

PATIENCE = 15.0


class Telegram:
    """One plain message to one chat."""

    name = "telegram"

    def __init__(self, settings: Settings) -> None:
        assert settings.telegram_token is not None
        self._url = f"{settings.telegram_base_url.rstrip('/')}/bot{settings.telegram_token.get_secret_value()}/sendMessage"
        self._chat = settings.telegram_chat

    async def send(self, message: Message) -> None:
        body = {
            "chat_id": self._chat,
            "text": f"{message.subject}\n\n{message.text}"[:4000],
            "link_preview_options": {"is_disabled": True},
        }
        try:
            async with httpx2.AsyncClient(timeout=PATIENCE, follow_redirects=False, trust_env=False) as client:
                answer = await client.post(self._url, json=body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise ChannelError("Telegram could not be reached.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise ChannelError(f"Telegram gave no answer ({type(error).__name__}).", unsure=True) from None
        if answer.status_code == 200:
            return
        if answer.status_code == 429:
            raise ChannelError("Telegram asks to wait.", retry_after=_retry_after(answer))
        if answer.status_code >= 500:
            raise ChannelError(f"Telegram failed ({answer.status_code}).", unsure=True)
        what = "the token" if answer.status_code in (401, 404) else "the notice: is BOARDROOM_TELEGRAM_CHAT right"
        raise ChannelError(f"Telegram refused {what} ({answer.status_code}).", retryable=False)


def _retry_after(answer: httpx2.Response) -> float:
    try:
        return min(max(float(answer.json()["parameters"]["retry_after"]), 1.0), 3600.0)
    except (ValueError, KeyError, TypeError):
        return 30.0
