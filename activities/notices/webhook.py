"""A webhook for notices: signed JSON that never carries details, whatever is set (SERVICE_SECURITY 19)."""

from __future__ import annotations

import json

import httpcore2

from activities.notices import addresses, signed
from activities.notices.composing import Message
from settings import Settings

PREFIX = "BOARDROOM_WEBHOOK"


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each."""
    url, secret = settings.webhook_url, settings.webhook_secret
    return signed.problems(
        PREFIX,
        url.get_secret_value() if url is not None else None,
        secret.get_secret_value() if secret is not None else None,
        settings.webhook_allowed_hosts,
    )


class Webhook:
    """One POST for a notice; `Idempotency-Key` is the notice's id."""

    name = "webhook"

    def __init__(
        self,
        settings: Settings,
        resolver: addresses.Resolver = addresses.resolve,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        assert settings.webhook_url is not None
        assert settings.webhook_secret is not None
        self._post = signed.SignedPost(
            "The webhook",
            PREFIX,
            settings.webhook_url.get_secret_value(),
            settings.webhook_secret.get_secret_value(),
            settings.webhook_allowed_hosts,
            resolver,
            network,
        )

    async def send(self, message: Message) -> None:
        """Returns at a status of 2xx. ChannelError."""
        await self._post.send(_body(message), key=message.id, message=message.id, what="the notice")


def _body(message: Message) -> bytes:
    return json.dumps(
        {
            "id": message.id,
            "kind": message.kind,
            "meeting_id": message.meeting,
            "subject": message.subject,
            "text": message.plain,
            "link": message.link or None,
            "simulated": message.simulated,
            "possibly_repeated": message.possibly_repeated,
        },
        ensure_ascii=False,
    ).encode()
