"""Reading a drafted agenda: the structured form first, then the text form of source 000, else not at all.

Nothing is taken from a whisper, and nothing from a draft that broke off: a revision with half of its items would lose the
other half without a word.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from parliament.agenda import AgendaError, AgendaItem, make_agenda
from parliament.agenda import read_agenda as read_written
from parliament.text import brief
from parliament.values import ItemType, Reading
from voices import loose
from voices.agenda.written import tidied
from voices.base import VoiceReply
from voices.whispers import part
from voices.wire import conforms

LEAST, MOST = 3, 5
"""Items of a first draft (source 000, Agenda Generation Prompt)."""
LONGEST = 120_000
"""Characters of a reply that are read."""

_TEXT = {"type": "string"}
_ITEM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "topic": _TEXT,
        "type": {"type": "string", "enum": ["review", "discussion", "decision", "information"]},
        "time_minutes": {"type": "integer"},
        "description": _TEXT,
        "desired_outcome": _TEXT,
    },
    "required": ["topic", "type", "time_minutes", "description", "desired_outcome"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"thinking": _TEXT, "items": {"type": "array", "items": _ITEM}},
    "required": ["thinking", "items"],
    "additionalProperties": False,
}

_KNOWN = frozenset({"thinking", "items", "agenda"})
_NAMES: dict[str, tuple[str, ...]] = {
    "topic": ("topic", "title", "name"),
    "type": ("type", "kind"),
    "time_minutes": ("time_minutes", "minutes", "time", "duration"),
    "description": ("description",),
    "desired_outcome": ("desired_outcome", "outcome"),
}
"""The names of fields, and what models call them when they write without a schema."""
_SAME = {"info": "information", "decide": "decision", "vote": "decision", "motion": "decision", "discuss": "discussion"}
_MINUTES = re.compile(r"\s*(\d{1,3})\s*(?:m|min|mins|minutes?)?\.?\s*", re.IGNORECASE)
_CUT = "the reply broke off before its end; write it shorter"


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in a reply that should be an agenda. `problem`: why nothing could be taken from it, in one sentence."""

    items: tuple[AgendaItem, ...]
    reading: Reading
    problem: str = ""


def read_agenda(reply: VoiceReply, *, strict: bool = False) -> Draft:
    """Read a drafted agenda. Never raises, whatever stands in the reply.

    EXACT is the schema to the letter, TOLERANT anything else that says the same. `strict`: a number of items other than LEAST
    to MOST is a problem to be mended, not a reading; a second try is better read without, so that nothing is lost.
    """
    draft = _read(reply)
    count = len(draft.items)
    if not count or LEAST <= count <= MOST:
        return draft
    if strict:
        return _failed(f"the draft has {count} items, and {LEAST} to {MOST} are asked for")
    return Draft(draft.items, Reading.TOLERANT)


def _read(reply: VoiceReply) -> Draft:
    if reply.stop_reason == "refusal":
        return _failed("the chairman declined to draft it")
    if reply.stop_reason == "max_tokens" or len(reply.text) > LONGEST:
        return _failed(_CUT)
    exact = loose.exactly(reply.text)
    if exact is not None and _KNOWN & exact.keys():
        return _listed(exact, Reading.EXACT if conforms(exact, SCHEMA) else Reading.TOLERANT)
    parted = part(reply.text)
    if parted.spoke:
        words = f"{parted.speech}\n{parted.outside if parted.settled else ''}"
    else:
        words = parted.outside if parted.settled else ""
    words = words.strip()
    if not words:
        return _failed("the reply holds no agenda")
    return _from_words(words)


def _failed(problem: str) -> Draft:
    return Draft((), Reading.FAILED, problem)


def _from_words(words: str) -> Draft:
    """An object with words or a fence around it, a bare list, or the text form."""
    begin = loose.begin_of(words, _KNOWN)
    if begin is not None:
        found = loose.parse(words, begin, _KNOWN)
        if found.cut & {"items", "agenda"} or found.clashing:
            return _failed("the list of items in the reply is no whole JSON; write it again")
        if found.fields.keys() & {"items", "agenda"}:
            return _listed(found.fields, Reading.TOLERANT)
    if (bare := re.search(r"\[\s*\{.*\}\s*\]", words, re.S)) is not None:
        try:
            return _listed({"items": json.loads(bare[0])}, Reading.TOLERANT)
        except (ValueError, RecursionError):
            return _failed("the list of items in the reply is no whole JSON; write it again")
    try:
        return Draft(read_written(tidied(words)).items, Reading.TOLERANT)
    except AgendaError as error:
        return _failed(str(error))


def _listed(found: dict[str, Any], reading: Reading) -> Draft:
    listed = found.get("items", found.get("agenda"))
    if isinstance(listed, dict):  # the agenda object of source 000
        listed = listed.get("items")
    if not isinstance(listed, list) or not listed:
        return _failed('the reply has no list "items" with an item in it')
    items: list[dict[str, Any]] = []
    for number, given in enumerate(listed, 1):
        if not isinstance(given, dict):
            return _failed(f'item {number} is no object; write it as {{"topic": "…", "type": "decision"}}')
        item, as_written = _item(given)
        if not isinstance(item["topic"], str):
            return _failed(f'item {number} has no "topic"; say what the board is to take up')
        if item["type"] is not None and item["type"] not in tuple(ItemType):
            return _failed(f"item {number}: the type {brief(str(item['type']))!r} is not one of {', '.join(ItemType)}")
        reading = reading if as_written else Reading.TOLERANT
        items.append(item)
    try:
        return Draft(make_agenda(items).items, reading)
    except AgendaError as error:
        return _failed(str(error))


def _item(given: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The item's fields as they are meant, without whispers; and whether they are just as written."""
    found = {
        field: next((given[name] for name in names if given.get(name) is not None), None) for field, names in _NAMES.items()
    }
    before = dict(found)
    for field in ("topic", "description", "desired_outcome"):
        if isinstance(found[field], str):
            found[field] = part(found[field], speaking=True).speech
        elif field != "topic":
            found[field] = None
    if isinstance(found["type"], str):
        kind = found["type"].strip().lower()
        found["type"] = _SAME.get(kind, kind)
    elif found["type"] is not None:
        found["type"] = str(found["type"])
    found["time_minutes"] = _minutes(found["time_minutes"])
    same = all(_stripped(found[field]) == _stripped(before[field]) for field in found)
    return found, same


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _minutes(value: Any) -> int | None:
    """Minutes as a number; None, to be planned by the type, for what is none."""
    if isinstance(value, str) and (found := _MINUTES.fullmatch(value)):
        value = int(found[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 480:
        return None
    return round(value)
