"""Durations as people type them: "90s", "30m", "1h", "1h30m", or plain seconds."""

from __future__ import annotations

import re

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0}
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s?)?")

LONGEST = 30 * 86400.0


def seconds(text: str) -> float:
    """The seconds of a duration. ValueError in one sentence when it is none, not positive, or over thirty days."""
    found = _DURATION.fullmatch(text.strip().lower())
    if not found or not any(found.groups()):
        raise ValueError(f"{text.strip()[:40]!r} is not a duration: write it like 90s, 30m, 1h or 1h30m.")
    total = sum(float(number) * unit for number, unit in zip(found.groups(), _UNITS.values(), strict=True) if number)
    if not 0 < total <= LONGEST:
        raise ValueError(
            f"{text.strip()[:40]!r} is not a duration a meeting can have: it must be more than 0 and at most 30 days."
        )
    return total


def written(total: float) -> str:
    """Seconds as a person reads them: "42 s", "4 min 05 s", "1 h 02 min"."""
    whole = round(total)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
