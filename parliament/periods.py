"""Periods of the calendar, seen from a day: what `parliament.deadline_grammar` makes of words. Weeks begin on Monday.

Dates outside the years that can be written raise ValueError or OverflowError, as `datetime.date` does.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

DAY = timedelta(days=1)
_YEAR = re.compile(r"(?:19|2[0-9])[0-9]{2}")
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True, slots=True)
class Period:
    """From its first day to its last. `dated`: its year was said."""

    first: date
    last: date
    dated: bool = False

    @property
    def start(self) -> Period:
        return replace(self, last=self.first)

    @property
    def end(self) -> Period:
        """The moment at which it ends: "by" and "before" this moment both allow the last day."""
        return replace(self, first=self.last + DAY)


def one(day: date | None, *, dated: bool = False) -> Period | None:
    """A single day as a period."""
    return Period(day, day, dated) if day is not None else None


def is_year(text: str) -> bool:
    """A year that is written in full, from 1900 to 2999; "27" could be a day."""
    return _YEAR.fullmatch(text) is not None


def valid(year: int, month: int, day: int) -> date | None:
    """The date; None for 31 February and its like."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def coming(on: date, month: int, day: int) -> Period | None:
    """The next such date on or after the day, within the years that have it (29 February)."""
    days = (valid(year, month, day) for year in range(on.year, on.year + 9))
    return one(next((found for found in days if found is not None and found >= on), None))


def coming_day(on: date, number: int) -> Period | None:
    """The next day of this number, in the next month that has it."""
    firsts = [months_on(on.replace(day=1), n) for n in range(3)]
    days = (valid(first.year, first.month, number) for first in firsts)
    return one(next((found for found in days if found is not None and found >= on), None))


def coming_weekday(on: date, weekday: int) -> Period | None:
    """The first such weekday after the day: a week later where the day is one."""
    return one(on + ((weekday - on.weekday()) % 7 or 7) * DAY)


def week(on: date, ahead: int = 0) -> Period:
    """The calendar week of the day, or one so many weeks ahead."""
    monday = on - on.weekday() * DAY + 7 * ahead * DAY
    return Period(monday, monday + 6 * DAY)


def weekend(on: date, ahead: int = 0) -> Period:
    last = week(on, ahead).last
    return Period(last - DAY, last)


def unit(on: date, name: str, ahead: int = 0) -> Period:
    """The week, month, quarter or year of the day, or one so many ahead."""
    if name == "week":
        return week(on, ahead)
    count = _MONTHS_OF[name]
    return _months(months_on(date(on.year, (on.month - 1) // count * count + 1, 1), count * ahead), count)


def months(on: date, month: int, count: int, year: int | None) -> Period:
    """So many months from this one on: of that year, else the next that are not over."""
    if year is not None:
        return replace(_months(date(year, month, 1), count), dated=True)
    found = _months(date(on.year, month, 1), count)
    return found if found.last >= on else _months(date(on.year + 1, month, 1), count)


def in_figures(first: str, sign: str, second: str, third: str) -> Period | None:
    """The one day that three figures can mean. Dots have the day first; strokes and hyphens are written both ways."""
    if is_year(first) and len(third) <= 2:
        ways = {valid(int(first), int(second), int(third))}
    elif is_year(third) and len(first) <= 2:
        ways = {valid(int(third), int(second), int(first))}
        if sign != ".":
            ways.add(valid(int(third), int(first), int(second)))
    else:
        return None
    ways.discard(None)
    return one(ways.pop(), dated=True) if len(ways) == 1 else None


def after(start: date, count: int, name: str) -> date | None:
    """So many units later. None for another unit, and for hours that may end on either of two days."""
    match name:
        case "hour" | "hr" | "h":
            return start + count // 24 * DAY if count % 24 == 0 else None
        case "day":
            return start + count * DAY
        case "week" | "wk":
            return start + 7 * count * DAY
        case "fortnight":
            return start + 14 * count * DAY
        case "month" | "quarter" | "year":
            return months_on(start, _MONTHS_OF[name] * count)
    return None


def months_on(day: date, count: int) -> date:
    """The same day so many months later; the last of the month where it has no such day."""
    year, month = divmod(day.month - 1 + count, 12)
    year, month = day.year + year, month + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _months(first: date, count: int) -> Period:
    last = months_on(first, count - 1)
    return Period(first, last.replace(day=monthrange(last.year, last.month)[1]))
