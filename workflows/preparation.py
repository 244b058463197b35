"""Before the meeting: the chairman drafts, the person reviews and approves, and the meeting starts (source 000, lifecycle).

The agenda itself stands in the store, each change with its version; the workflow holds the order of the steps, the timers
and what needs the chairman's voice. At the start it continues as new as the board meeting, under the meeting's own id.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from parliament.values import EndedBy, MeetingStatus
    from workflows.messages import (
        BOARD_MEETING,
        PREPARATION,
        BoardMeetingInput,
        Item,
        MeetingOutcome,
        PreparationInput,
        Seat,
    )
    from workflows.notice import tell
    from workflows.room import STATUS, MeetingError

KIND = SearchAttributeKey.for_keyword("BoardroomKind")
BOARD = SearchAttributeKey.for_keyword("BoardroomBoard")

T = TypeVar("T")

CREATED, DRAFT, PREPARED = MeetingStatus.CREATED, MeetingStatus.AGENDA_DRAFT, MeetingStatus.PREPARED


class Refusal(ApplicationError):
    """What was asked for is not in order now; the message is the reason, for a person to read."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, type=act.REFUSED, non_retryable=True)


@workflow.defn(name=PREPARATION, failure_exception_types=[MeetingError])
class Preparation:
    """A meeting's preparation; its workflow id is the meeting's id.

    Updates `request_agenda`, `revise_agenda`, `edit_agenda`, `approve_agenda`, `converse`, `start`: each is refused with its
    reason before anything is written. It ends by becoming the meeting, or by being dropped at the review deadline.
    """

    @workflow.init
    def __init__(self, preparing: PreparationInput) -> None:
        self.preparing = preparing
        self.state = preparing.state
        self.started = False
        self.dropped = False
        self.drafting = False
        self.talking = 0
        self.changed = 0

    @workflow.run
    async def run(self, preparing: PreparationInput) -> MeetingOutcome:
        workflow.upsert_search_attributes([KIND.value_set("board"), BOARD.value_set(preparing.board)])
        self._show(self.state.status)
        if preparing.unattended and not self.started:
            await self._unattended()
        while not (self.started or self.dropped):
            await self._wait()
            if workflow.info().is_continue_as_new_suggested() and workflow.all_handlers_finished():
                workflow.continue_as_new(preparing.model_copy(update={"state": self.state, "unattended": False}))
        await workflow.wait_condition(workflow.all_handlers_finished)
        if self.dropped:
            return MeetingOutcome(status=MeetingStatus.FAILED, ended_by=EndedBy.ABANDONED, turns=0)
        workflow.continue_as_new(await self._meeting(), workflow=BOARD_MEETING)

    # -- what a person asks for ------------------------------------------------------------------------------------

    @workflow.update
    async def request_agenda(self) -> act.Drafted:
        """The chairman drafts the agenda from the board book."""
        return await self._draft()

    @request_agenda.validator
    def _may_request(self) -> None:
        self._reviewing("the chairman drafts no other agenda")
        self._not_drafting()

    @workflow.update
    async def revise_agenda(self, note: str) -> act.Drafted:
        """The chairman revises the agenda by a person's note, whose id this is."""
        return await self._draft(note)

    @revise_agenda.validator
    def _may_revise(self, note: str) -> None:
        self._reviewing("it is revised no more")
        self._not_drafting()

    @workflow.update
    async def edit_agenda(self) -> None:
        """Back to the draft: an approved agenda is opened again."""
        await self._keep("edit")
        self._show(DRAFT)

    @edit_agenda.validator
    def _may_edit(self) -> None:
        self._not_started()

    @workflow.update
    async def approve_agenda(self, version: int | None = None) -> None:
        """The person approves the agenda as it stands, or as it stood at this version."""
        await self._keep("approve", version)
        self._show(PREPARED)

    @approve_agenda.validator
    def _may_approve(self, version: int | None = None) -> None:
        self._reviewing("it is approved already")
        self._not_drafting()

    @workflow.update
    async def converse(self, message: str) -> act.Conversed:
        """The chairman answers a message, and changes the agenda where it asks for that."""
        self.talking += 1
        try:
            if self.state.status is CREATED:
                await self._keep("edit")
                self._show(DRAFT)
            return await self._hear(
                act.CONVERSE, act.Conversing(message=message), act.Conversed, "Conversation with the chairman", rounds=4
            )
        finally:
            self.talking -= 1

    @converse.validator
    def _may_converse(self, message: str) -> None:
        self._reviewing("edit it again to talk about changes")

    @workflow.update
    async def start(self) -> None:
        """Begin the meeting."""
        self.started = True

    @start.validator
    def _may_start(self) -> None:
        self._not_started()
        if self.state.status is not PREPARED:
            raise Refusal("The agenda is not approved yet: approve it, and then the meeting can start.")

    def _not_started(self) -> None:
        if self.started:
            raise Refusal("The meeting is being started already.")
        if self.dropped:
            raise Refusal("The meeting was dropped, since its agenda was not approved in time.")

    def _reviewing(self, otherwise: str) -> None:
        self._not_started()
        if self.state.status is PREPARED:
            raise Refusal(f"The agenda is approved: {otherwise}.")

    def _not_drafting(self) -> None:
        if self.drafting:
            raise Refusal("The chairman is drafting the agenda at this moment: wait until it is there.")

    # -- timers ----------------------------------------------------------------------------------------------------

    async def _wait(self) -> None:
        """Until something happened, or the next time that was set has come."""
        due, what = self._due()
        seen = self.changed
        timeout = None if due is None else max(due - workflow.now(), timedelta())
        try:
            await workflow.wait_condition(
                lambda: self.started or self.changed != seen, timeout=timeout, timeout_summary=what or None
            )
        except TimeoutError:
            if not self.started and self.changed == seen:
                await self._come_due()

    def _due(self) -> tuple[datetime | None, str]:
        preparing = self.preparing
        if self.state.status is PREPARED:
            return preparing.scheduled_start, "Scheduled start"
        deadline = preparing.review_deadline or preparing.scheduled_start
        if deadline is None:
            return None, ""
        return deadline + timedelta(seconds=preparing.remind_every) * self.state.reminders, "Review deadline"

    async def _come_due(self) -> None:
        if self.state.status is PREPARED:
            self.started = True
            return
        if self.drafting or self.talking:  # whoever is at work on the agenda finishes first
            await workflow.wait_condition(lambda: not (self.drafting or self.talking))
            return
        match self.preparing.on_review_deadline:
            case "hold":
                await self._unattended()
            case "drop":
                await self._keep("drop", why="its agenda was not approved by the review deadline")
                self.dropped = True
                self._show(MeetingStatus.FAILED)
                await self._tell("meeting_dropped")
            case "remind":
                self.state.reminders += 1
                await self._tell("agenda_waiting", str(self.state.reminders))

    async def _tell(self, kind: str, ref: str = "") -> None:
        if self.preparing.notices:
            await tell(kind, meeting=workflow.info().workflow_id, ref=ref)

    # -- steps -----------------------------------------------------------------------------------------------------

    async def _unattended(self) -> None:
        """Draft where there is nothing, approve, and start: a schedule's meeting, or one held at the review deadline."""
        try:
            if self.state.status is CREATED:
                await self._draft()
            if self.state.status is not PREPARED:
                await self._keep("hold")
                self._show(PREPARED)
        except ActivityError as error:
            why = (
                str(error.cause.message)
                if isinstance(error.cause, ApplicationError)
                else "the agenda could not be drafted in time"
            )
            await self._keep("drop", why=why)
            raise MeetingError(why) from error
        start = self.preparing.scheduled_start
        self.started = start is None or start <= workflow.now()

    async def _draft(self, note: str = "") -> act.Drafted:
        self.drafting = True
        try:
            self.state.drafts += 1
            drafting = act.Drafting(n=self.state.drafts, note=note)
            summary = "Agenda revised by the chairman" if note else "Agenda drafted by the chairman"
            drafted = await self._hear(act.DRAFT_AGENDA, drafting, act.Drafted, summary, rounds=2)
        finally:
            self.drafting = False
            self.changed += 1
        if self.state.status is CREATED:
            self._show(DRAFT)
        return drafted

    async def _hear(self, name: str, asked: act.Drafting | act.Conversing, answer: type[T], summary: str, rounds: int) -> T:
        """An activity that hears the chairman up to `rounds` times."""
        rules = self.preparing.rules
        once = rules.call_timeout + 30
        result: T = await workflow.execute_activity(
            name,
            asked,
            result_type=answer,
            task_queue=self.preparing.voices_queue,
            start_to_close_timeout=timedelta(seconds=once * rounds),
            schedule_to_close_timeout=timedelta(seconds=(once + 30) * rounds * (rules.call_retries + 1) + 600),
            heartbeat_timeout=timedelta(seconds=rules.heartbeat),
            retry_policy=RetryPolicy(initial_interval=timedelta(milliseconds=200), maximum_interval=timedelta(seconds=5)),
            summary=summary,
        )
        return result

    async def _keep(self, what: str, version: int | None = None, why: str = "") -> None:
        await workflow.execute_activity(
            act.KEEP_PREPARATION,
            act.Preparing(what=what, version=version, why=why),
            start_to_close_timeout=timedelta(seconds=max(5.0, self.preparing.rules.heartbeat)),
            retry_policy=RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=10)),
            summary=f"Preparation — {what}",
        )

    def _show(self, status: MeetingStatus) -> None:
        if status is not self.state.status or self.changed == 0:
            workflow.upsert_search_attributes([STATUS.value_set(status.value)])
        self.state.status = status
        self.changed += 1
        workflow.set_current_details(f"**{status.value}** · agenda, {self.state.drafts} drafts by the chairman")

    async def _meeting(self) -> BoardMeetingInput:
        found = await workflow.execute_activity(
            act.READ_CONVENING,
            act.ConveningWanted(titles=self.preparing.titles),
            result_type=act.Convened,
            start_to_close_timeout=timedelta(seconds=10),
            summary="The approved agenda",
        )
        return BoardMeetingInput(
            seats=[Seat(**seat) for seat in found.seats],
            facilitators=found.facilitators,
            items=[Item(**item) for item in found.items],
            seed=found.seed,
            date=found.date,
            voices_queue=self.preparing.voices_queue,
            board=self.preparing.board,
            rules=self.preparing.rules,
            notices=self.preparing.notices,
            afterwards=self.preparing.afterwards,
        )
