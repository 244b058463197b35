"""What the simulated chairman answers the shareholder: a change that was asked for, a reason, or a word to what was said.

Only the shareholder's own message asks for changes; the book, the items and the earlier conversation are quoted (law 3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from parliament.text import one_line
from voices.base import AgendaBrief, ItemBrief
from voices.simulated.grammar import capital, listed, lower_first
from voices.simulated.preparing.book import content_words, read_book
from voices.simulated.preparing.drafting import drafted
from voices.simulated.preparing.manner import said
from voices.simulated.preparing.naming import named
from voices.simulated.preparing.wishes import Wishes, wishes_in
from voices.simulated.topic import sayable

_WHY = re.compile(r"\b(?:why|reason|what for|purpose|how come|matters?)\b", re.IGNORECASE)
_TIME = re.compile(r"\b(?:how long|how much time|minutes?|duration|take|takes)\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:first|order|most important|priorit\w+|urgent|pressing|matters most)\b", re.IGNORECASE)
_MISSING = re.compile(
    r"\b(?:suggest\w*|missing|forg[eo]t\w*|left out|anything else|improve\w*|what else|recommend\w*|what would you)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:before|earlier|last time|already decided|precedent|in the past|previous\w*)\b", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:item|number|point)\s+(?:\d{1,2}|one|two|three|four|five|six)\b|\bagenda-\d+\b|"
    r"\b(?:first|second|third|fourth|fifth|last)\s+(?:item|one|point)\b",
    re.IGNORECASE,
)
_LIST = re.compile(r"\b(?:agenda|list|items|what (?:is|do we have)|show|read)\b", re.IGNORECASE)


@dataclass
class Said:
    """The whisper, the speech, and the changes that go with it, as operations."""

    thinking: str
    speech: str
    operations: list[dict[str, Any]] = field(default_factory=list)


def first_word(brief: AgendaBrief) -> Said:
    """The answer to a message, before any tool was called. A pure function of the brief."""
    wishes = wishes_in(brief.message, brief.items)
    if wishes.operations:
        parts = [said(brief, "agree"), *_asking_back(brief, wishes)]
        return Said("It is asked for plainly, so I do it and add nothing of my own.", " ".join(parts), wishes.operations)
    if wishes.unclear or wishes.there:
        there = [f"{capital(text)}." for text in dict.fromkeys(wishes.there)]
        return Said("Better ask than change the wrong thing.", " ".join([*_asking_back(brief, wishes), *there]))
    return Said("A question deserves a reason and not a change.", _answer(brief))


def last_word(brief: AgendaBrief, results: list[tuple[bool, str]]) -> Said:
    """The answer once the results of all its changes are there: (whether it failed, what was said of it)."""
    operations = wishes_in(brief.message, brief.items).operations
    done = [_told(brief, operation) for operation, (failed, _) in zip(operations, results, strict=False) if not failed]
    wrong = [_reason(text) for failed, text in results if failed]
    parts = []
    if done:
        parts.append(said(brief, "done", what=listed(_grouped(done))))
    if wrong:
        parts.append(said(brief, "cannot", why=listed(list(dict.fromkeys(wrong)))))
    return Said("It is as the results say, and not as I wished.", " ".join(parts) or said(brief, "listen"))


def told(brief: AgendaBrief, operations: list[dict[str, Any]]) -> str:
    """What the changes do, for an answer that has them written beside it and gets no results."""
    return said(brief, "done", what=listed(_grouped([_told(brief, operation) for operation in operations])))


def _grouped(done: list[str]) -> list[str]:
    return done if len(done) <= 4 else [*done[:3], f"{len(done) - 3} more changes of the same kind are made"]


def _asking_back(brief: AgendaBrief, wishes: Wishes) -> list[str]:
    known = listed([f"“{_short(item.topic, 56)}”" for item in brief.items[:6]]) or "nothing yet"
    return [said(brief, "which", what=text, known=known) for text in list(dict.fromkeys(wishes.unclear))[:1]]


def _reason(result: str) -> str:
    """The reason in a result, as a clause."""
    text = re.sub(r"^Not done:\s*(?:(?:add|update|remove|reorder|set_type|set_minutes):\s*)?", "", one_line(result))
    return lower_first(re.sub(r"[{}<>\[\]]", " ", text)[:240]).rstrip(" .")


def _told(brief: AgendaBrief, operation: dict[str, Any]) -> str:
    item = next((item for item in brief.items if item.id == operation.get("item_id")), None)
    name = f"“{_short(item.topic)}”" if item is not None else "the item"
    match operation["op"]:
        case "add":
            return f"“{_short(operation['topic'])}” is on the agenda"
        case "remove":
            return f"{name} is off"
        case "reorder":
            return f"{name} stands at place {operation['place']}"
        case "set_type":
            return f"{name} is for {operation['type']}"
        case "set_minutes":
            return f"{name} has {operation['time_minutes']} minutes"
        case _:
            return f"{name} is called “{_short(operation.get('topic', ''))}”"


def _short(topic: str, limit: int = 110) -> str:
    return sayable(topic, limit)


# -- questions -------------------------------------------------------------------------------------------------------------


def _answer(brief: AgendaBrief) -> str:
    text = brief.message
    if not brief.items:
        return (
            "There is nothing on the agenda yet. Tell me what weighs on you and I add it, or have me draft from the board book."
        )
    found = named(_subject(text), brief.items)
    item = found[0] if found else None
    if _MISSING.search(text):
        return _suggestion(brief)
    if item is not None and _TIME.search(text) and not _WHY.search(text):
        return f"“{_short(item.topic)}” has {item.time_minutes} minutes, out of {_minutes(brief)} in all."
    if _ORDER.search(text) and (item is None or item is brief.items[0]):
        first = brief.items[0]
        return said(brief, "order", first=_short(first.topic), why=_why(brief, first))
    if item is not None:
        return said(brief, "why", topic=_short(item.topic), why=_why(brief, item))
    if _BEFORE.search(text) and brief.precedents:
        return f"The board has been there before. {capital(sayable(brief.precedents[0], 240))}."
    if _TIME.search(text):
        longest = max(brief.items, key=lambda one: one.time_minutes)
        return (
            f"All of it takes {_minutes(brief)} minutes; the longest is “{_short(longest.topic)}” with {longest.time_minutes}."
        )
    if _WHY.search(text):
        reasons = [f"“{_short(one.topic)}”: {lower_first(_why(brief, one))}" for one in brief.items[:2]]
        return " ".join(reasons)
    if _LIST.search(text) or not content_words(text):
        topics = listed([f"“{_short(one.topic, 70)}”" for one in brief.items])
        return f"We have {topics}: {_minutes(brief)} minutes in all. Say what you would have otherwise."
    line = read_book(brief.board_book).line_about(text)
    known = f"The board book has something on it: {line.rstrip('.')}. " if line else ""
    return known + said(brief, "listen")


def _subject(question: str) -> str:
    """What a question is about, without the words that make it a question."""
    words = re.sub(
        r"\b(?:why|what|how|when|is|are|was|were|do|does|did|the|we|you|i|there|here|on|about|of|for|have|has|put|come|comes|long|much|"
        r"item called|need|needs|think|say|tell|me|so|a|an|it|to|be|in|that|should|would|can|could)\b(?!\s+\d)",
        " ",
        question,
        flags=re.IGNORECASE,
    )
    place = _PLACE.search(question)
    return place[0] if place else words


def _minutes(brief: AgendaBrief) -> int:
    return sum(item.time_minutes for item in brief.items)


def _why(brief: AgendaBrief, item: ItemBrief) -> str:
    """Why an item is there: its own words, else the line of the book that speaks of it."""
    sentences = re.split(r"(?<=[.!?])\s+", sayable(item.description, 500))
    told = " ".join(sentence for sentence in sentences[:2] if not sentence.endswith("?"))
    if told:
        return capital(told if told[-1] in ".!?…" else f"{told}.")
    line = read_book(brief.board_book).line_about(item.topic)
    return f"The board book has: {line.rstrip('.')}." if line else "It was asked for, and nobody has asked to have it off."


def _suggestion(brief: AgendaBrief) -> str:
    """The most pressing thing that is not on the agenda. It is offered; only the shareholder's own word adds it."""
    here = content_words(" ".join(f"{item.topic} {item.description}" for item in brief.items))
    for item in drafted(brief):
        words = content_words(item["topic"])
        if words and len(words & here) < len(words) / 2:
            return said(brief, "offer", topic=_short(item["topic"]))
    return said(brief, "enough")
