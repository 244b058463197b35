"""Reads a folder of personas into frozen values: base sections joined in, sections in their order, a hash of the whole.

Source 000: Agent Configuration Structure, Voting-eligibility model (files that start with "_" are skipped).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from parliament.seating import Composition, Seat, SeatingError, parse_composition
from parliament.text import brief, did_you_mean
from personas.schema import PREFIX, BaseFile, Line, MemberName, PersonaError, PersonaFile, Section, validate

FEWEST, MOST = 3, 9
"""Seats of a board of directors."""
MAX_FILE = 512 * 1024
"""Bytes of one persona file."""


class Persona(BaseModel):
    """A member as the house knows it. JSON-serialisable, so that a meeting can freeze it when it opens.

    `id` is the file's stem ("dalio"); `instructions` are the sections in their order, headings included;
    `content_hash` (SHA-256, hex) changes with anything that this persona says or is, its base's sections included.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    description: str
    role: str  # "chairman" or "member"
    display_name: str
    voting: bool
    perspective: str
    aliases: tuple[str, ...]
    themes: tuple[str, ...]
    interests: tuple[str, ...]
    tags: tuple[str, ...]
    launchable: bool
    instructions: str
    content_hash: str

    def seat(self) -> Seat:
        """What the parliament needs of this persona."""
        return Seat(
            id=self.id,
            name=self.display_name,
            voting=self.voting,
            aliases=self.aliases,
            themes=self.themes,
            interests=self.interests,
        )


def load_board(folder: Path | None = None) -> tuple[Persona, ...]:
    """The personas of a folder (None: the seven that come along), sorted by id.

    Raises PersonaError, in one sentence with file, key and mend, for anything that cannot be used: a folder without
    personas, a malformed file, an unknown key, a stem that is not the id, an unknown anchor, two members of one name.
    """
    source: Traversable = files("personas").joinpath("board") if folder is None else folder
    if not source.is_dir():
        raise PersonaError(f"{source} is not a folder of personas; name one, or leave the setting out for the seven built in")
    names = sorted(entry.name for entry in source.iterdir() if entry.name.endswith(".json") and not entry.name.startswith("_"))
    if not names:
        raise PersonaError(f"{source} holds no persona files (<id>.json); add some, or name another folder")
    board = tuple(_load(source, name) for name in names)
    _check_names(board)
    return board


def load_composition(path: Path | None = None, board: Sequence[Persona] | None = None) -> Composition:
    """The composition from its file. None: the one that comes along, and should that be missing, the same as a default
    (source 000, Composition config). With `board`, everybody it names must have a persona. Raises SeatingError, also for a
    file that was named and is not there."""
    source: Traversable = files("personas").joinpath("board_config.json") if path is None else path
    if source.is_dir():
        raise SeatingError(f"{source} is a folder; name the composition file itself, like board_config.json")
    if path is not None and not source.is_file():
        raise SeatingError(f"{source} is not there; name a composition file, or leave the setting out for the one built in")
    data = _read_json(source, SeatingError) if source.is_file() else None
    composition = parse_composition(data, source.name)
    if board is not None:
        known = [persona.id for persona in board]
        for member in composition.named:
            if member not in known:
                raise SeatingError(
                    f"{source.name}: no persona is called {brief(member)!r}{did_you_mean(member, known)}; "
                    "add its file or change the composition"
                )
    return composition


_CODE = re.compile(r"[^\W_](?:[\w.&+'-]| (?! )){0,38}[\w.&+'-]|[^\W_]")
"""A director's name as the files write it, and as the ids of what it raises carry it."""


class DirectorsFile(BaseModel):
    """Which directors a board has, in seating order: `_board.json` in a folder of personas, or any file beside them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    v: Literal[1]
    name: Line
    directors: tuple[MemberName, ...]


def load_directors(path: Path | None = None) -> tuple[str, tuple[Persona, ...]]:
    """A board of directors (source 001, The Board): its name and its seats in order. None: the five that come along.

    `path` is a folder of personas (those sit that its `_board.json` names, or without one all that vote), or a file that names
    some of the personas beside it. Raises PersonaError in one sentence, also for fewer than 3 or more than 9 seats, for a seat
    without a vote, and for a name that cannot be a code in files and ids.
    """
    folder: Traversable = files("personas").joinpath("directors") if path is None else path
    listing: Traversable | None = None
    if path is not None and path.is_file():
        folder, listing = path.parent, path
    elif folder.is_dir() and folder.joinpath("_board.json").is_file():
        listing = folder.joinpath("_board.json")
    elif path is not None and os.path.lexists(path / "_board.json"):
        raise PersonaError(f"{path / '_board.json'} is no file that can be read; it says who sits, so mend it or take it away")
    elif not folder.is_dir():
        raise PersonaError(f"{folder} is no folder and no file; name a folder of directors, or a file that lists them")
    if listing is None:
        found = load_board(path)
        name, seats = folder.name, tuple(persona for persona in found if persona.voting)
    else:
        board = validate(DirectorsFile, _read_json(listing, PersonaError), listing.name)
        for member in board.directors:
            if not folder.joinpath(f"{member}.json").is_file():
                raise PersonaError(
                    f"{listing.name}: there is no {member}.json beside it; add the director's file or take it out"
                )
        name, seats = board.name, tuple(_load(folder, f"{member}.json") for member in board.directors)
        if len(set(board.directors)) < len(seats):
            raise PersonaError(f"{listing.name}: a director is listed twice; list each once")
        _check_names(seats)
    if not FEWEST <= len(seats) <= MOST:
        raise PersonaError(
            f"{(listing or folder).name}: a board of directors has {FEWEST} to {MOST} seats, and this has {len(seats)}"
        )
    for persona in seats:
        if not persona.voting:
            raise PersonaError(
                f'{persona.id}.json: every director votes; take "voting": false out, or {persona.id} out of the board'
            )
        if not _CODE.fullmatch(persona.name):
            raise PersonaError(
                f"{persona.id}.json: the name {brief(persona.name)!r} is no director's code; use 1 to 40 letters, digits, "
                "single spaces and . & + ' - _"
            )
    codes = [persona.name.casefold() for persona in seats]
    if len(set(codes)) < len(codes):
        raise PersonaError(
            f"{(listing or folder).name}: two directors have the same name; their names are the codes of the files"
        )
    return name, seats


def get_chairman(board: Iterable[Persona]) -> str:
    """The id of the persona whose role is chairman."""
    chairmen = [persona.id for persona in board if persona.role == "chairman"]
    if len(chairmen) != 1:
        raise PersonaError(f"{len(chairmen)} personas have the role 'chairman' ({', '.join(chairmen)}); give it to exactly one")
    return chairmen[0]


def get_voting_members(board: Iterable[Persona]) -> tuple[str, ...]:
    """The ids of those who vote."""
    return tuple(persona.id for persona in board if persona.voting)


def _load(folder: Traversable, name: str) -> Persona:
    file = validate(PersonaFile, _read_json(folder.joinpath(name), PersonaError), name)
    member = file.id.removeprefix(PREFIX)
    stem = name.removesuffix(".json")
    if member != stem:
        raise PersonaError(f"{name}: id is {file.id!r}, but the file's name wants {PREFIX + stem!r}; rename one of them")
    shared = _base(folder, name, file.extends) if file.extends else ()
    sections = assemble(file.claude_md.sections, shared, name)
    fields: dict[str, Any] = {
        "id": member,
        "name": file.name,
        "description": file.description,
        **file.board.model_dump(),
        "tags": file.tags,
        "launchable": file.launchable,
        "instructions": "\n\n".join(f"{section.heading}\n\n{section.content.strip()}" for section in sections),
    }
    canonical = json.dumps(fields, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return Persona(**fields, content_hash=hashlib.sha256(canonical.encode()).hexdigest())


def _base(folder: Traversable, name: str, extends: str) -> tuple[Section, ...]:
    path = folder.joinpath(f"_{extends}.json")
    if not path.is_file():
        raise PersonaError(f"{name}: extends {extends!r}, but there is no _{extends}.json beside it; add it or remove the key")
    base = validate(BaseFile, _read_json(path, PersonaError), path.name)
    if base.id != extends:
        raise PersonaError(f"{path.name}: id is {base.id!r}, but the file's name wants {extends!r}; rename one of them")
    return base.claude_md.sections


def assemble(own: Sequence[Section], shared: Sequence[Section], file: str) -> tuple[Section, ...]:
    """The sections in reading order: those at the start, each followed by what stands after it.

    A section of the persona replaces a shared one with the same heading. `after:X` means the section whose heading is X,
    else the first whose heading starts with X; what stands after the same section keeps its order, the persona's own
    first. Raises PersonaError for an anchor that is not there, and for sections that stand after each other.
    """
    replaced = {section.heading for section in own}
    sections = [*own, *(section for section in shared if section.heading not in replaced)]
    headings = [section.heading for section in sections]
    followers: dict[str, list[Section]] = {heading: [] for heading in headings}
    for section in sections:
        if section.position == "start":
            continue
        wanted = section.position.removeprefix("after:").strip()
        anchor = wanted if wanted in followers else next((each for each in headings if each.startswith(wanted)), None)
        if anchor is None:
            raise PersonaError(
                f"{file}: the section {brief(section.heading)!r} stands after {brief(wanted)!r}, and no heading begins so"
                f"{did_you_mean(wanted, headings)}; name one that is there"
            )
        followers[anchor].append(section)
    ordered: list[Section] = []
    waiting = [section for section in sections if section.position == "start"]
    while waiting:
        section = waiting.pop(0)
        ordered.append(section)
        waiting = followers[section.heading] + waiting
    lost = [heading for heading in headings if heading not in {section.heading for section in ordered}]
    if lost:
        raise PersonaError(f"{file}: the section {brief(lost[0])!r} stands after itself; give one section the position 'start'")
    return tuple(ordered)


def _check_names(board: Sequence[Persona]) -> None:
    owner: dict[str, str] = {}
    for persona in board:
        for name in (persona.id, *persona.aliases):
            if owner.setdefault(name, persona.id) != persona.id:
                raise PersonaError(
                    f"{persona.id}.json: the name {name!r} belongs to {owner[name]!r} already; choose another alias"
                )


def _read_json(path: Traversable, error_type: type[PersonaError] | type[SeatingError]) -> Any:
    name = path.name
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise error_type(f"{name}: cannot be read ({error.strerror}); check that the file is there and may be read") from None
    if len(raw) > MAX_FILE:
        raise error_type(f"{name}: has {len(raw)} bytes and the limit is {MAX_FILE} (512 KiB); shorten it")

    def once(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise error_type(f"{name}: the key {brief(key)!r} stands twice in one object; keep one")
        return dict(pairs)

    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=once)
    except UnicodeDecodeError:
        raise error_type(f"{name}: is not UTF-8; save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise error_type(
            f"{name}: line {error.lineno}, column {error.colno}: the JSON is malformed ({error.msg}); mend it there"
        ) from None
    except RecursionError:
        raise error_type(f"{name}: the JSON is nested too deeply; a persona has four levels") from None
    except error_type:
        raise
    except ValueError:
        raise error_type(f"{name}: the JSON holds a number that is too long; shorten it") from None
