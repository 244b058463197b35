"""The floor as values: motions, the ballot, points of order, and what has ended. `parliament.floor` changes them.

Everything is frozen, small and JSON-serialisable: it travels through continue-as-new.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from parliament.acts import Remedy
from parliament.motions import PRECEDENCE, MotionKind, MotionRule, amendment_rank
from parliament.quorum import has_quorum
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote
from parliament.votes import Tally, Threshold

Ruling = Literal["well_taken", "not_well_taken"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Motion(_Value):
    """A motion on the floor. `wording` is its words or the store's reference to them; the floor never looks inside."""

    id: str
    kind: MotionKind
    mover: str
    wording: str
    original_wording: str | None = None  # as moved, once an amendment changed it
    seconder: str | None = None
    stated: bool = False  # seconded (where a second is needed) and so before the board
    target_id: str | None = None
    degree: int = 0  # 0: not an amendment; 1, 2: amendment of the first, second degree
    round: int = 0  # the last round in which a ballot was opened on it

    @property
    def rule(self) -> MotionRule:
        """Its row in the table of precedence."""
        return PRECEDENCE[self.kind]


class Ballot(_Value):
    """The open vote. `roll` was frozen when it opened: all seated voting members, in seating order."""

    question_id: str
    round: int
    threshold: Threshold
    roll: tuple[str, ...]
    votes: dict[str, Vote]


class Closed(_Value):
    """A question that came to its end. `round`, `threshold`, `votes` and `tally` only where it was voted on."""

    question: Motion  # as it stood
    disposition: Disposition
    by_consent: bool = False
    round: int | None = None
    threshold: Threshold | None = None
    votes: dict[str, Vote] = {}
    tally: Tally | None = None


class Point(_Value):
    """The open point of order; `ruling` is None until the chair has ruled."""

    by: str
    ref: str
    ruling: Ruling | None = None
    remedy: Remedy = "none"


class Floor(_Value):
    """What is pending, who is present, and where the meeting stands.

    `members` are the seated voting members in seating order. `pending` is a stack: its last motion is the one immediately
    pending. `closed` holds what ended during the current item.
    """

    members: tuple[str, ...]
    chair: str
    quorum: int
    second_required: bool = True
    present: tuple[str, ...] = ()
    phase: Phase = Phase.OPENING
    item_id: str | None = None
    item_type: ItemType | None = None
    introduced: bool = False  # the item has had its INTRO
    pending: tuple[Motion, ...] = ()
    ballot: Ballot | None = None
    point: Point | None = None
    closed: tuple[Closed, ...] = ()
    debate_closed: bool = False
    adjourned: bool = False
    roll_called: bool = False
    called: tuple[str, ...] = ()  # whose name was called so far, until the roll is complete

    @field_validator("members")
    @classmethod
    def _members(cls, members: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(members)) != len(members):
            raise ValueError("a member is seated twice; each member has one seat and one vote")
        if CLERK in members:
            raise ValueError(f"{CLERK!r} is the procedure's own speaker id; give the seat another id")
        return members

    @property
    def question(self) -> Motion | None:
        """The motion immediately pending."""
        return self.pending[-1] if self.pending else None

    @property
    def main(self) -> Motion | None:
        """The pending main motion."""
        return next((motion for motion in self.pending if motion.kind is MotionKind.MAIN), None)

    @property
    def has_quorum(self) -> bool:
        return has_quorum(self.present, self.members, self.quorum)

    @property
    def absent(self) -> tuple[str, ...]:
        """The seated members who are not present, in seating order."""
        return tuple(member for member in self.members if member not in self.present)

    def last_closed(self, question_id: str | None = None) -> Closed | None:
        """What ended last, or how the question of this id ended last."""
        return next((c for c in reversed(self.closed) if question_id in (None, c.question.id)), None)

    def find(self, motion_id: str | None) -> Motion | None:
        """The pending motion of this id."""
        return next((motion for motion in self.pending if motion.id == motion_id), None)

    def rank(self, motion: Motion) -> int | None:
        """Its rank while it is pending; an amendment has that of the motion it would amend (RONR 12)."""
        if motion.kind is not MotionKind.AMEND:
            return motion.rule.rank
        target = self.find(motion.target_id)
        return amendment_rank(self.rank(target) if target is not None else None)

    def debatable(self, motion: Motion) -> bool:
        """Whether it may be debated; an amendment may when its target may."""
        if motion.rule.debatable is not None:
            return motion.rule.debatable
        target = self.find(motion.target_id)
        return target is None or self.debatable(target)

    def with_(self, **changes: Any) -> Floor:
        """A copy with some fields changed; the values are the caller's own and are not validated again."""
        return self.model_copy(update=changes)


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """Why an act was refused: one sentence a chairman could say, and where its rule comes from. Nothing has changed."""

    reason: str
    rule: str = ""


class Refusal(Exception):
    """Raised inside an act's handler to refuse it."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.refusal = OutOfOrder(reason, rule)


def require(condition: object, reason: str, rule: str) -> None:
    """Refuse the act with this sentence and rule unless the condition holds."""
    if not condition:
        raise Refusal(reason, rule)
