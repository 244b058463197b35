"""Preparing a meeting: created, drafted by the chairman, talked over, changed, approved, started (source 000, Trigger Points).

What the person says goes into the store first; what needs the chairman's voice, or the order of the steps, is an update of
the preparation's workflow, which refuses with its reason before anything is written. Changes by hand are one transaction
with a version check. Every function raises DeskError.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from temporalio.client import Client, WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, FailureError, WorkflowAlreadyStartedError
from temporalio.service import RPCError

from clerk import opening, reading, running
from clerk.convening import afterwards
from clerk.errors import DeskError, Kind
from parliament.agenda import MAX_ITEM_TEXT, Agenda, AgendaError, AgendaItem
from parliament.agenda_changes import Operation, change
from parliament.text import is_blank, printable
from parliament.values import MeetingStatus
from records import agendas, conversations, meetings
from records.agendas import Change, VersionConflict
from records.conversations import Message
from settings import Settings
from workflows.messages import PREPARATION, PreparationInput, PreparationState, Rules, meetings_queue, voices_queue

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from records.engine import Store
    from records.meetings import MeetingRow

MAX_MESSAGE = 8 * 1024
"""Bytes in UTF-8 of one message to the chairman, and of feedback."""
PATIENCE = 150.0
"""Seconds a caller waits for the chairman; what takes longer goes on without it."""

_REVIEWED = (MeetingStatus.CREATED, MeetingStatus.AGENDA_DRAFT)


@dataclass(frozen=True, slots=True)
class CreateRequest:
    """A meeting that is to be prepared. What is None follows from the settings."""

    name: str | None = None
    attendees: str | tuple[str, ...] = "all"  # "auto": chosen for the agenda when it is approved
    agenda: Agenda | None = None
    scheduled_start: datetime | None = None
    review_deadline: datetime | None = None
    provider: str | None = None
    seed: int | None = None
    pace: str = "instant"
    faults: str | None = None
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class AgendaView:
    """The agenda as it stands, and how it came to stand so."""

    meeting_id: str
    status: MeetingStatus
    version: int
    agenda: Agenda | None
    changes: list[Change] = field(default_factory=list)

    @property
    def planned_minutes(self) -> int:
        return self.agenda.minutes if self.agenda is not None else 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """The chairman's answer to a message, and what it changed on the agenda, a line each."""

    message_id: str
    reply: Message
    view: AgendaView
    lines: list[str] = field(default_factory=list)


# -- creating ----------------------------------------------------------------------------------------------------------


async def create(
    client: Client,
    store: Store,
    settings: Settings,
    request: CreateRequest,
    *,
    owner: str = "shareholder",
    meeting_id: str | None = None,
    unattended: bool = False,
    titles: bool | None = None,
    **columns: Any,
) -> str:
    """Put a meeting on the record as created and begin its preparation; its id.

    With an agenda it begins as agenda_draft. With a `meeting_id` of the caller's, doing it again changes nothing.
    """
    for moment in (request.scheduled_start, request.review_deadline):
        if moment is not None and moment.tzinfo is None:
            raise DeskError(f"{moment.isoformat()} has no time zone: add one, as in 2026-12-06T06:00:00-08:00.", usage=True)
    planned = opening.plan(
        settings,
        opening.OpenRequest(
            agenda=request.agenda,
            seats=request.attendees,
            name=request.name,
            provider=request.provider,
            seed=request.seed,
            pace=request.pace,
            faults=request.faults,
            deadline=request.deadline,
        ),
    )
    simulated = await opening.check_provider(settings, planned)
    status = MeetingStatus.CREATED if request.agenda is None else MeetingStatus.AGENDA_DRAFT
    found = await opening.write_meeting(
        store,
        settings,
        planned,
        simulated=simulated,
        status=status,
        meeting_id=meeting_id,
        owner=owner,
        agenda_status="draft",
        scheduled_start=request.scheduled_start,
        review_deadline=request.review_deadline,
        **columns,
    )
    meeting = await reading.known(store, found)
    await begin(client, store, settings, meeting, unattended=unattended, titles=titles)
    return found


def preparation_input(
    store: Store, meeting: MeetingRow, settings: Settings, *, titles: bool, unattended: bool = False
) -> PreparationInput:
    """What the preparation of a meeting on the record starts from."""
    return PreparationInput(
        voices_queue=voices_queue(store.store_id),
        rules=Rules(**meeting.config["rules"]),
        scheduled_start=meeting.scheduled_start,
        review_deadline=meeting.review_deadline,
        on_review_deadline=settings.on_review_deadline,
        remind_every=settings.remind_every,
        unattended=unattended,
        titles=titles,
        notices=settings.has_notices,
        afterwards=afterwards(settings),
        state=PreparationState(status=meeting.status),
    )


async def begin(
    client: Client,
    store: Store,
    settings: Settings,
    meeting: MeetingRow,
    *,
    unattended: bool = False,
    titles: bool | None = None,
) -> None:
    """Start the preparation's workflow; one that runs is left as it is."""
    shown = settings.titles_in_temporal if settings.titles_in_temporal is not None else bool(titles)
    try:
        await client.start_workflow(
            PREPARATION,
            preparation_input(store, meeting, settings, titles=shown, unattended=unattended),
            id=meeting.id,
            task_queue=meetings_queue(store.store_id),
            task_timeout=running.TASK,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            static_summary=printable(meeting.name)[:180] if shown else "Board meeting",
            search_attributes=TypedSearchAttributes(
                [
                    SearchAttributePair(running.KIND, "board"),
                    SearchAttributePair(running.STATUS, meeting.status.value),
                    SearchAttributePair(running.BOARD, "board"),
                ]
            ),
            rpc_timeout=running.RPC,
        )
    except WorkflowAlreadyStartedError:
        return
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise running.refused(error, meeting.id) from None


# -- reading -----------------------------------------------------------------------------------------------------------


async def agenda(store: Store, meeting_id: str) -> AgendaView:
    """The agenda, its version and every change that was made to it."""
    meeting = await reading.known(store, meeting_id)
    async with store.read() as tx:
        found, version = await agendas.standing(tx, meeting_id)
        return AgendaView(meeting_id, meeting.status, version, found, await agendas.changes(tx, meeting_id))


async def conversation(store: Store, meeting_id: str) -> list[Message]:
    """The whole conversation with the chairman, the first message first."""
    await reading.known(store, meeting_id)
    async with store.read() as tx:
        return await conversations.messages(tx, meeting_id)


# -- the chairman ------------------------------------------------------------------------------------------------------


async def request_agenda(client: Client, store: Store, meeting_id: str) -> tuple[AgendaView, bool]:
    """Have the chairman draft the agenda. False: it is still being drafted, and will stand on the record when it is."""
    await _reviewed(store, meeting_id)
    _, done = await _update(client, store, meeting_id, "request_agenda")
    return await agenda(store, meeting_id), done


async def revise(client: Client, store: Store, meeting_id: str, feedback: str) -> tuple[AgendaView, bool]:
    """Have the chairman revise the agenda by what the person says of it."""
    await _reviewed(store, meeting_id)
    note = f"note-{token_hex(8)}"
    words = _words(feedback, "the feedback")
    async with store.write() as tx:
        await agendas.add_note(tx, id=note, meeting_id=meeting_id, kind="revision", text=words, at=datetime.now(UTC))
        await agendas.set_fields(tx, meeting_id, user_feedback=words, revision_requested=True)
    _, done = await _update(client, store, meeting_id, "revise_agenda", note)
    return await agenda(store, meeting_id), done


async def converse(client: Client, store: Store, meeting_id: str, text: str, *, message_id: str | None = None) -> Exchange:
    """Say something to the chairman; its answer, and what it changed. The same `message_id` is answered once."""
    await _reviewed(store, meeting_id)
    words = _words(text, "the message")
    message_id = message_id or f"msg-{token_hex(6)}"
    async with store.write() as tx:
        await conversations.add(
            tx, id=message_id, meeting_id=meeting_id, role="user", content=words, timestamp=datetime.now(UTC)
        )
    answered, done = await _update(client, store, meeting_id, "converse", message_id, update_id=message_id)
    if not done:
        raise DeskError(
            "The chairman has not answered yet: the answer will stand in the conversation when it comes.", kind=Kind.AWAY
        )
    async with store.read() as tx:
        reply = await conversations.message(tx, reply_id(message_id))
        made = await agendas.change_from(tx, meeting_id, message_id)
    if answered is not None and answered.get("problem"):
        raise DeskError(str(answered["problem"]), kind=Kind.REFUSED)
    if reply is None:
        raise DeskError("The conversation was cleared while the chairman answered.", kind=Kind.REFUSED)
    return Exchange(message_id, reply, await agenda(store, meeting_id), made.lines if made is not None else [])


def reply_id(message_id: str) -> str:
    """The id of the chairman's answer to a message."""
    return f"{message_id}-reply"


async def clear_conversation(store: Store, meeting_id: str) -> int:
    """Forget the conversation; what it changed on the agenda stays. Returns how many messages are gone."""
    await reading.known(store, meeting_id)
    async with store.write() as tx:
        return await conversations.clear(tx, meeting_id)


# -- the person's own hand ---------------------------------------------------------------------------------------------


async def edit(client: Client, store: Store, meeting_id: str) -> AgendaView:
    """Open an agenda for changes, also one that was approved (status agenda_draft)."""
    meeting = await reading.known(store, meeting_id)
    if meeting.status not in (*_REVIEWED, MeetingStatus.PREPARED):
        raise _too_late(meeting)
    await _update(client, store, meeting_id, "edit_agenda")
    return await agenda(store, meeting_id)


async def change_agenda(
    client: Client, store: Store, meeting_id: str, operations: Sequence[Operation], version: int
) -> AgendaView:
    """Change the agenda that was read at `version`: all operations or none. REFUSED when somebody was quicker."""
    meeting = await _reviewed(store, meeting_id)
    if meeting.status is MeetingStatus.CREATED:
        await _update(client, store, meeting_id, "edit_agenda")

    async def work(tx: AsyncConnection) -> None:
        before, _ = await agendas.standing(tx, meeting_id)
        used = await agendas.used_ids(tx, meeting_id)
        after, lines = change(before, operations, used)
        await agendas.change(
            tx,
            meeting_id,
            after.items,
            expected=version,
            origin="shareholder",
            at=datetime.now(UTC),
            lines=lines,
            operations=[operation.model_dump(mode="json", exclude_none=True) for operation in operations],
        )

    await _changed(store, meeting_id, work)
    return await agenda(store, meeting_id)


async def undo(client: Client, store: Store, meeting_id: str, version: int) -> AgendaView:
    """Take back the last change, which led to `version`; taking back is a change too, and can be taken back."""
    await _reviewed(store, meeting_id)

    async def work(tx: AsyncConnection) -> None:
        known = await agendas.changes(tx, meeting_id)
        last = next((c for c in known if c.version == version), None)
        if last is None:
            raise DeskError(f"The agenda has no change {version} to take back.", usage=True)
        if not last.before:
            raise DeskError("The first draft cannot be taken back: remove items, or have it revised.", kind=Kind.REFUSED)
        await agendas.change(
            tx,
            meeting_id,
            [AgendaItem(**item) for item in last.before],
            expected=version,
            origin="shareholder",
            at=datetime.now(UTC),
            lines=[f"took back: {line}" for line in last.lines] or ["took back the last change"],
            operations=[{"op": "undo", "version": version}],
        )

    await _changed(store, meeting_id, work)
    return await agenda(store, meeting_id)


async def comment(store: Store, meeting_id: str, item_id: str, text: str) -> AgendaView:
    """Set the person's commentary on an item; empty takes it away."""
    words = printable(text).strip()

    async def work(tx: AsyncConnection) -> None:
        found, _ = await agendas.standing(tx, meeting_id)
        item = next((item for item in found.items if item.id == item_id), None) if found is not None else None
        if item is None:
            raise DeskError(f"The agenda of {meeting_id} has no such item.", kind=Kind.UNKNOWN)
        try:
            AgendaItem(**{**item.model_dump(), "user_commentary": words})
        except ValueError:
            raise DeskError(
                f"The commentary is too long: an item's texts may have {MAX_ITEM_TEXT} bytes together.", usage=True
            ) from None
        await agendas.comment(tx, meeting_id, item_id, words)

    await _changed(store, meeting_id, work)
    return await agenda(store, meeting_id)


async def feedback(
    client: Client, store: Store, meeting_id: str, text: str, *, request_revision: bool = False
) -> tuple[AgendaView, bool]:
    """Keep the person's overall feedback; with `request_revision` the chairman revises by it at once."""
    if request_revision:
        return await revise(client, store, meeting_id, text)
    words = _words(text, "the feedback")

    async def work(tx: AsyncConnection) -> None:
        note = f"note-{token_hex(8)}"
        await agendas.add_note(tx, id=note, meeting_id=meeting_id, kind="feedback", text=words, at=datetime.now(UTC))
        await agendas.set_fields(tx, meeting_id, user_feedback=words)

    await _changed(store, meeting_id, work)
    return await agenda(store, meeting_id), True


async def approve(client: Client, store: Store, meeting_id: str, version: int | None = None) -> AgendaView:
    """Lock the agenda (status prepared). With a `version`, only if it still stands there."""
    await _reviewed(store, meeting_id)
    await _update(client, store, meeting_id, "approve_agenda", version)
    return await agenda(store, meeting_id)


async def start(client: Client, store: Store, settings: Settings, meeting_id: str) -> None:
    """Begin an approved meeting. REFUSED when it runs or is over already, or is not approved."""
    meeting = await reading.known(store, meeting_id)
    if meeting.status in _REVIEWED and meeting.ended_by is None:
        raise DeskError("The agenda is not approved yet: approve it, and then the meeting can start.", kind=Kind.REFUSED)
    if meeting.status is not MeetingStatus.PREPARED:
        raise _too_late(meeting)
    if await running.is_preparing(client, meeting_id):
        await running.start_prepared(client, store, meeting_id)
    else:
        # Opened ready to start, without a preparation; or it has begun, and the record does not say so yet.
        await running.start(client, store, settings, meeting_id, once=True)


# -- with Temporal -----------------------------------------------------------------------------------------------------


async def _update(
    client: Client, store: Store, meeting_id: str, name: str, *args: Any, update_id: str | None = None
) -> tuple[dict[str, Any] | None, bool]:
    """Ask the preparation's workflow; its answer, and whether it came within PATIENCE."""
    handle = client.get_workflow_handle(meeting_id)
    try:
        asked = await asyncio.wait_for(
            handle.start_update(
                name,
                args=list(args),
                id=update_id or f"{name}-{token_hex(8)}",
                wait_for_stage=running.ACCEPTED,
                rpc_timeout=running.ACCEPTING,
            ),
            running.ACCEPTING.total_seconds() + 1,
        )
        return await asyncio.wait_for(asked.result(rpc_timeout=timedelta(seconds=PATIENCE)), PATIENCE), True
    except WorkflowUpdateFailedError as error:
        raise _refusal(error) from None
    except (WorkflowUpdateRPCTimeoutOrCancelledError, TimeoutError):
        if "asked" in locals():
            return None, False
        raise running.away(meeting_id) from None
    except (RPCError, RuntimeError) as error:
        raise await running.why(error, store, meeting_id) from None


def _refusal(error: WorkflowUpdateFailedError) -> DeskError:
    """The reason that the validator or the activity gave."""
    cause: BaseException | None = error.cause
    while cause is not None and not isinstance(cause, ApplicationError):
        cause = cause.cause if isinstance(cause, FailureError) else None
    if isinstance(cause, ApplicationError):
        if cause.type == "Refused":
            return DeskError(cause.message, kind=Kind.REFUSED)
        if cause.type == "ProviderUnavailable":
            return DeskError(cause.message, kind=Kind.AWAY)
        if cause.type is not None and "pdate" in cause.message and "not found" in cause.message:
            return DeskError("The meeting has begun: its agenda is what was approved.", kind=Kind.REFUSED)
    return DeskError("The chairman's voice could not be heard in time: try again.", kind=Kind.AWAY)


# -- with the store ----------------------------------------------------------------------------------------------------


async def _reviewed(store: Store, meeting_id: str) -> MeetingRow:
    meeting = await reading.known(store, meeting_id)
    if meeting.status not in _REVIEWED or meeting.ended_by is not None:
        raise _too_late(meeting)
    return meeting


def _too_late(meeting: MeetingRow) -> DeskError:
    if meeting.ended_by is not None or meeting.status is MeetingStatus.COMPLETED:
        return DeskError(f"The meeting {meeting.id} is over.", kind=Kind.REFUSED)
    if meeting.status is MeetingStatus.PREPARED:
        return DeskError("The agenda is approved: edit it again before you change it.", kind=Kind.REFUSED)
    return DeskError(f"The meeting {meeting.id} has begun already (it is {meeting.status.value}).", kind=Kind.REFUSED)


async def _changed(store: Store, meeting_id: str, work: Any) -> None:
    """Run a change of the agenda in one transaction that holds it, if the meeting is still in review."""
    await reading.known(store, meeting_id)
    try:
        async with store.write() as tx:
            await agendas.version(tx, meeting_id)
            meeting = await meetings.get(tx, meeting_id)
            if meeting.status not in _REVIEWED or meeting.ended_by is not None:
                raise _too_late(meeting)
            await work(tx)
    except VersionConflict as error:
        raise DeskError(
            f"The agenda was changed meanwhile: it is at version {error.found}, and the change was made for {error.expected}. "
            "Read it again.",
            kind=Kind.REFUSED,
        ) from None
    except AgendaError as error:
        raise DeskError(opening.sentence_of(error), usage=True) from None


def _words(text: str, what: str) -> str:
    words = printable(text).strip()
    if is_blank(words):
        raise DeskError(f"There is nothing in {what}: write some words.", usage=True)
    if len(words.encode()) > MAX_MESSAGE:
        raise DeskError(
            f"{what.capitalize()} has {len(words.encode())} bytes and the limit is {MAX_MESSAGE} (8 KiB): shorten it.",
            usage=True,
        )
    return words
