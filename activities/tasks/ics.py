"""An iCalendar file (RFC 5545): a VTODO for each item, a VEVENT for what goes on a calendar; components of others are kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar, Event, Todo

from activities.tasks.values import SinkError, TaskItem
from parliament.text import one_line

_SUFFIX = "@boardroom.invalid"
_STAMP = datetime(2000, 1, 1, tzinfo=UTC)
"""DTSTAMP is required; a fixed one keeps the file the same for the same items."""


def merged(text: str, items: Sequence[TaskItem]) -> str:
    """The calendar with a VTODO for each of these items."""
    calendar = _read(text)
    at = {str(todo.get("uid")): todo for todo in calendar.walk("VTODO")}
    for item in items:
        todo = at.get(uid(item))
        if todo is None:
            todo = Todo()
            todo.add("uid", uid(item))
            todo.add("dtstamp", _STAMP)
            todo.add("summary", one_line(item.task))
            if item.topic:
                todo.add("categories", [one_line(item.topic)])
            todo.add("description", one_line(f"{item.owner}, {item.resolution_id or item.id}"))
            calendar.add_component(todo)
        for key in ("due", "status"):
            todo.pop(key, None)
        if item.due is not None:
            todo.add("due", item.due)
        todo.add("status", "COMPLETED" if item.done else "NEEDS-ACTION")
    return _text(calendar)


def completed(text: str) -> frozenset[str]:
    return frozenset(
        str(todo.get("uid")).removesuffix(_SUFFIX)
        for todo in _read(text).walk("VTODO")
        if str(todo.get("status", "")).upper() == "COMPLETED" and str(todo.get("uid", "")).endswith(_SUFFIX)
    )


def with_event(text: str, item: TaskItem, day: date) -> str:
    """The calendar with the item as an event of that whole day; one that is there is left as it is."""
    calendar = _read(text)
    if any(str(event.get("uid")) == uid(item) for event in calendar.walk("VEVENT")):
        return text
    event = Event()
    event.add("uid", uid(item))
    event.add("dtstamp", _STAMP)
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("summary", one_line(item.task))
    event.add("transp", "TRANSPARENT")
    calendar.add_component(event)
    return _text(calendar)


def uid(item: TaskItem) -> str:
    return f"{item.id}{_SUFFIX}"


def _read(text: str) -> Calendar:
    if not text.strip():
        calendar = Calendar()
        calendar.add("prodid", "-//Boardroom//Action items//EN")
        calendar.add("version", "2.0")
        return calendar
    try:
        found = Calendar.from_ical(text)
        if not isinstance(found, Calendar):
            raise ValueError("no calendar")
    except (ValueError, IndexError, KeyError, TypeError):
        raise SinkError("The calendar file is broken: mend it, or choose another.", retryable=False) from None
    return found


def _text(calendar: Calendar) -> str:
    return calendar.to_ical().decode("utf-8")
