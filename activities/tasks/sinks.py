"""The sinks that are set up: one file (todo.txt, iCalendar or CSV by its ending) and one signed webhook."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from activities.notices import addresses
from activities.notices.channels import ChannelError
from activities.notices.posting import post
from activities.notices.webhook import SHORTEST_SECRET, signature
from activities.tasks import csv_file, todo_txt
from activities.tasks.files import change_file, read_file
from activities.tasks.values import Sink, SinkError, TaskItem
from settings import Settings

PATIENCE = 5.0
"""Seconds for one item by webhook, the resolving of the name included."""
KINDS = (".txt", ".ics", ".csv")

Merge = Callable[[str, Sequence[TaskItem]], str]
Completed = Callable[[str], frozenset[str]]


class FileSink:
    """A file that another program reads, and in which a person may complete what is theirs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = f"file{path.suffix.lower()}"

    def _kind(self) -> tuple[Merge, Completed]:
        if self._path.suffix.lower() == ".ics":
            from activities.tasks import ics  # its library loads slowly

            return ics.merged, ics.completed
        module: Any = csv_file if self._path.suffix.lower() == ".csv" else todo_txt
        return module.merged, module.completed

    async def push(self, items: Sequence[TaskItem]) -> None:
        merge, _ = self._kind()
        await asyncio.to_thread(change_file, self._path, lambda text: merge(text, items))

    async def completed(self) -> frozenset[str]:
        _, completed = self._kind()
        return completed(await asyncio.to_thread(read_file, self._path))


class WebhookSink:
    """One signed POST for each item (Standard Webhooks). What the other side answers is not read: it completes by the API."""

    name = "webhook"

    def __init__(self, settings: Settings, resolver: addresses.Resolver = addresses.resolve) -> None:
        assert settings.tasks_webhook_url is not None
        assert settings.tasks_webhook_secret is not None
        self._url = settings.tasks_webhook_url.get_secret_value()
        self._secret = settings.tasks_webhook_secret.get_secret_value()
        self._hosts = settings.webhook_allowed_hosts
        self._resolver = resolver

    async def push(self, items: Sequence[TaskItem]) -> None:
        for item in items:
            await self._post(item)

    async def completed(self) -> frozenset[str]:
        return frozenset()

    async def _post(self, item: TaskItem) -> None:
        body = json.dumps(
            {
                "id": item.id,
                "type": "action_item",
                "task": item.task,
                "owner": item.owner,
                "deadline": item.deadline,
                "due": item.due.isoformat() if item.due else None,
                "topic": item.topic,
                "resolution_id": item.resolution_id,
                "status": "done" if item.done else "pending",
            }
        ).encode()
        until = time.monotonic() + PATIENCE
        try:
            async with asyncio.timeout(PATIENCE):
                allowed = addresses.allowed_hosts(self._hosts)
                address = await addresses.pinned(addresses.address_of(self._url, allowed), allowed, self._resolver)
            stamp = str(int(time.time()))
            headers = {
                "Content-Type": "application/json",
                "Idempotency-Key": item.id,
                "Webhook-Id": item.id,
                "Webhook-Timestamp": stamp,
                "Webhook-Signature": signature(self._secret, item.id, stamp, body),
            }
            answer = await post("The webhook", address, headers, body, seconds=max(0.1, until - time.monotonic()))
        except TimeoutError:
            raise SinkError("The tasks' webhook could not be resolved in time.") from None
        except ChannelError as error:
            raise SinkError(str(error), retryable=error.retryable) from None
        if not 200 <= answer.status < 300:
            retryable = answer.status in (408, 425, 429) or answer.status >= 500
            raise SinkError(f"The tasks' webhook answered {answer.status} and did not take an item.", retryable=retryable)


def sinks_of(settings: Settings) -> tuple[Sink, ...]:
    """The sinks that are set up whole."""
    found: list[Sink] = []
    if settings.tasks_file is not None and settings.tasks_file.suffix.lower() in KINDS:
        found.append(FileSink(settings.tasks_file))
    if settings.tasks_webhook_url is not None and settings.tasks_webhook_secret is not None:
        found.append(WebhookSink(settings))
    return tuple(found)


def owners_of(settings: Settings) -> frozenset[str]:
    """Whose items are pushed, in lower case; "all" for everybody's."""
    return frozenset(part.strip().casefold() for part in settings.tasks_owners.split(",") if part.strip())


def problems_of(settings: Settings) -> list[str]:
    """What is wrong with the settings of the sinks, a sentence each."""
    found = []
    if settings.tasks_file is not None and settings.tasks_file.suffix.lower() not in KINDS:
        found.append(f"BOARDROOM_TASKS_FILE must end in {', '.join(KINDS)}: its ending says what is written.")
    if (settings.tasks_webhook_url is None) != (settings.tasks_webhook_secret is None):
        found.append("BOARDROOM_TASKS_WEBHOOK_URL and BOARDROOM_TASKS_WEBHOOK_SECRET are set together or not at all.")
    secret = settings.tasks_webhook_secret
    if secret is not None and len(secret.get_secret_value()) < SHORTEST_SECRET:
        found.append(f"BOARDROOM_TASKS_WEBHOOK_SECRET is too short: take {SHORTEST_SECRET} characters or more, at random.")
    if settings.tasks_webhook_url is not None:
        try:
            allowed = addresses.allowed_hosts(settings.webhook_allowed_hosts)
            addresses.address_of(settings.tasks_webhook_url.get_secret_value(), allowed)
        except (ChannelError, ValueError) as error:
            found.append(f"BOARDROOM_TASKS_WEBHOOK_URL: {error}")
    return found


__all__ = ["FileSink", "SinkError", "WebhookSink", "owners_of", "problems_of", "sinks_of"]
