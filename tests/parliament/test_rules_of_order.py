"""Every rule and case of RULES_OF_ORDER.md that the personal board can meet, each as a test that names it."""

from __future__ import annotations

import pytest

from parliament import acts
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote
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
