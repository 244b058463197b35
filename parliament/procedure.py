"""The course of the meeting on the floor: roll and presence, the chair, phases, items, and the end (source 000, Meeting Flow).

Each function takes the floor, an act and its speaker, and returns the floor after it or raises `Refusal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from parliament import acts
from parliament.disposal import dispose
from parliament.floor_values import Floor, require
from parliament.motions import MotionKind
from parliament.values import Disposition, ItemType, Phase, Vote

_SEQUENCE = "source 000, Phase Sequence"
_ROLL = "source 000, Quorum System"

NEXT_PHASES: Mapping[Phase, frozenset[Phase]] = MappingProxyType(
    {
        Phase.OPENING: frozenset({Phase.QUORUM}),
        Phase.QUORUM: frozenset(),
        Phase.INTRO: frozenset({Phase.DISCUSSION}),
        Phase.DISCUSSION: frozenset({Phase.MOTION, Phase.SECOND, Phase.SUMMARY}),
        Phase.MOTION: frozenset({Phase.SECOND}),
        Phase.SECOND: frozenset({Phase.MOTION_DISCUSSION, Phase.MOTION}),
        Phase.MOTION_DISCUSSION: frozenset({Phase.VOTING, Phase.MOTION}),
        Phase.VOTING: frozenset({Phase.ACTION_ITEMS, Phase.MOTION, Phase.MOTION_DISCUSSION}),
        Phase.ACTION_ITEMS: frozenset({Phase.MOTION, Phase.MOTION_DISCUSSION}),
        Phase.SUMMARY: frozenset(),
        Phase.CLOSING: frozenset({Phase.ADJOURNMENT}),
        Phase.ADJOURNMENT: frozenset(),
    }
)
"""What may follow within an item. An item just taken up leads to INTRO, and whatever has nothing pending to CLOSING.

Back to MOTION when a motion ended and the item has another; back to MOTION_DISCUSSION when one is reconsidered.
"""

BEFORE_BUSINESS = frozenset({Phase.OPENING})
AFTER_BUSINESS = frozenset({Phase.CLOSING, Phase.ADJOURNMENT})
_DECISION_PHASES = frozenset(
    {Phase.MOTION, Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING, Phase.ACTION_ITEMS},
)


def enter_phase(floor: Floor, act: acts.EnterPhase, speaker: str) -> Floor:
    to, now = act.phase, floor.phase
    require(floor.ballot is None, "The vote that is open must be closed first.", "RONR 45")
    require(floor.point is None, "The point of order must be settled first.", "RONR 23")
    if to is Phase.CLOSING:
        require(now not in AFTER_BUSINESS, "The meeting is closing already.", _SEQUENCE)
        require(not floor.pending, "The question that is pending must be disposed of first.", _SEQUENCE)
        return _leave_item(floor).with_(phase=to)
    if to is Phase.INTRO:
        require(not floor.adjourned and now not in AFTER_BUSINESS, "The meeting is over.", _SEQUENCE)
        require(floor.item_id is not None, "No item has been taken up that could be introduced.", _SEQUENCE)
        require(not floor.introduced, "The item has been introduced already.", _SEQUENCE)
        return floor.with_(phase=to, introduced=True)
    words = to.value.replace("_", " ")
    require(to in NEXT_PHASES[now], f"From {now.value.replace('_', ' ')} the meeting does not go to {words}.", _SEQUENCE)
    if to is Phase.ADJOURNMENT or to is Phase.QUORUM:
        return floor.with_(phase=to)
    require(not floor.adjourned, "The board has voted to adjourn.", "RONR 21")
    if to in _DECISION_PHASES:
        require(floor.item_type is ItemType.DECISION, "The item is not one for decision.", _SEQUENCE)
    main = floor.main
    if to is Phase.SUMMARY:
        require(floor.item_type is not ItemType.DECISION, "An item for decision is not closed by a summary.", _SEQUENCE)
        require(not floor.pending, "The question that is pending must be disposed of first.", _SEQUENCE)
    elif to is Phase.MOTION:
        require(now is Phase.DISCUSSION or not floor.pending, "A motion is already before the board.", "RONR 5")
    elif to is Phase.SECOND:
        require(main is not None, "There is no motion to be seconded.", _SEQUENCE)
    elif to is Phase.MOTION_DISCUSSION:
        require(main is not None and main.stated, "There is no motion before the board to be debated.", "RONR 4")
    elif to is Phase.VOTING:
        require(main is not None and main.stated, "There is no motion before the board to be voted on.", "RONR 4")
        require(floor.pending == (main,), "What adheres to the motion must be decided before it.", "RONR 5")
    elif to is Phase.ACTION_ITEMS:
        ends = [c.disposition for c in floor.closed if c.question.kind is MotionKind.MAIN]
        require(not floor.pending, "The question that is pending must be disposed of first.", _SEQUENCE)
        require(ends[-1:] == [Disposition.ADOPTED], "Action items follow from an adopted motion only.", _SEQUENCE)
    return floor.with_(phase=to)


def preside(floor: Floor, act: acts.Preside, speaker: str) -> Floor:
    rule = "source 000, Facilitator Fallback Chain"
    require(act.member in floor.members, "Only a seated member presides.", rule)
    require(not floor.roll_called or act.member in floor.present, "A member who is absent cannot preside.", rule)
    return floor.with_(chair=act.member)


def take_up(floor: Floor, act: acts.TakeUp, speaker: str) -> Floor:
    _require_nothing_open(floor)
    require(floor.roll_called, "The roll must be called before business is taken up.", _ROLL)
    require(floor.phase not in AFTER_BUSINESS and not floor.adjourned, "The meeting is over.", "RONR 21")
    require(floor.item_id is None, "Another item is before the board and must be finished first.", _SEQUENCE)
    return floor.with_(item_id=act.item_id, item_type=act.item_type, introduced=False, closed=(), debate_closed=False)


def finish_item(floor: Floor, act: acts.FinishItem, speaker: str) -> Floor:
    _require_nothing_open(floor)
    require(floor.item_id is not None, "No item is before the board.", _SEQUENCE)
    return _leave_item(floor)


def answer(floor: Floor, act: acts.Answer, speaker: str) -> Floor:
    require(speaker in floor.members, "Only a seated voting member answers the roll.", _ROLL)
    require(floor.phase is not Phase.OPENING, "The roll is not being called yet.", _ROLL)
    if act.present:
        return _called(_seat(floor, speaker), speaker)
    return _called(_unseat(floor, speaker, Vote.ABSENT), speaker)


def mark_absent(floor: Floor, act: acts.MarkAbsent, speaker: str) -> Floor:
    require(act.member in floor.members, "Only a seated voting member can be marked absent.", _ROLL)
    require(floor.phase is not Phase.OPENING, "The roll is not being called yet.", _ROLL)
    return _called(_unseat(floor, act.member, Vote.NO_REPLY), act.member)


def adjourn(floor: Floor, act: acts.Adjourn, speaker: str) -> Floor:
    _require_nothing_open(floor)
    require(not floor.adjourned, "The meeting is adjourned already.", "RONR 21")
    return floor.with_(adjourned=True)


def fall_to_ground(floor: Floor, act: acts.FallToGround, speaker: str) -> Floor:
    floor = floor.with_(ballot=None, point=None)
    return dispose(floor, 0, Disposition.FELL, Disposition.FELL)


def _require_nothing_open(floor: Floor) -> None:
    require(floor.ballot is None, "The vote that is open must be closed first.", "RONR 45")
    require(floor.point is None, "The point of order must be settled first.", "RONR 23")
    require(not floor.pending, "The question that is pending must be disposed of first.", "RONR 5")


def _leave_item(floor: Floor) -> Floor:
    return floor.with_(item_id=None, item_type=None, introduced=False, closed=(), debate_closed=False)


def _seat(floor: Floor, member: str) -> Floor:
    present = {*floor.present, member}
    return floor.with_(present=tuple(m for m in floor.members if m in present))


def _unseat(floor: Floor, member: str, entry: Vote) -> Floor:
    """The seat is absent from now on. In an open ballot a vote it gave stands; one it owes becomes `entry` (law 8)."""
    floor = floor.with_(present=tuple(m for m in floor.present if m != member))
    ballot = floor.ballot
    if ballot is not None and member in ballot.roll and member not in ballot.votes:
        floor = floor.with_(ballot=ballot.model_copy(update={"votes": {**ballot.votes, member: entry}}))
    return floor


def _called(floor: Floor, member: str) -> Floor:
    """The roll has been called once every member has answered or was marked absent."""
    if floor.roll_called:
        return floor
    called = {*floor.called, member}
    if called >= set(floor.members):
        return floor.with_(roll_called=True, called=())
    return floor.with_(called=tuple(m for m in floor.members if m in called))
