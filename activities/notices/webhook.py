"""A webhook: signed JSON to an address that is not inside (SERVICE_SECURITY 19). It never carries details, whatever is set.

Signed as Standard Webhooks sign: `webhook-id`, `webhook-timestamp` and `webhook-signature`, so that a receiver can check
them with a library. Nothing of the answer is kept but its status.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
import time

import httpcore2

from activities.notices import addresses
from activities.notices.channels import ChannelError
from activities.notices.composing import Message
from activities.notices.posting import Address, post, retry_after
from settings import Settings

PATIENCE = 5.0
"""Seconds for everything, the resolving of the name included."""
SHORTEST_SECRET = 16
_WHO = "The webhook"


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each; the name is not resolved here."""
    found = []
    if settings.webhook_secret is not None:
        if len(settings.webhook_secret.get_secret_value()) < SHORTEST_SECRET:
            found.append(f"BOARDROOM_WEBHOOK_SECRET is too short: take {SHORTEST_SECRET} characters or more, at random.")
        try:
            _key(settings.webhook_secret.get_secret_value())
        except ValueError:
            found.append("BOARDROOM_WEBHOOK_SECRET begins with whsec_ but does not go on in base64: copy it whole.")
    try:
        allowed = addresses.allowed_hosts(settings.webhook_allowed_hosts)
    except ValueError as error:
        return [*found, f"BOARDROOM_WEBHOOK_ALLOWED_HOSTS names {str(error)!r}, which is no host: write host or host:port."]
    if settings.webhook_url is not None:
        try:
            addresses.address_of(settings.webhook_url.get_secret_value(), allowed)
        except ChannelError as error:
            found.append(str(error))
    return found


def signature(secret: str, id: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over id, time and body, as the receiver checks it: `v1,<base64>`."""
    signed = f"{id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()


def _key(secret: str) -> bytes:
    """The bytes to sign with: a secret that begins with `whsec_` is written in base64, any other is taken as it is."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("not base64") from None


class Webhook:
    """One POST for a notice; `Idempotency-Key` is the notice's id."""

    name = "webhook"

    def __init__(
        self,
        settings: Settings,
        resolver: addresses.Resolver = addresses.resolve,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        """`resolver` and `network` are the system's, unless a test looks at what is asked of them."""
        assert settings.webhook_url is not None
        assert settings.webhook_secret is not None
        self._problems = problems(settings)
        self._url = settings.webhook_url.get_secret_value()
        self._secret = settings.webhook_secret.get_secret_value()
        self._hosts = settings.webhook_allowed_hosts
        self._resolver = resolver
        self._network = network

    async def send(self, message: Message) -> None:
        """Returns at a status of 2xx. ChannelError."""
        if self._problems:
            raise ChannelError(self._problems[0], retryable=False)
        until = time.monotonic() + PATIENCE
        try:
            async with asyncio.timeout(PATIENCE):
                address = await self._address()
        except TimeoutError:
            raise ChannelError("The webhook's host could not be resolved in time.") from None
        body = _body(message)
        left = max(0.1, until - time.monotonic())
        answer = await post(_WHO, address, self._headers(message, body), body, seconds=left, network=self._network)
        if 200 <= answer.status < 300:
            return
        if 300 <= answer.status < 400:
            raise ChannelError(
                "The webhook points elsewhere, which is not followed: write the address it points to in BOARDROOM_WEBHOOK_URL.",
                retryable=False,
            )
        raise ChannelError(
            f"The webhook answered {answer.status} and did not take the notice.",
            retryable=answer.status in (408, 425, 429) or answer.status >= 500,
            # Whether what failed over there had taken it before is not to be known.
            unsure=answer.status >= 500 and answer.status != 503,
            retry_after=retry_after(answer.headers.get("retry-after")),
        )

    async def _address(self) -> Address:
        allowed = addresses.allowed_hosts(self._hosts)
        return await addresses.pinned(addresses.address_of(self._url, allowed), allowed, self._resolver)

    def _headers(self, message: Message, body: bytes) -> dict[str, str]:
        timestamp = str(int(time.time()))
        return {
            "Content-Type": "application/json",
            "Idempotency-Key": message.id,
            "Webhook-Id": message.id,
            "Webhook-Timestamp": timestamp,
            "Webhook-Signature": signature(self._secret, message.id, timestamp, body),
        }


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
