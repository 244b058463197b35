"""Action items by webhook: signed JSON to an address that is not inside, as notices go (SERVICE_SECURITY 19).

What the other side answers is not read but for its status: it completes items by the API.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence

import httpcore2

from activities.notices import addresses
from activities.notices.channels import ChannelError
from activities.notices.posting import Address, post
from activities.notices.webhook import SHORTEST_SECRET, signature
from activities.tasks.values import SinkError, TaskItem
from settings import Settings

PATIENCE = 5.0
"""Seconds for one item, the resolving of the name included."""
AT_ONCE = 8
"""Items on their way at a time, so that many of them take no longer than an activity may."""
_WHO = "The tasks' webhook"


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each; the name is not resolved here."""
    if settings.tasks_webhook_url is None and settings.tasks_webhook_secret is None:
        return []
    if settings.tasks_webhook_url is None or settings.tasks_webhook_secret is None:
        return ["BOARDROOM_TASKS_WEBHOOK_URL and BOARDROOM_TASKS_WEBHOOK_SECRET are set together or not at all."]
    found = []
    secret = settings.tasks_webhook_secret.get_secret_value()
    if len(secret) < SHORTEST_SECRET:
        found.append(f"BOARDROOM_TASKS_WEBHOOK_SECRET is too short: take {SHORTEST_SECRET} characters or more, at random.")
    try:
        signature(secret, "", "", b"")
    except ValueError:
        found.append("BOARDROOM_TASKS_WEBHOOK_SECRET begins with whsec_ but does not go on in base64: copy it whole.")
    try:
        allowed = addresses.allowed_hosts(settings.webhook_allowed_hosts)
    except ValueError as error:
        return [*found, f"BOARDROOM_WEBHOOK_ALLOWED_HOSTS names {str(error)!r}, which is no host: write host or host:port."]
    try:
        addresses.address_of(settings.tasks_webhook_url.get_secret_value(), allowed)
    except ChannelError as error:
        found.append(f"BOARDROOM_TASKS_WEBHOOK_URL: {error}")
    return found


class WebhookSink:
    """One POST for each item. `Idempotency-Key` is the item's id; `Webhook-Id` tells apart what was said of it."""

    name = "webhook"

    def __init__(
        self,
        settings: Settings,
        resolver: addresses.Resolver = addresses.resolve,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        """`resolver` and `network` are the system's, unless a test looks at what is asked of them."""
        assert settings.tasks_webhook_url is not None
        assert settings.tasks_webhook_secret is not None
        self._problems = problems(settings)
        self._url = settings.tasks_webhook_url.get_secret_value()
        self._secret = settings.tasks_webhook_secret.get_secret_value()
        self._hosts = settings.webhook_allowed_hosts
        self._resolver = resolver
        self._network = network

    async def push(self, items: Sequence[TaskItem]) -> None:
        """Every item that is taken gets there, whatever becomes of another; only where nothing helps now is the rest left."""
        if self._problems:
            raise SinkError(self._problems[0], retryable=False)
        troubles: list[SinkError] = []
        for begin in range(0, len(items), AT_ONCE):
            found = await asyncio.gather(*(self._tried(item) for item in items[begin : begin + AT_ONCE]))
            troubles += (error for error in found if error is not None)
            if any(error.retryable for error in troubles):
                break
        if troubles:
            raise next((error for error in troubles if error.retryable), troubles[0])

    async def completed(self) -> frozenset[str]:
        return frozenset()

    async def _tried(self, item: TaskItem) -> SinkError | None:
        try:
            await self._post(item)
        except ChannelError as error:
            # The guard's sentences name the variable of notices.
            said = str(error).replace("BOARDROOM_WEBHOOK_URL", "BOARDROOM_TASKS_WEBHOOK_URL")
            return SinkError(said, retryable=error.retryable, unsure=error.unsure)
        except SinkError as error:
            return error
        return None

    async def _post(self, item: TaskItem) -> None:
        until = time.monotonic() + PATIENCE
        try:
            async with asyncio.timeout(PATIENCE):
                address = await self._address()
        except TimeoutError:
            raise SinkError(f"{_WHO} could not be resolved in time.") from None
        body = _body(item)
        left = max(0.1, until - time.monotonic())
        answer = await post(_WHO, address, self._headers(item, body), body, seconds=left, network=self._network)
        if 200 <= answer.status < 300:
            return
        if 300 <= answer.status < 400:
            raise SinkError(
                f"{_WHO} points elsewhere, which is not followed: write the address it points to in "
                "BOARDROOM_TASKS_WEBHOOK_URL.",
                retryable=False,
            )
        raise SinkError(
            f"{_WHO} answered {answer.status} and did not take an item.",
            retryable=answer.status in (408, 425, 429) or answer.status >= 500,
            unsure=answer.status >= 500 and answer.status != 503,
        )

    async def _address(self) -> Address:
        allowed = addresses.allowed_hosts(self._hosts)
        return await addresses.pinned(addresses.address_of(self._url, allowed), allowed, self._resolver)

    def _headers(self, item: TaskItem, body: bytes) -> dict[str, str]:
        stamp = str(int(time.time()))
        message = f"{item.id}-{hashlib.sha256(body).hexdigest()[:16]}"
        return {
            "Content-Type": "application/json",
            "Idempotency-Key": item.id,
            "Webhook-Id": message,
            "Webhook-Timestamp": stamp,
            "Webhook-Signature": signature(self._secret, message, stamp, body),
        }


def _body(item: TaskItem) -> bytes:
    return json.dumps(
        {
            "id": item.id,
            "type": "action_item",
            "task": item.task,
            "owner": item.owner,
            "owner_name": item.called,
            "deadline": item.deadline,
            "due": item.due.isoformat() if item.due else None,
            "topic": item.topic,
            "resolution_id": item.resolution_id,
            "status": "done" if item.done else "pending",
        }
    ).encode()
