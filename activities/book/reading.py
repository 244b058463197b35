"""JSON as untrusted data: parsed within limits, and asked for a text, a number, a percentage or a date without ever raising.

A value that is not what was asked for is None ("not said"), never a default (law 8).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NoReturn

from parliament.text import brief, one_line

MAX_DEPTH = 32
"""Brackets within brackets (SERVICE_SECURITY 20)."""
MAX_TEXT = 400
"""Characters of one text: a title, an answer."""

_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?", re.DOTALL)
_WEEK = re.compile(r"(\d{4})-?W(\d{2})")
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?")
_YEARS = range(1900, 2200)  # outside of it a date is a slip, and sums of days could leave the calendar


class NotRead(ValueError):
    """A text that is not JSON within the limits; the message is the reason, in words that end a sentence."""


def parse(text: str) -> Any:
    """The value of a JSON text. NotRead with the line, when it is broken, nested too deeply or has no value JSON knows."""
    if _depth(text) > MAX_DEPTH:
        raise NotRead(f"it is nested more than {MAX_DEPTH} deep; flatten it")
    try:
        return json.loads(text, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise NotRead(f"it is not JSON (line {error.lineno}: {error.msg}); mend it") from None
    except NotRead:
        raise
    except (ValueError, RecursionError) as error:  # e.g. an integer of more digits than Python converts
        raise NotRead(f"it is not JSON that can be read ({brief(str(error), 80)}); mend it") from None


def _constant(name: str) -> NoReturn:
    raise NotRead(f"it holds {name}, which is not JSON; write null")


def _depth(text: str) -> int:
    """The deepest nesting of brackets outside of strings: counted before the parser recurses. Linear, also in broken text."""
    depth = deepest = 0
    for match in re.finditer(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', text, re.DOTALL):
        if match.group() in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
        elif match.group() in ("]", "}"):
            depth -= 1
    return deepest


def words(value: Any, limit: int = MAX_TEXT) -> str:
    """A text or a number on one printable line of at most `limit` characters; "" for anything else."""
    if isinstance(value, str):
        return brief(value[: 4 * limit], limit)
    if isinstance(value, bool):
        return "yes" if value else "no"
    found = number(value)
    return "" if found is None else figure(found)


def number(value: Any) -> float | None:
    """A finite number, also one written as text ("6.4")."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def within(value: Any, low: float, high: float) -> float | None:
    """A number that can be true of what it measures."""
    found = number(value)
    return found if found is not None and low <= found <= high else None


def percent(value: Any) -> float | None:
    """A percentage from 0 to 1000, also "62%" and {"current": 5, "target": 8}."""
    if isinstance(value, str):
        value = value.strip().removesuffix("%").strip()
    if isinstance(value, Mapping):
        said = first(value, "percent", "percentage", "progress_percent")
        if said is not None:
            return percent(said) if not isinstance(said, Mapping) else None
        done, target = number(first(value, "current", "done", "value")), number(first(value, "target", "goal", "of"))
        if done is None or not target:
            return None
        value = 100 * done / target
    return within(value, 0, 1000)


def a_date(value: Any) -> date | None:
    """The day of an ISO date or of the date and time that begin with one, as written (no zone is applied)."""
    found = _DATE.fullmatch(value.strip()[:64]) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        day = date.fromisoformat(found.group(1))
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def a_week(value: Any) -> tuple[date, date] | None:
    """Monday and Sunday of an ISO week ("2026-W48")."""
    found = _WEEK.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None or int(found.group(1)) not in _YEARS:
        return None
    try:
        return (
            date.fromisocalendar(int(found.group(1)), int(found.group(2)), 1),
            date.fromisocalendar(int(found.group(1)), int(found.group(2)), 7),
        )
    except ValueError:
        return None


def first(entry: Mapping[str, Any], *names: str) -> Any:
    """The value under the first of the names that is there and not null. A name with dots looks inside mappings."""
    for name in names:
        value: Any = entry
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def entries(value: Any, *names: str) -> Iterator[tuple[int | None, Mapping[str, Any] | None]]:
    """The entries of a file: itself, its list, or the list under one of the names, with their place (1-based).

    The place is None for a file that is one entry; the entry is None where something else than an object stands.
    """
    if isinstance(value, Mapping):
        held = next((value[name] for name in names if isinstance(value.get(name), list)), None)
        if held is None:
            yield None, value
            return
        value = held
    if not isinstance(value, list):
        yield None, None
        return
    for place, entry in enumerate(value, start=1):
        yield place, entry if isinstance(entry, Mapping) else None


def status_of(value: Any) -> str:
    """A status as one lower-case word with underscores: "Off track" and "off-track" are off_track."""
    return re.sub(r"[\W_]+", "_", one_line(value).lower()).strip("_")[:40] if isinstance(value, str) else ""


def figure(value: float) -> str:
    """A number as people write it: at most two decimals, none when it is whole."""
    value = round(value, 2) + 0.0  # no minus before a zero
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else f"{value:g}"


def days_of(days: tuple[date, ...]) -> str:
    """Days as a list: "2026-11-24, 2026-11-26 and 2026-11-28"; more than eight as the first and the last."""
    ordered = [day.isoformat() for day in sorted(days)]
    if len(ordered) > 8:
        return f"{len(ordered)} days from {ordered[0]} to {ordered[-1]}"
    return " and ".join(filter(None, [", ".join(ordered[:-1]), *ordered[-1:]]))
