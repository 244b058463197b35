"""Activities of a meeting's preparation that need no voice: steps of the agenda's life, and what the meeting starts from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory

from activities import interface as act
from activities.frozen import meeting_of_activity, seat
from activities.interface import Convened, ConveningWanted, Preparing
from parliament.agenda import Agenda, AgendaStatus
from parliament.seating import Composition, SeatingError, seats_for
from parliament.values import EndedBy, MeetingStatus
from records import agendas, meetings
from records.engine import Store
from records.meetings import MeetingRow

REVIEWED = (MeetingStatus.CREATED, MeetingStatus.AGENDA_DRAFT)
"""In these states an agenda may be changed."""


def refusal(reason: str) -> ApplicationError:
    """The error by which an activity says that what was asked for is not in order; the reason reaches the person."""
    return ApplicationError(
        reason, type=act.REFUSED, non_retryable=True, category=ApplicationErrorCategory.BENIGN
    )  # no warning in the log


class Preparer:
    """Activities of the meetings' queue."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @activity.defn(name=act.KEEP_PREPARATION)
    async def keep_preparation(self, preparing: Preparing) -> None:
        """Put a step on the record. Done before by an earlier attempt: a no-op. ApplicationError `Refused` with the reason."""
        meeting_id = meeting_of_activity()

        async def write(tx: AsyncConnection) -> None:
            await agendas.version(tx, meeting_id)  # held: nobody changes the agenda meanwhile
            meeting = await meetings.get(tx, meeting_id)
            match preparing.what:
                case "edit":
                    await _edit(tx, meeting)
                case "approve" | "hold":
                    await _approve(tx, meeting, preparing.version)
                case "drop":
                    await _drop(tx, meeting, preparing.why)

        await self._store.run(write)

    @activity.defn(name=act.READ_CONVENING)
    async def read_convening(self, wanted: ConveningWanted) -> Convened:
        """What the meeting starts from, as it was approved."""
        meeting_id = meeting_of_activity()

        async def read(tx: AsyncConnection) -> Convened:
            meeting = await meetings.get(tx, meeting_id)
            return Convened(
                seats=[
                    {"id": member["id"], "name": member["name"], "voting": member.get("voting", True)}
                    for member in meeting.config["members"]
                ],
                facilitators=meeting.config["facilitators"],
                items=[
                    {
                        "id": item.id,
                        "type": item.type.value,
                        "minutes": item.time_minutes,
                        "title": item.topic if wanted.titles else "",
                    }
                    for item in await meetings.items(tx, meeting_id)
                ],
                seed=meeting.seed,
                date=meeting.created_at.astimezone(ZoneInfo(meeting.zone)).date().isoformat(),
            )

        return await self._store.look(read)


async def _edit(tx: AsyncConnection, meeting: MeetingRow) -> None:
    if meeting.status not in (*REVIEWED, MeetingStatus.PREPARED):
        raise refusal(f"The meeting is {meeting.status.value}: its agenda can no longer be edited.")
    await agendas.set_fields(tx, meeting.id, status=MeetingStatus.AGENDA_DRAFT.value, agenda_status=AgendaStatus.DRAFT.value)


async def _approve(tx: AsyncConnection, meeting: MeetingRow, version: int | None) -> None:
    if meeting.status is MeetingStatus.PREPARED:
        return
    if meeting.status not in REVIEWED:
        raise refusal(f"The meeting is {meeting.status.value}: its agenda can no longer be approved.")
    agenda, standing = await agendas.standing(tx, meeting.id)
    if agenda is None:
        raise refusal("The agenda is empty: add an item, or have the chairman draft one, and then approve it.")
    if version is not None and version != standing:
        raise refusal(
            f"The agenda was changed since you read it (it is at version {standing}, you read {version}): read it again, and "
            "approve what stands there now."
        )
    await agendas.set_fields(
        tx,
        meeting.id,
        status=MeetingStatus.PREPARED.value,
        agenda_status=AgendaStatus.APPROVED.value,
        revision_requested=False,
        **_seated(meeting, agenda),
    )


def _seated(meeting: MeetingRow, agenda: Agenda) -> dict[str, Any]:
    """Where the seats are chosen for the agenda: the five who sit, out of those who were frozen (source 000, Seating)."""
    config = meeting.config
    if "composition" not in config:
        return {}
    composition = Composition(**config["composition"])
    roster = [seat(member) for member in config["members"]]
    try:
        ids = seats_for("auto", agenda.items, composition, roster)
    except SeatingError as error:
        raise refusal(f"The board cannot be seated for this agenda: {error}.") from None
    members = {member["id"]: member for member in config["members"]}
    facilitators = [member for member in config["facilitators"] if member in ids] or list(ids[:1])
    return {
        "attendees": list(ids),
        "chair": facilitators[0],
        "chair_named": facilitators[0],
        "config": {
            **{name: value for name, value in config.items() if name != "composition"},
            "members": [members[member] for member in ids],
            "facilitators": facilitators,
        },
    }


async def _drop(tx: AsyncConnection, meeting: MeetingRow, why: str) -> None:
    if meeting.ended_by is not None:
        return
    await agendas.set_fields(
        tx,
        meeting.id,
        status=MeetingStatus.FAILED.value,
        ended_by=EndedBy.ABANDONED.value,
        error=why,
        completed_at=datetime.now(UTC),
    )
