"""Voting on the floor: a ballot is opened, votes are taken from the frozen roll, and only the closed ballot is counted.

Each function takes the floor, an act and its speaker, and returns the floor after it or raises `Refusal`.
"""

from __future__ import annotations

from parliament import acts
from parliament.disposal import close_top
from parliament.floor_values import Ballot, Closed, Floor, Motion, Refusal, require
from parliament.motions import MotionKind
from parliament.questions import require_present
from parliament.quorum import may_decide
from parliament.values import Phase, Vote
from parliament.votes import appeal_outcome, outcome, tally

_CHOICES = frozenset({Vote.FOR, Vote.AGAINST, Vote.ABSTAIN})
_FAILURES = frozenset({Vote.NO_REPLY, Vote.INVALID})


def open_ballot(floor: Floor, act: acts.OpenBallot, speaker: str) -> Floor:
    require(floor.ballot is None, "Another vote is being taken.", "RONR 45")
    question = floor.question
    if question is None or question.id != act.question_id:
        raise Refusal("That question is not immediately pending.", "RONR 5")
    settled = floor.point is None or question.kind is MotionKind.APPEAL
    require(settled, "The point of order must be settled first.", "RONR 23")
    require(question.stated, "The motion has not been seconded.", "RONR 4")
    in_phase = question.kind is not MotionKind.MAIN or floor.phase is Phase.VOTING
    require(in_phase, "The main motion is put when the meeting has come to the vote.", "source 000, Phase Sequence")
    require(act.round > question.round, "That round of voting on the question is over.", "law 4")
    _require_quorum(floor, question)
    threshold = question.rule.vote
    if threshold is None:
        raise Refusal("That question is not voted on.", "RONR 23")
    ballot = Ballot(
        question_id=question.id,
        round=act.round,
        threshold=threshold,
        roll=floor.members,
        votes={member: Vote.ABSENT for member in floor.members if member not in floor.present},
    )
    put = question.model_copy(update={"round": act.round})
    return floor.with_(ballot=ballot, pending=(*floor.pending[:-1], put))


def cast(floor: Floor, act: acts.Cast, speaker: str) -> Floor:
    ballot = _open(floor)
    require(speaker in ballot.roll, "Only a member on the roll votes.", "RONR 45")
    require(
        (act.question_id, act.round) == (ballot.question_id, ballot.round),
        "That vote belongs to another question or another round.",
        "RULES_OF_ORDER, Votes",
    )
    require(act.vote in _CHOICES, "A member votes for, against, or abstains.", "source 000, Vote Collection Prompt")
    require(
        ballot.votes.get(speaker) is not Vote.ABSENT,
        "A member who was absent when voting opened is not on this vote.",
        "RULES_OF_ORDER, Votes",
    )
    require(speaker not in ballot.votes, "Each member votes once.", "RONR 45")
    require_present(floor, speaker)
    return _enter(floor, ballot, speaker, act.vote)


def no_vote(floor: Floor, act: acts.NoVote, speaker: str) -> Floor:
    ballot = _open(floor)
    require(act.vote in _FAILURES, "Only a missing or an unreadable vote is entered for a member.", "law 8")
    require(act.member in ballot.roll, "That seat is not on the roll.", "RONR 45")
    require(act.member not in ballot.votes, "That seat has an entry already.", "RONR 45")
    return _enter(floor, ballot, act.member, act.vote)


def close_ballot(floor: Floor, act: acts.CloseBallot, speaker: str) -> Floor:
    ballot = _open(floor)
    question = floor.pending[-1]  # a ballot is open on the immediately pending question, and nothing can be moved then
    missing = [member for member in ballot.roll if member not in ballot.votes]
    require(not missing, f"The vote cannot be closed while {len(missing)} members have not answered.", "law 8")
    _require_quorum(floor, question)
    votes = {member: ballot.votes[member] for member in ballot.roll}
    count = tally(ballot.roll, votes)
    appeal = question.kind is MotionKind.APPEAL
    closed = Closed(
        question=question,
        disposition=appeal_outcome(count) if appeal else outcome(count, ballot.threshold),
        round=ballot.round,
        threshold=ballot.threshold,
        votes=votes,
        tally=count,
    )
    return close_top(floor.with_(ballot=None), closed)


def void_ballot(floor: Floor, act: acts.VoidBallot, speaker: str) -> Floor:
    _open(floor)
    require(not floor.has_quorum, "A quorum is present; the vote is closed and counted, not voided.", "RONR 40")
    return floor.with_(ballot=None)


def _open(floor: Floor) -> Ballot:
    ballot = floor.ballot
    if ballot is None:
        raise Refusal("No vote is being taken.", "RONR 45")
    return ballot


def _enter(floor: Floor, ballot: Ballot, member: str, vote: Vote) -> Floor:
    return floor.with_(ballot=ballot.model_copy(update={"votes": {**ballot.votes, member: vote}}))


def _require_quorum(floor: Floor, question: Motion) -> None:
    able = may_decide(question.kind, floor.present, floor.members, floor.quorum)
    require(able, "There is no quorum, and without one the board cannot decide it.", "RONR 40")
