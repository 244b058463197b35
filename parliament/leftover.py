"""What a file says and our rendering of the record does not: kept, so that an export gives it back as it was.

A file that was brought along is read into the record, and the record is rendered again. Where the two differ (a time without
a zone, a key that we do not know, a status in other words) the difference is kept. Later it is laid over the rendering of
that day: where the record still says what it said then, the file's own words stand; where it has moved on, the record's do.
Values are JSON: dict with text keys, list, str, int, float, bool, None.
"""

from __future__ import annotations

from typing import Any

Leftover = dict[str, Any]
"""{"of": {key: …}} in an object, {"at": {index: …}} in a list, {"is": theirs, "was": ours}; without "was" we had none."""

OPEN = frozenset({"votes_collected", "vote_reasons", "vote_dissents", "agent_sessions"})
"""Keys of objects that have a member for a key: there a key more is no addition of ours, it says something else."""


def same(one: Any, other: Any) -> bool:
    """Equal as JSON is: true is not 1, 1 is not 1.0, and the order of an object's keys says nothing."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def covers(whole: Any, part: Any) -> bool:
    """Whether `whole` says everything that `part` says; it may have keys that `part` has not."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return all(key in whole and (same if key in OPEN else covers)(whole[key], value) for key, value in part.items())
    if isinstance(whole, list) and isinstance(part, list):
        return len(whole) == len(part) and all(map(covers, whole, part))
    return same(whole, part)


def leftover(theirs: Any, ours: Any) -> Leftover | None:
    """What `theirs` says otherwise or beside; None when `ours` covers it."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        inside = {key: _of_key(value, ours, key) for key, value in theirs.items()}
        found = {key: part for key, part in inside.items() if part is not None}
        return {"of": found} if found else None
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        parts = {str(n): leftover(one, other) for n, (one, other) in enumerate(zip(theirs, ours, strict=True))}
        different = {n: part for n, part in parts.items() if part is not None}
        return {"at": different} if different else None
    return None if same(theirs, ours) else {"is": theirs, "was": ours}


def restored(ours: Any, kept: Leftover | None) -> Any:
    """`ours` with what was kept laid over it, wherever it still is what it was then."""
    if not kept:
        return ours
    if "of" in kept and isinstance(ours, dict):
        whole = dict(ours)
        for key, part in kept["of"].items():
            if key in ours:
                whole[key] = restored(ours[key], part)
            elif "is" in part and "was" not in part:
                whole[key] = part["is"]
        return whole
    if "at" in kept and isinstance(ours, list):
        return [restored(one, kept["at"].get(str(n))) for n, one in enumerate(ours)]
    if "was" in kept and same(ours, kept["was"]):
        return kept["is"]
    return ours


def _of_key(theirs: Any, ours: dict[str, Any], key: str) -> Leftover | None:
    if key not in ours:
        return {"is": theirs}
    if key in OPEN:
        return None if same(theirs, ours[key]) else {"is": theirs, "was": ours[key]}
    return leftover(theirs, ours[key])
