"""The words of the minutes: how ends, votes, times and people are named, in Markdown and in JSON alike.

Everything that comes from the record and that somebody typed passes `parliament.text.inert` before it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from parliament.motions import MotionKind
from parliament.record import AmendmentRecord, BallotRecord, ItemRecord, MeetingRecord, MotionRecord
from parliament.text import inert
from parliament.values import CLERK, SHAREHOLDER, Disposition, EndedBy, ItemStatus, ItemType, MeetingStatus, Vote

SIMULATED = (
    "The voices of this meeting were simulated: no model and no person spoke. What follows shows the procedure, "
    "and is nobody's advice."
)
"""Law 14, word for word wherever minutes go."""

ENDS: Mapping[Disposition, str] = {
    Disposition.PROPOSED: "moved, and neither seconded nor disposed of",
    Disposition.PENDING: "pending, and not disposed of",
    Disposition.ADOPTED: "adopted",
    Disposition.LOST: "lost",
    Disposition.TIED: "lost on a tie",
    Disposition.UNSECONDED: "not taken up, for want of a second",
    Disposition.WITHDRAWN: "withdrawn",
    Disposition.TABLED: "laid on the table",
    Disposition.POSTPONED: "postponed to a certain time",
    Disposition.REFERRED: "referred to a committee",
    Disposition.OUT_OF_ORDER: "ruled out of order",
    Disposition.FELL: "fell to the ground undecided",
}

_APPEAL_ENDS: Mapping[Disposition, str] = {  # the question is whether the chair's decision shall stand (RONR 24)
    Disposition.ADOPTED: "the decision of the chair was sustained",
    Disposition.TIED: "the decision of the chair was sustained on a tie",
    Disposition.LOST: "the decision of the chair was reversed",
}

VOTES: Mapping[Vote, tuple[str, str]] = {
    Vote.FOR: ("For", ""),
    Vote.AGAINST: ("Against", ""),
    Vote.ABSTAIN: ("Abstained", ""),
    Vote.ABSENT: ("Absent", "not present when the vote was opened"),
    Vote.NO_REPLY: ("No reply", "present, but the call failed after its retries; this is not an abstention"),
    Vote.INVALID: ("Invalid", "replied, but no vote could be read; this is not an abstention"),
}
"""How each of the six is headed, and what the three that need it mean (law 8)."""

THRESHOLDS: Mapping[str, str] = {"majority": "a majority of the votes cast", "two_thirds": "two thirds of the votes cast"}
APPEAL_THRESHOLD = "a majority against the chair to reverse the ruling"

ENDED_BY: Mapping[EndedBy, str] = {
    EndedBy.AGENDA: "everything on the agenda had been taken up",
    EndedBy.ADJOURNED: "the board adjourned early",
    EndedBy.DEADLINE: "the time allotted had run out",
    EndedBy.BUDGET: "the meeting's budget was spent",
    EndedBy.ABANDONED: "the meeting was halted and was not resumed in time",
    EndedBy.IMPORTED: "the record was brought along from elsewhere and says no more of the meeting's end",
}

STATUSES: Mapping[MeetingStatus, str] = {
    MeetingStatus.CREATED: "The meeting has not been held.",
    MeetingStatus.AGENDA_DRAFT: "The meeting has not been held; its agenda is a draft.",
    MeetingStatus.PREPARED: "The meeting has not been held; its agenda is approved.",
    MeetingStatus.IN_PROGRESS: "The meeting is in progress; these minutes end where its record ends.",
    MeetingStatus.PAUSED: "The meeting is paused; these minutes end where its record ends.",
    MeetingStatus.FAILED: "The meeting was stopped by a failure; these minutes end where its record ends.",
    MeetingStatus.QUORUM_LOST: "The meeting has no quorum and is halted; decisions taken before stand.",
}


def item_end(item: ItemRecord, motions: int) -> str:
    """One sentence on where an item stands, with the reason that the record gives. "" when its motions say it all."""
    why = f": {inert(item.why.rstrip('. '))}." if item.why else "."
    match item.status:
        case ItemStatus.DONE if motions:
            return ""
        case ItemStatus.DONE if item.type is ItemType.DECISION:
            return f"The item was taken up and no motion came before the board{why}"
        case ItemStatus.DONE:
            return f"The item was taken up and closed without a motion{why}"
        case ItemStatus.SKIPPED:
            return f"**Skipped**, since no motion in order could be had{why}"
        case ItemStatus.TABLED:
            return f"**Laid on the table**; it is offered to the next meeting's agenda{why}"
        case ItemStatus.UNFINISHED:
            return f"**Unfinished** when the meeting ended; it became a task{why}"
        case ItemStatus.OPEN:
            return f"The item is under consideration{why}"
        case ItemStatus.PENDING:
            return f"The item was not reached{why}"


def end_of(question: MotionRecord | AmendmentRecord) -> str:
    """How a motion or an amendment ended, in a few words."""
    if isinstance(question, MotionRecord) and question.kind == MotionKind.APPEAL and question.status in _APPEAL_ENDS:
        return _APPEAL_ENDS[question.status]
    if question.by_consent and question.status in (Disposition.ADOPTED, Disposition.WITHDRAWN, Disposition.TABLED):
        return f"{ENDS[question.status]} by unanimous consent"
    return ENDS[question.status]


def kind_of(motion: MotionRecord) -> str:
    """ "Motion", "Motion to lay on table", "Appeal", …"""
    if motion.kind == MotionKind.MAIN:
        return "Motion"
    words = inert(motion.kind.replace("_", " "))
    return words.capitalize() if motion.kind in (MotionKind.APPEAL, MotionKind.POINT_OF_ORDER) else f"Motion to {words}"


def count(ballot: BallotRecord) -> dict[Vote, int]:
    """How many seats of the roll stand beside each of the six."""
    return {kind: sum(vote is kind for vote in ballot.votes.values()) for kind in Vote}


def count_words(ballot: BallotRecord) -> str:
    """All six numbers, always: a zero is information too (law 8)."""
    number = count(ballot)
    return (
        f"{number[Vote.FOR]} for, {number[Vote.AGAINST]} against, {number[Vote.ABSTAIN]} abstaining, "
        f"{number[Vote.ABSENT]} absent, {number[Vote.NO_REPLY]} without a reply, {number[Vote.INVALID]} invalid"
    )


def degraded(ballot: BallotRecord) -> str:
    """What is degraded about a result, in one sentence; "" when every present seat voted (law 8)."""
    number = count(ballot)
    missing = [
        f"{number[kind]} {words}"
        for kind, words in ((Vote.NO_REPLY, "gave no reply"), (Vote.INVALID, "gave a reply that could not be read as a vote"))
        if number[kind]
    ]
    return f"Degraded: of {len(ballot.votes)} seats on the roll, {' and '.join(missing)}." if missing else ""


def duration(seconds: float) -> str:
    """Seconds as "12 min 30 s"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def moment(text: str | None, zone: str) -> str:
    """A time of the record in the meeting's zone: "2026-01-04 06:00:00 PST". Unreadable or without offset: as recorded."""
    if not text:
        return "not recorded"
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is None:
            return inert(text)
        return at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S %Z")
    except (ValueError, OSError, OverflowError, LookupError):  # an imported record may name a zone that is none
        return inert(text)


def seconds_between(start: str | None, end: str | None) -> float | None:
    """Seconds from start to end; None when either is missing or unreadable."""
    if not start or not end:
        return None
    try:
        return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except (ValueError, TypeError):
        return None


class Names:
    """The people of a meeting by their display names, inert."""

    def __init__(self, record: MeetingRecord) -> None:
        self._names = {member.id: member.name for member in record.members}
        self._names |= {SHAREHOLDER: "the shareholder", CLERK: "the clerk"}

    def __call__(self, member: str) -> str:
        return inert(self._names.get(member, self._names.get(member.lower(), member)))

    def all(self, members: Iterable[str]) -> str:
        return ", ".join(self(member) for member in members) or "none"
