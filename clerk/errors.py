"""What the desk says when it cannot do what was asked."""

from __future__ import annotations

import re

MEETING_ID = re.compile(r"mtg-[0-9a-f]{8}")


class DeskError(Exception):
    """One sentence that names the thing and the mend. `usage`: the request itself was wrong (exit code 2, HTTP 4xx)."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.usage = usage


def checked_id(meeting_id: str) -> str:
    """The id when it has the form of a meeting's id (DESIGN, Ids). Raises DeskError."""
    if not MEETING_ID.fullmatch(meeting_id):
        from parliament.text import brief

        raise DeskError(
            f"{brief(meeting_id)!r} is not a meeting id: one looks like mtg-9fed5d5a, and `boardroom meetings` lists them.",
            usage=True,
        )
    return meeting_id


def unknown(meeting_id: str) -> str:
    """The sentence for a meeting that is not on the record."""
    return f"There is no meeting {meeting_id} in this record: `boardroom meetings` lists them."
