"""The requests that a person may make of an agenda, each with the pattern of its words.

A pattern is a regular expression in which a name in angle brackets stands for one of `_NAMED`. It must fit a whole clause, in
which all white space is single blanks. The first that fits is the request.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from parliament.agenda import MAX_MINUTES, MAX_TOPIC, MINUTES_BY_TYPE
from parliament.values import ItemType
from voices.simulated.grammar import capital
from voices.simulated.preparing.reading import Reading
from voices.simulated.topic import sayable

LEAST_KEPT = 3
"""Items that "fewer" leaves on an agenda."""

_TYPES = {**{kind.value: kind for kind in ItemType}, "info": ItemType.INFORMATION, "vote": ItemType.DECISION}
_COUNTS = {
    "half an hour": 30, "a quarter of an hour": 15, "an hour": 60,
    "five": 5, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30,
}  # fmt: skip
_NAMED = {
    "what": r"(?P<what>\S.{0,160}?)",
    # What a clause may begin with as its subject: an item, and not somebody who says something of one.
    "it": (
        r"(?!(?:i|we|you|he|she|they|there|nobody|somebody|everybody|everyone|if|when|my \w+ (?:says|said|thinks))\b)"
        r"(?P<what>\S.{0,100}?)"
    ),
    "rest": r"(?P<what>\S.{0,600}?)",
    "other": r"(?P<other>\S.{0,160}?)",
    "topic": r"(?P<topic>\S.{0,400}?)",
    "quoted": "(?P<topic>\x00\\d+\x00)",
    "place": r"(?P<n>\d{1,2})",
    "type": r"(?P<type>decision|review|discussion|information|info|vote)",
    "min": rf"(?P<minutes>\d{{1,3}}|{'|'.join(_COUNTS)})(?:[ -]?(?:m|min|mins|minutes?)\b)?",
    "all": r"(?:it|this|that|everything|all|all of it|the agenda|the whole agenda|the meeting|the whole thing|the items|them)",
    "where": (
        r"(?:to )?(?:the )?(?P<where>first|top|start|beginning|front|head|last|end|bottom|back|up|down)"
        r"(?: place| of the agenda)?"
    ),
}
Act = Callable[[Reading, re.Match[str]], None]


def _rule(pattern: str, act: Act) -> tuple[re.Pattern[str], Act]:
    written = re.sub(rf"(?<!\?P)<({'|'.join(_NAMED)})>", lambda name: _NAMED[name[1]], pattern)
    return re.compile(written, re.IGNORECASE), act


# -- the whole agenda --------------------------------------------------------------------------------------------------------


def _shorter(reading: Reading, found: re.Match[str]) -> None:
    for id in reading.order:
        before = reading.minutes[id]
        wanted = max(5, round(before * 0.6 / 5) * 5)
        reading.plan(id, wanted if wanted < before else max(1, before * 3 // 5))


def _longer(reading: Reading, found: re.Match[str]) -> None:
    for id in reading.order:
        reading.plan(id, min(MAX_MINUTES, reading.minutes[id] + 5))


def _fewer(reading: Reading, found: re.Match[str]) -> None:
    wanted = found.groupdict().get("n")
    keep = max(1, int(wanted)) if wanted else max(LEAST_KEPT, len(reading.order) - 1)
    for id in reading.order[keep:]:
        reading.remove(id)


# -- one item ----------------------------------------------------------------------------------------------------------------


def _rename(reading: Reading, found: re.Match[str]) -> None:
    item = reading.one(found["what"])
    topic = capital(sayable(reading.text(found["topic"]), MAX_TOPIC - 20))
    if item is None or not topic:
        return
    if topic == item.topic:
        reading.stands(f"“{sayable(item.topic, 120)}” has that title already")
    else:
        reading.wish("update", item_id=item.id, topic=topic)


def _swap(reading: Reading, found: re.Match[str]) -> None:
    one, other = reading.one(found["what"]), reading.one(found["other"])
    if one is None or other is None or one.id == other.id:
        return
    a, b = sorted((reading.order.index(one.id), reading.order.index(other.id)))
    first, second = reading.order[a], reading.order[b]
    reading.move(second, a + 1)
    if reading.order.index(first) != b:
        reading.move(first, b + 1)


def _front(reading: Reading, found: re.Match[str]) -> None:
    item = reading.one(found["what"])
    if item is not None:
        reading.move(item.id, 1)


def _place(reading: Reading, found: re.Match[str]) -> None:
    item = reading.one(found["what"])
    if item is not None:
        reading.move(item.id, int(found["n"]))


def _beside(reading: Reading, found: re.Match[str]) -> None:
    item, other = reading.one(found["what"]), reading.one(found["other"])
    if item is None or other is None or item.id == other.id:
        return
    at, target = reading.order.index(item.id) + 1, reading.order.index(other.id) + 1
    before = found["side"].lower() == "before"
    reading.move(item.id, target - (at < target) if before else target + (at > target))


def _towards(reading: Reading, found: re.Match[str]) -> None:
    item, where = reading.one(found["what"]), found["where"].lower()
    if item is None:
        return
    at = reading.order.index(item.id) + 1
    if where in ("last", "end", "bottom", "back"):
        reading.move(item.id, len(reading.order))
    elif where in ("up", "down"):
        reading.move(item.id, min(max(1, at + (1 if where == "down" else -1)), len(reading.order)))
    else:
        reading.move(item.id, 1)


def _retype(reading: Reading, found: re.Match[str]) -> None:
    item = reading.one(found["what"])
    if item is None:
        return
    kind = _TYPES[found["type"].lower()]
    if reading.types[item.id] is kind:
        reading.stands(f"“{sayable(item.topic, 120)}” is for {kind.value} already")
    else:
        reading.types[item.id] = kind
        reading.wish("set_type", item_id=item.id, type=kind.value)


def _retime(reading: Reading, found: re.Match[str]) -> None:
    item = reading.one(found["what"])
    if item is not None:
        reading.plan(item.id, _count(found["minutes"]))


def _more(reading: Reading, found: re.Match[str]) -> None:
    _by(reading, found, 1)


def _less(reading: Reading, found: re.Match[str]) -> None:
    _by(reading, found, -1)


def _by(reading: Reading, found: re.Match[str], sign: int) -> None:
    item = reading.one(found["what"])
    if item is None:
        return
    before = reading.minutes[item.id]
    step = _count(found["minutes"]) if found.groupdict().get("minutes") else 5
    reading.plan(item.id, min(MAX_MINUTES, before + step) if sign > 0 else max(1, before - min(step, before * 2 // 3)))


def _count(text: str) -> int:
    return _COUNTS[text.lower()] if text.lower() in _COUNTS else int(text)


def _remove(reading: Reading, found: re.Match[str]) -> None:
    for part in re.split(r"\s+and\s+(?=(?:item|the|number|agenda-\d+)\b)|\s*,\s*", found["what"]):
        item = reading.one(part)
        if item is not None:
            reading.remove(item.id)


def _focus(reading: Reading, found: re.Match[str]) -> None:
    what = reading.text(found["what"])
    items = reading.known(what)
    if len(items) > 1:
        reading.wishes.unclear.append(sayable(what, 80))
    elif items:
        if reading.order[0] != items[0].id:
            reading.move(items[0].id, 1)
        reading.plan(items[0].id, min(MAX_MINUTES, reading.minutes[items[0].id] + 10))
    else:
        _new(reading, what, ItemType.DISCUSSION, place=1)


# -- a new item --------------------------------------------------------------------------------------------------------------

_ABOUT = re.compile(
    r"\A(?:(?:an?|another|one more|the)\s+)?(?:new\s+)?(?:(?:agenda\s+)?(?:item|point|topic)s?|something)\s*"
    r"(?:(?:on|about|for|regarding|concerning|to discuss|called|titled|named)\b|:)?\s*",
    re.IGNORECASE,
)
_AS = re.compile(rf"\s+(?:as|for)\s+(?:an?\s+)?{_NAMED['type']}(?:\s+item)?\b", re.IGNORECASE)
_FOR_MINUTES = re.compile(rf"\s*[,(]?\s*(?:for|with|at)?\s*\b{_NAMED['min']}\)?\Z", re.IGNORECASE)
_A_TIME = re.compile(r"\d\s*-?m|min|hour", re.IGNORECASE)
_AT = re.compile(
    r"\s+(?:as\s+(?:the\s+)?(?P<first>first)(?:\s+(?:item|point))?|(?P<top>first|at the (?:top|start|beginning|front))|"
    r"at the (?:end|bottom)|(?:as|at|in)\s+(?:place|position|item|number)\s+(?P<n>\d{1,2}))\Z",
    re.IGNORECASE,
)
_GOAL = re.compile(r"(?:an?|the|my|another|our)?\s*(?:new\s+)?(?P<name>\S.*?)\s+goal", re.IGNORECASE)
_REVIEW = re.compile(r"(?:an?\s+|the\s+)?(?:review|progress|look back|retrospective)\b", re.IGNORECASE)
_SHOULD = re.compile(r"(?:the\s+question\s+(?:of\s+)?)?whether\s+(?P<who>i|we)\s+should\s+(?P<act>.+)", re.IGNORECASE)
_OUTCOMES = {
    ItemType.DECISION: "One step that the board can resolve, with a date.",
    ItemType.REVIEW: "Know how it goes, and whether anything has to change.",
    ItemType.DISCUSSION: "Know what the board thinks of it.",
    ItemType.INFORMATION: "Everybody knows the same.",
}


def _add(reading: Reading, found: re.Match[str]) -> None:
    what = found["what"]
    type_: ItemType | None = None
    minutes: int | None = None
    place: int | None = None
    for _ in range(3):  # they may stand in any order
        what = reading.without_tail(what)
        if at := _AT.search(what):
            place = int(at["n"]) if at["n"] else 1 if at["first"] or at["top"] else None
            what = what[: at.start()]
        if (timed := _FOR_MINUTES.search(what)) and _A_TIME.search(timed.group()):
            minutes, what = _count(timed["minutes"]), what[: timed.start()]
        if typed := _AS.search(what):
            type_, what = _TYPES[typed["type"].lower()], what[: typed.start()] + what[typed.end() :]
    _new(reading, what, type_, minutes, place)


def _talk_of(reading: Reading, found: re.Match[str]) -> None:
    what = reading.text(found["what"])
    known = reading.known(what)
    if known:
        reading.stands(f"“{sayable(known[0].topic, 160)}” is on the agenda already")
    else:
        _new(reading, what, ItemType.DISCUSSION)


def _new(reading: Reading, what: str, type_: ItemType | None, minutes: int | None = None, place: int | None = None) -> None:
    quoted = reading.quotation(what)
    about = sayable(quoted or reading.text(_ABOUT.sub("", what.strip())), MAX_TOPIC - 80).strip(" .,:;'’")
    if len(about) < 2:
        reading.wishes.unclear.append(sayable(reading.text(what), 80) or "it")
        return
    type_ = type_ or (ItemType.REVIEW if _REVIEW.match(about) else ItemType.DECISION)
    fields: dict[str, Any] = {
        "topic": capital(about) if quoted else _topic(about),
        "type": type_.value,
        "description": f"Asked for by the shareholder: {sayable(reading.message, 400)}",
        "desired_outcome": _OUTCOMES[type_],
    }
    if minutes is not None and minutes != MINUTES_BY_TYPE[type_]:
        fields["time_minutes"] = minutes
    if place is not None:
        fields["place"] = place
    reading.wish("add", **fields)


def _topic(about: str) -> str:
    """What is asked for, as a topic of an agenda: the words of the person, who is "I" there."""
    if goal := _GOAL.fullmatch(about):
        return f"Should I set a goal for {goal['name']}?"
    if asked := _SHOULD.fullmatch(about):
        return f"Should {'I' if asked['who'].lower() == 'i' else 'we'} {asked['act']}?"
    return capital(re.sub(r"\A(?:an?|the)\s+", "", about, flags=re.IGNORECASE))


RULES: tuple[tuple[re.Pattern[str], Act], ...] = (
    _rule(r"(?:make|keep|cut) <all> (?:a bit |a little )?(?:shorter|short|briefer|quicker|tighter|down)", _shorter),
    _rule(r"shorten <all>|shorter|keep it short|less time", _shorter),
    _rule(r"(?:the agenda|it|this|the meeting) (?:is|takes|looks|feels) (?:far |much |way )?too long", _shorter),
    _rule(r"make <all> (?:a bit |a little )?longer|lengthen <all>", _longer),
    _rule(r"(?:(?:make|keep) it )?(?:(?:to )?(?:only|just|at most) )?<place> items(?: only| at most)?", _fewer),
    _rule(r"fewer items|(?:there are )?too many items|cut (?:it|the agenda) down", _fewer),
    _rule(r"(?:rename|retitle|reword|call) <what>(?: to| as| into|:)? ?<quoted>", _rename),
    _rule(r"(?:rename|retitle|reword) <what> (?:to|as|into) <topic>", _rename),
    _rule(r"change (?:the )?(?:title|topic|name) of <what> (?:to|into) <topic>", _rename),
    _rule(r"swap <what> (?:and|with|for) <other>", _swap),
    _rule(r"(?:put|move|bring|take|place|schedule) <what> (?P<side>before|after) <other>", _beside),
    _rule(r"(?:put|move|bring|make) <what> (?:to|at|in|into|as) (?:the )?(?:place|position|number|spot|item) ?<place>", _place),
    _rule(r"(?:put|move|bring|place|take|make|set) <what> (?:at |as )?<where>", _towards),
    _rule(r"(?:start|begin) with <what>", _front),
    _rule(r"<it> (?:should (?:come|go|be) |goes |comes |must (?:come|go|be) )?(?P<where>first|last)", _towards),
    _rule(r"(?:make|turn|change|mark|set) <what> (?:into |to |as |be )?(?:an? )?(?:item )?(?:for )?<type>(?: item)?", _retype),
    _rule(r"<it> (?:should|must|could|needs to|has to|ought to) be (?:an? |for )?<type>(?: item)?", _retype),
    _rule(r"(?:give|allot|allow|reserve) <what> (?:<min> )?more(?: time| minutes)?", _more),
    _rule(r"(?:give|allot|allow|reserve) <what> <min> (?:more|longer)", _more),
    _rule(r"(?:give|allot|allow|reserve) <what> (?:<min> )?less(?: time| minutes)?", _less),
    _rule(r"(?:give|allot|allow|reserve) <what> <min> less", _less),
    _rule(
        r"(?:give|set|allot|allow|plan|make|reserve|change|cut|shorten|extend) <what> (?:to |for |at )?<min>(?: long)?", _retime
    ),
    _rule(r"(?:plan|reserve|spend|set|allow) <min> (?:for|on|to) <what>", _retime),
    _rule(r"(?:only |no more than )?<min> (?:for|on|to) <what>", _retime),
    _rule(r"<it> (?:should (?:get|have|take)|needs?|gets|deserves|takes) <min>", _retime),
    _rule(r"(?:spend )?more time (?:for|on|to|with) <what>", _more),
    _rule(r"(?:spend )?less time (?:for|on|to|with) <what>", _less),
    _rule(r"make <what> longer", _more),
    _rule(r"make <what> shorter", _less),
    _rule(r"(?:lengthen|extend) <what>", _more),
    _rule(r"shorten <what>", _less),
    _rule(r"<it> is (?:far |much )?too long", _less),
    _rule(r"<it> is (?:far |much )?too short", _more),
    _rule(r"(?:focus|concentrate) (?:more |only |mainly )?on <what>", _focus),
    _rule(r"(?:remove|drop|delete|strike|scrap|skip|leave out|cut out|cut|take (?:off|out|away)|get rid of) <what>", _remove),
    _rule(r"(?:take|leave|cut|strike) <what> (?:off|out|away)", _remove),
    _rule(r"(?:add|include|insert|schedule|put (?:in|on)|bring in|put) <rest>", _add),
    _rule(r"(?:discuss|talk (?:about|of|over)) <rest>", _talk_of),
)
