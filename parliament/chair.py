"""What a command of the chairman means where the meeting stands: it acts, it announces, or it is out of order.

Only the chairman's own commands are looked at (law 3). What the chairman says of others is an announcement that is compared
with the record; a difference is refused, and refusing changes nothing (law 2). Wording is judged where the words are
(`parliament.motions.check_wording`): commands come here without their texts (law 6).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parliament import acts
from parliament.command_values import (
    ActionCommand,
    AdjournCommand,
    AmendmentCommand,
    CallCommand,
    Command,
    DiscussCommand,
    DissentCommand,
    MotionCommand,
    NextCommand,
    OpenCommand,
    PhaseCommand,
    QuorumCommand,
    RollCommand,
    RulingCommand,
    SecondCommand,
    TableCommand,
    VoteCommand,
    WithdrawCommand,
)
from parliament.floor import apply
from parliament.floor_values import Floor, OutOfOrder
from parliament.motions import MotionKind
from parliament.procedure import AFTER_BUSINESS, NEXT_PHASES
from parliament.values import SHAREHOLDER, Disposition, ItemType, Phase, Vote

SPEAKING_PHASES = frozenset({Phase.INTRO, Phase.DISCUSSION, Phase.MOTION, Phase.SECOND, Phase.MOTION_DISCUSSION})
"""Phases in which the chairman may give the word: an item is open and no vote is being taken."""


@dataclass(frozen=True, slots=True)
class Discuss:
    """A full round of discussion is asked for."""


@dataclass(frozen=True, slots=True)
class CallOn:
    """These members get the word, in this order."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveMain:
    """The chairman moves a main motion; its words are in the command."""


@dataclass(frozen=True, slots=True)
class Next:
    """The item is left without a (further) motion."""


@dataclass(frozen=True, slots=True)
class RecordRuling:
    """The words of a ruling go on the record."""


@dataclass(frozen=True, slots=True)
class RecordAction:
    """An action item goes on the record."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """AMENDMENT, SECOND or DISSENT by which the chairman names himself: his own act, which his typed reply carries."""

    op: str


@dataclass(frozen=True, slots=True)
class RequestConsent:
    """Takes effect by unanimous consent, or by a vote when a member objects."""

    kind: MotionKind


@dataclass(frozen=True, slots=True)
class WithdrawNow:
    """The mover takes back a motion that is not before the board yet: it is his alone (RONR 33:11)."""


Effect = Discuss | CallOn | MoveMain | Next | RecordRuling | RecordAction | OwnWords | RequestConsent | WithdrawNow


@dataclass(frozen=True, slots=True)
class Announced:
    """The announcement agrees with the record; nothing follows from it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Out of order: one sentence a parliamentarian could say, and where its rule comes from."""

    reason: str
    rule: str


Verdict = Effect | Announced | Refused

_LAW_2 = "law 2"
_DSL = "source 000, Command Reference"


def interpret(command: Command, floor: Floor, speaker: str) -> Verdict:
    """What `command` means now. It comes from `speaker`'s own reply; from anybody but the chair it is refused."""
    if speaker != floor.chair:
        return Refused("Only the chairman's own words carry commands.", "law 3")
    if floor.adjourned and not isinstance(command, AdjournCommand | OpenCommand | PhaseCommand):
        return Refused("The meeting is adjourned.", "RONR 21")
    verdict = _JUDGES[type(command)](command, floor)
    act = _act_of(verdict, floor)
    refused = apply(floor, act, speaker) if act is not None else None
    return Refused(refused.reason, refused.rule) if isinstance(refused, OutOfOrder) else verdict


def _act_of(verdict: Verdict, floor: Floor) -> acts.Act | None:
    """The act on the floor by which an effect begins: what the floor would refuse is refused here, with the floor's reason."""
    main = floor.main
    match verdict:
        case MoveMain():
            return acts.Move(id="?", kind=MotionKind.MAIN, wording="")
        case RequestConsent(kind=kind):
            target = main.id if main is not None and kind is MotionKind.WITHDRAW else None
            return acts.Move(id="?", kind=kind, wording="", target_id=target)
        case WithdrawNow() if main is not None:
            return acts.Withdraw(id=main.id)
    return None


# -- commands that act ------------------------------------------------------------------------------------------------


def _discuss(_: DiscussCommand, floor: Floor) -> Verdict:
    return _may_give_the_word(floor) or Discuss()


def _call(command: CallCommand, floor: Floor) -> Verdict:
    refused = _may_give_the_word(floor)
    if refused is not None:
        return refused
    for member in command.members:
        if member not in floor.members:
            return Refused("Only a seated member can be given the word.", "RONR 42")
        if member not in floor.present:
            return Refused("A member who is absent cannot be given the word.", "RONR 42")
    return CallOn(command.members)


def _may_give_the_word(floor: Floor) -> Refused | None:
    if floor.ballot is not None:
        return Refused("Debate is not in order while a vote is being taken.", "RONR 45:6")
    if floor.item_id is None or floor.phase not in SPEAKING_PHASES:
        return Refused("There is nothing to discuss now: no item is open for discussion.", _DSL)
    if floor.phase is Phase.MOTION_DISCUSSION and floor.debate_closed:
        return Refused("Debate has been closed by the previous question.", "RONR 16")
    question = floor.question
    if question is not None and not floor.debatable(question):
        return Refused("The question before the board is not debatable.", "RONR 43")
    return None


def _motion(_: MotionCommand, floor: Floor) -> Verdict:
    if floor.ballot is not None:
        return Refused("No motion is in order while a vote is being taken.", "RONR 45:6")
    if floor.item_id is None or floor.item_type is not ItemType.DECISION:
        return Refused("A main motion is in order only on an item for decision.", "source 000, Phase Sequence")
    if floor.pending:
        return Refused("Another question is pending; a main motion is in order only when none is.", "RONR 6:1")
    if floor.phase not in (Phase.DISCUSSION, Phase.MOTION):
        return Refused("A motion is in order when the item has been opened to discussion.", "source 000, Phase Sequence")
    return MoveMain()


def _next(_: NextCommand, floor: Floor) -> Verdict:
    if floor.ballot is not None:
        return Refused("The vote that is being taken must be closed first.", "RONR 45:6")
    if floor.point is not None:
        return Refused("The point of order must be settled first.", "RONR 23")
    if floor.pending:
        return Refused("The pending question must be disposed of first.", "RONR 5")
    if floor.item_id is None:
        return Refused("No item is open that could be left.", _DSL)
    return Next()


def _ruling(_: RulingCommand, floor: Floor) -> Verdict:
    if floor.ballot is not None:
        return Refused("A ruling waits until the vote that is being taken is closed.", "RONR 45:6")
    if not floor.roll_called:
        return Refused("There is nothing to rule on before the roll is called.", "RONR 23")
    return RecordRuling()


def _action(command: ActionCommand, floor: Floor) -> Verdict:
    if floor.ballot is not None:
        return Refused("An action item waits until the vote that is being taken is closed.", "RONR 45:6")
    if floor.phase not in (Phase.ACTION_ITEMS, Phase.SUMMARY, Phase.CLOSING):
        return Refused("Action items follow from what was decided; nothing has been decided here.", "source 000, Phase Details")
    if floor.phase is Phase.ACTION_ITEMS and not _adopted(floor):
        return Refused("The motion was not adopted, so nothing is to be done from it.", "source 000, Phase Details")
    if command.owner not in floor.members and command.owner not in (SHAREHOLDER, "secretary"):
        return Refused("An action item is given to a member, the shareholder or the secretary.", _DSL)
    return RecordAction()


def _adopted(floor: Floor) -> bool:
    return any(c.question.kind is MotionKind.MAIN and c.disposition is Disposition.ADOPTED for c in floor.closed)


# -- commands that take consent ---------------------------------------------------------------------------------------


def _table(_: TableCommand, floor: Floor) -> Verdict:
    if floor.ballot is not None:
        return Refused("A motion cannot be laid on the table while it is being voted on.", "RONR 17")
    question = floor.question
    if question is None or not question.stated:
        return Refused("No question is before the board that could be laid on the table.", "RONR 17")
    return RequestConsent(MotionKind.LAY_ON_TABLE)


def _withdraw(_: WithdrawCommand, floor: Floor) -> Verdict:
    main = floor.main
    if floor.ballot is not None:
        return Refused("A motion cannot be withdrawn once voting on it has begun.", "RONR 33:11")
    if main is None:
        return Refused("There is no motion to withdraw.", "RONR 33:11")
    if main.mover != floor.chair:
        return Refused("Only the mover may withdraw a motion or ask leave to.", _LAW_2)
    return RequestConsent(MotionKind.WITHDRAW) if main.stated else WithdrawNow()


def _adjourn(_: AdjournCommand, floor: Floor) -> Verdict:
    if floor.phase is Phase.ADJOURNMENT or floor.adjourned:
        return Announced()
    if floor.ballot is not None:
        return Refused("The meeting cannot be adjourned while a vote is being taken.", "RONR 21:12")
    if floor.pending:
        return Refused("The pending question must be disposed of before the board adjourns.", "RONR 21")
    if floor.phase is Phase.CLOSING:
        return Announced()
    if not floor.roll_called:
        return Refused("The roll is not called yet; there is no meeting to adjourn.", "RONR 21")
    return RequestConsent(MotionKind.ADJOURN)


# -- announcements ----------------------------------------------------------------------------------------------------


def _roll(command: RollCommand, floor: Floor) -> Verdict:
    if not floor.roll_called:
        return Refused("The roll has not been called; presence is what each member answers.", _LAW_2)
    for entry in command.roll:
        if entry.member not in floor.members:
            return Refused("Somebody is announced who has no seat.", _LAW_2)
        if entry.present != (entry.member in floor.present):
            return Refused("The record of the roll says otherwise of a member.", _LAW_2)
    return Announced()


def _quorum(_: QuorumCommand, floor: Floor) -> Verdict:
    if not floor.roll_called:
        return Refused("The roll has not been called, so no quorum is established.", "RONR 40")
    return Announced() if floor.has_quorum else Refused("There is no quorum present.", "RONR 40")


def _second(command: SecondCommand, floor: Floor) -> Verdict:
    if command.member == floor.chair:
        question = floor.question
        if question is not None and not question.stated and question.mover != floor.chair:
            return OwnWords("SECOND")
    question = floor.question
    seconder = question.seconder if question is not None else None
    if question is None and floor.closed:
        seconder = floor.closed[-1].question.seconder
    if seconder is None:
        return Refused("Nobody has seconded; a second is what a member says for itself.", _LAW_2)
    return Announced() if seconder == command.member else Refused("The record names another seconder.", _LAW_2)


def _vote(command: VoteCommand, floor: Floor) -> Verdict:
    if floor.ballot is not None:
        return Refused("A vote is announced when it is closed; each member votes for itself.", _LAW_2)
    voted = next((c for c in reversed(floor.closed) if c.votes), None)
    if voted is None:
        return Refused("No vote has been taken on this item; each member votes for itself.", _LAW_2)
    for entry in command.votes:
        if voted.votes.get(entry.member) is not entry.vote:
            return Refused("The record of the vote says otherwise of a member.", _LAW_2)
    return Announced()


def _dissent(command: DissentCommand, floor: Floor) -> Verdict:
    voted = next((c for c in reversed(floor.closed) if c.votes and c.question.kind is MotionKind.MAIN), None)
    if floor.ballot is not None or voted is None:
        return Refused("A dissent follows the vote on the motion; none has been taken on this item.", _LAW_2)
    if voted.votes.get(command.member) is not Vote.AGAINST:
        return Refused("That member did not vote against the motion.", _LAW_2)
    return OwnWords("DISSENT") if command.member == floor.chair else Announced()


def _amendment(command: AmendmentCommand, floor: Floor) -> Verdict:
    question = floor.question
    if question is not None and question.kind is MotionKind.AMEND and question.mover == command.member:
        return Announced()
    moved = [c.question for c in floor.closed if c.question.kind is MotionKind.AMEND]
    if any(amendment.mover == command.member for amendment in moved):
        return Announced()
    if (
        command.member == floor.chair
        and floor.main is not None
        and floor.phase is Phase.MOTION_DISCUSSION
        and not floor.debate_closed
        and floor.ballot is None
    ):
        return OwnWords("AMENDMENT")
    return Refused("The record has no amendment by that member; an amendment is what its mover says for itself.", _LAW_2)


def _phase(command: PhaseCommand, floor: Floor) -> Verdict:
    to = command.phase
    if to is floor.phase or (to in NEXT_PHASES[floor.phase] and (not floor.adjourned or to in AFTER_BUSINESS)):
        return Announced()
    settled = not floor.pending and floor.ballot is None and floor.roll_called and floor.phase not in AFTER_BUSINESS
    if settled and (to is Phase.CLOSING or (to is Phase.INTRO and not floor.adjourned)):
        return Announced()
    return Refused("The meeting does not go to that phase from here.", "source 000, Phase Sequence")


def _open(_: OpenCommand, __: Floor) -> Verdict:
    return Announced()


_JUDGES: dict[type, Callable[[Any, Floor], Verdict]] = {
    RollCommand: _roll,
    QuorumCommand: _quorum,
    DiscussCommand: _discuss,
    CallCommand: _call,
    MotionCommand: _motion,
    SecondCommand: _second,
    AmendmentCommand: _amendment,
    TableCommand: _table,
    WithdrawCommand: _withdraw,
    VoteCommand: _vote,
    DissentCommand: _dissent,
    PhaseCommand: _phase,
    RulingCommand: _ruling,
    NextCommand: _next,
    OpenCommand: _open,
    AdjournCommand: _adjourn,
    ActionCommand: _action,
}
