"""The ledger after a meeting: deadlines are read, and other programs get the items that are theirs (source 000, Ledger)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities import interface as act
from activities.interface import AfterWork, Pushed
from activities.points import reached
from activities.tasks import Sink, SinkError, TaskItem
from parliament.text import one_line
from records import completing, ledger, meetings
from records.engine import Store
from records.ledger import Entry

log = structlog.get_logger("boardroom.tasks")


@dataclass(frozen=True, slots=True)
class Synced:
    """Resolutions whose items were completed in another program, and what went wrong with which."""

    resolutions: tuple[str, ...]
    troubles: tuple[SinkError, ...]


class Bookkeeper:
    """Activities of the meetings' queue that keep the ledger and those who read it."""

    def __init__(self, store: Store, sinks: Sequence[Sink], owners: Iterable[str]) -> None:
        self._store = store
        self._sinks = tuple(sinks)
        self._owners = frozenset(owners)

    @activity.defn(name=act.SETTLE_LEDGER)
    async def settle_ledger(self, work: AfterWork) -> None:
        """Read the deadlines of the meeting's action items."""
        await self._store.run(lambda tx: ledger.settle(tx, work.meeting))
        await reached("ledger_settled")

    @activity.defn(name=act.PUSH_TASKS)
    async def push_tasks(self, work: AfterWork) -> Pushed:
        """Give the person's items to other programs, and take back what was completed there. ApplicationError to try again."""
        meeting = await self._store.look(lambda tx: meetings.find(tx, work.meeting))
        if meeting is None:
            return Pushed()
        found = await self.sync(meeting.owner)
        if any(error.retryable for error in found.troubles):
            raise ApplicationError(" ".join(map(str, found.troubles)), type="NotPushed")
        for error in found.troubles:  # no attempt mends it; `boardroom actions sync` and `doctor` say so too
            log.warning("action items were not given to another program", why=str(error))
        return Pushed(resolutions=list(found.resolutions))

    async def sync(self, person: str) -> Synced:
        """Both directions with every sink. A sink that fails holds up no other."""
        touched: list[str] = []
        troubles: list[SinkError] = []
        for sink in self._sinks:
            try:
                touched += await self._take_back(sink, person)
                await self._push(sink, person)
            except SinkError as error:
                troubles.append(error)
        return Synced(tuple(sorted(set(touched))), tuple(troubles))

    async def _take_back(self, sink: Sink, person: str) -> list[str]:
        """Items that were completed over there are completed here; the resolutions that they carry out."""
        completed = await sink.completed()
        if not completed:
            return []
        now = datetime.now(UTC)

        async def write(tx: AsyncConnection) -> list[str]:
            found = []
            for entry in await ledger.entries(tx, person, status=ledger.PENDING):
                if entry.id in completed:
                    await completing.turn(tx, entry.id, done=True, origin=sink.name, at=now)
                    if entry.resolution_id is not None:
                        found.append(entry.resolution_id)
            return found

        touched = await self._store.run(write)
        await reached("completion_taken_back")
        return touched

    async def _push(self, sink: Sink, person: str) -> None:
        """What is new or was changed since it was pushed; what is done goes out once more, as done."""

        async def read(tx: AsyncConnection) -> tuple[list[Entry], dict[str, str], dict[tuple[str, str], str]]:
            entries = [e for e in await ledger.entries(tx, person) if self._theirs(e)]
            names = await _names(tx, {e.meeting_id for e in entries if e.meeting_id is not None})
            return entries, await ledger.pushed(tx, sink.place, [entry.id for entry in entries]), names

        entries, before, names = await self._store.look(read)
        items = [task_item(entry, names.get((entry.meeting_id or "", entry.owner), "")) for entry in entries]
        changed = [item for item in items if before.get(item.id) != content(item) and (item.id in before or not item.done)]
        if not changed:
            return
        await sink.push(changed)
        await reached("tasks_pushed")
        now = datetime.now(UTC)

        async def write(tx: AsyncConnection) -> None:
            for item in changed:
                await ledger.set_pushed(tx, sink.place, item.id, content(item), now)

        await self._store.run(write)

    def _theirs(self, entry: Entry) -> bool:
        return "all" in self._owners or entry.owner.casefold() in self._owners


async def _names(tx: AsyncConnection, meeting_ids: Iterable[str]) -> dict[tuple[str, str], str]:
    """(Meeting, member) -> what the member was called there."""
    found = {}
    for meeting_id in sorted(meeting_ids):
        meeting = await meetings.find(tx, meeting_id)
        for member in (meeting.config if meeting is not None else {}).get("members", ()):
            found[meeting_id, member["id"]] = one_line(member["name"])
    return found


def task_item(entry: Entry, owner_name: str = "") -> TaskItem:
    """An item of the ledger as other programs get it."""
    zone = ZoneInfo(entry.meeting_zone or "UTC")
    return TaskItem(
        id=entry.id,
        task=entry.task,
        owner=entry.owner,
        deadline=entry.deadline,
        due=entry.due,
        topic=one_line(entry.topic or ""),
        resolution_id=entry.resolution_id,
        done=entry.status != ledger.PENDING,
        set_on=entry.created_at.astimezone(zone).date(),
        owner_name=owner_name,
        done_on=entry.done_at.astimezone(zone).date() if entry.done_at is not None else None,
    )


def content(item: TaskItem) -> str:
    """A hash of what another program has of an item."""
    told = [item.task, item.called, item.due.isoformat() if item.due else item.deadline, item.topic, item.done]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]
