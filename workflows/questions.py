"""Questions on the floor: seconds, consent, votes, amendments, points of order and appeals, as the workflow runs them.

Each function drives the floor (`parliament.floor`) with what voices said for themselves; none of them decides anything.
"""

from __future__ import annotations

from typing import Any

from temporalio import workflow

from activities.interface import Heard
from parliament import acts
from parliament.floor import Motion
from parliament.motions import MotionKind
from parliament.values import CLERK, Disposition, MeetingStatus, Phase, Purpose, TurnStatus, Vote
from workflows.board_room import BoardRoom

_WHAT = {
    MotionKind.MAIN: "the motion",
    MotionKind.AMEND: "the amendment",
    MotionKind.PREVIOUS_QUESTION: "the previous question",
    MotionKind.LAY_ON_TABLE: "to lay the motion on the table",
    MotionKind.ADJOURN: "to adjourn",
    MotionKind.WITHDRAW: "the withdrawal of the motion",
    MotionKind.APPEAL: "the appeal",
}


def what(kind: MotionKind) -> str:
    """How the clerk speaks of a question of this kind."""
    return _WHAT.get(kind, kind.value.replace("_", " "))


class Questions:
    """The procedure of putting questions, for one room."""

    def __init__(self, room: BoardRoom) -> None:
        self.room = room

    # -- quorum ----------------------------------------------------------------------------------------------------

    async def require_quorum(self) -> None:
        """Hold the meeting until a quorum is present: every absentee is asked again, not just one (RULES, case 3)."""
        room = self.room
        while not room.floor.has_quorum:
            room.check_limits()
            floor = room.floor
            room.announce("no_quorum", present=len(floor.present), seated=len(floor.members), quorum=floor.quorum)
            await room.halt(MeetingStatus.QUORUM_LOST, "too few members answer to decide anything")
            await self.ask_absentees()
            if room.floor.has_quorum:
                floor = room.floor
                room.announce("quorum_back", present=len(floor.present), seated=len(floor.members))

    async def ask_absentees(self) -> None:
        room = self.room
        absent = [member for member in room.floor.members if member not in room.floor.present]
        if absent:
            await room.hear(Purpose.ROLL_CALL, absent, phase=room.floor.phase)

    @staticmethod
    def about(question: Motion) -> str:
        """How a hearing names the question: the item's main motion needs no name (small histories)."""
        return "" if question.kind is MotionKind.MAIN else question.id

    # -- second, consent, vote -------------------------------------------------------------------------------------

    async def seek_second(self, question: Motion) -> bool:
        """Ask every present member but the mover; the first in speaking order who seconds is the seconder."""
        room = self.room
        if not room.floor.second_required and question.kind is MotionKind.MAIN:
            room.announce("no_second_needed")
            return True
        others = [m for m in room.floor.present if m != question.mover]
        replies = await room.hear(Purpose.SECOND, others, about=self.about(question), phase=room.floor.phase)
        return self.take_second(question, [m for m, heard in replies.items() if heard.second])

    def take_second(self, question: Motion, seconders: list[str]) -> bool:
        room = self.room
        for member in seconders:
            if room.act(acts.Second(id=question.id), member) is None:
                room.note("seconded", id=question.id, member=member)
                room.announce("seconded", member=member)
                return True
        room.must(acts.DieUnseconded(id=question.id))
        if question.kind is not MotionKind.MAIN:
            room.announce("unseconded")
        return False

    async def ready_to_vote(self) -> None:
        """Settle everything that waits before a ballot opens: nothing may come between its roll and its votes."""
        room = self.room
        await self.require_quorum()
        while room.state.paused or room.state.inputs:
            await room.checkpoint()
            await self.require_quorum()

    async def vote(self, question: Motion) -> Disposition:
        """Open, take and close the ballot. A vote void for want of a quorum is taken again once the quorum is back."""
        room = self.room
        phase = room.floor.phase
        round_number = 0
        while True:
            await self.ready_to_vote()
            round_number += 1
            room.must(acts.OpenBallot(question_id=question.id, round=round_number))
            ballot = room.floor.ballot
            assert ballot is not None
            voters = [member for member in ballot.roll if ballot.votes.get(member) is not Vote.ABSENT]
            replies = await room.hear(Purpose.VOTE, voters, about=self.about(question), phase=phase, settle=False)
            for member, heard in replies.items():
                self._enter_vote(question, round_number, member, heard)
            room.settle(replies)
            ballot = room.floor.ballot
            assert ballot is not None
            present = len(room.floor.present)
            entry: dict[str, Any] = {
                "id": question.id,
                "round": round_number,
                "threshold": ballot.threshold.value,
                "votes": {member: ballot.votes[member] for member in ballot.roll},
                "present": present,
            }
            if not room.floor.has_quorum:
                room.must(acts.VoidBallot())
                room.note("ballot", **entry)
                room.announce("void")
                continue
            room.must(acts.CloseBallot())
            closed = room.floor.last_closed(question.id)
            assert closed is not None
            room.note("ballot", result=closed.disposition.value, **entry)
            count = {vote: sum(v is vote for v in closed.votes.values()) for vote in Vote}
            room.announce(
                "vote",
                what=what(question.kind).capitalize(),
                result=closed.disposition.value,
                **{vote.value: n for vote, n in count.items() if n},
            )
            return closed.disposition

    def _enter_vote(self, question: Motion, round_number: int, member: str, heard: Heard) -> None:
        room = self.room
        if heard.vote in (Vote.FOR, Vote.AGAINST, Vote.ABSTAIN):
            room.must(acts.Cast(question_id=question.id, round=round_number, vote=heard.vote), member)
        elif heard.status is TurnStatus.NO_REPLY:
            room.must(acts.NoVote(member=member, vote=Vote.NO_REPLY))
        else:
            room.must(acts.NoVote(member=member, vote=Vote.INVALID))

    async def by_consent_or_vote(self, question: Motion) -> Disposition:
        """Unanimous consent, and where a member objects a second and a vote (DESIGN, Decisions)."""
        room = self.room
        others = [m for m in room.floor.present if m != question.mover]
        replies = await room.hear(Purpose.CONSENT, others, about=question.id, phase=room.floor.phase)
        # Only a clear "no objection" is consent; what cannot be read is taken as an objection, never as agreement.
        objectors = tuple(
            m for m, heard in replies.items() if heard.objection is not False and heard.status is not TurnStatus.NO_REPLY
        )
        if not objectors:
            await self.require_quorum()
            room.must(acts.AdoptByConsent(id=question.id, objectors=()))
            room.announce("consent", what=what(question.kind))
            return Disposition.ADOPTED
        room.announce("contested", objectors=list(objectors), what=what(question.kind))
        if not await self.seek_second(question):
            return Disposition.UNSECONDED
        return await self.vote(question)

    # -- subsidiary and privileged motions -------------------------------------------------------------------------

    def move(self, kind: MotionKind, mover: str, target: str = "") -> Motion | None:
        """Put a motion whose words code writes on the floor; None when it is out of order (which is recorded)."""
        room = self.room
        motion_id = f"{kind.value.upper()}-{workflow.info().workflow_id}-{room.state.seq + 1}"
        refusal = room.act(acts.Move(id=motion_id, kind=kind, wording=motion_id, target_id=target or None), mover)
        if refusal is not None:
            room.announce("refused", why=refusal.reason)
            return None
        room.note("moved", id=motion_id, kind=kind.value, member=mover, target=target, item=room.item)
        room.announce("moved", member=mover, what=what(kind))
        return room.floor.question

    async def table(self, mover: str) -> bool:
        """Lay the pending question on the table. True when it lies there."""
        question = self.move(MotionKind.LAY_ON_TABLE, mover)
        return question is not None and await self.by_consent_or_vote(question) is Disposition.ADOPTED

    async def close_debate(self, mover: str) -> None:
        """The previous question: a second, no debate, two thirds (RULES_OF_ORDER, rank 7)."""
        question = self.move(MotionKind.PREVIOUS_QUESTION, mover)
        if question is not None and await self.seek_second(question) and await self.vote(question) is Disposition.ADOPTED:
            self.room.announce("debate_closed")

    async def withdraw(self, main: Motion, mover: str) -> bool:
        """Withdraw a stated motion: the mover asks, any objection leads to a vote (RULES_OF_ORDER, Withdraw)."""
        room = self.room
        if mover != main.mover:
            room.announce("refused", why="only its mover may ask to withdraw a motion")
            return False
        if not main.stated:
            if room.act(acts.Withdraw(id=main.id), mover) is not None:
                return False
        else:
            question = self.move(MotionKind.WITHDRAW, mover, main.id)
            if question is None or await self.by_consent_or_vote(question) is not Disposition.ADOPTED:
                return False
        return True

    async def adjourn_early(self, mover: str) -> bool:
        question = self.move(MotionKind.ADJOURN, mover)
        return question is not None and await self.by_consent_or_vote(question) is Disposition.ADOPTED

    # -- amendments ------------------------------------------------------------------------------------------------

    async def amend(self, target: Motion, amendment_id: str, mover: str, degree: int = 1) -> None:
        """A member's amendment: agreed to without objection, or seconded and voted on (contested amendments, source 000)."""
        room = self.room
        refusal = room.act(acts.Move(id=amendment_id, kind=MotionKind.AMEND, wording=amendment_id, target_id=target.id), mover)
        if refusal is not None:
            room.note("ended", id=amendment_id, disposition=Disposition.OUT_OF_ORDER)
            room.announce("amendment_refused", member=mover, why=refusal.reason)
            return
        question = room.floor.question
        assert question is not None
        room.announce("amendment", member=mover, id=amendment_id)
        others = [m for m in room.floor.present if m != mover]
        replies = await room.hear(Purpose.AMENDMENT, others, about=amendment_id, phase=Phase.MOTION_DISCUSSION)
        objectors = [m for m, h in replies.items() if h.position in ("object", None) and h.status is not TurnStatus.NO_REPLY]
        supporters = [m for m, h in replies.items() if h.position == "support"]
        if degree == 1:
            offered = [(m, h.amendment) for m, h in replies.items() if h.amendment]
            for member, second_degree in offered[: room.rules.max_amendments]:
                if supporters or not objectors:
                    await self._second_degree(question, supporters, second_degree, member)
        question = room.floor.question
        assert question is not None
        assert question.id == amendment_id
        if not objectors:
            await self.require_quorum()
            room.must(acts.AdoptByConsent(id=amendment_id, objectors=()))
            room.announce("consent", what=what(MotionKind.AMEND))
            self._take_words(target, amendment_id)
            return
        if not question.stated and not self.take_second(question, supporters):
            return
        room.announce("contested", objectors=objectors, what=what(MotionKind.AMEND))
        if await self.vote(question) is Disposition.ADOPTED:
            self._take_words(target, amendment_id)

    async def _second_degree(self, question: Motion, supporters: list[str], amendment_id: str | None, mover: str) -> None:
        """An amendment to the amendment; the first must be seconded before it can be amended."""
        room = self.room
        assert amendment_id is not None
        current = room.floor.question
        assert current is not None
        if not current.stated and supporters and not self.take_second(current, supporters):
            return
        await self.amend(question, amendment_id, mover, degree=2)

    def _take_words(self, target: Motion, amendment_id: str) -> None:
        self.room.note("amended", id=target.id, source=amendment_id)

    # -- points of order -------------------------------------------------------------------------------------------

    async def point_of_order(self, member: str, seq: int) -> None:
        """The chair rules at once; members may appeal, and a tie sustains the chair (RULES_OF_ORDER)."""
        room = self.room
        ref = f"POINT-{workflow.info().workflow_id}-{seq}"
        if room.floor.chair not in room.floor.present or room.act(acts.RaisePoint(ref=ref), member) is not None:
            return
        room.announce("point", member=member, seq=seq)
        heard = await room.hear_one(Purpose.RULING, room.floor.chair, about=str(seq), phase=room.floor.phase)
        if heard.well_taken is None or room.floor.chair not in room.floor.present:
            # No ruling is not a ruling against the point (law 8): it is dropped, and said to be.
            room.must(acts.DropPoint())
            room.announce("no_ruling", member=room.floor.chair)
            return
        well_taken = heard.well_taken
        remedy = heard.remedy if well_taken and room.floor.pending else "none"
        room.must(acts.Rule(well_taken=well_taken, remedy=remedy), room.floor.chair)
        result = "well taken" if well_taken else "not well taken"
        room.announce("ruling", result=result)
        others = [m for m in room.floor.present if m != room.floor.chair]
        replies = await room.hear(Purpose.APPEAL, others, about=str(seq), phase=room.floor.phase)
        appellants = [m for m, h in replies.items() if h.appeal]
        if appellants:
            question = self.move(MotionKind.APPEAL, appellants[0], ref)
            if question is not None:
                if len(appellants) == 1:
                    room.must(acts.DieUnseconded(id=question.id))
                    room.announce("appeal_unseconded")
                else:
                    room.must(acts.Second(id=question.id), appellants[1])
                    room.note("seconded", id=question.id, member=appellants[1])
                    outcome = await self.vote(question)
                    reversed_ = outcome is Disposition.LOST
                    room.note(
                        "ruling",
                        seq=replies[appellants[0]].seq,
                        kind="appeal",
                        member=appellants[0],
                        item=room.item,
                        rule="RONR 24",
                        result="reversed" if reversed_ else "sustained",
                    )
        if room.floor.point is not None:
            room.must(acts.AcceptRuling(), CLERK)
