"""Proposal reviews at the desk: open one, start it, see what came of it, decide what was escalated (source 001)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from sqlalchemy.exc import IntegrityError
from temporalio.client import (
    Client,
    WorkflowHandle,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
from temporalio.service import RPCError

from clerk import reading, running
from clerk.errors import DeskError, Kind
from clerk.opening import PACES, asked_provider, content_hash, provider_of, seed_of, sentence_of
from parliament.ids import is_imported_id
from parliament.text import brief, is_blank, one_line, printable, title_line
from parliament.values import MeetingStatus
from personas.loader import Persona, load_directors
from personas.schema import PersonaError
from protocols.proposal_review import ROUNDS, is_session_id, is_track_id
from protocols.review_files import ReviewRecord, files_of, summary
from records import agendas, meetings, proposals
from records.proposals import KIND, Session
from settings import Settings
from workflows.messages import PROPOSAL_REVIEW, ReviewInput, Rules, Seat, meetings_queue, voices_queue

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from records.engine import Store

MAX_PROPOSAL = 2 * 1024 * 1024
"""Bytes in UTF-8 of all files of a proposal together."""
MAX_FILES = 50
MAX_BECAUSE = 8 * 1024
"""Bytes in UTF-8 of the reason for a decision."""
MAX_TITLE = 200
MAX_DEADLINE = 30 * 86400.0
PATIENCE = 25.0
"""Seconds a caller waits for a worker to take a decision."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One file of a proposal."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What a team hands in. `folder` is where the files go; None: they stay in the record."""

    documents: tuple[Proposal, ...]
    track: str | None = None
    folder: Path | None = None
    board: Path | None = None
    rounds: int = ROUNDS
    title: str | None = None
    provider: str | None = None
    seed: int | None = None
    pace: str = "instant"
    faults: str | None = None
    deadline: float | None = None
    owner: str = "shareholder"


@dataclass(frozen=True, slots=True)
class Plan:
    """A request whose values are checked: nothing of it can be wrong usage any more."""

    request: ReviewRequest
    title: str
    seats: tuple[Persona, ...]
    board: str
    rules: Rules
    seed: int
    provider: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A review that is on the record and ready to start."""

    meeting_id: str
    session_id: str
    simulated: bool
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a review stands: its session, and its record once there is a result."""

    session: Session
    record: ReviewRecord

    @property
    def as_json(self) -> dict[str, Any]:
        """What a program gets: the summary's fields once there is a result, and where it stands."""
        session = self.session
        found: dict[str, Any] = {
            "session_id": session.session_id,
            "meeting_id": session.meeting_id,
            "status": self.status,
            "track": session.track,
            "title": session.name,
            "simulated": session.simulated,
            "created_at": session.created_at.isoformat(timespec="seconds"),
            "earlier_session": session.earlier,
            "decision": session.decision,
            "because": session.because or None,
            "decided_at": session.decided_at.isoformat(timespec="seconds") if session.decided_at else None,
        }
        if session.outcome is None:
            return found
        return summary(self.record) | found

    @property
    def status(self) -> str:
        return status_of(self.session)


def plan(settings: Settings, request: ReviewRequest) -> Plan:
    """Choose the seats and check every value. Touches no store and no network. DeskError in one sentence."""
    if request.pace not in PACES:
        raise DeskError(f"{request.pace!r} is not a pace: it is one of {', '.join(PACES)}.", usage=True)
    _check_documents(request.documents)
    if request.track is not None and not is_track_id(request.track):
        raise DeskError(
            f"{brief(request.track)!r} is not the id of a track: it is up to 100 letters, digits, hyphens, underscores and "
            "dots, beginning with a letter or digit, without two dots together or one at the end, as in auth_20260201.",
            usage=True,
        )
    if not 0 <= request.rounds <= ROUNDS:
        raise DeskError(f"{request.rounds} rounds cannot be held: a discussion has 0 to {ROUNDS}.", usage=True)
    try:
        board, seats = load_directors(request.board)
    except PersonaError as error:
        raise DeskError(sentence_of(error), usage=True) from None
    rules: dict[str, Any] = {name: getattr(settings, name) for name in Rules.model_fields if hasattr(settings, name)}
    if request.deadline is not None:
        if not 0 < request.deadline <= MAX_DEADLINE:
            raise DeskError("A review's deadline is a time from a second to 30 days: --deadline 30m.", usage=True)
        rules["meeting_deadline"] = request.deadline
    title = one_line(printable(request.title)) if request.title is not None else _title(request.documents)
    if is_blank(title):
        raise DeskError("The title of the review is empty: leave it out to have it named by the proposal.", usage=True)
    return Plan(
        request=request,
        title=title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1].rstrip() + "…",
        seats=seats,
        board=board,
        rules=Rules(**rules),
        seed=seed_of(request.seed),
        provider=provider_of(settings, request.provider),
    )


def _check_documents(documents: Sequence[Proposal]) -> None:
    if not documents:
        raise DeskError("There is no proposal: name its files.", usage=True)
    if len(documents) > MAX_FILES:
        raise DeskError(f"{len(documents)} files are more than the {MAX_FILES} of one proposal: join some.", usage=True)
    size = 0
    for one in documents:
        if is_blank(one.text):
            raise DeskError(f"{brief(one.name)} is empty: there is nothing to review in it.", usage=True)
        if "\0" in one.text:
            raise DeskError(
                f"{brief(one.name)} is not a text file: hand in Markdown, plain text or a diff in UTF-8.", usage=True
            )
        size += len(one.text.encode("utf-8", "replace"))
    if size > MAX_PROPOSAL:
        raise DeskError(f"The proposal has {size:,} bytes and the limit is {MAX_PROPOSAL:,} (2 MiB): shorten it.", usage=True)


def _title(documents: Sequence[Proposal]) -> str:
    """The first heading of the first file, or a first line that stands alone, else its name."""
    for line in documents[0].text.splitlines()[:200]:
        if line.startswith("#") and line.lstrip("#").strip():
            return one_line(printable(line.lstrip("#"))).strip().rstrip("#").strip()
    if title_line(documents[0].text):
        return title_line(documents[0].text)
    name = one_line(printable(documents[0].name)).strip()
    return "Proposal" if is_blank(name) else name


def frozen_config(settings: Settings, planned: Plan) -> dict[str, Any]:
    """`meetings.config` of a review: its directors, models and rules, whatever becomes of the files."""
    request = planned.request
    config: dict[str, Any] = {
        "provider": planned.provider,
        "pace": request.pace,
        "faults": request.faults if request.faults is not None else settings.simulated_faults,
        "models": {"low": settings.model_low, "mid": settings.model_mid, "high": settings.model_high},
        "tier": settings.tier,
        "board": planned.board,
        "members": [
            {
                "id": one.id,
                "code": one.name,
                "name": one.display_name,
                "role": "member",
                "perspective": one.perspective,
                "themes": list(one.themes),
                "interests": list(one.interests),
                "aliases": list(one.aliases),
                "voting": True,
                "instructions": one.instructions,
                "content_hash": one.content_hash,
            }
            for one in planned.seats
        ],
        "facilitators": [],
        "rules": planned.rules.model_dump(mode="json"),
        "budget_calls": settings.budget_calls,
        "budget_microusd": round(settings.budget_usd * 1_000_000),
    }
    return config | {"hash": content_hash(config)}


async def open_review(store: Store, settings: Settings, planned: Plan) -> Opened:
    """Put a review on the record, ready to start: the meeting, its session and the proposal, or nothing. The provider is asked
    first. DeskError."""
    simulated = await _check_provider(settings, planned)
    for attempt in range(5):
        try:
            return await _write(store, settings, planned, simulated)
        except IntegrityError:  # another process took the day's next number at the same moment
            if attempt == 4:
                raise
            await asyncio.sleep(0.05 * (attempt + 1))
    raise AssertionError


async def _check_provider(settings: Settings, planned: Plan) -> bool:
    return await asked_provider(settings, planned.provider, planned.request.faults, planned.request.pace)


async def _write(store: Store, settings: Settings, planned: Plan, simulated: bool) -> Opened:
    request = planned.request
    now = datetime.now(UTC)
    meeting_id = f"mtg-{token_hex(4)}"
    texts = [(one.name, one.text, one.text.encode("utf-8", "replace")) for one in request.documents]
    async with store.write() as tx:
        while await meetings.find(tx, meeting_id) is not None:
            meeting_id = f"mtg-{token_hex(4)}"
        await meetings.create(
            tx,
            id=meeting_id,
            kind=KIND,
            name=planned.title,
            status=MeetingStatus.PREPARED.value,
            quorum=0,
            chair="",
            chair_named="",
            zone=settings.zone,
            seed=planned.seed,
            simulated=simulated,
            provider=planned.provider,
            config=frozen_config(settings, planned),
            attendees=[one.id for one in planned.seats],
            standing_items=[],
            owner=request.owner,
            created_at=now,
            items=[],
        )
        session = await proposals.create(
            tx,
            meeting_id=meeting_id,
            day=now.astimezone(ZoneInfo(settings.zone)).date().isoformat(),
            owner=request.owner,
            track=request.track,
            folder=str(request.folder.absolute()) if request.folder is not None else None,
            rounds=request.rounds,
            documents=[(name, len(raw), hashlib.sha256(raw).hexdigest(), text) for name, text, raw in texts],
        )
    return Opened(meeting_id, session, simulated, tuple(one.id for one in planned.seats))


async def start(client: Client, store: Store, settings: Settings, meeting_id: str) -> None:
    """Start the workflow of a review that was opened; one that runs already is left as it is. DeskError."""
    session = await _session(store, meeting_id)
    meeting = await reading.known(store, session.meeting_id)
    config = meeting.config
    convening = ReviewInput(
        seats=[Seat(id=one["id"], name=one["name"]) for one in config["members"]],
        rounds=session.rounds,
        seed=meeting.seed,
        date=meeting.created_at.astimezone(ZoneInfo(meeting.zone)).date().isoformat(),
        voices_queue=voices_queue(store.store_id),
        rules=Rules(**config["rules"]),
        notices=settings.has_notices,
        decide_within=settings.escalation_days * 86400.0,
        remind_every=settings.escalation_reminder_days * 86400.0,
    )
    try:
        await client.start_workflow(
            PROPOSAL_REVIEW,
            convening,
            id=meeting.id,
            task_queue=meetings_queue(store.store_id),
            task_timeout=running.TASK,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            static_summary=f"Proposal review — {session.session_id}",
            search_attributes=TypedSearchAttributes(
                [
                    SearchAttributePair(running.KIND, KIND),
                    SearchAttributePair(running.STATUS, MeetingStatus.PREPARED.value),
                    SearchAttributePair(running.BOARD, "directors"),
                ]
            ),
            rpc_timeout=running.RPC,
        )
    except WorkflowAlreadyStartedError:
        raise DeskError(f"The review {session.session_id} was held already.", kind=Kind.REFUSED) from None
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise running.refused(error, meeting.id) from None


def checked(id: str) -> str:
    """The id, when it has the form of a review's or a meeting's. DeskError."""
    if not (is_session_id(id) or is_imported_id(id)):
        raise DeskError(
            f"{brief(id)!r} is not the id of a review: one looks like board-20260201-1, and `boardroom reviews` lists them.",
            usage=True,
        )
    return id


async def _session(store: Store, id: str, owner: str | None = None) -> Session:
    """The session by its own id or its meeting's. UNKNOWN also where it is somebody else's."""
    checked(id)
    found = await store.look(lambda tx: proposals.find(tx, id))
    if found is None or (owner is not None and found.owner != owner):
        raise DeskError(f"There is no review {id} in this record: `boardroom reviews` lists them.", kind=Kind.UNKNOWN)
    return found


async def stand(store: Store, id: str, owner: str = "shareholder") -> Stand:
    """Where a review stands, and what came of it. DeskError."""
    session = await _session(store, id, owner)
    record = await store.look(lambda tx: proposals.load(tx, session.meeting_id))
    return Stand(session, record)


async def is_review(store: Store, meeting_id: str) -> bool:
    return await store.look(lambda tx: proposals.find(tx, meeting_id)) is not None


async def listing(store: Store, owner: str = "shareholder", *, track: str | None = None) -> list[Session]:
    """The reviews of a person, the newest first."""
    return await store.look(lambda tx: proposals.listing(tx, owner, track=track))


def line(one: Session) -> dict[str, Any]:
    """What a list shows of a review."""
    return {
        "session_id": one.session_id,
        "meeting_id": one.meeting_id,
        "title": one.name,
        "track": one.track,
        "verdict": one.outcome,
        "with_review": one.with_review,
        "decision": one.decision,
        "status": status_of(one),
        "simulated": one.simulated,
        "created_at": one.created_at.isoformat(timespec="seconds"),
    }


def status_of(session: Session) -> str:
    """in_progress, escalated (it waits for a person), completed, or the state in which it stands."""
    return "escalated" if session.ended_by is None and session.outcome == "ESCALATE" else session.status


async def files(store: Store, id: str, owner: str = "shareholder") -> dict[str, str]:
    """The files of a review by name, as they are written. REFUSED before there is a result."""
    found = await stand(store, id, owner)
    if found.session.outcome is None:
        raise DeskError(f"The review {found.session.session_id} has no result yet.", kind=Kind.REFUSED)
    return files_of(found.record)


async def decide(
    client: Client,
    store: Store,
    id: str,
    answer: str,
    because: str,
    *,
    owner: str = "shareholder",
    key: str | None = None,
) -> Stand:
    """Decide what the board escalated. REFUSED when it was not escalated, or when a decision stands; the same `key` and words
    again are taken once."""
    found = await stand(store, id, owner)
    session = found.session
    words = printable(because).strip()
    if is_blank(words):
        raise DeskError('Say why: a decision is recorded with its reason, as in --because "The risk is worth it".', usage=True)
    if len(words.encode()) > MAX_BECAUSE:
        raise DeskError(
            f"The reason has {len(words.encode())} bytes and the limit is {MAX_BECAUSE} (8 KiB): shorten it.", usage=True
        )
    note = key or f"decision-{token_hex(8)}"
    if session.decision is not None and (session.decision_key, session.decision) != (note, answer):
        raise _decided(session)
    if session.outcome is not None and session.outcome != "ESCALATE":
        raise DeskError(f"{session.session_id} needs no decision: the board's result is {session.outcome}.", kind=Kind.REFUSED)
    if session.outcome is None:
        raise DeskError(f"{session.session_id} has no result yet: only what was escalated is decided.", kind=Kind.REFUSED)
    if session.decision is None and session.ended_by is not None:
        raise DeskError(
            f"The time in which {session.session_id} could be decided is over: hand the proposal in again.", kind=Kind.REFUSED
        )
    async with store.write() as tx:
        await agendas.add_note(tx, id=note, meeting_id=session.meeting_id, kind="decision", text=words, at=datetime.now(UTC))
    handle: WorkflowHandle[Any, Any] = client.get_workflow_handle(session.meeting_id)
    try:
        await handle.execute_update(
            "decide", {"answer": answer, "note": note}, id=note, rpc_timeout=timedelta(seconds=PATIENCE)
        )
    except WorkflowUpdateFailedError as error:
        reason = error.cause.message if isinstance(error.cause, ApplicationError) else "The decision cannot be taken now."
        raise DeskError(reason, kind=Kind.REFUSED) from None
    except (WorkflowUpdateRPCTimeoutOrCancelledError, TimeoutError):
        raise DeskError(
            "No worker took the decision in time: start one with `boardroom up`, and decide again with the same words.",
            kind=Kind.AWAY,
        ) from None
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        session = await _session(store, id, owner)
        if session.decision is not None and session.decision_key != note:  # somebody was quicker
            raise _decided(session) from None
        raise await running.why(error, store, session.meeting_id) from None
    found = await stand(store, id, owner)
    if found.session.decision != answer:  # the same key at the same time for the other answer
        raise _decided(found.session)
    return found


def _decided(session: Session) -> DeskError:
    return DeskError(
        f"{session.session_id} was decided already ({session.decision}); the first decision stands.", kind=Kind.REFUSED
    )


async def ended(store: Store, meeting_id: str) -> bool:
    """Whether a review needs nobody's waiting any more: it is over, or it is escalated."""

    async def look(tx: AsyncConnection) -> bool:
        found = await proposals.find(tx, meeting_id)
        return found is None or found.ended_by is not None or found.outcome is not None

    return await store.look(look)
