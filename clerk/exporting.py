"""Exporting: meetings as files in source 000's structures, in a folder of the person's (docs/exports.md).

Every file is written whole or not at all; one of an earlier export is replaced, anything else in the folder is left alone.
Whispers are in none of them (law 7), and every file says whether its voices were simulated (law 14).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clerk import reading
from clerk.access import OWNER
from clerk.errors import DeskError
from clerk.folders import Folder, NotRead, json_bytes, lines_bytes, read_json
from records import exporting, meetings
from records.exporting import CONVERSATION, OF_MEETING, RESOLUTIONS, Files

if TYPE_CHECKING:
    from records.engine import Store

MEETINGS = "meetings"
LEDGER = "action_items.json"
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: the meetings, and how many files."""

    meetings: tuple[str, ...]
    files: int


async def export(store: Store, folder: Path, meeting_ids: Sequence[str] | None = None, *, owner: str = OWNER) -> Exported:
    """Write these meetings, or all of a person's, into `folder`. DeskError; meetings written before an error stay."""
    everything = meeting_ids is None
    if meeting_ids is None:
        rows = await store.look(lambda tx: meetings.lines(tx, limit=_ALL, owner=owner))
        meeting_ids = sorted(row.id for row in rows)
    else:
        owners = {reading.board_meeting(await reading.known(store, meeting_id)).owner for meeting_id in meeting_ids}
        owner = owners.pop() if len(owners) == 1 else owner
    count = 0
    with await asyncio.to_thread(Folder.open, folder, make=True) as top:
        for meeting_id in meeting_ids:
            found = await store.look(lambda tx, one=meeting_id: exporting.files(tx, one))  # type: ignore[misc]
            count += await asyncio.to_thread(_write, top, meeting_id, found)
        entries: list[dict[str, Any]] = []
        if everything:
            entries = await store.look(lambda tx: exporting.ledger_entries(tx, owner))
        for meeting_id in () if everything else meeting_ids:
            entries += await store.look(lambda tx, one=meeting_id: exporting.ledger_entries(tx, owner, one))  # type: ignore[misc]
        await asyncio.to_thread(_write_ledger, top, entries, meeting_ids, everything=everything)
    return Exported(tuple(meeting_ids), count + 1)


def _write(top: Folder, meeting_id: str, found: Files) -> int:
    with top.made(MEETINGS) as all_, all_.made(meeting_id) as own, top.made("resolutions") as papers:
        for name in OF_MEETING:
            if name not in found:
                own.remove(name)
            elif name != exporting.OURS:
                own.write(name, lines_bytes(found[name]) if name == CONVERSATION else json_bytes(found[name]))
        wanted = {name.removeprefix(RESOLUTIONS): value for name, value in found.items() if name.startswith(RESOLUTIONS)}
        for name in _stale(papers, meeting_id, wanted):
            papers.remove(name)
        for name, value in wanted.items():
            papers.write(name, json_bytes(value))
        own.write(exporting.OURS, json_bytes(found[exporting.OURS]))  # last: it stands for the others
    return len(found)


def _stale(papers: Folder, meeting_id: str, wanted: Iterable[str]) -> list[str]:
    """Resolutions of this meeting that an earlier export wrote and the record has no more."""
    found = []
    for name in papers.names():
        if name.startswith(f"RES-{meeting_id}-") and name.endswith(".json") and name not in wanted:
            try:
                standing = read_json(papers, name)
            except NotRead:
                continue
            if isinstance(standing, dict) and standing.get("meeting_id") == meeting_id:
                found.append(name)
    return found


def _write_ledger(top: Folder, entries: list[dict[str, Any]], meeting_ids: Sequence[str], *, everything: bool) -> None:
    """The ledger beside what an earlier export wrote of other meetings."""
    gone = {*meeting_ids}
    kept = [
        entry
        for entry in _standing(top)
        if entry.get("meeting_id") not in gone and not (everything and entry.get("meeting_id") is None)
    ]
    new = {entry["id"] for entry in entries}
    whole = [*(entry for entry in kept if entry.get("id") not in new), *entries]
    whole.sort(key=lambda entry: (str(entry.get("created_at")), _number(entry.get("position")), str(entry.get("id"))))
    simulated = any(entry.get("simulated") is True for entry in whole)
    top.write(LEDGER, json_bytes({"action_items": whole, "simulated": simulated}))


def _standing(top: Folder) -> list[dict[str, Any]]:
    try:
        found = read_json(top, LEDGER)
    except NotRead as why:
        if str(why) == "is missing":
            return []
        raise DeskError(f"{top.shown / LEDGER} {why}: take it away, or choose another folder.") from None
    entries = ledger_of(found)
    if entries is None:
        raise DeskError(f"{top.shown / LEDGER} is no ledger of action items: take it away, or choose another folder.")
    return entries


def ledger_of(value: Any) -> list[dict[str, Any]] | None:
    """The entries of an `action_items.json`: a list, or an object that has it; None for anything else."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("action_items", "items", "actions") if key in value), None)
    return value if isinstance(value, list) and all(isinstance(entry, dict) for entry in value) else None


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
