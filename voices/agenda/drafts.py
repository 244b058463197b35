"""Reading a drafted agenda: the structured form first, then the text form of source 000, else not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from parliament.agenda import AgendaError, AgendaItem, make_agenda
from parliament.agenda import read_agenda as read_written
from parliament.values import Reading
from voices.base import VoiceReply
from voices.whispers import part

MOST = 8
"""Items of a draft that are taken; 3 to 5 are asked for, and a person can add more."""
LONGEST = 60_000

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "thinking": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "topic": {"type": "string"},
                    "type": {"type": "string", "enum": ["review", "discussion", "decision", "information"]},
                    "time_minutes": {"type": "integer"},
                    "description": {"type": "string"},
                    "desired_outcome": {"type": "string"},
                },
                "required": ["topic", "type", "time_minutes", "description", "desired_outcome"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["thinking", "items"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in a reply that should be an agenda. `problem`: why nothing could be taken from it, in one sentence."""

    items: tuple[AgendaItem, ...]
    reading: Reading
    problem: str = ""


def read_agenda(reply: VoiceReply) -> Draft:
    """Read a drafted agenda. Never raises, whatever stands in the reply; what is not positively an item is left out."""
    if reply.stop_reason == "refusal":
        return Draft((), Reading.FAILED, "the chairman declined to draft it")
    text = reply.text[:LONGEST].strip()
    data = _json(text)
    if data is not None:
        return _structured(
            data, Reading.EXACT if text.startswith("{") and set(data) == {"thinking", "items"} else Reading.TOLERANT
        )
    parted = part(text)
    spoken = parted.speech if parted.spoke else parted.outside if parted.settled or not parted.marked else ""
    if not spoken:
        return Draft((), Reading.FAILED, "the reply holds no agenda")
    try:
        found = read_written(spoken)
    except AgendaError as error:
        return Draft((), Reading.FAILED, str(error))
    return Draft(found.items[:MOST], Reading.TOLERANT)


def _structured(data: dict[str, Any], reading: Reading) -> Draft:
    listed = data.get("items")
    if not isinstance(listed, list) or not listed:
        return Draft((), Reading.FAILED, 'the reply has no list "items" with an item in it')
    names = ("topic", "type", "time_minutes", "description", "desired_outcome")
    given = [{name: item.get(name) for name in names} for item in listed[:MOST] if isinstance(item, dict)]
    for item in given:
        minutes = item["time_minutes"]
        item["time_minutes"] = min(max(minutes, 1), 120) if isinstance(minutes, int) and minutes > 0 else None
    try:
        return Draft(make_agenda(given).items, reading)
    except (AgendaError, TypeError) as error:
        return Draft((), Reading.FAILED, str(error))


def _json(text: str) -> dict[str, Any] | None:
    """The object of a reply, also one that stands in a fence or behind a remark."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end <= begin or '"items"' not in text:
        return None
    try:
        found = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
