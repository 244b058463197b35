"""Goals, days of wearable data and check-ins from the JSON of a context folder. Pure, and tolerant: extra keys do no harm.

The names that are understood are in examples/context/README.md; besides the plain ones, those which Garmin's own export uses.
An entry without what makes it one (a goal's title, a day's date) is named as skipped, and so is a figure that can't be true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import PurePosixPath
from typing import Any

from activities.book.folder import LOOKING_BACK, MAX_SKIPPED, shown
from activities.book.reading import a_date, entries, first, number, percent, status_of, within, words
from activities.book.values import CheckIn, DayOfBody, Goal, Skipped, Workout

_DATE_NAMES = ("date", "day", "calendarDate", "calendar_date")
_START_NAMES = ("startTimeLocal", "start_time_local", "start_time", "start")
_RESPONSES = ("responses", "key_responses", "answers")
MAX_RESPONSES = 12
MAX_ENTRIES = 10_000
"""Of one file: more than its 1 MiB holds of what is worth reading, and few enough to be looked at in a moment."""
MAX_GOALS = 200
MAX_CHECKINS = 200
MAX_WORKOUTS = 50
"""Of one day; as many days' worth of them are read from files of activities."""


@dataclass
class Source:
    """What one kind of file gave: values in the order of the files, and what was skipped of them."""

    values: list[Any] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def skip(self, path: str, place: int | None, why: str) -> None:
        if len(self.skipped) > MAX_SKIPPED:  # a file may have a hundred thousand entries that are all wrong
            return
        if len(self.skipped) == MAX_SKIPPED:
            why += f"; more than {MAX_SKIPPED} entries were skipped, and only these are named"
        self.skipped.append(Skipped(shown(path) if place is None else f"{shown(path)}, entry {place}", why))

    def entries(self, path: str, value: Any, *names: str) -> Iterator[tuple[int | None, Mapping[str, Any] | None]]:
        """The entries of a file (see `entries`), of which the first MAX_ENTRIES are looked at."""
        for place, entry in entries(value, *names):
            if place is not None and place > MAX_ENTRIES:
                self.skip(path, None, f"it has more than {MAX_ENTRIES} entries, and the rest is not read; split it")
                return
            yield place, entry


Parsed = tuple[str, Any]
"""A file's path in the folder, and its JSON value."""


def read_goals(files: Iterable[Parsed]) -> Source:
    """Goals: one a file, a list, or {"goals": [...]}. Two with the same id: the first stands, the other is named."""
    source = Source()
    seen: dict[str, str] = {}
    for path, value in files:
        for place, entry in source.entries(path, value, "goals"):
            goal = _goal(path, place, entry, source)
            if goal is None:
                continue
            if len(seen) == MAX_GOALS:
                source.skip(path, place, f"{MAX_GOALS} goals were read before it, which is the limit; keep fewer active goals")
                return source
            if goal.id in seen:
                source.skip(path, place, f"the goal {goal.id} was given already by {seen[goal.id]}, which stands; remove one")
                continue
            seen[goal.id] = path
            source.values.append(goal)
    return source


def _goal(path: str, place: int | None, entry: Mapping[str, Any] | None, source: Source) -> Goal | None:
    title = words(first(entry or {}, "title", "name", "goal"))
    if entry is None or not title:
        source.skip(path, place, "a goal is an object with at least a title; add one")
        return None
    stem = words(PurePosixPath(path).stem, 80) or "goal"
    return Goal(
        id=words(first(entry, "id", "goal_id"), 80) or (stem if place is None else f"{stem}-{place}"),
        title=title,
        path=path,
        target=_target(entry),
        progress=_progress(path, place, entry, source),
        start=_day(path, place, entry, source, "start", "start_date", "started", "started_at", "created", "created_at"),
        due=_day(path, place, entry, source, "due", "due_date", "deadline", "target_date"),
        status=status_of(first(entry, "status", "state")),
        why=words(first(entry, "why", "motivation", "description")),
    )


def _target(entry: Mapping[str, Any]) -> str:
    said = first(entry, "target", "target_value")
    if isinstance(said, Mapping):
        said, unit = first(said, "value", "amount", "text"), words(first(said, "unit"), 40)
    else:
        unit = words(first(entry, "unit"), 40)
    return f"{words(said)} {unit}".strip() if words(said) else ""


def _progress(path: str, place: int | None, entry: Mapping[str, Any], source: Source) -> float | None:
    said = first(entry, "progress_percent", "progress_percentage", "percent_complete", "percent")
    if said is not None:
        found = percent(said)
        if found is None:
            source.skip(path, place, f"its percentage ({words(said, 40) or 'not a number'}) is not between 0 and 1000; mend it")
        return found
    said = first(entry, "progress")
    if said is None:
        return percent({"current": first(entry, "current"), "target": first(entry, "target", "target_value")})
    share = number(said)
    if share is not None and 0 < share < 1:
        source.skip(path, place, f"its progress {share:g} may be a share or a percentage; write progress_percent (0 to 100)")
        return None
    found = percent(said)
    if found is None:
        source.skip(
            path, place, f"its progress ({words(said, 40) or 'not a number'}) is not a percentage from 0 to 1000; mend it"
        )
    return found


def _day(path: str, place: int | None, entry: Mapping[str, Any], source: Source, *names: str) -> date | None:
    said = first(entry, *names)
    found = a_date(said)
    if said is not None and found is None:
        source.skip(path, place, f"its {names[0]} ({words(said, 40) or 'not a text'}) is not a date like 2026-11-29; mend it")
    return found


def read_days(files: Iterable[Parsed], today: date) -> Source:
    """Days of wearable data, newest first, of the LOOKING_BACK days up to `today`.

    One day a file (named after its date, or with one inside), a list, or {"days": [...]}. Recorded activities stand in
    the day ("activities" or "workouts") or in files of their own: activities.json, or any file in a folder activities/.
    """
    source = Source()
    days: dict[date, DayOfBody] = {}
    loose: list[Workout] = []
    for path, value in files:
        if _is_activities(path):
            for place, entry in source.entries(path, value, "activities", "workouts"):
                workout = _workout(path, place, entry, source, None)
                if workout is not None and workout.date > today:
                    source.skip(path, place, f"it is dated {workout.date}, which is after today ({today}); mend the date")
                elif workout is not None:
                    loose.append(workout)
            continue
        for place, entry in source.entries(path, value, "days", "data"):
            when = _dated(path, place, entry, source, today)
            if when is None or entry is None:
                continue
            if when in days:
                source.skip(path, place, f"{when} was given already by {days[when].path}, which stands; remove one")
                continue
            days[when] = _day_of_body(path, place, entry, when, source)
    kept = [w for w in loose if today - timedelta(days=LOOKING_BACK) <= w.date <= today]
    if len(kept) > (most := MAX_WORKOUTS * LOOKING_BACK):
        source.skip(f"{len(kept)} activities", None, f"the limit is {most}; the oldest are left out")
        kept = sorted(kept, key=lambda w: w.date, reverse=True)[:most]
    source.values = sorted(_with_activities(days, kept), key=lambda day: day.date, reverse=True)
    return source


def _is_activities(path: str) -> bool:
    pure = PurePosixPath(path)
    return pure.parent.name == "activities" or pure.stem.lower() in ("activities", "workouts")


def _dated(path: str, place: int | None, entry: Mapping[str, Any] | None, source: Source, today: date) -> date | None:
    """The entry's day, when it is one to be read. A file named after a day may leave the date out."""
    if entry is None:
        source.skip(path, place, "an object is expected here; mend it")
        return None
    when = a_date(first(entry, *_DATE_NAMES)) or a_date(first(entry, "timestamp", *_START_NAMES))
    if when is None and place is None:
        when = a_date(PurePosixPath(path).stem[:10])
    if when is None:
        source.skip(path, place, 'it has no date; add "date": "2026-11-29", or name the file after its day')
    elif when > today:
        source.skip(path, place, f"it is dated {when}, which is after today ({today}); mend the date")
    elif when >= today - timedelta(days=LOOKING_BACK):
        return when
    return None


def _day_of_body(path: str, place: int | None, entry: Mapping[str, Any], when: date, source: Source) -> DayOfBody:
    def measured(what: str, low: float, high: float, *names: str, per: float = 1) -> float | None:
        said = first(entry, *names)
        found = number(said)
        found = None if found is None else within(found / per, low, high)
        if said is not None and found is None and not isinstance(said, Mapping | list):
            source.skip(
                path, place, f"its {what} ({words(said, 40) or 'not a number'}) is not from {low:g} to {high:g}; mend it"
            )
        return found

    hours = measured("hours of sleep", 0, 24, "sleep_hours", "sleep.hours", "sleep.duration_hours", "sleep")
    if hours is None:
        names = ("sleepTimeSeconds", "sleep_seconds", "sleep.sleepTimeSeconds", "dailySleepDTO.sleepTimeSeconds")
        hours = measured("hours of sleep", 0, 24, *names, per=3600)
    low, high = _battery(entry)
    workouts = first(entry, "activities", "workouts")
    return DayOfBody(
        date=when,
        path=path,
        sleep_hours=hours,
        hrv=measured("HRV", 1, 400, "hrv_ms", "hrv.last_night_avg", "hrv.avg", "lastNightAvg", "hrv"),
        steps=measured("steps", 0, 200_000, "steps", "totalSteps", "steps.total", "total_steps"),
        battery_low=low,
        battery_high=high,
        resting_heart_rate=measured("resting heart rate", 20, 200, "resting_heart_rate", "restingHeartRate", "resting_hr"),
        workouts=_workouts(path, place, workouts, when, source) if isinstance(workouts, list) else None,
    )


def _battery(entry: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The day's range of body battery: {"low", "high"}, {"min", "max"}, [low, high], or Garmin's two names."""
    said = first(entry, "body_battery", "bodyBattery")
    if isinstance(said, list) and len(said) == 2:
        found = [within(said[0], 0, 100), within(said[1], 0, 100)]
    else:
        low = first(entry, "body_battery.low", "body_battery.min", "body_battery_low", "bodyBatteryLowestValue")
        high = first(entry, "body_battery.high", "body_battery.max", "body_battery_high", "bodyBatteryHighestValue")
        found = [within(low, 0, 100), within(high, 0, 100)]
    if found[0] is not None and found[1] is not None and found[0] > found[1]:
        found.reverse()
    return found[0], found[1]


def _workouts(path: str, place: int | None, value: list[Any], when: date, source: Source) -> tuple[Workout, ...]:
    found = []
    for entry in value[:MAX_WORKOUTS]:
        if isinstance(entry, str):
            entry = {"type": entry}
        workout = _workout(path, place, entry if isinstance(entry, Mapping) else None, source, when)
        if workout is not None:
            found.append(workout)
    if len(value) > MAX_WORKOUTS:
        source.skip(path, place, f"{when} has {len(value)} activities and the limit is {MAX_WORKOUTS}; the rest is left out")
    return _once(found)


def _workout(
    path: str, place: int | None, entry: Mapping[str, Any] | None, source: Source, when: date | None
) -> Workout | None:
    entry = entry or {}
    kind = words(first(entry, "type", "activityType.typeKey", "kind", "sport", "name", "activityName"), 60)
    day = when or a_date(first(entry, *_DATE_NAMES, *_START_NAMES))
    if not kind or day is None:
        source.skip(path, place, "an activity is an object with a type" + ("; add one" if when else " and a date; add them"))
        return None
    minutes = within(first(entry, "minutes", "duration_minutes", "duration_min"), 0, 24 * 60)
    if minutes is None and (seconds := within(first(entry, "duration", "duration_seconds"), 0, 24 * 3600)) is not None:
        minutes = seconds / 60  # Garmin's duration is in seconds
    km = within(first(entry, "km", "distance_km"), 0, 2000)
    if km is None and (metres := within(first(entry, "distance", "distance_m"), 0, 2_000_000)) is not None:
        km = metres / 1000
    said = words(first(entry, "id", "activityId", *_START_NAMES), 60)
    return Workout(date=day, kind=kind, minutes=minutes, km=km, id=said)


def _once(workouts: Iterable[Workout]) -> tuple[Workout, ...]:
    """Each id once. Activities without an id stay apart: two walks of half an hour may well be two walks."""
    kept: list[Workout] = []
    ids: set[str] = set()
    for one in workouts:
        if not one.id or one.id not in ids:
            kept.append(one)
            ids.add(one.id)
    return tuple(kept)


def _same(one: Workout, other: Workout) -> bool:
    if one.id and other.id:
        return one.id == other.id
    return replace(one, id="") == replace(other, id="")


def _joined(day: tuple[Workout, ...], loose: Iterable[Workout]) -> tuple[Workout, ...]:
    """A day's own activities and those of separate files. One that is alike, where either has no id, is the same one."""
    unmatched = list(day)
    found = list(day)
    for one in loose:
        same = next((o for o in unmatched if _same(o, one)), None)
        if same is not None:
            unmatched.remove(same)
        else:
            found.append(one)
    return _once(found)[:MAX_WORKOUTS]


def _with_activities(days: dict[date, DayOfBody], loose: list[Workout]) -> list[DayOfBody]:
    """Days with the activities of separate files. A file of activities speaks for every day from its first to its last."""
    if not loose:
        return list(days.values())
    begin, end = min(w.date for w in loose), max(w.date for w in loose)
    found = []
    for when in sorted({*days, *(w.date for w in loose)}):
        day = days.get(when) or DayOfBody(date=when, path="")
        own = [w for w in loose if w.date == when]
        if day.workouts is not None or begin <= when <= end:
            day = replace(day, workouts=_joined(day.workouts or (), own))
        found.append(day)
    return found


def read_checkins(files: Iterable[Parsed], today: date) -> Source:
    """Check-ins, newest first, of the LOOKING_BACK days up to `today`; several of one day stay apart."""
    source = Source()
    for path, value in files:
        for place, entry in source.entries(path, value, "checkins", "check_ins", "entries"):
            when = _dated(path, place, entry, source, today)
            if when is not None and entry is not None:
                source.values.append(_checkin(path, entry, when))
    source.values.sort(key=lambda c: (c.date, c.time), reverse=True)
    if len(source.values) > MAX_CHECKINS:
        source.skip(f"{len(source.values)} check-ins", None, f"the limit is {MAX_CHECKINS}; the oldest are left out")
        del source.values[MAX_CHECKINS:]
    return source


def _checkin(path: str, entry: Mapping[str, Any], when: date) -> CheckIn:
    said = first(entry, *_RESPONSES)
    responses: list[tuple[str, str]] = []
    if isinstance(said, Mapping):
        responses = [(words(question), words(answer)) for question, answer in said.items()]
    elif isinstance(said, list):
        for one in said:
            if isinstance(one, Mapping):
                responses.append((words(first(one, "question", "prompt", "q")), words(first(one, "answer", "response", "a"))))
            else:
                responses.append(("", words(one)))
    note = words(first(entry, "note", "notes", "comment"))
    if note:
        responses.append(("note", note))
    return CheckIn(
        date=when,
        path=path,
        time=words(first(entry, "time", "period"), 20) or _time(first(entry, "timestamp")),
        energy=words(first(entry, "energy", "energy_level"), 80),
        mood=words(first(entry, "mood"), 80),
        responses=tuple((question, answer) for question, answer in responses if answer)[:MAX_RESPONSES],
    )


def _time(value: Any) -> str:
    found = re.match(r"\d{4}-\d{2}-\d{2}[T ](\d{2}:\d{2})", value) if isinstance(value, str) else None
    return found.group(1) if found else ""
