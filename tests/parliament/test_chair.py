"""Every command in every state of a meeting, from every mouth: what acts, what announces, what is out of order.

The states are reached by real acts on a real floor. In the table a column is a state and a row a command of the chairman's:
`A` acts, `=` announces what the record says, `.` is refused.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parliament import acts
from parliament.chair import (
    Announced,
    CallOn,
    Discuss,
    MoveMain,
    Next,
    OwnWords,
    RecordAction,
    RecordRuling,
    Refused,
    RequestConsent,
    WithdrawNow,
    interpret,
)
from parliament.command_values import OPS, Command
from parliament.commands import Roster, RosterEntry, parse
from parliament.floor import Floor, apply
from parliament.motions import MotionKind
from parliament.values import CLERK, SHAREHOLDER, ItemType, Phase
from tests.support.floor_driver import CHAIR, MEMBERS, Board, at_debate

ROSTER = Roster(tuple(RosterEntry(member) for member in MEMBERS))


def read(text: str) -> Command:
    parsed = parse(text, ROSTER)
    assert not parsed.malformed, parsed.malformed
    (found,) = parsed.commands
    return found.command


# -- the states --------------------------------------------------------------------------------------------------------


def _rolling() -> Board:
    board = Board()
    board.do(acts.EnterPhase(phase=Phase.QUORUM))
    board.do(acts.Answer(present=True), "jobs")
    return board


def _intro() -> Board:
    board = Board().roll()
    board.do(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION))
    return board.enter(Phase.INTRO)


def _moved(mover: str = CHAIR) -> Board:
    board = Board().roll().item().enter(Phase.MOTION)
    board.move(MotionKind.MAIN, mover, "main")
    return board.enter(Phase.SECOND)


def _amending() -> Board:
    board = at_debate()
    board.stated(MotionKind.AMEND, "jobs", "amendment", "main")
    return board


def _debate_closed() -> Board:
    board = at_debate()
    board.stated(MotionKind.PREVIOUS_QUESTION, "dalio", "previous")
    board.vote("previous", "FFFFA")
    return board


def _tabling() -> Board:
    board = at_debate()
    board.stated(MotionKind.LAY_ON_TABLE, "dalio", "table")
    return board


def _point() -> Board:
    board = at_debate()
    board.do(acts.RaisePoint(ref="turn-9"), "jobs")
    return board


def _balloting() -> Board:
    board = Board().roll().item().voting()
    board.open("main")
    board.cast("FA", ("dalio", "rogers"))
    return board


def _voted(signs: str) -> Board:
    board = Board().roll().item().voting()
    board.vote("main", signs)
    return board


def _review() -> Board:
    return Board().roll().item(ItemType.REVIEW)


def _closing() -> Board:
    board = _voted("FFFFA")
    board.do(acts.FinishItem())
    return board.enter(Phase.CLOSING)


def _adjourned() -> Board:
    board = Board().roll().item()
    board.do(acts.FinishItem())
    board.do(acts.Adjourn())
    return board


STATES: dict[str, Callable[[], Board]] = {
    "opening": Board,
    "rolling": _rolling,
    "between": lambda: Board().roll(),
    "intro": _intro,
    "discussion": lambda: Board().roll().item(),
    "drafting": lambda: Board().roll().item().enter(Phase.MOTION),
    "moved": _moved,
    "moved by dalio": lambda: _moved("dalio"),
    "debate": at_debate,
    "dalio's motion": lambda: at_debate("dalio"),
    "amending": _amending,
    "debate closed": _debate_closed,
    "tabling": _tabling,
    "point of order": _point,
    "before the vote": lambda: Board().roll().item().voting(),
    "balloting": _balloting,
    "adopted": lambda: _voted("FFFFA"),
    "action items": lambda: _voted("FFFFA").enter(Phase.ACTION_ITEMS),
    "lost": lambda: _voted("AAFFA"),
    "tied": lambda: _voted("FF-AA"),
    "review": _review,
    "summary": lambda: _review().enter(Phase.SUMMARY),
    "closing": _closing,
    "adjournment": lambda: _closing().enter(Phase.ADJOURNMENT),
    "adjourned": _adjourned,
}

# fmt: off
TABLE: dict[str, str] = {
    #                                                        moved by dalio, dalio's motion, adopted, closing
    #                                                              m d   d   c t p v b a a l t r s c a a
    '{ROLL: @dalio=present, @jobs=present}':           ". . = = = = = = = = = = = = = = = = = = = = = = .",
    '{ROLL: @jobs=absent}':                            ". . . . . . . . . . . . . . . . . . . . . . . . .",
    '{QUORUM}':                                        ". . = = = = = = = = = = = = = = = = = = = = = = .",
    '{DISCUSS}':                                       ". . . A A A A A A A A . . A . . . . . . A . . . .",
    '{CALL: @dalio @jobs}':                            ". . . A A A A A A A A . . A . . . . . . A . . . .",
    '{CALL: @shareholder}':                            ". . . . . . . . . . . . . . . . . . . . . . . . .",
    '{MOTION: "RESOLVED, That we shall go home."}':    ". . . . A A . . . . . . . . . . . . . . . . . . .",
    '{SECOND: @rogers}':                               ". . . . . . . . = = = = = = = = = = = = . . . . .",
    '{SECOND: @jobs}':                                 ". . . . . . . . . . . . . . . . . . . . . . . . .",
    '{SECOND: @aurelius}':                             ". . . . . . . A . . . . . . . . . . . . . . . . .",
    '{AMENDMENT: @jobs "RESOLVED, That we stay."}':    ". . . . . . . . . . = . . . . . . . . . . . . . .",
    '{AMENDMENT: @aurelius "RESOLVED, That we stay."}': ". . . . . . . . A A A . A A . . . . . . . . . . .",
    '{TABLE}':                                         ". . . . . . . . A A A A . . A . . . . . . . . . .",
    '{WITHDRAW}':                                      ". . . . . . A . A . A A A . A . . . . . . . . . .",
    '{VOTE: @rogers=AGAINST}':                         ". . . . . . . . . . . = . . . . = = = = . . . . .",
    '{VOTE: @rogers=FOR}':                             ". . . . . . . . . . . . . . . . . . . . . . . . .",
    '{VOTE: @rogers=AGAINST, @dalio=AGAINST}':         ". . . . . . . . . . . . . . . . . . . . . . . . .",
    '{DISSENT: @rogers "It is wrong."}':               ". . . . . . . . . . . . . . . . = = = = . . . . .",
    '{DISSENT: @dalio "It is wrong."}':                ". . . . . . . . . . . . . . . . . . . . . . . . .",
    '{DISSENT: @aurelius "It is wrong."}':             ". . . . . . . . . . . . . . . . . . A . . . . . .",
    '{PHASE: quorum}':                                 "= = = . . . . . . . . . . . . . . . . . . . . . .",
    '{PHASE: intro}':                                  ". . = = = = . . . . . . . . . . = = = = = = . . .",
    '{PHASE: motion}':                                 ". . . . = = = = = = = = = = = = = = = = = . . . .",
    '{PHASE: voting}':                                 ". . . . . . . . = = = = = = = = = . = = . . . . .",
    '{PHASE: closing}':                                ". . = = = = . . . . . . . . . . = = = = = = = . =",
    '{PHASE: adjournment}':                            ". . . . . . . . . . . . . . . . . . . . . . = = .",
    '{RULING: "The point is well taken."}':            ". . A A A A A A A A A A A A A . A A A A A A A A .",
    '{NEXT}':                                          ". . . A A A . . . . . . . . . . A A A A A A . . .",
    '{OPEN}':                                          "= = = = = = = = = = = = = = = = = = = = = = = = =",
    '{ADJOURN}':                                       ". . A A A A . . . . . . . . . . A A A A A A = = =",
    '{ACTION: "Write" @shareholder "Friday"}':         ". . . . . . . . . . . . . . . . . A . . . A A . .",
}
# fmt: on

EFFECTS: dict[str, tuple[type, ...]] = {
    "DISCUSS": (Discuss,),
    "CALL": (CallOn,),
    "MOTION": (MoveMain,),
    "NEXT": (Next,),
    "RULING": (RecordRuling,),
    "ACTION": (RecordAction,),
    "SECOND": (OwnWords,),
    "AMENDMENT": (OwnWords,),
    "DISSENT": (OwnWords,),
    "TABLE": (RequestConsent,),
    "WITHDRAW": (RequestConsent, WithdrawNow),
    "ADJOURN": (RequestConsent,),
}
"""What a command can do when it acts; the others never do anything."""

CELLS = [
    pytest.param(text, state, sign, id=f"{text} {state}")
    for text, row in TABLE.items()
    for state, sign in zip(STATES, row.split(), strict=True)
]


def sign_of(verdict: object) -> str:
    return "." if isinstance(verdict, Refused) else "=" if isinstance(verdict, Announced) else "A"


def test_every_command_is_in_the_table() -> None:
    assert {read(text).op for text in TABLE} == set(OPS)


@pytest.mark.parametrize(("text", "state", "sign"), CELLS)
def test_law_02_what_the_chairman_says_acts_only_where_it_is_in_order(text: str, state: str, sign: str) -> None:
    floor = STATES[state]().floor
    before = floor.model_dump_json()
    command = read(text)
    verdict = interpret(command, floor, CHAIR)
    assert floor.model_dump_json() == before  # reading a command changes nothing, whatever comes of it
    assert sign_of(verdict) == sign, verdict
    if isinstance(verdict, Refused):
        assert verdict.reason.endswith(".") and verdict.rule
    elif sign == "A":
        assert isinstance(verdict, EFFECTS[command.op])


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("speaker", ["dalio", "rogers", SHAREHOLDER, CLERK, "nobody", ""])
def test_law_03_commands_are_the_chairmans_alone(state: str, speaker: str) -> None:
    floor = STATES[state]().floor
    before = floor.model_dump_json()
    for text in TABLE:
        verdict = interpret(read(text), floor, speaker)
        assert isinstance(verdict, Refused), (text, speaker)
        assert verdict.rule == "law 3"
    assert floor.model_dump_json() == before


@pytest.mark.parametrize("state", STATES)
def test_law_03_who_presides_now_commands_and_who_did_before_no_longer(state: str) -> None:
    floor = STATES[state]().floor
    other = apply(floor, acts.Preside(member="dalio"), CLERK)
    if not isinstance(other, Floor):
        return  # before the roll is complete nobody else is known to be present
    for text in TABLE:
        assert isinstance(interpret(read(text), other, CHAIR), Refused)
    assert isinstance(interpret(read("{OPEN}"), other, "dalio"), Announced)


@pytest.mark.parametrize("state", STATES)
def test_law_02_what_acts_is_in_order_on_the_floor_itself(state: str) -> None:
    """The chair's judgement and the floor agree: a motion the chair lets through is one that the floor takes."""
    floor = STATES[state]().floor
    for text in TABLE:
        verdict = interpret(read(text), floor, CHAIR)
        act: acts.Act | None = None
        if isinstance(verdict, MoveMain):
            act = acts.Move(id="new", kind=MotionKind.MAIN, wording="words")
        elif isinstance(verdict, RequestConsent):
            target = floor.main.id if verdict.kind is MotionKind.WITHDRAW and floor.main else None
            act = acts.Move(id="new", kind=verdict.kind, wording="words", target_id=target)
        elif isinstance(verdict, WithdrawNow):
            assert floor.main is not None
            act = acts.Withdraw(id=floor.main.id)
        elif isinstance(verdict, Next):
            act = acts.FinishItem()
        elif verdict == OwnWords("SECOND"):
            assert floor.question is not None
            act = acts.Second(id=floor.question.id)
        if act is not None:
            assert isinstance(apply(floor, act, CLERK if isinstance(act, acts.FinishItem) else CHAIR), Floor), (text, verdict)


@pytest.mark.parametrize(
    "text", ["{TABLE}", "{WITHDRAW}", '{MOTION: "RESOLVED, That we shall go home."}', "{ADJOURN}", "{NEXT}"]
)
def test_law_02_what_the_floor_would_take_is_not_refused_without_a_reason_of_the_house(text: str) -> None:
    """Only one rule of the house is stricter than the floor: the chairman's ADJOURN and NEXT wait for what is pending."""
    kinds = {"{TABLE}": MotionKind.LAY_ON_TABLE, "{WITHDRAW}": MotionKind.WITHDRAW, "{ADJOURN}": MotionKind.ADJOURN}
    for state, build in STATES.items():
        floor = build().floor
        if not isinstance(interpret(read(text), floor, CHAIR), Refused) or (floor.pending and text in ("{ADJOURN}", "{NEXT}")):
            continue
        kind = kinds.get(text, MotionKind.MAIN)
        target = floor.main.id if kind is MotionKind.WITHDRAW and floor.main else None
        act = acts.FinishItem() if text == "{NEXT}" else acts.Move(id="new", kind=kind, wording="words", target_id=target)
        speaker = CLERK if text == "{NEXT}" else CHAIR
        assert not isinstance(apply(floor, act, speaker), Floor), state


# -- what the chairman says of others is compared with the record ------------------------------------------------------


def test_law_02_a_vote_that_the_chairman_says_for_another_counts_for_nothing() -> None:
    board = _balloting()
    before = board.floor
    verdict = interpret(read("{VOTE: @jobs=FOR, @roosevelt=FOR}"), board.floor, CHAIR)
    assert isinstance(verdict, Refused) and verdict.rule == "law 2"
    assert board.floor == before
    assert board.floor.ballot is not None
    assert set(board.floor.ballot.votes) == {"dalio", "rogers"}


def test_law_02_a_second_and_an_amendment_are_each_members_own() -> None:
    board = _moved()
    for text in ("{SECOND: @rogers}", '{AMENDMENT: @rogers "RESOLVED, That we stay."}'):
        assert isinstance(interpret(read(text), board.floor, CHAIR), Refused)
    assert board.floor.question is not None and not board.floor.question.stated


def test_law_02_a_dissent_belongs_to_the_motion_and_not_to_a_vote_on_the_way() -> None:
    """The chairman voted against closing the debate: that is no dissent from a motion not voted on yet."""
    board = at_debate()
    board.stated(MotionKind.PREVIOUS_QUESTION, "dalio", "previous")
    board.vote("previous", "AFFFF")
    assert isinstance(interpret(read('{DISSENT: @aurelius "No."}'), board.floor, CHAIR), Refused)


def test_law_02_the_roll_is_what_the_members_answered() -> None:
    board = Board().roll(present=("aurelius", "dalio", "jobs"))
    told = "{ROLL: @aurelius=present, @dalio=present, @jobs=present, @roosevelt=absent, @rogers=absent}"
    assert interpret(read(told), board.floor, CHAIR) == Announced()
    assert isinstance(interpret(read("{ROLL: @rogers=present}"), board.floor, CHAIR), Refused)
    assert isinstance(interpret(read("{ROLL: @shareholder=present}"), board.floor, CHAIR), Refused)


def test_a_quorum_that_is_not_there_cannot_be_announced() -> None:
    board = Board().roll(present=("aurelius", "dalio"))
    assert interpret(read("{QUORUM}"), board.floor, CHAIR) == Refused("There is no quorum present.", "RONR 40")


def test_an_absent_member_is_not_given_the_word() -> None:
    board = Board().roll(present=("aurelius", "dalio", "jobs")).item()
    assert isinstance(interpret(read("{CALL: @dalio @rogers}"), board.floor, CHAIR), Refused)
    assert interpret(read("{CALL: @jobs @dalio}"), board.floor, CHAIR) == CallOn(("jobs", "dalio"))


def test_a_motion_once_voted_on_is_not_withdrawn() -> None:
    """After a vote was void for want of a quorum the motion is pending again, but voting on it has begun (RONR 33:11)."""
    board = Board().roll().item().voting()
    board.open("main")
    for member in ("dalio", "jobs", "rogers"):
        board.do(acts.MarkAbsent(member=member))
    board.do(acts.VoidBallot())
    for member in ("dalio", "jobs", "rogers"):
        board.do(acts.Answer(present=True), member)
    assert isinstance(interpret(read("{WITHDRAW}"), board.floor, CHAIR), Refused)


@pytest.mark.parametrize("item_type", [t for t in ItemType if t is not ItemType.DECISION])
def test_a_main_motion_needs_an_item_for_decision(item_type: ItemType) -> None:
    board = Board().roll().item(item_type)
    verdict = interpret(read('{MOTION: "RESOLVED, That we shall go home."}'), board.floor, CHAIR)
    assert isinstance(verdict, Refused) and "item for decision" in verdict.reason


def test_an_action_item_goes_to_somebody_who_is_there_to_do_it() -> None:
    board = _voted("FFFFA").enter(Phase.ACTION_ITEMS)
    assert interpret(read('{ACTION: "Write" @jobs}'), board.floor, CHAIR) == RecordAction()
    stranger = read('{ACTION: "Write" @jobs}').model_copy(update={"owner": "stranger"})
    assert isinstance(interpret(stranger, board.floor, CHAIR), Refused)
