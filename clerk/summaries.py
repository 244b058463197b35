"""Executive summaries and the secretary's review at the desk (source 000, Trigger Points)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from clerk import health, reading, running
from clerk.errors import DeskError, Kind
from parliament.review import Review, render_review
from parliament.summary import Summary, dissents_of, render_summary, votes_of
from parliament.text import is_blank, printable
from parliament.values import MeetingStatus
from records import proposals, summaries
from records.assemble import load_record
from records.engine import Store
from records.meetings import MeetingRow
from records.summaries import StoredSummary
from settings import Settings
from workflows.messages import SUMMARY, Rules, SummaryInput, meetings_queue, voices_queue

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

PATIENCE = 150.0
"""Seconds a caller waits for the secretary; what takes longer goes on without it."""
STARTING = 3.0
"""Seconds that a worker which has just started is given."""
MAX_FEEDBACK = 8 * 1024
"""Bytes in UTF-8 of what a person says of a summary."""


@dataclass(frozen=True, slots=True)
class Summarized:
    """A summary as it stands, with the votes and dissents that code adds, and rendered as Markdown."""

    meeting_id: str
    version: int
    source: str
    summary: Summary
    votes: list[dict[str, Any]]
    dissents: list[dict[str, str]]
    markdown: str
    problems: list[str]
    feedback: list[dict[str, Any]]
    simulated: bool
    at: datetime

    @property
    def as_json(self) -> dict[str, Any]:
        return {
            "meeting_id": self.meeting_id,
            "version": self.version,
            "source": self.source,
            **self.summary.model_dump(mode="json"),
            "votes": self.votes,
            "dissents": self.dissents,
            "summary": self.markdown,
            "problems": self.problems,
            "feedback": self.feedback,
            "simulated": self.simulated,
            "created_at": self.at.isoformat(),
        }


async def summary(client: Client, store: Store, settings: Settings, meeting_id: str) -> Summarized:
    """The newest summary; it is written when there is none yet. REFUSED while the meeting is not over."""
    await _over(store, meeting_id)
    found = await store.look(lambda tx: summaries.latest(tx, meeting_id))
    if found is None:
        await _write(client, store, meeting_id, 1)
    return await _latest(store, meeting_id)


async def standing(store: Store, meeting_id: str) -> Summarized | None:
    """The newest summary, if there is one."""
    await _known(store, meeting_id)
    found = await store.look(lambda tx: summaries.latest(tx, meeting_id))
    return await _latest(store, meeting_id) if found is not None else None


async def regenerate(client: Client, store: Store, settings: Settings, meeting_id: str, *, mail: bool = False) -> Summarized:
    """Have it written anew, by what the person said of it. `mail`: send it by mail. REFUSED where no mail is set up."""
    await _over(store, meeting_id)
    if mail and not (settings.smtp_host and settings.mail_to and settings.mail_from):
        raise DeskError(
            "Mail is not set up: set BOARDROOM_SMTP_HOST, BOARDROOM_MAIL_FROM and BOARDROOM_MAIL_TO.", kind=Kind.REFUSED
        )
    version = 1 + await store.look(lambda tx: summaries.last_version(tx, meeting_id))
    await _write(client, store, meeting_id, version, mail=mail)
    return await _latest(store, meeting_id)


async def give_feedback(store: Store, meeting_id: str, text: str) -> Summarized:
    """Keep what the person says of the newest summary; the next one is written by it. REFUSED when there is none yet."""
    await _known(store, meeting_id)
    words = printable(text).strip()
    if is_blank(words):
        raise DeskError("There is nothing in the feedback: write some words.", usage=True)
    if len(words.encode()) > MAX_FEEDBACK:
        raise DeskError(
            f"The feedback has {len(words.encode())} bytes and the limit is {MAX_FEEDBACK} (8 KiB): shorten it.", usage=True
        )

    async def write(tx: AsyncConnection) -> bool:
        version = await summaries.last_version(tx, meeting_id)
        if not version:
            return False
        known = await summaries.feedback(tx, meeting_id)
        if not known or (known[-1].text, known[-1].version) != (words, version):  # PUT: the same again is the same
            id = f"feedback-{token_hex(8)}"
            await summaries.add_feedback(tx, id=id, meeting_id=meeting_id, version=version, text=words, at=datetime.now(UTC))
        return True

    if not await store.run(write):
        raise DeskError("There is no summary of this meeting yet: get it first.", kind=Kind.REFUSED)
    return await _latest(store, meeting_id)


async def review(store: Store, meeting_id: str) -> dict[str, Any]:
    """The secretary's review as it is kept (review.json), with its text. REFUSED where there is none yet."""
    meeting = await _known(store, meeting_id)
    found = await store.look(lambda tx: summaries.review(tx, meeting_id))
    if found is None:
        raise DeskError("There is no review of this meeting yet: it is written when the meeting is over.", kind=Kind.REFUSED)
    return {
        **found.content,
        "text": render_review(Review.model_validate(found.content), meeting.name),
        "created_at": found.at.isoformat(),
    }


async def _known(store: Store, meeting_id: str) -> MeetingRow:
    """The meeting's row. UNKNOWN, and REFUSED for a proposal review: what it came to is its verdict, not a resolution."""
    meeting = await reading.known(store, meeting_id)
    session = await store.look(lambda tx: proposals.find(tx, meeting_id))
    if session is not None:
        raise DeskError(
            f"{meeting_id} is the review {session.session_id}, not summed up: `boardroom reviews {session.session_id}` "
            "shows its verdict, conditions and dissent.",
            kind=Kind.REFUSED,
        )
    return meeting


async def _over(store: Store, meeting_id: str) -> None:
    meeting = await _known(store, meeting_id)
    if meeting.status is not MeetingStatus.COMPLETED and meeting.ended_by is None:
        raise DeskError(
            f"The meeting {meeting_id} is {meeting.status.value.replace('_', ' ')}: it is summed up when it is over.",
            kind=Kind.REFUSED,
        )


async def _latest(store: Store, meeting_id: str) -> Summarized:
    async def read(tx: AsyncConnection) -> Summarized:
        found: StoredSummary | None = await summaries.latest(tx, meeting_id)
        if found is None:
            raise DeskError("The summary was deleted meanwhile.", kind=Kind.UNKNOWN)
        record = await load_record(tx, meeting_id)
        written = Summary.model_validate(found.content)
        return Summarized(
            meeting_id=meeting_id,
            version=found.version,
            source=found.source,
            summary=written,
            votes=votes_of(record),
            dissents=dissents_of(record),
            markdown=render_summary(written, record),
            problems=found.problems,
            feedback=[
                {"version": one.version, "text": one.text, "at": one.at.isoformat()}
                for one in await summaries.feedback(tx, meeting_id)
            ],
            simulated=record.simulated,
            at=found.at,
        )

    return await store.look(read)


async def _write(client: Client, store: Store, meeting_id: str, version: int, *, mail: bool = False) -> None:
    """Have a version written by its workflow; two callers at once have one written."""
    meeting = await reading.known(store, meeting_id)
    wanted = SummaryInput(
        meeting=meeting_id,
        version=version,
        voices_queue=voices_queue(store.store_id),
        rules=Rules(**meeting.config["rules"]),
        mail=mail,
    )
    try:
        if not await health.polled(client, meetings_queue(store.store_id)):
            await asyncio.sleep(STARTING)  # one that starts at this moment is seen a little later
            if not await health.polled(client, meetings_queue(store.store_id)):
                raise DeskError("No worker is there to write the summary: start one with `boardroom up`.", kind=Kind.AWAY)
        handle = await client.start_workflow(
            SUMMARY,
            wanted,
            id=f"summary-{meeting_id}-{version}",
            task_queue=meetings_queue(store.store_id),
            task_timeout=running.TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
            static_summary="Executive summary",
            rpc_timeout=running.RPC,
        )
        await asyncio.wait_for(handle.result(), PATIENCE)
    except WorkflowAlreadyStartedError:
        return
    except WorkflowFailureError:
        raise DeskError("The summary could not be written now: try again.", kind=Kind.AWAY) from None
    except TimeoutError:
        raise DeskError(
            "No worker wrote the summary in time: start one with `boardroom up`; it is written when one is there.",
            kind=Kind.AWAY,
        ) from None
    except (RPCError, RuntimeError) as error:  # RuntimeError: a client that connects late
        raise running.refused(error, meeting_id) from None
