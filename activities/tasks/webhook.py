"""Action items by webhook: signed JSON to an address that is not inside, as notices go (SERVICE_SECURITY 19).

What the other side answers is not read but for its status: it completes items by the API.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence

import httpcore2

from activities.notices import addresses, signed
from activities.notices.channels import ChannelError
from activities.tasks.values import SinkError, TaskItem, place_of
from settings import Settings

AT_ONCE = 8
"""Items on their way at a time, so that many of them take no longer than an activity may."""
PREFIX = "BOARDROOM_TASKS_WEBHOOK"


def problems(settings: Settings) -> list[str]:
    """What is wrong with the settings, a sentence each."""
    url, secret = settings.tasks_webhook_url, settings.tasks_webhook_secret
    if url is None and secret is None:
        return []
    if url is None or secret is None:
        return [f"{PREFIX}_URL and {PREFIX}_SECRET are set together or not at all."]
    return signed.problems(PREFIX, url.get_secret_value(), secret.get_secret_value(), settings.webhook_allowed_hosts)


class WebhookSink:
    """One POST for each item. `Idempotency-Key` is the item's id; `Webhook-Id` tells apart what was said of it."""

    name = "webhook"

    def __init__(
        self,
        settings: Settings,
        resolver: addresses.Resolver = addresses.resolve,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        assert settings.tasks_webhook_url is not None
        assert settings.tasks_webhook_secret is not None
        url = settings.tasks_webhook_url.get_secret_value()
        self.place = place_of(self.name, url)
        self._problems = problems(settings)
        self._signed = signed.SignedPost(
            "The tasks' webhook",
            PREFIX,
            url,
            settings.tasks_webhook_secret.get_secret_value(),
            settings.webhook_allowed_hosts,
            resolver,
            network,
        )

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
        body = _body(item)
        message = f"{item.id}-{hashlib.sha256(body).hexdigest()[:16]}"
        try:
            await self._signed.send(body, key=item.id, message=message, what="an item")
        except ChannelError as error:
            return SinkError(str(error), retryable=error.retryable, unsure=error.unsure)
        return None


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
