"""Reading the record for people: listings, the result of a meeting, its transcript, minutes and whispers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from clerk.errors import DeskError, Kind, checked_id, unknown
from clerk.events import Sitter, Sitting, Topic
from parliament.export import meeting_json, resolution_json
from parliament.minutes import render_minutes
from parliament.record import ItemRecord, MeetingRecord, MemberRecord, TurnRecord
from parliament.values import ItemStatus, MeetingStatus, Purpose
from protocols.review_files import resolution_md
from records import calls, meetings, papers, proposals, turns, watching
from records.assemble import load_record
from records.meetings import MeetingRow

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from records.engine import Store


async def known(store: Store, meeting_id: str) -> MeetingRow:
    """The meeting's own row. DeskError for an id that is none or unknown."""
    checked_id(meeting_id)
    found = await store.look(lambda tx: meetings.find(tx, meeting_id))
    if found is None:
        raise DeskError(unknown(meeting_id), kind=Kind.UNKNOWN)
    return found


async def owned(store: Store, meeting_id: str, owner: str) -> MeetingRow:
    """The meeting's own row, if it is this person's; somebody else's is as unknown as one that is not there."""
    found = await known(store, meeting_id)
    if found.owner != owner:
        raise DeskError(unknown(meeting_id), kind=Kind.UNKNOWN)
    return found


async def check_owner(store: Store, meeting_id: str, owner: str) -> None:
    """`owned` for a door that asks with every request: one column is looked at. DeskError."""
    checked_id(meeting_id)
    if await store.look(lambda tx: meetings.owner_of(tx, meeting_id)) != owner:
        raise DeskError(unknown(meeting_id), kind=Kind.UNKNOWN)


async def status(store: Store, meeting_id: str) -> MeetingStatus:
    """Where the meeting stands. DeskError for an id that is none or unknown."""
    checked_id(meeting_id)
    found = await store.look(lambda tx: meetings.status_of(tx, meeting_id))
    if found is None:
        raise DeskError(unknown(meeting_id), kind=Kind.UNKNOWN)
    return found


async def last_seq(store: Store, meeting_id: str) -> int:
    """The last place of the transcript that is filled; 0 before anything was said."""
    async with store.read() as tx:
        return await turns.last_seq(tx, checked_id(meeting_id))


async def sitting(store: Store, meeting_id: str) -> Sitting:
    """What a view needs of a meeting before its first event."""
    meeting = await known(store, meeting_id)
    async with store.read() as tx:
        items = await meetings.items(tx, meeting_id)
    return Sitting(
        meeting_id=meeting.id,
        name=meeting.name,
        simulated=meeting.simulated,
        provider=meeting.provider,
        members=tuple(Sitter(m["id"], m["name"], m["role"], m.get("voting", True)) for m in meeting.config["members"]),
        chair=meeting.chair,
        items=tuple(Topic(item.id, item.number, item.topic, item.type.value) for item in items),
        quorum=meeting.quorum,
        kind=meeting.kind,
    )


async def listing(store: Store, *, owner: str | None = None) -> list[dict[str, Any]]:
    """The meetings, newest first; with `owner` only that person's."""
    rows = await store.look(lambda tx: meetings.lines(tx, owner=owner))
    return [
        {
            "meeting_id": row.id,
            "name": row.name,
            "status": row.status,
            "ended_by": row.ended_by,
            "simulated": row.simulated,
            "created_at": _iso(row.created_at),
            "started_at": _iso(row.started_at),
            "completed_at": _iso(row.completed_at),
        }
        for row in rows
    ]


async def summary(store: Store, meeting_id: str) -> dict[str, Any]:
    """The result of a meeting: the one object of `boardroom meet --json`.

    `seconds` is the time from its start to its end, or until now, pauses included; `tokens` has input, output,
    cache_read and cache_write; `unfinished` are the items that the meeting's end left open (law 13)
    and those that were passed over because no motion in order was offered, each with its `status` and `why`.
    """
    meeting = await known(store, meeting_id)
    async with store.read() as tx:
        record = await load_record(tx, meeting_id, transcript=False)
        spent = await calls.spent(tx, meeting_id)
    return {
        "meeting_id": record.id,
        "name": record.name,
        "status": record.status.value,
        "ended_by": record.ended_by.value if record.ended_by else None,
        "error": meeting.error,
        "attendees": [member.id for member in record.members],
        "simulated": record.simulated,
        "provider": record.provider,
        "seed": record.seed,
        "seconds": _seconds(meeting),
        "calls": spent.calls,
        "tokens": {
            "input": spent.input_tokens,
            "output": spent.output_tokens,
            "cache_read": spent.cache_read_tokens,
            "cache_write": spent.cache_write_tokens,
        },
        "resolutions": [resolution_json(record, resolution) for resolution in record.resolutions],
        "deleted": [resolution.id for resolution in record.removed],
        "unfinished": _unfinished(record),
        "warnings": list(record.warnings),
    }


def _unfinished(record: MeetingRecord) -> list[dict[str, Any]]:
    return [
        {"id": item.id, "topic": item.topic, "status": item.status.value, "why": item.why}
        for item in record.items
        if item.status in (ItemStatus.UNFINISHED, ItemStatus.SKIPPED)
    ]


def _seconds(meeting: MeetingRow) -> float | None:
    if meeting.started_at is None:
        return None
    return round(((meeting.completed_at or datetime.now(UTC)) - meeting.started_at).total_seconds(), 3)


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="milliseconds") if moment is not None else None


async def meeting(store: Store, meeting_id: str) -> dict[str, Any]:
    """The meeting in source 000's structure (BoardMeeting). A busy read: two rows are looked at, not the whole record."""
    checked_id(meeting_id)

    async def read(tx: AsyncConnection) -> _Outline | None:
        row = await meetings.find(tx, meeting_id)
        return _outline(row, await meetings.items(tx, meeting_id)) if row is not None else None

    found = await store.look(read)
    if found is None:
        raise DeskError(unknown(meeting_id), kind=Kind.UNKNOWN)
    return meeting_json(found)


@dataclass(frozen=True, slots=True)
class _Outline:
    id: str
    name: str
    status: MeetingStatus
    members: tuple[MemberRecord, ...]
    items: tuple[ItemRecord, ...]
    standing_items: tuple[str, ...]
    user_feedback: str
    revision_requested: bool
    scheduled_start: str | None
    created_at: str | None
    started_at: str | None
    completed_at: str | None
    simulated: bool


def _outline(row: MeetingRow, items: tuple[ItemRecord, ...]) -> _Outline:
    return _Outline(
        id=row.id,
        name=row.name,
        status=row.status,
        members=tuple(
            MemberRecord(id=member["id"], name=member["name"], role=member["role"], voting=member.get("voting", True))
            for member in row.config["members"]
        ),
        items=items,
        standing_items=tuple(row.standing_items),
        user_feedback=row.user_feedback,
        revision_requested=row.revision_requested,
        scheduled_start=_iso(row.scheduled_start),
        created_at=_iso(row.created_at),
        started_at=_iso(row.started_at),
        completed_at=_iso(row.completed_at),
        simulated=row.simulated,
    )


async def open_meetings(store: Store, owner: str) -> int:
    """How many meetings of a person are not over."""
    async with store.read() as tx:
        return await meetings.open_ones(tx, owner)


async def settled(store: Store, meeting_id: str, after: int = 0) -> list[TurnRecord]:
    """The turns after `after` as far as they stand without a gap: no line is ever added before one of them."""
    checked_id(meeting_id)

    async def read(tx: AsyncConnection) -> list[TurnRecord]:
        found: list[TurnRecord] = []
        while more := await turns.released(tx, meeting_id, found[-1].seq if found else after):
            found += more
        votes = await watching.choices(tx, meeting_id, [turn.seq for turn in found if turn.purpose == Purpose.VOTE])
        return [with_vote(turn, votes) for turn in found]

    return await store.look(read)


async def transcript(store: Store, meeting_id: str) -> list[TurnRecord]:
    """All turns in order. A member's vote carries its recorded choice in `data["vote"]`."""
    await known(store, meeting_id)
    async with store.read() as tx:
        found = await turns.transcript(tx, meeting_id)
        votes = await watching.choices(tx, meeting_id, [turn.seq for turn in found if turn.purpose == Purpose.VOTE])
    return [with_vote(turn, votes) for turn in found]


def with_vote(turn: TurnRecord, votes: dict[int, str]) -> TurnRecord:
    """The turn with the choice that was recorded at its place."""
    if turn.seq not in votes:
        return turn
    return turn.model_copy(update={"data": {**turn.data, "vote": votes[turn.seq]}})


async def detail(store: Store, meeting_id: str) -> dict[str, Any]:
    """The result, the meeting in source 000's structure, and the transcript with `seq`."""
    result = await summary(store, meeting_id)
    async with store.read() as tx:
        record = await load_record(tx, meeting_id, transcript=False)
    return {
        **result,
        "meeting": meeting_json(record),
        "transcript": [turn.model_dump(mode="json") for turn in await transcript(store, meeting_id)],
    }


async def minutes(store: Store, meeting_id: str) -> str:
    """The minutes as Markdown, rendered from the record alone (law 9); of a proposal review its resolution."""
    if (await known(store, meeting_id)).kind == proposals.KIND:
        return resolution_md(await store.look(lambda tx: proposals.load(tx, meeting_id)))
    return render_minutes(await record_of(store, meeting_id))


async def record_of(store: Store, meeting_id: str) -> MeetingRecord:
    """The whole record, from which the minutes are rendered."""
    board_meeting(await known(store, meeting_id))
    async with store.read() as tx:
        return await load_record(tx, meeting_id)


def board_meeting(meeting: MeetingRow) -> MeetingRow:
    """The meeting, when it is one of the board's. DeskError for a proposal review, which has other papers."""
    if meeting.kind == proposals.KIND:
        raise DeskError(
            f"{meeting.id} is a proposal review: `boardroom reviews {meeting.id}` shows it, with --to DIR it writes its files.",
            kind=Kind.REFUSED,
        )
    return meeting


async def minutes_data(store: Store, meeting_id: str) -> dict[str, Any]:
    """What the minutes are rendered from, as JSON, and the rendered text beside it."""
    record = await record_of(store, meeting_id)
    return {**record.model_dump(mode="json"), "minutes": render_minutes(record)}


async def whispers(store: Store, meeting_id: str) -> list[dict[str, Any]]:
    """Private reasoning, for the owner alone (law 7): seq, member_id, name, text."""
    meeting = await known(store, meeting_id)
    names = {member["id"]: member["name"] for member in meeting.config["members"]}
    async with store.read() as tx:
        found = await turns.whispers(tx, meeting_id)
    return [{"seq": seq, "member_id": member, "name": names.get(member, member), "text": text} for seq, member, text in found]


async def keep_input(store: Store, meeting_id: str, input_id: str, text: str) -> None:
    """Put the shareholder's words into the store under their id; the same id and words again change nothing."""
    async with store.write() as tx:
        await papers.add_input(tx, id=input_id, meeting_id=meeting_id, text=text, received_at=datetime.now(UTC))
