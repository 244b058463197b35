"""The registered doers: each does one kind of small reversible thing and gives proof. Without them nothing counts as done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from activities.tasks.files import SharedFile
from activities.tasks.values import Doer, DoerError, SinkError, TaskItem
from settings import Settings


class CalendarDoer:
    """Puts an item with a date on the calendar file, as an event of that day."""

    name = "calendar"

    def __init__(self, settings: Settings) -> None:
        own = settings.calendar_file is None
        self._path = settings.calendar_file or settings.data_dir / "calendar.ics"
        self._file = SharedFile(self._path, "BOARDROOM_DATA_DIR" if own else "BOARDROOM_CALENDAR_FILE")
        self._folder: Path | None = settings.data_dir if own else None

    async def do(self, item: TaskItem) -> str:
        from activities.tasks import ics  # its library loads slowly

        due = item.due
        if due is None:
            raise DoerError("It has no date that can be put on a calendar.")
        await self._change(lambda text: ics.with_event(text, item, due))
        return f"an event on {due.isoformat()} in {self._path.name}, UID {ics.event_uid(item)}"

    async def undo(self, item: TaskItem) -> None:
        from activities.tasks import ics

        await self._change(lambda text: ics.without_event(text, item))

    async def _change(self, change: Callable[[str], str]) -> None:
        try:
            await asyncio.to_thread(self._written, change)
        except SinkError as error:
            raise DoerError(str(error)) from None

    def _written(self, change: Callable[[str], str]) -> None:
        if self._folder is not None:  # with PostgreSQL nothing else need have made it
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError:
                raise SinkError("The data directory cannot be made: choose another with BOARDROOM_DATA_DIR.") from None
        self._file.change(change)


class ReminderDoer:
    """Reminds on the day: the follow-up of the resolution sends a notice that morning, as its own plan says."""

    name = "reminder"

    async def do(self, item: TaskItem) -> str:
        if item.due is None:
            raise DoerError("It has no date on which to remind.")
        return f"a notice on the morning of {item.due.isoformat()}, of {item.resolution_id or item.id}"

    async def undo(self, item: TaskItem) -> None:
        """The follow-up reminds of no item that is dropped or done."""


class LedgerDoer:
    """Notes something for the board: it stands in the ledger, which every board book shows."""

    name = "ledger"

    async def do(self, item: TaskItem) -> str:
        return f"the ledger's entry {item.id}, which the next board book shows"

    async def undo(self, item: TaskItem) -> None:
        """The entry is the item itself, which the ledger reopens or drops."""


def doers_of(settings: Settings) -> Mapping[str, Doer]:
    """The registered doers by name. A reminder needs somewhere to be sent to."""
    wanted = {part.strip().lower() for part in settings.doers.split(",")}
    known: list[Doer] = [CalendarDoer(settings), LedgerDoer()]
    if settings.has_notices:
        known.append(ReminderDoer())
    return {doer.name: doer for doer in known if doer.name in wanted}
