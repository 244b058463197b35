"""RULES_OF_ORDER.md, rule by rule: withdrawal, points of order with their appeals, and reconsidering."""

from __future__ import annotations

import pytest

from parliament import acts
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, Phase
from tests.support.floor_driver import CHAIR, MEMBERS, Board, at_debate

K, D = MotionKind, Disposition

# -- withdrawal --------------------------------------------------------------------------------------------------------


def test_before_it_is_stated_the_mover_alone_may_withdraw() -> None:
    """Withdraw: before the chair states the motion the mover alone may."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main")
    board.refused(acts.Withdraw(id="main"), CHAIR)
    board.refused(acts.Withdraw(id="main"), CLERK)
    board.refused(acts.WithdrawByConsent(id="main", objectors=()))
    board.do(acts.Withdraw(id="main"), "jobs")
    assert board.ends() == {"main": D.WITHDRAWN}


def test_after_it_is_stated_withdrawal_takes_consent() -> None:
    """Withdraw: afterwards it takes consent or a majority."""
    board = at_debate(mover="jobs")
    board.refused(acts.Withdraw(id="main"), "jobs")
    board.refused(acts.WithdrawByConsent(id="main", objectors=("dalio",)))
    board.do(acts.WithdrawByConsent(id="main", objectors=()))
    assert board.ends() == {"main": D.WITHDRAWN}


@pytest.mark.parametrize(("signs", "end"), [("FFFAA", D.WITHDRAWN), ("FFAA-", None)])
def test_after_it_is_stated_withdrawal_may_be_voted_on(signs: str, end: Disposition | None) -> None:
    """Withdraw: consent or a majority; only the mover asks."""
    board = at_debate(mover="jobs")
    board.refused(acts.Move(id="w", kind=K.WITHDRAW, wording="w", target_id="main"), "dalio")
    board.stated(K.WITHDRAW, "jobs", "w", "main")
    board.vote("w", signs)
    assert board.ends().get("main") is end
    assert (board.floor.main is None) is (end is D.WITHDRAWN)


def test_withdraw_takes_adhering_motions_with_it() -> None:
    """Withdraw: motions adhering to it fall with it."""
    for by_vote in (True, False):
        board = at_debate(mover="jobs")
        board.stated(K.AMEND, "dalio", "first", "main")
        board.stated(K.AMEND, "rogers", "second", "first")
        if by_vote:
            board.stated(K.WITHDRAW, "jobs", "w", "main")
            board.vote("w", "FFFFF")
        else:
            board.do(acts.WithdrawByConsent(id="main", objectors=()))
        assert board.floor.pending == ()
        ends = board.ends()
        assert (ends["main"], ends["first"], ends["second"]) == (D.WITHDRAWN, D.FELL, D.FELL)


def test_an_amendment_can_be_withdrawn_without_the_motion_it_amends() -> None:
    board = at_debate(mover="jobs")
    board.move(K.AMEND, "dalio", "first", "main")
    board.do(acts.Withdraw(id="first"), "dalio")
    assert board.ends() == {"first": D.WITHDRAWN}
    assert board.floor.main is not None


def test_once_voting_has_begun_a_motion_cannot_be_withdrawn() -> None:
    """Withdraw: until voting begins, also when that vote was void."""
    board = at_debate(mover="jobs").enter(Phase.VOTING)
    board.open("main")
    board.refused(acts.WithdrawByConsent(id="main", objectors=()))
    for member in MEMBERS[2:]:
        board.do(acts.MarkAbsent(member=member))
    board.do(acts.VoidBallot())
    for member in MEMBERS[2:]:
        board.do(acts.Answer(present=True), member)
    board.refused(acts.WithdrawByConsent(id="main", objectors=()))
    board.refused(acts.Move(id="w", kind=K.WITHDRAW, wording="w", target_id="main"), "jobs")


# -- points of order and appeals ---------------------------------------------------------------------------------------


def point(board: Board, *, well_taken: bool, remedy: acts.Remedy = "out_of_order") -> Board:
    board.do(acts.RaisePoint(ref="p"), "jobs")
    board.do(acts.Rule(well_taken=well_taken, remedy=remedy), CHAIR)
    return board


def appeal(board: Board, signs: str) -> Disposition:
    board.stated(K.APPEAL, "dalio", "appeal", "p")
    return board.vote("appeal", signs).disposition


def test_a_point_of_order_needs_no_second_and_the_chair_rules_at_once() -> None:
    """Precedence: point of order; nothing else is in order until it is settled."""
    board = at_debate()
    board.do(acts.RaisePoint(ref="p"), "jobs")
    board.refused(acts.RaisePoint(ref="q"), "dalio")
    board.refused(acts.Move(id="x", kind=K.ADJOURN, wording="x"), "dalio")
    board.refused(acts.EnterPhase(phase=Phase.VOTING))
    board.refused(acts.AcceptRuling())
    board.refused(acts.Rule(well_taken=True), "jobs")
    board.refused(acts.Rule(well_taken=True), CLERK)
    board.do(acts.Rule(well_taken=False), CHAIR)
    board.refused(acts.Rule(well_taken=True), CHAIR)
    board.do(acts.AcceptRuling())
    assert board.floor.point is None
    assert board.floor.main is not None


def test_law_02_a_chair_who_does_not_answer_has_not_ruled() -> None:
    """Law 2: a ruling counts only from the chair's own reply; another presides, or the point falls."""
    board = at_debate()
    board.do(acts.RaisePoint(ref="p"), "jobs")
    board.do(acts.MarkAbsent(member=CHAIR))
    board.refused(acts.Rule(well_taken=False), CHAIR)
    board.do(acts.Preside(member="dalio"))
    board.refused(acts.Rule(well_taken=False), CHAIR)
    board.do(acts.Rule(well_taken=False), "dalio")
    board.do(acts.AcceptRuling())
    board.do(acts.RaisePoint(ref="q"), "jobs")
    board.do(acts.DropPoint())
    assert board.floor.point is None


def test_a_motion_ruled_out_of_order_leaves_the_floor() -> None:
    board = at_debate()
    board.stated(K.AMEND, "dalio", "first", "main")
    point(board, well_taken=True)
    board.do(acts.AcceptRuling())
    assert board.ends() == {"first": D.OUT_OF_ORDER}
    assert board.floor.main is not None
    point(board, well_taken=True, remedy="none")
    board.do(acts.AcceptRuling())
    assert board.floor.main is not None


def test_the_motion_ruled_upon_stays_until_the_ruling_takes_effect() -> None:
    """A ruling is about the motion it was made on: it must not fall upon the one beneath."""
    board = at_debate()
    board.move(K.AMEND, "dalio", "first", "main")
    point(board, well_taken=True)
    board.refused(acts.Second(id="first"), "rogers")
    board.refused(acts.DieUnseconded(id="first"))
    board.refused(acts.Withdraw(id="first"), "dalio")
    board.do(acts.AcceptRuling())
    assert board.ends() == {"first": D.OUT_OF_ORDER}
    assert board.floor.main is not None


def test_appeal_tie_sustains_the_chair() -> None:
    """Precedence: it takes a majority against the chair to reverse the ruling, so a tie sustains the chair."""
    board = point(at_debate(), well_taken=True)
    assert appeal(board, "FFAA-") is D.TIED
    assert board.ends()["main"] is D.OUT_OF_ORDER
    assert board.floor.point is None


def test_appeal_without_votes_sustains_the_chair() -> None:
    board = point(at_debate(), well_taken=True)
    appeal(board, "-----")
    assert board.ends()["main"] is D.OUT_OF_ORDER


def test_appeal_with_a_majority_against_the_chair_reverses_the_ruling() -> None:
    board = point(at_debate(), well_taken=True)
    assert appeal(board, "FFAAA") is D.LOST
    assert board.floor.main is not None
    assert board.floor.point is None
    board = point(at_debate(), well_taken=False)
    assert appeal(board, "FFAAA") is D.LOST
    assert board.ends()["main"] is D.OUT_OF_ORDER


def test_appeal_sustained_keeps_a_motion_that_was_ruled_in_order() -> None:
    board = point(at_debate(), well_taken=False)
    assert appeal(board, "FFFAA") is D.ADOPTED
    assert board.floor.main is not None


def test_appeal_needs_a_second_and_a_ruling() -> None:
    """Precedence: appeal needs a second."""
    board = at_debate()
    board.refused(acts.Move(id="appeal", kind=K.APPEAL, wording="a", target_id="p"), "dalio")
    board.do(acts.RaisePoint(ref="p"), "jobs")
    board.refused(acts.Move(id="appeal", kind=K.APPEAL, wording="a", target_id="p"), "dalio")
    board.do(acts.Rule(well_taken=False), CHAIR)
    board.refused(acts.Move(id="appeal", kind=K.APPEAL, wording="a", target_id="other"), "dalio")
    board.refused(acts.Move(id="appeal", kind=K.APPEAL, wording="a", target_id="p"), CHAIR)
    board.move(K.APPEAL, "dalio", "appeal", "p")
    board.refused(acts.OpenBallot(question_id="appeal", round=1))
    board.refused(acts.AcceptRuling())
    board.refused(acts.Move(id="again", kind=K.APPEAL, wording="a", target_id="p"), "jobs")
    board.do(acts.DieUnseconded(id="appeal"))
    board.do(acts.AcceptRuling())
    assert board.ends() == {"appeal": D.UNSECONDED}


def test_an_appeal_is_decided_by_a_vote_never_by_consent() -> None:
    board = point(at_debate(), well_taken=True)
    board.stated(K.APPEAL, "dalio", "appeal", "p")
    board.refused(acts.AdoptByConsent(id="appeal", objectors=()))


def test_suspending_the_rules_takes_a_second_and_two_thirds() -> None:
    """Precedence: suspend the rules."""
    for signs, end in (("FFFAA", D.LOST), ("FFFFA", D.ADOPTED)):
        board = at_debate()
        board.move(K.SUSPEND_RULES, "jobs", "s")
        board.refused(acts.OpenBallot(question_id="s", round=1))
        board.second("s")
        assert board.vote("s", signs).disposition is end


# -- reconsider --------------------------------------------------------------------------------------------------------


def test_reconsider_is_moved_by_the_prevailing_side_and_seconded_by_anyone() -> None:
    """Reconsider: moved by someone who voted on the prevailing side, any seconder, majority."""
    board = at_debate().enter(Phase.VOTING)
    board.vote("main", "FFFA-")
    for member in ("jobs", "rogers", CLERK):
        board.refused(acts.Move(id="r", kind=K.RECONSIDER, wording="r", target_id="main"), member)
    board.move(K.RECONSIDER, "dalio", "r", "main")
    board.refused(acts.AdoptByConsent(id="r", objectors=()))
    board.second("r", "jobs")
    board.vote("r", "FFFAA")
    assert board.floor.main is not None
    board.enter(Phase.MOTION_DISCUSSION, Phase.VOTING)
    board.refused(acts.OpenBallot(question_id="main", round=1))
    assert board.vote("main", "AAAAA", round=2).disposition is D.LOST
    board.refused(acts.Move(id="r2", kind=K.RECONSIDER, wording="r", target_id="main"), "dalio")


def test_a_lost_motion_is_reconsidered_by_the_no_side() -> None:
    """Reconsider: when a motion failed, the No side prevailed, on a tie too."""
    for signs in ("FAAA-", "FFAA-"):
        board = at_debate().enter(Phase.VOTING)
        board.vote("main", signs)
        board.refused(acts.Move(id="r", kind=K.RECONSIDER, wording="r", target_id="main"), CHAIR)
        board.move(K.RECONSIDER, "jobs", "r", "main")
