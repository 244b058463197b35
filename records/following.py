"""Resolutions after their meeting: the person's answers, every change with its time and origin, and what is known of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.following import ChangeKind, Followed, FollowedChange, FollowedTask
from parliament.values import Disposition
from records import schema, search
from records.writing import add_once

_M = schema.meetings
_R = schema.resolutions
_Q = schema.motions
_C = schema.resolution_changes
_T = schema.action_items


@dataclass(frozen=True, slots=True)
class Change:
    """One row of a resolution's history. `which` as in `parliament.following`."""

    resolution_id: str
    kind: str
    which: str
    origin: str
    note: str
    until: date | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Tracked:
    """An adopted resolution and all that happened to it since."""

    id: str
    meeting_id: str
    meeting_name: str
    owner: str
    item_id: str
    topic: str
    text: str
    simulated: bool
    decided_at: datetime
    zone: ZoneInfo
    user_response: dict[str, Any] | None
    superseded_by: str | None
    history: tuple[Change, ...]
    followed: Followed


def change_id(resolution_id: str, kind: str, which: str = "") -> str:
    return "/".join(part for part in (resolution_id, kind, which) if part)


async def add_change(
    tx: AsyncConnection,
    *,
    meeting_id: str,
    resolution_id: str,
    kind: ChangeKind,
    origin: str,
    at: datetime,
    which: str = "",
    note: str = "",
    until: date | None = None,
) -> bool:
    """Write a change down once; False when it stands already."""
    return await add_once(
        tx,
        _C,
        {
            "id": change_id(resolution_id, kind.value, which),
            "meeting_id": meeting_id,
            "resolution_id": resolution_id,
            "kind": kind.value,
            "origin": origin,
            "note": note,
            "until": until.isoformat() if until is not None else None,
            "at": at,
        },
    )


async def lock(tx: AsyncConnection, resolution_id: str) -> bool:
    """Hold the resolution's row to the end of the transaction; False when there is none."""
    return (await tx.execute(select(_R.c.id).where(_R.c.id == resolution_id).with_for_update())).one_or_none() is not None


async def set_response(tx: AsyncConnection, resolution_id: str, response: dict[str, Any] | None) -> None:
    await tx.execute(update(_R).where(_R.c.id == resolution_id).values(user_response=response))


async def supersede(tx: AsyncConnection, resolution_id: str, by: str) -> None:
    await tx.execute(update(_R).where(_R.c.id == resolution_id, _R.c.superseded_by.is_(None)).values(superseded_by=by))


async def replaced_by(tx: AsyncConnection, resolution_id: str) -> list[str]:
    """The resolutions whose place this one took."""
    return list((await tx.execute(select(_R.c.id).where(_R.c.superseded_by == resolution_id).order_by(_R.c.id))).scalars())


async def tracked(tx: AsyncConnection, resolution_id: str) -> Tracked | None:
    """One adopted resolution; None where there is none of this id, or its motion was not adopted."""
    found = await _load(tx, _R.c.id == resolution_id)
    return found[0] if found else None


async def tracked_of(tx: AsyncConnection, owner: str) -> list[Tracked]:
    """All adopted resolutions of a person, the oldest first."""
    return await _load(tx, _M.c.owner == owner)


async def tracked_in(tx: AsyncConnection, meeting_id: str) -> list[Tracked]:
    """The adopted resolutions of a meeting."""
    return await _load(tx, _R.c.meeting_id == meeting_id)


async def forget(tx: AsyncConnection, resolution_id: str) -> bool:
    """Delete a resolution with its action items, its history and its search row. Votes and dissents stay in the minutes."""
    row = (await tx.execute(select(_R.c.meeting_id, _R.c.item_id).where(_R.c.id == resolution_id))).one_or_none()
    if row is None:
        return False
    await tx.execute(delete(_C).where(_C.c.resolution_id == resolution_id))
    notes = schema.agenda_notes
    await tx.execute(
        delete(notes).where(notes.c.meeting_id == row.meeting_id, notes.c.kind == "answer", notes.c.item_id == row.item_id)
    )
    await tx.execute(delete(_T).where(_belongs(row.meeting_id, resolution_id, row.item_id)))
    await tx.execute(
        delete(schema.search_rows).where(
            schema.search_rows.c.meeting_id == row.meeting_id,
            schema.search_rows.c.kind == "resolution",
            schema.search_rows.c.ref == resolution_id,
        )
    )
    await search.rebuild(tx)
    await tx.execute(delete(_R).where(_R.c.id == resolution_id))
    return True


def _belongs(meeting_id: str, resolution_id: str, item_id: str) -> ColumnElement[bool]:
    """A resolution's action items: those that name it, and those that its item left without naming one."""
    unnamed = (_T.c.meeting_id == meeting_id) & (_T.c.item_id == item_id) & (_T.c.origin == "resolution")
    return (_T.c.resolution_id == resolution_id) | (_T.c.resolution_id.is_(None) & unnamed)


async def _load(tx: AsyncConnection, which: ColumnElement[bool]) -> list[Tracked]:
    rows = (
        await tx.execute(
            select(
                _R.c.id,
                _R.c.meeting_id,
                _M.c.name,
                _M.c.owner,
                _R.c.item_id,
                _R.c.topic,
                _Q.c.text,
                _M.c.simulated,
                _R.c.created_at,
                _M.c.zone,
                _R.c.user_response,
                _R.c.superseded_by,
            )
            .join(_Q, _Q.c.id == _R.c.motion_id)
            .join(_M, _M.c.id == _R.c.meeting_id)
            .where(_Q.c.status == Disposition.ADOPTED.value, which)
            .order_by(_R.c.created_at, _R.c.id)
        )
    ).all()
    if not rows:
        return []
    meetings = sorted({row.meeting_id for row in rows})
    changes = await _changes(tx, meetings)
    tasks = await _tasks(tx, meetings)
    found = []
    for row in rows:
        history = tuple(changes.get(row.id, ()))
        zone = ZoneInfo(row.zone)
        found.append(
            Tracked(
                id=row.id,
                meeting_id=row.meeting_id,
                meeting_name=row.name,
                owner=row.owner,
                item_id=row.item_id,
                topic=row.topic,
                text=row.text,
                simulated=row.simulated,
                decided_at=row.created_at,
                zone=zone,
                user_response=row.user_response,
                superseded_by=row.superseded_by,
                history=history,
                followed=Followed(
                    decided_at=row.created_at,
                    zone=zone,
                    changes=tuple(FollowedChange(ChangeKind(c.kind), c.at, c.which, c.until) for c in history),
                    tasks=(*tasks.get((row.id, ""), ()), *tasks.get((row.meeting_id, row.item_id), ())),
                    superseded_by=row.superseded_by,
                ),
            )
        )
    return found


async def _changes(tx: AsyncConnection, meetings: Iterable[str]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = defaultdict(list)
    rows = await tx.execute(select(_C).where(_C.c.meeting_id.in_(list(meetings))).order_by(_C.c.at, _C.c.id))
    for row in rows:
        found[row.resolution_id].append(
            Change(
                resolution_id=row.resolution_id,
                kind=row.kind,
                which=row.id.removeprefix(f"{row.resolution_id}/{row.kind}").removeprefix("/"),
                origin=row.origin,
                note=row.note,
                until=date.fromisoformat(row.until) if row.until else None,
                at=row.at,
            )
        )
    return found


async def _tasks(tx: AsyncConnection, meetings: Iterable[str]) -> dict[tuple[str, str], list[FollowedTask]]:
    """Tasks by (resolution, "") where they name it, else by (meeting, item)."""
    found: dict[tuple[str, str], list[FollowedTask]] = defaultdict(list)
    rows = await tx.execute(
        select(_T).where(_T.c.meeting_id.in_(list(meetings))).order_by(_T.c.created_at, _T.c.position, _T.c.id)
    )
    for row in rows:
        if row.resolution_id:
            key = (row.resolution_id, "")
        elif row.origin == "resolution":
            key = (row.meeting_id, row.item_id or "")
        else:
            continue
        found[key].append(
            FollowedTask(
                row.id, date.fromisoformat(row.due) if row.due else None, row.status == "done", row.status == "dropped"
            )
        )
    return found
