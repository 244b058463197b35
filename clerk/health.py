"""How the service is: the store, the Temporal server, and whether a worker is there."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from records import meetings
from workflows.messages import meetings_queue

if TYPE_CHECKING:
    from records.engine import Store

PATIENCE = 3.0
LATELY = timedelta(seconds=90)
"""A worker that polled within this time counts as there: a poll lasts a minute."""


async def look(client: Client, store: Store) -> dict[str, str]:
    """ "ok" or what is wrong, for `store`, `temporal` and `worker`."""
    found = {"store": "ok", "temporal": "ok", "worker": "unknown"}
    try:
        await asyncio.wait_for(store.revision(), PATIENCE)
    except Exception as error:
        found["store"] = type(error).__name__
    try:
        there = await asyncio.wait_for(polled(client, meetings_queue(store.store_id)), PATIENCE)
        found["worker"] = "ok" if there else "no worker polls"
    except (RPCError, RuntimeError, TimeoutError):
        found["temporal"] = "does not answer"
    return found


async def polled(client: Client, queue: str) -> bool:
    """Whether a worker took workflow tasks from this queue lately. Raises RPCError."""
    described = await client.workflow_service.describe_task_queue(
        DescribeTaskQueueRequest(
            namespace=client.namespace,
            task_queue=TaskQueue(name=queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        ),
        timeout=timedelta(seconds=PATIENCE),
    )
    now = datetime.now(UTC)
    return any(now - poller.last_access_time.ToDatetime(UTC) < LATELY for poller in described.pollers)


async def meetings_by_status(store: Store) -> dict[str, int]:
    async with store.read() as tx:
        return await meetings.by_status(tx)
