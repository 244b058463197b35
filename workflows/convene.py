"""What a Schedule starts: it opens the meeting that has come due, has it prepared and held by itself, and says how it went.

The meeting is a workflow of its own under its own id; this one waits for it, so that the Schedule starts no second meeting
beside it, up to the limit of source 000 (Scheduling: a timeout of 30 minutes; completed, failed or timeout is reported).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey, WorkflowIDReusePolicy
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    CancelledError,
    ChildWorkflowError,
    FailureError,
    TerminatedError,
    WorkflowAlreadyStartedError,
)
from temporalio.exceptions import TimeoutError as TemporalTimeout

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from parliament.values import EndedBy, MeetingStatus
    from workflows.messages import (
        CONVENE,
        PREPARATION,
        ConveneInput,
        ConveneOutcome,
        MeetingOutcome,
        PreparationInput,
    )
    from workflows.notice import tell
    from workflows.room import MeetingError

PLANNED = SearchAttributeKey.for_datetime("TemporalScheduledStartTime")
KIND = SearchAttributeKey.for_keyword("BoardroomKind")

TRIED_FOR = timedelta(minutes=15)
"""How long a meeting is tried to be opened: a machine that has just woken up may have no network yet."""
TASK = timedelta(seconds=5)

NOTICES = {"failed": "convening_failed", "timeout": "convening_timeout", "missed": "meeting_missed"}


@workflow.defn(name=CONVENE, failure_exception_types=[MeetingError])
class Convene:
    """One convening of a schedule; Temporal makes its workflow id from the schedule's and the planned time."""

    @workflow.run
    async def run(self, convening: ConveneInput) -> ConveneOutcome:
        """Hold the meeting that is due. What went wrong is an outcome and a notice, never a failure of this workflow."""
        workflow.upsert_search_attributes([KIND.value_set("convening")])
        planned = self._planned()
        if workflow.now() - planned > timedelta(seconds=convening.catchup):
            return await self._end(convening, planned, "missed", why="nothing was running to hold it in time")
        try:
            opened = await self._open(convening, planned)
        except ActivityError as error:
            return await self._end(convening, planned, "failed", why=_reason(error))
        if opened.meeting is None:
            return ConveneOutcome(outcome="nothing_to_do")
        try:
            outcome, why = await self._held(convening, opened)
        except WorkflowAlreadyStartedError:
            outcome, why = "failed", "the meeting had been started already"
        return await self._end(convening, planned, outcome, meeting=opened.meeting, why=why)

    def _planned(self) -> datetime:
        info = workflow.info()
        return info.typed_search_attributes.get(PLANNED) or info.workflow_start_time

    async def _open(self, convening: ConveneInput, planned: datetime) -> act.ConveningOpened:
        workflow.set_current_details("Opening the meeting")
        return await workflow.execute_activity(
            act.OPEN_CONVENING,
            act.ConveningDue(schedule_id=convening.schedule_id, kind=convening.kind, planned=planned.isoformat()),
            result_type=act.ConveningOpened,
            start_to_close_timeout=timedelta(seconds=30),
            schedule_to_close_timeout=TRIED_FOR,
            retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(minutes=1)),
            summary="Open the meeting" if convening.kind == "weekly" else "Look at the goals",
        )

    async def _held(self, convening: ConveneInput, opened: act.ConveningOpened) -> tuple[str, str]:
        """Start the meeting's workflow and wait for its end, or for the limit; then it is left to its own closing."""
        assert opened.meeting is not None
        assert opened.preparation is not None
        meeting = await workflow.start_child_workflow(
            PREPARATION,
            PreparationInput(**opened.preparation),
            id=opened.meeting,
            task_queue=convening.meetings_queue,
            result_type=MeetingOutcome,
            task_timeout=TASK,
            parent_close_policy=workflow.ParentClosePolicy.ABANDON,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            static_summary="Board meeting",
        )
        workflow.set_current_details(f"Convened {opened.meeting}")
        if convening.kind == "drift" and opened.preparation.get("notices"):
            await tell("drift_meeting", meeting=opened.meeting, task_queue=convening.meetings_queue)
        try:
            await workflow.wait_condition(
                meeting.done, timeout=timedelta(seconds=opened.limit), timeout_summary="Limit of a scheduled meeting"
            )
        except TimeoutError:
            return "timeout", f"it was not over {round(opened.limit / 60)} minutes after it was convened, and goes on by itself"
        try:
            held = await meeting
        except ChildWorkflowError as error:
            return "failed", _reason(error)
        if held.status is not MeetingStatus.COMPLETED or held.ended_by is EndedBy.ABANDONED:
            return "failed", "the meeting was given up"
        return "completed", ""

    async def _end(
        self, convening: ConveneInput, planned: datetime, outcome: str, *, meeting: str | None = None, why: str = ""
    ) -> ConveneOutcome:
        kept = await workflow.execute_activity(
            act.END_CONVENING,
            act.ConveningEnded(
                schedule_id=convening.schedule_id, planned=planned.isoformat(), outcome=outcome, meeting=meeting, why=why
            ),
            result_type=act.ConveningKept,
            start_to_close_timeout=timedelta(seconds=10),
            retry_policy=RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=10)),
            summary=f"The convening ended — {outcome}",
        )
        if kept.notices and kept.outcome in NOTICES:
            await tell(NOTICES[kept.outcome], meeting=kept.meeting, ref=_day(planned), task_queue=convening.meetings_queue)
        return ConveneOutcome(outcome=kept.outcome, meeting=meeting)


def _day(planned: datetime) -> str:
    """The planned time as a notice's reference: "2026-12-06T14:00Z"."""
    return planned.strftime("%Y-%m-%dT%H:%MZ")


def _reason(error: FailureError) -> str:
    """The innermost reason that was given for people; what was ended from outside or took too long gives none."""
    cause: BaseException | None = error
    while isinstance(cause, (ActivityError, ChildWorkflowError)):
        cause = cause.cause
    if isinstance(cause, ApplicationError):
        return cause.message
    if isinstance(cause, (TerminatedError, CancelledError)):
        return "it was ended from outside"
    return "no answer came in time" if isinstance(cause, TemporalTimeout) else "it broke down"
