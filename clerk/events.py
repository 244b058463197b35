"""What a follower of a meeting is told, whichever door it stands at."""

from __future__ import annotations

from dataclasses import dataclass

from parliament.record import TurnRecord
from parliament.values import EndedBy, MeetingStatus, Phase


@dataclass(frozen=True, slots=True)
class Sitter:
    """A seated member."""

    id: str
    name: str
    role: str  # "chairman" or "member"
    voting: bool = True


@dataclass(frozen=True, slots=True)
class Topic:
    """An item of the agenda, as much as a heading needs."""

    id: str
    number: int
    topic: str
    type: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """What does not change while a meeting runs (but for who presides, which a StatusEvent tells)."""

    meeting_id: str
    name: str
    simulated: bool
    provider: str
    members: tuple[Sitter, ...]
    chair: str
    items: tuple[Topic, ...]
    quorum: int
    kind: str = "board"

    def name_of(self, member_id: str) -> str:
        """The display name of a member; of the clerk and the shareholder, who have no seat, what they are called."""
        otherwise = member_id.capitalize() if member_id.islower() else member_id  # one brought along may be a name already
        return next((m.name for m in self.members if m.id == member_id), otherwise)


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """A line of the transcript. They come in the order of `seq`, without gaps."""

    turn: TurnRecord


@dataclass(frozen=True, slots=True)
class WordsEvent:
    """More of what a member is saying. A later `attempt` of the same call begins its words anew."""

    member_id: str
    call_id: str
    attempt: int
    text: str
    seq: int | None = None  # the place in the transcript that is kept for the turn


@dataclass(frozen=True, slots=True)
class StatusEvent:
    """Where the meeting stands; sent when any of it changed."""

    status: MeetingStatus
    phase: Phase | None
    item_id: str | None
    ended_by: EndedBy | None
    error: str | None  # why it is halted, when it is
    chair: str  # who presides
    present: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FloorEvent:
    """The question on the floor, or that there is none (`text` is None)."""

    text: str | None
    kind: str = "main"
    mover: str = ""
    seconder: str | None = None
    amended: bool = False


@dataclass(frozen=True, slots=True)
class NoticeEvent:
    """A passing remark to whoever follows, by a program that may (SERVICE_SECURITY 9). No line of the transcript."""

    text: str


Event = TurnEvent | WordsEvent | StatusEvent | FloorEvent | NoticeEvent
