"""One meeting's whole record as values, in a deterministic order: what minutes and exports are rendered from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Table, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.ids import resolution_id
from parliament.record import (
    ActionRecord,
    AmendmentRecord,
    BallotRecord,
    DissentRecord,
    ItemRecord,
    MeetingRecord,
    MemberRecord,
    MotionRecord,
    ResolutionRecord,
    RulingRecord,
    TurnRecord,
)
from parliament.values import CLERK, Disposition, EndedBy, Phase, Purpose, Reading, TurnStatus, Vote
from records import meetings, schema, turns


async def load_record(tx: AsyncConnection, meeting_id: str, *, transcript: bool = True) -> MeetingRecord:
    """The record. Raises LookupError for an unknown meeting. Without `transcript` the user inputs are left out."""
    meeting = await meetings.get(tx, meeting_id)
    names = {member["id"]: member["name"] for member in meeting.config["members"]}
    ballots = await _ballots(tx, meeting_id)
    motions = await _motions(tx, meeting_id, ballots)
    items = await meetings.items(tx, meeting_id)
    numbers = {item.id: item.number for item in items}
    actions = await _actions(tx, meeting_id, numbers)
    resolutions = await _resolutions(tx, meeting_id, names, actions, numbers)
    present, absent = await _roll(tx, meeting_id, tuple(meeting.attendees))
    return MeetingRecord(
        id=meeting.id,
        name=meeting.name,
        status=meeting.status,
        phase=Phase(meeting.phase) if meeting.phase else None,
        simulated=meeting.simulated,
        provider=meeting.provider,
        seed=meeting.seed,
        quorum=meeting.quorum,
        chair=meeting.chair,
        chair_named=meeting.chair_named,
        members=tuple(
            MemberRecord(id=member["id"], name=member["name"], role=member["role"], voting=member.get("voting", True))
            for member in meeting.config["members"]
        ),
        present=present,
        absent=absent,
        items=items,
        standing_items=tuple(meeting.standing_items),
        user_feedback=meeting.user_feedback,
        revision_requested=meeting.revision_requested,
        motions=motions,
        resolutions=resolutions,
        removed=(
            _removed(meeting_id, motions, resolutions, items, await _dissents(tx, meeting_id, names))
            if meeting.ended_by not in (None, EndedBy.IMPORTED)
            else ()
        ),
        actions=actions,
        rulings=await _rulings(tx, meeting_id),
        user_inputs=await _inputs(tx, meeting_id) if transcript else (),
        warnings=await _warnings(tx, meeting_id, ended=meeting.completed_at is not None),
        ended_by=EndedBy(meeting.ended_by) if meeting.ended_by else None,
        scheduled_start=_iso(meeting.scheduled_start),
        created_at=_iso(meeting.created_at),
        started_at=_iso(meeting.started_at),
        completed_at=_iso(meeting.completed_at),
        zone=meeting.zone,
    )


async def load_questions(tx: AsyncConnection, meeting_id: str) -> tuple[str, tuple[MotionRecord, ...]]:
    """Who presides, and the motions as they stand, without their ballots: what the voices of a round must know."""
    chair = await tx.scalar(select(schema.meetings.c.chair).where(schema.meetings.c.id == meeting_id))
    return str(chair), await _motions(tx, meeting_id, {})


async def _rows(tx: AsyncConnection, table: Table, meeting_id: str, *order: Any) -> list[Row[Any]]:
    return list(await tx.execute(select(table).where(table.c.meeting_id == meeting_id).order_by(*order)))


async def _ballots(tx: AsyncConnection, meeting_id: str) -> dict[str, list[BallotRecord]]:
    b, v = schema.ballots, schema.votes
    entries: dict[tuple[str, int], dict[str, Row[Any]]] = defaultdict(dict)
    for vote in await _rows(tx, v, meeting_id, v.c.question_id, v.c.round):
        entries[vote.question_id, vote.round][vote.member_id] = vote
    found: dict[str, list[BallotRecord]] = defaultdict(list)
    for row in await _rows(tx, b, meeting_id, b.c.question_id, b.c.round):
        cast = entries[row.question_id, row.round]
        found[row.question_id].append(
            BallotRecord(
                question_id=row.question_id,
                round=row.round,
                threshold=row.threshold,
                votes={member: Vote(cast[member].choice) for member in row.roll},
                reasons={member: cast[member].reason for member in row.roll if cast[member].reason},
                raw={member: cast[member].raw for member in row.roll if cast[member].raw},
                outcome=Disposition(row.outcome) if row.outcome else None,
                present=row.present,
                closed_at=_iso(row.closed_at),
            )
        )
    return found


async def _motions(tx: AsyncConnection, meeting_id: str, ballots: dict[str, list[BallotRecord]]) -> tuple[MotionRecord, ...]:
    m, a = schema.motions, schema.amendments
    amendments: dict[str, list[AmendmentRecord]] = defaultdict(list)
    for row in await _rows(tx, a, meeting_id, a.c.created_at, a.c.id):
        amendments[row.motion_id].append(
            AmendmentRecord(
                id=row.id,
                motion_id=row.motion_id,
                target_id=row.target_id,
                degree=row.degree,
                mover=row.mover,
                seconder=row.seconder,
                text=row.text,
                summary=row.summary,
                status=Disposition(row.status),
                by_consent=row.by_consent,
                ballots=tuple(ballots.get(row.id, ())),
            )
        )
    return tuple(
        MotionRecord(
            id=row.id,
            item_id=row.item_id or "",
            kind=row.kind,
            text=row.text,
            original_text=row.original_text,
            proposed_by=row.mover,
            seconded_by=row.seconder,
            status=Disposition(row.status),
            by_consent=row.by_consent,
            dissenter=row.dissenter,
            amendments=tuple(sorted(amendments.get(row.id, ()), key=lambda x: _place(x.id))),
            ballots=tuple(ballots.get(row.id, ())),
            created_at=_iso(row.created_at),
        )
        for row in sorted(await _rows(tx, m, meeting_id, m.c.id), key=lambda row: (row.created_at, row.id))
    )


def _place(amendment_id: str) -> int:
    """The transcript place in an amendment's id: amendments of one blind round are in speaking order."""
    return int(amendment_id.rsplit("-", 1)[-1])


async def _actions(tx: AsyncConnection, meeting_id: str, numbers: dict[str, int]) -> tuple[ActionRecord, ...]:
    t, r = schema.action_items, schema.resolutions
    resolution_of = {row.item_id: row.id for row in await _rows(tx, r, meeting_id, r.c.id)}
    rows = sorted(
        await _rows(tx, t, meeting_id, t.c.id),
        key=lambda row: (numbers.get(row.item_id, 0), row.created_at, row.position, row.id),
    )
    return tuple(
        ActionRecord(
            id=row.id,
            task=row.task,
            owner=row.owner,
            deadline=row.deadline,
            status=row.status,
            item_id=row.item_id,
            origin=row.origin,
            resolution_id=row.resolution_id or (resolution_of.get(row.item_id) if row.origin == "resolution" else None),
        )
        for row in rows
    )


async def _resolutions(
    tx: AsyncConnection, meeting_id: str, names: dict[str, str], actions: tuple[ActionRecord, ...], numbers: dict[str, int]
) -> tuple[ResolutionRecord, ...]:
    r = schema.resolutions
    dissents = await _dissents(tx, meeting_id, names)
    rows = sorted(await _rows(tx, r, meeting_id, r.c.id), key=lambda row: (numbers.get(row.item_id, 0), row.id))
    return tuple(
        ResolutionRecord(
            id=row.id,
            meeting_id=meeting_id,
            agenda_item_id=row.item_id,
            motion_id=row.motion_id,
            topic=row.topic,
            dissents=dissents.get(row.motion_id, ()),
            action_items=tuple(action for action in actions if action.resolution_id == row.id),
            user_response=row.user_response,
            created_at=_iso(row.created_at),
        )
        for row in rows
    )


async def _dissents(tx: AsyncConnection, meeting_id: str, names: dict[str, str]) -> dict[str, tuple[DissentRecord, ...]]:
    """The dissents by the question that they are from."""
    d = schema.dissents
    found: dict[str, list[DissentRecord]] = defaultdict(list)
    for row in await _rows(tx, d, meeting_id, d.c.round, d.c.member_id):
        found[row.question_id].append(
            DissentRecord(
                member_id=row.member_id,
                member_name=names.get(row.member_id, row.member_id),
                statement=row.statement,
                recorded_at=_iso(row.recorded_at) or "",
            )
        )
    return {question: tuple(dissents) for question, dissents in found.items()}


def _removed(
    meeting_id: str,
    motions: Sequence[MotionRecord],
    resolutions: Sequence[ResolutionRecord],
    items: Sequence[ItemRecord],
    dissents: dict[str, tuple[DissentRecord, ...]],
) -> tuple[ResolutionRecord, ...]:
    """The resolutions of a meeting that is over which the person has deleted: what was moved, voted and dissented stays."""
    standing = {one.motion_id for one in resolutions}
    by_id = {item.id: item for item in items}
    return tuple(
        ResolutionRecord(
            id=resolution_id(meeting_id, by_id[motion.item_id].number),
            meeting_id=meeting_id,
            agenda_item_id=motion.item_id,
            motion_id=motion.id,
            topic=by_id[motion.item_id].topic,
            dissents=dissents.get(motion.id, ()),
        )
        for motion in motions
        if motion.kind == "main" and motion.id not in standing and motion.item_id in by_id
    )


async def _rulings(tx: AsyncConnection, meeting_id: str) -> tuple[RulingRecord, ...]:
    t = schema.rulings
    return tuple(
        RulingRecord(
            seq=r.seq,
            n=r.n,
            kind=r.kind,
            member_id=r.member_id,
            item_id=r.item_id,
            text=r.text,
            result=r.result,
            reason=r.reason,
            rule=r.rule,
        )
        for r in await _rows(tx, t, meeting_id, t.c.seq, t.c.n, t.c.kind)
    )


async def _roll(tx: AsyncConnection, meeting_id: str, seated: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Who answered the roll: each member's first answer. Later answers (after a lost quorum) are in the transcript."""
    t = schema.attendance
    first: dict[str, str] = {}
    for row in await _rows(tx, t, meeting_id, t.c.round):
        first.setdefault(row.member_id, row.status)
    return (
        tuple(member for member in seated if first.get(member) == "present"),
        {member: first[member] for member in seated if member in first and first[member] != "present"},
    )


async def _inputs(tx: AsyncConnection, meeting_id: str) -> tuple[TurnRecord, ...]:
    return tuple(await turns.transcript(tx, meeting_id, purpose="user_input"))


async def _warnings(tx: AsyncConnection, meeting_id: str, *, ended: bool) -> tuple[str, ...]:
    """What is degraded in the result (law 8)."""
    t = schema.turns
    query = select(t.c.reading, t.c.status).where(
        t.c.meeting_id == meeting_id,
        t.c.purpose == Purpose.VOTE.value,
        t.c.member_id != CLERK,
        t.c.status != TurnStatus.NO_REPLY.value,  # where no reply came there was nothing to be read
    )
    votes = list(await tx.execute(query))
    v = schema.votes
    choices = [row.choice for row in await tx.execute(select(v.c.choice).where(v.c.meeting_id == meeting_id))]
    found = []
    tolerant = sum(row.reading == Reading.TOLERANT.value for row in votes)
    if votes and 2 * tolerant > len(votes):
        found.append(
            f"{tolerant} of {len(votes)} votes could be read only with tolerance: the voices do not keep to the vote's form."
        )
    for choice, words in ((Vote.NO_REPLY, "without a reply"), (Vote.INVALID, "not readable"), (Vote.ABSENT, "absent")):
        count = choices.count(choice.value)
        if count:
            found.append(f"{count} of {len(choices)} places on the rolls of the votes: {words}. Nothing was cast there.")
    u = schema.user_inputs
    unheard = select(func.count()).select_from(u).where(u.c.meeting_id == meeting_id, u.c.taken_up_seq.is_(None))
    if ended and (late := await tx.scalar(unheard)):
        found.append(f"{late} of the shareholder's inputs came too late to be put to the board.")
    return tuple(found)


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="milliseconds") if moment is not None else None
