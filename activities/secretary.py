"""The secretary after a meeting: the executive summary and the review, each checked by code against the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities import interface as act
from activities.bookkeeping import task_item
from activities.calls import Caller
from activities.calls import ledger as costs
from activities.interface import AfterWork, Reviewed, Summarized, Summarizing
from activities.points import reached
from activities.providers import Providers
from activities.tasks import Doer, DoerError
from parliament.minutes import render_minutes
from parliament.record import MeetingRecord, TurnRecord
from parliament.review import make_review, review_json
from parliament.standing_rules import Rules
from parliament.summary import Summary, summary_from_record
from parliament.summary_checks import check_summary, problem_text
from parliament.triage import Bucket, Doing, Proposal, TriageItem, doable, triage
from records import calls, completing, ledger, meetings, summaries, turns
from records.assemble import load_record
from records.engine import Store
from records.ledger import Entry
from records.meetings import MeetingRow
from records.together import Together
from voices import secretary as voicing
from voices.agenda import restored, stored
from voices.base import Line, SecretaryBrief, SecretaryPurpose, VoiceReply, VoiceRequest

ATTEMPTS = 2
"""So often the secretary is asked: what the record does not bear out is asked again once, and then code writes it."""


@dataclass(frozen=True)
class _Standing:
    """What the record holds when the secretary is asked."""

    meeting: MeetingRow
    record: MeetingRecord
    transcript: list[TurnRecord]
    entries: list[Entry]
    feedback: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        return Rules(**self.meeting.config["rules"])

    @property
    def items(self) -> tuple[TriageItem, ...]:
        texts = {motion.id: motion.text for motion in self.record.motions}
        papers = {one.id: texts.get(one.motion_id, "") for one in self.record.resolutions}
        return tuple(
            TriageItem(
                id=entry.id,
                task=entry.task,
                owner=entry.owner,
                deadline=entry.deadline,
                due=entry.due,
                context=papers.get(entry.resolution_id or "", ""),
                topic=entry.topic or "",
            )
            for entry in self.entries
        )


class Secretary:
    """Activities of the voices' queue that hear the secretary."""

    def __init__(self, store: Store, providers: Providers, doers: Mapping[str, Doer]) -> None:
        self._store = store
        self._providers = providers
        self._doers = doers
        self._caller = Caller(store, Together(store))

    @activity.defn(name=act.WRITE_SUMMARY)
    async def write_summary(self, wanted: Summarizing) -> Summarized:
        """Write one version of the summary: the secretary's where the record bears it out, else the one that code makes."""
        meeting_id = wanted.meeting
        before = await self._store.look(lambda tx: summaries.get(tx, meeting_id, wanted.version))
        if before is not None:
            return Summarized(version=before.version, source="model" if before.source == "model" else "record")
        standing = await self._standing(meeting_id)
        brief = self._brief(standing, SecretaryPurpose.EXECUTIVE_SUMMARY)
        speeches = [turn.text for turn in standing.transcript]
        summary: Summary | None = None
        problems: list[str] = []
        for attempt in range(1, ATTEMPTS + 1):
            call_id = f"{meeting_id}/-/executive_summary/{wanted.version}/{attempt}"
            request = voicing.summary_request(brief, call_id, problem=problem_text(problems), **self._asking(standing))
            reply = await self._hear(standing, call_id, "executive_summary", request)
            if reply is None:
                problems.append("The secretary did not answer.")
                break
            read = voicing.read_summary(reply)
            found = [read.problem] if read.summary is None else list(check_summary(read.summary, standing.record, speeches))
            if read.summary is not None and not found:
                summary = read.summary
                break
            problems += found
        source = "model" if summary is not None else "record"
        written = summary if summary is not None else summary_from_record(standing.record)
        await reached("summary_checked")
        await self._store.run(
            lambda tx: summaries.add(
                tx,
                meeting_id=meeting_id,
                version=wanted.version,
                source=source,
                content=written.model_dump(mode="json"),
                problems=problems,
                at=datetime.now(UTC),
            )
        )
        await reached("summary_written")
        return Summarized(version=wanted.version, source="model" if source == "model" else "record")

    @activity.defn(name=act.WRITE_REVIEW)
    async def write_review(self, work: AfterWork) -> Reviewed:
        """Sort the action items into the three buckets, have the doers do what they can, and keep the review. Once."""
        meeting_id = work.meeting
        before = await self._store.look(lambda tx: summaries.review(tx, meeting_id))
        if before is not None:
            return _reviewed(before.source, before.content)
        standing = await self._standing(meeting_id)
        proposals: dict[str, Proposal] = {}
        said = ""
        heard = False
        problem = ""
        for attempt in range(1, ATTEMPTS + 1):
            call_id = f"{meeting_id}/-/secretary_review/1/{attempt}"
            brief = self._brief(standing, SecretaryPurpose.SECRETARY_REVIEW)
            request = voicing.review_request(brief, call_id, problem=problem, **self._asking(standing))
            reply = await self._hear(standing, call_id, "secretary_review", request)
            if reply is None:
                break
            read = voicing.read_review(reply)
            if not read.problem:
                proposals, said, heard = read.proposals, read.summary, True
                break
            problem = read.problem
        # What the secretary says of the meeting is held against the record like any summary.
        speeches = [turn.text for turn in standing.transcript]
        if not said or check_summary(Summary(headline=said), standing.record, speeches):
            said = summary_from_record(standing.record).headline
        doings = await self._do(standing, proposals)
        await reached("items_done")
        found = triage(standing.items, proposals, doings)
        review = make_review(
            meeting_id,
            found,
            summary=said,
            source="model" if heard else "record",
            simulated=standing.meeting.simulated,
        )
        now = datetime.now(UTC)
        done = [one for one in found if one.bucket is Bucket.DID_IT]

        async def write(tx: AsyncConnection) -> list[str]:
            touched = []
            for one in done:
                assert one.doing is not None
                entry = await completing.turn(
                    tx, one.item.id, done=True, origin=f"doer:{one.doing.doer}", at=now, note=one.doing.proof
                )
                if entry is not None and entry.resolution_id is not None:
                    touched.append(entry.resolution_id)
            await summaries.add_review(tx, meeting_id=meeting_id, source=review.source, content=review_json(review), at=now)
            return touched

        touched = await self._store.run(write)
        await reached("review_written")
        return Reviewed(source=review.source, counts=list(review.counts), resolutions=sorted(set(touched)))

    async def _do(self, standing: _Standing, proposals: Mapping[str, Proposal]) -> dict[str, Doing]:
        """Have the doers do what code says they can, and the secretary says is done. Doing it again changes nothing."""
        doings = {}
        entries = {entry.id: entry for entry in standing.entries}
        for item in standing.items:
            name = doable(item)
            proposal = proposals.get(item.id)
            doer = self._doers.get(name or "")
            if doer is None or (proposal is not None and proposal.bucket is not Bucket.DID_IT):
                continue
            try:
                doings[item.id] = Doing(doer.name, await doer.do(task_item(entries[item.id])))
            except DoerError:
                continue  # it is proposed to the person instead
        return doings

    # -- hearing ---------------------------------------------------------------------------------------------------

    async def _hear(self, standing: _Standing, call_id: str, purpose: str, request: VoiceRequest) -> VoiceReply | None:
        """One call, its reply stored before anything else happens (law 5); None when it was given up."""
        rules = standing.rules

        async def build() -> VoiceRequest:
            return request

        try:
            spoken = await self._caller.call(
                self._providers.voice(standing.meeting.config),
                build,
                call_id=call_id,
                meeting_id=standing.meeting.id,
                member_id=voicing.SECRETARY.id,
                purpose=purpose,
                retries=rules.call_retries,
                timeout=rules.call_timeout,
            )
        except ApplicationError as error:
            if error.type == act.PROVIDER_UNAVAILABLE:
                return None  # the record alone has to do
            raise
        reply = spoken.reply
        if reply is None:
            return None
        if spoken.bought_before:
            return restored(reply.text)
        await self._store.run(
            lambda tx: calls.finish(
                tx,
                call_id,
                reply=stored(reply),
                provider=standing.meeting.provider,
                now=datetime.now(UTC),
                **costs(reply),
            )
        )
        return reply

    @staticmethod
    def _asking(standing: _Standing) -> dict[str, Any]:
        return {"tier": standing.meeting.config.get("tier", "mid"), "timeout": standing.rules.call_timeout}

    async def _standing(self, meeting_id: str) -> _Standing:
        async def read(tx: AsyncConnection) -> _Standing:
            meeting = await meetings.find(tx, meeting_id)
            if meeting is None:
                raise ApplicationError("The meeting was deleted.", type=act.REFUSED, non_retryable=True)
            await ledger.settle(tx, meeting_id)
            return _Standing(
                meeting=meeting,
                record=await load_record(tx, meeting_id),
                transcript=await turns.transcript(tx, meeting_id),
                entries=await ledger.entries(tx, meeting.owner, meeting_id=meeting_id),
                feedback=tuple(one.text for one in await summaries.feedback(tx, meeting_id)),
            )

        return await self._store.run(read)

    def _brief(self, standing: _Standing, purpose: SecretaryPurpose) -> SecretaryBrief:
        meeting = standing.meeting
        return SecretaryBrief(
            meeting_id=meeting.id,
            meeting_name=meeting.name,
            date=(meeting.started_at or meeting.created_at).astimezone(ZoneInfo(meeting.zone)).date().isoformat(),
            member=voicing.SECRETARY,
            purpose=purpose,
            minutes=render_minutes(standing.record),
            plain=summary_from_record(standing.record),
            transcript=tuple(
                Line(turn.seq, turn.member_id, turn.name, turn.text, turn.purpose, turn.item_id) for turn in standing.transcript
            ),
            items=standing.items,
            doers=tuple(self._doers),
            feedback=standing.feedback,
            seed=meeting.seed,
        )


def _reviewed(source: str, content: Mapping[str, object]) -> Reviewed:
    counts = [len(list(content[bucket.value])) for bucket in Bucket]  # type: ignore[call-overload]
    return Reviewed(source="model" if source == "model" else "record", counts=counts)
