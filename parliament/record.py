"""The record of one meeting as values: what the store gives back and what minutes and exports are rendered from.

Times are ISO 8601 strings with an offset; the store is where they come from, never a clock here. Field names of
resolutions, dissents, action items and agenda items are those of source 000 (Data Structures).
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from parliament.values import Disposition, EndedBy, ItemStatus, ItemType, MeetingStatus, Phase, Vote


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MemberRecord(_Value):
    id: str
    name: str
    role: str  # "chairman" or "member"
    voting: bool = True


class ItemRecord(_Value):
    id: str
    number: int  # 1-based
    topic: str
    type: ItemType
    time_minutes: int
    description: str = ""
    desired_outcome: str = ""
    user_commentary: str = ""
    status: ItemStatus = ItemStatus.PENDING
    why: str = ""  # why it was skipped, tabled or left unfinished
    active_seconds: float | None = None  # actual time, without pauses


class BallotRecord(_Value):
    """One vote that was opened and closed on a question (a motion's, an amendment's, or another question's id)."""

    question_id: str
    round: int
    threshold: str  # "majority" or "two_thirds"
    votes: dict[str, Vote]  # every seat on the frozen roll, in seating order
    reasons: dict[str, str] = {}
    raw: dict[str, str] = {}  # the raw words of INVALID votes
    outcome: Disposition | None = None  # None: the vote was void (quorum lost before it closed)
    present: int = 0  # members present when it closed
    closed_at: str | None = None


class AmendmentRecord(_Value):
    id: str
    motion_id: str  # the main motion
    target_id: str  # what it amends: the motion, or an amendment
    degree: int
    mover: str
    seconder: str | None = None
    text: str  # the whole text of the target as it would read
    summary: str = ""
    status: Disposition = Disposition.PROPOSED
    by_consent: bool = False
    ballots: tuple[BallotRecord, ...] = ()


class MotionRecord(_Value):
    id: str
    item_id: str
    kind: str  # a parliament.motions.MotionKind value; "main" for main motions
    text: str  # as finally put
    original_text: str | None = None  # as moved, when an amendment changed it
    proposed_by: str
    seconded_by: str | None = None
    status: Disposition = Disposition.PROPOSED
    by_consent: bool = False
    dissenter: str | None = None  # who was asked to argue against it
    amendments: tuple[AmendmentRecord, ...] = ()
    ballots: tuple[BallotRecord, ...] = ()
    created_at: str | None = None


class DissentRecord(_Value):
    member_id: str
    member_name: str
    statement: str
    recorded_at: str


class ActionRecord(_Value):
    id: str
    task: str
    owner: str
    deadline: str | None = None
    resolution_id: str | None = None
    status: str = "pending"
    item_id: str | None = None
    origin: str = "resolution"  # or "unfinished": a thread the meeting could not finish (law 13)


class ResolutionRecord(_Value):
    """One per main motion that came to its end, whatever the end; `motion_id` names the motion."""

    id: str
    meeting_id: str
    agenda_item_id: str
    motion_id: str
    topic: str
    dissents: tuple[DissentRecord, ...] = ()
    action_items: tuple[ActionRecord, ...] = ()
    user_response: dict[str, Any] | None = None
    created_at: str | None = None


class RulingRecord(_Value):
    """A refused command, a point of order with its ruling, or an appeal."""

    seq: int  # the turn it belongs to
    n: int = 0  # the how-many-th of that turn
    kind: str  # "refused_command", "point_of_order", "ruling", "appeal"
    member_id: str
    item_id: str | None = None
    text: str = ""  # the command as written, the point, the ruling
    result: str = ""  # e.g. "out of order", "well taken", "not well taken", "sustained", "reversed"
    reason: str = ""
    rule: str = ""  # where the rule comes from


class TurnRecord(_Value):
    """One line of the transcript. `seq` counts from 1 without gaps within a meeting."""

    seq: int
    id: str
    item_id: str | None
    phase: Phase
    purpose: str
    round: int
    member_id: str  # or "clerk", "shareholder"
    name: str
    text: str
    status: str = "ok"  # a parliament.values.TurnStatus value
    reading: str = "exact"
    at: str = ""
    data: dict[str, Any] = {}


class MeetingRecord(_Value):
    id: str
    name: str
    status: MeetingStatus
    phase: Phase | None = None
    simulated: bool = False
    provider: str = ""
    seed: int = 0
    quorum: int = 3
    chair: str  # who presided
    chair_named: str  # who the composition names; differs when a fallback presided
    members: tuple[MemberRecord, ...]
    present: tuple[str, ...] = ()  # at the roll call, in seating order
    absent: dict[str, str] = {}  # member id -> "absent" or "no_reply", at the roll call
    items: tuple[ItemRecord, ...] = ()
    standing_items: tuple[str, ...] = ()
    user_feedback: str = ""  # on the agenda
    revision_requested: bool = False
    motions: tuple[MotionRecord, ...] = ()
    removed: tuple[ResolutionRecord, ...] = ()  # deleted by the person: their votes and dissents stay
    resolutions: tuple[ResolutionRecord, ...] = ()
    actions: tuple[ActionRecord, ...] = ()  # all of the meeting, those of resolutions included
    rulings: tuple[RulingRecord, ...] = ()
    user_inputs: tuple[TurnRecord, ...] = ()
    warnings: tuple[str, ...] = ()  # e.g. more than half of the votes needed a tolerant reading
    ended_by: EndedBy | None = None
    scheduled_start: str | None = None
    created_at: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    zone: str = "UTC"
