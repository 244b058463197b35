"""A notice on its way to the person: tried for a day, sent once to each channel, whatever becomes of the meeting."""

from __future__ import annotations

from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ActivityError, WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from workflows.messages import NOTICE, NoticeInput

TRIED_FOR = timedelta(hours=24)
ATTEMPT = timedelta(seconds=45)
"""After which an attempt is taken for dead: channels are tried side by side, and none is waited for as long."""


@workflow.defn(name=NOTICE)
class Notice:
    """Delivers one notice. Its workflow id is derived from the moment it tells of."""

    @workflow.run
    async def run(self, notice: NoticeInput) -> bool:
        """Whether every channel has it; False when one did not take it within a day (the store says which and why)."""
        try:
            await workflow.execute_activity(
                act.DELIVER_NOTICE,
                act.Delivery(id=notice.id, kind=notice.kind, meeting=notice.meeting, ref=notice.ref),
                start_to_close_timeout=ATTEMPT,
                schedule_to_close_timeout=TRIED_FOR,
                retry_policy=RetryPolicy(initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=15)),
                summary=f"Notice — {notice.kind.replace('_', ' ')}",
            )
        except ActivityError:
            return False
        return True


async def tell(kind: str, *, meeting: str | None = None, ref: str = "", task_queue: str | None = None) -> None:
    """Send a notice on its way from a workflow; the workflow does not wait for it. The same moment is told once.

    `task_queue`: the meetings' queue, for a workflow that runs on another.
    """
    place = "/".join(part for part in (meeting or workflow.info().workflow_id, kind, ref) if part)
    try:
        await workflow.start_child_workflow(
            NOTICE,
            NoticeInput(id=place, kind=kind, meeting=meeting, ref=ref or None),
            id=f"notice-{place}",
            task_queue=task_queue,
            parent_close_policy=workflow.ParentClosePolicy.ABANDON,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        )
    except WorkflowAlreadyStartedError:
        return
