"""Activities of a schedule's convener: open the meeting that is due, and keep how its convening ended.

The convener stands at the same desk as a person: it opens a meeting by the same functions, with the seats chosen for the
agenda (source 000, Scheduling: the scheduled path seats five). A schedule for goal drift looks into the context folder first.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities import interface as act
from activities.board_book import book_for
from activities.book.building import build_book
from activities.book.values import DriftingGoal
from activities.interface import ConveningDue, ConveningEnded, ConveningKept, ConveningOpened
from activities.points import reached
from clerk import opening, preparing
from clerk.errors import DeskError
from parliament import ids
from parliament.agenda import MAX_ITEMS, Agenda, make_agenda
from parliament.text import brief
from parliament.values import ItemType, MeetingStatus
from records import convenings, meetings
from records.engine import Store
from records.meetings import MeetingRow
from settings import Settings

QUIET = timedelta(days=7)
"""The same goals are not met about again within this time."""
MAX_TITLE = 120
"""Characters of a goal's title in a topic."""

HALTED = {
    MeetingStatus.FAILED: "the meeting halted and waits to be resumed",
    MeetingStatus.QUORUM_LOST: "the quorum was lost, and the meeting waits to be resumed",
}


class Convener:
    """Activities of the schedules' queue."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    @activity.defn(name=act.OPEN_CONVENING)
    async def open_convening(self, due: ConveningDue) -> ConveningOpened:
        """Put the convening and its meeting on the record, once however often this is tried.

        ApplicationError with one sentence when no meeting can be opened; what a person must mend first is not retried.
        """
        convening = _convening()
        planned = datetime.fromisoformat(due.planned)
        await self._begin(convening, due.schedule_id, planned)
        try:
            meeting = await self._opened_before(convening, due, planned)
            if meeting is None:
                agenda = await self._drifting(convening, due) if due.kind == "drift" else None
                if due.kind == "drift" and agenda is None:
                    return ConveningOpened()
                meeting = await self._write(convening, due, planned, agenda)
        except DeskError as error:
            raise ApplicationError(error.message, type="NotOpened", non_retryable=error.usage) from None
        if due.kind == "drift" and not meeting.board_book:  # else the chairman has it written when the agenda is drafted
            await book_for(self._store, self._settings.context_dir, meeting, self._today())
        await reached("convening_opened")
        return self._opened(meeting)

    @activity.defn(name=act.END_CONVENING)
    async def end_convening(self, ended: ConveningEnded) -> ConveningKept:
        """Keep the end; the first one stands. A meeting that halted before the limit has failed, not timed out."""
        convening = _convening()
        await self._begin(convening, ended.schedule_id, datetime.fromisoformat(ended.planned))

        async def write(tx: AsyncConnection) -> ConveningKept:
            outcome, why = ended.outcome, ended.why
            meeting = await meetings.find(tx, ended.meeting) if ended.meeting is not None else None
            if ended.meeting is not None and meeting is None:
                outcome, why = "failed", "the meeting was deleted"
            elif meeting is not None and outcome == "timeout":
                if meeting.status is MeetingStatus.COMPLETED:
                    outcome, why = "completed", ""
                elif meeting.status in HALTED:
                    outcome, why = "failed", meeting.error or HALTED[meeting.status]
            await convenings.end(tx, convening, outcome=outcome, why=why, now=datetime.now(UTC))
            kept = await convenings.get(tx, convening)
            return ConveningKept(
                outcome=kept.outcome if kept is not None else outcome,
                meeting=meeting.id if meeting is not None else None,
                notices=self._settings.has_notices,
            )

        kept = await self._store.run(write)
        await reached("convening_ended")
        return kept

    # -- opening ---------------------------------------------------------------------------------------------------

    async def _begin(self, convening: str, schedule_id: str, planned: datetime) -> None:
        now = datetime.now(UTC)
        await self._store.run(
            lambda tx: convenings.begin(tx, id=convening, schedule_id=schedule_id, planned_for=planned, now=now)
        )

    async def _opened_before(self, convening: str, due: ConveningDue, planned: datetime) -> MeetingRow | None:
        """The meeting that an attempt before opened."""
        meeting_id = await self._free_id(convening, due.schedule_id, planned)

        async def keep(tx: AsyncConnection) -> MeetingRow | None:
            found = await meetings.find(tx, meeting_id)
            if found is not None:
                await convenings.convened(tx, convening, meeting_id)
            return found

        return await self._store.run(keep)

    async def _write(self, convening: str, due: ConveningDue, planned: datetime, agenda: Agenda | None) -> MeetingRow:
        day = planned.astimezone(ZoneInfo(self._settings.zone))
        on = f"{day.day} {day:%B %Y}"
        called = await self._store.look(lambda tx: convenings.meetings_called(tx, due.schedule_id))
        name = called or (f"Board meeting of {on}" if agenda is None else f"Goals off track, {on}")
        plan = opening.plan(self._settings, opening.OpenRequest(agenda=agenda, seats="auto", name=name))
        simulated = await opening.check_provider(self._settings, plan)
        meeting_id = await opening.write_meeting(
            self._store,
            self._settings,
            plan,
            simulated=simulated,
            status=MeetingStatus.CREATED if agenda is None else MeetingStatus.AGENDA_DRAFT,
            meeting_id=await self._free_id(convening, due.schedule_id, planned),
            agenda_status="draft",
            schedule_id=due.schedule_id,
            planned_for=planned,
        )

        async def keep(tx: AsyncConnection) -> MeetingRow:
            await convenings.convened(tx, convening, meeting_id)
            return await meetings.get(tx, meeting_id)

        return await self._store.run(keep)

    async def _free_id(self, convening: str, schedule_id: str, planned: datetime) -> str:
        """The meeting's id, derived from the convener's: eight digits, so a stranger may stand under it already."""

        async def read(tx: AsyncConnection) -> str:
            n = 1
            while True:
                found = ids.meeting_id(convening if n == 1 else f"{convening}/{n}")
                standing = await meetings.find(tx, found)
                if standing is None or (standing.schedule_id, standing.planned_for) == (schedule_id, planned):
                    return found
                n += 1

        return await self._store.look(read)

    def _opened(self, meeting: MeetingRow) -> ConveningOpened:
        # Its topics come out of the context folder: they stand in Temporal only where a person said so (law 15).
        titles = self._settings.titles_in_temporal is True
        prepared = preparing.preparation_input(self._store, meeting, self._settings, titles=titles, unattended=True)
        rules = prepared.rules
        return ConveningOpened(
            meeting=meeting.id,
            preparation=prepared.model_dump(mode="json", exclude_defaults=True),
            limit=rules.meeting_deadline + rules.closing_allowance + self._settings.schedule_drafting,
            notices=prepared.notices,
        )

    # -- goal drift ------------------------------------------------------------------------------------------------

    async def _drifting(self, convening: str, due: ConveningDue) -> Agenda | None:
        """An agenda of exactly the goals that are off track; None, and the convening's end, when there is no cause to meet."""
        book = await asyncio.to_thread(lambda: build_book(self._settings.context_dir, today=self._today()))
        for missing in book.missing:
            if missing.source == "context folder":
                raise DeskError(missing.sentence, usage=True)
        goals = book.drifting[:MAX_ITEMS]
        if len(book.drifting) < self._settings.drift_goals:
            off = f"{len(book.drifting)} of {len(book.goals)} goals off track"
            await self._nothing(convening, f"{off}; the board is convened at {self._settings.drift_goals}")
            return None
        agenda = make_agenda(_items(goals))
        if await self._met_about(due.schedule_id, {item.topic for item in agenda.items}):
            await self._nothing(convening, f"the board met about these {len(goals)} goals less than {QUIET.days} days ago")
            return None
        return agenda

    def _today(self) -> date:
        return datetime.now(ZoneInfo(self._settings.zone)).date()

    async def _met_about(self, schedule_id: str, topics: set[str]) -> bool:
        """Whether the schedule convened a meeting on exactly these topics a short time ago, and it was held."""
        since = datetime.now(UTC) - QUIET

        async def read(tx: AsyncConnection) -> bool:
            for past in await convenings.since(tx, schedule_id, since):
                if past.meeting_id is None or past.outcome == "failed":
                    continue
                if {item.topic for item in await meetings.items(tx, past.meeting_id)} == topics:
                    return True
            return False

        return await self._store.look(read)

    async def _nothing(self, convening: str, why: str) -> None:
        now = datetime.now(UTC)
        await self._store.run(lambda tx: convenings.end(tx, convening, outcome="nothing_to_do", why=why, now=now))


def _items(goals: tuple[DriftingGoal, ...]) -> list[dict[str, Any]]:
    """One item for decision each. The reasons go into the description, where the board reads them."""
    return [
        {
            "topic": f"Goal off track: {brief(goal.title, MAX_TITLE)}",
            "type": ItemType.DECISION.value,
            "description": "; ".join(goal.reasons),
            "desired_outcome": "A decision by which the goal gets back on track, or is changed, or is set aside.",
        }
        for goal in goals
    ]


def _convening() -> str:
    workflow_id = activity.info().workflow_id
    assert workflow_id is not None
    return workflow_id
