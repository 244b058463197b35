"""What a meeting's workflow starts from, put together from the record: ids and rules, no text (law 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from records import meetings
from records.meetings import MeetingRow
from settings import Settings
from workflows.messages import Afterwards, BoardMeetingInput, Item, Rules, Seat

if TYPE_CHECKING:
    from records.engine import Store


def afterwards(settings: Settings) -> Afterwards:
    """What follows a meeting that begins with these settings."""
    return Afterwards(
        remind_days=settings.remind_days,
        stale_days=settings.stale_days,
        hour=settings.remind_hour,
        secretary=settings.secretary,
    )


async def convening(
    store: Store,
    meeting: MeetingRow,
    voices_queue: str,
    *,
    titles: bool,
    notices: bool = False,
    follows: Afterwards | None = None,
) -> BoardMeetingInput:
    """The input of the meeting's workflow. Topics go with it only where `titles` allows (law 15).

    `notices`: whether the person is told of the meeting's moments. `follows`: what follows it, None for nothing.
    """
    async with store.read() as tx:
        items = await meetings.items(tx, meeting.id)
    config = meeting.config
    return BoardMeetingInput(
        seats=[Seat(id=member["id"], name=member["name"], voting=member["voting"]) for member in config["members"]],
        facilitators=config["facilitators"],
        items=[
            Item(id=item.id, type=item.type, minutes=item.time_minutes, title=item.topic if titles else "") for item in items
        ],
        seed=meeting.seed,
        date=meeting.created_at.astimezone(ZoneInfo(meeting.zone)).date().isoformat(),
        voices_queue=voices_queue,
        rules=Rules(**config["rules"]),
        notices=notices,
        afterwards=follows,
    )
