"""What an item is about, in the forms that sentences need: the act, its gerund, the alternative, the thing, its field."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from voices.base import ItemBrief
from voices.simulated.domains import Domain, classify
from voices.simulated.grammar import gerund_phrase, third_person
from voices.simulated.lexicon import word_set
from voices.simulated.phrases import Kind, cut, head, names_in, question_of, read, sayable, thing_of, untitled

__all__ = ["Kind", "Topic", "analyse", "sayable"]


@dataclass(frozen=True, slots=True)
class Topic:
    kind: Kind
    asked: str  # the topic as typed, made sayable
    actor: str  # "the shareholder", "the team", "the household"
    act: str  # bare verb phrase, third person, in full
    short: str  # the act without its subordinate clauses
    acting: str  # the short act as a noun phrase
    other: str  # the alternative: bare verb phrase
    othering: str
    thing: str  # noun phrase: "the job in Lisbon"; the acting where there is none
    term: str  # shortest phrase that stands for it: "Lisbon", "the house"
    place: str  # a place that is named, or "the new place"
    person: str  # a person who is named, or "the other person"
    figures: tuple[str, ...]  # numbers and sums, as typed
    domain: Domain
    second: Domain


_PLACE_BEFORE = word_set("in to at from near around towards outside into")
_FIGURE = re.compile(
    r"[€$£¥]\s?\d[\d.,]*\s?(?:k|m|million|thousand)?\b"
    r"|\b\d[\d.,]*\s?(?:%|(?:per "
    r"cent|percent|euros?|dollars?|pounds?|km|kg|hours?|minutes?|days?|weeks?|months?|years?|miles?|people)\b)"
    r"|\b\d{1,3}(?:[.,]\d{3})+\b",
    re.IGNORECASE,
)
"""Sums and quantities; bare numbers, years and ages say too little to be spoken of."""
_TEAM_DOMAINS = frozenset({"business", "technology", "release", "hiring", "creative", "work"})


def analyse(item: ItemBrief) -> Topic:
    """The topic of an item. Never raises: what cannot be understood is quoted."""
    asked = sayable(item.topic) or "the item as printed"
    question = untitled(question_of(asked))
    details = sayable(f"{item.description} {item.desired_outcome} {item.user_commentary}", 2000)
    asked_for = read(question)
    domain, second = classify(f"{asked_for.act} {asked_for.other or ''} {asked_for.thing or ''}", details)
    who = re.sub(r"\s+", " ", asked_for.who.lower())
    if " and " in who:
        couple = re.search(r"\b(\w+)\s+and\s+i\b|\bi\s+and\s+(\w+)\b", question, re.IGNORECASE)
        actor = f"the shareholder and {third_person((couple[1] or couple[2]) if couple else who)}"
    elif who.startswith(("the ", "our ")):
        actor = "the " + who.split(" ", 1)[1]
    elif who in ("we", "us") or re.search(r"\bour\b", question.lower()):
        actor = "the team" if domain.name in _TEAM_DOMAINS else "the household"
    else:
        actor = "the shareholder"
    act = asked_for.act if "“" in asked_for.act else third_person(asked_for.act)
    if actor == "the shareholder":
        act = act.replace("the shareholder's", "their")
    short = act if "“" in act else cut(act)
    acting = gerund_phrase(short)
    if "“" in act:
        acting = f"answering {act[act.index('“') :]}" if len(act) < 70 else "answering this question"
    other = cut(third_person(asked_for.other)) if asked_for.other else domain.stay
    names = names_in(question)
    if act.startswith("choose ") and asked_for.other and not asked_for.thing:
        asked_for = replace(asked_for, thing=head(act[7:]))
    thing = asked_for.thing or thing_of(asked_for.act) or acting
    thing = thing if "“" in thing else third_person(cut(thing))
    place, person = "the new place", "the other person"
    for name in names:
        before = re.search(rf"(\w+)\s+{re.escape(name)}\b", question)
        if before and before[1].lower() in _PLACE_BEFORE and domain.name != "technology":
            place = name if place == "the new place" else place
        elif before and before[1].lower() in (
            "marry",
            "forgive",
            "hire",
            "tell",
            "trust",
            "ask",
            "leave",
            "date",
            "divorce",
            "call",
            "with",
        ):
            person = name
    if asked_for.other and names and place == "the new place" and domain.name == "relocation":
        place = names[0]
    term = next((name for name in names if name in short), "") or (head(thing) if thing != acting else acting)
    if "“" in term or len(term) > 40 or act.startswith("settle "):
        term = domain.noun if domain.name != "general" or "“" in term else term
    if "“" in act:
        term = domain.noun if domain.name != "general" else "the question"
    kind = asked_for.kind
    return Topic(
        kind=kind,
        asked=asked,
        actor=actor,
        act=act,
        short=short,
        acting=acting,
        other=other,
        othering=gerund_phrase(other),
        thing=thing,
        term=term,
        place=place,
        person=person,
        figures=tuple(dict.fromkeys(m.group().strip(" .,") for m in _FIGURE.finditer(f"{question} {details}")))[:4],
        domain=domain,
        second=second,
    )
