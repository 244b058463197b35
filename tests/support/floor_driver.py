"""A board for the tests: five seats, driven act by act through `apply`, so that every step on the way is checked too."""

from __future__ import annotations

from parliament import acts
from parliament.floor import Closed, Floor, OutOfOrder, apply
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, ItemType, Phase, Vote

MEMBERS = ("aurelius", "roosevelt", "dalio", "jobs", "rogers")
CHAIR = "aurelius"
_SIGNS = {
    "F": Vote.FOR,
    "A": Vote.AGAINST,
    "-": Vote.ABSTAIN,
    "N": Vote.NO_REPLY,
    "?": Vote.INVALID,
}


class Board:
    """`do` demands that an act is in order, `refused` that it is not and that nothing changed."""

    def __init__(self, members: tuple[str, ...] = MEMBERS, quorum: int = 3, second_required: bool = True) -> None:
        self.floor = Floor(members=members, chair=members[0], quorum=quorum, second_required=second_required)

    def do(self, act: acts.Act, speaker: str = CLERK) -> Floor:
        result = apply(self.floor, act, speaker)
        assert isinstance(result, Floor), f"{act!r} by {speaker}: {result}"
        self.floor = result
        return result

    def refused(self, act: acts.Act, speaker: str = CLERK) -> OutOfOrder:
        before = self.floor.model_dump_json()
        result = apply(self.floor, act, speaker)
        assert isinstance(result, OutOfOrder), f"{act!r} by {speaker} was in order"
        assert self.floor.model_dump_json() == before
        assert result.reason.endswith(".")
        assert result.rule
        return result

    # -- the way to a place in the meeting

    def roll(self, present: tuple[str, ...] | None = None) -> Board:
        self.do(acts.EnterPhase(phase=Phase.QUORUM))
        for member in self.floor.members:
            if present is None or member in present:
                self.do(acts.Answer(present=True), member)
            else:
                self.do(acts.MarkAbsent(member=member))
        return self

    def enter(self, *phases: Phase) -> Board:
        for phase in phases:
            self.do(acts.EnterPhase(phase=phase))
        return self

    def item(self, item_type: ItemType = ItemType.DECISION, item_id: str = "agenda-1") -> Board:
        self.do(acts.TakeUp(item_id=item_id, item_type=item_type))
        return self.enter(Phase.INTRO, Phase.DISCUSSION)

    def move(self, kind: MotionKind, mover: str, motion_id: str = "", target: str | None = None) -> str:
        motion_id = motion_id or kind.value
        self.do(acts.Move(id=motion_id, kind=kind, wording=f"words of {motion_id}", target_id=target), mover)
        return motion_id

    def second(self, motion_id: str, seconder: str = "rogers") -> None:
        self.do(acts.Second(id=motion_id), seconder)

    def stated(self, kind: MotionKind, mover: str, motion_id: str = "", target: str | None = None) -> str:
        """Moved by `mover` and seconded by another."""
        motion_id = self.move(kind, mover, motion_id, target)
        self.second(motion_id, "rogers" if mover != "rogers" else "dalio")
        return motion_id

    def debate(self, mover: str = CHAIR) -> Board:
        """A main motion `main`, seconded and under debate."""
        self.enter(Phase.MOTION)
        self.move(MotionKind.MAIN, mover, "main")
        self.enter(Phase.SECOND)
        self.second("main", "rogers" if mover != "rogers" else "dalio")
        return self.enter(Phase.MOTION_DISCUSSION)

    def voting(self, mover: str = CHAIR) -> Board:
        return self.debate(mover).enter(Phase.VOTING)

    # -- votes

    def open(self, question: str, round: int = 1) -> None:
        self.do(acts.OpenBallot(question_id=question, round=round))

    def cast(self, signs: str, members: tuple[str, ...] | None = None) -> None:
        """One sign a present member: F for, A against, - abstain, N no reply, ? invalid."""
        ballot = self.floor.ballot
        assert ballot is not None
        for member, sign in zip(members or self.floor.present, signs, strict=True):
            vote = _SIGNS[sign]
            if vote in (Vote.NO_REPLY, Vote.INVALID):
                self.do(acts.NoVote(member=member, vote=vote))
            else:
                self.do(acts.Cast(question_id=ballot.question_id, round=ballot.round, vote=vote), member)

    def vote(self, question: str, signs: str, round: int = 1) -> Closed:
        self.open(question, round)
        self.cast(signs)
        self.do(acts.CloseBallot())
        closed = self.floor.last_closed(question)
        assert closed is not None
        return closed

    def ends(self) -> dict[str, Disposition]:
        """How each question of the item ended, by id; of a question that ended twice, the last."""
        return {closed.question.id: closed.disposition for closed in self.floor.closed}


def at_debate(mover: str = CHAIR, **options: object) -> Board:
    return Board(**options).roll().item().debate(mover)  # type: ignore[arg-type]
