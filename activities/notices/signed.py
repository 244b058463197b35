"""One signed POST to an address that is not inside (SERVICE_SECURITY 19): what notices and action items share.

Signed as Standard Webhooks sign: `webhook-id`, `webhook-timestamp` and `webhook-signature`, so that a receiver can check
them with a library. Nothing of the answer is kept but its status.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import time

import httpcore2

from activities.notices import addresses
from activities.notices.channels import ChannelError
from activities.notices.posting import Address, post, retry_after

PATIENCE = 5.0
"""Seconds for everything, the resolving of the name included."""
SHORTEST_SECRET = 16


def signature(secret: str, id: str, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over id, time and body, as the receiver checks it: `v1,<base64>`."""
    signed = f"{id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()


def problems(prefix: str, url: str | None, secret: str | None, hosts: str) -> list[str]:
    """What is wrong with the settings `<prefix>_URL` and `<prefix>_SECRET`, a sentence each; the name is not resolved here."""
    found = []
    if secret is not None:
        if len(secret) < SHORTEST_SECRET:
            found.append(f"{prefix}_SECRET is too short: take {SHORTEST_SECRET} characters or more, at random.")
        try:
            _key(secret)
        except ValueError:
            found.append(f"{prefix}_SECRET begins with whsec_ but does not go on in base64: copy it whole.")
    try:
        allowed = addresses.allowed_hosts(hosts)
    except ValueError as error:
        return [*found, f"BOARDROOM_WEBHOOK_ALLOWED_HOSTS names {str(error)!r}, which is no host: write host or host:port."]
    if url is not None:
        try:
            addresses.address_of(url, allowed)
        except ChannelError as error:
            found.append(f"{prefix}_URL: {error}")
    return found


class SignedPost:
    """Posts to one webhook. `who` is what messages call it, `prefix` begins the names of its two settings."""

    def __init__(
        self,
        who: str,
        prefix: str,
        url: str,
        secret: str,
        hosts: str,
        resolver: addresses.Resolver = addresses.resolve,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        """`resolver` and `network` are the system's, unless a test looks at what is asked of them."""
        self._problems = problems(prefix, url, secret, hosts)
        self._who = who
        self._prefix = prefix
        self._url = url
        self._secret = secret
        self._hosts = hosts
        self._resolver = resolver
        self._network = network

    async def send(self, body: bytes, *, key: str, message: str, what: str) -> None:
        """Returns at a status of 2xx. `key` is the same whenever the same thing is sent, `message` names what is said of it,
        `what` is what the receiver does not take when it refuses. ChannelError.
        """
        if self._problems:
            raise ChannelError(self._problems[0], retryable=False)
        until = time.monotonic() + PATIENCE
        try:
            async with asyncio.timeout(PATIENCE):
                address = await self._address()
        except TimeoutError:
            raise ChannelError(f"{self._who}'s host could not be resolved in time.") from None
        left = max(0.1, until - time.monotonic())
        headers = self._headers(body, key, message)
        answer = await post(self._who, address, headers, body, seconds=left, network=self._network)
        if 200 <= answer.status < 300:
            return
        if 300 <= answer.status < 400:
            raise ChannelError(
                f"{self._who} points elsewhere, which is not followed: write the address it points to in {self._prefix}_URL.",
                retryable=False,
            )
        raise ChannelError(
            f"{self._who} answered {answer.status} and did not take {what}.",
            retryable=answer.status in (408, 425, 429) or answer.status >= 500,
            # Whether what failed over there had taken it before is not to be known.
            unsure=answer.status >= 500 and answer.status != 503,
            retry_after=retry_after(answer.headers.get("retry-after")),
        )

    async def _address(self) -> Address:
        allowed = addresses.allowed_hosts(self._hosts)
        return await addresses.pinned(addresses.address_of(self._url, allowed), allowed, self._resolver, f"{self._prefix}_URL")

    def _headers(self, body: bytes, key: str, message: str) -> dict[str, str]:
        timestamp = str(int(time.time()))
        return {
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "Webhook-Id": message,
            "Webhook-Timestamp": timestamp,
            "Webhook-Signature": signature(self._secret, message, timestamp, body),
        }


def _key(secret: str) -> bytes:
    """The bytes to sign with: a secret that begins with `whsec_` is written in base64, any other is taken as it is."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("not base64") from None
