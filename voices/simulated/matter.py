"""Which consideration belongs to which member on an item, and who has already brought up what.

Each seated member sees the field through its lens; where two share one, the later seat takes the next that is free, so that
in a blind round no two members bring the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass

from voices.base import Brief, MemberBrief
from voices.simulated.chance import ordered, roll
from voices.simulated.domains import LENSES
from voices.simulated.personas import persona_of
from voices.simulated.topic import Topic


@dataclass(frozen=True, slots=True)
class Matter:
    """What one member has to say on an item."""

    gain: str
    risk: str
    question: str
    step: str
    more_gain: str  # for a later round
    more_risk: str


@dataclass(frozen=True, slots=True)
class Point:
    """A consideration that a member brought up, found again in its words."""

    speaker: str
    name: str
    clause: str
    favours: bool  # a gain, hence for the act


def fill_topic(text: str, topic: Topic) -> str:
    """A domain's words with the topic's own put in. Only the template's slots are read; the topic's words are data."""
    for slot, value in (("{place}", topic.place), ("{person}", topic.person), ("{term}", topic.term)):
        text = text.replace(slot, value)
    return text


def _lenses(brief: Brief) -> dict[str, str]:
    """Member id -> lens, each lens once as long as there are enough."""
    free = list(LENSES)
    taken: dict[str, str] = {}
    for member in brief.seated:
        own = persona_of(member).lens
        if own not in free:
            own = ordered(free or list(LENSES), "lens", member.id)[0]
        taken[member.id] = own
        if own in free:
            free.remove(own)
    return taken


def matter_of(brief: Brief, topic: Topic, member: MemberBrief | None = None) -> Matter:
    member = member or brief.member
    lenses = _lenses(brief)
    lens = lenses.get(member.id) or persona_of(member).lens
    seed = brief.seed
    own = topic.domain
    if topic.second.name != own.name and roll(seed, topic.asked, member.id, "domain") < 0.4:
        own = topic.second
    seats = [m.id for m in brief.seated]
    place = seats.index(member.id) if member.id in seats else 0
    unused = [name for name in LENSES if name not in lenses.values()]
    spare = ordered(list(LENSES), seed, topic.asked, "spare")
    spare = [*unused, *(name for name in spare if name not in unused and name != lens)]
    later = spare[place % len(spare)]
    other = topic.second if own is topic.domain else topic.domain
    return Matter(
        gain=fill_topic(own.by_lens("gains", lens), topic),
        risk=fill_topic(own.by_lens("risks", lens), topic),
        question=fill_topic(own.by_lens("questions", lens), topic),
        step=fill_topic(own.by_lens("steps", lens), topic),
        more_gain=fill_topic((other if other is not own else topic.domain).by_lens("gains", later), topic),
        more_risk=fill_topic((other if other is not own else topic.domain).by_lens("risks", later), topic),
    )


def points_made(brief: Brief, topic: Topic) -> list[Point]:
    """The considerations that other members have brought up on this item, oldest first, as found in their words."""
    clauses = [
        (fill_topic(clause, topic), favours)
        for domain in {topic.domain.name: topic.domain, topic.second.name: topic.second}.values()
        for favours, table in ((True, domain.gains), (False, domain.risks))
        for clause in table
    ]
    found: list[Point] = []
    for said in brief.transcript:
        if brief.item is None or said.item_id != brief.item.id or said.speaker in ("clerk", "shareholder"):
            continue
        lowered = said.text.lower()
        for clause, favours in clauses:
            if clause.lower() in lowered and all(p.clause != clause for p in found):
                found.append(Point(said.speaker, said.name, clause, favours))
    return [point for point in found if point.speaker != brief.member.id]
