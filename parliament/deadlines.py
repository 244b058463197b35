"""Reading a deadline as it was said, against the date on which it was said (issue 4, 3). Nothing is guessed.

The words become tokens, and a small grammar reads them from end to end: what is left over, is ambiguous or contradicts itself
makes the deadline `unread`, and its words are shown as they are. Weeks begin on Monday (ISO 8601).
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class DeadlineReading(StrEnum):
    """How the words of a deadline were read."""

    DATE = "date"  # a date with its year
    PHRASE = "phrase"  # words that mean one date, seen from the day they were said
    IMMEDIATELY = "immediately"
    NONE = "none"  # there is no deadline
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Deadline:
    """The original words, how they were read, and the last day that they allow. `due` is None for NONE and UNREAD."""

    words: str | None
    reading: DeadlineReading
    due: date | None = None


LONGEST = 120
"""Characters; more is a paragraph and no deadline."""

_TOKEN = re.compile(r"[a-z]+|[0-9]+|[-/.]")
_SHAPE = re.compile(r"[a-z0-9 ,.'/()-]*")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        1,
    )
    for name in names
}
_DAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"),
            ("tuesday", "tue", "tues"),
            ("wednesday", "wed"),
            ("thursday", "thu", "thur", "thurs"),
            ("friday", "fri"),
            ("saturday", "sat"),
            ("sunday", "sun"),
        )
    )
    for name in names
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
} | {"a": 1, "an": 1, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60, "ninety": 90}
_ORDINALS = {
    word: number
    for number, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"], 1
    )
}
_LEADING = {
    "by",
    "on",
    "until",
    "till",
    "before",
    "due",
    "no",
    "later",
    "than",
    "latest",
    "at",
    "the",
    "within",
    "in",
    "this",
    "of",
}

_IMMEDIATELY = frozenset(
    (
        "immediately",
        "effective immediately",
        "at once",
        "now",
        "right now",
        "right away",
        "straight away",
        "asap",
        "as soon as possible",
        "forthwith",
        "without delay",
        "today",
        "tonight",
        "by tonight",
        "by today",
        "by the end of today",
        "end of today",
        "end of day",
        "by end of day",
        "eod",
    )
)
_TODAY = frozenset(
    ("today", "tonight", "by tonight", "by today", "by the end of today", "end of today", "end of day", "by end of day", "eod")
)
_NONE = frozenset(
    ("", "none", "no deadline", "open", "open ended", "ongoing", "n a", "na", "tbd", "continuous", "continuously", "null")
)
_FEASTS = {
    ("christmas",): (12, 25),
    ("christmas", "day"): (12, 25),
    ("christmas", "eve"): (12, 24),
    ("new", "year"): (1, 1),
    ("new", "years"): (1, 1),
    ("new", "years", "day"): (1, 1),
    ("new", "years", "eve"): (12, 31),
}


def read_deadline(words: str | None, on: date) -> Deadline:
    """The deadline that these words set, said on that day (the meeting's, in its zone). Never raises.

    A date without a year is the next such date on or after `on`. "Friday" and "this Friday" are the first Friday after `on`
    (a weekday that `on` is means a week later), "next Friday" is the Friday of the calendar week after. "By the end of March"
    is its last day; "before Christmas" the day before it.
    """
    if words is None:
        return Deadline(None, DeadlineReading.NONE)
    text = " ".join(words.lower().split())
    if len(words) > LONGEST or not _SHAPE.fullmatch(text):
        return Deadline(words, DeadlineReading.UNREAD)
    plain = " ".join(re.findall(r"[a-z0-9]+", text.replace("'", "")))
    if plain in _NONE:
        return Deadline(words, DeadlineReading.NONE)
    if plain in _TODAY:
        return Deadline(words, DeadlineReading.PHRASE, on)
    if plain in _IMMEDIATELY:
        return Deadline(words, DeadlineReading.IMMEDIATELY, on)
    try:
        found = _Reader(_TOKEN.findall(text.replace("'", "").replace("(", " ").replace(")", " ")), on).read()
    except (ValueError, OverflowError):  # 31 February, the year 12026
        found = None
    if found is None:
        return Deadline(words, DeadlineReading.UNREAD)
    due, dated = found
    return Deadline(words, DeadlineReading.DATE if dated else DeadlineReading.PHRASE, due)


class _Reader:
    """Reads the tokens of one deadline from end to end, or not at all."""

    def __init__(self, tokens: list[str], on: date) -> None:
        self.tokens = [token for token in tokens if token != "."]
        self.on = on
        self.dated = False  # whether a year was said

    def read(self) -> tuple[date, bool] | None:
        tokens = self.tokens
        exclusive = tokens[:1] == ["before"]
        while tokens and tokens[0] in _LEADING and not self._starts(tokens):
            tokens = tokens[1:]
        if not tokens:
            return None
        due = self._whole(tokens)
        if due is None:
            return None
        return (due - timedelta(days=1) if exclusive else due), self.dated

    @staticmethod
    def _starts(tokens: list[str]) -> bool:
        """Whether the first word belongs to the phrase and does not only lead to it."""
        return len(tokens) > 1 and tokens[0] in ("this", "in", "within")

    def _whole(self, tokens: list[str]) -> date | None:
        readers: tuple[Callable[[list[str]], date | None], ...] = (
            self._numeric,
            self._tomorrow,
            self._feast,
            self._span,
            self._edge,
            self._weekday,
            self._calendar,
        )
        for reader in readers:
            found = reader(tokens)
            if found is not None:
                return found
        return None

    # -- dates in figures ----------------------------------------------------------------------------------------------

    def _numeric(self, tokens: list[str]) -> date | None:
        """2026-01-10, 2026-W03, 10/1/2026 where only one reading is a date, 10.01.2026 (day first, as dots are written)."""
        match tokens:
            case [year, "-", month, "-", day] if _year(year) and month.isdigit() and day.isdigit():
                self.dated = True
                return date(int(year), int(month), int(day))
            case [year, "-", "w", week] if _year(year) and week.isdigit():
                self.dated = True
                return date.fromisocalendar(int(year), int(week), 7)
            case [first, "/", second, "/", year] if first.isdigit() and second.isdigit() and _year(year):
                found = {
                    when
                    for day, month in ((int(first), int(second)), (int(second), int(first)))
                    if (when := _date(int(year), month, day)) is not None
                }
                self.dated = True
                return found.pop() if len(found) == 1 else None
            case [day, month, year] if day.isdigit() and month.isdigit() and _year(year):
                self.dated = True
                return _date(int(year), int(month), int(day))
        return None

    # -- words ---------------------------------------------------------------------------------------------------------

    def _tomorrow(self, tokens: list[str]) -> date | None:
        match tokens:
            case ["tomorrow"] | ["tomorrow", "morning" | "evening" | "night"]:
                return self.on + timedelta(days=1)
            case ["day", "after", "tomorrow"]:
                return self.on + timedelta(days=2)
            case ["this", "weekend"] | ["weekend"]:
                return self._next_weekday(6, same=True)
            case ["next", "weekend"]:
                return self._week_end(1)
        return None

    def _feast(self, tokens: list[str]) -> date | None:
        found = _FEASTS.get(tuple(tokens))
        return self._coming(*found) if found is not None else None

    def _span(self, tokens: list[str]) -> date | None:
        """in two weeks, within 30 days, two weeks from now, a month."""
        if tokens[0] in ("in", "within"):
            tokens = tokens[1:]
        elif tokens[-2:] == ["from", "now"] or tokens[-2:] == ["from", "today"]:
            tokens = tokens[:-2]
        else:
            return None
        if tokens[:1] == ["the"] and tokens[1:2] in (["next"], ["coming"]):
            tokens = tokens[2:]
        if len(tokens) == 1:
            tokens = ["a", *tokens]
        if len(tokens) != 2:
            return None
        count, unit = _number(tokens[0]), tokens[1].removesuffix("s")
        if count is None or count > 3660:
            return None
        match unit:
            case "day":
                return self.on + timedelta(days=count)
            case "week":
                return self.on + timedelta(weeks=count)
            case "fortnight":
                return self.on + timedelta(weeks=2 * count)
            case "month":
                return _months_on(self.on, count)
            case "quarter":
                return _months_on(self.on, 3 * count)
            case "year":
                return _months_on(self.on, 12 * count)
        return None

    def _edge(self, tokens: list[str]) -> date | None:
        """end of March, the end of the quarter, end of Q1, mid January, this week, next month."""
        if tokens[:1] == ["end"]:
            rest = tokens[1:]
            while rest and rest[0] in ("of", "the"):
                rest = rest[1:]
            return self._end_of(rest)
        if tokens[:1] in (["mid"], ["middle"]):
            rest = [token for token in tokens[1:] if token not in ("-", "of", "the")]
            match rest:
                case [month] if month in _MONTHS:
                    return self._coming(_MONTHS[month], 15)
                case [month, year] if month in _MONTHS and _year(year):
                    self.dated = True
                    return date(int(year), _MONTHS[month], 15)
            return None
        if tokens[0] in ("this", "next") and tokens[1:] and tokens[1] in ("week", "month", "quarter", "year"):
            return self._end_of(tokens)
        if tokens[0] == "q" and len(tokens) >= 2:
            return self._end_of(tokens)
        if len(tokens) == 1 and tokens[0] in _MONTHS and tokens[0] != "may":
            return self._end_of(tokens)
        return None

    def _end_of(self, tokens: list[str]) -> date | None:
        on = self.on
        match tokens:
            case ["week"] | ["this", "week"]:
                return self._week_end(0)
            case ["next", "week"]:
                return self._week_end(1)
            case ["month"] | ["this", "month"]:
                return _last(on.year, on.month)
            case ["next", "month"]:
                ahead = _months_on(on.replace(day=1), 1)
                return _last(ahead.year, ahead.month)
            case ["quarter"] | ["this", "quarter"]:
                return _last(on.year, 3 * ((on.month - 1) // 3) + 3)
            case ["next", "quarter"]:
                ahead = _months_on(on.replace(day=1), 3)
                return _last(ahead.year, 3 * ((ahead.month - 1) // 3) + 3)
            case ["year"] | ["this", "year"]:
                return date(on.year, 12, 31)
            case ["next", "year"]:
                return date(on.year + 1, 12, 31)
            case ["q", quarter, *year] if quarter in "1234":
                return self._month_end(3 * int(quarter), year)
            case [month, *year] if month in _MONTHS:
                return self._month_end(_MONTHS[month], year)
            case [year] if _year(year):
                self.dated = True
                return date(int(year), 12, 31)
        return None

    def _month_end(self, month: int, year: list[str]) -> date | None:
        if year:
            if len(year) != 1 or not _year(year[0]):
                return None
            self.dated = True
            return _last(int(year[0]), month)
        this = _last(self.on.year, month)
        return this if this >= self.on else _last(self.on.year + 1, month)

    def _weekday(self, tokens: list[str]) -> date | None:
        """Friday, this Friday, next Friday, Friday next week, Friday 12 December."""
        if tokens[0] in ("this", "next", "coming") and tokens[1:2] and tokens[1] in _DAYS:
            if len(tokens) > 2:
                return None
            day = _DAYS[tokens[1]]
            return self._monday(1) + timedelta(days=day) if tokens[0] == "next" else self._next_weekday(day)
        if tokens[0] not in _DAYS:
            return None
        day, rest = _DAYS[tokens[0]], [token for token in tokens[1:] if token not in ("the", "of", "on")]
        match rest:
            case [] | ["morning" | "evening" | "night" | "noon" | "afternoon"]:
                return self._next_weekday(day)
            case ["next", "week"]:
                return self._monday(1) + timedelta(days=day)
            case ["this", "week"]:
                found = self._monday(0) + timedelta(days=day)
                return found if found >= self.on else None
        found_date = self._numeric(rest) or self._calendar(rest)
        return found_date if found_date is not None and found_date.weekday() == day else None

    def _calendar(self, tokens: list[str]) -> date | None:
        """10 January 2026, January 10th, the first of March, the 15th."""
        words = [token for token in tokens if token not in ("of", "the", "st", "nd", "rd", "th", "-")]
        if tokens.count("-") and len(tokens) != len(words) + tokens.count("-"):
            return None
        match words:
            case [day] if (number := _day(day)) is not None and (len(tokens) > 1 or day in _ORDINALS):
                return self._coming_day(number)
            case [day, month] if month in _MONTHS and (number := _day(day)) is not None:
                return self._coming(_MONTHS[month], number)
            case [month, day] if month in _MONTHS and (number := _day(day)) is not None:
                return self._coming(_MONTHS[month], number)
            case [day, month, year] if month in _MONTHS and _year(year) and (number := _day(day)) is not None:
                self.dated = True
                return date(int(year), _MONTHS[month], number)
            case [month, day, year] if month in _MONTHS and _year(year) and (number := _day(day)) is not None:
                self.dated = True
                return date(int(year), _MONTHS[month], number)
            case [month, year] if month in _MONTHS and _year(year):
                self.dated = True
                return _last(int(year), _MONTHS[month])
        return None

    # -- the calendar --------------------------------------------------------------------------------------------------

    def _monday(self, weeks: int) -> date:
        return self.on - timedelta(days=self.on.weekday()) + timedelta(weeks=weeks)

    def _week_end(self, weeks: int) -> date:
        return self._monday(weeks) + timedelta(days=6)

    def _next_weekday(self, day: int, *, same: bool = False) -> date:
        """The first such weekday after `on`, or `on` itself where `same` allows it."""
        ahead = (day - self.on.weekday()) % 7
        return self.on + timedelta(days=ahead or (0 if same else 7))

    def _coming(self, month: int, day: int) -> date | None:
        """The next such date, within the years that have it (29 February)."""
        for year in range(self.on.year, self.on.year + 9):
            found = _date(year, month, day)
            if found is not None and found >= self.on:
                return found
        return None

    def _coming_day(self, day: int) -> date | None:
        """The next month that has such a day."""
        first = self.on.replace(day=1)
        for n in range(3):
            month = _months_on(first, n)
            found = _date(month.year, month.month, day)
            if found is not None and found >= self.on:
                return found
        return None


def _year(token: str) -> bool:
    return len(token) == 4 and token.isdigit() and "1900" <= token <= "2999"


def _number(token: str) -> int | None:
    if token.isdigit() and len(token) <= 4:
        return int(token)
    return _NUMBERS.get(token)


def _day(token: str) -> int | None:
    if token.isdigit() and len(token) <= 2 and 1 <= int(token) <= 31:
        return int(token)
    return _ORDINALS.get(token)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _last(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _months_on(day: date, months: int) -> date:
    """The same day so many months later; the last of the month where it has no such day."""
    year, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + year, month + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))
