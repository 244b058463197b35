"""The `deliver_notice` activity: each channel gets a notice once, or one that says it may be a repetition (law 4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

import telemetry
from activities import interface as act
from activities.interface import Delivery
from activities.notices import Channel, ChannelError, Moment, channels_of, compose
from activities.points import reached
from records import knowledge, meetings, notices
from records.engine import Store
from settings import Settings

LEASE = 60.0
"""Seconds a notice belongs to the attempt that sends it: longer than any channel's patience."""


class Courier:
    """Sends notices through the channels of this worker's settings."""

    def __init__(self, store: Store, settings: Settings, channels: Sequence[Channel] | None = None) -> None:
        self._store = store
        self._settings = settings
        self._channels = tuple(channels) if channels is not None else channels_of(settings)

    @activity.defn(name=act.DELIVER_NOTICE)
    async def deliver_notice(self, delivery: Delivery) -> None:
        """Deliver to every channel. Raises ApplicationError for another attempt while one of them may still take it."""
        waiting: list[float] = []
        troubles = []
        for channel in self._channels:
            wait, trouble = await self.deliver(channel, delivery)
            if trouble:
                troubles.append(f"{channel.name}: {trouble}")
            if wait is not None:
                waiting.append(wait)
        if waiting:
            raise ApplicationError(
                " ".join(troubles) or "another attempt is still sending",
                type="NotDelivered",
                next_retry_delay=timedelta(seconds=max(waiting)) if max(waiting) > 0 else None,
            )

    async def deliver(self, channel: Channel, delivery: Delivery) -> tuple[float | None, str]:
        """One channel: seconds to wait before another attempt (None: it has it, or never will), and the trouble."""
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
            return None, ""
        if isinstance(claimed, datetime):
            return max(1.0, (claimed - now).total_seconds()), ""
        moment = await self._moment(delivery)
        message = compose(
            moment,
            details=self._settings.notice_details,
            public_url=self._settings.public_url or "",
            possibly_repeated=claimed.repeated,
        )
        state, trouble, wait = "sent", "", None
        try:
            await channel.send(message)
            await reached("notice_sent")
        except ChannelError as error:
            trouble = str(error)
            state = "failed"
            if error.retryable:
                # Where it may have arrived the row stays "sending": the next attempt then says that it may be a repetition.
                state = "unsure" if error.unsure else "open"
                wait = error.retry_after or 0.0
        telemetry.metrics().notices.labels(channel.name, state).inc()
        await self._store.run(
            lambda tx: notices.settle(
                tx, id=delivery.id, channel=channel.name, owner=owner, state=state, now=datetime.now(UTC), trouble=trouble
            )
        )
        return wait, trouble

    async def _moment(self, delivery: Delivery) -> Moment:
        if delivery.meeting is None:
            return Moment(id=delivery.id, kind=delivery.kind, ref=delivery.ref)
        meeting_id, ref = delivery.meeting, delivery.ref

        async def read(tx: AsyncConnection) -> Moment:
            meeting = await meetings.get(tx, meeting_id)
            paper = await knowledge.paper(tx, ref) if delivery.kind == "resolution" and ref else None
            adopted = await knowledge.adopted(tx, meeting_id) if delivery.kind == "meeting_ended" else None
            return Moment(
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
