"""Reading what a voice said: exact first, tolerant second, and otherwise not at all. Each reading says which it was.

Nothing here decides anything: a reader says what stands in the reply, the floor says what is in order (law 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from parliament.commands import Malformed, MotionCommand, ParsedCommand, find_mentions, parse, strip_commands
from parliament.motions import Wording, check_wording
from parliament.roster import Roster
from parliament.text import printable
from parliament.values import Purpose, Reading, TurnStatus, Vote
from voices import ballots, plain
from voices.base import VoiceReply
from voices.parting import Said, taken_apart
from voices.wire import schema_for

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


LONGEST = 60_000
"""Characters of a reply that are read. No answer to a task is a fifth as long."""

RAW = 500
"""Characters of an unreadable vote that the record keeps."""


def read(purpose: Purpose, reply: VoiceReply, *, chairman: bool, roster: Roster) -> Heard:
    """Read a reply to a call of this purpose. Never raises, whatever stands in it.

    Exact first, tolerant second, else INVALID. Of a reply that breaks off, what is there beyond doubt is kept. `whisper`
    holds everything that is not speech, for the owner alone.
    """
    text = reply.text[:LONGEST]
    if reply.stop_reason == "refusal":
        refused = Heard("", printable(text).strip(), Reading.FAILED, TurnStatus.REFUSED)
        return replace(refused, vote=Vote.INVALID) if purpose is Purpose.VOTE else refused
    whole = reply.stop_reason in ("end_turn", "stop_sequence") and len(text) == len(reply.text)
    said = taken_apart(text, purpose, chairman, whole)
    answer = _ANSWERS.get(purpose, _nothing)(said)
    heard = Heard(said.speech, said.whisper, Reading.EXACT, TurnStatus.OK, **answer)
    if chairman:
        heard = _commands(heard, said, roster)
    heard = replace(heard, mentions=tuple(find_mentions(heard.speaking, roster)))
    return _settled(purpose, heard, said)


# -- what each purpose asks for -------------------------------------------------------------------------------------------


def _nothing(said: Said) -> dict[str, Any]:
    """Only the speech is asked for."""
    return {}


def _spoken(said: Said) -> dict[str, Any]:
    point = said.text("point_of_order") if said.form == "json" else plain.point_in(said.lines)
    if point and plain.nothing(point):
        said.tolerant = True
        point = ""
    return {"point_of_order": point or None}


def _roll_call(said: Said) -> dict[str, Any]:
    return {"present": said.flag("present", plain.present_in)}


def _second(said: Said) -> dict[str, Any]:
    return {"second": said.flag("second", plain.second_in)}


def _vote(said: Said) -> dict[str, Any]:
    given = said.fields.get("vote")
    vote: Vote | None
    if isinstance(given, str) and given.strip():
        vote = ballots.choice_of(given)
        raw = said.public(given)
        said.tolerant = said.tolerant or vote is None or given != vote.value
    elif given is not None and given != "":
        vote, raw = None, str(given)
    else:
        vote, exact = ballots.vote_in(said.lines)
        raw = said.lines
        # 000's exact format is exact with and without tags around it.
        said.tolerant = not (exact and said.whole)
    reason = said.text("reason") or (plain.field(said.lines, "REASON(?:ING)?") if said.form == "plain" else "")
    dissent = said.text("dissent") or (plain.field(said.lines, "DISSENT") if said.form == "plain" else "")
    if not said.speech:
        said.speech = reason
    said.missing = vote is None
    return {
        "vote": vote or Vote.INVALID,
        "reason": reason or plain.without_fields(said.speech),
        "dissent": dissent if vote is Vote.AGAINST and not plain.nothing(dissent) else "",
        "raw": raw[:RAW] if vote is None else "",
    }


def _motion(said: Said) -> dict[str, Any]:
    """The motion's words: the field's, else those in the speech. A field that is filled, but not in form, stands."""
    words = said.text("motion")
    if not words:
        words = plain.motion_in(said.lines)
        said.tolerant = said.tolerant or said.form == "json" or words not in (line.strip() for line in said.lines.splitlines())
    checked = check_wording(words)
    if isinstance(checked, Wording):
        return {"motion": checked.text}
    if "motion" in said.cut:
        return {"motion_problem": "The motion was cut off before its end; write it shorter."}
    return {"motion_problem": checked.reason if words else 'No motion was found in the reply; it begins with "RESOLVED, That".'}


def _amendment(said: Said) -> AmendmentHeard | None:
    value = said.fields.get("amendment")
    if isinstance(value, dict):
        text, summary = value.get("text"), value.get("summary")
        text = said.public(text) if isinstance(text, str) else ""
        if not text or plain.nothing(text):
            return None
        return AmendmentHeard(text, said.public(summary) if isinstance(summary, str) else "")
    if isinstance(value, str) and value.strip():
        said.tolerant = True
        return None if plain.nothing(value) else AmendmentHeard(said.public(value), "")
    text, summary = plain.amendment_in(said.lines) if said.form == "plain" else ("", "")
    return AmendmentHeard(text, summary) if text else None


_PROCEDURAL = ("previous_question", "lay_on_table", "withdraw")


def _debate(said: Said) -> dict[str, Any]:
    found = _spoken(said) | {"amendment": _amendment(said)}
    given = said.fields.get("procedural")
    if said.form == "plain":
        return found | {"procedural": plain.procedural_in(said.lines)}
    if isinstance(given, str) and given not in _PROCEDURAL:
        said.tolerant = True
        given = given.strip().casefold().replace(" ", "_").replace("-", "_")
    return found | {"procedural": given if given in _PROCEDURAL else None}


def _on_amendment(said: Said) -> dict[str, Any]:
    given = said.fields.get("position")
    position: str | None
    if isinstance(given, str) and given.strip().casefold() in ("support", "consent", "object"):
        position = given.strip().casefold()
        said.tolerant = said.tolerant or not given.isupper()
    else:
        position, exact = plain.position_in(said.lines)
        said.tolerant = said.tolerant or said.form == "json" or not exact
        said.missing = position is None
    return {"position": position, "amendment": _amendment(said)}


def _ruling(said: Said) -> dict[str, Any]:
    taken = said.flag("well_taken", plain.well_taken_in)
    remedy = said.fields.get("remedy")
    if not isinstance(remedy, str):
        remedy = plain.remedy_in(said.lines) if said.form == "plain" else "none"
    return {"well_taken": taken, "remedy": "out_of_order" if taken and remedy.strip().casefold() == "out_of_order" else "none"}


def _appeal(said: Said) -> dict[str, Any]:
    return {"appeal": said.flag("appeal", plain.appeal_in)}


def _consent(said: Said) -> dict[str, Any]:
    return {"objection": said.flag("objection", plain.objection_in)}


def _actions(said: Said) -> dict[str, Any]:
    items = said.fields.get("action_items")
    found: list[ActionHeard] = []
    if isinstance(items, list):
        for item in items:
            task, owner, deadline = (
                (item.get(key) for key in ("task", "owner", "deadline")) if isinstance(item, dict) else ("", "", "")
            )
            task = said.public(task) if isinstance(task, str) else ""
            if not task:
                said.tolerant = True
                continue
            owner = said.public(owner).removeprefix("@").strip() if isinstance(owner, str) else ""
            deadline = said.public(deadline) if isinstance(deadline, str) else ""
            said.tolerant = said.tolerant or not owner
            found.append(
                ActionHeard(task, owner or "shareholder", deadline if deadline and not plain.nothing(deadline) else None)
            )
    elif said.form == "plain":
        found = [ActionHeard(task, owner, deadline or None) for task, owner, deadline in plain.tasks_in(said.lines)]
        said.tolerant = said.tolerant or bool(found)
    return {"actions": tuple(dict.fromkeys(found))}


_ANSWERS: dict[Purpose, Callable[[Said], dict[str, Any]]] = {
    Purpose.ROLL_CALL: _roll_call,
    Purpose.DISCUSSION: _spoken,
    Purpose.MENTION: _spoken,
    Purpose.CALLED: _spoken,
    Purpose.INPUT: _spoken,
    Purpose.MOTION: _motion,
    Purpose.SECOND: _second,
    Purpose.DEBATE: _debate,
    Purpose.AMENDMENT: _on_amendment,
    Purpose.RULING: _ruling,
    Purpose.APPEAL: _appeal,
    Purpose.CONSENT: _consent,
    Purpose.VOTE: _vote,
    Purpose.ACTION_ITEMS: _actions,
}

_MAY_BE_SILENT = frozenset(
    {Purpose.ROLL_CALL, Purpose.SECOND, Purpose.VOTE, Purpose.AMENDMENT, Purpose.APPEAL, Purpose.CONSENT}
)
"""Purposes whose answer is a field: with it read, an empty speech is no fault."""

_NO_PASS = frozenset({Purpose.ROLL_CALL, Purpose.VOTE, Purpose.MOTION, Purpose.RULING})
"""Purposes that cannot be passed on: a pass there is no answer (law 8)."""


# -- commands, and the end of it --------------------------------------------------------------------------------------------


def _commands(heard: Heard, said: Said, roster: Roster) -> Heard:
    """The chairman's commands: in its speech, in the lines after it, in the field for them; the same command twice is one."""
    given = said.fields.get("commands")
    written = [said.public(one) for one in given if isinstance(one, str)] if isinstance(given, list) else []
    outside = said.lines.removeprefix(said.speech) if said.form == "plain" else ""
    spoken = [parse(text, roster) for text in (heard.speaking, outside) if text]
    listed = [parse(one if one.startswith("{") else f"{{{one}}}", roster) for one in written if one]
    commands: list[ParsedCommand] = [command for parsed in spoken for command in parsed.commands]
    malformed: list[Malformed] = [fault for parsed in spoken for fault in parsed.malformed]
    known = [command.command for command in commands]
    wrong = {fault.source for fault in malformed}
    for parsed in listed:
        for command in parsed.commands:
            if command.command not in known:
                known.append(command.command)
                commands.append(command)
        malformed += [fault for fault in parsed.malformed if fault.source not in wrong]
    return replace(
        heard,
        speaking=strip_commands(heard.speaking, roster),
        whisper=said.whisper,
        commands=tuple(commands),
        malformed=tuple(malformed),
    )


def _settled(purpose: Purpose, heard: Heard, said: Said) -> Heard:
    """Whether what was asked for is there, and how it was read."""
    heard = replace(heard, speaking=heard.speaking or (said.speech if purpose is Purpose.VOTE else ""), whisper=said.whisper)
    if purpose is Purpose.MOTION and heard.motion is None:
        spoken = next((c.command.text for c in heard.commands if isinstance(c.command, MotionCommand)), "")
        checked = check_wording(spoken) if spoken and not said.text("motion") else None
        if isinstance(checked, Wording):
            heard = replace(heard, motion=checked.text, motion_problem="")
        else:
            said.missing = True
    if said.missing:
        return replace(heard, status=TurnStatus.INVALID, reading=Reading.FAILED)
    reading = Reading.TOLERANT if said.tolerant else Reading.EXACT
    acted = bool(heard.commands or heard.actions or heard.amendment or heard.procedural or heard.point_of_order)
    if not heard.speaking and not acted and purpose not in _MAY_BE_SILENT:
        return replace(heard, status=TurnStatus.INVALID, reading=Reading.FAILED)
    if plain.passed(heard.speaking) and not acted and purpose not in _NO_PASS:
        return replace(heard, status=TurnStatus.PASS, reading=reading)
    return replace(heard, status=TurnStatus.OK, reading=reading)
