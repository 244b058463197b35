"""Is what a summary says on the record? Votes, ends, figures, dates and names, sentence by sentence (issue 4, 5).

A check looks for what a sentence *claims* and compares it with the record; what it cannot tie to anything is a problem too,
where it is a figure, a date or a person. It errs towards asking again: the fallback is written by code and always true.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from parliament.deadlines import read_deadline
from parliament.export import deciding_ballot
from parliament.record import BallotRecord, MeetingRecord, MotionRecord, ResolutionRecord
from parliament.summary import Summary, motion_of, texts_of
from parliament.values import Disposition, ItemStatus, Vote

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|"
    "oct|nov|dec"
)
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_WORDS = {
    word: str(number)
    for number, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2
    )
} | {
    "dozen": "12",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "ninety": "90",
}
_ONE = "one|" + "|".join(_WORDS)
_TALLY = re.compile(
    rf"\b(\d+|zero|{_ONE})\s*(?:[-–—:]|to|against|versus|vs\.?)\s*(\d+|zero|nil|none|{_ONE})\b(?!\s*(?:am|pm|%))", re.I
)
_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})(?:T[\d:.+Z-]*)?\b")
_DATE = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTHS})\b\.?(?:,?\s+(\d{{4}}))?"
    rf"|({_MONTHS})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?)",
    re.I,
)
_MONTH = re.compile(rf"\b({_MONTHS})\b(?:\s+(\d{{4}}))?", re.I)
_WEEKDAY = re.compile(rf"\b({_WEEKDAYS})s?\b", re.I)
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}\b|\b\d{1,2}\s*[ap]\.?m\b", re.I)
_NUMBER = re.compile(rf"(?<![\w.])([$€£]?)\s?(\d+(?:[.,]\d+)*|{'|'.join(_WORDS)})(?!\w)\s*(%|percent\b|per cent\b)?", re.I)
_NOUN = re.compile(r"\s*(?:-\s*)?([A-Za-z]+)(?:\s+([A-Za-z]+))?")
_UNANIMOUS = re.compile(
    r"\bunanimous(?:ly)?\b|\bwithout (?:a )?(?:dissent|opposition)\b|\bno(?:body| one) (?:dissented|opposed)", re.I
)
_ENDS: tuple[tuple[re.Pattern[str], frozenset[Disposition]], ...] = (
    (
        re.compile(r"\b(?:adopted|approved|passed|carried|agreed to|resolved to|decided to|endorsed)\b", re.I),
        frozenset({Disposition.ADOPTED}),
    ),
    (
        re.compile(r"\b(?:lost|defeated|failed|voted down|rejected|turned down|declined)\b", re.I),
        frozenset({Disposition.LOST, Disposition.TIED}),
    ),
    (re.compile(r"\b(?:tied|a tie)\b", re.I), frozenset({Disposition.TIED})),
    (
        re.compile(r"\b(?:tabled|laid on the table|put off|postponed|deferred)\b", re.I),
        frozenset({Disposition.TABLED, Disposition.POSTPONED}),
    ),
    (re.compile(r"\bwithdr(?:awn|ew)\b", re.I), frozenset({Disposition.WITHDRAWN})),
    (re.compile(r"\b(?:not seconded|no second|want of a second)\b", re.I), frozenset({Disposition.UNSECONDED})),
)
_ADOPTED_SO_MANY = re.compile(
    rf"\b(?:adopted|approved|passed|carried)\s+(\d+|no|{_ONE})\s+(?:\w+\s+)?(?:resolution|motion|decision|measure)s?\b", re.I
)
_NOT = re.compile(r"\b(?:not|never|no|nothing|none|neither)\b[^.;,]{0,24}$", re.I)
_ACTS = re.compile(
    r"\b(?:(?P<moved>moved|proposed|introduced the motion)|(?P<second>seconded)|(?P<against>dissent(?:ed|ing|s)?|voted against|"
    r"opposed|objected)|(?P<for>voted (?:for|in favou?r)|supported it|backed it)|(?P<abstain>abstain(?:ed|ing)))\b",
    re.I,
)
_PERSON = re.compile(r"\b([A-Z][a-z]+(?:\s+(?:da|de|von|van)\b)?(?:\s+[A-Z][a-z]+)+)\b")
_FILLERS = (
    "the a an of to in on for and or shall should that this with by be is are was were it its at from as not no resolved "
    "shareholder board motion resolution item meeting adopted approved lost tabled vote voted votes"
)
_STOP = frozenset(_FILLERS.split())
_GRAMMAR = "the a an of to in on for and or that this with by be is are was were it its at from as not no"
_SMALL = frozenset(_GRAMMAR.split())


@dataclass
class _Facts:
    """What the record bears out."""

    record: MeetingRecord
    texts: str
    numbers: set[str] = field(default_factory=set)
    by_noun: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    dates: set[date] = field(default_factory=set)
    weekdays: set[str] = field(default_factory=set)
    months: set[tuple[int, int | None]] = field(default_factory=set)


def check_summary(summary: Summary, record: MeetingRecord, speeches: Iterable[str] = ()) -> tuple[str, ...]:
    """What the record does not bear out, a sentence each; empty when all that is claimed is on it.

    `speeches`: the transcript's words, from which a summary may take figures, dates and names too.
    """
    facts = _facts(record, list(speeches))
    found: dict[str, None] = {}
    for text in summary.sentences:
        for sentence in re.split(r"(?<=[.!?;])\s+", text):
            for problem in _problems(sentence, facts):
                found.setdefault(problem)
    return tuple(found)


def problem_text(problems: Iterable[str], most: int = 12) -> str:
    """The problems as the secretary is told of them, when it is asked again."""
    return " ".join(list(problems)[:most])


def _problems(sentence: str, facts: _Facts) -> Iterable[str]:
    about = _about(sentence, facts.record)
    rest, problems = _votes(sentence, about, facts)
    yield from problems
    yield from _ended(sentence, about, facts.record)
    yield from _people(sentence, about, facts)
    rest, problems = _dates(rest, facts)
    yield from problems
    yield from _figures(rest, facts)


# -- what a sentence is about ------------------------------------------------------------------------------------------


def _about(sentence: str, record: MeetingRecord) -> list[ResolutionRecord]:
    """The resolutions that a sentence speaks of: those whose topics share the most telling words with it."""
    words = _telling(sentence)
    scores = {}
    for resolution in record.resolutions:
        topic = _telling(resolution.topic)
        if topic and (shared := topic & words):
            scores[resolution.id] = len(shared) / len(topic)
    best = max(scores.values(), default=0.0)
    if best < 0.34:
        return []
    return [one for one in record.resolutions if scores.get(one.id, 0.0) >= best - 1e-9]


def _telling(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 2 and word not in _STOP}


# -- votes and ends ----------------------------------------------------------------------------------------------------


def _tally(motion: MotionRecord) -> tuple[int, int] | None:
    ballot = deciding_ballot(motion)
    if ballot is None:
        return None
    votes = list(ballot.votes.values())
    return votes.count(Vote.FOR), votes.count(Vote.AGAINST)


def _ballots(motion: MotionRecord) -> list[BallotRecord]:
    return [*motion.ballots, *(ballot for amendment in motion.amendments for ballot in amendment.ballots)]


def _votes(sentence: str, about: list[ResolutionRecord], facts: _Facts) -> tuple[str, list[str]]:
    """Tallies and unanimity; the sentence without them."""
    record = facts.record
    motions = [m for one in (about or record.resolutions) if (m := motion_of(record, one)) is not None]
    tallies = {tally for motion in motions if (tally := _tally(motion)) is not None}
    if not about or re.search(r"\bamend", sentence, re.I):
        tallies |= {
            (votes.count(Vote.FOR), votes.count(Vote.AGAINST))
            for motion in record.motions
            for ballot in _ballots(motion)
            for votes in [list(ballot.votes.values())]
        }
    problems = []

    def told(match: re.Match[str]) -> str:
        pair = (_value(match[1]), _value(match[2]))
        if pair in tallies or ((pair[1], pair[0]) in tallies and _lost(motions)):
            return " "
        if _spoken(match[0], facts) or not (tallies and _votish(sentence, match)):
            return match[0]  # "2 to 3 sessions" is no vote: its figures are looked at as figures
        shown = ", ".join(sorted(f"{a} to {b}" for a, b in tallies))
        problems.append(f"The vote was not {match[0].strip()}: by the record it was {shown}.")
        return " "

    rest = _TALLY.sub(told, sentence)
    if _UNANIMOUS.search(sentence):
        ballots = [deciding_ballot(motion) for motion in motions]
        if not any(
            ballot is not None and all(vote is Vote.FOR or vote is Vote.ABSENT for vote in ballot.votes.values())
            for ballot in ballots
        ) and not any(motion.by_consent for motion in motions):
            problems.append("No vote of which the sentence speaks was unanimous, by the record.")
    return rest, problems


def _lost(motions: list[MotionRecord]) -> bool:
    return any(motion.status is Disposition.LOST for motion in motions)


def _votish(sentence: str, match: re.Match[str]) -> bool:
    """Whether two figures stand for a vote: nothing is counted in them, and somebody votes or decides."""
    after = sentence[match.end() :]
    if re.match(r"\s+(?!(?:vote|for|on|in|with|and|against|but|majority|by|to)\b)[a-z]", after, re.I):
        return False
    near = sentence.lower()
    return any(
        word in near
        for word in (
            "vote",
            "adopt",
            "carried",
            "passed",
            "approved",
            "lost",
            "defeated",
            "rejected",
            "resolution",
            "motion",
            "board",
        )
    )


def _ended(sentence: str, about: list[ResolutionRecord], record: MeetingRecord) -> Iterable[str]:
    adopted = sum((m := motion_of(record, one)) is not None and m.status is Disposition.ADOPTED for one in record.resolutions)
    for match in _ADOPTED_SO_MANY.finditer(sentence):
        said = 0 if match[1].lower() == "no" else _value(match[1])
        if said != adopted:
            yield f"The board did not adopt {match[1]}: by the record it adopted {adopted}."
    if len(about) != 1:
        return
    motion = motion_of(record, about[0])
    if motion is None:
        return
    item = next((one for one in record.items if one.id == about[0].agenda_item_id), None)
    for pattern, ends in _ENDS:
        for match in pattern.finditer(sentence):
            if _NOT.search(sentence[: match.start()]) or _names_before(sentence[: match.start()], record):
                continue  # "was not adopted"; "Jobs declined"
            if motion.status not in ends and not (
                item is not None and item.status is ItemStatus.TABLED and Disposition.TABLED in ends
            ):
                if _amendment_ended(motion, ends) or re.search(r"\bamendment", sentence, re.I):
                    continue
                end = motion.status.value.replace("_", " ")
                yield f"“{match[0]}” is not how the motion on {about[0].topic!r} ended: by the record it is {end}."


def _amendment_ended(motion: MotionRecord, ends: frozenset[Disposition]) -> bool:
    return any(amendment.status in ends for amendment in motion.amendments)


def _names_before(text: str, record: MeetingRecord) -> bool:
    return any(re.search(rf"\b{re.escape(member.name.split()[-1])}\s*$", text) for member in record.members)


# -- people ------------------------------------------------------------------------------------------------------------


def _people(sentence: str, about: list[ResolutionRecord], facts: _Facts) -> Iterable[str]:
    record = facts.record
    known = {part.casefold() for member in record.members for part in (member.name, member.name.split()[-1], member.id)}
    for match in _PERSON.finditer(sentence):
        name = match[1]
        parts = name.split()
        while parts and not any(part.casefold() in known for part in parts) and match.start() == 0 and len(parts) > 2:
            parts = parts[1:]
        if name.casefold() in facts.texts or parts[-1].casefold() in known or " ".join(parts).casefold() in facts.texts:
            continue
        if re.fullmatch(rf"(?:{_MONTHS}|{_WEEKDAYS}).*", name, re.I) or all(part.casefold() in facts.texts for part in parts):
            continue
        yield f"{name} is nowhere on the record."
    motions = [m for one in (about or record.resolutions) if (m := motion_of(record, one)) is not None]
    if not motions:
        return
    for match in _ACTS.finditer(sentence):
        kind = match.lastgroup or ""
        if _NOT.search(sentence[: match.start()]):
            continue
        for member in _who(sentence, match, record):
            if not any(_did(kind, member, motion, record) for motion in motions):
                name = next(one.name for one in record.members if one.id == member)
                yield f"The record does not say of {name}: “{match[0]}”{_on(about)}."


def _who(sentence: str, match: re.Match[str], record: MeetingRecord) -> list[str]:
    """Whose act it is: those named after "by", else the names right before the verb, joined by "and" and commas."""
    after = re.match(r"\s+by\s+([^.;]{0,60})", sentence[match.end() :])
    if after is not None:
        named = _named(after[1].split(" and ")[0] if _ACTS.search(after[1]) else after[1], record)
        return named[:1] if named else []
    before = sentence[: match.start()]
    earlier = list(_ACTS.finditer(before))
    clause = before[earlier[-1].end() :] if earlier else before
    clause = re.split(r"[;:]|\bwhile\b|\bbut\b|\bthough\b|\bwhereas\b", clause)[-1]
    if re.search(r"\b(?:by|of|from|with|to|for|against)\s+[A-Z]\w+\s*$", clause):
        return []
    return _named(clause, record)


def _named(text: str, record: MeetingRecord) -> list[str]:
    found = []
    for member in record.members:
        if re.search(rf"\b(?:{re.escape(member.name)}|{re.escape(member.name.split()[-1])})\b", text):
            found.append((text.find(member.name.split()[-1]), member.id))
    return [member for _, member in sorted(found)]


def _did(kind: str, member: str, motion: MotionRecord, record: MeetingRecord) -> bool:
    votes = [ballot.votes.get(member) for ballot in motion.ballots]
    match kind:
        case "moved":
            return member == motion.proposed_by or any(member == amendment.mover for amendment in motion.amendments)
        case "second":
            return member == motion.seconded_by or any(member == amendment.seconder for amendment in motion.amendments)
        case "for":
            return Vote.FOR in votes
        case "abstain":
            return Vote.ABSTAIN in votes
    dissenting = {d.member_id for one in record.resolutions if one.motion_id == motion.id for d in one.dissents}
    return Vote.AGAINST in votes or member in dissenting


def _on(about: list[ResolutionRecord]) -> str:
    return f", on {about[0].topic!r}" if len(about) == 1 else ""


# -- dates and figures -------------------------------------------------------------------------------------------------


def _facts(record: MeetingRecord, speeches: list[str]) -> _Facts:
    texts = texts_of(record, speeches)
    facts = _Facts(record, "\n".join(texts).casefold())
    zone = ZoneInfo(record.zone)
    held = [
        datetime.fromisoformat(moment).astimezone(zone).date()
        for moment in (record.scheduled_start, record.created_at, record.started_at, record.completed_at)
        if moment
    ]
    facts.dates |= set(held)
    on = held[-1] if held else date(2000, 1, 1)
    for action in record.actions:
        if (due := read_deadline(action.deadline, on).due) is not None:
            facts.dates.add(due)
    for text in texts:
        rest = text
        for day in _days_in(rest, on):
            facts.dates.add(day)
        for month in _MONTH.finditer(rest):
            facts.months.add((_month(month[1]), int(month[2]) if month[2] else None))
        facts.weekdays |= {match[1].lower() for match in _WEEKDAY.finditer(rest)}
        _count_figures(_DATE.sub(" ", _ISO.sub(" ", rest)), facts)
    for day in facts.dates:
        facts.weekdays.add(f"{day:%A}".lower())
        facts.months |= {(day.month, day.year), (day.month, None)}
    _derived(record, facts)
    return facts


def _days_in(text: str, on: date) -> Iterable[date]:
    for match in _ISO.finditer(text):
        try:
            yield date.fromisoformat(match[1])
        except ValueError:
            continue
    for match in _DATE.finditer(text):
        if (day := _day(match, on)) is not None:
            yield day


def _day(match: re.Match[str], on: date) -> date | None:
    number, month, year = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
    words = f"{number} {month.rstrip('.')}" + (f" {year}" if year else "")
    return read_deadline(words, on).due


def _month(name: str) -> int:
    return ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].index(name[:3].lower()) + 1


def _dates(sentence: str, facts: _Facts) -> tuple[str, list[str]]:
    """Dates, months and weekdays; the sentence without them."""
    problems: list[str] = []
    on = max(facts.dates, default=date(2000, 1, 1))
    held = facts.record.completed_at or facts.record.created_at
    if held is not None:
        on = datetime.fromisoformat(held).astimezone(ZoneInfo(facts.record.zone)).date()

    def iso(match: re.Match[str]) -> str:
        if match[1] not in {day.isoformat() for day in facts.dates}:
            problems.append(f"The date {match[1]} is nowhere on the record.")
        return " "

    def spoken(match: re.Match[str]) -> str:
        day = _day(match, on)
        year = match[3] or match[6]
        same = {(d.month, d.day, d.year) if year else (d.month, d.day) for d in facts.dates}
        if day is None or ((day.month, day.day, day.year) if year else (day.month, day.day)) not in same:
            problems.append(f"The date “{match[0].strip()}” is nowhere on the record.")
        return " "

    rest = _DATE.sub(spoken, _ISO.sub(iso, sentence))
    for match in _MONTH.finditer(rest):
        if match[1] != match[1].capitalize() and match[1].lower() in ("may", "march", "mar", "sep", "dec", "jan"):
            continue  # the verb
        if match[1].lower() == "may" and match[2] is None:
            continue
        if (_month(match[1]), int(match[2]) if match[2] else None) not in facts.months:
            problems.append(f"“{match[0].strip()}” is nowhere on the record.")
    for match in _WEEKDAY.finditer(rest):
        if match[1].lower() not in facts.weekdays:
            problems.append(f"{match[1]} is nowhere on the record.")
    for match in _CLOCK.finditer(rest):
        if match[0].lower() not in facts.texts:
            problems.append(f"The time {match[0]} is nowhere on the record.")
    rest = _CLOCK.sub(" ", _MONTH.sub(" ", rest))
    return rest, problems


def _value(text: str) -> int:
    text = text.lower()
    if text in ("zero", "nil", "none"):
        return 0
    return int(_WORDS.get(text, "1" if text == "one" else text if text.isdigit() else "0"))


def _plain(number: str) -> str:
    """A figure without what separates thousands: 1,400 and 1400 are one, 7.0 and 7 too."""
    number = _WORDS.get(number.lower(), number)
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", number):
        number = re.sub(r"[.,]", "", number)
    number = number.replace(",", ".")
    return re.sub(r"\.0+$", "", number)


def _nouns(text: str, end: int) -> list[str]:
    """The words that a figure counts: the next two, without their endings."""
    match = _NOUN.match(text, end)
    if match is None:
        return []
    return [_stem(word) for word in match.groups() if word and word.lower() not in _SMALL]


def _stem(word: str) -> str:
    word = word.lower()
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")


def _count_figures(text: str, facts: _Facts) -> None:
    for match in _NUMBER.finditer(text):
        number = _plain(match[2])
        facts.numbers.add(number)
        unit = "%" if match[3] else match[1]
        if unit:
            facts.by_noun[unit].add(number)
        for noun in _nouns(text, match.end()):
            facts.by_noun[noun].add(number)


def _derived(record: MeetingRecord, facts: _Facts) -> None:
    """What code counts: members, items, motions, votes, minutes."""

    def add(number: float, *nouns: str) -> None:
        for noun in nouns:
            facts.by_noun[noun].add(str(round(number)))

    adopted = [one for one in record.resolutions if (m := motion_of(record, one)) and m.status is Disposition.ADOPTED]
    add(len(record.members), "member", "director", "voice", "seat", "persona")
    add(len(record.present), "member", "director", "voice", "present")
    add(sum(member.voting for member in record.members), "voter", "member")
    add(record.quorum, "quorum", "member")
    add(len(record.items), "item", "topic", "agenda", "question", "matter")
    add(len(record.motions), "motion")
    add(len(record.resolutions), "motion", "resolution", "question", "decision", "matter")
    add(len(adopted), "resolution", "motion", "decision", "measure", "item")
    add(len(record.resolutions) - len(adopted), "motion", "resolution", "item")
    add(sum(len(motion.amendments) for motion in record.motions), "amendment")
    add(sum(len(one.dissents) for one in record.resolutions), "dissent", "member")
    add(len(record.actions), "action", "item", "task", "step")
    for resolution in record.resolutions:
        add(len([a for a in record.actions if a.resolution_id == resolution.id]), "action", "item", "task", "step")
        add(len(resolution.dissents), "dissent", "member")
    for status in ItemStatus:
        add(sum(item.status is status for item in record.items), "item", "topic", "matter")
    add(sum(item.time_minutes for item in record.items), "minute", "planned")
    add(sum(item.active_seconds or 0 for item in record.items) / 60, "minute")
    for item in record.items:
        add(item.time_minutes, "minute")
        add((item.active_seconds or 0) / 60, "minute")
    for motion in record.motions:
        for ballot in _ballots(motion):
            for vote in Vote:
                count = list(ballot.votes.values()).count(vote)
                add(count, "vote", "member", vote.value.lower(), "director", "voice", "abstention", "ballot")


def _figures(sentence: str, facts: _Facts) -> Iterable[str]:
    for match in _NUMBER.finditer(sentence):
        number = _plain(match[2])
        unit = "%" if match[3] else match[1]
        nouns = _nouns(sentence, match.end())
        if unit:
            fine = number in facts.by_noun.get(unit, ())
        else:
            counted = [noun for noun in nouns if noun in facts.by_noun]
            # A figure that counts something the record counts too must be one of the record's for it.
            fine = number in facts.by_noun[counted[0]] if counted else number in facts.numbers
        if not fine:
            yield f"The figure “{match[0].strip()}{' ' + nouns[0] if nouns else ''}” is nowhere on the record."


def _spoken(text: str, facts: _Facts) -> bool:
    return text.strip().casefold() in facts.texts
