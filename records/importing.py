"""Taking in what was brought along: a meeting whole or not at all, and nothing over what stands in the record already.

Files with a `boardroom.json` are rows of another record of ours: they are written as they are, rendered again, and taken only
when every file says the same. Without it the files are source 000's own (`records.history`). Either way everything that a
reader may ask for is read once before the transaction is committed: what cannot be read does not come in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.exc import DataError, IntegrityError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.ids import is_imported_id
from parliament.leftover import covers, leftover, same
from parliament.minutes import minutes_json, render_minutes
from parliament.review import Review
from parliament.summary import Summary
from parliament.values import MeetingStatus
from records import agendas, exporting, following, history, ledger, meetings, rows, schema, search, summaries
from records.assemble import load_record
from records.engine import Store
from records.exporting import BROUGHT, FORMAT, OURS, Files
from records.history import House
from records.rows import Rows, Taken, Unreadable
from records.troubles import RecordConflict

_NO_RECORD = (ValueError, KeyError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)
_VOLATILE = ("due", "reading")
"""Of an action item: how this store read its deadline's words. Reading them is no change of the item."""


class Conflict(Exception):
    """Something else stands in the record under the same id. `where` are the files that say otherwise."""

    def __init__(self, where: Sequence[str]) -> None:
        super().__init__(", ".join(where))
        self.where = tuple(where)


async def take_in(store: Store, meeting_id: str, files: Files, house: House, entries: Sequence[dict[str, Any]] = ()) -> bool:
    """Take a meeting in, with its entries of the ledger; False when it stands in the record already, and says the same.

    One transaction: nothing of it is written when Unreadable or Conflict is raised.
    """

    async def work(tx: AsyncConnection) -> bool:
        try:
            if await meetings.find(tx, meeting_id) is not None:
                await _compare(tx, meeting_id, files)
                return False
            if OURS in files:
                await _write_ours(tx, meeting_id, files)
            else:
                await _write_history(tx, meeting_id, files, house, entries)
            await _read_all(tx, meeting_id)
        except (Unreadable, Conflict):
            raise
        except _NO_RECORD:
            raise Unreadable(f"{OURS if OURS in files else exporting.MEETING} holds what no meeting's record could") from None
        return True

    return await _run(store, work)


async def take_in_entry(store: Store, entry: dict[str, Any], house: House) -> bool:
    """Take one entry of a ledger in; False when it stands there already, and says the same. Raises as `take_in`."""

    async def work(tx: AsyncConnection) -> bool:
        id_ = entry.get("id")
        if not isinstance(id_, str) or not is_imported_id(id_, "ACT"):
            raise Unreadable("an entry has no action item's id")
        standing = await exporting.ledger_entry(tx, id_)
        if standing is not None:
            if not covers(_settled(standing), _settled(entry)):
                raise Conflict([id_])
            return False
        row = history.entry_row(entry, id_, house, house.now)
        resolution = entry.get("resolution_id")
        owner, meeting_id = house.owner, await _meeting_of(tx, id_, entry)
        if meeting_id is not None:
            owner = await meetings.owner_of(tx, meeting_id) or owner
        item = entry.get("item_id")
        row |= {"id": id_, "person": owner, "meeting_id": meeting_id, "resolution_id": resolution, "item_id": item}
        await rows.write_row(tx, schema.action_items, row)
        await _write_changes(tx, id_, entry.get("changes"))
        await _keep_entry(tx, id_, entry, house)
        await exporting.ledger_entry(tx, id_)
        return True

    return await _run(store, work)


async def _run(store: Store, work: Any) -> bool:
    try:
        return bool(await store.run(work))
    except Taken as error:
        raise Conflict([str(error)]) from None
    except RecordConflict:
        raise Unreadable("two of its rows stand at one place") from None
    except (IntegrityError, DataError):
        raise Unreadable("it lacks something, or holds what the store cannot") from None
    except StatementError as error:
        if error.orig is not None and not isinstance(error.orig, _NO_RECORD):
            raise
        raise Unreadable("it holds what the store cannot") from None


# -- a meeting that stands already --------------------------------------------------------------------------------------


async def _compare(tx: AsyncConnection, meeting_id: str, files: Files) -> None:
    standing = await exporting.files(tx, meeting_id)
    different = [
        name
        for name, given in files.items()
        if name not in standing
        or not (
            same(_without_readings(given), _without_readings(standing[name])) if name == OURS else covers(standing[name], given)
        )
    ]
    if different:
        raise Conflict(sorted(different))


def _without_readings(ours: Any) -> Any:
    tables = ours.get("tables") if isinstance(ours, dict) else None
    items = tables.get("action_items") if isinstance(tables, dict) else None
    if not isinstance(tables, dict) or not isinstance(items, list):
        return ours
    return {**ours, "tables": {**tables, "action_items": [_settled(item) for item in items]}}


def _settled(entry: Any) -> Any:
    return {key: value for key, value in entry.items() if key not in _VOLATILE} if isinstance(entry, dict) else entry


# -- a record of ours ---------------------------------------------------------------------------------------------------


async def _write_ours(tx: AsyncConnection, meeting_id: str, files: Files) -> None:
    tables = _tables(files[OURS])
    meeting = tables["meetings"][0]
    if meeting.get("status") != MeetingStatus.COMPLETED or meeting.get("ended_by") is None:
        raise Unreadable(f"{OURS}: the meeting is not over, and goes on where it was opened; bring it along when it has ended")
    for table, kind in (("resolutions", "RES"), ("action_items", "ACT")):
        if not all(is_imported_id(str(row.get("id")), kind) for row in tables.get(table, ())):
            raise Unreadable(f"{OURS}: a row of {table} has no id of theirs")
    await rows.write(tx, meeting_id, tables)
    again = await exporting.files(tx, meeting_id)
    for name in sorted({*files, *again}):
        if name not in again:
            raise Unreadable(f"{name} is not in {OURS}: it was added by hand; take it away, or take {OURS} away")
        if name not in files:
            raise Unreadable(f"{name} is missing, and {OURS} names it")
        if not same(files[name], again[name]):
            raise Unreadable(f"{name} and {OURS} do not say the same: it was changed by hand; export the meeting again")
    await _index(tx, meeting_id)


def _tables(ours: Any) -> Rows:
    if not isinstance(ours, dict) or ours.get("format") != FORMAT:
        raise Unreadable(f"{OURS} has a format that this version does not know")
    tables = ours.get("tables")
    if not isinstance(tables, dict) or not all(isinstance(each, list) for each in tables.values()):
        raise Unreadable(f"{OURS} has no tables")
    found = tables.get("meetings")
    if not found or not all(isinstance(row, dict) for each in tables.values() for row in each):
        raise Unreadable(f"{OURS} does not hold one meeting")
    return tables


# -- source 000's own files ---------------------------------------------------------------------------------------------


async def _write_history(
    tx: AsyncConnection, meeting_id: str, files: Files, house: House, entries: Sequence[dict[str, Any]]
) -> None:
    await rows.write(tx, meeting_id, history.rows_of(meeting_id, files, house, entries))
    ours = await exporting.rendered(tx, meeting_id)
    kept = {name: leftover(given, ours[name]) if name in ours else {"is": given} for name, given in files.items()}
    imported = {"files": {name: part for name, part in sorted(kept.items()) if part is not None}}
    await tx.execute(update(schema.meetings).where(schema.meetings.c.id == meeting_id).values(imported=imported))
    for entry in entries:
        await _keep_entry(tx, entry["id"], entry, house)
    again = await exporting.files(tx, meeting_id)
    for name, given in files.items():
        if not covers(again[name], given):
            raise Unreadable(f"{name} cannot be kept whole")
    await _index(tx, meeting_id)


async def _keep_entry(tx: AsyncConnection, action_id: str, entry: dict[str, Any], house: House) -> None:
    """Keep what the ledger has no place for beside the entry, as a change that is none."""
    standing = await exporting.ledger_entry(tx, action_id)
    part = leftover(entry, standing)
    if part is not None:
        await ledger.note(tx, action_id, kind=BROUGHT, origin=history.ORIGIN, at=house.now, text=rows.keep(part), which="1")


async def _meeting_of(tx: AsyncConnection, action_id: str, entry: dict[str, Any]) -> str | None:
    """The meeting that an entry hangs on. Raises Unreadable when it is not in the record."""
    meeting_id, resolution = entry.get("meeting_id"), entry.get("resolution_id")
    if meeting_id is None and resolution is not None:
        if isinstance(resolution, str) and is_imported_id(resolution, "RES"):
            r = schema.resolutions.c
            meeting_id = await tx.scalar(select(r.meeting_id).where(r.id == resolution))
        if meeting_id is None:
            raise Unreadable(f"{action_id} belongs to a resolution that is not in the record")
    if meeting_id is None:
        return None
    if not isinstance(meeting_id, str) or not is_imported_id(meeting_id) or await meetings.find(tx, meeting_id) is None:
        raise Unreadable(f"{action_id} belongs to a meeting that is not in the record")
    return meeting_id


async def _write_changes(tx: AsyncConnection, action_id: str, changes: Any) -> None:
    if not isinstance(changes, list):
        return
    counts: dict[str, int] = {}
    for change in changes:
        if not isinstance(change, dict) or set(change) != {"kind", "origin", "note", "at"} or change["kind"] == BROUGHT:
            continue
        kind = str(change["kind"])
        counts[kind] = counts.get(kind, 0) + 1
        row = {**change, "id": f"{action_id}/{kind}/{counts[kind]}", "action_id": action_id}
        await rows.write_row(tx, schema.action_changes, row)


# -- for both -----------------------------------------------------------------------------------------------------------


async def _index(tx: AsyncConnection, meeting_id: str) -> None:
    """Make the resolutions findable, as the meeting itself would have (precedents)."""
    record = await load_record(tx, meeting_id)
    texts = {motion.id: motion.text for motion in record.motions}
    for resolution in record.resolutions:
        words = f"{resolution.topic}\n{texts.get(resolution.motion_id, '')}"
        await search.add(tx, meeting_id=meeting_id, kind="resolution", ref=resolution.id, words=words)


async def _read_all(tx: AsyncConnection, meeting_id: str) -> None:
    """Read what any door may ask for: an error here is one that nobody meets later."""
    record = await load_record(tx, meeting_id)
    render_minutes(record)
    minutes_json(record)
    await following.tracked_in(tx, meeting_id)
    await agendas.standing(tx, meeting_id)
    if (summary := await summaries.latest(tx, meeting_id)) is not None:
        Summary.model_validate(summary.content)
    if (review := await summaries.review(tx, meeting_id)) is not None:
        Review.model_validate(review.content)
    owner = await meetings.owner_of(tx, meeting_id)
    assert owner is not None
    await ledger.entries(tx, owner, meeting_id=meeting_id)
