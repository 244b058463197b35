"""A meeting as files: source 000's structures rendered from the record, and `boardroom.json` with what they have no place for.

Everything is read in one look at the store. What was brought along is given back as it was (`parliament.leftover`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.export import meeting_json, resolution_json, state_json
from parliament.ids import is_imported_id
from parliament.leftover import restored
from records import conversations, ledger, meetings, rows, schema, summaries, turns
from records.assemble import load_record
from records.ledger import Entry

FORMAT = 1
"""Of `boardroom.json`."""
MEETING, STATE, CONVERSATION, REVIEW = "meeting.json", "state.json", "conversation.jsonl", "review.json"
OURS = "boardroom.json"
OF_MEETING = (MEETING, STATE, CONVERSATION, REVIEW, OURS)
"""In `meetings/<id>/`."""
RESOLUTIONS = "resolutions/"

Files = dict[str, Any]
"""Name -> JSON value; a resolution's name is `resolutions/<id>.json`, and conversation.jsonl is the list of its lines."""


def resolution_file(resolution_id: str) -> str:
    """The name of a resolution's file. Raises ValueError for an id that is none."""
    if not is_imported_id(resolution_id, "RES"):
        raise ValueError("this is no resolution's id")
    return f"{RESOLUTIONS}{resolution_id}.json"


async def files(tx: AsyncConnection, meeting_id: str) -> Files:
    """The files of a meeting, with what was kept of those that it was read from. Raises LookupError for an unknown one."""
    carried = await rows.read(tx, meeting_id)
    found = await rendered(tx, meeting_id)
    row = carried[schema.meetings.name][0]
    kept = (row.get("imported") or {}).get("files", {})
    for name, part in kept.items():
        if name in found:
            found[name] = restored(found[name], part)
        elif "is" in part and "was" not in part:
            whole = part["is"]
            found[name] = {"simulated": row["simulated"], **whole} if isinstance(whole, dict) else whole
    found[OURS] = {"format": FORMAT, "meeting_id": meeting_id, "simulated": row["simulated"], "tables": carried}
    return found


async def rendered(tx: AsyncConnection, meeting_id: str) -> Files:
    """Source 000's files of a meeting, as the record gives them by itself."""
    record = await load_record(tx, meeting_id)
    found: Files = {
        MEETING: meeting_json(record),
        STATE: state_json(
            record,
            await turns.transcript(tx, meeting_id),
            agenda_index=max(await _item_number(tx, meeting_id) - 1, 0),
            agent_sessions=await meetings.sessions(tx, meeting_id),
            user_input_pending=await _pending(tx, meeting_id),
        ),
    }
    if said := await conversations.messages(tx, meeting_id):
        found[CONVERSATION] = [
            {
                "id": message.id,
                "role": message.role,
                "content": message.content,
                "timestamp": message.timestamp.isoformat(timespec="milliseconds"),
                "agenda_action": message.agenda_action,
                "simulated": record.simulated,
            }
            for message in said
        ]
    if (review := await summaries.review(tx, meeting_id)) is not None:
        found[REVIEW] = {"meeting_id": meeting_id, **review.content, "simulated": record.simulated}
    for resolution in record.resolutions:
        found[resolution_file(resolution.id)] = resolution_json(record, resolution)
    return found


async def _item_number(tx: AsyncConnection, meeting_id: str) -> int:
    return await tx.scalar(select(schema.meetings.c.item_index).where(schema.meetings.c.id == meeting_id)) or 0


async def _pending(tx: AsyncConnection, meeting_id: str) -> list[str]:
    u = schema.user_inputs
    found = await tx.execute(
        select(u.c.text).where(u.c.meeting_id == meeting_id, u.c.taken_up_seq.is_(None)).order_by(u.c.received_at, u.c.id)
    )
    return list(found.scalars())


# -- the ledger --------------------------------------------------------------------------------------------------------

BROUGHT = "brought_along"
"""The kind of an action item's change that keeps what the ledger has no place for: no event, and shown to nobody."""


async def ledger_entries(tx: AsyncConnection, person: str, meeting_id: str | None = None) -> list[dict[str, Any]]:
    """A person's ledger, or one meeting's part of it, as `action_items.json` lists it, with what was kept of each entry."""
    found = await ledger.entries(tx, person, meeting_id=meeting_id)
    return await _entries(tx, found)


async def ledger_entry(tx: AsyncConnection, action_id: str) -> dict[str, Any] | None:
    """One entry as `action_items.json` has it; None where there is none."""
    found = await ledger.entry(tx, action_id)
    return (await _entries(tx, [found]))[0] if found is not None else None


async def _entries(tx: AsyncConnection, found: list[Entry]) -> list[dict[str, Any]]:
    simulated = await _simulated(tx, {entry.meeting_id for entry in found if entry.meeting_id is not None})
    changes: dict[str, list[dict[str, Any]]] = {}
    kept: dict[str, Any] = {}
    for start in range(0, len(found), 500):  # SQLite binds a limited number of values
        ids = [entry.id for entry in found[start : start + 500]]
        for change in await ledger.changes(tx, ids):
            if change.kind == BROUGHT:
                kept[change.action_id] = change.note
            else:
                changes.setdefault(change.action_id, []).append(
                    {"kind": change.kind, "origin": change.origin, "note": change.note, "at": rows.moment_json(change.at)}
                )
    return [
        restored(
            entry_json(entry, simulated=entry.meeting_id in simulated, changes=changes.get(entry.id, [])),
            rows.kept_of(kept.get(entry.id)),
        )
        for entry in found
    ]


def entry_json(entry: Entry, *, simulated: bool, changes: list[dict[str, Any]]) -> dict[str, Any]:
    """An action item: source 000's six keys, then ours. An item of the person's own carries all that the ledger knows."""
    return {
        "id": entry.id,
        "task": entry.task,
        "owner": entry.owner,
        "deadline": entry.deadline,
        "resolution_id": entry.resolution_id,
        "status": entry.status,
        "meeting_id": entry.meeting_id,
        "item_id": entry.item_id,
        "origin": entry.origin,
        "due": entry.due.isoformat() if entry.due is not None else None,
        "reading": entry.reading,
        "position": entry.position,
        "created_at": rows.moment_json(entry.created_at),
        "done_at": rows.moment_json(entry.done_at) if entry.done_at is not None else None,
        "changes": changes,
        "simulated": simulated,
    }


async def _simulated(tx: AsyncConnection, meeting_ids: set[str]) -> set[str]:
    m = schema.meetings.c
    found = await tx.execute(select(m.id).where(m.simulated.is_(True), m.id.in_(sorted(meeting_ids)))) if meeting_ids else None
    return set(found.scalars()) if found is not None else set()
