"""Proposal reviews: the session and its documents, and the review as it stands in the transcript's own rows.

What directors said is kept once, in their turns; a review is put together from them, and the table is computed from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from parliament.record import TurnRecord
from parliament.values import SHAREHOLDER, TurnStatus
from protocols.proposal_review import (
    DISCUSSION,
    Answer,
    Assessment,
    Contribution,
    Director,
    FinalVerdict,
    FinalVote,
    Missing,
    ReviewPurpose,
    Verdict,
    resolve,
    session_id,
)
from protocols.review_files import Decision, Document, ReviewRecord
from records import meetings, schema, turns

_S = schema.review_sessions
_D = schema.review_documents
_M = schema.meetings

KIND = "review"
"""`meetings.kind` of a proposal review."""

_MISSING = {
    TurnStatus.NO_REPLY.value: Missing.NO_REPLY,
    TurnStatus.REFUSED.value: Missing.DECLINED,
    TurnStatus.INVALID.value: Missing.UNREADABLE,
}


@dataclass(frozen=True, slots=True)
class Session:
    """A review's own row, with what its meeting's row says of it."""

    meeting_id: str
    session_id: str
    track: str | None
    folder: str | None
    rounds: int
    earlier: str | None
    skipped: tuple[int, ...]
    outcome: str | None
    with_review: bool
    resolved_at: datetime | None
    decision: str | None
    because: str
    decision_key: str | None
    decided_at: datetime | None
    name: str
    status: str
    ended_by: str | None
    simulated: bool
    owner: str
    created_at: datetime


async def create(
    tx: AsyncConnection,
    *,
    meeting_id: str,
    day: str,
    owner: str,
    track: str | None,
    folder: str | None,
    rounds: int,
    documents: Sequence[tuple[str, int, str, str]],
) -> str:
    """Write the session and its documents (name, bytes, sha256, text); its id, the next of the day. The caller's transaction
    writes alone (it has written the meeting's row)."""
    last = await tx.scalar(select(func.max(_S.c.n)).where(_S.c.day == day)) or 0
    before = await _last_of(tx, track, owner) if track is not None else None
    id = session_id(day, last + 1)
    await tx.execute(
        insert(_S).values(
            meeting_id=meeting_id,
            session_id=id,
            day=day,
            n=last + 1,
            track=track,
            folder=folder,
            rounds=rounds,
            earlier=before,
            skipped=[],
        )
    )
    await tx.execute(
        insert(_D),
        [
            {"meeting_id": meeting_id, "n": n, "name": name, "bytes": size, "sha256": digest, "text": text}
            for n, (name, size, digest, text) in enumerate(documents, 1)
        ],
    )
    return id


async def _last_of(tx: AsyncConnection, track: str, owner: str) -> str | None:
    """The track's latest review that came to a result."""
    query = (
        select(_S.c.session_id)
        .join(_M, _M.c.id == _S.c.meeting_id)
        .where(_S.c.track == track, _M.c.owner == owner, _S.c.outcome.is_not(None))
        .order_by(_M.c.created_at.desc(), _S.c.n.desc())
        .limit(1)
    )
    found: str | None = await tx.scalar(query)
    return found


async def find(tx: AsyncConnection, id: str) -> Session | None:
    """A session by its own id or its meeting's."""
    rows = await tx.execute(_sessions().where((_S.c.session_id == id) | (_S.c.meeting_id == id)))
    row = rows.one_or_none()
    return _session(row) if row is not None else None


async def listing(tx: AsyncConnection, owner: str, *, track: str | None = None, limit: int = 200) -> list[Session]:
    """The newest first."""
    query = _sessions().where(_M.c.owner == owner).order_by(_M.c.created_at.desc(), _S.c.n.desc()).limit(limit)
    if track is not None:
        query = query.where(_S.c.track == track)
    return [_session(row) for row in await tx.execute(query)]


def _sessions() -> Any:
    columns = (_M.c.name, _M.c.status, _M.c.ended_by, _M.c.simulated, _M.c.owner, _M.c.created_at)
    return select(_S, *columns).join(_M, _M.c.id == _S.c.meeting_id)


def _session(row: Row[Any]) -> Session:
    return Session(
        meeting_id=row.meeting_id,
        session_id=row.session_id,
        track=row.track,
        folder=row.folder,
        rounds=row.rounds,
        earlier=row.earlier,
        skipped=tuple(row.skipped),
        outcome=row.outcome,
        with_review=bool(row.with_review),
        resolved_at=row.resolved_at,
        decision=row.decision,
        because=row.because or "",
        decision_key=row.decision_key,
        decided_at=row.decided_at,
        name=row.name,
        status=row.status,
        ended_by=row.ended_by,
        simulated=row.simulated,
        owner=row.owner,
        created_at=row.created_at,
    )


async def documents(tx: AsyncConnection, meeting_id: str) -> tuple[tuple[str, str], ...]:
    """(Name, text) of what was handed in."""
    rows = await tx.execute(select(_D.c.name, _D.c.text).where(_D.c.meeting_id == meeting_id).order_by(_D.c.n))
    return tuple((row.name, row.text) for row in rows)


async def skip(tx: AsyncConnection, meeting_id: str, skipped: Sequence[int]) -> None:
    await tx.execute(update(_S).where(_S.c.meeting_id == meeting_id).values(skipped=list(skipped)))


async def set_outcome(tx: AsyncConnection, meeting_id: str, *, outcome: str, with_review: bool, at: datetime) -> None:
    """What the table says. The first one stands."""
    where = and_(_S.c.meeting_id == meeting_id, _S.c.outcome.is_(None))
    await tx.execute(update(_S).where(where).values(outcome=outcome, with_review=with_review, resolved_at=at))


async def decide(tx: AsyncConnection, meeting_id: str, *, answer: str, because: str, key: str | None, at: datetime) -> bool:
    """Write a person's decision down; False when one stands."""
    result = await tx.execute(
        update(_S)
        .where(_S.c.meeting_id == meeting_id, _S.c.decision.is_(None))
        .values(decision=answer, because=because, decision_key=key, decided_at=at)
    )
    return bool(result.rowcount)


# -- the review --------------------------------------------------------------------------------------------------------


def directors_of(config: dict[str, Any]) -> tuple[Director, ...]:
    """The seats as they were frozen, in their order."""
    return tuple(
        Director(id=one["id"], code=one.get("code") or one["id"].upper(), title=one["name"], domain=one.get("perspective", ""))
        for one in config["members"]
    )


@dataclass(frozen=True, slots=True)
class Said:
    """What the transcript holds of a review. A director without a turn in a phase is not in it."""

    assessments: tuple[Assessment, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    votes: tuple[FinalVote, ...] = ()
    inputs: tuple[str, ...] = ()


def said_in(transcript: Sequence[TurnRecord], directors: Sequence[Director]) -> Said:
    """Read the turns back, in the order of the seats within each phase."""
    order = {one.id: n for n, one in enumerate(directors)}
    mine = sorted((turn for turn in transcript if turn.member_id in order), key=lambda turn: order[turn.member_id])
    rounds = {purpose.value: n for n, purpose in enumerate(DISCUSSION, 1)}
    contributions = [_contribution(turn, rounds[turn.purpose]) for turn in mine if turn.purpose in rounds]
    return Said(
        tuple(_assessment(turn) for turn in mine if turn.purpose == ReviewPurpose.ASSESSMENT),
        tuple(sorted(contributions, key=lambda one: one.round)),
        tuple(_vote(turn) for turn in mine if turn.purpose == ReviewPurpose.FINAL_VOTE),
        tuple(turn.text for turn in transcript if turn.member_id == SHAREHOLDER),
    )


def turn_data(one: Assessment | Contribution | FinalVote) -> dict[str, Any]:
    """What a turn's row keeps beside its words."""
    if isinstance(one, Assessment):
        return {
            "verdict": one.verdict.value if one.verdict else None, "score": one.score, "score_said": one.score_said,
            "key_points": list(one.key_points), "concerns": list(one.concerns),
            "questions_for_board": list(one.questions_for_board), "what_changed": one.what_changed,
        }  # fmt: skip
    if isinstance(one, Contribution):
        return {
            "answers": [[answer.to, answer.text] for answer in one.answers], "settled": list(one.settled),
            "questions_for_board": list(one.questions_for_board),
        }  # fmt: skip
    return {
        "final_verdict": one.final_verdict.value if one.final_verdict else None, "confidence": one.confidence,
        "conditions": list(one.conditions), "dissent_noted": one.dissent_noted, "reason": one.reason,
    }  # fmt: skip


def _assessment(turn: TurnRecord) -> Assessment:
    data = turn.data
    return Assessment(
        turn.member_id,
        Verdict(data["verdict"]) if data.get("verdict") else None,
        data.get("score"),
        tuple(data.get("key_points", ())),
        tuple(data.get("concerns", ())),
        tuple(data.get("questions_for_board", ())),
        data.get("what_changed", ""),
        data.get("score_said", ""),
        _MISSING.get(turn.status),
        turn.reading,
    )


def _contribution(turn: TurnRecord, round: int) -> Contribution:
    data = turn.data
    return Contribution(
        turn.member_id,
        round,
        turn.text if turn.status == TurnStatus.OK.value else "",
        tuple(Answer(to, text) for to, text in data.get("answers", ())),
        tuple(data.get("settled", ())),
        tuple(data.get("questions_for_board", ())),
        _MISSING.get(turn.status),
        turn.reading,
    )


def _vote(turn: TurnRecord) -> FinalVote:
    data = turn.data
    return FinalVote(
        turn.member_id,
        FinalVerdict(data["final_verdict"]) if data.get("final_verdict") else None,
        data.get("confidence"),
        tuple(data.get("conditions", ())),
        bool(data.get("dissent_noted")),
        data.get("reason", ""),
        _MISSING.get(turn.status),
        turn.reading,
    )


async def load(tx: AsyncConnection, meeting_id: str) -> ReviewRecord:
    """The review as it stands, with what the table makes of it now. Raises LookupError where there is none."""
    session = await find(tx, meeting_id)
    if session is None:
        raise LookupError(f"there is no review {meeting_id}")
    meeting = await meetings.get(tx, session.meeting_id)
    directors = directors_of(meeting.config)
    said = said_in(await turns.transcript(tx, session.meeting_id), directors)
    before = await find(tx, session.earlier) if session.earlier is not None else None
    rows = await tx.execute(
        select(_D.c.name, _D.c.bytes, _D.c.sha256).where(_D.c.meeting_id == session.meeting_id).order_by(_D.c.n)
    )
    return ReviewRecord(
        session_id=session.session_id,
        meeting_id=session.meeting_id,
        timestamp=meeting.created_at.isoformat(timespec="seconds"),
        title=meeting.name,
        documents=tuple(Document(row.name, row.bytes, row.sha256) for row in rows),
        directors=directors,
        assessments=said.assessments,
        contributions=said.contributions,
        votes=said.votes,
        review=resolve(
            directors,
            said.assessments,
            said.contributions,
            said.votes,
            earlier=before is not None,
            stored=session.folder is not None,
        ),
        rounds=session.rounds,
        skipped=session.skipped,
        track=session.track,
        simulated=meeting.simulated,
        ended_by=meeting.ended_by or "",
        earlier=before.session_id if before is not None else None,
        earlier_verdict=_verdict(before),
        decision=(
            Decision(session.decision, session.because, session.decided_at.isoformat(timespec="seconds"))
            if session.decision is not None and session.decided_at is not None
            else None
        ),
    )


def _verdict(session: Session | None) -> str:
    """What a track's earlier review came to, a person's decision included."""
    if session is None or session.outcome is None:
        return ""
    decided = {"approve": "approved by the person", "reject": "rejected by the person"}.get(session.decision or "")
    return f"{session.outcome}{' WITH REVIEW' if session.with_review else ''}" + (f", {decided}" if decided else "")
