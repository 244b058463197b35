"""An adopted resolution, followed until it is done: it waits for the person's answer, reminds, and keeps its deadlines.

The record says what is due (`parliament.following`); the workflow holds the timers, takes the answers in their order, and
sends the notices. It outlives its meeting, for as long as it takes.
"""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from workflows.messages import FOLLOW_UP, FollowUpInput
    from workflows.notice import tell
    from workflows.room import STATUS, MeetingError

KIND = SearchAttributeKey.for_keyword("BoardroomKind")
RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=30))


@workflow.defn(name=FOLLOW_UP, failure_exception_types=[MeetingError])
class ResolutionFollowUp:
    """Follows one resolution; its workflow id is the resolution's.

    Update `respond`: the person's answer, refused with its reason when another stands. Signal `look`: something changed.
    It returns the status at which the resolution ended: done, rejected or superseded; "deleted" when it was.
    """

    @workflow.init
    def __init__(self, following: FollowUpInput) -> None:
        self.following = following
        self.now: act.FollowedNow | None = None
        self.changed = True
        self.answering = False

    @workflow.run
    async def run(self, following: FollowUpInput) -> str:
        workflow.upsert_search_attributes([KIND.value_set("resolution")])
        while True:
            self.changed = False
            now = await self._look()
            if now.gone or now.ended:
                await workflow.wait_condition(workflow.all_handlers_finished)
                return "deleted" if now.gone else now.status
            await self._wait(now)
            if self._long_enough() and workflow.all_handlers_finished():
                workflow.continue_as_new(following)

    # -- messages --------------------------------------------------------------------------------------------------

    @workflow.signal
    def look(self) -> None:
        """Something about it changed on the record: an action item, or another resolution that takes its place."""
        self.changed = True

    @workflow.update
    async def respond(self, answering: act.Answering) -> str:
        """Take the person's answer; the status at which the resolution stands with it."""
        self.answering = True
        try:
            status: str = await workflow.execute_activity(
                act.ANSWER_RESOLUTION,
                answering.model_copy(update={"at": self._moment()}),
                result_type=str,
                start_to_close_timeout=timedelta(seconds=10),
                retry_policy=RETRY,
                summary=f"Answer — {answering.response}",
            )
            return status
        except ActivityError as error:
            if isinstance(error.cause, ApplicationError) and error.cause.type == act.REFUSED:
                raise ApplicationError(error.cause.message, type=act.REFUSED, non_retryable=True) from None
            raise
        finally:
            self.answering = False
            self.changed = True

    @respond.validator
    def _may_respond(self, answering: act.Answering) -> None:
        if self.answering:
            raise ApplicationError(
                "Another answer is being taken, and the first one stands: look at it before you answer again.", type=act.REFUSED
            )
        same = self.now is not None and bool(answering.note) and answering.note == self.now.key
        if self.now is not None and self.now.answer in ("accept", "reject") and not same:
            raise ApplicationError(f"It was {self.now.answer}ed already; the first answer stands.", type=act.REFUSED)

    # -- steps -----------------------------------------------------------------------------------------------------

    async def _look(self) -> act.FollowedNow:
        afterwards = self.following.afterwards
        now: act.FollowedNow = await workflow.execute_activity(
            act.FOLLOW_RESOLUTION,
            act.Following(
                at=self._moment(), remind_days=afterwards.remind_days, stale_days=afterwards.stale_days, hour=afterwards.hour
            ),
            result_type=act.FollowedNow,
            start_to_close_timeout=timedelta(seconds=10),
            retry_policy=RETRY,
            summary="Resolution — where it stands",
        )
        before, self.now = self.now, now
        if before is None or now.status != before.status:
            workflow.upsert_search_attributes([STATUS.value_set(now.status)])
        workflow.set_current_details(f"**{now.status}**" + (f" · looked at again {now.next}" if now.next else ""))
        if self.following.notices:
            for kind, ref in now.tell:
                await tell(kind, meeting=now.meeting, ref=ref)
        if now.replaced and (before is None or before.answer != now.answer):
            await self._let_look(now.replaced)
        return now

    @staticmethod
    async def _let_look(resolutions: list[str]) -> None:
        """Let the workflows of resolutions whose place this one took look; one that does not run has nothing to look at."""
        for resolution in resolutions:
            with contextlib.suppress(ApplicationError):
                await workflow.get_external_workflow_handle(resolution).signal("look")

    async def _wait(self, now: act.FollowedNow) -> None:
        """Until something changes, or the next moment has come."""
        timeout = None
        if now.next is not None:
            timeout = max(datetime.fromisoformat(now.next) - workflow.now(), timedelta())
        with contextlib.suppress(TimeoutError):
            await workflow.wait_condition(
                lambda: self.changed and not self.answering, timeout=timeout, timeout_summary="Next moment of the resolution"
            )

    def _long_enough(self) -> bool:
        info = workflow.info()
        return info.is_continue_as_new_suggested() or info.get_current_history_length() >= self.following.continue_after_events

    @staticmethod
    def _moment() -> str:
        return workflow.now().isoformat(timespec="milliseconds")
