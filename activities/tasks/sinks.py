"""The sinks that are set up: one file (todo.txt, iCalendar or CSV by its ending) and one signed webhook."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from activities.tasks import csv_file, todo_txt, webhook
from activities.tasks.files import SharedFile
from activities.tasks.values import Sink, TaskItem, place_of
from activities.tasks.webhook import WebhookSink
from settings import Settings

KINDS = (".txt", ".ics", ".csv")

Merge = Callable[[str, Sequence[TaskItem]], str]
Completed = Callable[[str], frozenset[str]]


class FileSink:
    """A file that another program reads, and in which a person may complete what is theirs."""

    def __init__(self, path: Path, zone: str) -> None:
        self._file = SharedFile(path, "BOARDROOM_TASKS_FILE")
        self._zone = ZoneInfo(zone)
        self.name = f"file{path.suffix.lower()}"
        self.place = place_of(self.name, str(path.absolute()))

    def _kind(self) -> tuple[Merge, Completed]:
        if self.name == "file.ics":
            from activities.tasks import ics  # its library loads slowly

            return ics.merged, ics.completed
        module: Any = csv_file if self.name == "file.csv" else todo_txt
        return module.merged, module.completed

    async def push(self, items: Sequence[TaskItem]) -> None:
        merge, _ = self._kind()
        today = datetime.now(self._zone).date()
        # Each once, as it was told last; where nobody says on which day it was done, it was today.
        told = [
            replace(item, done_on=today) if item.done and item.done_on is None else item
            for item in {item.id: item for item in items}.values()
        ]
        await asyncio.to_thread(self._file.change, lambda text: merge(text, told))

    async def completed(self) -> frozenset[str]:
        _, completed = self._kind()
        return await asyncio.to_thread(lambda: completed(self._file.read()))


def sinks_of(settings: Settings) -> tuple[Sink, ...]:
    """The sinks that are set up whole."""
    found: list[Sink] = []
    if settings.tasks_file is not None and settings.tasks_file.suffix.lower() in KINDS:
        found.append(FileSink(settings.tasks_file, settings.zone))
    if settings.tasks_webhook_url is not None and settings.tasks_webhook_secret is not None:
        found.append(WebhookSink(settings))
    return tuple(found)


def owners_of(settings: Settings) -> frozenset[str]:
    """Whose items are pushed, as they are casefolded; "all" for everybody's."""
    return frozenset(part.strip().casefold() for part in settings.tasks_owners.split(",") if part.strip())


def problems_of(settings: Settings) -> list[str]:
    """What is wrong with the settings of the sinks and doers, a sentence each."""
    found = []
    if settings.tasks_file is not None and settings.tasks_file.suffix.lower() not in KINDS:
        found.append(f"BOARDROOM_TASKS_FILE must end in {', '.join(KINDS)}: its ending says what is written.")
    if settings.calendar_file is not None and settings.calendar_file.suffix.lower() != ".ics":
        found.append("BOARDROOM_CALENDAR_FILE must end in .ics: it is an iCalendar file.")
    if (settings.tasks_file or settings.tasks_webhook_url) and not owners_of(settings):
        found.append("BOARDROOM_TASKS_OWNERS names nobody: write owners with commas, or all.")
    return found + webhook.problems(settings)
