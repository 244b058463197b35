"""When a schedule fires: weekdays, a time of day and a zone, read from what a person typed.

No clock and no I/O: `timetable` takes the day from which on the times must be regular.
"""

from __future__ import annotations

import re
import zoneinfo
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day

from clerk.errors import DeskError
from parliament.text import brief

WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
"""Numbered as Temporal does: 0 is Sunday."""
DAILY = "daily"
LOOKED_AHEAD = 5 * 366
"""Days that are looked through for times which a change of the clocks skips or repeats."""

_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})")


@dataclass(frozen=True, slots=True)
class Timetable:
    """The local times at which a schedule fires: once on each of `days` (0 is Sunday), at `at` in `zone`."""

    days: tuple[int, ...]
    at: time_of_day
    zone: str

    @property
    def words(self) -> str:
        """ "every Sunday at 06:00 (America/Los_Angeles)"."""
        if len(self.days) == len(WEEKDAYS):
            which = "day"
        else:
            *most, last = (WEEKDAYS[day] for day in self.days)
            which = f"{', '.join(most)} and {last}" if most else last
        return f"every {which} at {self.at:%H:%M} ({self.zone})"


def timetable(days: str, at: str, zone: str, *, today: date) -> Timetable:
    """The timetable that was typed. DeskError in one sentence for what is none.

    A time that a change of the clocks skips or repeats on one of its days is refused: a meeting is held once on each day.
    """
    found = Timetable(weekdays(days), time(at), known_zone(zone))
    if irregular := first_irregular(found, today):
        day, times = irregular
        happens = "comes twice" if times else "does not come at all"
        raise DeskError(
            f"{found.at:%H:%M} {happens} on {day.isoformat()} in {found.zone}, where the clocks change then: choose another "
            "time of day.",
            usage=True,
        )
    return found


def weekdays(text: str) -> tuple[int, ...]:
    """The days of "sun", "Sunday", "sun,wed" or "daily", in order. DeskError."""
    if text.strip().lower() == DAILY:
        return tuple(range(len(WEEKDAYS)))
    found: set[int] = set()
    for word in text.split(","):
        name = word.strip().lower()
        match = [day for day, full in enumerate(WEEKDAYS) if len(name) >= 3 and full.lower().startswith(name)]
        if not match:
            raise DeskError(
                f"{brief(word.strip())!r} is not a weekday: write sun, mon, tue, wed, thu, fri or sat, several with commas, or "
                "daily.",
                usage=True,
            )
        found.update(match)
    return tuple(sorted(found))


def time(text: str) -> time_of_day:
    """The time of day of "06:00" or "6:00". DeskError."""
    found = _TIME.fullmatch(text.strip())
    hour, minute = (int(found[1]), int(found[2])) if found else (-1, -1)
    if not (0 <= hour < 24 and 0 <= minute < 60):
        raise DeskError(
            f"{brief(text.strip())!r} is not a time of day: write it from 00:00 to 23:59, as in --at 06:00.", usage=True
        )
    return time_of_day(hour, minute)


def known_zone(text: str) -> str:
    """The name when it is that of an IANA time zone. DeskError."""
    name = text.strip()
    try:
        if not name or name != zoneinfo.ZoneInfo(name).key or name == "localtime":
            raise ValueError
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise DeskError(
            f"{brief(name)!r} is not a time zone: write an IANA name such as America/Los_Angeles or Europe/Lisbon.", usage=True
        ) from None
    return name


def first_irregular(table: Timetable, today: date, days: int = LOOKED_AHEAD) -> tuple[date, int] | None:
    """The first day from today on whose time of the table the clocks skip (0) or repeat (2); None when there is none."""
    zone = zoneinfo.ZoneInfo(table.zone)
    for day in (today + timedelta(days=n) for n in range(days)):
        if day.isoweekday() % 7 in table.days:
            times = len(moments(day, table.at, zone))
            if times != 1:
                return day, times
    return None


def moments(day: date, at: time_of_day, zone: zoneinfo.ZoneInfo) -> list[datetime]:
    """The moments (UTC, in order) at which clocks in the zone show that time on that day: none, one or two."""
    local = datetime.combine(day, at)
    found = set()
    for fold in (0, 1):
        moment = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) == local:
            found.add(moment)
    return sorted(found)
