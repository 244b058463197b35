"""The room of a meeting by the rules of order: the floor, who is present, and the chairman's word in passing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from temporalio import workflow

from activities.interface import Heard, Hearing
from parliament.acts import Answer, EnterPhase, MarkAbsent
from parliament.announcements import KEYS
from parliament.floor import Closed, Floor, OutOfOrder, apply
from parliament.motions import MotionKind
from parliament.values import CLERK, Phase, Purpose, TurnStatus
from workflows.messages import BoardMeetingInput, MeetingState
from workflows.room import PHASE, Room, Spoken, set_only

ASIDE = frozenset(
    {
        Purpose.ROLL_CALL,
        Purpose.MENTION,
        Purpose.CALLED,
        Purpose.INPUT,
        Purpose.SECOND,
        Purpose.AMENDMENT,
        Purpose.RULING,
        Purpose.APPEAL,
        Purpose.CONSENT,
        Purpose.VOTE,
    }
)
"""Hearings in the middle of something else, where few commands of the chairman can be in order."""


class BoardRoom(Room):
    """A room with a floor."""

    convening: BoardMeetingInput
    state: MeetingState

    def __init__(self, convening: BoardMeetingInput, state: MeetingState) -> None:
        super().__init__(convening, state, KEYS)
        self.on_chair: Callable[[Purpose, Heard], Awaitable[None]] | None = None
        """Called with the chairman's reply in hearings whose callers do not look at its commands themselves."""

    @property
    def phase(self) -> Phase:
        return self.floor.phase

    @property
    def presider(self) -> str:
        return self.floor.chair

    @property
    def takes_input(self) -> bool:
        return self.floor.roll_called

    # -- the floor -------------------------------------------------------------------------------------------------

    @property
    def floor(self) -> Floor:
        return self.state.floor

    @property
    def speakers(self) -> list[str]:
        """Who is heard in a full round: the members present, and those present whose seat has no vote."""
        return [*self.floor.present, *self.state.guests]

    def act(self, act: Any, speaker: str = CLERK) -> OutOfOrder | None:
        """Apply an act to the floor. Returns the refusal, and then nothing has changed."""
        before = self.state.floor
        result = apply(before, act, speaker)
        if isinstance(result, OutOfOrder):
            return result
        self.state.floor = result
        known = len(before.closed) if result.item_id == before.item_id else 0
        for closed in result.closed[known:]:
            self._ended(closed)
        return None

    def _ended(self, closed: Closed) -> None:
        """Every question's end goes on the record from the floor itself; what was voted on has its ballot's entry."""
        if not closed.votes:
            self.note("ended", id=closed.question.id, disposition=closed.disposition, by_consent=closed.by_consent)
        if closed.question.kind is MotionKind.MAIN and closed.disposition.value in KEYS:
            self.announce(closed.disposition.value)

    def must(self, act: Any, speaker: str = CLERK) -> None:
        """Apply an act that the procedure knows to be in order; a refusal is an error of code, which waits for a fix."""
        refusal = self.act(act, speaker)
        if refusal is not None:
            raise RuntimeError(f"{act!r} by {speaker} was refused: {refusal.reason}")

    def enter(self, phase: Phase) -> None:
        """Begin a phase: on the floor, on the clock, and in what Temporal's Web UI shows."""
        if phase is not self.floor.phase or phase is not Phase.OPENING:
            self.must(EnterPhase(phase=phase))
        self.clock.enter_phase()
        workflow.upsert_search_attributes([PHASE.value_set(phase.value)])
        self.show()

    def show(self) -> None:
        """The meeting's place as a few lines of Markdown for the Web UI. Ids and counts, no words (law 15)."""
        floor = self.floor
        place = f"**{self.state.status.value}** · {floor.phase.value}"
        if self.item:
            number = next((n for n, item in enumerate(self.convening.items, 1) if item.id == self.item), 0)
            title = next((item.title for item in self.convening.items if item.id == self.item), "")
            place += f" · item {number} of {len(self.convening.items)}" + (f": {title}" if title else "")
        pending = "".join(
            f"\n- on the floor: {m.kind.value} {m.id}, moved by {self.names.get(m.mover, m.mover)}" for m in floor.pending
        )
        workflow.set_current_details(f"{place}\n\n- present: {len(floor.present)} of {len(floor.members)}{pending}")

    # -- hearing voices ------------------------------------------------------------------------------------------------

    async def health(self, member: str) -> Heard:
        """Can this facilitator preside? One short call that is no turn of the transcript (source 000, Fallback Chain)."""
        return (await self._hear_all([set_only(Hearing, purpose=Purpose.HEALTH_CHECK, member=member)]))[member]

    def settle(self, replies: dict[str, Heard]) -> None:
        """Presence follows from who answered: law 2, a presence counts only from its own reply."""
        for member, heard in replies.items():
            if member not in self.floor.members:
                continue
            if heard.status is TurnStatus.NO_REPLY:
                # Whom the meeting's own end cut off has not failed to answer.
                if member in self.floor.present and not self.clock.meeting_over:
                    self.must(MarkAbsent(member=member))
            elif member not in self.floor.present and heard.present is not False and self.floor.roll_called:
                self.must(Answer(present=True), member)
                self.announce("returned", member=member)

    async def heard(self, purpose: Spoken, replies: dict[str, Heard]) -> None:
        presiding = replies.get(self.floor.chair)
        if (
            presiding is not None
            and presiding.commands
            and isinstance(purpose, Purpose)
            and purpose in ASIDE
            and self.on_chair is not None
        ):
            await self.on_chair(purpose, presiding)

    async def answer_input(self, input_id: str) -> None:
        if self.floor.chair in self.floor.present:
            await self.hear(Purpose.INPUT, [self.floor.chair], about=input_id, phase=self.floor.phase)
