"""A proposal review's activities: what a director is told, what its reply means, and what the table makes of it."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity

from activities import interface as act
from activities.calls import Spoken
from activities.facts import turn_id
from activities.frozen import Frozen, meeting_of_activity
from activities.interface import Deciding, FilesWritten, Heard, Hearing, Resolved, Resolving, ReviewLook, ReviewStands
from activities.points import reached
from activities.preparing import refusal
from activities.recent import Recent
from activities.review_files import FilesError, write_files
from parliament.ids import session_id
from parliament.values import Phase, TurnStatus
from protocols.proposal_review import (
    ReviewPurpose,
    Standing,
    Verdict,
    matters,
    open_for_round,
    standings,
)
from protocols.review_files import result_words
from records import agendas, meetings, proposals, search, turns
from records.engine import Store
from voices.base import DirectorBrief, EarlierDecision, Prompt
from voices.directors import ReadDirector, max_tokens_for, read, render
from voices.directors.prompts import proposal_blocks

PHASES = {ReviewPurpose.ASSESSMENT: Phase.ASSESSMENT, ReviewPurpose.FINAL_VOTE: Phase.VOTING}
"""The phase of a purpose; the rounds are the discussion."""


def phase_of(purpose: ReviewPurpose) -> Phase:
    return PHASES.get(purpose, Phase.DISCUSSION)


class ReviewManner:
    """How directors are heard (`activities.speaking.Manner`)."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._proposals: Recent[tuple[tuple[str, str], ...]] = Recent()
        self._blocks: Recent[str] = Recent()

    async def build(self, frozen: Frozen, hearing: Hearing) -> DirectorBrief:
        purpose = ReviewPurpose(hearing.purpose)
        meeting_id = frozen.meeting_id
        if meeting_id not in self._proposals:
            self._proposals[meeting_id] = await self._store.look(lambda tx: proposals.documents(tx, meeting_id))

        async def known(tx: AsyncConnection) -> DirectorBrief:
            meeting = await meetings.get(tx, meeting_id)
            directors = proposals.directors_of(meeting.config)
            before = hearing.before or hearing.seq
            said = proposals.said_in(await turns.transcript(tx, meeting_id, before=before), directors)
            session = await proposals.find(tx, meeting_id)
            earlier = await _earlier(tx, session.earlier if session is not None else None)
            blind = purpose is ReviewPurpose.ASSESSMENT
            stands: tuple[Standing, ...] = ()
            if not blind:
                stands = standings(matters(said.assessments, said.contributions, directors), said.contributions)
            return DirectorBrief(
                meeting_id=meeting_id,
                meeting_name=frozen.name,
                date=frozen.date,
                member=frozen.members[hearing.member],
                director=next(one for one in directors if one.id == hearing.member),
                directors=directors,
                purpose=purpose,
                documents=self._proposals[meeting_id],
                assessments=() if blind else said.assessments,
                contributions=() if blind else said.contributions,
                matters=stands,
                earlier=earlier,
                user_input=said.inputs,
                seed=frozen.seed,
                session_id=session_id(meeting_id, hearing.member),
            )

        return await self._store.look(known)

    def prompt(self, brief: DirectorBrief, hearing: Hearing) -> Prompt:
        return render(brief, proposal=self._block)

    def _block(self, brief: DirectorBrief) -> str:
        """The proposal's blocks, made inert once a review: it may be megabytes, and every prompt holds it."""
        if brief.meeting_id not in self._blocks:
            self._blocks[brief.meeting_id] = proposal_blocks(brief)
        return self._blocks[brief.meeting_id]

    def max_tokens(self, hearing: Hearing) -> int:
        return max_tokens_for(ReviewPurpose(hearing.purpose))

    async def facts(
        self, tx: AsyncConnection, frozen: Frozen, hearing: Hearing, spoken: Spoken, brief: DirectorBrief | None
    ) -> Heard:
        purpose = ReviewPurpose(hearing.purpose)
        if spoken.reply is None:
            await _turn(tx, frozen, hearing, spoken, None, trouble=spoken.trouble)
            return Heard(status=TurnStatus.NO_REPLY, problem=spoken.trouble)
        found = read(purpose, hearing.member, spoken.reply)
        await _turn(tx, frozen, hearing, spoken, found)
        if found.whisper:
            await turns.whisper_add(
                tx, meeting_id=frozen.meeting_id, seq=hearing.seq, member_id=hearing.member, text=found.whisper
            )
        verdict = None
        if found.assessment is not None and found.assessment.verdict is not None:
            verdict = found.assessment.verdict.value
        if found.vote is not None and found.vote.final_verdict is not None:
            verdict = found.vote.final_verdict.value
        given = {"status": found.status, "reading": found.reading, "verdict": verdict, "early_vote": found.early_vote}
        return Heard(**{name: value for name, value in given.items() if value not in (None, False)})  # type: ignore[arg-type]


async def _turn(
    tx: AsyncConnection, frozen: Frozen, hearing: Hearing, spoken: Spoken, found: ReadDirector | None, *, trouble: str = ""
) -> None:
    if found is None:
        data: dict[str, object] = {"trouble": trouble}
    else:
        value = found.assessment or found.contribution or found.vote
        assert value is not None
        data = proposals.turn_data(value)
        if found.early_vote:
            data["early_vote"] = True
    await turns.add(
        tx,
        clear_words=spoken.words_passed,
        meeting_id=frozen.meeting_id,
        seq=hearing.seq,
        id=turn_id(hearing),
        item_id=hearing.item,
        phase=(hearing.phase or phase_of(ReviewPurpose(hearing.purpose))).value,
        purpose=hearing.purpose.value,
        round=hearing.round,
        member_id=hearing.member,
        name=frozen.member_name(hearing.member),
        text=found.speaking if found is not None else "",
        status=(found.status if found is not None else TurnStatus.NO_REPLY).value,
        reading=found.reading.value if found is not None else "failed",
        data=data,
        at=datetime.now(UTC),
    )


async def _earlier(tx: AsyncConnection, session: str | None) -> EarlierDecision | None:
    """What the board decided on the track before; None where it did not, or where that review was deleted."""
    if session is None or await proposals.find(tx, session) is None:
        return None
    record = await proposals.load(tx, session)
    codes = {one.id: one.code for one in record.directors}
    result = result_words(record.review)
    if record.decision is not None:
        result += f", {record.decision.answer}d by the person".replace("rejectd", "rejected")
    return EarlierDecision(
        session_id=record.session_id,
        date=record.timestamp[:10],
        result=result,
        conditions=tuple(one.text for one in record.review.conditions),
        dissent=tuple(f"{codes[one.director]}: {one.reason}" for one in record.review.dissent),
    )


class Reviewer:
    """Activities of the meetings' queue that count, resolve and write the files of a review."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @activity.defn(name=act.LOOK_AT_REVIEW)
    async def look_at_review(self, asked: ReviewLook) -> ReviewStands:
        """What is open before a round, by the record; a round with nothing open is noted as skipped."""
        meeting_id = meeting_of_activity()

        async def look(tx: AsyncConnection) -> ReviewStands:
            record = await proposals.load(tx, meeting_id)
            verdicts = [one.verdict for one in record.assessments]
            counts = {
                "approve": verdicts.count(Verdict.APPROVE),
                "concerns": verdicts.count(Verdict.CONCERNS),
                "reject": verdicts.count(Verdict.REJECT),
                "missing": len(record.directors) - sum(one is not None for one in verdicts),
                "open": len(open_for_round(record.review.matters)),
            }
            if asked.round and not counts["open"] and asked.round not in record.skipped:
                await proposals.skip(tx, meeting_id, [*record.skipped, asked.round])
            return ReviewStands(**counts)

        return await self._store.run(look)

    @activity.defn(name=act.RESOLVE_REVIEW)
    async def resolve_review(self, resolving: Resolving) -> Resolved:
        """What the table says of the votes that stand on the record. The first result stands."""
        meeting_id = meeting_of_activity()

        async def write(tx: AsyncConnection) -> Resolved:
            record = await proposals.load(tx, meeting_id)
            review = record.review
            await proposals.set_outcome(
                tx,
                meeting_id,
                outcome=review.outcome.value,
                with_review=review.with_review,
                at=datetime.fromisoformat(resolving.at),
            )
            words = "\n".join([record.title, *(one.text for one in review.conditions), *(d.reason for d in review.dissent)])
            await search.add(tx, meeting_id=meeting_id, kind="resolution", ref=record.session_id, words=words)
            return Resolved(
                outcome=review.outcome.value, with_review=review.with_review, vote=review.vote, degraded=len(review.degraded)
            )

        found = await self._store.run(write)
        await reached("review_resolved")
        return found

    @activity.defn(name=act.DECIDE_REVIEW)
    async def decide_review(self, deciding: Deciding) -> str:
        """Write a person's decision down. ApplicationError `Refused` when another stands."""
        meeting_id = meeting_of_activity()

        async def write(tx: AsyncConnection) -> str:
            note = await agendas.note(tx, deciding.note)
            if note is None:
                raise refusal("The reason for this decision is not in the record: decide again.")
            at = datetime.fromisoformat(deciding.at)
            written = await proposals.decide(
                tx, meeting_id, answer=deciding.answer, because=note.text, key=deciding.note, at=at
            )
            session = await proposals.find(tx, meeting_id)
            if not written and (session is None or session.decision_key != deciding.note):
                raise refusal("It was decided already; the first decision stands.")
            return deciding.answer

        found = await self._store.run(write)
        await reached("review_decided")
        return found

    @activity.defn(name=act.WRITE_REVIEW_FILES)
    async def write_review_files(self) -> FilesWritten:
        """Write the files into the review's folder, whole or not at all; writing them again changes nothing."""
        meeting_id = meeting_of_activity()
        session = await self._store.look(lambda tx: proposals.find(tx, meeting_id))
        if session is None or session.folder is None:
            return FilesWritten()
        record = await self._store.look(lambda tx: proposals.load(tx, meeting_id))
        try:
            await write_files(session.folder, record)
        except FilesError as error:
            return FilesWritten(problem=error.kind)
        await reached("review_files_written")
        return FilesWritten(written=True)
