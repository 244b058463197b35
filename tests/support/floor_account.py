"""An account of the floor kept by hand: what was done, and a recount of every decision.

It follows the acts that were let through and nothing else, and never asks the code under test whether a thing was allowed
or how a vote went; each disagreement is an AssertionError.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

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
    wordings: list[str] = field(default_factory=list)  # as moved, then as amended
    target: str | None = None


@dataclass
class Count:
    """What the machine itself saw of one ballot: who was there when it opened, and what each said first."""

    question: str
    round: int
    there: set[str]
    said: dict[str, str] = field(default_factory=dict)


class FloorAccount:
    """A floor, and beside it what was done on it as the acts let through tell."""

    def __init__(self) -> None:
        self.floor = Floor(members=MEMBERS, chair="a", quorum=3)
        self.present: set[str] = set()
        self.motions: dict[str, Account] = {}
        self.count: Count | None = None
        self.counted: dict[str, Count] = {}
        self.rounds: set[tuple[str, int]] = set()
        self.ends: Counter[tuple[str, str]] = Counter()

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

    # -- acts that lead somewhere, so that deep states are reached ---------------------------------------------------

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

    def holds(self) -> None:
        self.json_round_trip_is_stable()
        self.the_account_agrees()
        self.the_stack_is_in_order()

    def json_round_trip_is_stable(self) -> None:
        text = self.floor.model_dump_json()
        back = Floor.model_validate_json(text)
        assert back == self.floor
        assert back.model_dump_json() == text

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
