"""The chairman before the meeting: it drafts the agenda from the board book, revises it, and answers the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities import interface as act
from activities.board_book import book_for
from activities.calls import Caller, Spoken, ledger
from activities.frozen import item_brief, meeting_of_activity, member_brief
from activities.interface import Conversed, Conversing, Drafted, Drafting
from activities.points import reached
from activities.preparing import REVIEWED, refusal
from activities.providers import Providers
from parliament.agenda import Agenda, AgendaItem
from parliament.record import ItemRecord
from parliament.standing_rules import Rules
from parliament.values import MeetingStatus
from records import agendas, calls, conversations, meetings
from records.agendas import VersionConflict
from records.engine import Store
from records.meetings import MeetingRow
from records.together import Together
from voices import agenda as voicing
from voices.base import AgendaBrief, AgendaPurpose, Said, Voice, VoiceRequest

LAST_MESSAGES = 10
"""So much of the conversation the chairman remembers (source 000, Chairman Conversation Prompt)."""
ROUNDS = 3
"""How often a reply may use its tools before its words stand as they are."""


@dataclass(frozen=True)
class _Standing:
    """What the record holds when the chairman is asked."""

    meeting: MeetingRow
    items: tuple[ItemRecord, ...]
    agenda: Agenda | None
    version: int

    @property
    def chair(self) -> str:
        return self.meeting.chair_named

    @property
    def rules(self) -> Rules:
        return Rules(**self.meeting.config["rules"])

    @property
    def asking(self) -> dict[str, Any]:
        """Tier and time limit of a call, as they were frozen into the meeting."""
        return {"tier": self.meeting.config.get("tier", "mid"), "timeout": self.rules.call_timeout}


class Chairman:
    """Activities of the voices' queue that hear the chairman outside a meeting."""

    def __init__(self, store: Store, providers: Providers, context: Path | None) -> None:
        self._store = store
        self._providers = providers
        self._context = context
        self._caller = Caller(store, Together(store))

    @activity.defn(name=act.DRAFT_AGENDA)
    async def draft_agenda(self, drafting: Drafting) -> Drafted:
        """Draft the agenda, or revise it by a note. The reply is bought once, and the agenda changed once, at its version."""
        meeting_id = meeting_of_activity()
        source = drafting.note or f"draft-{drafting.n}"
        done = await self._store.look(lambda tx: agendas.change_from(tx, meeting_id, source))
        if done is not None:
            return Drafted(version=done.version, items=len(done.after))
        standing = await self._standing(meeting_id)
        brief = await self._brief(standing, AgendaPurpose.REVISE if drafting.note else AgendaPurpose.DRAFT, note=drafting.note)
        place = f"{meeting_id}/-/agenda/{drafting.n}"
        bought: list[tuple[str, Spoken]] = []
        problem = ""
        for attempt in (1, 2):
            call_id = f"{place}/{attempt}"
            spoken = await self._hear(
                standing, call_id, "agenda", voicing.draft_request(brief, call_id, problem=problem, **standing.asking)
            )
            bought.append((call_id, spoken))
            assert spoken.reply is not None
            # A first draft outside of 3 to 5 items is asked for again; then it is taken as it is.
            read = voicing.read_agenda(spoken.reply, strict=not drafting.note and attempt == 1)
            if read.items:
                break
            problem = read.problem
        else:
            raise refusal(f"The chairman's draft could not be read as an agenda ({problem}): ask for it again, or write it.")
        await reached("agenda_drafted")

        async def write(tx: AsyncConnection) -> int:
            await agendas.version(tx, meeting_id)
            self._still_reviewed(await meetings.get(tx, meeting_id))
            items = _numbered(read.items, standing.agenda, await agendas.used_ids(tx, meeting_id))
            version = await agendas.change(
                tx,
                meeting_id,
                items,
                expected=standing.version,
                origin="chairman",
                at=datetime.now(UTC),
                lines=[f"{'revised' if drafting.note else 'drafted'} the agenda: {len(items)} items"],
                operations=[{"op": "revise" if drafting.note else "draft"}],
                source_id=source,
            )
            await agendas.set_fields(
                tx,
                meeting_id,
                status=MeetingStatus.AGENDA_DRAFT.value,
                **({"revision_requested": False} if drafting.note else {}),
            )
            return version

        try:
            version = await self._store.run(write)
        except VersionConflict as error:
            raise refusal(
                f"The agenda was changed while the chairman worked on it (it is at version {error.found}): ask again."
            ) from None
        return Drafted(version=version, items=len(read.items))

    @activity.defn(name=act.CONVERSE)
    async def converse(self, conversing: Conversing) -> Conversed:
        """Answer a message; changes that the chairman makes by its tools go through with the answer, at one version."""
        meeting_id, message = meeting_of_activity(), conversing.message
        standing = await self._standing(meeting_id)
        if await self._store.look(lambda tx: conversations.message(tx, f"{message}-reply")) is not None:
            made = await self._store.look(lambda tx: agendas.change_from(tx, meeting_id, message))
            return Conversed(version=standing.version, changed=made is not None)
        brief = await self._brief(standing, AgendaPurpose.CONVERSE, message=message)
        used = await self._store.look(lambda tx: agendas.used_ids(tx, meeting_id))
        talk = voicing.Conversation(brief, standing.agenda, used)
        for n in range(1, ROUNDS + 1):
            call_id = f"{meeting_id}/-/conversation/{message}/{n}"
            spoken = await self._hear(standing, call_id, "conversation", talk.request(call_id, **standing.asking), live=True)
            assert spoken.reply is not None
            if not talk.take(spoken.reply, last=n == ROUNDS):
                break
        await reached("conversation_answered")
        return await self._answered(meeting_id, message, standing, talk)

    async def _answered(self, meeting_id: str, message: str, standing: _Standing, talk: voicing.Conversation) -> Conversed:
        now = datetime.now(UTC)

        async def write(tx: AsyncConnection, *, changing: bool) -> Conversed:
            found = await agendas.version(tx, meeting_id)
            if await conversations.message(tx, message) is None:  # cleared meanwhile: nothing of it comes back
                return Conversed(version=found)
            if changing:
                self._still_reviewed(await meetings.get(tx, meeting_id))
                assert talk.agenda is not None
                found = await agendas.change(
                    tx,
                    meeting_id,
                    talk.agenda.items,
                    expected=standing.version,
                    origin="chairman",
                    at=now,
                    lines=talk.lines,
                    operations=[operation.model_dump(mode="json", exclude_none=True) for operation in talk.operations],
                    source_id=message,
                )
            action = {"version": found, "lines": talk.lines, "operations": len(talk.operations)} if changing else None
            await conversations.add(
                tx,
                id=f"{message}-reply",
                meeting_id=meeting_id,
                role="assistant",
                content=talk.speech,
                timestamp=now,
                agenda_action=action,
            )
            return Conversed(version=found, changed=changing)

        if not talk.operations:
            return await self._store.run(lambda tx: write(tx, changing=False))
        try:
            return await self._store.run(lambda tx: write(tx, changing=True))
        except VersionConflict as error:
            problem = (
                f"The agenda was changed by somebody else while the chairman answered (it is at version {error.found}), so its "
                "change was not made: read the agenda again, and ask again."
            )
        except ApplicationError as error:
            problem = str(error.message)
        answered = await self._store.run(lambda tx: write(tx, changing=False))
        return answered.model_copy(update={"problem": problem})

    # -- hearing ---------------------------------------------------------------------------------------------------

    async def _hear(
        self, standing: _Standing, call_id: str, purpose: str, request: VoiceRequest, *, live: bool = False
    ) -> Spoken:
        """One call, its reply stored under its id before anything else happens (law 5)."""
        rules = standing.rules

        async def build() -> VoiceRequest:
            return request

        spoken = await self._caller.call(
            self._voice(standing),
            build,
            call_id=call_id,
            meeting_id=standing.meeting.id,
            member_id=standing.chair,
            purpose=purpose,
            retries=rules.call_retries,
            timeout=rules.call_timeout,
            live=live,
        )
        reply = spoken.reply
        if reply is None:
            raise ApplicationError(
                f"The chairman did not answer ({spoken.trouble}): try again.", type=act.PROVIDER_UNAVAILABLE, non_retryable=True
            )
        if spoken.bought_before:
            return Spoken(voicing.restored(reply.text), bought_before=True)
        await self._store.run(
            lambda tx: calls.finish(
                tx,
                call_id,
                reply=voicing.stored(reply),
                provider=standing.meeting.provider,
                now=datetime.now(UTC),
                **ledger(reply),
            )
        )
        return spoken

    def _voice(self, standing: _Standing) -> Voice:
        return self._providers.voice(standing.meeting.config)

    async def _standing(self, meeting_id: str) -> _Standing:
        async def read(tx: AsyncConnection) -> _Standing:
            agenda, version = await agendas.standing(tx, meeting_id)
            return _Standing(await meetings.get(tx, meeting_id), await meetings.items(tx, meeting_id), agenda, version)

        found = await self._store.look(read)
        self._still_reviewed(found.meeting)
        return found

    @staticmethod
    def _still_reviewed(meeting: MeetingRow) -> None:
        if meeting.status not in REVIEWED:
            raise refusal(f"The meeting is {meeting.status.value}: its agenda can no longer be changed.")

    async def _brief(self, standing: _Standing, purpose: AgendaPurpose, *, note: str = "", message: str = "") -> AgendaBrief:
        """Everything the chairman may know now: the board book, the agenda as it stands, what was said about it."""
        meeting = standing.meeting
        today = datetime.now(ZoneInfo(meeting.zone)).date()
        book = await book_for(self._store, self._context, meeting, today)
        feedback, words = meeting.user_feedback, ""
        said: tuple[Said, ...] = ()

        async def read(tx: AsyncConnection) -> tuple[Any, list[conversations.Message], Any]:
            return (
                await agendas.note(tx, note) if note else None,
                await conversations.messages(tx, meeting.id, last=LAST_MESSAGES, before=message),
                await conversations.message(tx, message) if message else None,
            )

        noted, history, asked = await self._store.look(read)
        if noted is not None:
            feedback = noted.text
        if message:
            if asked is None:
                raise refusal("The conversation was cleared before the chairman could answer.")
            words = asked.content
            said = tuple(Said(m.role, m.content) for m in history)
        member = next(m for m in meeting.config["members"] if m["id"] == standing.chair)
        return AgendaBrief(
            meeting_id=meeting.id,
            meeting_name=meeting.name,
            date=today.isoformat(),
            chairman=member_brief(member),
            purpose=purpose,
            board_book=book.text,
            items=tuple(item_brief(item) for item in standing.items),
            version=standing.version,
            feedback=feedback,
            topics=book.topics,
            precedents=book.precedents,
            conversation=said,
            message=words,
            seed=meeting.seed,
        )


def _numbered(drafted: Sequence[AgendaItem], before: Agenda | None, used: set[str]) -> list[AgendaItem]:
    """The drafted items with ids: an item on a topic that was there keeps its id and the person's commentary on it."""
    known = {item.topic.casefold(): item for item in before.items} if before is not None else {}
    taken = set(used)
    numbered = []
    for item in drafted:
        old = known.pop(item.topic.casefold(), None)
        if old is not None:
            numbered.append(item.model_copy(update={"id": old.id, "user_commentary": old.user_commentary}))
            continue
        number = 1
        while f"agenda-{number}" in taken:
            number += 1
        taken.add(f"agenda-{number}")
        numbered.append(item.model_copy(update={"id": f"agenda-{number}"}))
    return numbered
