"""How questions leave the floor, and what follows when one is agreed to, whether by vote or by unanimous consent."""

from __future__ import annotations

from parliament.floor_values import Closed, Floor, Motion
from parliament.motions import MotionKind
from parliament.values import Disposition

_CARRIES_DEBATE = frozenset(
    {
        MotionKind.MAIN,
        MotionKind.POSTPONE_INDEFINITELY,
        MotionKind.AMEND,
        MotionKind.COMMIT,
        MotionKind.POSTPONE,
        MotionKind.LIMIT_DEBATE,
    }
)
"""Questions that the previous question can have been ordered on; with its end debate on the next is open (RONR 16)."""

_TAKES_ALL = {
    MotionKind.LAY_ON_TABLE: Disposition.TABLED,
    MotionKind.POSTPONE: Disposition.POSTPONED,
    MotionKind.COMMIT: Disposition.REFERRED,
    MotionKind.ADJOURN: Disposition.FELL,
}
"""Motions that take the main motion and all that adheres to it off the floor when adopted, and what becomes of these."""


def dispose(floor: Floor, at: int, disposition: Disposition, adhering: Disposition) -> Floor:
    """Take `pending[at]` and all above it off the floor: it ends as `disposition`, what adheres to it as `adhering`."""
    leaving = floor.pending[at:]
    ends = tuple(Closed(question=motion, disposition=disposition if n == 0 else adhering) for n, motion in enumerate(leaving))
    return _without(floor, at, tuple(reversed(ends)))


def close_top(floor: Floor, closed: Closed) -> Floor:
    """The immediately pending question ended as `closed` says; an adopted one takes effect."""
    question = closed.question
    floor = _without(floor, len(floor.pending) - 1, (closed,))
    if question.kind is MotionKind.APPEAL:
        return _decide_appeal(floor, reversed_=closed.disposition is Disposition.LOST)
    return _effect(floor, question) if closed.disposition is Disposition.ADOPTED else floor


def settle_point(floor: Floor) -> Floor:
    """The ruling takes effect: a motion ruled out of order leaves the floor (RONR 23)."""
    point = floor.point
    floor = floor.with_(point=None)
    if point is not None and point.ruling == "well_taken" and point.remedy == "out_of_order" and floor.pending:
        return dispose(floor, len(floor.pending) - 1, Disposition.OUT_OF_ORDER, Disposition.OUT_OF_ORDER)
    return floor


def _without(floor: Floor, at: int, ends: tuple[Closed, ...]) -> Floor:
    debate_closed = floor.debate_closed and not any(end.question.kind in _CARRIES_DEBATE for end in ends)
    return floor.with_(pending=floor.pending[:at], closed=floor.closed + ends, debate_closed=debate_closed)


def _decide_appeal(floor: Floor, *, reversed_: bool) -> Floor:
    point = floor.point
    if point is not None and reversed_:
        ruling = "not_well_taken" if point.ruling == "well_taken" else "well_taken"
        floor = floor.with_(point=point.model_copy(update={"ruling": ruling}))
    return settle_point(floor)


def _effect(floor: Floor, adopted: Motion) -> Floor:
    kind = adopted.kind
    if kind is MotionKind.AMEND:
        return _amend(floor, adopted)
    if kind is MotionKind.PREVIOUS_QUESTION:
        return floor.with_(debate_closed=True)
    if kind is MotionKind.WITHDRAW:
        ids = [motion.id for motion in floor.pending]
        return dispose(floor, ids.index(adopted.target_id or ""), Disposition.WITHDRAWN, Disposition.FELL)
    if kind is MotionKind.POSTPONE_INDEFINITELY:
        return dispose(floor, 0, Disposition.LOST, Disposition.FELL)
    if kind is MotionKind.RECONSIDER:
        return _bring_back(floor, adopted)
    if kind in _TAKES_ALL:
        floor = dispose(floor, 0, _TAKES_ALL[kind], _TAKES_ALL[kind])
        return floor.with_(adjourned=True) if kind is MotionKind.ADJOURN else floor
    return floor  # a recess, a time to meet again, limits of debate, a suspended rule: the procedure carries them out


def _amend(floor: Floor, amendment: Motion) -> Floor:
    """The target reads as the amendment says; its words as moved are kept once."""
    pending = tuple(
        motion.model_copy(
            update={
                "wording": amendment.wording,
                "original_wording": motion.wording if motion.original_wording is None else motion.original_wording,
            }
        )
        if motion.id == amendment.target_id
        else motion
        for motion in floor.pending
    )
    return floor.with_(pending=pending)


def _bring_back(floor: Floor, adopted: Motion) -> Floor:
    """A reconsidered question is pending again as it stood just before it was voted on (RONR 37)."""
    before = floor.last_closed(adopted.target_id)
    return floor if before is None else floor.with_(pending=(before.question,))
