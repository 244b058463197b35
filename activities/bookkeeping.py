"""The ledger after a meeting: deadlines are read, and other programs get the items that are theirs (source 000, Ledger)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

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
        return await self.sync(meeting.owner)

    async def sync(self, person: str) -> Pushed:
        """Both directions with every sink. A sink that fails holds up no other."""
        touched: list[str] = []
        troubles: list[SinkError] = []
        for sink in self._sinks:
            try:
                touched += await self._take_back(sink, person)
                await self._push(sink, person)
            except SinkError as error:
                troubles.append(error)
        if any(error.retryable for error in troubles):
            raise ApplicationError(" ".join(str(error) for error in troubles), type="NotPushed")
        return Pushed(resolutions=sorted(set(touched)))

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

        async def read(tx: AsyncConnection) -> tuple[list[Entry], dict[str, str]]:
            entries = [e for e in await ledger.entries(tx, person) if self._theirs(e)]
            return entries, await ledger.pushed(tx, sink.name, [entry.id for entry in entries])

        entries, before = await self._store.look(read)
        items = [task_item(entry) for entry in entries]
        changed = [item for item in items if before.get(item.id) != content(item) and (item.id in before or not item.done)]
        if not changed:
            return
        await sink.push(changed)
        await reached("tasks_pushed")
        now = datetime.now(UTC)

        async def write(tx: AsyncConnection) -> None:
            for item in changed:
                await ledger.set_pushed(tx, sink.name, item.id, content(item), now)

        await self._store.run(write)

    def _theirs(self, entry: Entry) -> bool:
        return "all" in self._owners or entry.owner.casefold() in self._owners


def task_item(entry: Entry) -> TaskItem:
    """An item of the ledger as other programs get it."""
    return TaskItem(
        id=entry.id,
        task=entry.task,
        owner=entry.owner,
        deadline=entry.deadline,
        due=entry.due,
        topic=one_line(entry.topic or ""),
        resolution_id=entry.resolution_id,
        done=entry.status != ledger.PENDING,
        set_on=entry.created_at.astimezone(ZoneInfo(entry.meeting_zone or "UTC")).date(),
    )


def content(item: TaskItem) -> str:
    """A hash of what another program has of an item."""
    told = [item.task, item.owner, item.due.isoformat() if item.due else item.deadline, item.topic, item.done]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]
