"""Ids: each is derived from its place in the meeting, so that writing a thing again is a no-op (law 4).

Ids from outside are checked with `is_…_id`, which match the whole text (DESIGN, How a meeting runs, Ids).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

_MEETING = r"mtg-[0-9a-f]{8}"
_NUMBER = r"[1-9][0-9]{0,5}"
_ITEM = rf"[A-Za-z][A-Za-z0-9_]*-{_NUMBER}"

_MEETING_ID = re.compile(_MEETING)
_RESOLUTION_ID = re.compile(rf"RES-{_MEETING}-{_NUMBER}(?:-{_NUMBER})?")
_MOTION_ID = re.compile(rf"MOT-{_MEETING}-{_ITEM}(?:-{_NUMBER})?")
_AMENDMENT_ID = re.compile(rf"AMD-{_MEETING}-{_NUMBER}")
_ACTION_ID = re.compile(r"ACT-[0-9a-f]{8}")
_IMPORTED_ID = re.compile(r"(?:mtg|RES|MOT|ACT)-[A-Za-z0-9][A-Za-z0-9_-]{0,95}")


def _hash(*parts: object) -> str:
    """SHA-256 in hex of the parts, joined so that no two different lists of parts look alike."""
    return hashlib.sha256("".join(f"{len(str(part))}:{part}" for part in parts).encode()).hexdigest()


def meeting_id(source: str) -> str:
    """`mtg-<8 hex>` from whatever names the meeting once (a random token, a date of a series); also the workflow's id."""
    return f"mtg-{_hash('meeting', source)[:8]}"


def resolution_id(meeting: str, number: int, nth: int = 1) -> str:
    """`RES-<meeting>-<item number>` (1-based); the resolution of a second motion on the item ends in `-2`."""
    return f"RES-{meeting}-{number}" + _nth(nth)


def motion_id(meeting: str, item_id: str, nth: int = 1) -> str:
    """`MOT-<meeting>-<item id>`; a second motion on the item ends in `-2`."""
    return f"MOT-{meeting}-{item_id}" + _nth(nth)


def amendment_id(meeting: str, seq: int) -> str:
    """`AMD-<meeting>-<seq>`: `seq` is the turn in which it was moved; a turn moves one amendment at most."""
    return f"AMD-{meeting}-{seq}"


def action_id(meeting: str, item: str, which: int | str) -> str:
    """`ACT-<8 hex>` from the meeting, the item and which of its action items: its 0-based number, or its task's words."""
    return f"ACT-{_hash('action', meeting, item, which)[:8]}"


def session_id(meeting: str, member: str) -> str:
    """The deterministic session of a member in a meeting: 16 hex of an MD5 (source 000, Crash Recovery 5)."""
    return hashlib.md5(f"{meeting}:{member}".encode(), usedforsecurity=False).hexdigest()[:16]


def speaking_order(seed: int, meeting: str, place: str, members: Iterable[str]) -> tuple[str, ...]:
    """The members in the order that the seed gives at this place of the meeting, in whatever order they come in.

    Every order is as likely as every other, and the order at one place says nothing about the next.
    """
    return tuple(sorted(members, key=lambda member: (_hash("order", seed, meeting, place, member), member)))


def is_meeting_id(text: str) -> bool:
    return _MEETING_ID.fullmatch(text) is not None


def is_resolution_id(text: str) -> bool:
    return _RESOLUTION_ID.fullmatch(text) is not None


def is_motion_id(text: str) -> bool:
    return _MOTION_ID.fullmatch(text) is not None


def is_amendment_id(text: str) -> bool:
    return _AMENDMENT_ID.fullmatch(text) is not None


def is_action_id(text: str) -> bool:
    return _ACTION_ID.fullmatch(text) is not None


def is_imported_id(text: str, kind: str = "mtg") -> bool:
    """Whether a record that was brought along may have this id: `kind` (mtg, RES, MOT, ACT), then its own pattern.

    At most 100 letters, digits, `-` and `_`, and not one that a path or a query could read otherwise. Our own ids pass too.
    """
    return text.startswith(f"{kind}-") and _IMPORTED_ID.fullmatch(text) is not None


def _nth(nth: int) -> str:
    if nth < 1:
        raise ValueError(f"there is no motion number {nth} on an item; count from 1")
    return "" if nth == 1 else f"-{nth}"
