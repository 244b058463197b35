"""Importing: the files of an export, or of a board as source 000 describes it, into the record (docs/exports.md).

A meeting comes in whole or not at all, and the others go on. Whatever is broken, too large, foreign or a link is named and
left out. What stands in the record already stays as it is: the same again changes nothing, and another content is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from clerk import opening
from clerk.access import OWNER
from clerk.errors import DeskError
from clerk.exporting import LEDGER, MEETINGS, ledger_of
from clerk.folders import Folder, NotRead, read_json, read_lines
from parliament.ids import is_imported_id
from parliament.text import brief
from records.exporting import CONVERSATION, MEETING, OF_MEETING, RESOLUTIONS, Files
from records.history import House
from records.importing import Conflict, take_in, take_in_entry
from records.rows import Unreadable
from settings import Settings

if TYPE_CHECKING:
    from records.engine import Store

PAPERS = RESOLUTIONS.rstrip("/")


@dataclass
class Brought:
    """What came of it. `problems` is a sentence for each thing that could not be taken in, `left` what is none of ours."""

    new: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    new_entries: int = 0
    unchanged_entries: int = 0
    problems: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass
class _Found:
    """What a folder holds, read and not yet judged."""

    meetings: dict[str, Files] = field(default_factory=dict)
    papers: Files = field(default_factory=dict)
    ledger: list[dict[str, Any]] = field(default_factory=list)
    spoilt: set[str] = field(default_factory=set)  # meetings of which a file could not be read
    unread_papers: list[str] = field(default_factory=list)


async def bring(store: Store, settings: Settings, folder: Path, *, owner: str = OWNER) -> Brought:
    """Take everything in that `folder` holds. DeskError only where there is nothing to begin with."""
    house = house_of(settings, owner)
    brought = Brought()
    with await asyncio.to_thread(Folder.open, folder) as top:
        found = await asyncio.to_thread(_read, top, brought)
    _sort_papers(found, brought)
    entries = _entries_by_meeting(found)
    for meeting_id, files in sorted(found.meetings.items()):
        where = f"{MEETINGS}/{meeting_id}"
        if meeting_id in found.spoilt:
            brought.problems.append(f"{where} was left out, since not all of its files could be read.")
            continue
        try:
            if MEETING not in files and not await _stands(store, meeting_id):
                raise Unreadable(f"{MEETING} is missing")
            new = await take_in(store, meeting_id, files, house, entries.get(meeting_id, ()))
        except Unreadable as error:
            brought.problems.append(f"{where} was left out: {error}.")
        except Conflict as error:
            brought.problems.append(
                f"{where}: the record holds something else under the same id ({error}); nothing of it was changed."
            )
        else:
            (brought.new if new else brought.unchanged).append(meeting_id)
    fresh = {entry["id"] for meeting_id in brought.new for entry in entries.get(meeting_id, ())}
    left_out = {
        id(entry)
        for meeting_id in found.meetings
        if meeting_id not in brought.new and meeting_id not in brought.unchanged
        for entry in entries.get(meeting_id, ())
    }
    kept = [entry for entry in found.ledger if id(entry) not in left_out]
    await _take_ledger(store, kept, house, brought, fresh)
    return brought


def house_of(settings: Settings, owner: str) -> House:
    """What an import knows of this house: who may be seated, by id, name and alias. DeskError for a faulty persona file."""
    board = opening.load_board(settings)
    ids = {alias.casefold(): each.id for each in board.personas for alias in (*each.aliases, each.id, each.display_name)}
    known = {each.id for each in board.personas}

    def config(names: Mapping[str, str], chair: str) -> dict[str, Any]:
        seated = tuple(
            {**(board.frozen(member, chair) if member in known else _stranger(member, chair)), "name": name}
            for member, name in names.items()
        )
        plan = opening.Plan(
            request=opening.OpenRequest(agenda=None),
            name="",
            seated=seated,
            facilitators=(chair,),
            rules=opening.rules_of(settings, board.composition),
            seed=0,
            provider=opening.provider_of(settings, None),
        )
        return opening.frozen_config(settings, plan)

    return House(
        owner=owner,
        zone=ZoneInfo(settings.zone),
        now=datetime.now(UTC),
        names={each.id: each.display_name for each in board.personas},
        ids=ids,
        chairman=board.composition.chairman,
        config=config,
    )


def _stranger(member: str, chair: str) -> dict[str, Any]:
    """A member whom no persona here knows."""
    return {"id": member, "role": "chairman" if member == chair else "member", "perspective": "", "voting": True}


# -- reading the folder -------------------------------------------------------------------------------------------------


def _read(top: Folder, brought: Brought) -> _Found:
    found = _Found()
    names = top.names()
    if not {MEETINGS, PAPERS, LEDGER} & {*names}:
        raise DeskError(
            f"{top.shown} holds none of {MEETINGS}/, {PAPERS}/ and {LEDGER}: name the folder that an export wrote.", usage=True
        )
    for name in names:
        if name == MEETINGS:
            _each(top, name, brought, lambda folder: _read_meetings(folder, found, brought))
        elif name == PAPERS:
            _each(top, name, brought, lambda folder: _read_papers(folder, found, brought))
        elif name == LEDGER:
            try:
                entries = ledger_of(read_json(top, LEDGER))
                if entries is None:
                    raise NotRead("is no list of action items")
                found.ledger = entries
            except NotRead as why:
                brought.problems.append(f"{LEDGER} {why}.")
        else:
            brought.left.append(brief(name))
    return found


def _each(top: Folder, name: str, brought: Brought, read: Any) -> None:
    try:
        with top.inner(name) as folder:
            read(folder)
    except NotRead as why:
        brought.problems.append(f"{brief(name)} {why}.")


def _read_meetings(folder: Folder, found: _Found, brought: Brought) -> None:
    for name in folder.names():
        if not is_imported_id(name):
            brought.left.append(f"{MEETINGS}/{brief(name)}")
            continue
        try:
            with folder.inner(name) as own:
                found.meetings[name] = _read_meeting(own, name, found, brought)
        except NotRead as why:
            brought.problems.append(f"{MEETINGS}/{name} {why}.")


def _read_meeting(own: Folder, meeting_id: str, found: _Found, brought: Brought) -> Files:
    files: Files = {}
    for name in own.names():
        if name not in OF_MEETING:
            brought.left.append(f"{MEETINGS}/{meeting_id}/{brief(name)}")
            continue
        try:
            files[name] = read_lines(own, name) if name == CONVERSATION else read_json(own, name)
        except NotRead as why:
            brought.problems.append(f"{MEETINGS}/{meeting_id}/{name} {why}.")
            found.spoilt.add(meeting_id)
    return files


def _read_papers(folder: Folder, found: _Found, brought: Brought) -> None:
    for name in folder.names():
        if not name.endswith(".json") or not is_imported_id(name.removesuffix(".json"), "RES"):
            brought.left.append(f"{PAPERS}/{brief(name)}")
            continue
        try:
            found.papers[name] = read_json(folder, name)
        except NotRead as why:
            brought.problems.append(f"{PAPERS}/{name} {why}.")
            found.unread_papers.append(name)


def _sort_papers(found: _Found, brought: Brought) -> None:
    """Put each resolution to its meeting; one that cannot be read spoils the meeting that its name speaks of."""
    for name in found.unread_papers:
        named = [each for each in found.meetings if name.startswith(f"RES-{each}-")]
        found.spoilt |= {max(named, key=len)} if named else set()
    for name, paper in found.papers.items():
        meeting_id = paper.get("meeting_id") if isinstance(paper, dict) else None
        if not isinstance(meeting_id, str) or not is_imported_id(meeting_id):
            brought.problems.append(f"{PAPERS}/{name} names no meeting.")
        else:
            found.meetings.setdefault(meeting_id, {})[f"{RESOLUTIONS}{name}"] = paper


# -- the ledger ---------------------------------------------------------------------------------------------------------


def _entries_by_meeting(found: _Found) -> dict[str, list[dict[str, Any]]]:
    """The entries that come in with a meeting: those that name it, or one of its resolutions."""
    of_paper = {
        name.removeprefix(RESOLUTIONS).removesuffix(".json"): meeting_id
        for meeting_id, files in found.meetings.items()
        for name in files
        if name.startswith(RESOLUTIONS)
    }
    entries: dict[str, list[dict[str, Any]]] = {}
    seen: set[str] = set()
    for entry in found.ledger:
        id_, meeting_id, paper = entry.get("id"), entry.get("meeting_id"), entry.get("resolution_id")
        if meeting_id is None and isinstance(paper, str):
            meeting_id = of_paper.get(paper)
        if isinstance(id_, str) and is_imported_id(id_, "ACT") and isinstance(meeting_id, str) and id_ not in seen:
            seen.add(id_)
            entries.setdefault(meeting_id, []).append(entry)
    return entries


async def _take_ledger(store: Store, ledger: list[dict[str, Any]], house: House, brought: Brought, fresh: set[str]) -> None:
    """Take the entries in that came with no meeting; `fresh` are those that just did."""
    for entry in ledger:
        try:
            new = await take_in_entry(store, entry, house)
        except Unreadable as error:
            brought.problems.append(f"{LEDGER}: {error}; it was left out.")
        except Conflict as error:
            brought.problems.append(f"{LEDGER}: the record holds something else as {error}; nothing of it was changed.")
        else:
            new = new or entry["id"] in fresh
            brought.new_entries += new
            brought.unchanged_entries += not new


async def _stands(store: Store, meeting_id: str) -> bool:
    from records import meetings

    return await store.look(lambda tx: meetings.status_of(tx, meeting_id)) is not None
