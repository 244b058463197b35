"""An agenda before it is approved: its items, the version they stand at, every change with what it took back, and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.agenda import Agenda, AgendaItem, AgendaStatus
from parliament.values import ItemStatus, ItemType
from records import schema
from records.troubles import RecordConflict
from records.writing import add_once

_M = schema.meetings
_I = schema.agenda_items
_C = schema.agenda_changes
_N = schema.agenda_notes


class VersionConflict(RecordConflict):
    """The agenda stands at another version than the change was made for."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(f"the agenda is at version {found}, not {expected}")
        self.expected, self.found = expected, found


@dataclass(frozen=True, slots=True)
class Change:
    """A change of an agenda: `lines` say it to people, `before` and `after` are its items as they stood."""

    version: int
    origin: str  # who made it: "chairman", "shareholder", "undo"
    source_id: str | None
    operations: list[dict[str, Any]]
    lines: list[str]
    before: list[dict[str, Any]]
    after: list[dict[str, Any]]
    at: datetime


@dataclass(frozen=True, slots=True)
class Note:
    """What the person said about the agenda or one of its items."""

    id: str
    kind: str  # "feedback", "revision"
    item_id: str | None
    text: str
    at: datetime


async def standing(tx: AsyncConnection, meeting_id: str) -> tuple[Agenda | None, int]:
    """The agenda and its version; None before anything is on it. Raises LookupError for an unknown meeting."""
    found = (
        await tx.execute(
            select(
                _M.c.agenda_version, _M.c.agenda_status, _M.c.standing_items, _M.c.user_feedback, _M.c.revision_requested
            ).where(_M.c.id == meeting_id)
        )
    ).one_or_none()
    if found is None:
        raise LookupError(f"there is no meeting {meeting_id}")
    rows = (await tx.execute(select(_I).where(_I.c.meeting_id == meeting_id).order_by(_I.c.number))).all()
    if not rows:
        return None, found.agenda_version
    agenda = Agenda(
        meeting_id=meeting_id,
        status=AgendaStatus(found.agenda_status),
        items=tuple(
            AgendaItem(
                id=row.id,
                topic=row.topic,
                type=ItemType(row.type),
                time_minutes=row.time_minutes,
                description=row.description,
                desired_outcome=row.desired_outcome,
                user_commentary=row.user_commentary,
            )
            for row in rows
        ),
        standing_items=tuple(found.standing_items),
        user_feedback=found.user_feedback,
        revision_requested=found.revision_requested,
    )
    return agenda, found.agenda_version


async def version(tx: AsyncConnection, meeting_id: str) -> int:
    """The agenda's version, held for this transaction. LookupError for an unknown meeting."""
    found = await tx.scalar(select(_M.c.agenda_version).where(_M.c.id == meeting_id).with_for_update())
    if found is None:
        raise LookupError(f"there is no meeting {meeting_id}")
    return int(found)


async def change(
    tx: AsyncConnection,
    meeting_id: str,
    items: Sequence[AgendaItem],
    *,
    expected: int,
    origin: str,
    at: datetime,
    lines: Sequence[str] = (),
    operations: Sequence[dict[str, Any]] = (),
    source_id: str | None = None,
) -> int:
    """Put these items in the place of those that stand at version `expected`; the new version.

    Raises VersionConflict when somebody was quicker: nothing is written then.
    """
    found = await version(tx, meeting_id)
    if found != expected:
        raise VersionConflict(expected, found)
    before, _ = await standing(tx, meeting_id)
    new = found + 1
    await tx.execute(delete(_I).where(_I.c.meeting_id == meeting_id))
    rows = [
        {
            "meeting_id": meeting_id,
            "number": number,
            **_fields(item),
            "status": ItemStatus.PENDING.value,
            "why": "",
        }
        for number, item in enumerate(items, 1)
    ]
    if rows:
        await tx.execute(insert(_I), rows)
    await tx.execute(
        insert(_C).values(
            meeting_id=meeting_id,
            version=new,
            origin=origin,
            source_id=source_id,
            operations=list(operations),
            lines=list(lines),
            before=[_fields(item) for item in before.items] if before is not None else [],
            after=[_fields(item) for item in items],
            at=at,
        )
    )
    await tx.execute(update(_M).where(_M.c.id == meeting_id).values(agenda_version=new))
    return new


def _fields(item: AgendaItem) -> dict[str, Any]:
    return item.model_dump(mode="json")


async def changes(tx: AsyncConnection, meeting_id: str) -> list[Change]:
    """All changes, the first one first."""
    rows = await tx.execute(select(_C).where(_C.c.meeting_id == meeting_id).order_by(_C.c.version))
    return [Change(r.version, r.origin, r.source_id, r.operations, r.lines, r.before, r.after, r.at) for r in rows]


async def change_from(tx: AsyncConnection, meeting_id: str, source_id: str) -> Change | None:
    """The change that this message or note led to, if it did."""
    rows = await tx.execute(
        select(_C).where(_C.c.meeting_id == meeting_id, _C.c.source_id == source_id).order_by(_C.c.version.desc()).limit(1)
    )
    r = rows.one_or_none()
    return Change(r.version, r.origin, r.source_id, r.operations, r.lines, r.before, r.after, r.at) if r is not None else None


async def used_ids(tx: AsyncConnection, meeting_id: str) -> set[str]:
    """Ids of all items this agenda ever had: none is given to another item."""
    found = {row.id for row in await tx.execute(select(_I.c.id).where(_I.c.meeting_id == meeting_id))}
    for row in await tx.execute(select(_C.c.before, _C.c.after).where(_C.c.meeting_id == meeting_id)):
        found |= {item["id"] for item in [*row.before, *row.after]}
    return found


async def set_fields(tx: AsyncConnection, meeting_id: str, **fields: Any) -> None:
    """Set columns of the meeting that concern its preparation (status, agenda_status, feedback, attendees, times)."""
    await tx.execute(update(_M).where(_M.c.id == meeting_id).values(**fields))


async def comment(tx: AsyncConnection, meeting_id: str, item_id: str, text: str) -> bool:
    """Set the person's commentary on an item; False when there is no such item."""
    result = await tx.execute(update(_I).where(_I.c.meeting_id == meeting_id, _I.c.id == item_id).values(user_commentary=text))
    return bool(result.rowcount)


async def add_note(
    tx: AsyncConnection, *, id: str, meeting_id: str, kind: str, text: str, at: datetime, item_id: str | None = None
) -> bool:
    row = {"id": id, "meeting_id": meeting_id, "kind": kind, "text": text, "at": at, "item_id": item_id}
    return await add_once(tx, _N, row, same=("text",))


async def note(tx: AsyncConnection, note_id: str) -> Note | None:
    row = (await tx.execute(select(_N).where(_N.c.id == note_id))).one_or_none()
    return Note(row.id, row.kind, row.item_id, row.text, row.at) if row is not None else None
