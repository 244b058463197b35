"""Any other channel, by apprise, which is an extra and loaded only when it is asked for."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import Any

from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from settings import Settings


def installed() -> bool:
    return importlib.util.find_spec("apprise") is not None


class Other:
    """All addresses of `apprise_urls` at once: apprise says only whether all of them took it."""

    name = "apprise"

    def __init__(self, settings: Settings) -> None:
        assert settings.apprise_urls is not None
        self._urls = settings.apprise_urls.get_secret_value()

    async def send(self, message: Message) -> None:
        if not installed():
            raise ChannelError("BOARDROOM_APPRISE_URLS needs apprise: install boardroom[channels].", retryable=False)
        if not await asyncio.to_thread(self._notify, message):
            raise ChannelError("One of the apprise channels did not take the notice.", unsure=True)

    def _notify(self, message: Message) -> bool:
        import apprise

        channels: Any = apprise.Apprise()
        for url in self._urls.split(","):
            if url.strip() and not channels.add(url.strip()):
                raise ChannelError("An address of BOARDROOM_APPRISE_URLS is none that apprise knows.", retryable=False)
        return bool(channels.notify(body=message.text, title=message.subject))
