"""The board's schedules: Temporal Schedules that start a convener every week, or look every day whether goals drift.

A Schedule and its convener carry the store's id, a kind and times, and nobody's words (law 15): what a meeting is called
and about stands in the store. Every function raises DeskError.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Literal, get_args
from zoneinfo import ZoneInfo

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import (
    Client,
    Schedule,
    ScheduleActionExecutionStartWorkflow,
    ScheduleActionStartWorkflow,
    ScheduleAlreadyRunningError,
    ScheduleCalendarSpec,
    ScheduleDescription,
    ScheduleHandle,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleRange,
    ScheduleSpec,
    ScheduleState,
    ScheduleUpdate,
    ScheduleUpdateInput,
    WorkflowExecutionStatus,
)
from temporalio.service import RPCError, RPCStatusCode

from clerk.errors import DeskError, Kind
from clerk.opening import MAX_NAME
from clerk.timetable import WEEKDAYS, Timetable
from parliament.text import is_blank, one_line
from records import convenings
from records.convenings import Convening
from settings import Settings
from workflows.messages import CONVENE, ConveneInput, meetings_queue, schedule_queue

if TYPE_CHECKING:
    from records.engine import Store

ScheduleKind = Literal["weekly", "drift"]
KINDS: tuple[ScheduleKind, ...] = get_args(ScheduleKind)

RPC = timedelta(seconds=10)
TASK = timedelta(seconds=5)
"""How long a convener's workflow task may take before another worker gets it."""
POLLED = timedelta(seconds=75)
"""A worker asks at least once a minute for work; who did not for this long is gone."""
TRIGGERED = 10.0
"""Seconds in which a triggered schedule is expected to have started its convener."""
SHOWN = 5
"""Next firings and last convenings that are shown."""


@dataclass(frozen=True, slots=True)
class ScheduleView:
    """A schedule as it stands: what Temporal says of it, and what the record says came of it. Times are UTC."""

    kind: ScheduleKind
    schedule_id: str
    timetable: Timetable | None  # None: it was changed elsewhere into something that is no timetable
    name: str | None  # what its meetings are called
    paused: bool
    note: str
    next: tuple[datetime, ...]  # by the server's own reckoning; empty while it is paused
    running: str | None  # the convener whose meeting still runs
    polled: bool  # somebody is there to hold the meeting when it comes due
    missed: int  # firings that found no server within the catch-up window
    skipped: int  # firings that found the last meeting still running
    convenings: list[Convening] = field(default_factory=list)  # the newest first

    @property
    def words(self) -> str:
        return self.timetable.words if self.timetable is not None else "at times that were set elsewhere"

    @property
    def meeting(self) -> str | None:
        """The meeting that still runs."""
        return next((one.meeting_id for one in self.convenings if one.id == self.running), None)

    def local(self, moment: datetime) -> datetime:
        return moment.astimezone(ZoneInfo(self.timetable.zone if self.timetable is not None else "UTC"))


def schedule_id(store: Store, kind: ScheduleKind) -> str:
    return f"boardroom-{store.store_id}-{kind}"


# -- setting and changing ----------------------------------------------------------------------------------------------


async def set_schedule(
    client: Client,
    store: Store,
    settings: Settings,
    kind: ScheduleKind,
    table: Timetable,
    *,
    name: str | None = None,
    replace: bool = False,
) -> ScheduleView:
    """Set a schedule. One that is there is a usage error unless `replace`; a replaced one keeps its pause."""
    called = checked(settings, kind, name)
    scheduled = _schedule(store, settings, kind, table)
    try:
        await client.create_schedule(schedule_id(store, kind), scheduled, rpc_timeout=RPC)
    except ScheduleAlreadyRunningError:
        if not replace:
            standing = await view(client, store, kind)
            raise DeskError(
                f"There is a {kind} schedule already ({standing.words}): add --replace to set another in its place.",
                usage=True,
            ) from None
        await _update(client, store, kind, scheduled)
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise _refused(error) from None
    async with store.write() as tx:
        await convenings.call_meetings(tx, schedule_id(store, kind), called)
    return await view(client, store, kind)


def checked(settings: Settings, kind: ScheduleKind, name: str | None) -> str | None:
    """The name of the meetings as it is kept, and whether such a schedule can be set at all. Touches no store, no network."""
    if kind == "drift" and (settings.context_dir is None or not settings.context_dir.is_dir()):
        raise DeskError(
            "The drift schedule reads goals from the context folder: set BOARDROOM_CONTEXT_DIR to a folder that is there.",
            usage=True,
        )
    if name is None:
        return None
    called = one_line(name)
    if is_blank(called):
        raise DeskError("The name of the meetings is empty: leave --name out to have them named by their date.", usage=True)
    if len(called) > MAX_NAME:
        raise DeskError(f"The name of the meetings has {len(called)} characters and the limit is {MAX_NAME}.", usage=True)
    return called


async def pause(client: Client, store: Store, kind: ScheduleKind) -> ScheduleView:
    """Let it fire no more until it is resumed; its note says since when. REFUSED when it is paused already."""
    if (standing := await view(client, store, kind)).paused:
        raise DeskError(f"The {kind} schedule is paused already ({standing.note or 'elsewhere'}).", kind=Kind.REFUSED)
    async with _reached(kind):
        await _handle(client, store, kind).pause(note=_note("paused"), rpc_timeout=RPC)
    return await view(client, store, kind)


async def resume(client: Client, store: Store, kind: ScheduleKind) -> ScheduleView:
    """Let it fire again from now on. REFUSED when it is not paused."""
    if not (await view(client, store, kind)).paused:
        raise DeskError(f"The {kind} schedule is not paused.", kind=Kind.REFUSED)

    # An update, not a plain unpausing: its time is where the look for missed meetings begins.
    def unpaused(found: ScheduleUpdateInput) -> ScheduleUpdate:
        schedule = found.description.schedule
        schedule.state = ScheduleState(note=_note("resumed"), paused=False)
        return ScheduleUpdate(schedule=schedule)

    async with _reached(kind):
        await _handle(client, store, kind).update(unpaused, rpc_timeout=RPC)
    return await view(client, store, kind)


async def trigger(client: Client, store: Store, kind: ScheduleKind) -> str:
    """Convene now, as if it had come due; the convener's id. REFUSED while the last meeting of the schedule still runs."""
    before = await view(client, store, kind)
    if before.running is not None:
        which = before.meeting or before.running
        raise DeskError(
            f"The last meeting of the {kind} schedule still runs ({which}): none is convened beside it.", kind=Kind.REFUSED
        )
    async with _reached(kind):
        if (convener := await _triggered(_handle(client, store, kind))) is not None:
            return convener
    raise DeskError(
        f"The {kind} schedule was triggered and has not started its convener yet: `boardroom schedule show` says when it has.",
        kind=Kind.AWAY,
    )


async def _triggered(handle: ScheduleHandle) -> str | None:
    """The convener that a trigger started; None when it started none in time.

    A Schedule learns a little late that its last convener has ended, and then skips the trigger as if it still ran.
    """
    before = (await handle.describe(rpc_timeout=RPC)).info
    known = {_convener(action) for action in before.recent_actions}
    if before.recent_actions and datetime.now(UTC) - before.recent_actions[-1].started_at < timedelta(seconds=1):
        await asyncio.sleep(1)  # a convener's id names its second
    skipped: int | None = None
    until = asyncio.get_running_loop().time() + TRIGGERED
    while asyncio.get_running_loop().time() < until:
        info = (await handle.describe(rpc_timeout=RPC)).info
        if new := [found for action in info.recent_actions if (found := _convener(action)) not in known]:
            return new[-1]
        if skipped is None or info.num_actions_skipped_overlap > skipped:
            skipped = info.num_actions_skipped_overlap
            await handle.trigger(rpc_timeout=RPC)
        await asyncio.sleep(0.1)
    return None


async def delete(client: Client, store: Store, kind: ScheduleKind) -> None:
    """Take the schedule away. What it did stays on the record, and a meeting that runs goes on."""
    async with _reached(kind):
        await _handle(client, store, kind).delete(rpc_timeout=RPC)
    async with store.write() as tx:
        await convenings.call_meetings(tx, schedule_id(store, kind), None)


async def forget(client: Client, store: Store) -> None:
    """Take every schedule away with all that is kept of them: the person whose meetings they held is erased."""
    for kind in KINDS:
        try:
            await delete(client, store, kind)
        except DeskError as error:
            if error.kind is not Kind.UNKNOWN:
                raise
    async with store.write() as tx:
        await convenings.forget(tx, [schedule_id(store, kind) for kind in KINDS])


# -- looking -----------------------------------------------------------------------------------------------------------


async def view(client: Client, store: Store, kind: ScheduleKind) -> ScheduleView:
    """The schedule as it stands. UNKNOWN when it is not set."""
    found = await find(client, store, kind)
    if found is None:
        raise DeskError(unset(kind), kind=Kind.UNKNOWN)
    return found


async def find(client: Client, store: Store, kind: ScheduleKind) -> ScheduleView | None:
    """The schedule as it stands; None when it is not set."""
    try:
        described = await _handle(client, store, kind).describe(rpc_timeout=RPC)
    except (RPCError, RuntimeError) as error:
        if isinstance(error, RPCError) and error.status is RPCStatusCode.NOT_FOUND:
            return None
        raise _refused(error) from None
    id_ = schedule_id(store, kind)
    async with store.read() as tx:
        called = await convenings.meetings_called(tx, id_)
        past = await convenings.listing(tx, id_, SHOWN)
    return ScheduleView(
        kind=kind,
        schedule_id=id_,
        timetable=_timetable(described),
        name=called,
        paused=described.schedule.state.paused,
        note=described.schedule.state.note or "",
        next=() if described.schedule.state.paused else tuple(described.info.next_action_times[:SHOWN]),
        running=await _running(client, described),
        polled=await polled(client, store),
        missed=described.info.num_actions_missed_catchup_window,
        skipped=described.info.num_actions_skipped_overlap,
        convenings=past,
    )


async def views(client: Client, store: Store) -> list[ScheduleView]:
    """The schedules that are set."""
    found = await asyncio.gather(*(find(client, store, kind) for kind in KINDS))
    return [one for one in found if one is not None]


async def only(client: Client, store: Store) -> ScheduleKind:
    """The kind of the one schedule that is set. A usage error when there is none, or more than one to choose from."""
    found = [one.kind for one in await views(client, store)]
    if not found:
        raise DeskError(unset(), kind=Kind.UNKNOWN)
    if len(found) > 1:
        raise DeskError(f"Say which schedule is meant: {' or '.join(found)}.", usage=True)
    return found[0]


async def polled(client: Client, store: Store) -> bool:
    """Whether a worker is there that holds the meeting when it comes due."""
    try:
        found = await client.workflow_service.describe_task_queue(
            DescribeTaskQueueRequest(
                namespace=client.namespace,
                task_queue=TaskQueue(name=schedule_queue(store.store_id)),
                task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
            ),
            timeout=RPC,
        )
    except (RPCError, RuntimeError) as error:
        raise _refused(error) from None
    seen = (poller.last_access_time.ToDatetime().replace(tzinfo=UTC) for poller in found.pollers)
    return any(moment > datetime.now(UTC) - POLLED for moment in seen)


def unset(kind: ScheduleKind | None = None) -> str:
    """The sentence for a schedule that is not there."""
    return (
        f"There is no {kind + ' ' if kind else ''}schedule: `boardroom schedule set "
        f"{'--drift daily --at 07:00' if kind == 'drift' else '--weekly sun --at 06:00'}` sets one."
    )


# -- with Temporal -----------------------------------------------------------------------------------------------------


def _schedule(store: Store, settings: Settings, kind: ScheduleKind, table: Timetable) -> Schedule:
    id_ = schedule_id(store, kind)
    return Schedule(
        action=ScheduleActionStartWorkflow(
            CONVENE,
            ConveneInput(
                schedule_id=id_,
                kind=kind,
                meetings_queue=meetings_queue(store.store_id),
                catchup=settings.schedule_catchup,
            ),
            id=f"convene-{store.store_id}-{kind}",  # Temporal appends the planned time
            task_queue=schedule_queue(store.store_id),
            task_timeout=TASK,
            static_summary="Weekly meeting" if kind == "weekly" else "A look at the goals",
        ),
        spec=ScheduleSpec(
            calendars=[
                ScheduleCalendarSpec(
                    hour=[ScheduleRange(table.at.hour)],
                    minute=[ScheduleRange(table.at.minute)],
                    day_of_week=[ScheduleRange(day) for day in table.days],
                )
            ],
            time_zone_name=table.zone,
        ),
        policy=SchedulePolicy(overlap=ScheduleOverlapPolicy.SKIP, catchup_window=timedelta(seconds=settings.schedule_catchup)),
    )


def _timetable(described: ScheduleDescription) -> Timetable | None:
    spec = described.schedule.spec
    if len(spec.calendars) != 1 or spec.intervals or spec.cron_expressions or not spec.time_zone_name:
        return None
    calendar = spec.calendars[0]
    if not len(calendar.hour) == len(calendar.minute) == len(calendar.second) == 1:
        return None
    hour, minute, second = calendar.hour[0], calendar.minute[0], calendar.second[0]
    if second.start or any(one.end > one.start for one in (hour, minute, second)):
        return None
    days = {day for one in calendar.day_of_week for day in range(one.start, max(one.start, one.end) + 1, one.step or 1)}
    return Timetable(tuple(sorted(day % len(WEEKDAYS) for day in days)), time(hour.start, minute.start), spec.time_zone_name)


async def _update(client: Client, store: Store, kind: ScheduleKind, schedule: Schedule) -> None:
    def replaced(found: ScheduleUpdateInput) -> ScheduleUpdate:
        schedule.state = found.description.schedule.state
        return ScheduleUpdate(schedule=schedule)

    async with _reached(kind):
        await _handle(client, store, kind).update(replaced, rpc_timeout=RPC)


async def _running(client: Client, described: ScheduleDescription) -> str | None:
    """The convener that runs. The Schedule may still list one that has just ended."""
    for action in described.info.running_actions:
        if isinstance(action, ScheduleActionExecutionStartWorkflow):
            try:
                found = await client.get_workflow_handle(action.workflow_id).describe(rpc_timeout=RPC)
            except RPCError as error:
                if error.status is RPCStatusCode.NOT_FOUND:
                    continue
                raise _refused(error) from None
            if found.status is WorkflowExecutionStatus.RUNNING:
                return action.workflow_id
    return None


def _convener(action: object) -> str:
    started = getattr(action, "action", None)
    return started.workflow_id if isinstance(started, ScheduleActionExecutionStartWorkflow) else ""


def _handle(client: Client, store: Store, kind: ScheduleKind) -> ScheduleHandle:
    return client.get_schedule_handle(schedule_id(store, kind))


@asynccontextmanager
async def _reached(kind: ScheduleKind) -> AsyncIterator[None]:
    """Calls to Temporal about a schedule, with their errors as the desk's."""
    try:
        yield
    except (RPCError, RuntimeError) as error:
        if isinstance(error, RPCError) and error.status is RPCStatusCode.NOT_FOUND:
            raise DeskError(unset(kind), kind=Kind.UNKNOWN) from None
        raise _refused(error) from None


def _refused(error: Exception) -> DeskError:
    if not isinstance(error, RPCError) or error.status in (
        RPCStatusCode.UNAVAILABLE,
        RPCStatusCode.DEADLINE_EXCEEDED,
        RPCStatusCode.CANCELLED,
    ):
        return DeskError(
            "The Temporal server does not answer, so no schedule was reached: try again when it does.", kind=Kind.AWAY
        )
    return DeskError(f"The Temporal server refused the call about the schedule ({' '.join(str(error).split())[:200]}).")


def _note(what: str) -> str:
    """What Temporal's own pages show beside the schedule. No words of the person's (law 15)."""
    return f"{what} {datetime.now(UTC):%Y-%m-%d %H:%M} UTC by boardroom"
