"""An iCalendar file (RFC 5545): a VTODO for each item, a VEVENT for what goes on a calendar.

The file is taken apart only into its components, so that those of other programs stay as they are, byte for byte, also where
they are wrong. What a component of ours says is read and written by the library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from icalendar import Calendar, Component, Event, Todo

from activities.tasks.values import SinkError, TaskItem
from parliament.text import shown_directions

_SUFFIX = "@boardroom.invalid"
_STAMP = datetime(2000, 1, 1, tzinfo=UTC)
"""DTSTAMP is required; a fixed one keeps the file the same for the same items."""
_EDGE = re.compile(r"^\ufeff?(BEGIN|END):([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_FOLD = re.compile(r"\r?\n[ \t]")


def merged(text: str, items: Sequence[TaskItem]) -> str:
    """The calendar with a VTODO for each of these items. One that is there keeps its words and dates; only whether it is
    done is brought up to date."""
    text = text if text.strip() else _empty()
    found = _ours(text, "VTODO", Todo)
    new = []
    for item in items:
        at = found.get(uid(item))
        if at is None:
            new.append(_todo(item))
        elif _done(at.component) != item.done:
            text = text.replace(at.text, _ending(_turned(at.component, item.done), text), 1)
    return _with(text, *new)


def completed(text: str) -> frozenset[str]:
    """Ids of the items whose VTODO says STATUS:COMPLETED."""
    return frozenset(id.removesuffix(_SUFFIX) for id, at in _ours(text, "VTODO", Todo).items() if _done(at.component))


def with_event(text: str, item: TaskItem, day: date) -> str:
    """The calendar with the item as an event of that whole day; one that is there is left as it is."""
    text = text if text.strip() else _empty()
    if event_uid(item) in _ours(text, "VEVENT", Event):
        return text
    event = Event()
    event.add("uid", event_uid(item))
    event.add("dtstamp", _STAMP)
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("summary", _words(item.task))
    event.add("transp", "TRANSPARENT")
    return _with(text, event)


def without_event(text: str, item: TaskItem) -> str:
    """The calendar without the item's event."""
    at = _ours(text, "VEVENT", Event).get(event_uid(item))
    return text if at is None else text.replace(at.text, "", 1)


def uid(item: TaskItem) -> str:
    return f"{item.id}{_SUFFIX}"


def event_uid(item: TaskItem) -> str:
    """Another than that of its VTODO: both may stand in one file, and a UID is one component's."""
    return f"{item.id}-event{_SUFFIX}"


# -- components of ours ------------------------------------------------------------------------------------------------


def _todo(item: TaskItem) -> Todo:
    todo = Todo()
    todo.add("uid", uid(item))
    todo.add("dtstamp", _STAMP)
    todo.add("summary", _words(item.task))
    if item.topic:
        todo.add("categories", [_words(item.topic)])
    words = item.deadline if item.due is None and item.deadline else ""
    said = (item.called, words, item.resolution_id or item.id)
    todo.add("description", ", ".join(part for part in map(_words, said) if part))
    if item.due is not None:
        todo.add("due", item.due)
    todo.add("status", "COMPLETED" if item.done else "NEEDS-ACTION")
    return todo


def _words(text: str) -> str:
    """Text on one line, without the byte order marks before it, which the library would take for a file's.

    The library writes a backslash with a capital N as a new line, whoever meant it: a word joiner keeps them apart.
    """
    return shown_directions(text).lstrip("\ufeff ").replace("\\N", "\\\u2060N")


def _done(component: Component) -> bool:
    return str(component.get("status", "")).upper() == "COMPLETED"


def _turned(component: Component, done: bool) -> Component:
    # What programs write beside the status would still say "done" when it is open again.
    for name in ("status", *(() if done else ("completed", "percent-complete"))):
        component.pop(name, None)
    component.add("status", "COMPLETED" if done else "NEEDS-ACTION")
    return component


# -- the file ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Standing:
    text: str  # as it stands in the file, with the end of its last line
    component: Component


def _ours(text: str, name: str, kind: type[Component]) -> dict[str, _Standing]:
    """The components of that name with a UID of ours, by UID. SinkError."""
    found: dict[str, _Standing] = {}
    for standing in _components(text, name) if text.strip() else ():
        id = _uid(standing)
        if not id.endswith(_SUFFIX):
            continue
        try:
            component = kind.from_ical(standing)
        except (ValueError, IndexError, KeyError, TypeError):
            raise _broken() from None
        if isinstance(component, Component):
            found.setdefault(id, _Standing(standing, component))
    return found


def _uid(standing: str) -> str:
    """A component's own UID; those that stand in it (alarms) have theirs. It need not be sound otherwise."""
    depth = 0
    for line in _FOLD.sub("", standing).split("\n"):
        name, _, value = line.partition(":")
        name = name.upper()
        depth += (name == "BEGIN") - (name == "END")
        if depth == 1 and name.partition(";")[0] == "UID":
            return value.strip()
    return ""


def _components(text: str, name: str) -> list[str]:
    """The components of that name that stand directly in a calendar, as they are. SinkError when what begins does not end."""
    found: list[str] = []
    opened: list[tuple[str, int]] = []
    calendars = 0
    for edge in _EDGE.finditer(text):
        kind, which = edge[1].upper(), edge[2].strip().upper()
        if kind == "BEGIN":
            if not opened and which != "VCALENDAR":
                raise _broken()
            opened.append((which, edge.start()))
            continue
        if not opened or opened[-1][0] != which:
            raise _broken()
        _, begin = opened.pop()
        calendars += not opened
        if which == name and len(opened) == 1:
            end = text.find("\n", edge.end())
            found.append(text[begin : len(text) if end < 0 else end + 1])
    if opened or not calendars:
        raise _broken()
    return found


def _with(text: str, *components: Component) -> str:
    """The text with these components too, at the end of its last calendar."""
    last = [edge.start() for edge in _EDGE.finditer(text)][-1]
    return text[:last] + "".join(_ending(one, text) for one in components) + text[last:]


def _ending(component: Component, text: str) -> str:
    """The component as text, with the line ends of the file."""
    written: str = component.to_ical().decode("utf-8")
    return written if "\r\n" in text else written.replace("\r\n", "\n")


def _empty() -> str:
    calendar = Calendar()
    calendar.add("prodid", "-//Boardroom//Action items//EN")
    calendar.add("version", "2.0")
    written: str = calendar.to_ical().decode("utf-8")
    return written


def _broken() -> SinkError:
    return SinkError("The calendar file is broken: mend it, or choose another.", retryable=False)
