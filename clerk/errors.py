"""What the desk says when it cannot do what was asked."""

from __future__ import annotations

from enum import StrEnum

from parliament.ids import is_imported_id


class Kind(StrEnum):
    """Why the desk says no; the API's answer and the command line's exit code follow from it."""

    USAGE = "usage"  # the request itself is wrong: 422
    UNKNOWN = "unknown"  # there is no such thing, or it is somebody else's: 404
    REFUSED = "refused"  # not in this state: 409
    AWAY = "away"  # Temporal, the worker or the provider does not answer: 503
    FAILED = "failed"  # it was tried and did not work


class DeskError(Exception):
    """One sentence that names the thing and the mend, and of which kind it is. `usage` is short for Kind.USAGE."""

    def __init__(self, message: str, *, usage: bool = False, kind: Kind = Kind.FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.kind = Kind.USAGE if usage else kind

    @property
    def usage(self) -> bool:
        """Whether the caller asked for something that cannot be (exit code 2)."""
        return self.kind in (Kind.USAGE, Kind.UNKNOWN)


def checked_id(meeting_id: str) -> str:
    """The id when it has the form of a meeting's id, held here or brought along (DESIGN, Ids). Raises DeskError."""
    if not is_imported_id(meeting_id):
        from parliament.text import brief

        raise DeskError(
            f"{brief(meeting_id)!r} is not a meeting id: one looks like mtg-9fed5d5a, and `boardroom meetings` lists them.",
            usage=True,
        )
    return meeting_id


def unknown(meeting_id: str) -> str:
    """The sentence for a meeting that is not on the record."""
    return f"There is no meeting {meeting_id} in this record: `boardroom meetings` lists them."
