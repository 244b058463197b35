"""The ledger of action items at the desk: list, add, complete, reopen, extract, scope (source 000, Action-Item Ledger)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from temporalio.client import Client

from clerk import reading, resolutions
from clerk.errors import DeskError, Kind
from parliament.deadlines import read_deadline
from parliament.ids import action_id as new_id
from parliament.ids import is_imported_id
from parliament.ledger import Scope, Spoken, from_transcript, same_task, unread_in
from parliament.ledger import scope as sorted_by_day
from parliament.roster import Roster, RosterEntry
from parliament.text import brief, is_blank, one_line, printable
from parliament.values import SHAREHOLDER, EndedBy
from records import completing, ledger, papers, turns
from records.engine import Store
from records.ledger import Entry
from settings import Settings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MAX_TASK = 2000
"""Characters of a task that a person adds."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a transcript was found to hold: how many items in all, and those that are new."""

    found: int
    added: tuple[Entry, ...]
    unread: tuple[str, ...] = ()  # what began as an ACTION and could not be read, with the reason


def as_json(entry: Entry) -> dict[str, Any]:
    """An action item in source 000's structure (`id` to `status`), and what the ledger knows besides."""
    return {
        "id": entry.id,
        "task": entry.task,
        "owner": entry.owner,
        "deadline": entry.deadline,
        "resolution_id": entry.resolution_id,
        "status": entry.status,
        "due": entry.due.isoformat() if entry.due else None,
        "deadline_reading": entry.reading,
        "origin": entry.origin,
        "meeting_id": entry.meeting_id,
        "topic": entry.topic,
        "created_at": entry.created_at.isoformat(),
        "done_at": entry.done_at.isoformat() if entry.done_at else None,
    }


async def listing(
    store: Store, person: str, *, status: str | None = None, owner: str | None = None, meeting_id: str | None = None
) -> list[Entry]:
    """A person's action items across all resolutions; deadlines that nobody has read yet are read."""
    await _settle(store, person)
    found = await store.look(lambda tx: ledger.entries(tx, person, status=status, meeting_id=meeting_id))
    return [entry for entry in found if owner is None or entry.owner.casefold() == owner.casefold()]


async def scope(store: Store, settings: Settings, person: str, *, today: date | None = None) -> Scope[Entry]:
    """What is open: overdue, within a week, later, and open-ended (source 000, scope)."""
    day = today or datetime.now(ZoneInfo(settings.zone)).date()
    return sorted_by_day(await listing(store, person, status=ledger.PENDING), day)


async def add(
    store: Store,
    settings: Settings,
    person: str,
    task: str,
    *,
    owner: str = SHAREHOLDER,
    deadline: str | None = None,
    key: str | None = None,
) -> Entry:
    """Put an item of the person's own into the ledger. The same `key` and words again change nothing."""
    words = one_line(printable(task)).strip()
    if is_blank(words):
        raise DeskError("The task is empty: say what is to be done.", usage=True)
    if len(words) > MAX_TASK:
        raise DeskError(f"The task has {len(words)} characters and the limit is {MAX_TASK}: shorten it.", usage=True)
    whose = one_line(printable(owner)).strip()
    if is_blank(whose) or len(whose) > 80:
        raise DeskError("The owner is a name of at most 80 characters, such as shareholder.", usage=True)
    said = one_line(printable(deadline)).strip() if deadline is not None else None
    if said is not None and len(said) > 120:
        raise DeskError("The deadline has more than 120 characters: write a date, or words such as next Friday.", usage=True)
    now = datetime.now(UTC)
    read = read_deadline(said or None, now.astimezone(ZoneInfo(settings.zone)).date())
    id = new_id(person, key or token_hex(8), "" if key else words)

    async def write(tx: AsyncConnection) -> Entry:
        await ledger.add(
            tx,
            id=id,
            person=person,
            task=words,
            owner=whose,
            deadline=said or None,
            due=read.due,
            reading=read.reading.value,
            origin="person",
            at=now,
        )
        await ledger.note(tx, id, kind="added", origin="person", at=now, which="1")
        found = await ledger.entry(tx, id)
        assert found is not None
        return found

    found = await store.run(write)
    if (found.task, found.owner, found.deadline) != (words, whose, said or None):
        raise DeskError(
            f"{found.id} was added under this key with other words: send a new key for another item.", kind=Kind.REFUSED
        )
    return found


async def turn(
    client: Client | None, store: Store, person: str, action_id: str, *, done: bool, origin: str = "person", note: str = ""
) -> Entry:
    """Complete an item, or reopen it. REFUSED when it stands so already. Its resolution's workflow looks afterwards."""
    await entry(store, person, action_id)
    now = datetime.now(UTC)

    async def write(tx: AsyncConnection) -> Entry | None:
        return await completing.turn(tx, action_id, done=done, origin=origin, at=now, note=one_line(printable(note))[:MAX_TASK])

    before = await store.run(write)
    if before is None:
        raise DeskError(f"{action_id} is {'done' if done else 'open'} already.", kind=Kind.REFUSED)
    if before.resolution_id is not None and client is not None:
        await resolutions.look(client, [before.resolution_id])
    return await entry(store, person, action_id)


async def entry(store: Store, person: str, action_id: str) -> Entry:
    """One item of the person's. UNKNOWN also where it is somebody else's."""
    if not is_imported_id(action_id, "ACT"):
        raise DeskError(
            f"{brief(action_id)!r} is not the id of an action item: one looks like ACT-12345678, and "
            "`boardroom actions list` lists them.",
            usage=True,
        )
    found = await store.look(lambda tx: ledger.entry(tx, action_id))
    if found is None or found.person != person:
        raise DeskError(
            f"There is no action item {action_id} in this record: `boardroom actions list` lists them.", kind=Kind.UNKNOWN
        )
    return found


async def extract(store: Store, person: str, meeting_id: str) -> Extracted:
    """Read the ACTION commands of a meeting's transcript again, and put into the ledger what is not there yet.

    What members of a meeting held here were asked for in a form stands in the ledger already, and in no transcript.
    """
    await reading.check_owner(store, meeting_id, person)
    meeting = await reading.known(store, meeting_id)
    roster = Roster(
        tuple(
            RosterEntry(id=member["id"], name=member["name"], aliases=tuple(member.get("aliases", ())))
            for member in meeting.config["members"]
        )
    )
    now = datetime.now(UTC)
    zone = ZoneInfo(meeting.zone)
    day = (meeting.started_at or meeting.created_at).astimezone(zone).date()

    async def write(tx: AsyncConnection) -> Extracted:
        # Of a meeting held here the commands of whoever presided are kept, and those that were ruled out of order; of one that
        # was brought along there are only words, and nobody's command counts but the chairman's (law 2).
        brought = meeting.ended_by == EndedBy.IMPORTED
        refused = await papers.refused_commands(tx, meeting_id)
        spoken = [
            Spoken(
                turn.seq,
                turn.item_id,
                (turn.text,) if brought else tuple(map(str, turn.data.get("commands", ()))),
                frozenset(refused.get(turn.seq, ())),
            )
            for turn in await turns.transcript(tx, meeting_id)
            if not brought or turn.member_id == meeting.chair
        ]
        found = from_transcript(meeting_id, spoken, roster)
        standing = await ledger.entries(tx, person, meeting_id=meeting_id)
        known = {one.id for one in standing}
        new = []
        for one in found:
            if one.id in known or any(same_task(one.task, other.task) for other in standing if other.item_id == one.item_id):
                continue
            read = read_deadline(one.deadline, day)
            await ledger.add(
                tx,
                id=one.id,
                person=person,
                task=one.task,
                owner=one.owner,
                deadline=one.deadline,
                due=read.due,
                reading=read.reading.value,
                origin="resolution",
                at=meeting.completed_at or now,
                meeting_id=meeting_id,
                item_id=one.item_id,
                position=one.position,
            )
            await ledger.note(tx, one.id, kind="added", origin="extracted", at=now, which="1")
            new.append(one.id)
        everything = await ledger.entries(tx, person, meeting_id=meeting_id)
        return Extracted(len(found), tuple(one for one in everything if one.id in new), tuple(unread_in(spoken, roster)))

    return await store.run(write)


async def _settle(store: Store, person: str) -> None:
    """Read the deadlines of meetings whose after-work has not done it."""
    unread = {
        one.meeting_id
        for one in await store.look(lambda tx: ledger.entries(tx, person))
        if not one.reading and one.meeting_id is not None
    }
    for meeting_id in sorted(unread):

        async def settle(tx: AsyncConnection, meeting_id: str = meeting_id) -> None:
            await ledger.settle(tx, meeting_id)

        await store.run(settle)
