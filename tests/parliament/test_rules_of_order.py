"""RULES_OF_ORDER.md, rule by rule: the standing rules, votes and quorum. Each test names its rule."""

from __future__ import annotations

import pytest

from parliament import acts
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, Phase, Vote
from parliament.votes import Threshold
from tests.support.floor_driver import CHAIR, MEMBERS, Board, at_debate

K, D = MotionKind, Disposition

# -- standing rules ----------------------------------------------------------------------------------------------------


def test_a_main_motion_needs_a_second() -> None:
    """Standing rules: a main motion needs a second from a seated voting member other than its mover."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.enter(Phase.SECOND)
    board.refused(acts.EnterPhase(phase=Phase.MOTION_DISCUSSION))
    board.refused(acts.OpenBallot(question_id="main", round=1))
    board.second("main", "dalio")
    assert board.floor.main is not None
    assert (board.floor.main.seconder, board.floor.main.stated) == ("dalio", True)


def test_the_mover_cannot_second_its_own_motion() -> None:
    """Standing rules: other than its mover."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.refused(acts.Second(id="main"), "jobs")


@pytest.mark.parametrize("speaker", ["musk", "shareholder", CLERK, ""])
def test_only_a_seated_voting_member_seconds(speaker: str) -> None:
    """Standing rules: from a seated voting member."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.refused(acts.Second(id="main"), speaker)


def test_an_absent_member_cannot_second() -> None:
    board = Board().roll(present=MEMBERS[:4]).item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.refused(acts.Second(id="main"), "rogers")


def test_a_second_can_be_made_unnecessary_by_configuration() -> None:
    """Standing rules: a field of the board's configuration, default required (small boards need none)."""
    board = Board(second_required=False).roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.enter(Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
    assert board.vote("main", "FFFAA").disposition is D.ADOPTED


def test_an_unseconded_motion_is_recorded_as_such() -> None:
    """DESIGN: lost, tied, unseconded, withdrawn and tabled motions are all recorded with their end."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.do(acts.DieUnseconded(id="main"))
    assert board.ends() == {"main": D.UNSECONDED}
    assert board.floor.main is None


def test_a_seconded_motion_does_not_die_unseconded() -> None:
    at_debate().refused(acts.DieUnseconded(id="main"))


def test_the_chair_may_move_and_vote() -> None:
    """Standing rules: the chairman is a voting member and may move, speak and vote (small boards)."""
    closed = at_debate(mover=CHAIR).enter(Phase.VOTING).vote("main", "FFAA-")
    assert closed.question.mover == CHAIR
    assert closed.votes[CHAIR] is Vote.FOR


def test_the_chair_may_second_a_motion_of_another() -> None:
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.second("main", CHAIR)


def test_chair_votes_once() -> None:
    """Standing rules: the chair votes once, never twice; it has no casting vote to break a tie."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.do(acts.Cast(question_id="main", round=1, vote=Vote.FOR), CHAIR)
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), CHAIR)
    board.cast("FAA-", MEMBERS[1:])
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), CHAIR)
    board.do(acts.CloseBallot())
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), CHAIR)
    assert board.ends()["main"] is D.TIED


def test_quorum_comes_from_the_configuration_and_is_presence_not_ballots_cast() -> None:
    """Standing rules: three present, one vote cast: decided. Quorum is presence."""
    three = Board(quorum=3).roll(present=MEMBERS[:3]).item().enter(Phase.MOTION)
    three.move(K.MAIN, CHAIR, "main")
    three.second("main", "dalio")
    three.enter(Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
    assert three.vote("main", "F--").disposition is D.ADOPTED
    five = Board(quorum=5).roll(present=MEMBERS[:4]).item().enter(Phase.MOTION)
    five.move(K.MAIN, CHAIR, "main")
    five.second("main", "dalio")
    five.enter(Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
    five.refused(acts.OpenBallot(question_id="main", round=1))


# -- votes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("signs", "end"),
    [
        ("FFFAA", D.ADOPTED),
        ("F----", D.ADOPTED),
        ("FFAA-", D.TIED),
        ("FAAAA", D.LOST),
        ("-----", D.LOST),
        ("NNNNN", D.LOST),
        ("F?NA-", D.TIED),
        ("FF?NA", D.ADOPTED),
        ("A----", D.LOST),
    ],
)
def test_a_majority_is_more_than_half_of_the_votes_cast(signs: str, end: Disposition) -> None:
    """Votes: abstentions, absentees, missing and unreadable votes are not cast; a tie is lost; zero cast is lost."""
    board = at_debate().enter(Phase.VOTING)
    assert board.vote("main", signs).disposition is end
    assert board.floor.main is None


@pytest.mark.parametrize(
    ("signs", "end"),
    [("FFA-------", D.ADOPTED), ("FFFFAAA---", D.LOST), ("FFFAAA----", D.LOST), ("----------", D.LOST)],
)
def test_two_thirds_2_for_1_against_7_abstain_is_adopted(signs: str, end: Disposition) -> None:
    """Cases 1 and 2, on the previous question, which takes two thirds."""
    board = Board(members=tuple("abcdefghij"), quorum=6).roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "a", "main")
    board.second("main", "b")
    board.move(K.PREVIOUS_QUESTION, "c", "pq")
    board.second("pq", "d")
    closed = board.vote("pq", signs)
    assert (closed.threshold, closed.disposition) == (Threshold.TWO_THIRDS, end)
    assert board.floor.debate_closed is (end is D.ADOPTED)


def test_law_08_the_six_outcomes_stay_different_in_the_record() -> None:
    """Law 8: FOR, AGAINST, ABSTAIN, ABSENT, NO_REPLY and INVALID are different in the record."""
    six = ("a", "b", "c", "d", "e", "f")
    board = Board(members=six).roll(present=six[:5]).item().enter(Phase.MOTION)
    board.move(K.MAIN, "a", "main")
    board.second("main", "b")
    board.enter(Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
    closed = board.vote("main", "FA-N?")
    assert closed.votes == dict(
        zip(six, (Vote.FOR, Vote.AGAINST, Vote.ABSTAIN, Vote.NO_REPLY, Vote.INVALID, Vote.ABSENT), strict=True)
    )
    assert list(closed.votes) == list(six)
    assert closed.tally is not None
    t = closed.tally
    assert (t.for_, t.against, t.abstain, t.no_reply, t.invalid, t.absent) == (1, 1, 1, 1, 1, 1)
    assert (t.present, t.entire) == (5, 6)
    assert closed.disposition is D.TIED


def test_law_08_a_throttled_seat_is_an_outage_not_an_abstention() -> None:
    """Case 5; and the call that fails while the vote is taken leaves NO_REPLY behind, not a gap."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.cast("FFF", MEMBERS[:3])
    board.do(acts.NoVote(member="jobs", vote=Vote.NO_REPLY))
    board.do(acts.MarkAbsent(member="rogers"))
    board.do(acts.CloseBallot())
    closed = board.floor.last_closed("main")
    assert closed is not None
    assert (closed.votes["jobs"], closed.votes["rogers"]) == (Vote.NO_REPLY, Vote.NO_REPLY)
    assert Vote.ABSTAIN not in closed.votes.values()


@pytest.mark.parametrize("vote", [Vote.FOR, Vote.AGAINST, Vote.ABSTAIN, Vote.ABSENT])
def test_law_02_the_clerk_enters_no_considered_vote_for_a_member(vote: Vote) -> None:
    """Law 2 and law 8: a vote counts only from its member's own reply; the clerk enters only that there was none."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.refused(acts.NoVote(member="jobs", vote=vote))
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), CLERK)


def test_the_roll_of_voters_is_frozen_when_voting_opens() -> None:
    """Votes: who comes back during the vote is not on it."""
    board = Board().roll(present=MEMBERS[:4]).item().enter(Phase.MOTION)
    board.move(K.MAIN, CHAIR, "main")
    board.second("main", "dalio")
    board.enter(Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
    board.open("main")
    board.do(acts.Answer(present=True), "rogers")
    refusal = board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), "rogers")
    assert "absent when voting opened" in refusal.reason
    board.cast("FFAA", MEMBERS[:4])
    board.do(acts.CloseBallot())
    closed = board.floor.last_closed("main")
    assert closed is not None
    assert (closed.votes["rogers"], closed.disposition) == (Vote.ABSENT, D.TIED)


@pytest.mark.parametrize("speaker", ["musk", "shareholder", "", "AURELIUS"])
def test_a_vote_counts_only_from_the_roll(speaker: str) -> None:
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    assert "on the roll" in board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), speaker).reason


def test_a_vote_counts_only_for_the_question_and_round_it_was_cast_on() -> None:
    """Votes: the server stamps both, never the model; a late vote of round 1 does not count in round 2."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.refused(acts.Cast(question_id="main", round=2, vote=Vote.FOR), "jobs")
    board.refused(acts.Cast(question_id="other", round=1, vote=Vote.FOR), "jobs")
    for member in ("dalio", "jobs", "rogers"):
        board.do(acts.MarkAbsent(member=member))
    board.do(acts.VoidBallot())
    for member in ("dalio", "jobs", "rogers"):
        board.do(acts.Answer(present=True), member)
    board.refused(acts.OpenBallot(question_id="main", round=1))
    board.open("main", round=2)
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), "jobs")
    board.do(acts.Cast(question_id="main", round=2, vote=Vote.FOR), "jobs")


def test_a_member_cannot_change_its_vote() -> None:
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.do(acts.Cast(question_id="main", round=1, vote=Vote.FOR), "jobs")
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.AGAINST), "jobs")
    board.refused(acts.NoVote(member="jobs", vote=Vote.INVALID))


@pytest.mark.parametrize("vote", [Vote.ABSENT, Vote.NO_REPLY, Vote.INVALID])
def test_a_member_casts_for_against_or_abstains_and_nothing_else(vote: Vote) -> None:
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.refused(acts.Cast(question_id="main", round=1, vote=vote), "jobs")


def test_the_decision_is_made_only_when_voting_is_closed() -> None:
    """Votes: never on a running count, however clear it is."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.cast("FFFF", MEMBERS[:4])
    assert board.floor.closed == ()
    board.refused(acts.CloseBallot())
    board.refused(acts.EnterPhase(phase=Phase.ACTION_ITEMS))
    board.do(acts.Cast(question_id="main", round=1, vote=Vote.AGAINST), "rogers")
    board.do(acts.CloseBallot())
    assert board.ends()["main"] is D.ADOPTED


def test_no_motion_and_no_point_of_order_while_a_vote_is_taken() -> None:
    """RONR 45: a vote is not interrupted."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.refused(acts.Move(id="x", kind=K.ADJOURN, wording="x"), "jobs")
    board.refused(acts.Move(id="x", kind=K.AMEND, wording="x", target_id="main"), "jobs")
    board.refused(acts.RaisePoint(ref="p"), "jobs")
    board.refused(acts.OpenBallot(question_id="main", round=2))
    board.refused(acts.AdoptByConsent(id="main", objectors=()))
    board.refused(acts.WithdrawByConsent(id="main", objectors=()))
    board.refused(acts.Withdraw(id="main"), CHAIR)
    board.refused(acts.EnterPhase(phase=Phase.CLOSING))
    board.refused(acts.FinishItem())
    board.refused(acts.Adjourn())


# -- quorum ------------------------------------------------------------------------------------------------------------


def without_quorum(board: Board) -> Board:
    for member in MEMBERS[2:]:
        board.do(acts.MarkAbsent(member=member))
    assert not board.floor.has_quorum
    return board


def test_without_a_quorum_no_question_is_put() -> None:
    """Quorum: anything else done is void."""
    board = without_quorum(at_debate().enter(Phase.VOTING))
    board.refused(acts.OpenBallot(question_id="main", round=1))


def test_not_even_unanimous_consent_can_waive_the_quorum() -> None:
    """Quorum: not even unanimous consent can waive it."""
    board = at_debate(mover="jobs")
    board.stated(K.AMEND, "dalio", "first", "main")
    without_quorum(board)
    board.refused(acts.AdoptByConsent(id="first", objectors=()))
    board.refused(acts.WithdrawByConsent(id="main", objectors=()))


@pytest.mark.parametrize("kind", [K.ADJOURN, K.RECESS, K.FIX_TIME])
def test_without_a_quorum_adjourn_recess_and_fix_the_time_are_in_order(kind: MotionKind) -> None:
    """Quorum: only these are in order."""
    board = without_quorum(at_debate())
    board.move(kind, CHAIR, "x")
    board.second("x", "roosevelt")
    assert board.vote("x", "FF").disposition is D.ADOPTED


@pytest.mark.parametrize("kind", [K.LAY_ON_TABLE, K.POSTPONE, K.PREVIOUS_QUESTION, K.SUSPEND_RULES])
def test_without_a_quorum_nothing_else_is_decided(kind: MotionKind) -> None:
    board = without_quorum(at_debate())
    board.move(kind, CHAIR, "x")
    board.second("x", "roosevelt")
    board.refused(acts.OpenBallot(question_id="x", round=1))
    board.refused(acts.AdoptByConsent(id="x", objectors=()))


def test_a_quorum_lost_while_voting_voids_the_vote_and_the_question_stays_pending() -> None:
    """Quorum: checked when voting opens and when it closes (DESIGN, Presence)."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.refused(acts.VoidBallot())
    board.cast("FFF", MEMBERS[:3])
    for member in MEMBERS[2:]:
        board.do(acts.MarkAbsent(member=member))
    board.refused(acts.CloseBallot())
    board.do(acts.VoidBallot())
    assert board.floor.ballot is None
    assert board.floor.closed == ()
    assert board.floor.main is not None


def test_a_clerk_cannot_void_a_vote_it_does_not_like() -> None:
    """Law 1: with a quorum present a vote is closed and counted."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.cast("AAAAA")
    board.refused(acts.VoidBallot())
    board.do(acts.CloseBallot())
    assert board.ends()["main"] is D.LOST


def test_decisions_taken_before_the_quorum_was_lost_stand() -> None:
    """Quorum: losing it stops decisions from then on; decisions taken before stand."""
    board = at_debate().enter(Phase.VOTING)
    board.vote("main", "FFFAA")
    without_quorum(board)
    assert board.ends() == {"main": D.ADOPTED}
    board.enter(Phase.ACTION_ITEMS)


def test_every_absentee_can_come_back_and_the_vote_is_taken_anew() -> None:
    """Case 3: after a lost quorum every absentee is asked again; nobody's vote of the void round counts."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.cast("AA", MEMBERS[:2])
    without_quorum(board)
    board.do(acts.VoidBallot())
    assert board.floor.absent == MEMBERS[2:]
    for member in board.floor.absent:
        board.do(acts.Answer(present=True), member)
    assert board.floor.present == MEMBERS
    assert board.vote("main", "FFFFF", round=2).disposition is D.ADOPTED


def test_discussing_and_moving_need_no_quorum() -> None:
    """DESIGN, Presence: the quorum is checked before a question is put, when voting opens and when it closes."""
    board = Board().roll(present=MEMBERS[:2]).item().enter(Phase.MOTION)
    board.move(K.MAIN, CHAIR, "main")
    board.second("main", "roosevelt")
