"""Typed inputs, states and answers of the workflows, and the names of their signals and queries.

Everything here crosses Temporal's wire and is read back from histories: add fields with defaults, never rename.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from parliament.floor import Floor
from parliament.standing_rules import Rules
from parliament.values import EndedBy, ItemType, MeetingStatus, Phase

__all__ = [
    "BOARD_MEETING",
    "BoardMeetingInput",
    "Item",
    "MeetingOutcome",
    "MeetingState",
    "Rules",
    "Seat",
    "Whereabouts",
    "meetings_queue",
    "voices_queue",
]

BOARD_MEETING = "BoardMeeting"


def meetings_queue(store_id: str) -> str:
    """Task queue of workflows and the record. Names carry the store's id: two data directories never do each other's work."""
    return f"boardroom-{store_id}"


def voices_queue(store_id: str) -> str:
    """Task queue of model calls. Its name stands in every call's history: a short one."""
    return f"voices-{store_id}"


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


class MeetingState(_Message):
    """Everything a meeting must remember between two runs of its workflow."""

    floor: Floor
    status: MeetingStatus = MeetingStatus.IN_PROGRESS
    next_item: int = 0
    seq: int = 0  # the last place in the transcript that was given away
    rounds: dict[str, int] = {}
    inputs: list[str] = []  # user input not yet put to the board
    inputs_seen: list[str] = []
    paused: bool = False
    active: float = 0.0  # seconds the meeting's clock has run, without pauses
    ended_by: EndedBy | None = None
    closing: bool = False
    resolutions: list[str] = []
    guests: list[str] = []  # present seats without a vote: they are heard, and move and decide nothing


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


BoardMeetingInput.model_rebuild()
