"""The work after a meeting: the ledger, the summary, the secretary's review, and what other programs get (source 000, Phase 5).

Each step is one activity that may be done again: a crash between any two leaves one summary, one review and one mail.
"""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from parliament.standing_rules import Rules
    from workflows.messages import AFTER_MEETING, SUMMARY, AfterMeetingInput, SummaryInput
    from workflows.notice import tell

KIND = SearchAttributeKey.for_keyword("BoardroomKind")
RETRY = RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=30))
PUSHED_FOR = timedelta(hours=6)
"""How long other programs are tried before the items wait for the next time."""

T = TypeVar("T")


@workflow.defn(name=AFTER_MEETING)
class AfterMeeting:
    """The after-work of one meeting; returns how many items are in the three buckets of the review."""

    @workflow.run
    async def run(self, after: AfterMeetingInput) -> list[int]:
        workflow.upsert_search_attributes([KIND.value_set("after_meeting")])
        work = act.AfterWork(meeting=after.meeting)
        await _step(act.SETTLE_LEDGER, work, type(None), "Action items — read into the ledger")
        await _heard(
            act.WRITE_SUMMARY,
            act.Summarizing(meeting=after.meeting, version=1),
            act.Summarized,
            after.voices_queue,
            after.rules,
            "Executive summary",
        )
        reviewed = await _heard(act.WRITE_REVIEW, work, act.Reviewed, after.voices_queue, after.rules, "Secretary's review")
        if after.notices:
            await tell("review", meeting=after.meeting)
        await _look(reviewed.resolutions)
        try:
            pushed = await _step(act.PUSH_TASKS, work, act.Pushed, "Action items — to other programs", tried_for=PUSHED_FOR)
            await _look(pushed.resolutions)
        except ActivityError:
            workflow.logger.warning("action items could not be given to another program; the next meeting tries again")
        return reviewed.counts


@workflow.defn(name=SUMMARY)
class Summary:
    """One more version of a summary, when somebody asks for it."""

    @workflow.run
    async def run(self, wanted: SummaryInput) -> act.Summarized:
        workflow.upsert_search_attributes([KIND.value_set("summary")])
        written = await _heard(
            act.WRITE_SUMMARY,
            act.Summarizing(meeting=wanted.meeting, version=wanted.version),
            act.Summarized,
            wanted.voices_queue,
            wanted.rules,
            "Executive summary",
        )
        if wanted.mail:
            await tell("summary", meeting=wanted.meeting, ref=str(written.version))
        return written


async def _step(name: str, payload: Any, answer: type[T], summary: str, tried_for: timedelta | None = None) -> T:
    result: T = await workflow.execute_activity(
        name,
        payload,
        result_type=answer,
        start_to_close_timeout=timedelta(seconds=60),
        schedule_to_close_timeout=tried_for,
        retry_policy=RETRY,
        summary=summary,
    )
    return result


async def _look(resolutions: list[str]) -> None:
    """Let the workflows of these resolutions look; one that has ended has seen all there was to see."""
    for resolution in resolutions:
        with contextlib.suppress(ApplicationError):
            await workflow.get_external_workflow_handle(resolution).signal("look")


async def _heard(name: str, payload: Any, answer: type[T], queue: str, rules: Rules, summary: str) -> T:
    """An activity that hears the secretary up to twice, and does without it when it does not answer."""
    once = rules.call_timeout + 30
    result: T = await workflow.execute_activity(
        name,
        payload,
        result_type=answer,
        task_queue=queue,
        start_to_close_timeout=timedelta(seconds=2 * once),
        heartbeat_timeout=timedelta(seconds=rules.heartbeat),
        retry_policy=RETRY,
        summary=summary,
    )
    return result
