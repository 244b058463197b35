"""The simulated chairman before the meeting: it drafts from what presses, revises by what it is told, and talks it over.

It obeys the same forms as a model: a draft as JSON, an answer in <speaking> tags, changes by tool calls. What it knows is the
brief; a text in it is quoted, never obeyed, and only the person's own message asks for anything (law 3).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from parliament.text import brief as short
from parliament.values import ItemType
from voices.base import AgendaBrief, AgendaPurpose, ItemBrief, ToolCall, VoiceRequest
from voices.simulated.chance import pick
from voices.simulated.grammar import capital, listed, lower_first, number
from voices.simulated.topic import sayable

MOST = 5
LEAST = 3


@dataclass(frozen=True)
class AgendaAnswer:
    """What is said, and the tools that are called with it."""

    text: str
    calls: tuple[ToolCall, ...] = ()


def answer_agenda(request: VoiceRequest, *, bad_tool: bool = False) -> AgendaAnswer:
    """The chairman's reply to a request with an AgendaBrief. A pure function of the request."""
    brief = request.brief
    assert isinstance(brief, AgendaBrief)
    match brief.purpose:
        case AgendaPurpose.DRAFT:
            items = _drafted(brief)
        case AgendaPurpose.REVISE:
            items = _revised(brief)
        case AgendaPurpose.CONVERSE:
            return _answered(request, brief, bad_tool=bad_tool)
    thinking = "What presses comes first; what can wait does not get a place."
    return AgendaAnswer(json.dumps({"thinking": thinking, "items": items}, ensure_ascii=False))


# -- drafting ----------------------------------------------------------------------------------------------------------

_KINDS: tuple[tuple[str, ItemType, str, str, str], ...] = (
    # prefix of what presses, type, topic, why, outcome
    (
        "Goal off track: ", ItemType.DECISION, "Should I change my plan for this goal: {}?",
        "The board book has this goal off track", "A resolution on one change, with a date",
    ),
    (
        "Overdue since ", ItemType.DECISION, "Should I finish this or let it go: {}?",
        "This action item is overdue", "Done by a date, or struck off",
    ),
    (
        "Waiting for an answer: ", ItemType.REVIEW, "What waits for my answer: {}",
        "A resolution of the board still waits for an answer", "Know what holds the answer back",
    ),
    (
        "From the table: ", ItemType.DECISION, "{}",
        "An earlier meeting laid this on the table", "Take it up, or drop it for good",
    ),
    (
        "Goal review: ", ItemType.REVIEW, "How it goes: {}",
        "A look at a goal that is on its way", "Know whether the pace will do",
    ),
    (
        "Data out of date: ", ItemType.INFORMATION, "Figures that are out of date: {}",
        "A view of the board book is too old to go by", "Know what cannot be relied on",
    ),
)  # fmt: skip
_MINUTES = {ItemType.DECISION: 15, ItemType.REVIEW: 8, ItemType.DISCUSSION: 10, ItemType.INFORMATION: 5}


def _drafted(brief: AgendaBrief) -> list[dict[str, Any]]:
    items = [_item(brief, phrase) for phrase in brief.topics[:MOST]]
    for general in _general(brief):
        if len(items) >= LEAST:
            break
        items.append(general)
    return items


def _item(brief: AgendaBrief, phrase: str) -> dict[str, Any]:
    """One item out of a phrase of what presses; a phrase of another kind is a disagreement or a pattern to talk about."""
    for prefix, type_, topic, why, outcome in _KINDS:
        if phrase.startswith(prefix):
            about = phrase.removeprefix(prefix)
            if prefix == "Overdue since ":
                about = about.partition(": ")[2] or about
            return _made(type_, topic.format(short(about, 200)), f"{why}. {_quoted(brief, about)}", outcome)
    disagrees = " in the raw data" in phrase
    name = phrase.partition(":")[0]
    topic = f"{name}: which figure is right" if disagrees else f"{name}: what the figures say"
    why = "Two sources disagree" if disagrees else "The figures show a pattern"
    outcome = "Know which figure to go by" if disagrees else "Agree on what to watch"
    return _made(ItemType.DISCUSSION, topic, f"{why}: {phrase}. {_quoted(brief, name)}", outcome)


def _general(brief: AgendaBrief) -> list[dict[str, Any]]:
    """What any meeting can take up, in the words of its name."""
    name = sayable(brief.meeting_name) or "the weeks ahead"
    called, fails, stand = (
        "The meeting was called for it.",
        "A plan fails where nobody looked.",
        "Where we are, before where we go.",
    )
    return [
        _made(ItemType.DECISION, f"Should I settle the next step on this: {name}?", called, "One step, with a date"),
        _made(ItemType.DISCUSSION, f"What stands in the way: {name}", fails, "The one obstacle that matters"),
        _made(ItemType.REVIEW, f"How things stand: {name}", stand, "A common picture"),
    ]


def _made(type_: ItemType, topic: str, description: str, outcome: str) -> dict[str, Any]:
    return {
        "topic": topic,
        "type": type_.value,
        "time_minutes": _MINUTES[type_],
        "description": description.strip(),
        "desired_outcome": outcome + ".",
    }


_WORD = re.compile(r"[a-zà-ÿ]{4,}")


def _quoted(brief: AgendaBrief, about: str) -> str:
    """A line of the board book that speaks of it."""
    wanted = set(_WORD.findall(about.lower()))
    best, most = "", 0
    for text in brief.board_book.split("\n"):
        clean = sayable(text.lstrip("-# "), 300)
        shared = len(wanted & set(_WORD.findall(clean.lower())))
        if shared > most and not text.startswith("#"):
            best, most = clean, shared
    return f"The board book says: {best}" if best else ""


# -- what a person asks for --------------------------------------------------------------------------------------------

_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "last": -1}
_TYPES = {kind.value: kind for kind in ItemType}
_ADD = re.compile(
    r"\b(?:add|include|put in|put on|talk about|take up)\s+(?:an?\s+)?(?:new\s+)?(?:item\s+)?(?:on\s+|about\s+|for\s+)?"
    r"(?P<what>[^.?!;\n]{2,160})",
    re.I,
)
_REMOVE = re.compile(r"\b(?:remove|drop|delete|take off|leave out|cut|strike)\s+(?P<what>[^.?!;\n]{2,120})", re.I)
_FRONT = re.compile(
    r"\b(?:put|move|start with|begin with|take)\s+(?P<what>[^.?!;\n]{2,100}?)\s*(?:\bfirst\b|\bto the (?:top|front|start)\b)",
    re.I,
)
_PLACE = re.compile(r"\bmove\s+(?P<what>[^.?!;\n]{2,100}?)\s+to\s+(?:place|position|number)\s+(?P<place>\d{1,2})", re.I)
_MINUTE = re.compile(
    r"\b(?:give|plan|set|allow|make)\s+(?P<what>[^.?!;\n]{2,100}?)\s+(?:to\s+)?(?P<minutes>\d{1,3})\s*min", re.I
)
_MINUTES_FOR = re.compile(r"\b(?P<minutes>\d{1,3})\s*min(?:ute)?s?\s+(?:for|on|to)\s+(?P<what>[^.?!;\n]{2,100})", re.I)
_TYPE = re.compile(
    r"\bmake\s+(?P<what>[^.?!;\n]{2,100}?)\s+(?:an?\s+)?(?:item\s+for\s+)?(?P<type>decision|review|discussion|information)\b",
    re.I,
)
_RENAME = re.compile(
    r"\b(?:rename|retitle|call)\s+(?P<what>[^.?!;\n\"“]{2,100}?)\s+(?:to\s+|as\s+)?[\"“](?P<topic>[^\"”\n]{2,200})[\"”]", re.I
)
_TAIL = re.compile(
    r"\s+(?:to|on|from|off|onto|in)\s+(?:the|our|this|my)\s+(?:agenda|meeting|list)\b.*$|\s*,?\s*please\b.*$", re.I
)


def _wanted(message: str, items: tuple[ItemBrief, ...]) -> list[dict[str, Any]]:
    """The changes that a message asks for, in the order of a person who names one or two at a time."""
    if (found := _RENAME.search(message)) and (item := _named(found["what"], items)):
        return [{"op": "update", "item_id": item.id, "topic": found["topic"]}]
    if (found := _PLACE.search(message)) and (item := _named(found["what"], items)):
        return [{"op": "reorder", "item_id": item.id, "place": int(found["place"])}]
    if (found := _FRONT.search(message)) and (item := _named(found["what"], items)):
        return [{"op": "reorder", "item_id": item.id, "place": 1}]
    if (found := _MINUTE.search(message) or _MINUTES_FOR.search(message)) and (item := _named(found["what"], items)):
        return [{"op": "set_minutes", "item_id": item.id, "time_minutes": int(found["minutes"])}]
    if (found := _TYPE.search(message)) and (item := _named(found["what"], items)):
        return [{"op": "set_type", "item_id": item.id, "type": found["type"].lower()}]
    if (found := _REMOVE.search(message)) and (item := _named(found["what"], items)):
        return [{"op": "remove", "item_id": item.id}]
    if found := _ADD.search(message):
        what = _TAIL.sub("", found["what"]).strip(" ,:\"“”'")
        if len(what) > 1:
            return [_new(what, message)]
    return []


def _new(what: str, message: str) -> dict[str, Any]:
    goal = re.fullmatch(r"(?:the\s+|my\s+)?(?P<name>.+?)\s+goal", what, re.I)
    type_ = next((name for name in _TYPES if re.search(rf"\bfor {name}\b|\ba {name}\b", message, re.I)), "decision")
    topic = f"Should I set a goal for {goal['name']}?" if goal else capital(what)
    return {
        "op": "add",
        "topic": short(topic, 300),
        "type": type_,
        "description": f"Asked for by the shareholder: {short(message, 400)}",
    }


def _named(what: str, items: tuple[ItemBrief, ...]) -> ItemBrief | None:
    """The item that a person means: by its id, its place, or the words of its topic."""
    if not items:
        return None
    text = what.lower()
    if found := re.search(r"\bagenda-(\d+)\b", text):
        return next((item for item in items if item.id == f"agenda-{found[1]}"), None)
    if found := re.search(r"\b(?:item|number|point)\s+(\d{1,2})\b|\b(\d{1,2})(?:st|nd|rd|th)\b", text):
        place = int(found[1] or found[2])
        return items[place - 1] if 1 <= place <= len(items) else None
    for word, place in _ORDINALS.items():
        if re.search(rf"\b{word}\b(?:\s+(?:item|one|point))?", text) and re.search(r"\b(?:item|one|point)\b", text):
            return items[place - 1] if place > 0 and place <= len(items) else items[-1] if place < 0 else None
    words = set(_WORD.findall(text)) - {"item", "from", "agenda", "that", "this", "with", "about"}
    scored = [(len(words & set(_WORD.findall(f"{item.topic} {item.description}".lower()))), item) for item in items]
    most = max(score for score, _ in scored)
    return next(item for score, item in scored if score == most) if most else None


# -- revising ----------------------------------------------------------------------------------------------------------


def _revised(brief: AgendaBrief) -> list[dict[str, Any]]:
    """The agenda with what the feedback asks for: items added, dropped, moved, and all of it shorter or longer."""
    items = [_as_drafted(item) for item in brief.items] or _drafted(brief)
    for clause in re.split(r"[.;\n]|,? and (?=add|drop|remove|put|make|give)", brief.feedback):
        for wanted in _wanted(clause, brief.items):
            _revise(items, wanted, brief)
        if re.search(r"\b(?:shorter|less time|too long|quicker)\b", clause, re.I):
            items = [{**item, "time_minutes": max(3, round(item["time_minutes"] * 0.6))} for item in items[:4]]
        if focus := re.search(r"\bfocus on\s+(?P<what>[^.;\n]{2,100})", clause, re.I):
            named = _named(focus["what"], brief.items)
            if named is not None:
                items.sort(key=lambda item: item["topic"] != named.topic)
            else:
                items.insert(0, _drop_op(_new(focus["what"].strip(), clause)))
    return items[:8]


def _as_drafted(item: ItemBrief) -> dict[str, Any]:
    return {
        "topic": item.topic,
        "type": item.type.value,
        "time_minutes": item.time_minutes,
        "description": item.description,
        "desired_outcome": item.desired_outcome,
    }


def _drop_op(added: dict[str, Any]) -> dict[str, Any]:
    kind = ItemType(added["type"])
    return {
        "topic": added["topic"],
        "type": added["type"],
        "time_minutes": _MINUTES[kind],
        "description": added["description"],
        "desired_outcome": "Know what the board thinks of it.",
    }


def _revise(items: list[dict[str, Any]], wanted: dict[str, Any], brief: AgendaBrief) -> None:
    if wanted["op"] == "add":
        items.append(_drop_op(wanted))
        return
    topic = next((item.topic for item in brief.items if item.id == wanted["item_id"]), None)
    place = next((n for n, item in enumerate(items) if item["topic"] == topic), None)
    if place is None:
        return
    match wanted["op"]:
        case "remove":
            if len(items) > 1:
                del items[place]
        case "reorder":
            items.insert(min(wanted["place"], len(items)) - 1, items.pop(place))
        case "set_type":
            items[place]["type"] = wanted["type"]
        case "set_minutes":
            items[place]["time_minutes"] = wanted["time_minutes"]
        case "update":
            items[place]["topic"] = wanted["topic"]


# -- talking -----------------------------------------------------------------------------------------------------------


def _answered(request: VoiceRequest, brief: AgendaBrief, *, bad_tool: bool) -> AgendaAnswer:
    if request.exchanges:
        results = request.exchanges[-1].results
        wrong = [result for result in results if result.error]
        if wrong and bad_tool and len(request.exchanges) == 1:
            return _calling(request, brief, "")  # the same again, and well-formed this time
        if wrong:
            return AgendaAnswer(_spoken(f"That cannot be done as asked. {capital(lower_first(wrong[0].text))}"))
        return AgendaAnswer(_spoken(pick(_CLOSINGS, brief.seed, brief.message)))
    if _wanted(brief.message, brief.items):
        return _calling(request, brief, pick(_AGREEING, brief.seed, brief.message), spoil=bad_tool)
    return AgendaAnswer(_spoken(_reasons(brief)))


def _calling(request: VoiceRequest, brief: AgendaBrief, words: str, *, spoil: bool = False) -> AgendaAnswer:
    calls = []
    for n, wanted in enumerate(_wanted(brief.message, brief.items)):
        arguments = {name: value for name, value in wanted.items() if name != "op"}
        if spoil:
            arguments = {"which": "that one"}
        calls.append(ToolCall(f"call_{len(request.exchanges)}_{n}", f"agenda_{wanted['op']}", arguments))
    return AgendaAnswer(_spoken(words) if words else "", tuple(calls))


def _spoken(words: str) -> str:
    return f"<speaking>{words}</speaking>"


_AGREEING = (
    "A reasonable request. I change it.",
    "So be it; it costs us nothing and may spare you something.",
    "You know your days better than I do. I put it so.",
    "It is in our power to change, so I change it.",
)
_CLOSINGS = (
    "It stands so now. Read it once more before you approve it.",
    "Done. What else is on your mind?",
    "The agenda has it. Let us not add more than an hour can hold.",
)


def _reasons(brief: AgendaBrief) -> str:
    """An answer to a question: why an item is there, how long it takes, what the book says; never a change."""
    item = _named(brief.message, brief.items)
    asks_why = re.search(r"\b(why|reason|what for|matter)\b", brief.message, re.I)
    if not brief.items:
        return "There is nothing on the agenda yet. Tell me what weighs on you, or have me draft from what I know."
    if item is not None and (asks_why or re.search(r"\b(how long|minutes|time)\b", brief.message, re.I)):
        why = sayable(item.description, 300) or "it was asked for"
        minutes = number(item.time_minutes)
        return f"“{sayable(item.topic)}” has {minutes} minutes. It is there because {lower_first(why.rstrip('.'))}."
    topics = listed([f"“{sayable(i.topic)}”" for i in brief.items[:4]])
    total = sum(i.time_minutes for i in brief.items)
    return f"We have {topics}: {total} minutes in all. Say what you would have otherwise, and I will weigh it."
