"""The `hear` activity: one voice is asked for one thing, and what it says goes on the record."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity

from activities import interface as act
from activities.briefs import Briefs
from activities.calls import Caller, Spoken, ledger
from activities.facts import Facts, turn_id
from activities.frozen import Frozen, freeze, meeting_of_activity
from activities.interface import Heard, Hearing
from activities.points import reached, reached_now
from activities.providers import Providers
from activities.recent import Recent
from activities.reviewing import ReviewManner
from parliament.record import ItemRecord
from parliament.values import Purpose, TurnStatus
from protocols.proposal_review import ReviewPurpose
from records import calls, meetings, proposals
from records.engine import Store
from records.together import Together
from voices.base import Brief, Prompt, VoiceRequest
from voices.prompts import max_tokens_for, render
from voices.replies import read


class Manner(Protocol):
    """What a kind of meeting makes of a hearing: what the voice is told, and what its reply means."""

    async def build(self, frozen: Frozen, hearing: Hearing) -> Any:
        """Everything that this voice may know now."""
        ...

    def prompt(self, brief: Any, hearing: Hearing) -> Prompt: ...

    def max_tokens(self, hearing: Hearing) -> int: ...

    async def facts(self, tx: AsyncConnection, frozen: Frozen, hearing: Hearing, spoken: Spoken, brief: Any) -> Heard:
        """Write what follows from the reply, in the caller's transaction."""
        ...


class BoardManner:
    """A meeting by the rules of order."""

    def __init__(self, store: Store) -> None:
        self._briefs = Briefs(store)

    async def build(self, frozen: Frozen, hearing: Hearing) -> Brief:
        return await self._briefs.build(frozen, hearing)

    def prompt(self, brief: Brief, hearing: Hearing) -> Prompt:
        return render(brief, chairman=hearing.chair)

    def max_tokens(self, hearing: Hearing) -> int:
        return max_tokens_for(Purpose(hearing.purpose))

    async def facts(self, tx: AsyncConnection, frozen: Frozen, hearing: Hearing, spoken: Spoken, brief: Brief | None) -> Heard:
        facts = Facts(tx, frozen, hearing, datetime.now(UTC), words_passed=spoken.words_passed)
        if spoken.reply is None or brief is None:
            return await facts.no_reply(spoken.trouble)
        purpose = Purpose(hearing.purpose)
        return await facts.heard(read(purpose, spoken.reply, chairman=hearing.chair, roster=frozen.roster), brief)


class Speaking:
    """Activities of the voices' queue. One instance a worker."""

    def __init__(self, store: Store, providers: Providers) -> None:
        self._store = store
        self._providers = providers
        self._together = Together(store)
        self._caller = Caller(store, self._together)
        self._manners: dict[str, Manner] = {"board": BoardManner(store), proposals.KIND: ReviewManner(store)}
        self._frozen: Recent[Frozen] = Recent()
        self._opening = asyncio.Lock()

    @activity.defn(name=act.HEAR)
    async def hear(self, hearing: Hearing) -> Heard:
        """Hear one voice. The reply is bought once, and its facts are written once, whatever dies in between."""
        meeting_id = meeting_of_activity()
        frozen = await self.frozen(meeting_id)
        manner = self._manners[frozen.kind]
        call_id = f"{meeting_id}/{turn_id(hearing)}"
        health = hearing.purpose is Purpose.HEALTH_CHECK
        rules = frozen.rules
        brief: Any = None

        async def request() -> VoiceRequest:
            nonlocal brief
            brief = await manner.build(frozen, hearing)
            return VoiceRequest(
                call_id=call_id,
                brief=brief,
                prompt=manner.prompt(brief, hearing),
                tier=frozen.tier,
                max_tokens=manner.max_tokens(hearing),
                timeout=rules.health_check_timeout if health else rules.call_timeout,
            )

        assert frozen.voice is not None
        spoken = await self._caller.call(
            frozen.voice,
            request,
            call_id=call_id,
            meeting_id=meeting_id,
            member_id=hearing.member,
            purpose=hearing.purpose.value,
            retries=0 if health else rules.call_retries,
            timeout=rules.health_check_timeout if health else rules.call_timeout,
            seq=hearing.seq or None,
        )
        if brief is None and spoken.reply is not None and not health:
            brief = await manner.build(frozen, hearing)

        async def keep(tx: AsyncConnection) -> None:
            await self._keep(tx, call_id, frozen, spoken)

        async def settle(tx: AsyncConnection) -> tuple[Heard, calls.Spent | None]:
            await keep(tx)
            heard = await manner.facts(tx, frozen, hearing, spoken, brief)
            if hearing.purpose in (Purpose.VOTE, ReviewPurpose.FINAL_VOTE):
                reached_now("vote_written")
            return heard, await calls.spent(tx, meeting_id) if frozen.budgeted else None

        if health:
            await self._together.write(keep)
            return Heard() if spoken.reply is not None else Heard(status=TurnStatus.NO_REPLY, problem=spoken.trouble)
        try:
            heard, spent = await self._together.write(settle)
        except Exception:
            # An error of our own must not cost the reply: it is kept, and the next attempt starts from it.
            await self._together.write(keep)
            raise
        if spent is not None and frozen.exceeded(spent):
            heard = heard.model_copy(update={"purse_empty": True})
        await reached(f"heard_{hearing.purpose.value}")
        return heard

    @staticmethod
    async def _keep(tx: AsyncConnection, call_id: str, frozen: Frozen, spoken: Spoken) -> None:
        """Store the reply under its call's id; a reply that was bought before is there."""
        if spoken.reply is not None and not spoken.bought_before:
            await calls.finish(
                tx, call_id, reply=spoken.reply.text, provider=frozen.provider, now=datetime.now(UTC), **ledger(spoken.reply)
            )

    async def frozen(self, meeting_id: str) -> Frozen:
        if meeting_id not in self._frozen:
            async with self._opening:
                if meeting_id not in self._frozen:

                    async def read_meeting(tx: AsyncConnection) -> tuple[meetings.MeetingRow, tuple[ItemRecord, ...]]:
                        return await meetings.get(tx, meeting_id), await meetings.items(tx, meeting_id)

                    meeting, items = await self._store.look(read_meeting)
                    self._frozen[meeting_id] = freeze(meeting, items, self._providers.voice(meeting.config))
        return self._frozen[meeting_id]
