"""The acts: everything that can be done on the floor. `parliament.floor.apply` says what each needs and what it does.

Each act is a small frozen value of ids and choices, never of anybody's words. Who acts is not part of the act: the speaker
is given to `apply` beside it, so that no reply can name another speaker (law 2).
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from parliament.motions import MotionKind
from parliament.values import ItemType, Phase, Vote

Remedy = Literal["none", "out_of_order"]


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


# -- the meeting: the clerk's acts, and each member's own presence ----------------------------------------------------


class EnterPhase(_Act):
    """Clerk: begin a phase (source 000, Phase Sequence)."""

    phase: Phase


class Preside(_Act):
    """Clerk: a seated member takes the chair (source 000, Facilitator Fallback Chain)."""

    member: str


class TakeUp(_Act):
    """Clerk: take up an item of the agenda."""

    item_id: str
    item_type: ItemType


class FinishItem(_Act):
    """Clerk: the item is over; nothing may be pending."""


class Answer(_Act):
    """A member answers the roll for itself; later, that it is back or leaves."""

    present: bool


class MarkAbsent(_Act):
    """Clerk: a member's call failed; it is absent until its seat answers again."""

    member: str


class Adjourn(_Act):
    """Clerk: the meeting is adjourned in order."""


class FallToGround(_Act):
    """Clerk: time or money is up; an open ballot is void, and what is pending falls to the ground (law 13)."""


# -- motions -----------------------------------------------------------------------------------------------------------


class Move(_Act):
    """A present member moves. `wording` is the words or the store's reference to them; `target_id` what it applies to."""

    id: str
    kind: MotionKind
    wording: str
    target_id: str | None = None


class Second(_Act):
    """A present member other than the mover seconds the immediately pending motion."""

    id: str


class DieUnseconded(_Act):
    """Clerk: nobody seconds the immediately pending motion."""

    id: str


class Withdraw(_Act):
    """The mover alone withdraws a motion that was not stated yet."""

    id: str


class WithdrawByConsent(_Act):
    """Clerk: a stated motion is withdrawn, because nobody objects."""

    id: str
    objectors: tuple[str, ...]


class AdoptByConsent(_Act):
    """Clerk: the immediately pending question is agreed to, because nobody objects. Never a main motion or an appeal."""

    id: str
    objectors: tuple[str, ...]


# -- voting ------------------------------------------------------------------------------------------------------------


class OpenBallot(_Act):
    """Clerk: the question is put; the roll is frozen. `round` counts up with every ballot on the same question."""

    question_id: str
    round: int


class Cast(_Act):
    """A member votes. The server stamps question and round, never the model."""

    question_id: str
    round: int
    vote: Vote


class NoVote(_Act):
    """Clerk: a present seat gave none: NO_REPLY (its call failed) or INVALID (it cannot be read)."""

    member: str
    vote: Vote


class CloseBallot(_Act):
    """Clerk: the ballot is closed, and only now counted."""


class VoidBallot(_Act):
    """Clerk: the quorum was lost while the vote was taken; nothing was decided and the question stays pending."""


# -- points of order ---------------------------------------------------------------------------------------------------


class RaisePoint(_Act):
    """A present member raises a point of order; `ref` names its words in the record."""

    ref: str


class Rule(_Act):
    """The chair rules. `remedy` is what follows when the point stands as well taken, by this ruling or on appeal."""

    well_taken: bool
    remedy: Remedy = "none"


class AcceptRuling(_Act):
    """Clerk: nobody appeals; the ruling takes effect."""


class DropPoint(_Act):
    """Clerk: the point falls without a ruling, because nobody who presides answers."""


Act = (
    EnterPhase
    | Preside
    | TakeUp
    | FinishItem
    | Answer
    | MarkAbsent
    | Adjourn
    | FallToGround
    | Move
    | Second
    | DieUnseconded
    | Withdraw
    | WithdrawByConsent
    | AdoptByConsent
    | OpenBallot
    | Cast
    | NoVote
    | CloseBallot
    | VoidBallot
    | RaisePoint
    | Rule
    | AcceptRuling
    | DropPoint
)
