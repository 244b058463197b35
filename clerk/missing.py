"""Meetings that were missed because nothing was running: found afterwards, kept on the record, and told once.

A Schedule's times are listed by the server itself and compared with what its conveners put on the record. A time counts as
missed when no convener was started for it within the catch-up window and no meeting of the schedule was being held then.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp
from temporalio.api.workflowservice.v1 import ListScheduleMatchingTimesRequest
from temporalio.client import Client, ScheduleDescription, WorkflowExecutionStatus
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from clerk.scheduling import RPC, schedule_id
from records import convenings
from records.convenings import Convening
from settings import Settings
from workflows.messages import NOTICE, NoticeInput, meetings_queue

if TYPE_CHECKING:
    from records.engine import Store

log = logging.getLogger("boardroom.schedule")

LOOKS = (1.0, 5.0, 30.0)
"""Seconds between the first looks: a server that has just started reckons a little later what it missed."""
EVERY = 900.0
"""Seconds between later looks: a machine that slept has missed a meeting too, and starts nothing when it wakes up."""


async def watch(client: Client, store: Store, settings: Settings) -> None:
    """Look again and again until cancelled; what cannot be looked at now is looked at the next time."""
    n = 0
    while True:
        await asyncio.sleep(LOOKS[n] if n < len(LOOKS) else EVERY)
        n += 1
        try:
            await look(client, store, settings)
        except Exception as error:
            log.warning("could not look for missed meetings (%s)", type(error).__name__)


async def look(client: Client, store: Store, settings: Settings, *, now: datetime | None = None) -> list[datetime]:
    """Put what the weekly schedule missed on the record and send one notice; the missed times that are new.

    A look that was missed by the drift schedule needs no telling: the next one sees the same goals. Also ends convenings
    whose convener is gone. RPCError, StoreError.
    """
    now = now or datetime.now(UTC)
    await _end_orphans(client, store, now)
    id_ = schedule_id(store, "weekly")
    try:
        described = await client.get_schedule_handle(id_).describe(rpc_timeout=RPC)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return []
        raise
    missed = await _missed(client, store, id_, described, now)
    if not missed:
        return []
    if settings.has_notices:
        # Before the record: what dies in between is found again, and the same notice is not sent twice.
        await _tell(client, store, id_, missed[-1])
    window = round((described.schedule.policy.catchup_window or timedelta()).total_seconds() / 3600, 1)
    why = f"nothing was running to hold it at that time, nor within {window:g} hours after"
    new = []
    async with store.write() as tx:
        for planned in missed:
            if await convenings.missed(tx, schedule_id=id_, planned_for=planned, now=now, why=why):
                new.append(planned)
    return new


async def _missed(client: Client, store: Store, id_: str, described: ScheduleDescription, now: datetime) -> list[datetime]:
    """Times of the schedule that nobody met at and that are not on the record, in order."""
    info = described.info
    # The server's own count: without it there is nothing to find, and times at which it was paused are not in it.
    counted = info.num_actions_missed_catchup_window + info.num_actions_skipped_overlap
    if not counted or described.schedule.state.paused:
        return []
    since = max(info.created_at, info.last_updated_at or info.created_at)
    until = now - (described.schedule.policy.catchup_window or timedelta())
    if until <= since:
        return []
    async with store.read() as tx:
        record = await convenings.since(tx, id_, info.created_at - timedelta(days=1))
    started = {moment.replace(microsecond=0) for moment in (action.scheduled_at for action in info.recent_actions)}
    known = {row.planned_for.replace(microsecond=0) for row in record} | started
    found = [
        moment
        for moment in await _times(client, id_, since, until)
        if moment not in known and not any(_held(row, moment, now) for row in record)
    ]
    told = sum(row.outcome == "missed" and row.id.startswith(f"{id_}-missed-") for row in record)
    return found[-(counted - told) :] if counted > told else []


def _held(row: Convening, moment: datetime, now: datetime) -> bool:
    """Whether this convening's meeting was being held at that moment: the schedule skipped it on purpose."""
    return row.outcome != "missed" and row.started_at <= moment <= (row.ended_at or now)


async def _times(client: Client, id_: str, since: datetime, until: datetime) -> list[datetime]:
    """When the schedule was to fire after `since` and up to `until`, as the server lists it."""
    first, last = Timestamp(), Timestamp()
    first.FromDatetime(since)
    last.FromDatetime(until)
    request = ListScheduleMatchingTimesRequest(namespace=client.namespace, schedule_id=id_, start_time=first, end_time=last)
    found = await client.workflow_service.list_schedule_matching_times(request, timeout=RPC)
    times = (moment.ToDatetime().replace(tzinfo=UTC) for moment in found.start_time)
    return sorted(moment for moment in times if since < moment <= until)


async def _tell(client: Client, store: Store, id_: str, planned: datetime) -> None:
    """One notice, of the last that was missed; `boardroom schedule show` lists them all."""
    ref = planned.strftime("%Y-%m-%dT%H:%MZ")
    place = f"{id_}/meeting_missed/{ref}"
    try:
        await client.start_workflow(
            NOTICE,
            NoticeInput(id=place, kind="meeting_missed", ref=ref),
            id=f"notice-{place}",
            task_queue=meetings_queue(store.store_id),
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            rpc_timeout=RPC,
        )
    except WorkflowAlreadyStartedError:
        return


async def _end_orphans(client: Client, store: Store, now: datetime) -> None:
    """End the convenings whose convener was ended from outside: it can no longer do so itself."""
    async with store.read() as tx:
        open_ = await convenings.running(tx)
    for row in open_:
        try:
            found = await client.get_workflow_handle(row.id).describe(rpc_timeout=RPC)
            gone = found.status is not WorkflowExecutionStatus.RUNNING
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            gone = True
        if gone:
            async with store.write() as tx:
                why = "its convener was ended before the meeting was over"
                await convenings.end(tx, row.id, outcome="failed", why=why, now=now)
