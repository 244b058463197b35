"""The ledger of action items: one for each person, whatever meeting an item comes from (source 000, Action-Item Ledger)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.deadlines import read_deadline
from records import schema
from records.writing import add_once

_T = schema.action_items
_C = schema.action_changes
_M = schema.meetings
_R = schema.resolutions
_P = schema.task_pushes

PENDING, DONE, DROPPED = "pending", "done", "dropped"


@dataclass(frozen=True, slots=True)
class Entry:
    """An action item as it stands. `due` and `reading` as `parliament.deadlines` read the deadline's words."""

    id: str
    task: str
    owner: str
    deadline: str | None  # the words as they were said
    due: date | None
    reading: str  # "" where nobody has read them yet
    status: str  # pending, done, or dropped (its resolution was rejected)
    origin: str  # resolution, unfinished, person, extracted or imported
    meeting_id: str | None
    meeting_name: str | None
    meeting_zone: str | None
    resolution_id: str | None
    topic: str | None
    item_id: str | None
    position: int
    created_at: datetime
    done_at: datetime | None
    person: str


@dataclass(frozen=True, slots=True)
class EntryChange:
    """Something that happened to an action item."""

    action_id: str
    kind: str
    origin: str
    note: str
    at: datetime


async def entries(tx: AsyncConnection, person: str, *, status: str | None = None, meeting_id: str | None = None) -> list[Entry]:
    """A person's action items: the oldest first, within a meeting in the order in which they were spoken."""
    wanted = _T.c.person == person
    if status is not None:
        wanted &= _T.c.status == status
    if meeting_id is not None:
        wanted &= _T.c.meeting_id == meeting_id
    return await _load(tx, wanted)


async def entry(tx: AsyncConnection, action_id: str) -> Entry | None:
    found = await _load(tx, _T.c.id == action_id)
    return found[0] if found else None


async def unread(tx: AsyncConnection, meeting_id: str) -> list[Entry]:
    """The items of a meeting whose deadlines nobody has read yet."""
    return await _load(tx, (_T.c.meeting_id == meeting_id) & (_T.c.reading == ""))


async def settle(tx: AsyncConnection, meeting_id: str) -> list[Entry]:
    """Read the deadlines of a meeting's items against its date, and note where they come from; those that were settled."""
    found = await unread(tx, meeting_id)
    for one in found:
        zone = ZoneInfo(one.meeting_zone or "UTC")
        read = read_deadline(one.deadline, one.created_at.astimezone(zone).date())
        await set_due(tx, one.id, read.due, read.reading.value)
        await note(tx, one.id, kind="added", origin=one.origin, at=one.created_at, which="1")
    return found


async def set_due(tx: AsyncConnection, action_id: str, due: date | None, reading: str) -> None:
    await tx.execute(
        update(_T).where(_T.c.id == action_id).values(due=due.isoformat() if due is not None else None, reading=reading)
    )


async def add(
    tx: AsyncConnection,
    *,
    id: str,
    person: str,
    task: str,
    owner: str,
    deadline: str | None,
    due: date | None,
    reading: str,
    origin: str,
    at: datetime,
    meeting_id: str | None = None,
    item_id: str | None = None,
    resolution_id: str | None = None,
    position: int = 0,
    status: str = PENDING,
    done_at: datetime | None = None,
) -> bool:
    """Put an item into the ledger; False when it stands there already."""
    return await add_once(
        tx,
        _T,
        {
            "id": id,
            "meeting_id": meeting_id,
            "person": person,
            "item_id": item_id,
            "resolution_id": resolution_id,
            "task": task,
            "owner": owner,
            "deadline": deadline,
            "status": status,
            "origin": origin,
            "created_at": at,
            "due": due.isoformat() if due is not None else None,
            "reading": reading,
            "position": position,
            "done_at": done_at,
        },
    )


async def turn_to(tx: AsyncConnection, action_id: str, status: str, at: datetime) -> bool:
    """Complete, reopen or drop an item; False when it stood there already."""
    result = await tx.execute(
        update(_T)
        .where(_T.c.id == action_id, _T.c.status != status)
        .values(status=status, done_at=at if status == DONE else None)
    )
    return bool(result.rowcount)


async def note(
    tx: AsyncConnection, action_id: str, *, kind: str, origin: str, at: datetime, text: str = "", which: str = ""
) -> bool:
    """Write a change of an item down. Without `which` it is the next of its kind; with it, it is written once."""
    if not which:
        count = await tx.scalar(select(func.count()).where(_C.c.action_id == action_id, _C.c.kind == kind))
        which = str((count or 0) + 1)
    row = {
        "id": f"{action_id}/{kind}/{which}",
        "action_id": action_id,
        "kind": kind,
        "origin": origin,
        "note": text,
        "at": at,
    }
    return await add_once(tx, _C, row)


async def changes(tx: AsyncConnection, action_ids: list[str], *, kind: str | None = None) -> list[EntryChange]:
    """What happened to these items, the oldest first."""
    wanted = _C.c.action_id.in_(action_ids)
    if kind is not None:
        wanted &= _C.c.kind == kind
    rows = await tx.execute(select(_C).where(wanted).order_by(_C.c.at, _C.c.id))
    return [EntryChange(r.action_id, r.kind, r.origin, r.note, r.at) for r in rows]


async def to_undo(tx: AsyncConnection, resolution_id: str) -> list[tuple[Entry, str]]:
    """Items of a resolution that a doer completed and that are not done any more, with the doer's name, until it is undone."""
    found = []
    for one in await _load(tx, _R.c.id == resolution_id):
        if one.status == DONE:
            continue
        doers = [(c.kind, c.origin) for c in await changes(tx, [one.id]) if c.kind in ("completed", "undone")]
        if doers and doers[-1][0] == "completed" and doers[-1][1].startswith("doer:"):
            found.append((one, doers[-1][1].removeprefix("doer:")))
    return found


# -- what other programs have ------------------------------------------------------------------------------------------


async def pushed(tx: AsyncConnection, sink: str, action_ids: list[str]) -> dict[str, str]:
    """Item -> the hash of what this sink has of it."""
    rows = await tx.execute(select(_P.c.action_id, _P.c.content).where(_P.c.sink == sink, _P.c.action_id.in_(action_ids)))
    return {row.action_id: row.content for row in rows}


async def set_pushed(tx: AsyncConnection, sink: str, action_id: str, content: str, at: datetime) -> None:
    row = {"action_id": action_id, "sink": sink, "content": content, "pushed_at": at}
    if not await add_once(tx, _P, row):
        await tx.execute(update(_P).where(_P.c.action_id == action_id, _P.c.sink == sink).values(content=content, pushed_at=at))


async def _load(tx: AsyncConnection, wanted: ColumnElement[bool]) -> list[Entry]:
    by_item = (_R.c.meeting_id == _T.c.meeting_id) & (_R.c.item_id == _T.c.item_id) & (_T.c.origin == "resolution")
    rows = (
        await tx.execute(
            select(_T, _M.c.name.label("meeting_name"), _M.c.zone, _R.c.id.label("paper"), _R.c.topic)
            .outerjoin(_M, _M.c.id == _T.c.meeting_id)
            .outerjoin(_R, (_R.c.id == _T.c.resolution_id) | (_T.c.resolution_id.is_(None) & by_item))
            .where(wanted)
            .order_by(_T.c.created_at, _T.c.position, _T.c.id)
        )
    ).all()
    return [
        Entry(
            id=row.id,
            task=row.task,
            owner=row.owner,
            deadline=row.deadline,
            due=date.fromisoformat(row.due) if row.due else None,
            reading=row.reading,
            status=row.status,
            origin=row.origin,
            meeting_id=row.meeting_id,
            meeting_name=row.meeting_name,
            meeting_zone=row.zone,
            resolution_id=row.paper,
            topic=row.topic,
            item_id=row.item_id,
            position=row.position,
            created_at=row.created_at,
            done_at=row.done_at,
            person=row.person,
        )
        for row in rows
    ]
