"""An agenda out of a board book: three to five items that quote it, the most pressing first.

What presses comes from the brief, as phrases whose beginnings say what they are (activities.book writes them); a brief without
them is read out of the book itself. Each item names its figures and carries the question that the chairman's lens asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from parliament.agenda import MAX_TOPIC, MINUTES_BY_TYPE
from parliament.values import ItemType
from voices.base import AgendaBrief, ItemBrief
from voices.simulated.chance import pick
from voices.simulated.domains import GENERAL
from voices.simulated.grammar import capital, is_verb, listed, lower_first
from voices.simulated.matter import fill_topic
from voices.simulated.personas import persona_of
from voices.simulated.preparing.book import Noted, ReadBook, content_words, read_book
from voices.simulated.topic import analyse, sayable
from voices.whispers import part

LEAST, MOST = 3, 5

_ASKS = re.compile(r"\?|\b(?:answer|decide|decision|offer(?:ed)?|whether|should|due|deadline|choose|accept)\b", re.IGNORECASE)
_DUE = re.compile(r"\b(?:answer|due|deadline|by|until)\b[^.]{0,60}\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Matter:
    """One thing that could be an item. `kind` groups what belongs together; `about` is what it is about."""

    kind: str
    about: str
    phrase: str = ""


_PREFIXES = {
    "Goal off track: ": "drifting",
    "Overdue since ": "overdue",
    "Waiting for an answer: ": "waiting",
    "From the table: ": "tabled",
    "Decisions that contradict each other: ": "opposed",
    "Nothing moves: ": "still",
    "Back again after ": "back",
    "Data out of date: ": "stale",
    "Goal review: ": "goal",
}


def drafted(brief: AgendaBrief) -> list[dict[str, Any]]:
    """The items of a first draft, as the wire form has them: LEAST to MOST. A pure function of the brief."""
    book = read_book(brief.board_book)
    general = _general(brief, book)
    asked = [general[0]] if general[0]["topic"].endswith("?") and sayable(brief.meeting_name).endswith("?") else []
    wanted = [*asked, *(_BY_KIND[group[0].kind](brief, book, group) for group in _chosen(_matters(brief, book)))]
    items: list[dict[str, Any]] = []
    for n, item in enumerate([*wanted, *general]):
        room = MOST if n < len(wanted) else LEAST
        fresh = all(item["topic"].casefold() != other["topic"].casefold() for other in items)
        # A topic that begins like a whisper ("thinking: …") would be read as one.
        if len(items) < room and fresh and part(item["topic"], speaking=True).speech == item["topic"]:
            items.append(item)
    return items


def _matters(brief: AgendaBrief, book: ReadBook) -> list[Matter]:
    found = [_read(phrase) for phrase in brief.topics] or list(_from_book(book))
    found += [Matter("note" if _ASKS.search(noted.text) else "thought", noted.heading, noted.text) for noted in book.notes()]
    return found


def _read(phrase: str) -> Matter:
    for prefix, kind in _PREFIXES.items():
        if phrase.startswith(prefix):
            about = phrase.removeprefix(prefix)
            return Matter(kind, about.partition(": ")[2] or about if kind in ("overdue", "back") else about, phrase)
    if " in the raw data" in phrase:
        return Matter("finding", phrase.partition(":")[0], phrase)
    return Matter("pattern" if ": " in phrase else "plain", phrase.partition(":")[0], phrase)


def _from_book(book: ReadBook) -> Iterator[Matter]:
    """What presses, read out of the book's own sections."""
    off = [line[2:].partition(": ")[0] for line in book.section("goals off track") if ": " in line]
    yield from (Matter("drifting", title, f"Goal off track: {title}") for title in off)
    for line in book.section("check of the views"):
        if line.startswith("- Disagreement: "):
            yield Matter("finding", _subject(line), line.removeprefix("- Disagreement: "))
    for line in book.section("open action items"):
        if "OVERDUE since" in line:
            yield Matter("overdue", line.rpartition(": ")[2], line[2:])
    for line in book.section("resolutions that wait"):
        yield Matter("waiting", line.partition(", ")[2].partition(":")[0].partition(", since")[0], line[2:])
    for line in book.section("tabled items"):
        yield Matter("tabled", re.split(r" \(agenda-", line[2:])[0], line[2:])
    yield from (Matter("goal", title, f"Goal review: {title}") for title in book.goals() if title not in off)


def _subject(line: str) -> str:
    found = re.search(r"says \S+ (\w+)", line)
    return capital(found[1]) if found else "The figures"


def _chosen(matters: list[Matter]) -> list[list[Matter]]:
    """At most MOST groups. A disagreement of figures and a note with a question in it always get a place; what is of one
    kind and weighs little goes together; a pattern that belongs to a goal's field is told there."""
    groups: list[list[Matter]] = []
    by_kind: dict[str, list[Matter]] = {}
    fields = [content_words(m.about) for m in matters if m.kind == "drifting"]
    for matter in matters:
        if matter.kind == "pattern" and any(content_words(matter.about) & field for field in fields):
            continue
        if matter.kind in ("goal", "stale", "finding", "waiting") and matter.kind in by_kind:
            by_kind[matter.kind].append(matter)
            continue
        group = [matter]
        by_kind.setdefault(matter.kind, group)
        groups.append(group)
    weight = {
        "finding": 0,
        "note": 1,
        "drifting": 1,
        "overdue": 2,
        "waiting": 2,
        "opposed": 2,
        "still": 3,
        "tabled": 3,
        "plain": 3,
        "pattern": 4,
        "back": 4,
        "goal": 5,
    }
    seen: dict[str, int] = {}

    def rank(group: list[Matter]) -> tuple[int, int]:
        kind = group[0].kind
        n = seen[kind] = seen.get(kind, 0) + 1
        return (weight.get(kind, 6) + (n - 1) * 2, groups.index(group))

    kept = sorted(groups, key=rank)[:MOST]
    return sorted(kept, key=lambda group: (group[0].kind in ("goal", "stale", "thought"), groups.index(group)))


# -- one item of each kind -------------------------------------------------------------------------------------------------


def item_of(
    brief: AgendaBrief, type_: ItemType, topic: str, told: list[str], outcome: str, question: str | None = None
) -> dict[str, Any]:
    """An item in its wire form; `told` are sentences, and a question comes after them: by default the chairman's lens asks."""
    topic = sayable(topic, MAX_TOPIC - 20)
    sentences = [f"{text.rstrip(' .')}." if text[-1:] not in "?!" else text for text in told if text]
    return {
        "topic": topic,
        "type": type_.value,
        "time_minutes": MINUTES_BY_TYPE[type_],
        "description": " ".join([*sentences, question_on(brief, topic) if question is None else question]).strip(),
        "desired_outcome": f"{capital(outcome)}.",
    }


def question_on(brief: AgendaBrief, topic: str) -> str:
    """What somebody with the chairman's lens would ask about it; nothing where the field of it is not known."""
    about = analyse(ItemBrief("agenda-1", topic, ItemType.DECISION, 15))
    if about.domain is GENERAL:
        return ""
    return fill_topic(about.domain.by_lens("questions", persona_of(brief.chairman).lens), about)


def _quote(book: ReadBook, about: str, but: str = "") -> str:
    line = book.line_about(about, but=but)
    return f"The board book has: {line}" if line else ""


def _long(day: str) -> str:
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return ""
    return f"{found.day} {found:%B} {found.year}"


def _reaching(title: str) -> str:
    """A goal's title as something one does."""
    first = title.split(" ", 1)[0]
    return lower_first(title) if is_verb(first) else f"reach {lower_first(title)}"


def _drifting(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    title = sayable(group[0].about, 200)
    goal = book.goal(group[0].about)
    by = f" by {_long(goal.due)}" if _long(goal.due) else ""
    topic = f"How do I {_reaching(title)}{by}?"
    told = [f"The board book has this goal off track{': ' + goal.reasons if goal.reasons else ''}"]
    told.append(f"Why it was set: {goal.why}" if goal.why else "" if goal.reasons else _quote(book, title))
    outcome = pick(
        (
            "a resolution on the one thing that changes, with a date",
            "decide what is done differently from now on, or lower the goal with open eyes",
            "a motion that says what is left undone so that this is done",
        ),
        brief.seed,
        title,
        "outcome",
    )
    return item_of(brief, ItemType.DECISION, topic, told, outcome)


def _finding(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    names = [sayable(m.about, 60) for m in group]
    lines = [line.removeprefix("- Disagreement: ") for line in book.section("check of the views") if "Disagreement" in line]
    told = ["Two sources disagree" + (" in more than one place" if len(group) > 1 else "")]
    for matter in group[:4]:
        words = content_words(matter.about)
        exact = next((line for line in lines if words & content_words(line)), "")
        told.append(sayable(exact or matter.phrase, 300))
    return item_of(
        brief,
        ItemType.REVIEW,
        f"{listed(list(dict.fromkeys(names))[:3])}: which figure is right",
        told,
        "know which figure stands, and have the other one mended before anything is built on it",
        "How did they come apart?",
    )


def _overdue(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    task = sayable(group[0].about, 200)
    since = re.search(r"(?:Overdue|OVERDUE) since (\d{4}-\d{2}-\d{2})", group[0].phrase)
    when = f" since {_long(since[1])}" if since and _long(since[1]) else ""
    return item_of(
        brief,
        ItemType.DECISION,
        f"Should I finish this or let it go: {lower_first(task).rstrip('.')}?",
        [f"This action item has been overdue{when}", _quote(book, task, but=group[0].phrase)],
        "done by a new date that is meant, or struck off",
    )


def _waiting(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    names = [sayable(m.about, 120) for m in group]
    what = "Resolutions of the board still wait" if len(group) > 1 else "A resolution of the board still waits"
    return item_of(
        brief,
        ItemType.REVIEW,
        f"What waits for my answer: {listed(names[:3])}",
        [f"{what} for an answer: {listed(names)}", _quote(book, names[0])],
        "an answer, or what holds it back",
    )


def _opposed(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    about = sayable(group[0].about, 300)
    said = next((line[2:] for line in book.section("decisions that contradict") if line[2:].startswith(group[0].about)), "")
    return item_of(
        brief,
        ItemType.DECISION,
        f"Which of two decisions stands: {lower_first(about)}?",
        ["The board has decided this twice, in opposite ways", sayable(said, 600)],
        "one decision stands, and the other is given up by name",
    )


def _still(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    about = _bare(sayable(group[0].about, 300))
    return item_of(
        brief,
        ItemType.REVIEW,
        f"Why nothing moves: {lower_first(about)}",
        ["For a month nothing has moved on this resolution", _quote(book, about)],
        "the next step with a date, or the resolution given up",
    )


_ASKED = re.compile(r"^(?:what keeps bringing this back|why nothing moves|which of two decisions stands):\s*", re.IGNORECASE)
"""How items of earlier meetings began that were about a topic: the topic itself follows."""


def _bare(about: str) -> str:
    while (bare := _ASKED.sub("", about)) != about:
        about = bare
    return about


def _back(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    about = _bare(sayable(group[0].about, 300))
    return item_of(
        brief,
        ItemType.DISCUSSION,
        f"What keeps bringing this back: {lower_first(about)}",
        ["Several meetings have had this topic", _quote(book, about, but=group[0].phrase)],
        "know what would settle it",
    )


def _tabled(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    about = sayable(group[0].about, 300)
    return item_of(
        brief,
        ItemType.DECISION,
        about,
        ["An earlier meeting laid this on the table", _quote(book, about)],
        "take it up and decide it, or drop it for good",
    )


def _pattern(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    name, _, says = sayable(group[0].phrase, 240).partition(": ")
    return item_of(
        brief,
        ItemType.DISCUSSION,
        f"{name}: what the figures say" if says else name,
        [f"The figures show a pattern: {says}" if says else "", _quote(book, name, but=group[0].phrase)],
        "agree on what to watch, and from what figure on to act",
    )


def _stale(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    names = [sayable(m.about.rpartition("/")[2], 80) for m in group]
    return item_of(
        brief,
        ItemType.INFORMATION,
        f"Figures that are out of date: {listed(names[:4])}",
        ["A view of the board book is too old to go by" if len(names) == 1 else "Views of the board book are too old to go by"],
        "know what cannot be relied on",
        "",
    )


def _goals(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    titles = [sayable(m.about, 120) for m in group]
    told = []
    for matter, title in list(zip(group, titles, strict=True))[:4]:
        goal = book.goal(matter.about)
        told.append(f"{title}: {goal.facts}" if goal.facts else "")
    if len(group) == 1:
        topic = f"How it goes: {titles[0]}"
    else:
        topic = f"Progress of the other goals: {listed([lower_first(t) for t in titles[:3]])}"
    outcome = "know for each whether the pace will do" if len(group) > 1 else "know whether the pace will do"
    return item_of(brief, ItemType.REVIEW, topic, told, outcome, "" if len(group) > 1 else None)


def _note(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    noted = Noted(group[0].about, group[0].phrase)
    answer = re.search(r"\banswer\b", noted.text, re.IGNORECASE)
    deciding = group[0].kind == "note"
    asks = (
        ": what should I answer?"
        if answer and deciding
        else ": what should I decide?"
        if deciding
        else ": what do I make of it?"
    )
    sentences = re.split(r"(?<=[.!?])\s+", noted.text)
    dated = next((s for s in sentences if _DUE.search(s)), "")
    first = next((s for s in sentences if s.startswith(noted.heading[:40])), sentences[0])
    told = [f"The shareholder wrote: {first}", dated if dated != first else ""]
    return item_of(
        brief,
        ItemType.DECISION if deciding else ItemType.DISCUSSION,
        f"{noted.heading}{asks}",
        told,
        "an answer that can be given in one sentence, with its price"
        if deciding
        else "know whether there is anything to decide",
    )


def _plain(brief: AgendaBrief, book: ReadBook, group: list[Matter]) -> dict[str, Any]:
    about = sayable(group[0].phrase, 300)
    asks = analyse(ItemBrief("agenda-1", about, ItemType.DECISION, 15))
    type_ = ItemType.REVIEW if asks.kind.name == "REVIEW" else ItemType.DECISION
    return item_of(brief, type_, about, [_quote(book, about)], "one step, with a date")


_BY_KIND = {
    "drifting": _drifting,
    "finding": _finding,
    "overdue": _overdue,
    "waiting": _waiting,
    "tabled": _tabled,
    "opposed": _opposed,
    "still": _still,
    "back": _back,
    "pattern": _pattern,
    "stale": _stale,
    "goal": _goals,
    "note": _note,
    "thought": _note,
    "plain": _plain,
}


def _general(brief: AgendaBrief, book: ReadBook) -> list[dict[str, Any]]:
    """What any meeting can take up, in the words of its name."""
    name = sayable(brief.meeting_name, 160).rstrip(" .") or "the weeks ahead"
    missing = (
        "" if brief.board_book.strip() else "There is no board book for this meeting, so the board has only its name to go by"
    )
    checkin = next(iter(book.section("check-ins")), "")
    return [
        item_of(
            brief,
            ItemType.DECISION,
            name if name.endswith("?") else f"Should I settle the next step on this: {name}?",
            ["The meeting was called for it", missing],
            "one step, with a date",
        ),
        item_of(
            brief,
            ItemType.DISCUSSION,
            f"What stands in the way: {name.rstrip('?')}",
            [f"The last check-in says: {sayable(checkin[2:], 200)}" if checkin else "", missing],
            "the one obstacle that matters",
        ),
        item_of(
            brief,
            ItemType.REVIEW,
            f"How things stand: {name.rstrip('?')}",
            ["Where we are comes before where we go", missing],
            "a common picture of where things are",
        ),
    ]
