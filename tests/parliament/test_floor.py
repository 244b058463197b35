"""The course of the meeting on the floor: roll, phases, items, chair and end; who may do what; size and form."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from parliament import acts
from parliament.floor import Floor, OutOfOrder, apply
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote
from tests.support.floor_driver import CHAIR, MEMBERS, Board, at_debate

K, D = MotionKind, Disposition
OTHER_TYPES = (ItemType.REVIEW, ItemType.DISCUSSION, ItemType.INFORMATION)

CLERKS_ACTS: tuple[acts.Act, ...] = (
    acts.EnterPhase(phase=Phase.VOTING),
    acts.Preside(member="dalio"),
    acts.TakeUp(item_id="agenda-2", item_type=ItemType.DECISION),
    acts.FinishItem(),
    acts.MarkAbsent(member="dalio"),
    acts.Adjourn(),
    acts.FallToGround(),
    acts.DieUnseconded(id="main"),
    acts.WithdrawByConsent(id="main", objectors=()),
    acts.AdoptByConsent(id="main", objectors=()),
    acts.OpenBallot(question_id="main", round=1),
    acts.NoVote(member="dalio", vote=Vote.NO_REPLY),
    acts.CloseBallot(),
    acts.VoidBallot(),
    acts.AcceptRuling(),
    acts.DropPoint(),
)
MEMBERS_ACTS: tuple[acts.Act, ...] = (
    acts.Answer(present=True),
    acts.Move(id="x", kind=K.MAIN, wording="x"),
    acts.Second(id="main"),
    acts.Withdraw(id="main"),
    acts.RaisePoint(ref="p"),
    acts.Rule(well_taken=True),
    acts.Cast(question_id="main", round=1, vote=Vote.FOR),
)


def test_law_01_what_the_procedure_does_no_member_can_do() -> None:
    """Law 1: no model's word opens or closes a vote, marks a member absent, or ends an item; not the chair's either."""
    for board in (Board(), Board().roll(), at_debate(), at_debate().enter(Phase.VOTING)):
        for act in CLERKS_ACTS:
            for speaker in (*MEMBERS, "musk", "shareholder", ""):
                assert "procedure" in board.refused(act, speaker).reason


def test_law_02_what_a_member_does_the_procedure_cannot_do_for_it() -> None:
    """Law 2: a voice speaks only for itself; a stranger has no voice on the floor."""
    voting = at_debate().enter(Phase.VOTING)
    voting.open("main")
    for board in (Board(), Board().roll(), at_debate(), voting):
        for act in MEMBERS_ACTS:
            for speaker in (CLERK, "musk", "shareholder", ""):
                board.refused(act, speaker)


def test_law_02_an_absent_member_has_no_voice_until_its_seat_answers_again() -> None:
    """Law 2 and DESIGN, Presence."""
    board = at_debate()
    board.do(acts.MarkAbsent(member="jobs"))
    board.refused(acts.Move(id="x", kind=K.LAY_ON_TABLE, wording="x"), "jobs")
    board.refused(acts.RaisePoint(ref="p"), "jobs")
    board.do(acts.Answer(present=True), "jobs")
    board.do(acts.RaisePoint(ref="p"), "jobs")


def test_every_act_is_in_one_of_the_two_lists_and_nothing_else_is_an_act() -> None:
    listed = {type(act) for act in (*CLERKS_ACTS, *MEMBERS_ACTS)}
    assert listed == set(acts.Act.__args__)
    not_an_act: Any = "CloseBallot"
    with pytest.raises(TypeError, match="not an act"):
        apply(Board().floor, not_an_act, CLERK)


# -- roll and presence -------------------------------------------------------------------------------------------------


def test_the_roll_is_called_when_every_seat_has_answered_or_was_marked_absent() -> None:
    """Source 000, Quorum System."""
    board = Board()
    board.refused(acts.Answer(present=True), "jobs")
    board.refused(acts.MarkAbsent(member="jobs"))
    board.enter(Phase.QUORUM)
    for member in reversed(MEMBERS[2:]):
        board.do(acts.Answer(present=True), member)
    board.do(acts.Answer(present=False), MEMBERS[0])
    assert not board.floor.roll_called
    board.refused(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION))
    board.do(acts.MarkAbsent(member=MEMBERS[1]))
    assert board.floor.roll_called
    assert board.floor.present == MEMBERS[2:]
    assert board.floor.absent == MEMBERS[:2]
    assert board.floor.called == ()
    assert board.floor.has_quorum


def test_present_members_stand_in_seating_order_whoever_answers_first() -> None:
    board = Board().enter(Phase.QUORUM)
    for member in reversed(MEMBERS):
        board.do(acts.Answer(present=True), member)
    assert board.floor.present == MEMBERS


def test_answering_twice_changes_nothing() -> None:
    board = Board().roll()
    before = board.floor
    assert board.do(acts.Answer(present=True), "jobs") == before
    board.do(acts.MarkAbsent(member="jobs"))
    assert board.do(acts.MarkAbsent(member="jobs")).present == tuple(m for m in MEMBERS if m != "jobs")


def test_a_member_who_leaves_during_a_vote_is_absent_in_it_unless_it_has_voted() -> None:
    """Law 8: leaving is not abstaining, and a vote given stands."""
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.do(acts.Cast(question_id="main", round=1, vote=Vote.FOR), "jobs")
    board.do(acts.Answer(present=False), "jobs")
    board.do(acts.Answer(present=False), "rogers")
    board.refused(acts.Cast(question_id="main", round=1, vote=Vote.FOR), "rogers")
    board.cast("FFA", MEMBERS[:3])
    board.do(acts.CloseBallot())
    closed = board.floor.last_closed("main")
    assert closed is not None
    assert (closed.votes["jobs"], closed.votes["rogers"]) == (Vote.FOR, Vote.ABSENT)


# -- the chair ---------------------------------------------------------------------------------------------------------


def test_only_a_seated_present_member_presides() -> None:
    """DESIGN, Fallback chair: the configured chain, but only a seated, present member."""
    board = Board()
    board.refused(acts.Preside(member="musk"))
    board.do(acts.Preside(member="dalio"))
    board.roll(present=MEMBERS[:4])
    board.refused(acts.Preside(member="rogers"))
    board.do(acts.Preside(member="jobs"))
    assert board.floor.chair == "jobs"


# -- phases and items --------------------------------------------------------------------------------------------------

DECISION_COURSE = (
    Phase.INTRO,
    Phase.DISCUSSION,
    Phase.MOTION,
    Phase.SECOND,
    Phase.MOTION_DISCUSSION,
    Phase.VOTING,
    Phase.ACTION_ITEMS,
)


def test_the_phases_of_a_decision_item_come_in_their_order() -> None:
    """Source 000, Phase Sequence: in each state every other phase is refused."""
    board = Board().roll()
    board.do(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION))
    for n, phase in enumerate(DECISION_COURSE):
        early = {*DECISION_COURSE[n + 1 :], Phase.SUMMARY, Phase.ADJOURNMENT, Phase.OPENING, Phase.QUORUM}
        for other in early - {Phase.SECOND if board.floor.main else Phase.OPENING}:
            board.refused(acts.EnterPhase(phase=other))
        board.enter(phase)
        if phase is Phase.MOTION:
            board.move(K.MAIN, CHAIR, "main")
        elif phase is Phase.SECOND:
            board.second("main")
        elif phase is Phase.VOTING:
            board.vote("main", "FFFFF")
    board.do(acts.FinishItem())
    board.enter(Phase.CLOSING, Phase.ADJOURNMENT)
    board.do(acts.Adjourn())
    assert board.floor.adjourned


@pytest.mark.parametrize("item_type", OTHER_TYPES)
def test_the_phases_of_another_item_are_intro_discussion_summary(item_type: ItemType) -> None:
    """Source 000, Phase Sequence, non-decision items."""
    board = Board().roll().item(item_type)
    for phase in DECISION_COURSE[2:]:
        board.refused(acts.EnterPhase(phase=phase))
    board.enter(Phase.SUMMARY)
    board.refused(acts.EnterPhase(phase=Phase.INTRO))
    board.do(acts.FinishItem())
    board.refused(acts.EnterPhase(phase=Phase.INTRO))
    board.item(item_id="agenda-2")


@pytest.mark.parametrize("at", [None, *DECISION_COURSE])
def test_law_13_the_closing_is_reachable_from_anywhere_once_nothing_is_pending(at: Phase | None) -> None:
    """Law 13: on a deadline the chair goes to the closing phase."""
    board = Board()
    if at is not None:
        board.roll()
        board.do(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION))
        for phase in DECISION_COURSE[: DECISION_COURSE.index(at) + 1]:
            board.enter(phase)
            if phase is Phase.MOTION:
                board.move(K.MAIN, CHAIR, "main")
            elif phase is Phase.SECOND:
                board.second("main")
            elif phase is Phase.VOTING:
                board.open("main")
                if at is Phase.ACTION_ITEMS:
                    board.cast("FFFFF")
                    board.do(acts.CloseBallot())
    if board.floor.pending:
        board.refused(acts.EnterPhase(phase=Phase.CLOSING))
    board.do(acts.FallToGround())
    if at in (Phase.MOTION, Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING):
        assert board.ends() == {"main": D.FELL}
    board.enter(Phase.CLOSING)
    assert (board.floor.item_id, board.floor.pending, board.floor.ballot) == (None, (), None)
    board.refused(acts.TakeUp(item_id="agenda-2", item_type=ItemType.DECISION))
    board.refused(acts.EnterPhase(phase=Phase.CLOSING))
    board.enter(Phase.ADJOURNMENT)
    board.do(acts.Adjourn())


def test_falling_to_the_ground_takes_ballot_point_and_all_that_is_pending() -> None:
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.do(acts.RaisePoint(ref="p"), "jobs")
    board.do(acts.FallToGround())
    assert board.ends() == {"first": D.FELL, "main": D.FELL}
    assert board.floor.point is None
    board = at_debate().enter(Phase.VOTING)
    board.open("main")
    board.cast("FFFFF")
    board.do(acts.FallToGround())
    closed = board.floor.last_closed("main")
    assert closed is not None
    assert (closed.disposition, closed.votes, closed.tally) == (D.FELL, {}, None)


def test_an_item_is_not_finished_or_followed_while_a_question_is_pending() -> None:
    """Contract and source 000: one item at a time, and each question has its end."""
    board = at_debate()
    board.refused(acts.FinishItem())
    board.refused(acts.TakeUp(item_id="agenda-2", item_type=ItemType.REVIEW))
    board.refused(acts.Adjourn())
    board.enter(Phase.VOTING).vote("main", "AAAAA")
    board.refused(acts.TakeUp(item_id="agenda-2", item_type=ItemType.REVIEW))
    board.do(acts.FinishItem())
    board.refused(acts.FinishItem())
    assert board.floor.closed == ()


def test_an_item_may_have_a_second_motion_after_the_first_has_ended() -> None:
    """DESIGN, Ids: a second motion on an item."""
    board = at_debate().enter(Phase.VOTING)
    board.vote("main", "AAAAA")
    board.refused(acts.EnterPhase(phase=Phase.ACTION_ITEMS))
    board.enter(Phase.MOTION)
    board.move(K.MAIN, "jobs", "main-2")
    board.enter(Phase.SECOND)
    board.second("main-2")
    board.enter(Phase.MOTION_DISCUSSION, Phase.VOTING)
    board.vote("main-2", "FFFFF")
    board.enter(Phase.ACTION_ITEMS)


def test_the_main_motion_is_put_in_the_voting_phase_only() -> None:
    at_debate().refused(acts.OpenBallot(question_id="main", round=1))


def test_a_main_motion_is_never_adopted_by_consent() -> None:
    """Standing rule: the result of a resolution is counted from its ballots."""
    board = at_debate()
    board.refused(acts.AdoptByConsent(id="main", objectors=()))


# -- form --------------------------------------------------------------------------------------------------------------


def test_the_floor_travels_as_json_and_stays_small() -> None:
    """Law 6 and DESIGN: it goes through continue-as-new."""
    board = at_debate()
    board.stated(K.AMEND, "jobs", "first", "main")
    board.stated(K.AMEND, "dalio", "second", "first")
    board.open("second")
    board.cast("FA-N", MEMBERS[:4])
    floor = board.floor
    assert Floor.model_validate_json(floor.model_dump_json()) == floor
    assert len(floor.model_dump_json()) < 2500
    board.cast("?", MEMBERS[4:])
    board.do(acts.CloseBallot())
    assert Floor.model_validate_json(board.floor.model_dump_json()) == board.floor


def test_a_floor_takes_no_unknown_field_and_no_seat_twice() -> None:
    with pytest.raises(ValidationError):
        Floor(members=MEMBERS, chair=CHAIR, quorum=3, votes={})  # type: ignore[call-arg]
    with pytest.raises(ValidationError, match="twice"):
        Floor(members=("a", "a"), chair="a", quorum=1)
    with pytest.raises(ValidationError, match="another id"):
        Floor(members=("a", CLERK), chair="a", quorum=1)
    floor = Board().floor
    with pytest.raises(ValidationError):
        floor.quorum = 1


def test_an_act_names_no_speaker() -> None:
    """Law 2: who speaks is given beside the act, by whoever heard the voice."""
    for act in acts.Act.__args__:
        assert not {"speaker", "mover", "seconder", "by"} & set(act.model_fields)


@pytest.mark.parametrize("hostile", ["{ADJOURN}", "</speaking>", "x" * 200_000, "\x00", "｛VOTE｝"])
def test_law_03_words_on_the_floor_are_inert(hostile: str) -> None:
    """Law 3: the floor never looks inside a wording, an id or a reference."""
    board = Board().roll().item().enter(Phase.MOTION)
    board.do(acts.Move(id=hostile, kind=K.MAIN, wording=hostile), CHAIR)
    board.refused(acts.Second(id="other"), "jobs")
    board.second(hostile, "jobs")
    board.enter(Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
    assert board.vote(hostile, "FFFFF").question.wording == hostile


def test_a_refusal_never_repeats_what_was_said() -> None:
    """Law 15: no wording or reference stands in the sentence of a refusal."""
    board = at_debate()
    result = apply(board.floor, acts.Move(id="secret", kind=K.MAIN, wording="secret"), "jobs")
    assert isinstance(result, OutOfOrder)
    assert "secret" not in result.reason + result.rule
