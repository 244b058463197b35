"""Deleting a meeting everywhere, and erasing everything of a person (SERVICE_SECURITY 12).

Temporal's histories go first: a record without a history can be deleted again, a history without a record could not be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from clerk import reading, running, scheduling
from clerk.access import OWNER
from clerk.errors import DeskError, Kind
from parliament.values import MeetingStatus
from records import erasing

if TYPE_CHECKING:
    from records.engine import Store
    from records.meetings import MeetingRow

RUNNING = (MeetingStatus.IN_PROGRESS, MeetingStatus.PAUSED, MeetingStatus.QUORUM_LOST, MeetingStatus.FAILED)
"""Open meetings: what waits to be resumed is not deleted by the way."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What is gone. `log_emptied` False: a reader kept the store's log busy; it is emptied when the last one closes."""

    meetings: tuple[str, ...]
    log_emptied: bool


async def delete(client: Client, store: Store, meeting_id: str) -> Erased:
    """Delete a meeting: its workflow and history, its rows, transcript and search rows. REFUSED while it runs."""
    meeting = await reading.known(store, meeting_id)
    if meeting.status in RUNNING and meeting.ended_by is None:
        raise DeskError(
            f"The meeting {meeting_id} is {meeting.status.value}: let it end, and then delete it.", kind=Kind.REFUSED
        )
    if meeting.status is MeetingStatus.PREPARED and await _begun(client, meeting):
        raise DeskError(f"The meeting {meeting_id} is beginning: let it end, and then delete it.", kind=Kind.REFUSED)
    await _forget_workflow(client, meeting_id)
    async with store.write() as tx:
        await erasing.meeting(tx, meeting_id)
    return Erased((meeting_id,), await store.forget_log())


async def erase(client: Client, store: Store, owner: str, *, force: bool = False) -> Erased:
    """Erase a person: every meeting of theirs and every token. With `force` running meetings are ended first; else REFUSED."""
    async with store.read() as tx:
        ids = await erasing.meetings_of(tx, owner)
    rows = [await reading.known(store, meeting_id) for meeting_id in ids]
    busy = [row.id for row in rows if row.status in RUNNING and row.ended_by is None]
    if busy and not force:
        raise DeskError(
            f"{len(busy)} meeting{'s are' if len(busy) > 1 else ' is'} still open ({busy[0]}): let them end, or say --force.",
            kind=Kind.REFUSED,
        )
    for meeting_id in ids:
        await _forget_workflow(client, meeting_id)
        async with store.write() as tx:
            await erasing.meeting(tx, meeting_id)
    async with store.write() as tx:
        await erasing.access_of(tx, owner)
    if owner == OWNER:  # whose meetings the schedules convene
        await scheduling.forget(client, store)
    return Erased(tuple(ids), await store.forget_log())


async def _begun(client: Client, meeting: MeetingRow) -> bool:
    """Whether a meeting that the record calls prepared has its workflow running as a meeting already."""
    try:
        found = await client.get_workflow_handle(meeting.id).describe(rpc_timeout=running.RPC)
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        if isinstance(error, RPCError) and error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise running.refused(error, meeting.id) from None
    return found.close_time is None and found.workflow_type != "Preparation"


async def _forget_workflow(client: Client, meeting_id: str) -> None:
    """End and delete the workflow of a meeting in every run, and those that follow it: notices, resolutions, summaries."""
    follows = re.compile(
        rf"RES-{meeting_id}-[0-9]+(?:-[0-9]+)?|after-{meeting_id}|summary-{meeting_id}-[0-9]+|notice-{meeting_id}/.*"
    )
    after = (f"notice-{meeting_id}/", f"RES-{meeting_id}-", f"after-{meeting_id}", f"summary-{meeting_id}-")
    await _forget(client, meeting_id, meeting_id, after, follows)


async def forget_workflow(client: Client, resolution_id: str, meeting_id: str) -> None:
    """End and delete the workflow that follows a resolution, and those of its notices."""
    about = re.compile(rf"notice-{meeting_id}/[a-z_]+/{resolution_id}(?:/.*)?")
    await _forget(client, resolution_id, meeting_id, (f"notice-{meeting_id}/",), about)


async def _forget(client: Client, first: str, meeting_id: str, beginnings: tuple[str, ...], follows: re.Pattern[str]) -> None:
    """End and delete a workflow and those that follow it, in every run: histories hold ids and places.

    The server takes the order at once and carries it out within a minute.
    """
    try:
        ids = {first}
        for beginning in beginnings:
            async for found in client.list_workflows(f"WorkflowId STARTS_WITH '{beginning}'"):
                if follows.fullmatch(found.id):
                    ids.add(found.id)
        for workflow_id in sorted(ids):
            runs = {found.run_id async for found in client.list_workflows(f"WorkflowId = '{workflow_id}'")}
            # The server's list lags behind: the run that stands now may not be in it yet.
            if (standing := await _standing(client, workflow_id)) is not None:
                runs.add(standing)
            for run_id in runs:
                await _delete_run(client, workflow_id, run_id)
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise running.refused(error, meeting_id) from None


async def _standing(client: Client, workflow_id: str) -> str | None:
    try:
        return (await client.get_workflow_handle(workflow_id).describe(rpc_timeout=running.RPC)).run_id
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return None
        raise


async def _delete_run(client: Client, workflow_id: str, run_id: str) -> None:
    try:
        await client.workflow_service.delete_workflow_execution(
            DeleteWorkflowExecutionRequest(
                namespace=client.namespace, workflow_execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id)
            ),
            timeout=running.RPC,
        )
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
