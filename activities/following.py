"""Following a resolution: what the calendar brought goes on the record, and so does the person's answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity

from activities import interface as act
from activities.bookkeeping import task_item
from activities.interface import Answering, FollowedNow, Following
from activities.points import reached
from activities.preparing import refusal
from activities.tasks import Doer, DoerError
from parliament import following as rules
from parliament.following import ChangeKind, Plan, Response
from parliament.tracking import Decision, contradicted
from records import agendas, following, ledger
from records.engine import Store
from records.following import Tracked

log = structlog.get_logger("boardroom.following")

TOLD = {
    ChangeKind.REMINDED: "resolution_waiting",
    ChangeKind.RETURNED: "resolution_returned",
    ChangeKind.ACTION_DUE: "action_due",
    ChangeKind.ACTION_OVERDUE: "action_overdue",
    ChangeKind.STALE: "resolution_stale",
    ChangeKind.DONE: "resolution_done",
}
"""Which notice tells of which change."""

_KINDS = {
    Response.ACCEPT: ChangeKind.ACCEPTED,
    Response.REJECT: ChangeKind.REJECTED,
    Response.DEFER: ChangeKind.DEFERRED,
}


class Follower:
    """Activities of the meetings' queue that keep the record of a resolution's afterlife."""

    def __init__(self, store: Store, doers: Mapping[str, Doer] | None = None) -> None:
        self._store = store
        self._doers = doers or {}

    @activity.defn(name=act.FOLLOW_RESOLUTION)
    async def follow_resolution(self, asked: Following) -> FollowedNow:
        """Write down what is due as of the moment, and say where the resolution stands. Each change stands once (law 4)."""
        resolution_id = activity.info().workflow_id or ""
        now = datetime.fromisoformat(asked.at)
        plan = Plan(remind_days=asked.remind_days, stale_days=asked.stale_days, hour=asked.hour)

        async def write(tx: AsyncConnection) -> FollowedNow:
            await following.lock(tx, resolution_id)
            found = await following.tracked(tx, resolution_id)
            if found is None:
                return FollowedNow(gone=True)
            if await ledger.settle(tx, found.meeting_id):  # whoever comes first reads the meeting's deadlines
                found = await following.tracked(tx, resolution_id) or found
            outlook = rules.outlook(found.followed, now, plan)
            for step in outlook.steps:
                await _write(tx, found, step.kind, step.which, now, origin="calendar")
            if outlook.steps:
                found = await following.tracked(tx, resolution_id) or found
                outlook = rules.outlook(found.followed, now, plan)
            return _now(found, outlook, now, await following.replaced_by(tx, resolution_id))

        result = await self._store.run(write)
        await self._undo(resolution_id)
        await reached("resolution_followed")
        return result

    async def _undo(self, resolution_id: str) -> None:
        """Take back what doers did for items that are open again, or dropped; one that fails, at the next look."""
        for entry, name in await self._store.look(lambda tx: ledger.to_undo(tx, resolution_id)):
            doer = self._doers.get(name)
            if doer is None:
                continue
            try:
                await doer.undo(task_item(entry))
            except DoerError as error:
                log.warning("what a doer did was not taken back", doer=name, why=str(error))
                continue
            now = datetime.now(UTC)

            async def write(tx: AsyncConnection, entry: ledger.Entry = entry, name: str = name, now: datetime = now) -> None:
                await ledger.note(tx, entry.id, kind="undone", origin=f"doer:{name}", at=now)

            await self._store.run(write)

    @activity.defn(name=act.ANSWER_RESOLUTION)
    async def answer_resolution(self, answering: Answering) -> str:
        """Write the person's answer down, with what follows from it; the status it stands at. ApplicationError `Refused`."""
        resolution_id = activity.info().workflow_id or ""
        now = datetime.fromisoformat(answering.at)
        response = Response(answering.response)

        async def write(tx: AsyncConnection) -> str:
            await following.lock(tx, resolution_id)
            found = await following.tracked(tx, resolution_id)
            if found is None:
                raise refusal("The resolution was deleted.")
            if _same(found, answering, _KINDS[response], now):
                return rules.status(found.followed, now).value
            refused = rules.refusal(found.followed, response)
            if refused is not None:
                raise refusal(refused)
            note = await agendas.note(tx, answering.note) if answering.note else None
            until = date.fromisoformat(answering.until) if answering.until else None
            given: dict[str, Any] = {
                "response": response.value,
                "note": note.text if note is not None else "",
                "until": answering.until,
                "responded_at": now.isoformat(timespec="seconds"),
                "origin": answering.origin,
                "key": answering.note,
            }
            which = ""
            if response is Response.DEFER:
                which = str(1 + sum(change.kind is ChangeKind.DEFERRED for change in found.followed.changes))
            await following.set_response(tx, resolution_id, given)
            await following.add_change(
                tx,
                meeting_id=found.meeting_id,
                resolution_id=resolution_id,
                kind=_KINDS[response],
                which=which,
                origin=answering.origin,
                note=given["note"],
                until=until,
                at=now,
            )
            if response is Response.REJECT:
                await _drop_tasks(tx, found, now)
            if response is Response.ACCEPT:
                await _supersede(tx, found, now)
            found = await following.tracked(tx, resolution_id) or found
            return rules.status(found.followed, now).value

        status = await self._store.run(write)
        await reached("resolution_answered")
        return status


def _same(found: Tracked, answering: Answering, kind: ChangeKind, now: datetime) -> bool:
    """Whether this very answer stands: an attempt wrote it before it died, or the person asks again under the same key."""
    key = _key(found)
    written = any(change.kind is kind and change.at == now for change in found.followed.changes)
    return written or (key is not None and key == answering.note)


def _key(found: Tracked) -> str | None:
    """The key of the answer that stands; None where it has none, or none stands."""
    return (found.user_response or {}).get("key") or None


async def _write(tx: AsyncConnection, found: Tracked, kind: ChangeKind, which: str, now: datetime, *, origin: str) -> None:
    await following.add_change(
        tx, meeting_id=found.meeting_id, resolution_id=found.id, kind=kind, which=which, origin=origin, at=now
    )
    if kind is ChangeKind.RETURNED:  # it waits for an answer again
        await following.set_response(tx, found.id, None)


def _now(found: Tracked, outlook: rules.Outlook, now: datetime, replaced: list[str]) -> FollowedNow:
    """What the workflow needs to know. Notices are named by every change on the record: each is sent once by its id."""
    given, until = rules.answer(found.followed), rules.deferred_until(found.followed)
    return FollowedNow(
        status=outlook.status.value,
        meeting=found.meeting_id,
        answer=given.value if given is not None else None,
        until=until.isoformat() if until is not None else None,
        next=outlook.next_at.isoformat() if outlook.next_at is not None else None,
        tell=[
            (TOLD[change.kind], following.change_id(found.id, change.kind.value, change.which))
            for change in found.followed.changes
            if change.kind in TOLD and change.at == now
        ],
        ended=outlook.ended,
        key=_key(found),
        replaced=replaced,
    )


async def _drop_tasks(tx: AsyncConnection, found: Tracked, now: datetime) -> None:
    """What a rejected resolution asked for is not to be done."""
    for task in found.followed.tasks:
        if not task.done and await ledger.turn_to(tx, task.id, ledger.DROPPED, now):
            await ledger.note(tx, task.id, kind="dropped", origin=found.id, at=now, which="1")


async def _supersede(tx: AsyncConnection, found: Tracked, now: datetime) -> None:
    """Earlier resolutions that the accepted one contradicts: it takes their place."""
    standing = {
        one.id: one
        for one in await following.tracked_of(tx, found.owner)
        if one.id != found.id and one.decided_at < found.decided_at and rules.status(one.followed, now) not in rules.ENDED
    }
    new = Decision(found.id, found.topic, found.text)
    for other in contradicted(new, [Decision(one.id, one.topic, one.text) for one in standing.values()]):
        await following.supersede(tx, other, found.id)
        await following.add_change(
            tx,
            meeting_id=standing[other].meeting_id,
            resolution_id=other,
            kind=ChangeKind.SUPERSEDED,
            which=found.id,
            origin=found.id,
            at=now,
        )
