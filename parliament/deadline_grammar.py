"""The grammar of deadlines: tokens become a period of the calendar, and the period the last day that is allowed.

    deadline = ["due"] [ "by" | "on" | "until" | "no later than" | "within" | "before" | … ] when [ "at the latest" ]
    when     = edge | span | day | period
    edge     = "end of" … | "start of" … | "mid" month          "before the end of March" still allows 31 March
    span     = count unit [ "from" day ] | "the next" count unit
    day      = [clock] ( date | "tomorrow" | [ "next" ] weekday | feast ) [clock]
    period   = "this week" | "next month" | "the weekend" | "Q1" | "March" | "2027-W03" | …

A production reads from where it stands; of several the one that reads the most counts, and only what is read to its last
token is a deadline.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from parliament import periods
from parliament.deadline_words import (
    CLOSE,
    COUNTS,
    FEASTS,
    LEADING,
    MONTHS,
    ORDINALS,
    UNIT_ENDS,
    UNITS,
    WEEKDAYS,
    WITHIN,
    phrases,
)
from parliament.periods import DAY, Period

MOST = 3660
"""The highest count in a span: ten years of days."""

_CLOCK = re.compile(r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?")
_HOUR = re.compile(r"(?:0?[1-9]|1[0-2])(?::[0-5][0-9])?")
_FIGURES = re.compile(r"([0-9]{1,4})([-/.])([0-9]{1,2})\2([0-9]{1,4})")


def read_tokens(tokens: list[str], on: date) -> tuple[date, bool] | None:
    """The last day that the words allow and whether they say its year; None for what cannot be read for sure."""
    try:
        found = _Reader(tokens, on).deadline()
    except (ValueError, OverflowError):  # the day after the end of all days
        return None
    return found if found is not None and (found[1] or found[0] >= on) else None


class _Reader:
    def __init__(self, tokens: list[str], on: date) -> None:
        self.tokens = tokens
        self.on = on
        self.at = 0
        self.led = False  # a word such as "by" went before: May is a month then, and no verb
        self.within = False

    # -- tokens --------------------------------------------------------------------------------------------------------

    @property
    def word(self) -> str:
        """The token that comes next; empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *words: str) -> bool:
        end = self.at + len(words)
        if tuple(self.tokens[self.at : end]) != words:
            return False
        self.at = end
        return True

    def take_one(self, *phrases: tuple[str, ...]) -> bool:
        """Take the longest of these that stands here."""
        return any(self.take(*phrase) for phrase in sorted(phrases, key=len, reverse=True))

    def number_in(self, table: dict[str, int]) -> int | None:
        found = table.get(self.word)
        if found is not None:
            self.at += 1
        return found

    def longest_of(self, *readers: Callable[[], Period | None]) -> Period | None:
        """What the production gives that reads the most tokens from here; of two that read as many, the first."""
        start = end = self.at
        best = None
        for read in readers:
            self.at = start
            found = read()
            if found is not None and self.at > end:
                best, end = found, self.at
        self.at = end
        return best

    # -- the whole -----------------------------------------------------------------------------------------------------

    def deadline(self) -> tuple[date, bool] | None:
        self.take("due")
        exclusive = self.take("before")
        self.within = not exclusive and self.take_one(*WITHIN)
        self.led = exclusive or self.within or self.take_one(*LEADING)
        if self.within:
            found = self.longest_of(self._span, self._period)
        elif exclusive:  # "before two weeks" has no end
            found = self.longest_of(self._edge, self._day, self._period)
        else:
            found = self.longest_of(self._edge, self._span, self._day, self._period)
        self.take_one(*phrases("at the latest", "at latest", "latest"))
        if found is None or self.word:
            return None
        return (found.first - DAY if exclusive else found.last), found.dated

    # -- edges ---------------------------------------------------------------------------------------------------------

    def _edge(self) -> Period | None:
        """The end of March, year-end, the start of next week, mid-January."""
        self.take("the")
        for name, unit in UNIT_ENDS.items():
            if self.take(*name):
                return periods.unit(self.on, unit).end
        if self.take("end"):
            found = self._whole()
            return found.end if found is not None else None
        if self.take("start") or self.take("beginning"):
            found = self._whole()
            return found.start if found is not None else None
        if self.take("mid") or self.take("middle"):
            self.take("of")
            month = self.number_in(MONTHS)
            return self._in_month(month, 15) if month is not None else None
        return None

    def _whole(self) -> Period | None:
        """What has an end: a unit without a word before it is the one that is now, and a year may stand alone."""
        before, self.led = self.led, True
        self.take("of")
        found = self.longest_of(self._this_unit, self._plain_day, self._period, self._bare_year)
        self.led = before
        return found

    def _this_unit(self) -> Period | None:
        self.take("the")
        unit = next((unit for unit in UNITS if self.take(unit)), None)
        return periods.unit(self.on, unit) if unit is not None else None

    def _bare_year(self) -> Period | None:
        year = self._year()
        return periods.months(self.on, 1, 12, year) if year is not None else None

    # -- spans ---------------------------------------------------------------------------------------------------------

    def _span(self) -> Period | None:
        """In two weeks, within the next 30 days, a week from Friday, 48 hours."""
        the = self.take("the")
        ahead = self.take("next") or self.take("coming")
        count = self._count()
        if count is None and the and ahead and self.within:  # "within next month" is the month of the calendar
            count = 1
        if count is None or (the and not ahead):
            return None
        unit = self.word.removesuffix("s")
        self.at += 1
        start = self.on
        if not ahead and self.take("from") and not self.take_one(*phrases("now", "today", "this meeting")):
            found = self._plain_day()
            if found is None:
                return None
            start = found.last
        elif not ahead:
            self.take_one(*phrases("time", "of today", "of this meeting", "after this meeting"))
        return periods.one(periods.after(start, count, unit))

    def _count(self) -> int | None:
        if not re.fullmatch(r"[0-9]{1,4}", self.word):
            return self.number_in(COUNTS)
        found = int(self.word)
        self.at += 1
        return found if found <= MOST else None

    # -- days ----------------------------------------------------------------------------------------------------------

    def _day(self) -> Period | None:
        """A day, with or without a time of it. With one, "before" still allows the day."""
        closing = self._closing()
        timed = closing or self._clock()
        if timed:
            self.take("on")
        start = self.at
        found = self._plain_day()
        if found is None:
            self.at = start
            return Period(self.on, self.on).end if closing else None
        if not timed and not self.take("morning"):
            timed = self.take_one(*phrases("afternoon", "evening", "night"))
        if not timed:
            start = self.at
            self.take_one(*phrases("at", "by", "t"))  # 2027-01-10T18:00
            timed = self._closing() or self._clock()
            self.at = self.at if timed else start
        return found.end if timed else found

    def _closing(self) -> bool:
        """The end of the day, close of business."""
        start = self.at
        self.take("the")
        if self.take_one(*CLOSE):
            return True
        self.at = start
        return False

    def _clock(self) -> bool:
        """Noon, 5 pm, 17:00. Midnight may belong to either day."""
        if self.take("noon") or self.take("midday"):
            return True
        start = self.at
        if _HOUR.fullmatch(self.word):
            self.at += 1
            if self.take_one(*phrases("am", "pm", "a m", "p m")):
                return True
            self.at = start
        if _CLOCK.fullmatch(self.word):
            self.at += 1
            return True
        return False

    def _plain_day(self) -> Period | None:
        return self.longest_of(
            self._date_and_weekday, self._weekday_and_date, self._ordinal, self._relative, self._feast, self._weekday
        )

    def _relative(self) -> Period | None:
        if self.take("the", "day", "after", "tomorrow") or self.take("day", "after", "tomorrow"):
            return periods.one(self.on + 2 * DAY)
        if self.take("tomorrow"):
            return periods.one(self.on + DAY)
        if self.take("today"):
            return periods.one(self.on)
        if self.take_one(*phrases("tonight", "this evening", "this afternoon")):
            return Period(self.on, self.on).end
        return None

    def _feast(self) -> Period | None:
        self.take("the")
        for name in sorted(FEASTS, key=len, reverse=True):
            if self.take(*name):
                return self._in_month(*FEASTS[name])
        return None

    def _weekday(self) -> Period | None:
        """Friday, this coming Friday, next Friday, Friday of next week."""
        self.take("the")
        ahead = self.take("next")
        this = not ahead and self.take("this")
        near = not ahead and (self.take("coming") or this)
        day = self.number_in(WEEKDAYS)
        if day is None:
            return None
        if not ahead and not near:
            ahead = self.take_one(*phrases("next week", "of next week"))
            if self.take_one(*phrases("this week", "of this week")):
                return periods.one(periods.week(self.on).first + day * DAY)
        if ahead:
            return periods.one(periods.week(self.on, 1).first + day * DAY)
        return periods.coming_weekday(self.on, day)

    def _weekday_and_date(self) -> Period | None:
        """Friday, 4 December; Friday the 4th. One that contradicts the other is no day at all."""
        day = self.number_in(WEEKDAYS)
        found = self.longest_of(self._date, self._ordinal) if day is not None else None
        return found if found is not None and found.first.weekday() == day else None

    def _date_and_weekday(self) -> Period | None:
        """4 December 2026; 4 December 2026 (Friday)."""
        found = self._date()
        day = self.number_in(WEEKDAYS) if found is not None else None
        return found if found is not None and day in (None, found.first.weekday()) else None

    def _date(self) -> Period | None:
        """2026-01-10, 13/01/2027, 10.01.2027; 10 January 2027, January 10th, the first of March."""
        figures = _FIGURES.fullmatch(self.word)
        if figures is not None:
            self.at += 1
            return periods.in_figures(*figures.groups())
        month = self.number_in(MONTHS)
        self.take("the")
        day = self._day_number(bare=True)
        if month is None and day is not None:
            self.take("of")
            month = self.number_in(MONTHS)
        return self._in_month(month, day) if month is not None and day is not None else None

    def _in_month(self, month: int, day: int) -> Period | None:
        """This day of the year that comes next in the words, else the next that there is."""
        year = self._year()
        if year is None:
            return periods.coming(self.on, month, day)
        return periods.one(periods.valid(year, month, day), dated=True)

    def _ordinal(self) -> Period | None:
        """The 15th, the 1st of next month. "First" and "second" alone may be anything."""
        the = self.take("the")
        day = self._day_number(bare=False) if the or self.word[:1].isdigit() else None
        if day is None:
            return None
        for name, ahead in (("this", 0), ("next", 1)):
            if self.take("of", name, "month"):
                return periods.one(periods.unit(self.on, "month", ahead).first.replace(day=day))
        self.take("of", "the", "month")
        return periods.coming_day(self.on, day)

    def _day_number(self, *, bare: bool) -> int | None:
        """10th, tenth, twenty-first; where a month says what it is (`bare`), 10 too."""
        figures = re.fullmatch(r"([0-9]{1,2})(st|nd|rd|th)?", self.word)
        if figures is not None:
            number, suffix = int(figures[1]), figures[2]
            if not (bare if suffix is None else suffix == _suffix(number)):
                return None
            self.at += 1
            return number
        tens = 20 if self.take("twenty") else 30 if self.take("thirty") else 0
        ordinal = self.number_in(ORDINALS)
        return None if ordinal is None or (tens and ordinal > 9) else tens + ordinal

    # -- periods -------------------------------------------------------------------------------------------------------

    def _period(self) -> Period | None:
        return self.longest_of(self._unit, self._weekend, self._week_of, self._part_of_year, self._month, self._in_figures)

    def _unit(self) -> Period | None:
        """This week, later this month, next quarter."""
        self.take("the")
        self.take("later")
        for name, ahead in (("this", 0), ("current", 0), ("next", 1)):
            for unit in UNITS:
                if self.take(name, unit):
                    return periods.unit(self.on, unit, ahead)
        return None

    def _weekend(self) -> Period | None:
        if self.take_one(*phrases("weekend", "the weekend", "this weekend", "this coming weekend", "the coming weekend")):
            return periods.weekend(self.on)
        return periods.weekend(self.on, 1) if self.take("next", "weekend") else None

    def _week_of(self) -> Period | None:
        self.take("the")
        found = self._date() if self.take("week", "of") else None
        if found is None:
            return None
        whole = periods.week(found.first)
        return Period(whole.first, whole.last, found.dated)

    def _part_of_year(self) -> Period | None:
        """Q1, 2027 Q1, H2 2027, the first quarter of 2027."""
        self.take("the")
        year = self._year()
        start = self.at
        number, count = self.number_in(ORDINALS), 3
        if number is None or not self.take("quarter"):
            self.at = start
            count = 3 if self.take("q") else 6 if self.take("h") else 0
            if not count or not re.fullmatch("[1-4]", self.word):
                return None
            number = int(self.word)
            self.at += 1
        if number > 12 // count:
            return None
        return periods.months(self.on, count * (number - 1) + 1, count, year if year is not None else self._year())

    def _month(self) -> Period | None:
        name = self.word
        month = self.number_in(MONTHS)
        year = self._year()
        if month is None or (name == "may" and not self.led and year is None):
            return None
        return periods.months(self.on, month, 1, year)

    def _in_figures(self) -> Period | None:
        """2027-03, 2027-W03."""
        month = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", self.word)
        if month is not None and periods.is_year(month[1]):
            self.at += 1
            return periods.months(self.on, int(month[2]), 1, int(month[1]))
        year = self._year()
        if year is None or not self.take("w") or not re.fullmatch(r"[0-9]{2}", self.word):
            return None
        self.at += 1
        whole = periods.week(date.fromisocalendar(year, int(self.tokens[self.at - 1]), 1))
        return Period(whole.first, whole.last, dated=True)

    def _year(self) -> int | None:
        start = self.at
        self.take("of")
        if not periods.is_year(self.word):
            self.at = start
            return None
        self.at += 1
        return int(self.tokens[self.at - 1])


def _suffix(number: int) -> str:
    return "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
