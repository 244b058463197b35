"""A todo.txt file: one line an item, recognised by its `id:`. Lines of other programs stay as they are, byte for byte.

A line is, by the format, `x (A) 2026-12-05 2026-12-01 words +project @context key:value`: done or not, a priority, the day of
completion before that of creation, and each of these may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from activities.tasks.values import TaskItem
from parliament.text import shown_directions

_ID = re.compile(r"(?:^|\s)id:(ACT-[A-Za-z0-9][A-Za-z0-9_-]{0,95})(?=\s|$)")
_DAY = r"\d{4}-\d{2}-\d{2}"
_PARTS = re.compile(rf"(x )?(\([A-Z]\) )?((?:{_DAY} ){{0,2}})")
_KEY = re.compile(r"([A-Za-z][\w-]*):(?! |$)(?!//)")
_MARK = re.compile(r"(?<!\S)([@+])(?=\S)")
_BEGIN = re.compile(rf"(?:x|\([A-Z]\)|{_DAY})(?= |$)")


def merged(text: str, items: Sequence[TaskItem]) -> str:
    """The file with these items in it. A line that is there keeps its words; only whether it is done is brought up to date."""
    lines = _lines(text)
    ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    at = {id: n for n, line in enumerate(lines) if (id := _id(line))}
    for item in items:
        if item.id in at:
            lines[at[item.id]] = _turned(lines[at[item.id]], item)
            continue
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += ending
        lines.append(_line(item) + ending)
    return "".join(lines)


def completed(text: str) -> frozenset[str]:
    """Ids of the items whose line begins with `x `."""
    return frozenset(id for line in _lines(text) if line.removeprefix("\ufeff").startswith("x ") and (id := _id(line)))


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _id(line: str) -> str | None:
    """The item that a line is about: its last `id:`, for ours is the last word."""
    found = _ID.findall(line)
    return found[-1] if found else None


def _turned(line: str, item: TaskItem) -> str:
    mark = "\ufeff" if line.startswith("\ufeff") else ""
    line = line.removeprefix(mark)
    parts = _PARTS.match(line)
    assert parts is not None  # every part may be missing
    done, priority, days = parts[1] is not None, parts[2] or "", parts[3]
    if done == item.done:
        return mark + line
    # A day of completion stands only before one of creation: alone it would be read as the other.
    if item.done:
        days = f"{item.done_on.isoformat()} {days}" if days and item.done_on is not None else days
    else:
        days = days[11:] if len(days) == 22 else days
    return f"{mark}{'x ' if item.done else ''}{priority}{days}{line[parts.end() :]}"


def _line(item: TaskItem) -> str:
    days = [item.set_on.isoformat()] if item.set_on is not None else []
    if item.done:
        days = ["x", *([item.done_on.isoformat()] if days and item.done_on is not None else []), *days]
    # A deadline that is no day is part of the words.
    words = [_plain(item.task if item.due is not None or not item.deadline else f"{item.task} ({item.deadline})")]
    if item.topic:
        words.append(f"+{_tag(item.topic)}")
    words.append(f"@{_tag(item.owner)}")
    if item.due is not None:
        words.append(f"due:{item.due.isoformat()}")
    words.append(f"id:{item.id}")
    return " ".join(part for part in (*days, *words) if part)


def _plain(text: str) -> str:
    """The words of a task: no line of their own, no tag, no mark, and nothing that only begins a line may begin them.

    The `:` of an address (`https://…`) stays: what follows it is no value of any key that a program looks for.
    """
    text = " ".join(shown_directions(text).split())
    text = _MARK.sub(r"\1 ", _KEY.sub(r"\1 : ", text))
    return f"- {text}" if _BEGIN.match(text) else text


def _tag(text: str) -> str:
    return re.sub(r"[^\w.-]+", "_", shown_directions(text)).strip("_")[:60] or "none"
