"""Motions, amendments and action items in form: who shall do what by when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from voices.base import Brief
from voices.simulated.chance import ordered, pick, roll
from voices.simulated.grammar import capital, number
from voices.simulated.lexicon import word_set
from voices.simulated.matter import fill_topic, matter_of
from voices.simulated.personas import persona_of
from voices.simulated.stance import Direction, leaning, meeting_leaning
from voices.simulated.topic import Kind, Topic

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DATE = re.compile(r"\b(\d{1,2}) (" + "|".join(_MONTHS) + r") (\d{4})\b")


def meeting_day(brief: Brief) -> date:
    try:
        return date.fromisoformat(brief.date[:10])
    except ValueError:
        return date(2026, 1, 1)


def long_date(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def dates_in(text: str) -> list[date]:
    found = []
    for day, month, year in _DATE.findall(text):
        try:
            found.append(date(int(year), _MONTHS.index(month) + 1, int(day)))
        except ValueError:
            continue
    return found


_DAY = "\0day\0"
_UNITS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "fortnight": 14, "month": 30, "months": 30}
_COUNTS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "twelve": 12, "fourteen": 14, "twenty-one": 21, "thirty": 30, "sixty": 60, "ninety": 90,
}  # fmt: skip
_DURATION = re.compile(
    r"\b(?:for|of|on each of|in|each)?\s*(a|[a-z]+(?:-one)?) (?:working |ordinary |full "
    r")?(days?|weeks?|fortnight|months?)\b"
)


def longest_duration(text: str) -> int:
    """Days that the longest time named in the text takes ("for six weeks"): a motion's date cannot lie before its end."""
    found = [_COUNTS[n] * _UNITS[unit] for n, unit in _DURATION.findall(text.lower()) if n in _COUNTS]
    return max([days for days in found if days <= 120], default=0)


def due(brief: Brief, topic: Topic, text: str = "") -> date:
    """The natural date of a motion on this topic, after whatever it says takes time; not on a Sunday."""
    days = topic.domain.days * pick((0.75, 1.0, 1.5), brief.seed, topic.asked, "due")
    named = longest_duration(re.sub(r"provided that [^,.]*", "", text))
    day = meeting_day(brief) + timedelta(days=max(round(days), named + 7 if named else 0))
    return day + timedelta(days=1) if day.weekday() == 6 else day


def bearing(brief: Brief, topic: Topic) -> Direction:
    """Which way the chair takes the board: where it leans; now and then where the chair itself leans."""
    if topic.kind in (Kind.HOW, Kind.REVIEW):
        return Direction.PLAN
    mean = meeting_leaning(brief, topic)
    if roll(brief.seed, topic.asked, "own mind") < 0.22:
        mean = leaning(brief, topic) * 0.8
    return Direction.GO if mean > 0.08 else Direction.HOLD if mean < -0.14 else Direction.TRIAL


def _steps(brief: Brief, topic: Topic) -> list[tuple[str, str]]:
    """(member name, step) of those who put a step forward in this item's discussion, then of the others."""
    said = " ".join(s.text.lower() for s in brief.transcript if brief.item and s.item_id == brief.item.id)
    members = ordered(list(brief.seated), brief.seed, topic.asked, "steps")
    steps = [(m.name, matter_of(brief, topic, m).step) for m in members]
    own = brief.member.name  # the mover serves the others' proposals first
    return sorted(steps, key=lambda pair: (pair[0] == own, pair[1].lower() not in said))


_LONG_HAUL = word_set(
    "learn study become train write read save improve practise practice lose gain run be live master grow raise"
)


_LATER = re.compile(rf"\b(?:20\d\d|next \w+|this year|in (?:{'|'.join(_MONTHS)})|before|until|by)\b")


@dataclass(frozen=True, slots=True)
class Draft:
    text: str
    way: Direction
    credits: tuple[str, ...]  # the members whose proposals stand in it


def draft(brief: Brief, topic: Topic) -> Draft:
    """A main motion on the item, in the form of source 000."""
    seed, day = brief.seed, _DAY
    way = bearing(brief, topic)
    steps = _steps(brief, topic)
    (who1, step1), (who2, step2) = steps[0], steps[1 % len(steps)]
    domain = topic.domain
    proviso = fill_topic(pick(domain.provisos, seed, topic.asked, "proviso"), topic)
    trial = fill_topic(pick(domain.trials, seed, topic.asked, "trial"), topic)
    measure = fill_topic(pick(domain.measures, seed, topic.asked, "measure"), topic)
    hold = fill_topic(pick(domain.hold, seed, topic.asked, "hold"), topic)
    actor, act = topic.actor, topic.act if len(topic.act) < 160 else topic.short
    if act.split(" ", 1)[0] in _LONG_HAUL or _LATER.search(act):
        act = f"commit to {topic.acting}"  # nobody learns a language by a date; one can take it up by one
    form = int(roll(seed, topic.asked, "form") * 3)
    dated = f"by {day}"
    instead = f" rather than {topic.other}" if topic.kind is Kind.CHOICE else ""
    aim = f"so as to {topic.short}" if topic.short.startswith("put ") else f"in order to {topic.short}"
    either = f" or {topic.other}" if topic.kind is Kind.CHOICE else ""
    credits: tuple[str, ...] = (who1,)
    if way is Direction.GO:
        body = (
            f"{act}{instead}, provided that {proviso}, and shall {step1} {dated}",
            f"{step1}{',' if ',' in step1 else ''} and, unless that speaks plainly against it, shall {act}{instead} {dated}",
            f"{act}{instead} {dated}, provided that {proviso}",
        )[form]
        credits = () if form == 2 else credits
    elif way is Direction.TRIAL:
        body = (
            f"{trial} before deciding on {topic.thing}, and shall report {measure} to the board {dated}",
            f"{step1}, shall {trial}, and shall decide whether to {topic.short}{either} {dated}",
            f"{trial}, and shall decide whether to {topic.short}{either} {dated}",
        )[form]
        credits = credits if form == 1 else ()
    elif way is Direction.HOLD and topic.kind is Kind.CHOICE:
        body = (
            f"{topic.other} rather than {topic.short}, and shall {step1} {dated}",
            f"{topic.other} rather than {topic.short} {dated}, provided that {proviso}",
            f"{topic.other} for the present rather than {topic.short}, and shall {hold} {dated}",
        )[form]
        credits = credits if form == 0 else ()
    elif way is Direction.HOLD:
        body = (
            f"not {act} for the present, but shall {hold} {dated}",
            f"{topic.other} for the present, shall {step1}, and shall bring {topic.thing} back to the board {dated}",
            f"not {topic.short} for the present, but shall {step1} and lay the result before the board {dated}",
        )[form]
        credits = () if form == 0 else credits
    elif topic.kind is Kind.REVIEW:
        body = f"{act} with one change, which is to {step1}, and shall report {measure} to the board {dated}"
    elif act.startswith("settle "):
        body = f"{step1}, shall {step2}, and shall {act} {dated}"
        credits = (who1, who2)
    else:
        body = (
            f"{step1}, shall {step2}, both {aim}, and shall report {measure} to the board {dated}",
            f"{step1}, {aim}, and shall report {measure} to the board {dated}",
            f", {aim}, {step1}, shall {step2}, and shall report {measure} to the board {dated}",
        )[form]
        credits = (who1, who2) if form != 1 else credits
    body = body.replace(_DAY, long_date(due(brief, topic, body)))
    # A date that follows an enumeration needs a comma to be read as belonging to the whole.
    body = (
        re.sub(r"(, [^,]*) by (\d{1,2} \w+ \d{4})$", r"\1, by \2", body) if body.rpartition(" shall ")[2].count(",") else body
    )
    return Draft(f"RESOLVED, That {actor} shall {body}.".replace(" shall , ", " shall, "), way, tuple(dict.fromkeys(credits)))


# -- amendments ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change:
    text: str
    summary: str


def amend(brief: Brief, topic: Topic, text: str) -> Change | None:
    """The amendment that this member would move to a motion of these words; None when it can think of none."""
    temper = persona_of(brief.member).temper
    wishes = sorted(
        (
            (abs(temper.pace), "pace"),
            (temper.measure, "measure"),
            (temper.strip, "strip"),
            (0.25, "step"),
        ),
        reverse=True,
    )
    for _, wish in wishes:
        change = {"pace": _move_date, "measure": _add_measure, "strip": _strike, "step": _add_step}[wish](brief, topic, text)
        if change is not None:
            return change
    return None


def _move_date(brief: Brief, topic: Topic, text: str) -> Change | None:
    days = [day for day in dates_in(text) if day > meeting_day(brief)]
    if not days:
        return None
    last, start = max(days), meeting_day(brief)
    span = (last - start).days
    if persona_of(brief.member).temper.pace > 0:
        if span < 6:
            return None
        new, how = start + timedelta(days=max(3, span // 2)), "brings the date forward"
    else:
        new, how = last + timedelta(days=max(7, span // 2)), "moves the date back"
    changed = text.replace(long_date(last), long_date(new))
    return Change(changed, f"{how} from {long_date(last)} to {long_date(new)}")


def _before_date(text: str, words: str) -> str:
    """Put words at the end of the motion's last sentence, as a duty of its own."""
    return f"{text.rstrip().rstrip('.')}{words}."


def _add_measure(brief: Brief, topic: Topic, text: str) -> Change | None:
    for measure in ordered(topic.domain.measures, brief.seed, brief.member.id, "measure"):
        measure = fill_topic(measure, topic)
        if measure.lower() not in text.lower():
            day = long_date(max([*dates_in(text), due(brief, topic)]) + timedelta(days=30))
            return Change(
                _before_date(text, f", and shall report {measure} to the board by {day}"),
                f"adds a measure: {measure}, reported by {day}",
            )
    return None


def _strike(brief: Brief, topic: Topic, text: str) -> Change | None:
    match = re.search(r",? provided that [^.]*?(?=, and shall|\.$)", text)
    if match is None:
        return None
    changed = re.sub(r"\s+", " ", text[: match.start()] + text[match.end() :])
    return Change(changed, f"strikes the condition that {match.group().split('provided that ', 1)[1]}")


def _add_step(brief: Brief, topic: Topic, text: str) -> Change | None:
    step = matter_of(brief, topic).step
    match = re.search(r"\bshall (?!not\b)", text)
    if step.lower() in text.lower() or match is None:
        return None
    return Change(f"{text[: match.end()]}first {step}, and shall {text[match.end() :]}", f"adds a first step: to {step}")


# -- action items -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    task: str
    owner: str
    deadline: str | None


def tasks_of(brief: Brief, text: str) -> list[Task]:
    """The duties that stand in an adopted motion, each as a task with a date; at most four."""
    body = re.sub(r"^RESOLVED, That ", "", text.strip()).rstrip(".")
    start = meeting_day(brief)
    end = max([day for day in dates_in(body) if day > start], default=start + timedelta(days=21))
    duties = re.split(r" shall,? ", body, maxsplit=1)[-1]
    tasks: list[Task] = []
    at = 0
    for part in re.split(r",?\s+(?:and|but)?\s*(?:,\s*)?(?:unless[^,]*,\s*)?shall\s+", duties):
        at += duties[at:].index(part)
        own, following = dates_in(part), dates_in(duties[at:])
        deadline = own[-1] if own else following[0] if following else end
        clause = re.sub(r",? (?:by|on) " + _DATE.pattern, "", part).strip(" ,")
        clause = re.sub(r",? effective immediately$", "", clause)
        main, _, condition = clause.partition("provided that ")
        if condition:
            half = start + (min(deadline, end) - start) / 2
            tasks.append(Task(f"Make sure that {condition.strip(' ,')}.", "shareholder", half.isoformat()))
        main = re.sub(r",? and, unless that speaks plainly against it$", "", main.strip(" ,"))
        main = re.sub(r"^first |^(?:in order|so as) to [^,]+, |,(?: both)? (?:in order|so as) to .+$", "", main)
        if main and not main.startswith("not "):
            tasks.append(Task(f"{capital(main)}.", "shareholder", deadline.isoformat()))
    if not tasks:
        tasks.append(
            Task("Keep to what was resolved, and say at the next meeting how it went.", "shareholder", end.isoformat())
        )
    return tasks[:4]


def span_in_words(brief: Brief, text: str) -> str:
    """How long until the motion's last date: "three weeks", "ten days"."""
    days = [(day - meeting_day(brief)).days for day in dates_in(text)]
    left = max(days, default=0)
    if left <= 0:
        return "no time at all"
    if left < 12:
        return f"{number(left)} days"
    return f"{number(round(left / 7))} weeks"
