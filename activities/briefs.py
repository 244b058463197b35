"""The brief of one hearing, put together from the store by reference (law 6)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial

from activities.frozen import Frozen
from activities.interface import Hearing
from activities.recent import Recent
from parliament.announcements import question_words
from parliament.ids import session_id
from parliament.record import MeetingRecord, MotionRecord, TurnRecord
from parliament.values import PHASE_OF, Phase, Purpose, TurnStatus, Vote
from records import turns
from records.assemble import load_questions, load_record
from records.engine import Store
from voices.base import AmendmentBrief, Brief, DecisionBrief, Line, MotionBrief

LOOKING_BACK = frozenset(
    {
        Purpose.INPUT,
        Purpose.RULING,
        Purpose.APPEAL,
        Purpose.ACTION_ITEMS,
        Purpose.SUMMARY,
        Purpose.CLOSING,
        Purpose.ADJOURNMENT,
    }
)
"""Purposes that need more of the record than the questions on the floor."""

UNHEARD = {TurnStatus.NO_REPLY.value, TurnStatus.REFUSED.value}


GAP_POLL = 0.004
"""Seconds between two looks for a clerk's line that is being written while voices are called."""


class Transcripts:
    """The transcripts of the meetings this process serves. They only grow, so what was read once is not read again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: Recent[list[Line]] = Recent()

    async def before(self, meeting_id: str, seq: int) -> tuple[Line, ...]:
        """All lines before `seq`. Each of them is there or on its way: the workflow gave the places away in order."""
        if meeting_id not in self._lines:
            self._lines[meeting_id] = []
        lines = self._lines[meeting_id]
        while len(lines) < seq - 1:
            fresh = await self._store.look(partial(turns.transcript, meeting_id=meeting_id, after=len(lines), before=seq))
            for turn in fresh:
                if turn.seq == len(lines) + 1:  # another hearing of the round may have read it meanwhile
                    lines.append(line_of(turn))
            if len(lines) < seq - 1:
                await asyncio.sleep(GAP_POLL)
        return tuple(lines[: seq - 1])


def line_of(turn: TurnRecord) -> Line:
    text = "(no reply)" if turn.status in UNHEARD and not turn.text else turn.text
    return Line(seq=turn.seq, speaker=turn.member_id, name=turn.name, text=text, purpose=turn.purpose, item_id=turn.item_id)


@dataclass(frozen=True)
class Known:
    """What the record holds when a round begins; `whole` only for purposes that look back on the meeting."""

    chair: str
    motions: tuple[MotionRecord, ...] = ()
    whole: MeetingRecord | None = None


class Briefs:
    """Builds briefs. The five hearings of a round look at the same record, so it is read once for all of them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._transcripts = Transcripts(store)
        self._known: Recent[tuple[tuple[int, bool], asyncio.Future[Known]]] = Recent()

    async def build(self, frozen: Frozen, hearing: Hearing) -> Brief:
        before = hearing.before or hearing.seq or 1
        lines = await self._transcripts.before(frozen.meeting_id, before)
        if hearing.item is None and hearing.purpose not in LOOKING_BACK:
            known = Known(hearing.member if hearing.chair else frozen.chair_named)
        else:
            known = await self._look(frozen.meeting_id, before, hearing.purpose in LOOKING_BACK)
        return brief_of(frozen, hearing, lines, known)

    async def _look(self, meeting_id: str, before: int, whole: bool) -> Known:
        """The record as it stands when the round begins: what the round's own replies add is not for its members."""
        held = self._known.get(meeting_id)
        if held is None or held[0] != (before, whole) or (held[1].done() and held[1].exception() is not None):
            held = ((before, whole), asyncio.ensure_future(self._load(meeting_id, whole)))
            self._known[meeting_id] = held
        return await asyncio.shield(held[1])

    async def _load(self, meeting_id: str, whole: bool) -> Known:
        if not whole:
            return Known(*await self._store.look(partial(load_questions, meeting_id=meeting_id)))
        record = await self._store.look(partial(load_record, meeting_id=meeting_id, transcript=False))
        return Known(record.chair, record.motions, record)


def brief_of(frozen: Frozen, hearing: Hearing, lines: tuple[Line, ...], known: Known) -> Brief:
    """Everything this voice may know now: the record up to the start of its round, and what it is asked."""
    purpose = Purpose(hearing.purpose)
    record = known.whole
    motion, amendment, question = _question(known.motions, hearing)
    main = _main(known.motions, hearing)
    point = ""
    if purpose in (Purpose.RULING, Purpose.APPEAL) and record is not None:
        point = _point(record, int(hearing.about), purpose)
    user_input = ""
    if purpose is Purpose.INPUT:
        user_input = next((line.text for line in reversed(lines) if line.speaker == "shareholder"), "")
    return Brief(
        meeting_id=frozen.meeting_id,
        meeting_name=frozen.name,
        date=frozen.date,
        phase=hearing.phase or PHASE_OF.get(purpose, Phase.OPENING),
        purpose=purpose,
        round=hearing.round,
        member=frozen.members[hearing.member],
        chair=known.chair,
        seated=tuple(frozen.members.values()),
        agenda=frozen.agenda,
        item=frozen.item(hearing.item),
        standing_items=frozen.standing_items,
        board_book=frozen.board_book,
        transcript=lines,
        motion=motion,
        amendment=amendment,
        decisions=_decisions(record) if record is not None else (),
        question=question,
        mentioned_by=hearing.by if purpose in (Purpose.MENTION, Purpose.CALLED) else None,
        user_input=user_input,
        point=point,
        problem=hearing.by if purpose is Purpose.MOTION else "",
        dissenter=main.dissenter if main is not None else None,
        presider_named=frozen.chair_named if hearing.chair and hearing.member != frozen.chair_named else None,
        ended_by=hearing.by if purpose in (Purpose.CLOSING, Purpose.ADJOURNMENT) else "",
        unfinished=tuple(i.topic for i in record.items if i.status.value == "unfinished") if record is not None else (),
        seed=frozen.seed,
        session_id=session_id(frozen.meeting_id, hearing.member),
    )


def _main(motions: tuple[MotionRecord, ...], hearing: Hearing) -> MotionRecord | None:
    """The main motion of the item that is spoken to."""
    return next((m for m in motions if m.item_id == hearing.item and m.kind == "main"), None)


def _question(motions: tuple[MotionRecord, ...], hearing: Hearing) -> tuple[MotionBrief | None, AmendmentBrief | None, str]:
    main = _main(motions, hearing)
    motion = amendment = None
    words = ""
    if main is not None:
        motion = MotionBrief(
            id=main.id,
            text=main.text,
            mover=main.proposed_by,
            seconder=main.seconded_by,
            amended=main.original_text is not None,
        )
        found = next((a for a in main.amendments if a.id == hearing.about), None)
        if found is not None:
            amendment = AmendmentBrief(
                id=found.id,
                mover=found.mover,
                text=found.text,
                summary=found.summary,
                degree=found.degree,
                seconder=found.seconder,
            )
    other = next((m for m in motions if m.id == hearing.about and m.kind != "main"), None)
    if other is not None:
        words = other.text or question_words(other.kind)
    return motion, amendment, words


def _point(record: MeetingRecord, seq: int, purpose: Purpose) -> str:
    point = next((r for r in record.rulings if r.kind == "point_of_order" and r.seq == seq), None)
    said = point.text if point is not None else ""
    if purpose is Purpose.APPEAL:
        ruling = next((r for r in reversed(record.rulings) if r.kind == "ruling"), None)
        if ruling is not None:
            said += f"\nThe chair ruled: {ruling.result}. {ruling.text}"
    return said


def _decisions(record: MeetingRecord) -> tuple[DecisionBrief, ...]:
    decisions = []
    for resolution in record.resolutions:
        motion = next(m for m in record.motions if m.id == resolution.motion_id)
        votes = motion.ballots[-1].votes if motion.ballots else {}
        decisions.append(
            DecisionBrief(
                item_id=resolution.agenda_item_id,
                topic=resolution.topic,
                text=motion.text,
                status=motion.status.value,
                votes_for=tuple(m for m, v in votes.items() if v is Vote.FOR),
                votes_against=tuple(m for m, v in votes.items() if v is Vote.AGAINST),
                abstain=tuple(m for m, v in votes.items() if v is Vote.ABSTAIN),
                dissents=tuple((d.member_id, d.statement) for d in resolution.dissents),
            )
        )
    return tuple(decisions)
