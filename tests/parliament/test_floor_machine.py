"""A state machine: random acts, legal and not, from members, the chair, the clerk and strangers.

The machine keeps its own account of what was done, from the acts that were let through alone, and recounts every decision
by hand. It never asks the code under test whether a thing was allowed or how a vote went.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from parliament import acts
from parliament.floor import Floor, OutOfOrder, apply
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote

MEMBERS = ("a", "b", "c", "d", "e")
SPEAKERS = (*MEMBERS, *MEMBERS, CLERK, CLERK, "stranger", "shareholder", "")
IDS = ("m1", "m2", "m3", "s1", "s2", "s3", "s4", "s5", "p")
TWO_THIRDS = {"previous_question", "limit_debate", "suspend_rules"}
WITHOUT_QUORUM = {"adjourn", "recess", "fix_time"}


@dataclass
class Account:
    """What the machine itself saw of one motion."""

    kind: str
    mover: str
    seconder: str | None = None
    wordings: list[str] = field(default_factory=list)


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
        self.consented: set[str] = set()
        self.rounds: set[tuple[str, int]] = set()

    @initialize(
        second_required=st.booleans(), quorum=st.integers(1, 5), begun=st.booleans(), absent=st.sets(st.sampled_from(MEMBERS))
    )
    def convene(self, second_required: bool, quorum: int, begun: bool, absent: set[str]) -> None:
        self.floor = Floor(members=MEMBERS, chair="a", quorum=quorum, second_required=second_required)
        if begun:
            self.act(acts.EnterPhase(phase=Phase.QUORUM), CLERK)
            for member in MEMBERS:
                self.act(acts.Answer(present=member not in absent or quorum == 5), member)
            self.act(acts.TakeUp(item_id="agenda-1", item_type=ItemType.DECISION), CLERK)
            for phase in (Phase.INTRO, Phase.DISCUSSION, Phase.MOTION):
                self.act(acts.EnterPhase(phase=phase), CLERK)

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
            case acts.Move(id=id_, kind=kind, wording=wording):
                assert speaker in self.present, "a motion by somebody who is not there"
                assert self.count is None, "a motion while a vote was taken"
                assert id_ not in self.motions, "a motion twice"
                self.motions[id_] = Account(kind.value, speaker, wordings=[wording])
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
                self.consented.add(id_)
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

    # -- acts from anybody -------------------------------------------------------------------------------------------

    @rule(speaker=st.sampled_from(SPEAKERS), present=st.booleans())
    def answer(self, speaker: str, present: bool) -> None:
        self.act(acts.Answer(present=present), speaker)

    @rule(speaker=st.sampled_from(MEMBERS))
    def answer_again(self, speaker: str) -> None:
        self.act(acts.Answer(present=True), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), member=st.sampled_from((*MEMBERS, "stranger")))
    def mark_absent(self, speaker: str, member: str) -> None:
        self.act(acts.MarkAbsent(member=member), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), member=st.sampled_from((*MEMBERS, "stranger")))
    def preside(self, speaker: str, member: str) -> None:
        self.act(acts.Preside(member=member), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), phase=st.sampled_from(Phase))
    def enter_phase(self, speaker: str, phase: Phase) -> None:
        self.act(acts.EnterPhase(phase=phase), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), kind=st.sampled_from(ItemType), item=st.sampled_from(("agenda-1", "agenda-2")))
    def take_up(self, speaker: str, kind: ItemType, item: str) -> None:
        self.act(acts.TakeUp(item_id=item, item_type=kind), speaker)

    @rule(
        speaker=st.sampled_from(SPEAKERS),
        act=st.sampled_from(
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
    def plain(self, speaker: str, act: acts.Act) -> None:
        self.act(act, speaker)

    @rule(
        speaker=st.sampled_from(SPEAKERS),
        id_=st.sampled_from(IDS),
        kind=st.sampled_from(MotionKind),
        to=st.one_of(st.none(), st.sampled_from(IDS)),
    )
    def move(self, speaker: str, id_: str, kind: MotionKind, to: str | None) -> None:
        self.act(acts.Move(id=id_, kind=kind, wording=f"words of {id_}", target_id=to), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), id_=st.sampled_from(IDS))
    def second(self, speaker: str, id_: str) -> None:
        self.act(acts.Second(id=id_), speaker)

    @rule(
        speaker=st.sampled_from(SPEAKERS),
        id_=st.sampled_from(IDS),
        objectors=st.sampled_from(((), ("b",))),
        adopt=st.booleans(),
    )
    def by_consent(self, speaker: str, id_: str, objectors: tuple[str, ...], adopt: bool) -> None:
        if adopt:
            self.act(acts.AdoptByConsent(id=id_, objectors=objectors), speaker)
        else:
            self.act(acts.WithdrawByConsent(id=id_, objectors=objectors), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), id_=st.sampled_from(IDS), withdraw=st.booleans())
    def drop(self, speaker: str, id_: str, withdraw: bool) -> None:
        self.act(acts.Withdraw(id=id_) if withdraw else acts.DieUnseconded(id=id_), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), id_=st.sampled_from(IDS), round_=st.integers(0, 3))
    def open_ballot(self, speaker: str, id_: str, round_: int) -> None:
        self.act(acts.OpenBallot(question_id=id_, round=round_), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), id_=st.sampled_from(IDS), round_=st.integers(0, 3), vote=st.sampled_from(Vote))
    def cast(self, speaker: str, id_: str, round_: int, vote: Vote) -> None:
        self.act(acts.Cast(question_id=id_, round=round_, vote=vote), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), member=st.sampled_from((*MEMBERS, "stranger")), vote=st.sampled_from(Vote))
    def no_vote(self, speaker: str, member: str, vote: Vote) -> None:
        self.act(acts.NoVote(member=member, vote=vote), speaker)

    @rule(speaker=st.sampled_from(SPEAKERS), well_taken=st.booleans(), fatal=st.booleans(), raising=st.booleans())
    def point(self, speaker: str, well_taken: bool, fatal: bool, raising: bool) -> None:
        if raising:
            self.act(acts.RaisePoint(ref="p"), speaker)
        else:
            self.act(acts.Rule(well_taken=well_taken, remedy="out_of_order" if fatal else "none"), speaker)

    # -- acts that lead somewhere, so that deep states are reached ---------------------------------------------------

    @precondition(lambda self: self.floor.phase is not Phase.OPENING and not self.floor.pending and not self.floor.closed)
    @rule(speaker=st.sampled_from(MEMBERS), id_=st.sampled_from(IDS[:3]))
    def move_main(self, speaker: str, id_: str) -> None:
        self.act(acts.Move(id=id_, kind=MotionKind.MAIN, wording=f"words of {id_}"), speaker)

    @precondition(lambda self: self.floor.pending)
    @rule(speaker=st.sampled_from(MEMBERS), id_=st.sampled_from(IDS), kind=st.sampled_from(MotionKind))
    def move_upon(self, speaker: str, id_: str, kind: MotionKind) -> None:
        target = self.floor.pending[0 if kind is MotionKind.WITHDRAW else -1].id
        if kind is MotionKind.APPEAL:
            target = "p"
        self.act(acts.Move(id=id_, kind=kind, wording=f"words of {id_}", target_id=target), speaker)

    @precondition(lambda self: self.floor.pending and not self.floor.pending[-1].stated)
    @rule(speaker=st.sampled_from(MEMBERS))
    def second_it(self, speaker: str) -> None:
        self.act(acts.Second(id=self.floor.pending[-1].id), speaker)

    @precondition(lambda self: self.floor.item_id is not None)
    @rule(steps=st.integers(1, 3))
    def go_on(self, steps: int) -> None:
        course = (Phase.INTRO, Phase.DISCUSSION, Phase.MOTION, Phase.SECOND, Phase.MOTION_DISCUSSION, Phase.VOTING)
        for _ in range(steps):
            if self.floor.phase in course[:-1]:
                self.act(acts.EnterPhase(phase=course[course.index(self.floor.phase) + 1]), CLERK)
            else:
                self.act(acts.EnterPhase(phase=Phase.INTRO), CLERK)

    @precondition(lambda self: self.floor.pending and self.floor.ballot is None)
    @rule(votes=st.lists(st.sampled_from((Vote.FOR, Vote.FOR, *Vote)), min_size=5, max_size=5), close=st.booleans())
    def vote_it(self, votes: list[Vote], close: bool) -> None:
        question = self.floor.pending[-1]
        if not self.act(acts.OpenBallot(question_id=question.id, round=question.round + 1), CLERK):
            return
        for member, vote in zip(MEMBERS, votes, strict=True):
            if vote in (Vote.NO_REPLY, Vote.INVALID):
                self.act(acts.NoVote(member=member, vote=vote), CLERK)
            else:
                self.act(acts.Cast(question_id=question.id, round=question.round + 1, vote=vote), member)
        if close:
            self.act(acts.CloseBallot(), CLERK)

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
        words = {m.id: m.wording for m in pending}
        for id_, said in words.items():
            if said != f"words of {id_}":
                origin = said.removeprefix("words of ")
                assert origin in self.consented or origin in self.counted, "words that nobody agreed to"
        assert self.floor.phase not in (Phase.CLOSING, Phase.ADJOURNMENT) or not pending


FloorMachine.TestCase.settings = settings(max_examples=150, stateful_step_count=50, deadline=None)
TestFloorMachine = FloorMachine.TestCase
