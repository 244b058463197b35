"""Motions on the floor: moved, seconded, withdrawn, agreed to by consent; and points of order with their appeals.

Each function takes the floor, an act and its speaker, and returns the floor after it or raises `Refusal`.
"""

from __future__ import annotations

from parliament import acts
from parliament.disposal import close_top, dispose, settle_point
from parliament.floor_values import Closed, Floor, Motion, Point, Refusal, require
from parliament.motions import NAMES, PRECEDENCE, Decides, MotionClass, MotionKind
from parliament.procedure import AFTER_BUSINESS, BEFORE_BUSINESS
from parliament.quorum import may_decide
from parliament.values import Disposition, ItemType, Phase
from parliament.votes import prevailing

_K = MotionKind
NEVER_BY_CONSENT = frozenset({_K.MAIN, _K.APPEAL, _K.RECONSIDER})
"""A resolution rests on a recorded vote, and so does what reverses the chair or reopens a decision."""

_MAIN_PHASES = frozenset({Phase.DISCUSSION, Phase.MOTION})
_AMENDMENT_DEGREES = 2


def move(floor: Floor, act: acts.Move, speaker: str) -> Floor:
    require_present(floor, speaker)
    require_open_meeting(floor)
    require(floor.ballot is None, "No motion is in order while a vote is being taken.", "RONR 45")
    taken = {motion.id for motion in floor.pending} | {closed.question.id for closed in floor.closed}
    require(act.id not in taken, "This motion has been before the board already.", "law 4")
    if act.kind is not _K.APPEAL:
        require(floor.point is None, "The point of order must be settled first.", "RONR 23")
    motion = Motion(id=act.id, kind=act.kind, mover=speaker, wording=act.wording, target_id=act.target_id)
    match act.kind:
        case _K.MAIN:
            _check_main(floor)
        case _K.AMEND:
            motion = motion.model_copy(update={"degree": _check_amendment(floor, act)})
        case _K.APPEAL:
            _check_appeal(floor, act, speaker)
        case _K.WITHDRAW:
            _check_request_to_withdraw(floor, act, speaker)
        case _K.SUSPEND_RULES:
            _check_incidental(floor)
        case _K.RECONSIDER:
            _check_reconsider(floor, act, speaker)
        case _K.RESCIND:
            reason = "A resolution of an earlier meeting is rescinded by an item of its own on a later agenda."
            raise Refusal(reason, "RONR 35")
        case _:
            _check_by_rank(floor, act.kind)
    stated = not motion.rule.second or (act.kind is _K.MAIN and not floor.second_required)
    return floor.with_(pending=(*floor.pending, motion.model_copy(update={"stated": stated})))


def _check_main(floor: Floor) -> None:
    require(
        floor.item_type is ItemType.DECISION, "The item before the board is not one for decision.", "source 000, Phase Sequence"
    )
    require(
        floor.phase in _MAIN_PHASES,
        "A main motion is moved in the discussion or when motions are called for.",
        "source 000, Phase Sequence",
    )
    require(not floor.pending, "Another question is already before the board.", "RONR 5")


def _check_amendment(floor: Floor, act: acts.Move) -> int:
    """The degree of the amendment."""
    target = floor.question
    if target is None:
        raise Refusal("There is no question to be amended.", "RONR 12")
    require(act.target_id == target.id, "Only the question immediately pending can be amended.", "RONR 12")
    require(target.rule.amendable, f"{_name(target)} cannot be amended.", "RONR 12")
    require(target.degree < _AMENDMENT_DEGREES, "An amendment of the third degree is not in order.", "RONR 12")
    require(target.stated, "The motion must be seconded before it can be amended.", "RONR 4")
    require(not floor.debate_closed, "Debate is closed, and with it amendment.", "RONR 16")
    return target.degree + 1


def _check_appeal(floor: Floor, act: acts.Move, speaker: str) -> None:
    point = floor.point
    if point is None or point.ruling is None:
        raise Refusal("There is no ruling to appeal from.", "RONR 24")
    require(act.target_id in (None, point.ref), "The appeal is not from the ruling just made.", "RONR 24")
    top = floor.question
    require(top is None or top.kind is not _K.APPEAL, "An appeal is already pending.", "RONR 24")
    require(speaker != floor.chair, "The chair cannot appeal from its own ruling.", "RONR 24")


def _check_request_to_withdraw(floor: Floor, act: acts.Move, speaker: str) -> None:
    _check_incidental(floor)
    target = floor.find(act.target_id)
    if target is None:
        raise Refusal("The motion to be withdrawn is not pending.", "RONR 33")
    require(speaker == target.mover, "Only its mover may ask to withdraw a motion.", "RONR 33")
    require(target.stated, "A motion that was not stated yet is withdrawn by its mover alone.", "RONR 33")
    require(target.round == 0, "A motion cannot be withdrawn once voting on it has begun.", "RONR 33")


def _check_incidental(floor: Floor) -> None:
    top = floor.question
    if top is not None and top.rule.kind_class in (MotionClass.INCIDENTAL, MotionClass.PRIVILEGED, MotionClass.BRING_AGAIN):
        raise Refusal(f"{_name(top)} must be decided first.", "RONR 6")


def _check_reconsider(floor: Floor, act: acts.Move, speaker: str) -> None:
    require(not floor.pending, "The question that is pending must be disposed of first.", "RONR 37")
    before = floor.last_closed(act.target_id)
    if before is None or before.tally is None or before.question.kind is not _K.MAIN:
        raise Refusal("Only a main motion voted on under this item can be reconsidered here.", "RONR 37")
    side = prevailing(before.disposition)
    require(
        before.votes.get(speaker) is side,
        "Only a member who voted on the prevailing side may move to reconsider.",
        "RONR 37",
    )
    again = any(c.question.kind is _K.RECONSIDER and c.question.target_id == act.target_id for c in floor.closed)
    require(not again, "The same question cannot be reconsidered twice.", "RONR 37")


def _check_by_rank(floor: Floor, kind: MotionKind) -> None:
    """Subsidiary and privileged motions: in order when they rank above what is immediately pending (RONR 5)."""
    rule = PRECEDENCE[kind]
    if rule.rank is None or rule.decided_by is not Decides.VOTE:
        raise Refusal(f"{NAMES[kind].capitalize()} is raised for the chair to decide, not moved.", "RONR 19, 23")
    top = floor.question
    if top is not None:
        rank = floor.rank(top)
        if rank is None:
            require(rule.kind_class is MotionClass.PRIVILEGED, f"{_name(top)} must be decided first.", "RONR 6")
        else:
            reason = f"{NAMES[kind].capitalize()} is not in order while {NAMES[top.kind]} is pending."
            require(rule.rank > rank, reason, "RONR 5")
    if rule.kind_class is not MotionClass.SUBSIDIARY:
        return
    if top is None or not (floor.main is not None):
        raise Refusal("There is no main motion to which it could apply.", "RONR 6")
    require(top.stated, "The motion that was moved must be seconded first.", "RONR 4")
    if kind is not _K.LAY_ON_TABLE:
        require(not floor.debate_closed, "Debate is closed; the question is to be put at once.", "RONR 16")
    if kind is _K.LIMIT_DEBATE:
        require(floor.debatable(top), f"{_name(top)} is not debatable.", "RONR 15")
    if kind is _K.PREVIOUS_QUESTION:
        require(floor.debatable(top) or top.rule.amendable, f"{_name(top)} is put without debate anyway.", "RONR 16")


def second(floor: Floor, act: acts.Second, speaker: str) -> Floor:
    require_present(floor, speaker)
    question = _immediately_pending(floor, act.id)
    _require_point_settled(floor, question)
    require(not question.stated, "The motion needs no second any more.", "RONR 4")
    require(speaker != question.mover, "The mover cannot second the motion.", "RONR 4")
    return _replace_top(floor, question.model_copy(update={"seconder": speaker, "stated": True}))


def die_unseconded(floor: Floor, act: acts.DieUnseconded, speaker: str) -> Floor:
    question = _immediately_pending(floor, act.id)
    _require_point_settled(floor, question)
    require(not question.stated, "The motion has been seconded.", "RONR 4")
    return dispose(floor, len(floor.pending) - 1, Disposition.UNSECONDED, Disposition.FELL)


def withdraw(floor: Floor, act: acts.Withdraw, speaker: str) -> Floor:
    require_present(floor, speaker)
    motion = _pending(floor, act.id)
    _require_point_settled(floor, motion)
    require(speaker == motion.mover, "Only its mover may withdraw a motion.", "RONR 33")
    require(not motion.stated, "The motion belongs to the board now; its withdrawal takes consent or a vote.", "RONR 33")
    require(floor.ballot is None, "A vote is being taken.", "RONR 45")
    return dispose(floor, floor.pending.index(motion), Disposition.WITHDRAWN, Disposition.FELL)


def withdraw_by_consent(floor: Floor, act: acts.WithdrawByConsent, speaker: str) -> Floor:
    motion = _pending(floor, act.id)
    require(motion.stated, "A motion that was not stated yet is withdrawn by its mover alone.", "RONR 33")
    require(floor.ballot is None and motion.round == 0, "A motion cannot be withdrawn once voting on it has begun.", "RONR 33")
    _require_point_settled(floor, motion)
    require(not act.objectors, "A member objects; the withdrawal must be voted on.", "RONR 33")
    require(floor.has_quorum, "There is no quorum, and not even unanimous consent can waive it.", "RONR 40")
    return dispose(floor, floor.pending.index(motion), Disposition.WITHDRAWN, Disposition.FELL)


def adopt_by_consent(floor: Floor, act: acts.AdoptByConsent, speaker: str) -> Floor:
    question = _immediately_pending(floor, act.id)
    require(floor.ballot is None, "A vote is being taken.", "RONR 45")
    _require_point_settled(floor, question)
    require(question.kind not in NEVER_BY_CONSENT, f"{_name(question)} is decided by a recorded vote.", "standing rule")
    require(not act.objectors, "A member objects; the question must be put to a vote.", "RONR 4")
    require(
        may_decide(question.kind, floor.present, floor.members, floor.quorum),
        "There is no quorum, and not even unanimous consent can waive it.",
        "RONR 40",
    )
    return close_top(floor, Closed(question=question, disposition=Disposition.ADOPTED, by_consent=True))


# -- points of order ---------------------------------------------------------------------------------------------------


def raise_point(floor: Floor, act: acts.RaisePoint, speaker: str) -> Floor:
    require_present(floor, speaker)
    require_open_meeting(floor)
    require(floor.ballot is None, "A point of order waits until the vote that is being taken is closed.", "RONR 45")
    require(floor.point is None, "Another point of order is being settled.", "RONR 23")
    return floor.with_(point=Point(by=speaker, ref=act.ref))


def rule_on_point(floor: Floor, act: acts.Rule, speaker: str) -> Floor:
    require(speaker == floor.chair, "Only the chair rules on a point of order.", "RONR 23")
    require_present(floor, speaker)
    point = floor.point
    if point is None:
        raise Refusal("There is no point of order to rule on.", "RONR 23")
    require(point.ruling is None, "The chair has ruled already; the ruling can only be appealed from.", "RONR 24")
    if act.remedy == "out_of_order":
        require(floor.pending, "Nothing is pending that could be ruled out of order.", "RONR 23")
    ruling = "well_taken" if act.well_taken else "not_well_taken"
    return floor.with_(point=point.model_copy(update={"ruling": ruling, "remedy": act.remedy}))


def accept_ruling(floor: Floor, act: acts.AcceptRuling, speaker: str) -> Floor:
    point = floor.point
    require(point is not None and point.ruling is not None, "There is no ruling to take effect.", "RONR 23")
    top = floor.question
    require(top is None or top.kind is not _K.APPEAL, "The appeal from the ruling must be decided first.", "RONR 24")
    return settle_point(floor)


def drop_point(floor: Floor, act: acts.DropPoint, speaker: str) -> Floor:
    point = floor.point
    if point is None:
        raise Refusal("There is no point of order.", "RONR 23")
    require(point.ruling is None, "The chair has ruled; the ruling takes effect or is appealed from.", "RONR 23")
    return floor.with_(point=None)


# -- what several acts need --------------------------------------------------------------------------------------------


def require_present(floor: Floor, speaker: str) -> None:
    require(speaker in floor.members, "Only a seated voting member has that right.", "RONR 1")
    require(speaker in floor.present, "A member who is absent takes no part.", "RONR 1")


def require_open_meeting(floor: Floor) -> None:
    over = floor.adjourned or floor.phase in AFTER_BUSINESS
    require(not over, "The meeting is closing; no more business is in order.", "RONR 21")
    begun = floor.roll_called and floor.phase not in BEFORE_BUSINESS
    require(begun, "The roll must be called before business is in order.", "source 000, Quorum System")


def _pending(floor: Floor, motion_id: str) -> Motion:
    motion = floor.find(motion_id)
    if motion is None:
        raise Refusal("That motion is not pending.", "RONR 5")
    return motion


def _immediately_pending(floor: Floor, motion_id: str) -> Motion:
    motion = _pending(floor, motion_id)
    require(motion == floor.question, "Another question must be decided first.", "RONR 5")
    return motion


def _require_point_settled(floor: Floor, question: Motion) -> None:
    """Until then the question that the ruling is about must stay where it is; only an appeal comes and goes above it."""
    settled = floor.point is None or question.kind is _K.APPEAL
    require(settled, "The point of order must be settled first.", "RONR 23")


def _replace_top(floor: Floor, motion: Motion) -> Floor:
    return floor.with_(pending=(*floor.pending[:-1], motion))


def _name(motion: Motion) -> str:
    return NAMES[motion.kind].capitalize()
