"""What a member thinks of an item, and of a motion on it: a function of its temper, the item and the seed.

The same in every phase, so that a member votes as it has spoken. Numbers run from -1 (against) to 1 (for).
"""

from __future__ import annotations

import re
from enum import StrEnum

from voices.base import Brief, MemberBrief
from voices.simulated.chance import roll
from voices.simulated.lexicon import word_set
from voices.simulated.personas import Persona, persona_of
from voices.simulated.topic import Kind, Topic

_KEEPS = word_set(
    "stay wait keep continue hold delay postpone remain fix review save wean rest slow maintain carry cancel skip mend repair"
)
_LEAPS = word_set(
    "quit sell marry move launch ship rewrite accept take leave join found start invest divorce fire buy migrate emigrate "
    "propose"
)


class Direction(StrEnum):
    """Which way a motion points, as far as its words tell."""

    GO = "go"
    TRIAL = "trial"
    HOLD = "hold"
    PLAN = "plan"


def _change(act: str) -> float:
    verb = act.split(" ", 1)[0].lower()
    return -0.7 if verb in _KEEPS else 1.0 if verb in _LEAPS else 0.6


def leaning(brief: Brief, topic: Topic, member: MemberBrief | None = None) -> float:
    """For the act (or, where two things are to choose from, for the first of them) or against it.

    Half of what all the seated have in common is taken off: a board is convened to disagree, and it does so around the
    middle of whatever its members happen to be.
    """
    raw = {m.id: _raw(m, topic, brief.seed) for m in brief.seated}
    member = member or brief.member
    own = raw[member.id] if member.id in raw else _raw(member, topic, brief.seed)
    common = sum(raw.values()) / len(raw) if raw else 0.0
    return max(-1.0, min(1.0, own - 0.5 * common))


def _raw(member: MemberBrief, topic: Topic, seed: int) -> float:
    persona = persona_of(member)
    change = _change(topic.act)
    if topic.kind is Kind.CHOICE:
        change = (change - _change(topic.other)) / 1.7
    tilt = topic.domain.tilt.get(persona.lens, 0.0)
    noise = (roll(seed, "leaning", topic.asked, member.id) - 0.5) * 1.3
    return persona.temper.change * change + tilt * (1 if change > 0 else -1) + noise


def direction(text: str, topic: Topic) -> Direction:
    """Read from the motion's words alone: it may have been drafted by anybody."""
    lowered = text.lower()
    if "shall not " in lowered or " rather than " + topic.short.lower() in lowered or "for the present" in lowered:
        return Direction.HOLD
    if re.search(r"\b(?:before deciding|whether to|on trial|for a trial)\b", lowered):
        return Direction.TRIAL
    if topic.kind in (Kind.HOW, Kind.REVIEW):
        return Direction.PLAN
    named = any(words.lower() in lowered for words in (topic.short, topic.acting, topic.thing))
    if not named and topic.other.lower() in lowered:
        return Direction.HOLD
    if not named:
        return Direction.PLAN
    return Direction.GO


def support(brief: Brief, topic: Topic, text: str) -> float:
    """For the motion as worded, or against it."""
    member, seed = brief.member, brief.seed
    persona = persona_of(member)
    lean = leaning(brief, topic)
    mood = roll(seed, "motion", topic.asked, member.id) - 0.5
    conditions = 1.0 if "provided that" in text.lower() else 0.0
    way = direction(text, topic)
    if way is Direction.GO:
        value = lean + conditions * (0.28 if lean < 0 else -persona.temper.strip * 0.3)
    elif way is Direction.HOLD:
        value = -lean + persona.temper.wait * 0.6
    elif way is Direction.TRIAL:
        value = 0.32 - 0.6 * max(0.0, abs(lean) - 0.5) + persona.temper.trial + mood * 0.5
    else:
        value = 0.32 + 0.25 * persona.temper.measure - 0.2 * persona.temper.strip + mood * 1.1
    if brief.dissenter == member.id:
        value -= 0.15
    return value


def meeting_leaning(brief: Brief, topic: Topic) -> float:
    """The mean leaning of those whose voice was heard on the item (of all seated, when nobody's was)."""
    spoke = {said.speaker for said in brief.transcript if brief.item and said.item_id == brief.item.id}
    heard: list[MemberBrief] = [m for m in brief.seated if m.id in spoke] or list(brief.seated)
    return sum(leaning(brief, topic, member) for member in heard) / len(heard)


def likes_amendment(persona: Persona, summary: str, noise: float) -> float:
    """For an amendment, by what its summary says it changes, or against it."""
    lowered = summary.lower()
    value = 0.08 + noise * 0.8
    if "forward" in lowered or "earlier" in lowered:
        value += persona.temper.pace * 0.9
    elif "moves the date" in lowered or "later" in lowered:
        value -= persona.temper.pace * 0.9
    if "strikes" in lowered or "struck" in lowered:
        value += persona.temper.strip * 0.9 - 0.25
    if "measure" in lowered or "report" in lowered or "figure" in lowered:
        value += persona.temper.measure * 0.7
    if "adds" in lowered:
        value -= persona.temper.strip * 0.5
    return value
