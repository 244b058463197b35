"""Reading what a voice said: exact first, tolerant second, and otherwise not at all. Each reading says which it was.

Nothing here decides anything: a reader says what stands in the reply, the floor says what is in order (law 1).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from parliament.commands import Malformed, ParsedCommand, find_mentions, parse, strip_commands
from parliament.motions import Wording, check_wording
from parliament.roster import Roster
from parliament.values import Purpose, Reading, TurnStatus, Vote
from voices import plain
from voices.base import VoiceReply
from voices.wire import FIELDS, schema_for

__all__ = ["ActionHeard", "AmendmentHeard", "Heard", "read", "schema_for"]


@dataclass(frozen=True, slots=True)
class AmendmentHeard:
    text: str  # the whole motion as it would read
    summary: str


@dataclass(frozen=True, slots=True)
class ActionHeard:
    task: str
    owner: str
    deadline: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What stands in one reply. Fields that a purpose does not ask for stay at their default."""

    speaking: str
    whisper: str
    reading: Reading
    status: TurnStatus
    present: bool | None = None
    second: bool | None = None
    vote: Vote | None = None
    reason: str = ""
    dissent: str = ""
    raw: str = ""  # the raw words of a vote that could not be read
    motion: str | None = None
    motion_problem: str = ""
    amendment: AmendmentHeard | None = None
    position: str | None = None  # support, consent, object
    objection: bool | None = None
    point_of_order: str | None = None
    procedural: str | None = None
    well_taken: bool | None = None
    remedy: str = "none"
    appeal: bool | None = None
    actions: tuple[ActionHeard, ...] = ()
    commands: tuple[ParsedCommand, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    mentions: tuple[str, ...] = ()


def read(purpose: Purpose, reply: VoiceReply, *, chairman: bool, roster: Roster) -> Heard:
    """Read a reply to a call of this purpose. Never raises, whatever stands in it."""
    if reply.stop_reason == "refusal":
        return Heard("", reply.text.strip(), Reading.FAILED, TurnStatus.REFUSED)
    found = _json(reply.text)
    if found is not None:
        fields, exact = found
        exact = exact and reply.stop_reason == "end_turn" and _as_asked(fields, purpose, chairman)
        heard = _structured(purpose, fields, exact)
    else:
        heard = _plain(purpose, reply.text)
    written: list[str] = []
    if chairman:
        given = found[0].get("commands") if found is not None else None
        written = [str(command) for command in given if isinstance(command, str)] if isinstance(given, list) else []
        heard = _commands(heard, written, roster)
    heard = replace(heard, mentions=find_mentions(heard.speaking, roster))
    return _settle(purpose, heard)


def _settle(purpose: Purpose, heard: Heard) -> Heard:
    """Whether what was asked for is there."""
    missing = (
        (purpose is Purpose.VOTE and heard.vote is None)
        or (purpose is Purpose.MOTION and heard.motion is None)
        or (purpose is Purpose.AMENDMENT and heard.position is None)
        or (purpose is Purpose.CONSENT and heard.objection is None)
    )
    if missing or not (heard.speaking or heard.vote or heard.present is not None or heard.second is not None):
        return replace(heard, status=TurnStatus.INVALID, reading=Reading.FAILED if missing else heard.reading)
    if heard.speaking.strip(" .!*_").casefold() == "pass":
        return replace(heard, status=TurnStatus.PASS)
    return heard


# -- JSON ---------------------------------------------------------------------------------------------------------------


def _json(text: str) -> tuple[dict[str, Any], bool] | None:
    """The reply's object and whether it was the whole reply; None when there is none."""
    stripped = text.strip()
    try:
        found = json.loads(stripped)
        return (found, True) if isinstance(found, dict) else None
    except ValueError:
        pass
    begin = re.search(r'\{\s*"(?:thinking|speaking)"\s*:', stripped)
    if begin is None:
        return None
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(stripped, begin.start())
        return (found, False) if isinstance(found, dict) else None
    except ValueError:
        return _cut_off(stripped[begin.start() :]), False


_PAIR = re.compile(r'"(?P<key>[a-z_]+)"\s*:\s*(?P<value>"(?:[^"\\]|\\.)*"|true|false|null)', re.S)


def _cut_off(text: str) -> dict[str, Any]:
    """What is positively there in an object that is broken or cut off: whole pairs, and speech as far as it came."""
    fields: dict[str, Any] = {}
    end = 0
    for pair in _PAIR.finditer(text):
        if pair["key"] in fields:
            continue
        try:
            fields[pair["key"]] = json.loads(pair["value"], strict=False)
        except ValueError:
            continue
        end = pair.end()
    rest = re.match(r'\s*,?\s*"(?P<key>thinking|speaking)"\s*:\s*"(?P<value>.*)\Z', text[end:], re.S)
    if rest is not None and rest["key"] not in fields:
        from voices.stream import SpeechStream

        value = SpeechStream().feed('{"speaking": "' + rest["value"])
        fields[rest["key"]] = value
    return fields


def _as_asked(fields: dict[str, Any], purpose: Purpose, chairman: bool) -> bool:
    wanted = {"thinking", "speaking", *FIELDS.get(purpose, {}), *(("commands",) if chairman else ())}
    return set(fields) == wanted and isinstance(fields["speaking"], str)


def _structured(purpose: Purpose, fields: dict[str, Any], exact: bool) -> Heard:
    said = plain.part(_text(fields, "speaking"))  # tags inside the value are still not speech
    whisper = "\n".join(part for part in (_text(fields, "thinking"), said.whisper) if part)
    heard = Heard(said.speaking, whisper, Reading.EXACT if exact else Reading.TOLERANT, TurnStatus.OK)
    changes: dict[str, Any] = {}
    match purpose:
        case Purpose.ROLL_CALL:
            changes["present"] = _flag(fields, "present")
            if changes["present"] is None:
                changes["present"] = plain.present_in(heard.speaking)
        case Purpose.SECOND:
            changes["second"] = _flag(fields, "second")
        case Purpose.VOTE:
            choice = fields.get("vote")
            vote = Vote(choice) if choice in ("FOR", "AGAINST", "ABSTAIN") else plain.choice_of(str(choice)) if choice else None
            if vote is not None and choice != vote.value:
                changes["reading"] = Reading.TOLERANT
            changes |= {"vote": vote, "reason": _text(fields, "reason") or heard.speaking, "dissent": _text(fields, "dissent")}
            if vote is None:
                changes["raw"] = str(choice if choice is not None else heard.speaking)[:500]
            elif vote is not Vote.AGAINST:
                changes["dissent"] = ""
            if not heard.speaking:
                changes["speaking"] = changes["reason"]
        case Purpose.MOTION:
            changes |= _motion(_text(fields, "motion") or plain.motion_in(heard.speaking))
        case Purpose.DEBATE:
            changes |= {"amendment": _amendment(fields), "procedural": fields.get("procedural")}
            if changes["procedural"] not in (None, "previous_question", "lay_on_table", "withdraw"):
                changes["procedural"] = None
        case Purpose.AMENDMENT:
            position = str(fields.get("position", "")).casefold()
            changes |= {
                "amendment": _amendment(fields),
                "position": position if position in ("support", "consent", "object") else None,
            }
        case Purpose.RULING:
            changes |= {
                "well_taken": _flag(fields, "well_taken"),
                "remedy": "out_of_order" if fields.get("remedy") == "out_of_order" else "none",
            }
        case Purpose.APPEAL:
            changes["appeal"] = _flag(fields, "appeal")
        case Purpose.CONSENT:
            changes["objection"] = _flag(fields, "objection")
        case Purpose.ACTION_ITEMS:
            changes["actions"] = _actions(fields.get("action_items"))
    if "point_of_order" in FIELDS.get(purpose, {}):
        changes["point_of_order"] = _text(fields, "point_of_order") or None
    return replace(heard, **changes)


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    return value.strip() if isinstance(value, str) else ""


def _flag(fields: dict[str, Any], key: str) -> bool | None:
    value = fields.get(key)
    return value if isinstance(value, bool) else None


def _amendment(fields: dict[str, Any]) -> AmendmentHeard | None:
    value = fields.get("amendment")
    if not isinstance(value, dict) or not _text(value, "text"):
        return None
    return AmendmentHeard(text=_text(value, "text"), summary=_text(value, "summary"))


def _actions(value: Any) -> tuple[ActionHeard, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        ActionHeard(
            task=_text(item, "task"), owner=_text(item, "owner") or "shareholder", deadline=_text(item, "deadline") or None
        )
        for item in value
        if isinstance(item, dict) and _text(item, "task")
    )


def _motion(text: str) -> dict[str, Any]:
    if not text:
        return {"motion_problem": "no motion was found; it begins with RESOLVED, That"}
    checked = check_wording(text)
    if isinstance(checked, Wording):
        return {"motion": checked.text}
    return {"motion_problem": checked.reason}


# -- plain text -----------------------------------------------------------------------------------------------------------


def _plain(purpose: Purpose, text: str) -> Heard:
    said = plain.part(text)
    heard = Heard(said.speaking, said.whisper, Reading.EXACT if said.exact else Reading.TOLERANT, TurnStatus.OK)
    speech = said.speaking
    changes: dict[str, Any] = {}
    match purpose:
        case Purpose.ROLL_CALL:
            changes["present"] = plain.present_in(speech)
        case Purpose.SECOND:
            changes["second"] = plain.second_in(speech)
        case Purpose.VOTE:
            vote, exact = plain.vote_in(speech)
            reason = plain.field(speech, "REASON")
            changes |= {"vote": vote, "reason": reason or speech, "reading": Reading.EXACT if exact else Reading.TOLERANT}
            if vote is Vote.AGAINST:
                changes["dissent"] = plain.field(speech, "DISSENT")
            if vote is None:
                changes["raw"] = speech[:500]
        case Purpose.MOTION:
            changes |= _motion(plain.motion_in(speech))
        case Purpose.AMENDMENT:
            found = re.search(r"\b(SUPPORT|CONSENT|OBJECT)", speech, re.I)
            changes["position"] = found[1].lower() if found else None
        case Purpose.RULING:
            well = re.search(r"\b(not\s+)?well\s+taken\b", speech, re.I)
            changes["well_taken"] = (well[1] is None) if well else None
        case Purpose.APPEAL:
            changes["appeal"] = plain.yes_in(speech)
        case Purpose.CONSENT:
            changes["objection"] = plain.yes_in(speech)
    return replace(heard, **changes)


def _commands(heard: Heard, written: list[str], roster: Roster) -> Heard:
    """The chairman's commands: in its speech, then in the field for them; the same command twice is one."""
    spoken = parse(heard.speaking, roster)
    commands, malformed = list(spoken.commands), list(spoken.malformed)
    for text in written:
        parsed = parse(text, roster)
        commands += [c for c in parsed.commands if c.command not in [known.command for known in commands]]
        malformed += parsed.malformed
    return replace(heard, speaking=strip_commands(heard.speaking), commands=tuple(commands), malformed=tuple(malformed))
