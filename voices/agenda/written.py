"""The text form of an agenda as models really write it, brought to the form that `parliament.agenda.read_agenda` reads.

Source 000 asks for `1. [TOPIC] (type: review)` with two labels; models put minutes beside the type, name labels by other
words, and close with a remark. Only lines that can mean one thing are changed; all others stay as they are.
"""

from __future__ import annotations

import re

from parliament.values import ItemType

_KINDS = "|".join(ItemType)
_NUMBER = r"[ \t]{0,3}(?:#{1,6}[ ]+)?(?:\*\*)?(?:item[ ]+)?(?P<n>\d{1,3})[.):][ \t]+"
_HEADER = re.compile(_NUMBER + r"(?P<rest>.*?)[ \t]*(?:\*\*)?[ \t]*", re.IGNORECASE)
_MINUTES = r"(?P<minutes>\d{1,3})[ \t]*(?:m|min|mins|minutes?)\.?"
_ASIDE = re.compile(
    rf"[ \t]*(?:\*\*)?[ \t]*[(\[][ \t]*(?:type[ \t]*[:=])?[ \t]*(?P<type>{_KINDS})"
    rf"(?:[ \t]*[,;/|·–—-][ \t]*(?:time[ \t]*[:=])?[ \t]*{_MINUTES})?[ \t]*[)\]]\Z",
    re.IGNORECASE,
)
_TYPE_LABEL = re.compile(
    rf"[ \t]*(?:[-*][ \t]+)?(?:\*\*)?type(?:\*\*)?:(?:\*\*)?[ \t]*(?P<type>{_KINDS})\.?[ \t]*", re.IGNORECASE
)
_TIME_LABEL = re.compile(
    r"[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:time|duration|time[ ]allotted|planned[ ]time|minutes)(?:\*\*)?:(?:\*\*)?[ \t]*"
    rf"(?:{_MINUTES}|(?P<bare>\d{{1,3}}))[ \t]*",
    re.IGNORECASE,
)
_OUTCOME_LABEL = re.compile(
    r"[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:outcome|desired[ ]result|goal|desired[ ]outcomes)(?:\*\*)?:(?:\*\*)?[ \t]*(?P<value>.+)",
    re.IGNORECASE,
)
_ANY_LABEL = re.compile(r"[ \t]*(?:[-*][ \t]+)?(?:\*\*)?[A-Za-z]+(?:[ ][A-Za-z]+)?(?:\*\*)?:")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})\w*[ \t]*")


def tidied(text: str) -> str:
    """The text with headers and labels in the form that is read, and without a remark after the last item."""
    lines = [line for line in text.split("\n") if not _FENCE.fullmatch(line)]
    out: list[str] = []
    for n, line in enumerate(lines):
        header = _HEADER.fullmatch(line)
        if header is not None and (wanted := _header(header, lines[n + 1 :])):
            out += wanted
        elif out and _TYPE_LABEL.fullmatch(line):
            continue  # it stands in the header now
        elif out and (time := _TIME_LABEL.fullmatch(line)):
            out.append(f"   Minutes: {time['minutes'] or time['bare']}")
        elif out and (outcome := _OUTCOME_LABEL.fullmatch(line)):
            out.append(f"   Desired outcome: {outcome['value']}")
        else:
            out.append(line)
    return "\n".join(_without_farewell(out))


def _header(header: re.Match[str], following: list[str]) -> list[str]:
    """The header in form, and the minutes that stood in it; nothing when it names no type in any way."""
    rest = header["rest"]
    aside = _ASIDE.search(rest)
    if aside is not None:
        topic, kind, minutes = rest[: aside.start()], aside["type"], aside["minutes"]
    else:
        label = next((found for line in _own(following) if (found := _TYPE_LABEL.fullmatch(line))), None)
        if label is None:
            return []
        topic, kind, minutes = rest, label["type"], None
    topic = topic.strip().strip("*").strip(" \t:–—-")
    topic = topic[1:-1] if topic.startswith("[") and topic.endswith("]") else topic
    found = [f"{header['n']}. [{topic}] (type: {kind.lower()})"]
    return [*found, f"   Minutes: {minutes}"] if minutes else found


def _own(lines: list[str]) -> list[str]:
    """The lines that belong to an item: up to the next one's header."""
    end = next((n for n, line in enumerate(lines) if _HEADER.fullmatch(line)), len(lines))
    return lines[:end]


def _without_farewell(lines: list[str]) -> list[str]:
    """Without paragraphs at the end that are neither indented nor hold a header or a label: they speak to the reader."""
    while lines:
        start = next((n for n in range(len(lines) - 1, -1, -1) if not lines[n].strip()), -1)
        last = [line for line in lines[start + 1 :] if line.strip()]
        mine = any(_HEADER.fullmatch(line) or _ANY_LABEL.match(line) or line[:1] in " \t-*" for line in last)
        if start < 0 or (last and mine):
            return lines
        lines = lines[:start]
    return lines
