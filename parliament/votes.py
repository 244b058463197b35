"""Thresholds and counts: what a closed vote means, in integers only (RULES_OF_ORDER, Votes).

The result follows from the votes on the roll and from nothing else (law 1). Six things can stand beside a seat, and only
FOR and AGAINST are votes cast (law 8, RONR 44); the other four are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from parliament.values import Disposition, Vote


class Threshold(StrEnum):
    """How large the affirmative vote must be (RONR 44)."""

    MAJORITY = "majority"  # more than half
    TWO_THIRDS = "two_thirds"  # at least two thirds


class Base(StrEnum):
    """What a threshold is a part of. Only with PRESENT and ENTIRE does an abstention weigh as a No (RONR 44)."""

    CAST = "cast"
    PRESENT = "present"
    ENTIRE = "entire"


class Tally(BaseModel):
    """The count of one vote; every number is a number of seats. `present` are the seats not ABSENT, `entire` the roll."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    for_: int = 0
    against: int = 0
    abstain: int = 0
    absent: int = 0
    no_reply: int = 0
    invalid: int = 0
    present: int = 0
    entire: int = 0

    @property
    def cast(self) -> int:
        """Votes cast: FOR and AGAINST (RONR 44; abstentions and absentees are not cast)."""
        return self.for_ + self.against


def tally(roll: Sequence[str], votes: Mapping[str, Vote]) -> Tally:
    """Count the votes of the seats on the roll; an entry from outside the roll does not count.

    Raises ValueError for a seat without an entry (a vote is counted when it is closed, never while it runs) and for a
    seat that stands on the roll twice.
    """
    if len(set(roll)) != len(roll):
        raise ValueError("a seat stands on the roll twice; each seat has one vote")
    missing = [member for member in roll if member not in votes]
    if missing:
        raise ValueError(f"no vote is recorded for {', '.join(missing)}; close the ballot when every seat has an entry")
    count = Counter(votes[member] for member in roll)
    return Tally(
        for_=count[Vote.FOR],
        against=count[Vote.AGAINST],
        abstain=count[Vote.ABSTAIN],
        absent=count[Vote.ABSENT],
        no_reply=count[Vote.NO_REPLY],
        invalid=count[Vote.INVALID],
        present=len(roll) - count[Vote.ABSENT],
        entire=len(roll),
    )


def outcome(count: Tally, threshold: Threshold, base: Base = Base.CAST) -> Disposition:
    """ADOPTED, LOST or TIED. Adopted needs a vote cast, so 0-0-5 is lost and not tied (RULES_OF_ORDER, case 2).

    TIED says of a lost majority vote that as many voted for as against (RONR 44); a two-thirds vote is only lost.
    """
    whole = {Base.CAST: count.cast, Base.PRESENT: count.present, Base.ENTIRE: count.entire}[base]
    if count.cast == 0:
        return Disposition.LOST
    if threshold is Threshold.MAJORITY:
        if 2 * count.for_ > whole:
            return Disposition.ADOPTED
        tied = base is Base.CAST and count.for_ == count.against
        return Disposition.TIED if tied else Disposition.LOST
    return Disposition.ADOPTED if 3 * count.for_ >= 2 * whole else Disposition.LOST


def appeal_outcome(count: Tally) -> Disposition:
    """On the question "Shall the decision of the chair stand?": LOST (reversed) takes a majority against.

    A tie sustains the chair (RONR 24), and so does a vote that nobody cast: both are TIED.
    """
    if count.against > count.for_:
        return Disposition.LOST
    return Disposition.ADOPTED if count.for_ > count.against else Disposition.TIED


def prevailing(disposition: Disposition) -> Vote:
    """The side that prevailed, which alone may move to reconsider; of a failed two-thirds vote the No side (RONR 37)."""
    return Vote.FOR if disposition is Disposition.ADOPTED else Vote.AGAINST
