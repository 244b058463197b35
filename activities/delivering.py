"""The `deliver_notice` activity: each channel gets a notice once, or one that says it may be a repetition (law 4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

import telemetry
from activities import interface as act
from activities.interface import Delivery
from activities.notices import Channel, ChannelError, Message, Moment, channels_of, compose
from activities.notices.composing import FOLLOWED
from activities.points import reached
from parliament.review import Review, render_review, subject
from parliament.summary import Summary, render_summary
from parliament.text import one_line
from records import knowledge, ledger, meetings, notices, summaries
from records.assemble import load_record
from records.engine import Store
from records.meetings import MeetingRow
from settings import Settings

LEASE = 40.0
"""Seconds a notice belongs to the attempt that sends it: longer than any channel's patience, and over before the workflow
takes an attempt for dead (workflows/notice.py)."""

MAILED = frozenset(("summary",))
"""Sent because the person asked for it, by mail alone."""


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a notice in one channel.

    `state` is that of its row: "sent", "failed" (given up), "open" or "unsure" (another attempt may); or "waiting": another
    attempt is at it, or the channel asked to wait. None: there is nothing to do, since it was sent or given up before, or the
    meeting was deleted.
    `wait`: seconds until another attempt, 0 as soon as may be, None where none is wanted. `trouble`: one sentence.
    """

    state: str | None
    wait: float | None = None
    trouble: str = ""


class Courier:
    """Sends notices through the channels of this worker's settings."""

    def __init__(self, store: Store, settings: Settings, channels: Sequence[Channel] | None = None) -> None:
        self._store = store
        self._settings = settings
        self._channels = tuple(channels) if channels is not None else channels_of(settings)

    @activity.defn(name=act.DELIVER_NOTICE)
    async def deliver_notice(self, delivery: Delivery) -> None:
        """Deliver to every channel, side by side: a slow one holds up no other.

        Raises ApplicationError for another attempt while one of them may still take it.
        """
        channels = [channel for channel in self._channels if delivery.kind not in MAILED or channel.name == "mail"]
        told = await asyncio.gather(*(self.deliver(channel, delivery) for channel in channels))
        waits = [one.wait for one in told if one.wait is not None]
        if waits:
            troubles = [
                f"{channel.name}: {one.trouble}"
                for channel, one in zip(channels, told, strict=True)
                if one.wait is not None and one.trouble
            ]
            raise ApplicationError(
                " ".join(troubles) or "Another attempt is still sending, or the channel asked to wait.",
                type="NotDelivered",
                # Whoever asks to wait is not asked before: the row says so, and holds up no other channel.
                next_retry_delay=timedelta(seconds=min(waits)) if min(waits) > 0 else None,
            )

    async def deliver(self, channel: Channel, delivery: Delivery, *, last: bool = False) -> Told:
        """Send to one channel and write down what came of it. `last`: nobody tries again, so what was not sent has failed."""
        owner = uuid4().hex
        now = datetime.now(UTC)

        async def claim(tx: AsyncConnection) -> notices.Claimed | datetime | None:
            known = delivery.meeting is None or await meetings.find(tx, delivery.meeting) is not None
            if not known:
                return None  # the meeting was deleted: nothing is told of it any more
            return await notices.claim(
                tx,
                id=delivery.id,
                channel=channel.name,
                kind=delivery.kind,
                owner=owner,
                lease_seconds=LEASE,
                now=now,
                meeting_id=delivery.meeting,
                ref=delivery.ref,
            )

        claimed = await self._store.run(claim)
        if claimed is None:
            return Told(None)
        if isinstance(claimed, datetime):
            return Told("waiting", max(1.0, (claimed - now).total_seconds()))
        moment = await self._moment(delivery)
        if moment is None:
            return Told(None)
        message = compose(
            moment,
            details=self._settings.notice_details,
            public_url=self._settings.public_url or "",
            possibly_repeated=claimed.repeated,
        )
        told = await self._send(channel, message)
        if last and told.state != "sent":
            told = Told("failed", trouble=told.trouble)
        telemetry.metrics().notices.labels(channel.name, told.state).inc()
        await self._store.run(
            lambda tx: notices.settle(
                tx,
                id=delivery.id,
                channel=channel.name,
                owner=owner,
                state=told.state or "open",
                now=datetime.now(UTC),
                trouble=told.trouble,
                wait=told.wait or 0.0,
            )
        )
        return told

    @staticmethod
    async def _send(channel: Channel, message: Message) -> Told:
        try:
            with telemetry.span("notice", kind=message.kind, channel=channel.name):
                await channel.send(message)
        except ChannelError as error:
            if not error.retryable:
                return Told("failed", trouble=str(error))
            # Where it may have arrived, the next attempt says that it may be a repetition.
            return Told("unsure" if error.unsure else "open", error.retry_after or 0.0, str(error))
        except Exception as error:
            # An error of our own. What it says may hold an address or a secret; its type does not.
            return Told("unsure", 0.0, f"The channel broke off ({type(error).__name__}).")
        await reached("notice_sent")
        return Told("sent")

    async def _moment(self, delivery: Delivery) -> Moment | None:
        """What happened, from the record; None when the meeting was deleted meanwhile."""
        if delivery.meeting is None:
            return Moment(id=delivery.id, kind=delivery.kind, ref=delivery.ref)
        meeting_id, ref = delivery.meeting, delivery.ref

        async def read(tx: AsyncConnection) -> Moment | None:
            meeting = await meetings.find(tx, meeting_id)
            if meeting is None:
                return None
            about = ref.partition("/")[0] if ref is not None and ref.startswith("RES-") else None
            paper = await knowledge.paper(tx, about) if about is not None else None
            if paper is None and delivery.kind in FOLLOWED:
                return None  # the resolution was deleted
            adopted = await knowledge.adopted(tx, meeting_id) if delivery.kind == "meeting_ended" else None
            return Moment(
                **await _written(tx, delivery, meeting),
                task=await _task(tx, ref or ""),
                id=delivery.id,
                kind=delivery.kind,
                meeting=meeting_id,
                ref=ref,
                simulated=meeting.simulated,
                resolutions=adopted,
                disposition=paper.status if paper is not None else "",
                name=meeting.name,
                topic=paper.topic if paper is not None else "",
                text=paper.text if paper is not None else "",
                why=meeting.error or "",
            )

        return await self._store.look(read)


async def _written(tx: AsyncConnection, delivery: Delivery, meeting: MeetingRow) -> dict[str, Any]:
    """The review or the summary that a notice is about, whole."""
    if delivery.kind == "review" and (review := await summaries.review(tx, meeting.id)) is not None:
        found = Review.model_validate(review.content)
        return {"counts": found.counts, "whole": render_review(found, meeting.name), "title": subject(meeting.name)}
    if delivery.kind == "summary" and (delivery.ref or "").isdecimal():
        summary = await summaries.get(tx, meeting.id, int(delivery.ref or 0))
        if summary is not None:
            whole = render_summary(Summary.model_validate(summary.content), await load_record(tx, meeting.id))
            return {"whole": whole, "title": f"Board Summary: {one_line(meeting.name)[:180]}"}
    return {}


async def _task(tx: AsyncConnection, ref: str) -> str:
    """The task of the action item that a change is about: RES-…/action_due/ACT-…@date."""
    action = ref.rpartition("/")[2].partition("@")[0]
    entry = await ledger.entry(tx, action) if action.startswith("ACT-") else None
    return entry.task if entry is not None else ""
