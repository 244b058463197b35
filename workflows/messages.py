"""Typed inputs, states and answers of the workflows, and the names of their signals and queries.

Everything here crosses Temporal's wire and is read back from histories: add fields with defaults, never rename.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from parliament.floor import Floor
from parliament.standing_rules import Rules
from parliament.values import EndedBy, ItemType, MeetingStatus, Phase

__all__ = [
    "AFTER_MEETING",
    "BOARD_MEETING",
    "CONVENE",
    "FOLLOW_UP",
    "NOTICE",
    "PREPARATION",
    "PROPOSAL_REVIEW",
    "SUMMARY",
    "AfterMeetingInput",
    "Afterwards",
    "BoardMeetingInput",
    "ConveneInput",
    "ConveneOutcome",
    "FollowUpInput",
    "Item",
    "MeetingOutcome",
    "MeetingState",
    "NoticeInput",
    "PreparationInput",
    "PreparationState",
    "ReviewInput",
    "ReviewState",
    "Rules",
    "Seat",
    "SummaryInput",
    "Whereabouts",
    "meetings_queue",
    "schedule_queue",
    "voices_queue",
]

BOARD_MEETING = "BoardMeeting"
PREPARATION = "Preparation"
NOTICE = "Notice"
CONVENE = "Convene"
FOLLOW_UP = "ResolutionFollowUp"
AFTER_MEETING = "AfterMeeting"
SUMMARY = "Summary"
PROPOSAL_REVIEW = "ProposalReview"


def meetings_queue(store_id: str) -> str:
    """Task queue of workflows and the record. Names carry the store's id: two data directories never do each other's work."""
    return f"boardroom-{store_id}"


def voices_queue(store_id: str) -> str:
    """Task queue of model calls. Its name stands in every call's history: a short one."""
    return f"voices-{store_id}"


def schedule_queue(store_id: str) -> str:
    """Task queue of what Schedules start. Only `up` and `worker` poll it: a passing `meet` must not pick it up and leave."""
    return f"boardroom-schedule-{store_id}"


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Seat(_Message):
    id: str
    name: str
    voting: bool = True


class Item(_Message):
    id: str
    type: ItemType
    minutes: int = 15
    title: str = ""  # only where the setting allows titles in Temporal (law 15)


class Afterwards(_Message):
    """What follows a meeting, as it was set when the meeting was opened."""

    remind_days: int = 7  # between two reminders of a resolution that waits for its answer; 0: none
    stale_days: int = 30
    hour: int = 9  # of reminders, in the meeting's zone
    secretary: bool = True  # a summary and the secretary's review


class BoardMeetingInput(_Message):
    """What a meeting starts from. Ids and rules; every text is in the store under the workflow's id."""

    seats: list[Seat]
    facilitators: list[str]  # the fallback chain, the composition's chairman first
    items: list[Item]
    seed: int
    date: str  # ISO date of the meeting, for the search attribute
    voices_queue: str
    board: str = "board"
    rules: Rules = Rules()
    state: MeetingState | None = None  # carried through continue-as-new
    notices: bool = False  # whether somebody wants to be told of the meeting's moments
    afterwards: Afterwards | None = None  # None: nothing follows


class RoomState(_Message):
    """What a room remembers of any kind of meeting."""

    status: MeetingStatus = MeetingStatus.IN_PROGRESS
    seq: int = 0  # the last place in the transcript that was given away
    rounds: dict[str, int] = {}
    inputs: list[str] = []  # user input not yet put to the board
    inputs_seen: list[str] = []
    paused: bool = False
    active: float = 0.0  # seconds the meeting's clock has run, without pauses
    closing: bool = False


class MeetingState(RoomState):
    """Everything a meeting must remember between two runs of its workflow."""

    floor: Floor
    next_item: int = 0
    ended_by: EndedBy | None = None
    resolutions: list[str] = []
    guests: list[str] = []  # present seats without a vote: they are heard, and move and decide nothing
    adopted: list[str] = []  # the resolutions among `resolutions` that were adopted


class MeetingOutcome(_Message):
    """What a closed meeting's workflow returns."""

    status: MeetingStatus
    ended_by: EndedBy
    turns: int
    resolutions: list[str] = []


class Whereabouts(_Message):
    """Answer to the `whereabouts` query: what only the running workflow knows."""

    status: MeetingStatus
    phase: Phase
    item: str | None = None
    pausing: bool = False  # a pause was asked for and takes effect at the next checkpoint
    waiting_inputs: int = 0
    hearing: list[str] = []  # members whose replies are awaited


class PreparationState(_Message):
    """Where a preparation stands; the store has the agenda itself."""

    status: MeetingStatus = MeetingStatus.CREATED
    drafts: int = 0
    reminders: int = 0


class PreparationInput(_Message):
    """What the preparation of a meeting starts from. Its workflow id is the meeting's, which it goes on under."""

    voices_queue: str
    rules: Rules = Rules()
    board: str = "board"
    scheduled_start: datetime | None = None  # when an approved meeting starts by itself
    review_deadline: datetime | None = None  # until when the agenda waits for the person
    on_review_deadline: Literal["hold", "remind", "drop"] = "remind"
    remind_every: float = 86400.0  # seconds
    unattended: bool = False  # draft, approve and start without anybody (a schedule's meeting)
    titles: bool = False  # whether topics may stand in Temporal (law 15)
    notices: bool = False
    state: PreparationState = PreparationState()
    afterwards: Afterwards | None = None


class NoticeInput(_Message):
    """One notice on its way. `id` is derived from the moment it tells of, so that each moment is told once (law 4)."""

    id: str
    kind: str
    meeting: str | None = None
    ref: str | None = None


class ConveneInput(_Message):
    """What a Schedule starts its convener with. Ids and limits: what the meeting is about is read when it is due."""

    schedule_id: str
    kind: Literal["weekly", "drift"] = "weekly"
    meetings_queue: str
    catchup: float = 21600.0  # seconds after the planned time until which the meeting is still held


class ConveneOutcome(_Message):
    """What became of one convening; the store says why."""

    outcome: Literal["completed", "failed", "timeout", "missed", "nothing_to_do"]
    meeting: str | None = None


class FollowUpInput(_Message):
    """What following an adopted resolution starts from. Its workflow id is the resolution's."""

    afterwards: Afterwards = Afterwards()
    notices: bool = False
    continue_after_events: int = 1000  # of its history; tests force it early


class ReviewState(RoomState):
    """What a proposal review must remember."""

    phase: Phase = Phase.ASSESSMENT


class ReviewInput(_Message):
    """What a proposal review starts from. Ids and rules; the proposal is in the store under the workflow's id."""

    seats: list[Seat]
    rounds: int
    seed: int
    date: str  # ISO date of the review, for the search attribute
    voices_queue: str
    rules: Rules = Rules()
    notices: bool = False
    decide_within: float = 14 * 86400.0  # seconds that an escalated proposal waits for the person
    remind_every: float = 3 * 86400.0  # seconds between two reminders of it; 0: none


class ReviewOutcome(_Message):
    """What a closed review's workflow returns."""

    outcome: Literal["APPROVED", "REJECTED", "ESCALATE"]
    ended_by: EndedBy
    decision: Literal["approve", "reject"] | None = None  # a person's, of what was escalated


class AfterMeetingInput(_Message):
    """What the work after a meeting starts from. Its workflow id is `after-<meeting>`."""

    meeting: str
    voices_queue: str
    rules: Rules = Rules()
    notices: bool = False


class SummaryInput(_Message):
    """One version of a meeting's summary. Its workflow id is `summary-<meeting>-<version>`."""

    meeting: str
    version: int
    voices_queue: str
    rules: Rules = Rules()
    mail: bool = False


BoardMeetingInput.model_rebuild()
