"""A state machine: random acts, legal and not, from members, the chair, the clerk and strangers.

The machine keeps its own account of what was done, from the acts that were let through alone, and recounts every decision
by hand. It never asks the code under test whether a thing was allowed or how a vote went.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from parliament import acts
from parliament.floor import Floor, OutOfOrder, apply
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote

MEMBERS = ("a", "b", "c", "d", "e")
SPEAKERS = (*MEMBERS, *MEMBERS, CLERK, CLERK, "stranger", "shareholder", "")
IDS = ("m1", "m2", "m3", "s1", "s2", "s3", "s4", "s5", "p")
TWO_THIRDS = {"previous_question", "limit_debate", "suspend_rules"}
WITHOUT_QUORUM = {"adjourn", "recess", "fix_time"}

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


@dataclass
class Account:
    """What the machine itself saw of one motion."""

    kind: str
    mover: str
    seconder: str | None = None
    wordings: list[str] = field(default_factory=list)  # as moved, then as amended
    target: str | None = None


@dataclass
class Count:
    """What the machine itself saw of one ballot: who was there when it opened, and what each said first."""

    question: str
    round: int
    there: set[str]
    said: dict[str, str] = field(default_factory=dict)


class FloorMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.floor = Floor(members=MEMBERS, chair="a", quorum=3)
        self.present: set[str] = set()
        self.motions: dict[str, Account] = {}
        self.count: Count | None = None
        self.counted: dict[str, Count] = {}
        self.rounds: set[tuple[str, int]] = set()
        self.ends: Counter[tuple[str, str]] = Counter()

    @initialize(
        second_required=st.sampled_from((True, True, False)),
        quorum=st.sampled_from((3, 3, 2, 1, 5)),
        begun=st.sampled_from((3, 2, 1, 0)),
        absent=st.sets(st.sampled_from(MEMBERS), max_size=2),
        mover=st.sampled_from(MEMBERS),
    )
    def convene(self, second_required: bool, quorum: int, begun: int, absent: set[str], mover: str) -> None:
        """Start at the opening (0), when motions are called for (1), in debate (2), or at the vote (3)."""
        self.floor = Floor(members=MEMBERS, chair="a", quorum=quorum, second_required=second_required)
        if begun == 0:
            return
        self.act(acts.EnterPhase(phase=Phase.QUORUM), CLERK)
        for member in MEMBERS:
            self.act(acts.Answer(present=member == mover or member not in absent or quorum == 5), member)
        self.act(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION), CLERK)
        self.go_on(3)
        if begun > 1:
            self.act(acts.Move(id="m1", kind=MotionKind.MAIN, wording="words of m1"), mover)
            for member in MEMBERS:
                self.act(acts.Second(id="m1"), member)
            self.go_on(begun)

    # -- the one way to the floor ------------------------------------------------------------------------------------

    def act(self, act: acts.Act, speaker: str) -> bool:
        """Apply an act; an OutOfOrder must leave the floor as it was, to the last value."""
        before = self.floor
        picture = before.model_dump_json()
        result = apply(before, act, speaker)
        assert before.model_dump_json() == picture, "the floor that was given has changed"
        if isinstance(result, OutOfOrder):
            assert result.reason
            assert result.rule
            return False
        again = apply(before, act, speaker)
        assert again == result, "the same act gave two results"
        ended = result.closed[len(before.closed) :] if result.closed[: len(before.closed)] == before.closed else ()
        self.follow(before, act, speaker)
        self.floor = result
        for closed in ended:
            self.check_end(before, act, closed.question.id, closed.disposition, closed.by_consent)
        if isinstance(act, acts.TakeUp | acts.FinishItem) or not result.closed:
            self.motions = {m.id: self.motions[m.id] for m in result.pending}
            self.rounds = {(id_, n) for id_, n in self.rounds if id_ in self.motions}
        return True

    def follow(self, before: Floor, act: acts.Act, speaker: str) -> None:
        """Keep the account of an act that was let through."""
        match act:
            case acts.Answer(present=present):
                assert speaker in MEMBERS
                self.present = self.present | {speaker} if present else self.present - {speaker}
                if self.count and not present:
                    self.count.said.setdefault(speaker, "ABSENT")
            case acts.MarkAbsent(member=member):
                assert speaker == CLERK
                self.present.discard(member)
                if self.count:
                    self.count.said.setdefault(member, "NO_REPLY")
            case acts.Move(id=id_, kind=kind, wording=wording, target_id=target):
                assert speaker in self.present, "a motion by somebody who is not there"
                assert self.count is None, "a motion while a vote was taken"
                assert id_ not in self.motions, "a motion twice"
                self.motions[id_] = Account(kind.value, speaker, wordings=[wording], target=target)
            case acts.Second(id=id_):
                account = self.motions[id_]
                assert speaker in self.present
                assert speaker != account.mover, "the mover seconded"
                assert account.seconder is None, "seconded twice"
                account.seconder = speaker
            case acts.OpenBallot(question_id=question, round=round_):
                assert speaker == CLERK
                assert self.count is None, "two votes at once"
                assert (question, round_) not in self.rounds, "a round twice"
                self.rounds.add((question, round_))
                self.count = Count(question, round_, set(self.present))
            case acts.Cast(question_id=question, round=round_, vote=vote):
                count = self.count
                assert count is not None, "a vote outside voting"
                assert (count.question, count.round) == (question, round_)
                assert speaker in count.there, "a vote from outside the frozen roll"
                assert speaker in self.present
                assert speaker not in count.said, "a vote twice"
                assert vote.value in ("FOR", "AGAINST", "ABSTAIN")
                count.said[speaker] = vote.value
            case acts.NoVote(member=member, vote=vote):
                assert speaker == CLERK
                assert self.count is not None
                assert member in self.count.there
                assert member not in self.count.said
                assert vote.value in ("NO_REPLY", "INVALID")
                self.count.said[member] = vote.value
            case acts.CloseBallot():
                assert speaker == CLERK
                assert self.count is not None
                assert set(self.count.said) >= self.count.there, "closed before everybody answered"
                self.counted[self.count.question] = self.count
                self.count = None
            case acts.VoidBallot():
                assert len(self.present) < before.quorum, "a vote with a quorum was thrown away"
                self.count = None
            case acts.FallToGround():
                self.count = None
            case acts.AdoptByConsent(id=id_, objectors=objectors):
                assert speaker == CLERK
                assert objectors == ()
                assert self.motions[id_].kind not in ("main", "appeal", "reconsider")
            case acts.WithdrawByConsent(objectors=objectors):
                assert speaker == CLERK
                assert objectors == ()
                assert len(self.present) >= before.quorum
            case acts.Withdraw(id=id_):
                assert speaker == self.motions[id_].mover
                assert self.motions[id_].seconder is None
            case acts.Rule():
                assert speaker == before.chair
                assert speaker in self.present

    # -- recounting what ended ---------------------------------------------------------------------------------------

    def check_end(self, before: Floor, act: acts.Act, id_: str, end: Disposition, by_consent: bool) -> None:
        account = self.motions[id_]
        self.ends[account.kind, end.value] += 1
        if account.kind == "amend" and end is Disposition.ADOPTED and account.target is not None:
            self.motions[account.target].wordings.append(account.wordings[-1])
        if isinstance(act, acts.CloseBallot) and id_ == before.pending[-1].id:
            self.recount(before, account, self.counted[id_], end)
            return
        if end is Disposition.ADOPTED:
            assert by_consent, "adopted without a vote and without consent"
            assert isinstance(act, acts.AdoptByConsent)
            assert act.id == id_
            assert account.kind not in ("main", "appeal", "reconsider"), "a main motion adopted without a vote"
            assert len(self.present) >= before.quorum or account.kind in WITHOUT_QUORUM
        if end is Disposition.UNSECONDED:
            assert account.seconder is None

    def recount(self, before: Floor, account: Account, count: Count, end: Disposition) -> None:
        """Count by hand, in fractions: mover, second, quorum, open and closed vote, threshold."""
        assert account.mover in MEMBERS
        if before.second_required or account.kind != "main":
            assert account.seconder in MEMBERS, "decided without a second"
        if account.kind not in WITHOUT_QUORUM:
            assert len(count.there) >= before.quorum, "opened without a quorum"
            assert len(self.present) >= before.quorum, "closed without a quorum"
        if account.kind == "main":
            assert before.phase.value == "voting"
        yes = [m for m in count.there if count.said[m] == "FOR"]
        no = [m for m in count.there if count.said[m] == "AGAINST"]
        if account.kind == "appeal":
            assert (end is Disposition.LOST) == (len(no) > len(yes)), "the chair reversed without a majority"
            return
        adopted = False
        if yes or no:
            share = Fraction(len(yes), len(yes) + len(no))
            adopted = share >= Fraction(2, 3) if account.kind in TWO_THIRDS else share > Fraction(1, 2)
        assert (end is Disposition.ADOPTED) == adopted, f"{len(yes)} to {len(no)} on {account.kind} was {end}"

    # -- any act from anybody ----------------------------------------------------------------------------------------

    @rule(act=ANY_ACT, speaker=st.sampled_from(SPEAKERS))
    def anything(self, act: acts.Act, speaker: str) -> None:
        self.act(act, speaker)

    @rule(act=ANY_ACT)
    def anything_by_its_own(self, act: acts.Act) -> None:
        """By whom it could come from: what is refused to the clerk is tried by each member in turn."""
        for speaker in (CLERK, *MEMBERS):
            if self.act(act, speaker):
                return

    # -- acts that lead somewhere, so that deep states are reached ---------------------------------------------------

    @rule(steps=st.lists(STEPS, min_size=1, max_size=8))
    def course(self, steps: list[tuple[str, dict[str, Any]]]) -> None:
        """Some steps of a meeting: one rule, so that no run of the machine goes without them."""
        for step, choices in steps:
            getattr(self, step)(**choices)

    def come_back(self, members: set[str]) -> None:
        for member in sorted(members):
            self.act(acts.Answer(present=True), member)

    def go_on(self, steps: int) -> None:
        course = (Phase.INTRO, Phase.DISCUSSION, Phase.MOTION, Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
        for _ in range(steps):
            at = course.index(self.floor.phase) if self.floor.phase in course else -1
            self.act(acts.EnterPhase(phase=course[(at + 1) % len(course)]), CLERK)

    def next_question(self, kind: ItemType, finish: bool) -> None:
        """Another motion on the item, or the next item."""
        if self.floor.pending:
            return
        if finish or not self.act(acts.EnterPhase(phase=Phase.MOTION), CLERK):
            self.act(acts.FinishItem(), CLERK)
            self.act(acts.TakeUp(item_id="agenda-2", item_type=kind), CLERK)
            self.go_on(3)

    def move_upon(self, speaker: str, id_: str, kind: MotionKind) -> None:
        pending = self.floor.pending
        to = pending[-1].id if pending else None
        if kind is MotionKind.WITHDRAW and pending:
            to, speaker = pending[0].id, pending[0].mover
        elif kind is MotionKind.RECONSIDER and self.floor.closed:
            to = self.floor.closed[-1].question.id
        elif kind is MotionKind.APPEAL:
            to = "p"
        self.act(acts.Move(id=id_, kind=kind, wording=f"words of {id_}", target_id=to), speaker)

    def second_it(self, speaker: str, fate: str) -> None:
        question = self.floor.question
        if question is None or question.stated:
            return
        if fate == "second":
            self.act(acts.Second(id=question.id), speaker)
        elif fate == "die":
            self.act(acts.DieUnseconded(id=question.id), CLERK)
        else:
            self.act(acts.Withdraw(id=question.id), question.mover)

    def without_objection(self, adopt: bool, lowest: bool) -> None:
        if not self.floor.pending:
            return
        question = self.floor.pending[0 if lowest else -1]
        act: acts.Act = acts.WithdrawByConsent(id=question.id, objectors=())
        self.act(acts.AdoptByConsent(id=question.id, objectors=()) if adopt else act, CLERK)

    def vote_it(self, votes: list[Vote], lost: set[str], leave: bool, close: bool) -> None:
        """Put the question that is immediately pending; some seats may be lost while the vote is taken."""
        question = self.floor.question
        if question is None:
            return
        self.act(acts.OpenBallot(question_id=question.id, round=question.round + 1), CLERK)
        if self.floor.ballot is None:
            return
        now = self.floor.ballot.round
        for member, vote in zip(MEMBERS, votes, strict=True):
            if leave and member in lost:
                self.act(acts.MarkAbsent(member=member), CLERK)
            elif vote in (Vote.NO_REPLY, Vote.INVALID):
                self.act(acts.NoVote(member=member, vote=vote), CLERK)
            else:
                self.act(acts.Cast(question_id=question.id, round=now, vote=vote), member)
        if close and not self.act(acts.CloseBallot(), CLERK):
            self.act(acts.VoidBallot(), CLERK)

    def point_of_order(self, speaker: str, well_taken: bool, fatal: bool, then: str, seconder: str) -> None:
        self.act(acts.RaisePoint(ref="p"), speaker)
        if then == "drop":
            self.act(acts.DropPoint(), CLERK)
        self.act(acts.Rule(well_taken=well_taken, remedy="out_of_order" if fatal else "none"), self.floor.chair)
        if then == "appeal":
            self.act(acts.Move(id="p", kind=MotionKind.APPEAL, wording="words of p", target_id="p"), speaker)
            self.act(acts.Second(id="p"), seconder)
        elif then == "accept":
            self.act(acts.AcceptRuling(), CLERK)

    # -- what holds at every moment ----------------------------------------------------------------------------------

    @invariant()
    def json_round_trip_is_stable(self) -> None:
        text = self.floor.model_dump_json()
        back = Floor.model_validate_json(text)
        assert back == self.floor
        assert back.model_dump_json() == text

    @invariant()
    def the_account_agrees(self) -> None:
        floor = self.floor
        assert set(floor.present) == self.present
        assert list(floor.present) == [m for m in MEMBERS if m in self.present]
        assert (floor.ballot is None) == (self.count is None)
        if floor.ballot is not None and self.count is not None:
            assert floor.ballot.roll == MEMBERS
            said = {m: "ABSENT" for m in MEMBERS if m not in self.count.there} | {
                m: vote for m, vote in self.count.said.items() if m in self.count.there
            }
            assert {m: v.value for m, v in floor.ballot.votes.items()} == said
        for motion in floor.pending:
            account = self.motions[motion.id]
            assert (motion.mover, motion.seconder, motion.kind.value) == (account.mover, account.seconder, account.kind)

    @invariant()
    def the_stack_is_in_order(self) -> None:
        pending = self.floor.pending
        assert len({m.id for m in pending}) == len(pending)
        assert all(m.kind is not MotionKind.MAIN for m in pending[1:]), "two main motions"
        assert all(0 <= m.degree <= 2 for m in pending), "an amendment of the third degree"
        for lower, upper in pairwise(pending):
            if upper.kind is MotionKind.AMEND:
                assert upper.target_id == lower.id
                assert upper.degree == lower.degree + 1
        for motion in pending:
            assert motion.wording == self.motions[motion.id].wordings[-1], "words that nobody agreed to"
            assert motion.original_wording in (None, self.motions[motion.id].wordings[0])
        assert self.floor.phase not in (Phase.CLOSING, Phase.ADJOURNMENT) or not pending


FloorMachine.TestCase.settings = settings(max_examples=200, stateful_step_count=20, deadline=None)
TestFloorMachine = FloorMachine.TestCase


# -- the same machine on long walks, which get deeper than hypothesis' short ones -------------------------------------


def _step_by(rng: random.Random, machine: FloorMachine) -> None:
    member = rng.choice(MEMBERS)
    pending = machine.floor.pending
    match rng.choice(WEIGHTS):
        case "anything":
            machine.act(_any_act(rng), rng.choice(SPEAKERS))
        case "come_back":
            machine.come_back(set(rng.sample(MEMBERS, rng.randint(2, 5))))
        case "go_on":
            machine.go_on(1)
        case "next_question":
            machine.next_question(rng.choice((ItemType.DECISION, ItemType.DECISION, ItemType.REVIEW)), rng.random() < 0.5)
        case "move":
            kind = rng.choice((MotionKind.AMEND, MotionKind.AMEND, *MotionKind)) if pending else MotionKind.MAIN
            machine.move_upon(member, rng.choice(IDS), kind)
        case "second":
            machine.second_it(member, rng.choice(("second",) * 8 + ("die", "withdraw")))
        case "consent":
            machine.without_objection(rng.random() < 0.7, rng.random() < 0.3)
        case "vote":
            votes = [rng.choice((Vote.FOR, Vote.FOR, Vote.AGAINST, *Vote)) for _ in MEMBERS]
            lost = set(rng.sample(MEMBERS, rng.randint(0, 3)))
            machine.vote_it(votes, lost, leave=rng.random() < 0.2, close=rng.random() < 0.9)
        case "point":
            then = rng.choice(("appeal", "appeal", "accept", "drop", "nothing"))
            machine.point_of_order(member, rng.random() < 0.5, rng.random() < 0.5, then, rng.choice(MEMBERS))


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
        machine = FloorMachine()
        machine.convene(
            second_required=rng.random() < 0.7,
            quorum=rng.choice((3, 3, 2, 1, 5)),
            begun=rng.choice((3, 2, 1, 0)),
            absent=set(rng.sample(MEMBERS, rng.randint(0, 2))),
            mover=rng.choice(MEMBERS),
        )
        for _ in range(STEPS_OF_A_WALK):
            _step_by(rng, machine)
            machine.json_round_trip_is_stable()
            machine.the_account_agrees()
            machine.the_stack_is_in_order()
        ends += machine.ends
    reached = {end for _, end in ends}
    assert reached == {d.value for d in Disposition} - {"proposed", "pending"}
    voted = {kind for kind, end in ends if end == "adopted"} & {kind for kind, end in ends if end == "lost"}
    assert {"main", "amend", "previous_question", "lay_on_table", "adjourn", "appeal", "withdraw"} <= voted


WALKS, STEPS_OF_A_WALK = 500, 100
