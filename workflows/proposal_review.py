"""A board of directors reviews a proposal: assessments, discussion, vote, resolution, and a person's word where there is no
majority (source 001).
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from activities.interface import Heard
    from parliament.values import EndedBy, MeetingStatus, Phase
    from protocols.proposal_review import DISCUSSION, ReviewPurpose
    from protocols.review_words import KEYS
    from workflows.messages import PROPOSAL_REVIEW, ReviewInput, ReviewOutcome, ReviewState, Whereabouts
    from workflows.notice import tell
    from workflows.room import PHASE, MeetingError, MeetingOver, Room, Spoken

KIND = SearchAttributeKey.for_keyword("BoardroomKind")
BOARD = SearchAttributeKey.for_keyword("BoardroomBoard")
DATE = SearchAttributeKey.for_datetime("BoardroomMeetingDate")
RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=30))
WRITING = timedelta(minutes=2)
"""How long the files are tried to be written; the record has the review either way."""

NO_DECISION = "Only what was escalated waits for a decision, and this review is not escalated."

T = TypeVar("T")


class ReviewRoom(Room):
    """A room in which directors are heard: nobody presides, and whoever did not reply is asked again in the next phase."""

    convening: ReviewInput
    state: ReviewState

    def __init__(self, convening: ReviewInput, state: ReviewState) -> None:
        super().__init__(convening, state, KEYS)

    @property
    def phase(self) -> Phase:
        return self.state.phase

    def enter(self, phase: Phase) -> None:
        self.state.phase = phase
        self.clock.enter_phase()
        workflow.upsert_search_attributes([PHASE.value_set(phase.value)])
        self.show()

    def show(self) -> None:
        workflow.set_current_details(
            f"**{self.state.status.value}** · {self.phase.value}\n\n- directors: {len(self.convening.seats)}"
        )

    async def heard(self, purpose: Spoken, replies: dict[str, Heard]) -> None:
        """A vote counts only in the vote (law 2)."""
        for member, reply in replies.items():
            if reply.early_vote:
                self.announce("early_vote", member=member)


@workflow.defn(name=PROPOSAL_REVIEW, failure_exception_types=[MeetingError])
class ProposalReview:
    """One review; its workflow id is the meeting's id.

    Signals `pause`, `resume`, `user_input` (the id of a stored input). Update `decide`: a person's decision on an escalated
    proposal. Query `whereabouts`.
    """

    @workflow.init
    def __init__(self, convening: ReviewInput) -> None:
        self.convening = convening
        self.room = ReviewRoom(convening, ReviewState())
        self.escalated = False
        self.over = False
        self.deciding = False
        self.decision: str | None = None

    # -- messages --------------------------------------------------------------------------------------------------

    @workflow.signal
    def pause(self) -> None:
        """Pause at the next checkpoint."""
        if not self.room.finished:
            self.room.state.paused = True

    @workflow.signal
    def resume(self) -> None:
        """Go on after a pause or a failure."""
        self.room.resume()

    @workflow.signal
    def user_input(self, input_id: str) -> None:
        """Put a stored input of the person before the directors at the next checkpoint. A known id is not taken up again."""
        state = self.room.state
        if input_id not in state.inputs_seen:
            state.inputs_seen.append(input_id)
            state.inputs.append(input_id)

    @workflow.update
    async def decide(self, deciding: act.Deciding) -> str:
        """Take the person's decision; what it is."""
        self.deciding = True
        try:
            # The record may have the result a moment before this workflow knows what it is.
            await workflow.wait_condition(lambda: self.escalated or self.over)
            if self.over:
                raise ApplicationError(NO_DECISION, type=act.REFUSED, non_retryable=True)
            given: str = await workflow.execute_activity(
                act.DECIDE_REVIEW,
                deciding.model_copy(update={"at": workflow.now().isoformat(timespec="milliseconds")}),
                result_type=str,
                start_to_close_timeout=timedelta(seconds=10),
                retry_policy=RETRY,
                summary=f"Decision — {deciding.answer}",
            )
            self.decision = given
            return given
        except ActivityError as error:
            if isinstance(error.cause, ApplicationError) and error.cause.type == act.REFUSED:
                raise ApplicationError(error.cause.message, type=act.REFUSED, non_retryable=True) from None
            raise
        finally:
            self.deciding = False

    @decide.validator
    def _may_decide(self, deciding: act.Deciding) -> None:
        if self.decision is not None:
            raise ApplicationError("It was decided already; the first decision stands.", type=act.REFUSED)
        if self.deciding:
            raise ApplicationError("Another decision is being taken; the first one stands.", type=act.REFUSED)
        if self.over or self.room.phase is not Phase.RESOLUTION:
            raise ApplicationError(NO_DECISION, type=act.REFUSED)

    @workflow.query
    def whereabouts(self) -> Whereabouts:
        """What only the running workflow knows; everything else is read from the store."""
        room = self.room
        return Whereabouts(
            status=room.state.status,
            phase=room.phase,
            pausing=room.state.paused and room.state.status is MeetingStatus.IN_PROGRESS,
            waiting_inputs=len(room.state.inputs),
            hearing=room.hearing,
        )

    # -- the review ------------------------------------------------------------------------------------------------

    @workflow.run
    async def run(self, convening: ReviewInput) -> ReviewOutcome:
        room = self.room
        room.clock.go()
        timekeeper = asyncio.create_task(room.clock.keep(lambda: room.finished))
        workflow.upsert_search_attributes(
            [KIND.value_set("review"), BOARD.value_set("directors"), DATE.value_set(workflow.now())]
        )
        room.status(MeetingStatus.IN_PROGRESS)
        room.moment("meeting_started")
        ended_by = EndedBy.AGENDA
        try:
            await self._assess()
            await self._discuss()
            await self._vote()
        except MeetingOver as over:
            ended_by = over.ended_by
            await self._cut_short(over.ended_by)
        room.finished = True
        await timekeeper
        if ended_by is EndedBy.ABANDONED:
            room.status(room.state.status, ended_by=ended_by)
            await room.flush()
        return await self._resolve(ended_by)

    @property
    def _directors(self) -> list[str]:
        return [seat.id for seat in self.convening.seats]

    async def _assess(self) -> None:
        """Phase 1: every director alone, all at once, blind."""
        room = self.room
        room.enter(Phase.ASSESSMENT)
        await room.hear(ReviewPurpose.ASSESSMENT, self._directors, phase=Phase.ASSESSMENT)
        stands = await self._look(0)
        room.announce(
            "assessed",
            given=len(self._directors) - stands.missing,
            seats=len(self._directors),
            approve=stands.approve,
            concerns=stands.concerns,
            reject=stands.reject,
        )

    async def _discuss(self) -> None:
        """Phase 2: up to three rounds; one in which nothing is open is skipped, and the clerk says so."""
        room = self.room
        room.enter(Phase.DISCUSSION)
        for n, purpose in enumerate(DISCUSSION[: self.convening.rounds], 1):
            stands = await self._look(n)
            if not stands.open:
                room.announce("round_skipped", n=n)
                continue
            room.announce("round", n=n, open=stands.open)
            await room.hear(purpose, self._directors, phase=Phase.DISCUSSION)

    async def _vote(self) -> None:
        """Phase 3: the final vote."""
        room = self.room
        room.enter(Phase.VOTING)
        room.announce("vote_called")
        await room.hear(ReviewPurpose.FINAL_VOTE, self._directors, phase=Phase.VOTING)

    async def _cut_short(self, ended_by: EndedBy) -> None:
        """Time or money is up (law 13): on a deadline the directors still vote, within the closing's own time."""
        room = self.room
        if ended_by is EndedBy.ABANDONED:
            return
        room.state.closing = True
        room.announce(ended_by.value)
        if ended_by is EndedBy.DEADLINE and room.phase is not Phase.VOTING:
            room.clock.allow(room.rules.closing_allowance)
            await self._vote()

    async def _resolve(self, ended_by: EndedBy) -> ReviewOutcome:
        """Phases 4 and 5: the table, the files, and a person where there is no majority."""
        room = self.room
        room.enter(Phase.RESOLUTION)
        await room.flush()
        resolved = await _step(
            act.RESOLVE_REVIEW,
            act.Resolved,
            "Resolution — the table",
            act.Resolving(at=workflow.now().isoformat(timespec="milliseconds")),
        )
        if ended_by is not EndedBy.ABANDONED:
            if resolved.outcome == "ESCALATE":
                room.announce("escalated", vote=resolved.vote)
            else:
                words = resolved.outcome + (" WITH REVIEW" if resolved.with_review else "")
                room.announce("resolved", result=words, vote=resolved.vote)
        escalated = resolved.outcome == "ESCALATE" and ended_by is not EndedBy.ABANDONED
        if not escalated:
            self.over = True
            if ended_by is not EndedBy.ABANDONED:
                room.status(MeetingStatus.COMPLETED, ended_by=ended_by)
            room.moment("review_resolved")
            await room.flush()
            await self._write()
            await workflow.wait_condition(workflow.all_handlers_finished)
            return ReviewOutcome(outcome=resolved.outcome, ended_by=ended_by)
        self.escalated = True
        room.moment("review_escalated")
        await room.flush()
        await self._write()
        await self._wait_for_the_person()
        self.escalated, self.over = False, True
        if self.decision is not None:
            room.announce("decided", answer=self.decision)
        else:
            room.announce("undecided")
        room.status(MeetingStatus.COMPLETED, ended_by=ended_by)
        room.moment("review_resolved")
        await room.flush()
        await self._write()
        await workflow.wait_condition(workflow.all_handlers_finished)
        return ReviewOutcome.model_validate({"outcome": resolved.outcome, "ended_by": ended_by, "decision": self.decision})

    async def _wait_for_the_person(self) -> None:
        """Until a decision is there or the time for it is over; reminders meanwhile. A decision that is being taken counts."""
        left, every = self.convening.decide_within, self.convening.remind_every
        reminders = 0
        while self.decision is None and (left > 0 or self.deciding):
            wait = min(left, every) if every > 0 else left
            try:
                await workflow.wait_condition(
                    lambda: self.decision is not None,
                    timeout=max(wait, 1.0),
                    timeout_summary="Decision — reminder" if wait < left else "Decision — time is over",
                )
            except TimeoutError:
                left -= max(wait, 1.0)
                if left > 0 and self.convening.notices:
                    reminders += 1
                    await tell("review_escalated", meeting=workflow.info().workflow_id, ref=str(reminders))

    async def _look(self, round: int) -> act.ReviewStands:
        await self.room.flush()
        result: act.ReviewStands = await workflow.execute_local_activity(
            act.LOOK_AT_REVIEW,
            act.ReviewLook(round=round),
            result_type=act.ReviewStands,
            start_to_close_timeout=timedelta(seconds=max(3.0, self.room.rules.heartbeat)),
            retry_policy=RETRY,
        )
        return result

    async def _write(self) -> None:
        """The record has the review; files that cannot be written are said of, and cost nothing else."""
        try:
            await _step(act.WRITE_REVIEW_FILES, act.FilesWritten, "Files — message bus", tried_for=WRITING)
        except ActivityError:
            workflow.logger.warning("the files of a review could not be written")


async def _step(name: str, answer: type[T], summary: str, payload: Any = None, tried_for: timedelta | None = None) -> T:
    result: T = await workflow.execute_activity(
        name,
        *([payload] if payload is not None else []),
        result_type=answer,
        start_to_close_timeout=timedelta(seconds=15),
        schedule_to_close_timeout=tried_for,
        retry_policy=RETRY,
        summary=summary,
    )
    return result
