"""The registered doers: each does one kind of small reversible thing and gives proof. Without them nothing counts as done."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from activities.tasks.files import change_file
from activities.tasks.values import Doer, DoerError, SinkError, TaskItem
from settings import Settings


class CalendarDoer:
    """Puts an item with a date on the calendar file, as an event of that day."""

    name = "calendar"

    def __init__(self, path: Path) -> None:
        self._path = path

    async def do(self, item: TaskItem) -> str:
        from activities.tasks import ics  # its library loads slowly

        due = item.due
        if due is None:
            raise DoerError("It has no date that can be put on a calendar.")
        try:
            await asyncio.to_thread(change_file, self._path, lambda text: ics.with_event(text, item, due))
        except SinkError as error:
            raise DoerError(str(error)) from None
        return f"an event on {due.isoformat()} in {self._path.name}, UID {ics.uid(item)}"


class ReminderDoer:
    """Reminds on the day: the follow-up of the resolution sends a notice that morning, as its own plan says."""

    name = "reminder"

    async def do(self, item: TaskItem) -> str:
        if item.due is None:
            raise DoerError("It has no date on which to remind.")
        return f"a notice on the morning of {item.due.isoformat()}, of {item.resolution_id or item.id}"


class LedgerDoer:
    """Notes something for the board: it stands in the ledger, which every board book shows."""

    name = "ledger"

    async def do(self, item: TaskItem) -> str:
        return f"the ledger's entry {item.id}, which the next board book shows"


def doers_of(settings: Settings) -> Mapping[str, Doer]:
    """The registered doers by name. A reminder needs somewhere to be sent to."""
    wanted = {part.strip().lower() for part in settings.doers.split(",")}
    known: list[Doer] = [CalendarDoer(settings.data_dir / "calendar.ics"), LedgerDoer()]
    if settings.has_notices:
        known.append(ReminderDoer())
    return {doer.name: doer for doer in known if doer.name in wanted}
