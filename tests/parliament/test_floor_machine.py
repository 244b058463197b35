"""A state machine: random acts, legal and not, from members, the chair, the clerk and strangers.

Every act goes through `FloorAccount`, which follows by hand what was let through and recounts each decision. No sequence
adopts without mover, second, quorum, open and closed vote and threshold, and no refused act changes anything.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from parliament import acts
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote
from tests.support.floor_account import IDS, MEMBERS, SPEAKERS, FloorAccount

_IDS, _ROUNDS, _SEATS = st.sampled_from(IDS), st.integers(0, 3), st.sampled_from((*MEMBERS, "stranger"))
_OBJECTORS = st.sampled_from(((), ("b",)))
ANY_ACT: st.SearchStrategy[acts.Act] = st.one_of(
    st.builds(acts.Answer, present=st.booleans()),
    st.builds(acts.MarkAbsent, member=_SEATS),
    st.builds(acts.Preside, member=_SEATS),
    st.builds(acts.EnterPhase, phase=st.sampled_from(Phase)),
    st.builds(acts.TakeUp, item_id=st.sampled_from(("agenda-1", "agenda-2")), item_type=st.sampled_from(ItemType)),
    st.builds(
        acts.Move,
        id=_IDS,
        kind=st.sampled_from(MotionKind),
        wording=_IDS.map("words of {}".format),
        target_id=st.one_of(st.none(), _IDS),
    ),
    st.builds(acts.Second, id=_IDS),
    st.builds(acts.DieUnseconded, id=_IDS),
    st.builds(acts.Withdraw, id=_IDS),
    st.builds(acts.WithdrawByConsent, id=_IDS, objectors=_OBJECTORS),
    st.builds(acts.AdoptByConsent, id=_IDS, objectors=_OBJECTORS),
    st.builds(acts.OpenBallot, question_id=_IDS, round=_ROUNDS),
    st.builds(acts.Cast, question_id=_IDS, round=_ROUNDS, vote=st.sampled_from(Vote)),
    st.builds(acts.NoVote, member=_SEATS, vote=st.sampled_from(Vote)),
    st.builds(acts.Rule, well_taken=st.booleans(), remedy=st.sampled_from(("none", "out_of_order"))),
    st.builds(acts.RaisePoint, ref=st.just("p")),
    st.sampled_from(
        (
            acts.FinishItem(),
            acts.Adjourn(),
            acts.FallToGround(),
            acts.CloseBallot(),
            acts.VoidBallot(),
            acts.AcceptRuling(),
            acts.DropPoint(),
        )
    ),
)


def _step(name: str, **choices: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(name), st.fixed_dictionaries(choices))


_MEMBER = st.sampled_from(MEMBERS)
STEPS = st.one_of(
    _step("come_back", members=st.sets(st.sampled_from(MEMBERS), min_size=2)),
    _step("go_on", steps=st.integers(1, 3)),
    _step("next_question", kind=st.sampled_from((ItemType.DECISION, ItemType.DECISION, ItemType.REVIEW)), finish=st.booleans()),
    _step(
        "move_upon",
        speaker=st.sampled_from(MEMBERS),
        id_=st.sampled_from(IDS),
        kind=st.sampled_from((MotionKind.AMEND, *MotionKind)),
    ),
    _step(
        "second_it", speaker=st.sampled_from(MEMBERS), fate=st.sampled_from(("second", "second", "second", "die", "withdraw"))
    ),
    _step("without_objection", adopt=st.booleans(), lowest=st.booleans()),
    _step(
        "vote_it",
        votes=st.lists(st.sampled_from((Vote.FOR, Vote.FOR, Vote.AGAINST, *Vote)), min_size=5, max_size=5),
        lost=st.sets(st.sampled_from(MEMBERS), max_size=3),
        leave=st.sampled_from((False, False, True)),
        close=st.sampled_from((True, True, True, False)),
    ),
    _step(
        "point_of_order",
        speaker=st.sampled_from(MEMBERS),
        well_taken=st.booleans(),
        fatal=st.booleans(),
        then=st.sampled_from(("appeal", "accept", "drop", "nothing")),
        seconder=st.sampled_from(MEMBERS),
    ),
)


class FloorMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.account = FloorAccount()

    @initialize(
        second_required=st.sampled_from((True, True, False)),
        quorum=st.sampled_from((3, 3, 2, 1, 5)),
        begun=st.sampled_from((3, 2, 1, 0)),
        absent=st.sets(st.sampled_from(MEMBERS), max_size=2),
        mover=st.sampled_from(MEMBERS),
    )
    def convene(self, second_required: bool, quorum: int, begun: int, absent: set[str], mover: str) -> None:
        self.account.convene(second_required, quorum, begun, absent, mover)

    @rule(act=ANY_ACT, speaker=st.sampled_from(SPEAKERS))
    def anything(self, act: acts.Act, speaker: str) -> None:
        self.account.act(act, speaker)

    @rule(act=ANY_ACT)
    def anything_by_its_own(self, act: acts.Act) -> None:
        """By whom it could come from: what is refused to the clerk is tried by each member in turn."""
        for speaker in (CLERK, *MEMBERS):
            if self.account.act(act, speaker):
                return

    @rule(steps=st.lists(STEPS, min_size=1, max_size=8))
    def course(self, steps: list[tuple[str, dict[str, Any]]]) -> None:
        """Some steps of a meeting: one rule, so that no run of the machine goes without them."""
        for step, choices in steps:
            getattr(self.account, step)(**choices)

    @invariant()
    def the_account_holds(self) -> None:
        self.account.holds()


FloorMachine.TestCase.settings = settings(max_examples=200, stateful_step_count=20, deadline=None)
TestFloorMachine = FloorMachine.TestCase


# -- the same account on long walks, which get deeper than hypothesis' short ones -------------------------------------


def _step_by(rng: random.Random, account: FloorAccount) -> None:
    member = rng.choice(MEMBERS)
    pending = account.floor.pending
    match rng.choice(WEIGHTS):
        case "anything":
            account.act(_any_act(rng), rng.choice(SPEAKERS))
        case "come_back":
            account.come_back(set(rng.sample(MEMBERS, rng.randint(2, 5))))
        case "go_on":
            account.go_on(1)
        case "next_question":
            account.next_question(rng.choice((ItemType.DECISION, ItemType.DECISION, ItemType.REVIEW)), rng.random() < 0.5)
        case "move":
            kind = rng.choice((MotionKind.AMEND, MotionKind.AMEND, *MotionKind)) if pending else MotionKind.MAIN
            account.move_upon(member, rng.choice(IDS), kind)
        case "second":
            account.second_it(member, rng.choice(("second",) * 8 + ("die", "withdraw")))
        case "consent":
            account.without_objection(rng.random() < 0.7, rng.random() < 0.3)
        case "vote":
            votes = [rng.choice((Vote.FOR, Vote.FOR, Vote.AGAINST, *Vote)) for _ in MEMBERS]
            lost = set(rng.sample(MEMBERS, rng.randint(0, 3)))
            account.vote_it(votes, lost, leave=rng.random() < 0.2, close=rng.random() < 0.9)
        case "point":
            then = rng.choice(("appeal", "appeal", "accept", "drop", "nothing"))
            account.point_of_order(member, rng.random() < 0.5, rng.random() < 0.5, then, rng.choice(MEMBERS))


WEIGHTS = (
    *("anything",) * 6,
    *("move",) * 4,
    *("second",) * 5,
    *("vote",) * 4,
    *("go_on",) * 3,
    *("come_back", "consent", "point", "next_question"),
)


def _any_act(rng: random.Random) -> acts.Act:
    id_, round_, seat, objectors = (
        rng.choice(IDS),
        rng.randint(0, 3),
        rng.choice((*MEMBERS, "stranger")),
        rng.choice(((), ("b",))),
    )
    made: tuple[acts.Act, ...] = (
        acts.Answer(present=rng.random() < 0.5),
        acts.MarkAbsent(member=seat),
        acts.Preside(member=seat),
        acts.EnterPhase(phase=rng.choice(tuple(Phase))),
        acts.TakeUp(item_id="agenda-3", item_type=rng.choice(tuple(ItemType))),
        acts.Move(id=id_, kind=rng.choice(tuple(MotionKind)), wording=f"words of {id_}", target_id=rng.choice((None, *IDS))),
        acts.Second(id=id_),
        acts.DieUnseconded(id=id_),
        acts.Withdraw(id=id_),
        acts.WithdrawByConsent(id=id_, objectors=objectors),
        acts.AdoptByConsent(id=id_, objectors=objectors),
        acts.OpenBallot(question_id=id_, round=round_),
        acts.Cast(question_id=id_, round=round_, vote=rng.choice(tuple(Vote))),
        acts.NoVote(member=seat, vote=rng.choice(tuple(Vote))),
        acts.RaisePoint(ref="p"),
        acts.Rule(well_taken=rng.random() < 0.5, remedy=rng.choice(("none", "out_of_order"))),
        *(acts.FinishItem(), acts.CloseBallot(), acts.VoidBallot(), acts.AcceptRuling(), acts.DropPoint()),
    )
    if rng.random() < 0.01:
        return rng.choice((acts.Adjourn(), acts.FallToGround()))
    return rng.choice(made)


def test_law_01_no_walk_adopts_without_mover_second_quorum_vote_and_threshold() -> None:
    """Law 1. The walks are worth something only if they get far: every end is reached, many kinds are voted on both ways."""
    ends: Counter[tuple[str, str]] = Counter()
    for seed in range(WALKS):
        rng = random.Random(seed)
        account = FloorAccount()
        account.convene(
            second_required=rng.random() < 0.7,
            quorum=rng.choice((3, 3, 2, 1, 5)),
            begun=rng.choice((3, 2, 1, 0)),
            absent=set(rng.sample(MEMBERS, rng.randint(0, 2))),
            mover=rng.choice(MEMBERS),
        )
        for _ in range(STEPS_OF_A_WALK):
            _step_by(rng, account)
            account.holds()
        ends += account.ends
    reached = {end for _, end in ends}
    assert reached == {d.value for d in Disposition} - {"proposed", "pending"}
    voted = {kind for kind, end in ends if end == "adopted"} & {kind for kind, end in ends if end == "lost"}
    assert {"main", "amend", "previous_question", "lay_on_table", "adjourn", "appeal", "withdraw"} <= voted


WALKS, STEPS_OF_A_WALK = 500, 100
