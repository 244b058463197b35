"""RULES_OF_ORDER.md, rule by rule: precedence, amendments, and what takes a question off the floor."""

from __future__ import annotations

import pytest

from parliament import acts
from parliament.motions import MotionKind
from parliament.values import Disposition, ItemType, Phase
from tests.support.floor_driver import CHAIR, Board, at_debate

K, D = MotionKind, Disposition

# -- precedence --------------------------------------------------------------------------------------------------------

LADDER = (K.COMMIT, K.POSTPONE, K.LIMIT_DEBATE, K.PREVIOUS_QUESTION, K.LAY_ON_TABLE, K.RECESS, K.ADJOURN, K.FIX_TIME)


def test_each_higher_motion_is_in_order_over_each_lower_one_and_not_the_other_way() -> None:
    """Precedence: in order only when it ranks above the one immediately pending; equal or lower is out of order."""
    order = (K.POSTPONE_INDEFINITELY, *LADDER)
    for n, lower in enumerate(order):
        for m, upper in enumerate(order):
            board = at_debate()
            board.stated(lower, "jobs", "lower")
            act = acts.Move(id="upper", kind=upper, wording="upper")
            if m > n:
                board.do(act, "dalio")
                assert board.floor.question is not None
                assert board.floor.question.id == "upper"
            else:
                board.refused(act, "dalio")


def test_the_whole_ladder_can_be_pending_and_is_decided_from_the_top() -> None:
    """Precedence: the motion immediately pending is decided first."""
    board = at_debate()
    ladder = [kind for kind in LADDER if kind is not K.PREVIOUS_QUESTION]
    for kind in ladder:
        board.stated(kind, "jobs")
    for kind in ladder[:-1]:
        board.refused(acts.OpenBallot(question_id=kind.value, round=1))
    for kind in reversed(ladder):
        assert board.vote(kind.value, "AAAAA").disposition is D.LOST
    assert board.floor.pending == (board.floor.main,)


def test_a_second_main_motion_is_out_of_order_while_one_is_pending() -> None:
    """Precedence: only one main motion at a time."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(K.MAIN, CHAIR, "main")
    board.refused(acts.Move(id="other", kind=K.MAIN, wording="other"), "jobs")


def test_a_main_motion_needs_an_item_for_decision_and_its_time() -> None:
    """Source 000, Phase Sequence."""
    for item_type in (ItemType.REVIEW, ItemType.DISCUSSION, ItemType.INFORMATION):
        Board().roll().item(item_type).refused(acts.Move(id="m", kind=K.MAIN, wording="m"), CHAIR)
    board = Board().roll()
    board.refused(acts.Move(id="m", kind=K.MAIN, wording="m"), CHAIR)
    board.do(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION))
    board.enter(Phase.INTRO)
    board.refused(acts.Move(id="m", kind=K.MAIN, wording="m"), CHAIR)
    board.enter(Phase.DISCUSSION)
    board.move(K.MAIN, "dalio", "m")


def test_a_subsidiary_motion_needs_a_main_motion_before_the_board() -> None:
    board = Board().roll().item()
    for kind in (K.POSTPONE_INDEFINITELY, K.COMMIT, K.POSTPONE, K.LIMIT_DEBATE, K.PREVIOUS_QUESTION, K.LAY_ON_TABLE):
        board.refused(acts.Move(id="x", kind=kind, wording="x"), "jobs")
    board.refused(acts.Move(id="x", kind=K.AMEND, wording="x", target_id="main"), "jobs")
    board.move(K.MAIN, CHAIR, "main")
    for kind in (K.POSTPONE_INDEFINITELY, K.COMMIT, K.POSTPONE, K.LIMIT_DEBATE, K.PREVIOUS_QUESTION, K.LAY_ON_TABLE):
        board.refused(acts.Move(id="x", kind=kind, wording="x"), "jobs")


def test_what_the_chair_decides_or_grants_on_demand_is_not_moved() -> None:
    """Precedence: privilege and the orders of the day take no vote; a point of order is raised."""
    board = at_debate()
    for kind in (K.PRIVILEGE, K.ORDERS_OF_THE_DAY, K.POINT_OF_ORDER, K.RESCIND):
        board.refused(acts.Move(id="x", kind=kind, wording="x"), "jobs")


def test_a_motion_id_is_used_once() -> None:
    """Law 4: the same motion is not written twice."""
    board = at_debate()
    board.stated(K.LAY_ON_TABLE, "jobs", "t")
    board.vote("t", "AAAAA")
    board.refused(acts.Move(id="t", kind=K.LAY_ON_TABLE, wording="t"), "jobs")
    board.refused(acts.Move(id="main", kind=K.ADJOURN, wording="t"), "jobs")


# -- amendments --------------------------------------------------------------------------------------------------------


def test_an_adopted_amendment_changes_the_text_that_is_voted_on() -> None:
    """Precedence: a contested amendment is voted on, then the motion as amended is."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    assert board.vote("first", "FFFAA").disposition is D.ADOPTED
    board.stated(K.AMEND, "dalio", "next", "main")
    board.vote("next", "FFFFA")
    main = board.floor.main
    assert main is not None
    assert (main.wording, main.original_wording) == ("words of next", "words of main")
    closed = board.enter(Phase.VOTING).vote("main", "FFFFF")
    assert closed.question.wording == "words of next"


@pytest.mark.parametrize("signs", ["FFAAA", "FFAA-", "-----"])
def test_a_lost_amendment_changes_nothing(signs: str) -> None:
    board = at_debate()
    before = board.floor.main
    board.stated(K.AMEND, "jobs", "first", "main")
    board.vote("first", signs)
    assert board.floor.main == before


def test_a_friendly_amendment_takes_consent_without_objection_or_a_vote() -> None:
    """Precedence: a "friendly" amendment is an amendment; the mover's or the chair's word does not change the text."""
    board = at_debate()
    board.move(K.AMEND, "jobs", "friendly", "main")
    refusal = board.refused(acts.AdoptByConsent(id="friendly", objectors=("dalio",)))
    assert "objects" in refusal.reason
    board.refused(acts.AdoptByConsent(id="friendly", objectors=()), CHAIR)
    board.do(acts.AdoptByConsent(id="friendly", objectors=()))
    closed = board.floor.last_closed("friendly")
    assert closed is not None
    assert (closed.disposition, closed.by_consent, closed.tally) == (D.ADOPTED, True, None)
    assert board.floor.main is not None
    assert board.floor.main.wording == "words of friendly"


def test_an_amendment_can_be_amended_once() -> None:
    """Precedence: second degree; the adopted one changes the first, which is then voted on as amended."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(K.AMEND, "dalio", "second", "first")
    assert [motion.degree for motion in board.floor.pending] == [0, 1, 2]
    board.vote("second", "FFFFF")
    assert board.floor.question is not None
    assert (board.floor.question.id, board.floor.question.wording) == ("first", "words of second")
    board.vote("first", "FFFFF")
    assert board.floor.main is not None
    assert (board.floor.main.wording, board.floor.main.original_wording) == ("words of second", "words of main")


def test_amendment_of_the_third_degree_is_out_of_order() -> None:
    """Precedence: an amendment to an amendment cannot itself be amended."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(K.AMEND, "dalio", "second", "first")
    refusal = board.refused(acts.Move(id="third", kind=K.AMEND, wording="third", target_id="second"), "rogers")
    assert "third degree" in refusal.reason


def test_only_the_question_immediately_pending_can_be_amended() -> None:
    """Precedence: while it is immediately pending; two amendments of one degree are never pending together."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.refused(acts.Move(id="x", kind=K.AMEND, wording="x", target_id="main"), "dalio")
    board.refused(acts.Move(id="x", kind=K.AMEND, wording="x", target_id=None), "dalio")
    board.refused(acts.Move(id="x", kind=K.AMEND, wording="x", target_id="nothing"), "dalio")


@pytest.mark.parametrize("kind", [K.LAY_ON_TABLE, K.PREVIOUS_QUESTION, K.POSTPONE_INDEFINITELY, K.ADJOURN])
def test_what_is_not_amendable_is_not_amended(kind: MotionKind) -> None:
    """Precedence, column A."""
    board = at_debate()
    board.stated(kind, "jobs", "x")
    board.refused(acts.Move(id="a", kind=K.AMEND, wording="a", target_id="x"), "dalio")


@pytest.mark.parametrize("kind", [K.COMMIT, K.POSTPONE, K.LIMIT_DEBATE, K.RECESS, K.FIX_TIME])
def test_any_pending_amendable_motion_can_be_amended(kind: MotionKind) -> None:
    """Precedence: *Amend* takes the rank of the motion that it would amend."""
    board = at_debate()
    board.stated(kind, "jobs", "x")
    board.stated(K.AMEND, "dalio", "a", "x")
    assert board.floor.rank(board.floor.pending[-1]) == max(3, board.floor.rank(board.floor.pending[-2]) or 0)
    board.refused(acts.Move(id="y", kind=kind, wording="y"), "rogers")
    board.vote("a", "FFFFF")
    assert board.floor.question is not None
    assert board.floor.question.wording == "words of a"


def test_postpone_indefinitely_is_out_of_order_while_an_amendment_is_pending_and_commit_is_in_order() -> None:
    """Precedence: rank 2 under the amendment's 3, rank 4 above it."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.refused(acts.Move(id="x", kind=K.POSTPONE_INDEFINITELY, wording="x"), "dalio")
    board.move(K.COMMIT, "dalio")


def test_an_amendment_is_seconded_before_it_is_amended_or_voted_on() -> None:
    board = at_debate()
    board.move(K.AMEND, "jobs", "first", "main")
    board.refused(acts.Move(id="second", kind=K.AMEND, wording="x", target_id="first"), "dalio")
    board.refused(acts.OpenBallot(question_id="first", round=1))
    board.do(acts.DieUnseconded(id="first"))
    assert board.ends() == {"first": D.UNSECONDED}
    assert board.floor.main is not None
    assert board.floor.main.wording == "words of main"


def test_the_main_motion_is_not_voted_on_while_an_amendment_is_pending() -> None:
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.refused(acts.EnterPhase(phase=Phase.VOTING))
    board.refused(acts.OpenBallot(question_id="main", round=1))


def test_only_the_motion_immediately_pending_is_seconded_agreed_to_or_dies() -> None:
    """Precedence: what is pending above it is decided first."""
    board = at_debate(mover="jobs")
    board.stated(K.AMEND, "dalio", "first", "main")
    board.move(K.AMEND, "jobs", "second", "first")
    board.refused(acts.AdoptByConsent(id="first", objectors=()))
    board.do(acts.AdoptByConsent(id="second", objectors=()))
    board.do(acts.AdoptByConsent(id="first", objectors=()))
    board.move(K.RECESS, "dalio", "r")
    board.move(K.ADJOURN, "jobs", "a")
    board.refused(acts.Second(id="r"), "rogers")
    board.refused(acts.DieUnseconded(id="r"))
    assert [motion.id for motion in board.floor.pending] == ["main", "r", "a"]


# -- previous question, table, postpone, adjourn -----------------------------------------------------------------------


def test_the_previous_question_takes_two_thirds_and_closes_debate_and_amendment() -> None:
    """Precedence, rank 7; after it only laying on the table and what ranks higher is in order."""
    board = at_debate()
    board.stated(K.PREVIOUS_QUESTION, "jobs", "lost")
    assert board.vote("lost", "FFFAA").disposition is D.LOST
    assert not board.floor.debate_closed
    board.stated(K.PREVIOUS_QUESTION, "jobs", "pq")
    assert board.vote("pq", "FFFFA").disposition is D.ADOPTED
    assert board.floor.debate_closed
    board.refused(acts.Move(id="a", kind=K.AMEND, wording="a", target_id="main"), "dalio")
    for kind in (K.POSTPONE_INDEFINITELY, K.COMMIT, K.POSTPONE, K.LIMIT_DEBATE, K.PREVIOUS_QUESTION):
        board.refused(acts.Move(id="x", kind=kind, wording="x"), "dalio")
    board.stated(K.LAY_ON_TABLE, "dalio", "t")
    board.vote("t", "AAAAA")
    assert board.floor.debate_closed
    board.enter(Phase.VOTING).vote("main", "FFFFF")
    assert not board.floor.debate_closed


def test_the_previous_question_on_an_amendment_leaves_the_main_motion_open_to_debate() -> None:
    """RONR 16: it applies to the question immediately pending."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(K.PREVIOUS_QUESTION, "dalio", "pq")
    board.vote("pq", "FFFFF")
    board.refused(acts.Move(id="second", kind=K.AMEND, wording="x", target_id="first"), "dalio")
    board.vote("first", "FFFFF")
    assert not board.floor.debate_closed
    board.move(K.AMEND, "dalio", "again", "main")


def test_lay_on_the_table_takes_the_whole_question_off_the_floor() -> None:
    """Precedence, rank 8; Lay on the table: what adheres goes with it."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(K.LAY_ON_TABLE, "dalio", "t")
    board.vote("t", "FFFAA")
    assert board.ends() == {"t": D.ADOPTED, "first": D.TABLED, "main": D.TABLED}
    assert board.floor.pending == ()
    assert board.floor.last_closed() == board.floor.last_closed("main")
    board.do(acts.FinishItem())


def test_laying_on_the_table_takes_effect_by_unanimous_consent_or_by_a_vote_when_a_member_objects() -> None:
    """DESIGN, Decisions: TABLE takes effect by unanimous consent, or by a vote when a member objects."""
    board = at_debate()
    board.move(K.LAY_ON_TABLE, CHAIR, "t")
    board.refused(acts.AdoptByConsent(id="t", objectors=("jobs",)))
    board.do(acts.AdoptByConsent(id="t", objectors=()))
    assert board.ends() == {"t": D.ADOPTED, "main": D.TABLED}


@pytest.mark.parametrize(("kind", "end"), [(K.POSTPONE, D.POSTPONED), (K.COMMIT, D.REFERRED)])
def test_a_postponed_or_committed_question_leaves_the_floor(kind: MotionKind, end: Disposition) -> None:
    """Precedence: postponing sets a time and the item returns by itself; laying on the table sets none."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(kind, "dalio", "x")
    board.vote("x", "FFFFF")
    assert board.ends() == {"x": D.ADOPTED, "first": end, "main": end}


def test_postpone_indefinitely_kills_the_main_motion() -> None:
    board = at_debate()
    board.stated(K.POSTPONE_INDEFINITELY, "jobs", "x")
    board.vote("x", "FFFAA")
    assert board.ends() == {"x": D.ADOPTED, "main": D.LOST}


def test_adjourning_early_lets_the_pending_question_fall_to_the_ground() -> None:
    """DESIGN, Decisions: an early ADJOURN takes effect by unanimous consent, or by a vote."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(K.ADJOURN, "dalio", "adj")
    board.vote("adj", "FFFAA")
    assert board.ends() == {"adj": D.ADOPTED, "first": D.FELL, "main": D.FELL}
    assert board.floor.adjourned
    board.refused(acts.Move(id="x", kind=K.RECESS, wording="x"), "jobs")
    board.refused(acts.RaisePoint(ref="p"), "jobs")
    board.enter(Phase.CLOSING, Phase.ADJOURNMENT)
    board.refused(acts.Adjourn())
