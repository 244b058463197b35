"""From what was heard to rows of the record and the small result a history may carry.

A fact is written only from its member's own reply (law 2), under an id derived from its place (law 4).
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from activities.frozen import Frozen
from activities.interface import Heard as HeardResult
from activities.interface import Hearing
from parliament.commands import AmendmentCommand, MotionCommand, SecondCommand, compact
from parliament.ids import action_id, amendment_id, motion_id
from parliament.motions import Wording, check_wording
from parliament.seating import choose_dissenter
from parliament.values import PHASE_OF, Purpose, TurnStatus, Vote
from records import ballots, meetings, motions, papers, turns
from voices.base import Brief
from voices.replies import AmendmentHeard, Heard

_QUOTED = re.compile(r' \("[^)]*"\)')
"""The words of a draft that a problem quotes: they stay in the turn, and out of the history (law 6)."""


class Facts:
    """Writes one hearing's facts in the caller's transaction and gathers the result."""

    def __init__(
        self, tx: AsyncConnection, frozen: Frozen, hearing: Hearing, at: datetime, *, words_passed: bool = True
    ) -> None:
        self.tx = tx
        self.frozen = frozen
        self.hearing = hearing
        self.at = at
        self.words_passed = words_passed
        self.result: dict[str, Any] = {}
        self.data: dict[str, Any] = {}

    @property
    def meeting_id(self) -> str:
        return self.frozen.meeting_id

    @property
    def question(self) -> str:
        """The id of what is spoken to: the item's main motion unless the hearing names another question."""
        return self.hearing.about or motion_id(self.meeting_id, self.hearing.item or "")

    async def no_reply(self, trouble: str) -> HeardResult:
        """The call was given up: the seat's place in the transcript and in the vote says so (law 8)."""
        hearing = self.hearing
        await self._turn("", TurnStatus.NO_REPLY.value, "failed", {"trouble": trouble})
        if hearing.purpose is Purpose.ROLL_CALL:
            await self._attend("no_reply")
        if hearing.purpose is Purpose.VOTE:
            await self._vote(Vote.NO_REPLY, "", "", "failed")
        return HeardResult(status=TurnStatus.NO_REPLY, problem=trouble)

    async def heard(self, heard: Heard, brief: Brief) -> HeardResult:
        """Everything that follows from one reply."""
        hearing = self.hearing
        if heard.status is not TurnStatus.OK:
            self.result["status"] = heard.status
        if heard.reading.value != "exact":
            self.result["reading"] = heard.reading
        if heard.mentions and hearing.purpose in (Purpose.DISCUSSION, Purpose.DEBATE):
            self.result["mentions"] = [m for m in heard.mentions if m in self.frozen.members]
        await self._by_purpose(heard, brief)
        if hearing.chair:
            await self._commands(heard)
        if heard.point_of_order:
            await self._point(heard.point_of_order)
        await self._turn(heard.speaking, heard.status.value, heard.reading.value, self.data)
        if heard.whisper:
            await turns.whisper_add(
                self.tx, meeting_id=self.meeting_id, seq=hearing.seq, member_id=hearing.member, text=heard.whisper
            )
        return HeardResult(**self.result)

    async def _by_purpose(self, heard: Heard, brief: Brief) -> None:
        purpose, result = self.hearing.purpose, self.result
        if purpose is Purpose.ROLL_CALL:
            present = heard.present is not False and heard.status is TurnStatus.OK
            if not present:
                result["present"] = False
            await self._attend("present" if present else "absent")
        elif purpose is Purpose.SECOND:
            own = any(isinstance(c.command, SecondCommand) and c.command.member == self.hearing.member for c in heard.commands)
            if heard.second or own:
                result["second"] = True
        elif purpose is Purpose.VOTE:
            vote = heard.vote if heard.vote is not None else Vote.INVALID
            await self._vote(vote, heard.reason, heard.raw, heard.reading.value)
            result["vote"] = vote
            if vote is Vote.AGAINST and heard.dissent:
                await ballots.add_dissent(
                    self.tx,
                    question_id=self.question,
                    member_id=self.hearing.member,
                    round=self.hearing.round,
                    meeting_id=self.meeting_id,
                    statement=heard.dissent,
                    recorded_at=self.at,
                )
        elif purpose is Purpose.MOTION:
            await self._motion(heard.motion, heard.motion_problem)
        elif purpose is Purpose.DEBATE:
            if heard.procedural:
                result["procedural"] = heard.procedural
            await self._amendment(heard, brief)
        elif purpose is Purpose.AMENDMENT:
            if heard.position:
                result["position"] = heard.position
            await self._amendment(heard, brief)
        elif purpose is Purpose.CONSENT:
            result["objection"] = heard.objection
        elif purpose is Purpose.RULING:
            result["well_taken"] = heard.well_taken
            if heard.remedy != "none":
                result["remedy"] = heard.remedy
            await papers.add_ruling(
                self.tx,
                meeting_id=self.meeting_id,
                seq=self.hearing.seq,
                n=0,
                kind="ruling",
                member_id=self.hearing.member,
                item_id=self.hearing.item,
                text=heard.speaking,
                result={True: "well taken", False: "not well taken", None: "no ruling"}[heard.well_taken],
                reason="",
                rule="RONR 23",
            )
        elif purpose is Purpose.APPEAL:
            if heard.appeal:
                result["appeal"] = True
                result["seq"] = self.hearing.seq
        elif purpose is Purpose.ACTION_ITEMS:
            for n, action in enumerate(heard.actions):
                await self.action(action.task, action.owner, action.deadline, n)

    async def action(self, task: str, owner: str, deadline: str | None, n: int) -> None:
        """An action item of this item's resolution, the n-th of this reply; the same task twice is one."""
        owner_id = self.frozen.roster.resolve(owner) or owner
        await papers.add_action(
            self.tx,
            id=action_id(self.meeting_id, self.hearing.item or "", task),
            meeting_id=self.meeting_id,
            item_id=self.hearing.item,
            task=task,
            owner=owner_id,
            deadline=deadline,
            origin="resolution",
            position=self.hearing.seq * 100 + n,
            created_at=self.at,
        )

    async def _motion(self, text: str | None, problem: str) -> None:
        """The chair's draft becomes a motion when its words are in order (source 000, Motion Parsing)."""
        if text is None:
            if problem or self.hearing.purpose is Purpose.MOTION:
                self.data["motion_problem"] = problem
                self.result["problem"] = _QUOTED.sub("", problem) or "no_motion"
            return
        motion = self.question
        dissenter = None
        if self.frozen.dissenters:
            dissenter = choose_dissenter(text, self.frozen.seats, exclude={self.hearing.member})
        await motions.add(
            self.tx,
            id=motion,
            meeting_id=self.meeting_id,
            item_id=self.hearing.item,
            kind="main",
            text=text,
            mover=self.hearing.member,
            status="proposed",
            dissenter=dissenter,
            created_at=self.at,
        )
        self.result["motion"] = motion

    async def _amendment(self, heard: Heard, brief: Brief) -> None:
        offered = heard.amendment
        for parsed in heard.commands:  # the chairman's AMENDMENT naming himself is his own
            if (
                offered is None
                and isinstance(parsed.command, AmendmentCommand)
                and parsed.command.member == self.hearing.member
            ):
                offered = AmendmentHeard(parsed.command.text, parsed.command.summary)
        if offered is None or brief.motion is None:
            return
        words = check_wording(offered.text)
        target = brief.amendment.text if brief.amendment is not None else brief.motion.text
        if not isinstance(words, Wording):
            self.data["amendment_problem"] = words.reason
            return
        if words.text == target:
            self.data["amendment_problem"] = "it changes nothing"
            return
        amendment = amendment_id(self.meeting_id, self.hearing.seq)
        await motions.add_amendment(
            self.tx,
            id=amendment,
            meeting_id=self.meeting_id,
            motion_id=brief.motion.id,
            target_id=brief.amendment.id if brief.amendment is not None else brief.motion.id,
            degree=2 if brief.amendment is not None else 1,
            mover=self.hearing.member,
            text=words.text,
            summary=offered.summary,
            status="proposed",
            created_at=self.at,
        )
        self.result["amendment"] = amendment

    async def _commands(self, heard: Heard) -> None:
        """The chairman's commands, as ids and choices; their words stay in the turn (law 6)."""
        if heard.commands:
            self.result["commands"] = [compact(parsed.command) for parsed in heard.commands]
            self.result["seq"] = self.hearing.seq
            self.data["commands"] = [parsed.source for parsed in heard.commands]
            if self.hearing.purpose is Purpose.DISCUSSION and self.frozen.decides(self.hearing.item):
                moved = next((p.command for p in heard.commands if isinstance(p.command, MotionCommand)), None)
                words = check_wording(moved.text) if moved is not None else None
                if isinstance(words, Wording):
                    await self._motion(words.text, "")
        for n, malformed in enumerate(heard.malformed):
            await papers.add_ruling(
                self.tx,
                meeting_id=self.meeting_id,
                seq=self.hearing.seq,
                n=100 + n,
                kind="refused_command",
                member_id=self.hearing.member,
                item_id=self.hearing.item,
                text=malformed.source,
                result="malformed",
                reason=malformed.reason,
                rule="source 000, Command Parsing",
            )

    async def _point(self, text: str) -> None:
        await papers.add_ruling(
            self.tx,
            meeting_id=self.meeting_id,
            seq=self.hearing.seq,
            n=0,
            kind="point_of_order",
            member_id=self.hearing.member,
            item_id=self.hearing.item,
            text=text,
            result="",
            reason="",
            rule="RONR 23",
        )
        self.result["point"] = True
        self.result["seq"] = self.hearing.seq

    async def _attend(self, status: str) -> None:
        await meetings.attend(
            self.tx,
            meeting_id=self.meeting_id,
            member_id=self.hearing.member,
            round=self.hearing.seq,
            status=status,
            seq=self.hearing.seq,
        )

    async def _vote(self, choice: Vote, reason: str, raw: str, reading: str) -> None:
        await ballots.add_vote(
            self.tx,
            question_id=self.question,
            round=self.hearing.round,
            member_id=self.hearing.member,
            meeting_id=self.meeting_id,
            choice=choice.value,
            reason=reason,
            raw=raw,
            reading=reading,
            seq=self.hearing.seq,
        )

    async def _turn(self, text: str, status: str, reading: str, data: dict[str, Any]) -> None:
        hearing = self.hearing
        if not hearing.seq:
            return
        await turns.add(
            self.tx,
            clear_words=self.words_passed,
            meeting_id=self.meeting_id,
            seq=hearing.seq,
            id=turn_id(hearing),
            item_id=hearing.item,
            phase=(hearing.phase or PHASE_OF[Purpose(hearing.purpose)]).value,
            purpose=hearing.purpose.value,
            round=hearing.round,
            member_id=hearing.member,
            name=self.frozen.member_name(hearing.member),
            text=text,
            status=status,
            reading=reading,
            data=data,
            at=self.at,
        )


def turn_id(hearing: Hearing) -> str:
    """A turn's id from its place in the meeting; the call's id is the meeting's id and this."""
    return f"{hearing.item or '-'}/{hearing.purpose.value}/{hearing.about or '-'}/{hearing.round}/{hearing.member}"
