"""A todo.txt file: one line an item, recognised by its `id:`. Lines of other programs stay as they are, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence

from activities.tasks.values import TaskItem
from parliament.text import one_line

_ID = re.compile(r"(?:^|\s)id:(ACT-[0-9a-f]{8})(?=\s|$)")
_TAG = re.compile(r"(?<!\S)([A-Za-z][\w-]*):(?=\S)")
_MARK = re.compile(r"(?<!\S)([@+])(?=\S)")
_BEGIN = re.compile(r"(?:x |\([A-Z]\) |\d{4}-\d{2}-\d{2})")


def merged(text: str, items: Sequence[TaskItem]) -> str:
    """The file with these items in it. A line that is there keeps its words; only whether it is done is brought up to date."""
    lines = text.splitlines(keepends=True)
    ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    at = {found[-1]: n for n, line in enumerate(lines) if (found := _ID.findall(line))}
    for item in items:
        if item.id not in at:
            if lines and not lines[-1].endswith(("\n", "\r")):
                lines[-1] += ending
            lines.append(_line(item) + ending)
            continue
        line = lines[at[item.id]]
        if item.done and not line.startswith("x "):
            lines[at[item.id]] = f"x {line}"
        elif not item.done and line.startswith("x "):
            lines[at[item.id]] = line.removeprefix("x ")
    return "".join(lines)


def completed(text: str) -> frozenset[str]:
    return frozenset(found[-1] for line in text.splitlines() if line.startswith("x ") and (found := _ID.findall(line)))


def _line(item: TaskItem) -> str:
    words = [_plain(item.task)]
    if item.set_on is not None:
        words.insert(0, item.set_on.isoformat())
    if item.topic:
        words.append(f"+{_tag(item.topic)}")
    words.append(f"@{_tag(item.owner)}")
    if item.due is not None:
        words.append(f"due:{item.due.isoformat()}")
    words.append(f"id:{item.id}")
    return ("x " if item.done else "") + " ".join(words)


def _plain(text: str) -> str:
    """The words of a task: no line of their own, no tag, no mark, and nothing that only begins a line may begin them."""
    text = _MARK.sub(r"\1 ", _TAG.sub(r"\1 : ", one_line(text)))
    return f"- {text}" if _BEGIN.match(text) else text


def _tag(text: str) -> str:
    return re.sub(r"[^\w.-]+", "_", one_line(text)).strip("_")[:60] or "none"
