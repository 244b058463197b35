"""Starting, pausing, resuming and speaking to a meeting: one or two calls to Temporal each, with deadlines.

Signals need no worker: Temporal keeps them until one is back. What only the running workflow knows (`whereabouts`) needs
one, and the error says when there is none.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from temporalio.client import (
    Client,
    WorkflowFailureError,
    WorkflowHandle,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
    WorkflowUpdateStage,
)
from temporalio.common import (
    SearchAttributeKey,
    SearchAttributePair,
    TypedSearchAttributes,
    WorkflowIDConflictPolicy,
    WorkflowIDReusePolicy,
)
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from clerk import reading
from clerk.convening import afterwards, convening
from clerk.errors import DeskError, Kind, checked_id
from parliament.text import is_blank, printable
from parliament.values import MeetingStatus
from settings import Settings
from workflows.messages import BOARD_MEETING, PREPARATION, Whereabouts, meetings_queue, voices_queue

if TYPE_CHECKING:
    from records.engine import Store

RPC = timedelta(seconds=10)
"""How long a call to Temporal may take."""
ANSWER = timedelta(seconds=5)
"""How long a worker may take to answer a query."""
ACCEPTING = timedelta(seconds=8)
"""How long a worker may take to accept an update or to refuse it."""
ACCEPTED = WorkflowUpdateStage.ACCEPTED
TASK = timedelta(seconds=5)
"""How long a workflow task may take before another worker gets it: a killed worker is noticed that much later."""
BECOMING = 150
"""So often it is looked, 30 ms apart, whether a preparation has become the meeting."""
MAX_INPUT = 8 * 1024
"""Bytes in UTF-8 of what is said to a board at once."""

KIND = SearchAttributeKey.for_keyword("BoardroomKind")
STATUS = SearchAttributeKey.for_keyword("BoardroomStatus")
BOARD = SearchAttributeKey.for_keyword("BoardroomBoard")


async def start(
    client: Client, store: Store, settings: Settings, meeting_id: str, *, titles: bool | None = None, once: bool = False
) -> None:
    """Start the workflow of a meeting that was opened; one that is running already is left as it is (`once`: REFUSED).

    `titles`: whether topics may appear in Temporal's summaries where the setting leaves it open (law 15: only on the
    embedded server). Raises DeskError.
    """
    meeting = reading.board_meeting(await reading.known(store, meeting_id))
    _not_over(meeting_id, meeting)
    shown = settings.titles_in_temporal if settings.titles_in_temporal is not None else bool(titles)
    start_from = await convening(
        store,
        meeting,
        voices_queue(store.store_id),
        titles=shown,
        notices=settings.has_notices,
        follows=afterwards(settings),
    )
    summary = f"Board meeting — {len(start_from.items)} item{'s' if len(start_from.items) > 1 else ''}"
    if shown:
        summary = printable(meeting.name)[:180]
    try:
        await client.start_workflow(
            BOARD_MEETING,
            start_from,
            id=meeting_id,
            task_queue=meetings_queue(store.store_id),
            task_timeout=TASK,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            id_conflict_policy=WorkflowIDConflictPolicy.FAIL if once else WorkflowIDConflictPolicy.USE_EXISTING,
            static_summary=summary,
            search_attributes=TypedSearchAttributes(
                [
                    SearchAttributePair(KIND, "board"),
                    SearchAttributePair(STATUS, MeetingStatus.PREPARED.value),
                    SearchAttributePair(BOARD, start_from.board),
                ]
            ),
            rpc_timeout=RPC,
        )
    except WorkflowAlreadyStartedError:
        raise DeskError(
            f"The meeting {meeting_id} was started already; its record says how far it has come.", kind=Kind.REFUSED
        ) from None
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise refused(error, meeting_id) from None


async def pause(client: Client, store: Store, meeting_id: str) -> None:
    """Pause at the next checkpoint: who is speaking finishes first. Raises DeskError."""
    meeting = await reading.known(store, meeting_id)
    _not_over(meeting_id, meeting)
    await _begun(client, meeting)
    await _signal(client, store, meeting_id, "pause")


async def resume(client: Client, store: Store, settings: Settings, meeting_id: str, *, titles: bool | None = None) -> None:
    """Go on after a pause, a halt or a crash; start the workflow when it was opened and never started. Raises DeskError."""
    meeting = await reading.known(store, meeting_id)
    _not_over(meeting_id, meeting)
    if meeting.status is MeetingStatus.PREPARED:
        if await is_preparing(client, meeting_id):
            await start_prepared(client, store, meeting_id)
            return
        await start(client, store, settings, meeting_id, titles=titles)
    else:
        await _begun(client, meeting)
    await _signal(client, store, meeting_id, "resume")


async def is_preparing(client: Client, meeting_id: str) -> bool:
    """Whether the meeting's workflow is still its preparation."""
    try:
        found = await _handle(client, meeting_id).describe(rpc_timeout=RPC)
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        if isinstance(error, RPCError) and error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise refused(error, meeting_id) from None
    return found.workflow_type == PREPARATION


async def start_prepared(client: Client, store: Store, meeting_id: str) -> None:
    """Begin a meeting whose preparation waits for that. REFUSED when it is not approved or begins already."""
    try:
        await _handle(client, meeting_id).execute_update("start", rpc_timeout=ACCEPTING)
    except WorkflowUpdateFailedError as error:
        reason = error.cause.message if isinstance(error.cause, ApplicationError) else "The meeting cannot start now."
        raise DeskError(reason, kind=Kind.REFUSED) from None
    except (WorkflowUpdateRPCTimeoutOrCancelledError, TimeoutError):
        raise away(meeting_id) from None
    except (RPCError, RuntimeError) as error:
        raise await why(error, store, meeting_id) from None
    # Whoever is told that it starts may speak to it at once: the preparation becomes the meeting within a moment.
    for _ in range(BECOMING):
        if not await is_preparing(client, meeting_id):
            return
        await asyncio.sleep(0.03)


async def say(client: Client, store: Store, meeting_id: str, text: str, *, input_id: str | None = None) -> str:
    """Put the shareholder's words to the board at the next checkpoint. Returns the input's id.

    The words go into the store first and the signal carries their id (law 6). With the same `input_id` they are put once,
    however often this is called. Raises DeskError.
    """
    meeting = await reading.known(store, meeting_id)
    _not_over(meeting_id, meeting)
    await _begun(client, meeting)
    words = printable(text).strip()
    if is_blank(words):
        raise DeskError("There is nothing to say to the board: type some words first.", usage=True)
    if len(words.encode()) > MAX_INPUT:
        raise DeskError(
            f"{len(words.encode())} bytes are more than the {MAX_INPUT} that can be said at once: shorten it.", usage=True
        )
    input_id = input_id or f"inp-{token_hex(8)}"
    await reading.keep_input(store, meeting_id, input_id, words)
    await _signal(client, store, meeting_id, "user_input", input_id)
    return input_id


async def whereabouts(client: Client, store: Store, meeting_id: str) -> Whereabouts:
    """What only the running workflow knows. DeskError when the meeting is over, unknown, or no worker answers."""
    meeting = await reading.known(store, meeting_id)
    _not_over(meeting_id, meeting)
    try:
        found: Whereabouts = await _handle(client, meeting_id).query("whereabouts", result_type=Whereabouts, rpc_timeout=ANSWER)
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        if isinstance(error, RPCError) and error.status in (RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED):
            raise away(meeting_id) from None
        raise await why(error, store, meeting_id) from None
    return found


async def closed(client: Client, meeting_id: str, patience: float = 10.0) -> None:
    """Wait until the workflow of a meeting that has ended is closed too and its end is told, so that nothing is left running.

    A notice that is not through within `patience` seconds is sent when a worker runs again.
    """
    until = time.monotonic() + patience
    for workflow_id in (meeting_id, f"notice-{meeting_id}/meeting_ended"):
        with contextlib.suppress(TimeoutError, RPCError, WorkflowFailureError):  # no notice: nobody wants to be told
            handle: WorkflowHandle[Any, Any] = client.get_workflow_handle(workflow_id)
            await asyncio.wait_for(handle.result(), max(0.0, until - time.monotonic()))


async def summed_up(client: Client, meeting_id: str, patience: float) -> list[int] | None:
    """Wait for the secretary's work after a meeting: how many items are in her three buckets (did_it, recommending,
    need_your_call). None when there is none, or not within `patience` seconds: it goes on when a worker runs again.
    """
    handle: WorkflowHandle[Any, Any] = client.get_workflow_handle(f"after-{meeting_id}")
    with contextlib.suppress(TimeoutError, RPCError, WorkflowFailureError):
        found = await asyncio.wait_for(handle.result(), patience)
        with contextlib.suppress(TimeoutError, RPCError, WorkflowFailureError):  # no notice: nobody wants to be told
            notice: WorkflowHandle[Any, Any] = client.get_workflow_handle(f"notice-{meeting_id}/review")
            await asyncio.wait_for(notice.result(), min(patience, 10.0))
        return [int(number) for number in found]
    return None


_AWAY = (RPCStatusCode.UNAVAILABLE, RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED)


def _handle(client: Client, meeting_id: str) -> WorkflowHandle[Any, Any]:
    return client.get_workflow_handle(checked_id(meeting_id))


async def _signal(client: Client, store: Store, meeting_id: str, name: str, *args: Any) -> None:
    try:
        await _handle(client, meeting_id).signal(name, args=args, rpc_timeout=RPC)
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise await why(error, store, meeting_id) from None


def _not_over(meeting_id: str, meeting: Any) -> None:
    if meeting.status == MeetingStatus.COMPLETED or meeting.ended_by is not None:
        raise DeskError(
            f"The meeting {meeting_id} is over: `boardroom minutes {meeting_id}` shows what came of it.", kind=Kind.REFUSED
        )


async def _begun(client: Client, meeting: Any) -> None:
    """Refuse what only a meeting that has begun can do. The record may still say prepared for a moment when it begins."""
    if meeting.ended_by is not None:
        return
    if meeting.status in (MeetingStatus.CREATED, MeetingStatus.AGENDA_DRAFT) or (
        meeting.status is MeetingStatus.PREPARED and await is_preparing(client, meeting.id)
    ):
        raise DeskError(
            f"The meeting {meeting.id} has not begun (it is {meeting.status.value}): approve its agenda and start it.",
            kind=Kind.REFUSED,
        )


async def why(error: Exception, store: Store, meeting_id: str) -> DeskError:
    """The sentence for a call that Temporal refused, by what the record knows of the meeting."""
    if not isinstance(error, RPCError) or error.status is not RPCStatusCode.NOT_FOUND:
        return refused(error, meeting_id)
    meeting = await reading.known(store, meeting_id)
    try:
        _not_over(meeting_id, meeting)
    except DeskError as over:
        return over
    if meeting.status in (MeetingStatus.PREPARED, MeetingStatus.CREATED):
        return DeskError(
            f"The meeting {meeting_id} was never started: `boardroom meet --resume {meeting_id}` starts it.", kind=Kind.REFUSED
        )
    return DeskError(
        f"The record says that the meeting {meeting_id} is {meeting.status}, but the Temporal server does not run it: connect "
        "to the server that it was started on (TEMPORAL_ADDRESS), or restore that server's database."
    )


def away(meeting_id: str) -> DeskError:
    """The sentence for a meeting that no worker answers for."""
    return DeskError(
        f"No worker answers for the meeting {meeting_id}: run `boardroom worker`, or `boardroom meet --resume {meeting_id}`.",
        kind=Kind.AWAY,
    )


def refused(error: Exception, meeting_id: str) -> DeskError:
    if not isinstance(error, RPCError) or error.status in _AWAY:
        return DeskError(
            f"The Temporal server does not answer, so the meeting {meeting_id} was not reached: try again when it does.",
            kind=Kind.AWAY,
        )
    if error.status is RPCStatusCode.INVALID_ARGUMENT and "earch attribute" in str(error):
        return DeskError(
            "The Temporal server lacks Boardroom's search attributes: `boardroom doctor` says how to register them."
        )
    return DeskError(
        f"The Temporal server refused the call for the meeting {meeting_id} ({' '.join(str(error).split())[:200]})."
    )
