"""Any other channel, by apprise, which is an extra and loaded only when it is asked for."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import re
from typing import Any

from activities.notices.channels import Channel, ChannelError
from activities.notices.composing import Message
from settings import Settings

PATIENCE = 20.0
MISSING = "BOARDROOM_APPRISE_URLS needs apprise, which is not installed: install boardroom[channels]."
_NEXT = re.compile(r"[\s,]+(?=[A-Za-z][A-Za-z0-9+.-]*://)")
"""What parts two addresses. A comma may also stand in one: in a list of recipients, say."""


def installed() -> bool:
    return importlib.util.find_spec("apprise") is not None


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each. An address is named by its place: it may hold a secret."""
    if not installed():
        return [MISSING]
    return [
        f"BOARDROOM_APPRISE_URLS: its address number {number} is none that apprise knows; `apprise -l` lists those it does."
        for number, url in enumerate(_urls(settings), 1)
        if not _loaded(url)
    ]


def others(settings: Settings) -> list[Channel]:
    """A channel for each address: when one did not take a notice, the others get it no second time."""
    return [Other(number, url) for number, url in enumerate(_urls(settings), 1)]


def _urls(settings: Settings) -> list[str]:
    text = settings.apprise_urls.get_secret_value() if settings.apprise_urls is not None else ""
    return [url.strip(" ,") for url in _NEXT.split(text.strip()) if url.strip(" ,")]


def _loaded(url: str) -> Any | None:
    """apprise with that one address, or None where it is no address that apprise knows."""
    import apprise

    # It writes addresses with their tokens, and notices, into its log.
    logging.getLogger("apprise").disabled = True
    found = apprise.Apprise()
    return found if found.add(url) else None


class Other:
    """One address of `apprise_urls`, named by its place among them."""

    def __init__(self, number: int, url: str) -> None:
        self.name = f"apprise-{number}"
        self._number = number
        self._url = url

    async def send(self, message: Message) -> None:
        """Returns when apprise says that it was sent; it does not say why not. ChannelError."""
        if not installed():
            raise ChannelError(MISSING, retryable=False)
        try:
            sent = await asyncio.wait_for(asyncio.to_thread(self._notify, message), PATIENCE)
        except TimeoutError:
            raise ChannelError(f"{self._named} gave no answer.", unsure=True) from None
        if not sent:
            raise ChannelError(f"{self._named} did not take the notice.", unsure=True)

    @property
    def _named(self) -> str:
        return f"Address number {self._number} of BOARDROOM_APPRISE_URLS"

    def _notify(self, message: Message) -> bool:
        channel = _loaded(self._url)
        if channel is None:
            raise ChannelError(f"{self._named} is none that apprise knows: correct it.", retryable=False)
        from apprise import NotifyFormat

        return bool(channel.notify(body=message.text, title=message.subject, body_format=NotifyFormat.TEXT))
