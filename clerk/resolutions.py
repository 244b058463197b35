"""Adopted resolutions after their meeting: listing, reading, answering, deleting (source 000, Trigger Points).

What the person says goes into the store first; the answer is an update of the resolution's own workflow, which is started with
it where it does not run (a resolution that was brought along, or one of an older meeting). Every function raises DeskError.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, FailureError
from temporalio.service import RPCError, RPCStatusCode

from clerk import erasing, reading, running
from clerk.convening import afterwards
from clerk.errors import DeskError, Kind
from parliament import following as rules
from parliament.export import resolution_json
from parliament.following import Plan, Response
from parliament.ids import is_imported_id
from parliament.record import MeetingRecord
from parliament.text import brief, is_blank, printable
from records import agendas, following, knowledge
from records.assemble import load_record
from records.engine import Store
from records.following import Change, Tracked
from settings import Settings
from workflows.messages import FOLLOW_UP, FollowUpInput, meetings_queue

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

MAX_NOTE = 8 * 1024
"""Bytes in UTF-8 of what a person says to a resolution."""
PATIENCE = 20.0
"""Seconds a caller waits for a worker to take the answer."""
MOST = 1000
"""Resolutions of one listing."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolution in source 000's structure, where it stands, and what happened to it."""

    paper: dict[str, Any]
    status: str  # of an adopted one as in `parliament.following`, of another how its motion ended
    deferred_until: date | None
    superseded_by: str | None
    history: tuple[Change, ...]

    @property
    def as_json(self) -> dict[str, Any]:
        return {
            **self.paper,
            "status": self.status,
            "deferred_until": self.deferred_until.isoformat() if self.deferred_until else None,
            "superseded_by": self.superseded_by,
            "history": [
                {
                    "kind": change.kind,
                    "about": change.which,
                    "origin": change.origin,
                    "note": change.note,
                    "until": change.until.isoformat() if change.until else None,
                    "at": change.at.isoformat(),
                }
                for change in self.history
            ],
        }


def checked(resolution_id: str) -> str:
    """The id when it has the form of a resolution's id. DeskError."""
    if not is_imported_id(resolution_id, "RES"):
        raise DeskError(
            f"{brief(resolution_id)!r} is not a resolution id: one looks like RES-mtg-9fed5d5a-1, and "
            "`boardroom resolutions list` lists them.",
            usage=True,
        )
    return resolution_id


def plan_of(settings: Settings) -> Plan:
    """When resolutions are reminded of and become stale, by these settings."""
    return Plan(remind_days=settings.remind_days, stale_days=settings.stale_days, hour=settings.remind_hour)


async def listing(
    store: Store,
    settings: Settings,
    owner: str,
    *,
    pending_only: bool = False,
    status: str | None = None,
    meeting_id: str | None = None,
) -> list[Resolution]:
    """The person's resolutions, the newest first. `pending_only`: adopted ones that wait for the person's answer."""
    now = datetime.now(UTC)

    async def read(tx: AsyncConnection) -> list[Resolution]:
        followed = {one.id: one for one in await following.tracked_of(tx, owner)}
        ids = await knowledge.with_resolutions(tx, owner)
        found: list[Resolution] = []
        for one in ids if meeting_id is None else [each for each in ids if each == meeting_id]:
            record = await load_record(tx, one, transcript=False)
            found += [
                _resolution(record, paper.id, followed.get(paper.id), plan_of(settings), now) for paper in record.resolutions
            ]
        return found

    found = await store.look(read)
    if pending_only:
        found = [one for one in found if one.status in ("waiting", "stale") and one.paper["user_response"] is None]
    if status is not None:
        found = [one for one in found if one.status == status]
    return sorted(found, key=lambda one: (one.paper["created_at"] or "", one.paper["id"]), reverse=True)[:MOST]


async def resolution(store: Store, settings: Settings, resolution_id: str, owner: str) -> Resolution:
    """One resolution. UNKNOWN also where it is somebody else's."""
    meeting_id = await _meeting_of(store, resolution_id, owner)
    now = datetime.now(UTC)

    async def read(tx: AsyncConnection) -> Resolution:
        record = await load_record(tx, meeting_id, transcript=False)
        return _resolution(record, resolution_id, await following.tracked(tx, resolution_id), plan_of(settings), now)

    return await store.look(read)


async def respond(
    client: Client,
    store: Store,
    settings: Settings,
    resolution_id: str,
    owner: str,
    response: str,
    *,
    note: str = "",
    until: date | None = None,
    key: str | None = None,
    origin: str = "shareholder",
) -> Resolution:
    """Accept, reject or defer. REFUSED when another answer stands; the same `key` and words again are answered once."""
    standing = await resolution(store, settings, resolution_id, owner)
    tracked = await store.look(lambda tx: following.tracked(tx, resolution_id))
    if tracked is None:
        raise DeskError(
            f"The motion of {resolution_id} was not adopted ({standing.status.replace('_', ' ')}): there is nothing to answer.",
            kind=Kind.REFUSED,
        )
    answered = Response(response)
    _check(answered, until, tracked.zone)
    words = printable(note).strip()
    if len(words.encode()) > MAX_NOTE:
        raise DeskError(
            f"The note has {len(words.encode())} bytes and the limit is {MAX_NOTE} (8 KiB): shorten it.", usage=True
        )
    note_id = key or f"answer-{token_hex(8)}"
    given = tracked.user_response or {}
    if given.get("key") != note_id and (refused := rules.refusal(tracked.followed, answered)) is not None:
        raise DeskError(refused, kind=Kind.REFUSED)
    async with store.write() as tx:
        await agendas.add_note(
            tx,
            id=note_id,
            meeting_id=tracked.meeting_id,
            kind="answer",
            item_id=tracked.item_id,
            text="" if is_blank(words) else words,
            at=datetime.now(UTC),
        )
    payload: dict[str, Any] = {"response": answered.value, "note": note_id, "origin": origin}
    if until is not None:
        payload["until"] = until.isoformat()
    await _answer(client, store, settings, tracked, payload, note_id)
    return await resolution(store, settings, resolution_id, owner)


async def delete(client: Client, store: Store, settings: Settings, resolution_id: str, owner: str) -> None:
    """Delete a resolution with its action items and its workflow. REFUSED while its meeting runs.

    Its motion, votes and dissents stay in the minutes: they are the meeting's (law 10).
    """
    meeting_id = await _meeting_of(store, resolution_id, owner)
    meeting = await reading.known(store, meeting_id)
    if meeting.status in erasing.RUNNING and meeting.ended_by is None:
        raise DeskError(
            f"The meeting {meeting_id} is {meeting.status.value}: let it end, and then delete it.", kind=Kind.REFUSED
        )
    await erasing.forget_workflow(client, resolution_id, meeting_id)
    async with store.write() as tx:
        await following.forget(tx, resolution_id)
    await store.forget_log()


async def look(client: Client, resolution_ids: Sequence[str]) -> None:
    """Let the workflows of these resolutions look at the record. One that does not run has nothing to look at."""
    for resolution_id in resolution_ids:
        try:
            await client.get_workflow_handle(resolution_id).signal("look", rpc_timeout=running.RPC)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                return  # it looks by itself when its next moment has come
        except RuntimeError:  # a client that connects late
            return


# -- inner -------------------------------------------------------------------------------------------------------------


def _check(response: Response, until: date | None, zone: ZoneInfo) -> None:
    today = datetime.now(zone).date()
    if response is Response.DEFER:
        if until is None:
            raise DeskError("Say until when it is deferred, as in 2026-12-20.", usage=True)
        if until <= today:
            raise DeskError(f"{until} is not in the future (it is {today} for this board): name a later day.", usage=True)
        if (until - today).days > 3660:
            raise DeskError(f"{until} is more than ten years away: name an earlier day.", usage=True)
    elif until is not None:
        raise DeskError("Only what is deferred has a day on which it returns: leave it out.", usage=True)


def _resolution(record: MeetingRecord, resolution_id: str, tracked: Tracked | None, plan: Plan, now: datetime) -> Resolution:
    paper = next(one for one in record.resolutions if one.id == resolution_id)
    found = resolution_json(record, paper)
    if found["user_response"] is not None:
        found["user_response"] = {name: value for name, value in found["user_response"].items() if name != "key"}
    if tracked is None:
        return Resolution(found, str(found["motion"]["status"]), None, None, ())
    return Resolution(
        found,
        rules.status(tracked.followed, now, plan).value,
        rules.deferred_until(tracked.followed),
        tracked.superseded_by,
        tracked.history,
    )


async def _meeting_of(store: Store, resolution_id: str, owner: str) -> str:
    checked(resolution_id)
    found = await store.look(lambda tx: knowledge.meeting_of(tx, resolution_id, owner))
    if found is None:
        raise DeskError(
            f"There is no resolution {resolution_id} in this record: `boardroom resolutions list` lists them.",
            kind=Kind.UNKNOWN,
        )
    return found


async def _answer(
    client: Client, store: Store, settings: Settings, tracked: Tracked, payload: dict[str, Any], update_id: str
) -> None:
    """The update, with the workflow started where it does not run."""
    start: WithStartWorkflowOperation[Any, Any] = WithStartWorkflowOperation(
        FOLLOW_UP,
        FollowUpInput(afterwards=afterwards(settings), notices=settings.has_notices),
        id=tracked.id,
        task_queue=meetings_queue(store.store_id),
        task_timeout=running.TASK,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
        static_summary="Resolution followed up",
    )
    try:
        await asyncio.wait_for(
            client.execute_update_with_start_workflow(
                "respond", payload, start_workflow_operation=start, id=update_id, rpc_timeout=timedelta(seconds=PATIENCE)
            ),
            PATIENCE + 1.0,
        )
    except WorkflowUpdateFailedError as error:
        raise _refusal(error) from None
    except (WorkflowUpdateRPCTimeoutOrCancelledError, TimeoutError):
        raise DeskError(
            "No worker took the answer in time: start one with `boardroom up`, and answer again with the same words.",
            kind=Kind.AWAY,
        ) from None
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise running.refused(error, tracked.meeting_id) from None


def _refusal(error: WorkflowUpdateFailedError) -> DeskError:
    cause: BaseException | None = error.cause
    while cause is not None and not isinstance(cause, ApplicationError):
        cause = cause.cause if isinstance(cause, FailureError) else None
    if isinstance(cause, ApplicationError) and cause.type == "Refused":
        return DeskError(cause.message, kind=Kind.REFUSED)
    return DeskError("The answer could not be taken now: try again.", kind=Kind.AWAY)
