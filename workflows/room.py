"""The room: the one place where a workflow hears voices, checks pause, deadline and budget, and keeps the record.

The room knows nothing of motions; `workflows.board_room` adds the floor of a meeting by the rules of order. The room gives
places in the transcript to voices (so that every turn's id and order follow from the meeting and not from who answered
first), waits for them, and writes down what the procedure announces.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Protocol, TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeKey
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

from activities import interface as act
from activities.interface import Entry, Heard, Hearing
from parliament.ids import speaking_order
from parliament.standing_rules import Rules
from parliament.values import PHASE_OF, EndedBy, MeetingStatus, Phase, Purpose, TurnStatus
from protocols.proposal_review import ReviewPurpose
from workflows.clock import MeetingClock
from workflows.messages import RoomState, Seat
from workflows.notice import tell

STATUS = SearchAttributeKey.for_keyword("BoardroomStatus")
PHASE = SearchAttributeKey.for_keyword("BoardroomPhase")

M = TypeVar("M", Hearing, Entry)


def set_only(model: type[M], **fields: Any) -> M:
    """A payload with just the fields that say something: the converter leaves the unset ones out of the history."""
    return model(**{name: value for name, value in fields.items() if value is not None and value != "" and value is not False})


Spoken = Purpose | ReviewPurpose


def _phase_of(purpose: Spoken) -> Phase | None:
    return PHASE_OF.get(purpose) if isinstance(purpose, Purpose) else None


class MeetingError(ApplicationError):
    """Base of the errors by which workflow code may end a run (the only failure type of these workflows)."""


class MeetingOver(Exception):
    """Raised in the procedure when the meeting must go to its closing now (law 13)."""

    def __init__(self, ended_by: EndedBy) -> None:
        super().__init__(ended_by.value)
        self.ended_by = ended_by


class Convening(Protocol):
    """What a room needs to know of what its meeting starts from."""

    seats: list[Seat]
    seed: int
    voices_queue: str
    rules: Rules
    notices: bool


class Room:
    """Holds the meeting's state while its workflow runs."""

    def __init__(self, convening: Convening, state: RoomState, keys: frozenset[str]) -> None:
        """`keys`: the clerk's lines that this kind of meeting has."""
        self.convening = convening
        self.rules = convening.rules
        self.state = state
        self.keys = keys
        self.clock = MeetingClock(state.active, self.rules.meeting_deadline, self.rules.phase_deadline)
        self.names = {seat.id: seat.name for seat in convening.seats}
        self.item: str | None = None
        self.hearing: list[str] = []
        self.finished = False
        self._entries: list[Entry] = []
        self._moments: list[tuple[str, str]] = []
        self._recording: asyncio.Task[None] | None = None
        self._purse_empty = False
        self._halted = False
        self._taking_up = False

    # -- what a kind of meeting says of itself ---------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        raise NotImplementedError

    @property
    def presider(self) -> str:
        """Who presides; "" where nobody does."""
        return ""

    @property
    def takes_input(self) -> bool:
        """Whether the shareholder's words can be taken up now."""
        return True

    def show(self) -> None:
        """The meeting's place as a few lines of Markdown for the Web UI. Ids and counts, no words (law 15)."""
        raise NotImplementedError

    def settle(self, replies: dict[str, Heard]) -> None:
        """What follows from who answered in a round."""

    async def heard(self, purpose: Spoken, replies: dict[str, Heard]) -> None:
        """What follows from what was said in a round, before its caller looks at it."""

    async def answer_input(self, input_id: str) -> None:
        """What follows when the shareholder's words stand on the record."""

    # -- the record ------------------------------------------------------------------------------------------------

    def place(self, count: int = 1) -> int:
        """Keep `count` places in the transcript; the first one is returned."""
        first = self.state.seq + 1
        self.state.seq += count
        return first

    def note(self, what: str, **fields: Any) -> None:
        """Put an entry on the record with the next flush."""
        self._entries.append(set_only(Entry, what=what, **fields))

    def announce(self, key: str, **args: Any) -> None:
        """A line by the clerk. Arguments are ids, counts and choices; the activity puts names and topics in."""
        assert key in self.keys, key
        self.note("announce", seq=self.place(), key=key, args=args or None, item=self.item, phase=self.phase)

    async def flush(self) -> None:
        """Write what was noted and wait until it is written."""
        while self._recording is not None:
            recording, self._recording = self._recording, None
            await recording
        if self._entries:
            await self._record()
        while self._moments:
            kind, ref = self._moments.pop(0)
            await tell(kind, meeting=workflow.info().workflow_id, ref=ref)

    def moment(self, kind: str, ref: str = "") -> None:
        """Something of which the person is told, once it stands on the record (source 000, Trigger Points)."""
        if self.convening.notices:
            self._moments.append((kind, ref))

    def _begin_flush(self) -> None:
        """Write what was noted while voices are called: whoever is heard waits in the store for the clerk's lines before
        it, so a record that takes its time, or is tried again, is still read whole. Only where such a line exists."""
        self._recording = asyncio.create_task(self._record())

    async def _record(self) -> None:
        """One activity for everything noted, in one transaction, each entry idempotent by its id or place (law 4)."""
        entries, self._entries = self._entries, []
        phase = self.phase
        entries = [e.model_copy(update={"phase": None}) if e.phase is phase else e for e in entries]
        # A local activity: it is idempotent and takes milliseconds, and a history need not tell what the store does.
        await workflow.execute_local_activity(
            act.RECORD,
            act.Recording(entries=entries, at=workflow.now().isoformat(timespec="milliseconds"), phase=phase),
            start_to_close_timeout=timedelta(seconds=max(3.0, self.rules.heartbeat)),
            retry_policy=RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=10)),
        )

    def status(self, status: MeetingStatus, *, why: str = "", ended_by: EndedBy | None = None) -> None:
        self.state.status = status
        self.note("status", status=status, why=why, ended_by=ended_by)
        workflow.upsert_search_attributes([STATUS.value_set(status.value)])
        self.show()

    # -- pause, halt, input ----------------------------------------------------------------------------------------

    def resume(self) -> None:
        self.state.paused = False
        self._halted = False

    async def _stand_until(self, ready: Any) -> None:
        """Wait with the clock standing; who waits longer than the time to abandon ends the meeting."""
        self.clock.stand()
        try:
            await workflow.wait_condition(ready, timeout=self.rules.abandon_after, timeout_summary="Time to abandon")
        except TimeoutError:
            raise MeetingOver(EndedBy.ABANDONED) from None
        self.clock.go()

    async def halt(self, status: MeetingStatus, why: str) -> None:
        """QUORUM_LOST and FAILED are states of an open workflow that waits to be resumed."""
        self._halted = True
        self.announce("halted", why=why)
        self.status(status, why=why)
        self.moment("quorum_lost" if status is MeetingStatus.QUORUM_LOST else "meeting_failed", str(self.state.seq))
        await self.flush()
        await self._stand_until(lambda: not self._halted)
        self.status(MeetingStatus.IN_PROGRESS)
        self.announce("resumed")

    async def checkpoint(self) -> None:
        """Between two rounds: pause when asked, put the shareholder's words to the board, end when time or money is up."""
        if self.state.paused:
            self.status(MeetingStatus.PAUSED)
            await self.flush()
            await self._stand_until(lambda: not self.state.paused)
            self.status(MeetingStatus.IN_PROGRESS)
        self.check_limits()
        if self.state.inputs and not self._taking_up and self.takes_input:
            await self._take_up_inputs()

    def check_limits(self) -> None:
        """Go to the closing when time or money is up (law 13)."""
        if not self.state.closing:
            if self.clock.meeting_over:
                raise MeetingOver(EndedBy.DEADLINE)
            if self._purse_empty:
                raise MeetingOver(EndedBy.BUDGET)

    async def _take_up_inputs(self) -> None:
        self._taking_up = True
        try:
            while self.state.inputs:
                input_id = self.state.inputs.pop(0)
                self.note("input", id=input_id, seq=self.place(), item=self.item, phase=self.phase)
                await self.flush()
                await self.answer_input(input_id)
        finally:
            self._taking_up = False

    # -- hearing voices --------------------------------------------------------------------------------------------

    def order(self, place: str, members: Sequence[str]) -> list[str]:
        """The speaking order at a place of the meeting: shuffled by the seed that the record keeps."""
        # The meeting's id is left out: the same seed and agenda give the same meeting again.
        place = place.replace(workflow.info().workflow_id, "")
        return list(speaking_order(self.convening.seed, "", place, tuple(members)))

    async def hear_one(self, purpose: Spoken, member: str, **options: Any) -> Heard:
        return (await self.hear(purpose, [member], **options))[member]

    async def hear(
        self,
        purpose: Spoken,
        members: Sequence[str],
        *,
        phase: Phase | None = None,
        about: str = "",
        by: str | dict[str, str] = "",
        settle: bool = True,
        shuffle: bool = True,
    ) -> dict[str, Heard]:
        """One blind round: every member is heard at once and sees only what was said before the round.

        Returns the replies in speaking order, which a seed in the record determines. A member that does not reply is
        absent from then on, until its seat answers again (`settle=False` leaves that to the caller, who holds a vote).
        """
        await self.checkpoint()
        if any(entry.seq for entry in self._entries) and self._recording is None:
            self._begin_flush()
        else:
            await self.flush()
        key = f"{self.item or '-'}/{purpose.value}/{about}"
        number = self.state.rounds[key] = self.state.rounds.get(key, 0) + 1
        order = list(members)
        if shuffle and len(order) > 1:
            order = self.order(f"{key}/{number}", members)
        first = self.place(len(order))
        own_phase = None if phase is None or _phase_of(purpose) == phase else phase
        hearings = [
            set_only(
                Hearing,
                purpose=purpose,
                member=member,
                seq=first + n,
                before=None if n == 0 else first,
                phase=own_phase,
                item=self.item,
                round=None if number == 1 else number,
                about=about,
                by=by if isinstance(by, str) else by.get(member, ""),
                chair=member == self.presider,
            )
            for n, member in enumerate(order)
        ]
        replies = await self._hear_all(hearings)
        if self._recording is not None:
            recording, self._recording = self._recording, None
            await recording
        if any(heard.purse_empty for heard in replies.values()):
            self._purse_empty = True
        if settle:
            self.settle(replies)
        await self.heard(purpose, replies)
        return replies

    async def _hear_all(self, hearings: list[Hearing]) -> dict[str, Heard]:
        replies: dict[str, Heard] = {}
        size = self.rules.batch_size or len(hearings) or 1
        batches = [hearings[start : start + size] for start in range(0, len(hearings), size)]
        for batch in batches:
            waiting = batch
            while waiting:
                failures: dict[str, str] = {}
                replies |= await self._hear_batch(waiting, failures)
                waiting = [hearing for hearing in waiting if hearing.member in failures]
                if waiting and self.state.closing:
                    for hearing in waiting:
                        replies[hearing.member] = self._silent(hearing, "the voices are not available")
                    waiting = []
                elif waiting:
                    await self.halt(MeetingStatus.FAILED, next(iter(failures.values())))
                    await self.flush()
        return {hearing.member: replies[hearing.member] for hearing in hearings}

    def _silent(self, hearing: Hearing, why: str) -> Heard:
        """The place of a turn that never came is filled, so that no reader waits for it."""
        phase = hearing.phase or _phase_of(hearing.purpose) or self.phase
        self.note(
            "silent",
            seq=hearing.seq,
            member=hearing.member,
            purpose=hearing.purpose,
            phase=phase,
            item=hearing.item,
            round=hearing.round,
            why=why,
        )
        return Heard(status=TurnStatus.NO_REPLY, problem=why)

    async def _hear_batch(self, batch: list[Hearing], failures: dict[str, str]) -> dict[str, Heard]:
        self.hearing = [hearing.member for hearing in batch]
        tasks = {hearing.member: asyncio.create_task(self._call(hearing)) for hearing in batch}
        closing = self.state.closing

        def cut() -> bool:
            return self.clock.phase_over or self.clock.meeting_over

        try:
            await workflow.wait_condition(lambda: all(task.done() for task in tasks.values()) or cut())
        finally:
            self.hearing = []
        replies: dict[str, Heard] = {}
        late = [hearing for hearing in batch if not tasks[hearing.member].done()]
        for hearing in late:
            tasks[hearing.member].cancel()
        if late:
            await asyncio.gather(*(tasks[hearing.member] for hearing in late), return_exceptions=True)
        for hearing in batch:
            task = tasks[hearing.member]
            error = None if task.cancelled() else task.exception()
            if hearing in late and (task.cancelled() or error is not None):
                replies[hearing.member] = self._silent(hearing, "the time was over")
            elif error is None:
                replies[hearing.member] = task.result()
            elif isinstance(error, ActivityError):
                cause = error.cause
                failures[hearing.member] = (
                    str(cause.message) if isinstance(cause, ApplicationError) else "the call could not be carried out in time"
                )
            else:
                raise error
        if late and not self.clock.meeting_over and not closing:
            self.announce("phase_deadline")
        return replies

    async def _call(self, hearing: Hearing) -> Heard:
        rules = self.rules
        once = rules.health_check_timeout if hearing.purpose is Purpose.HEALTH_CHECK else rules.call_timeout
        tries = 1 if hearing.purpose is Purpose.HEALTH_CHECK else rules.call_retries + 1
        label = hearing.purpose.value.replace("_", " ").capitalize()
        try:
            heard: Heard = await workflow.execute_activity(
                act.HEAR,
                hearing,
                result_type=Heard,
                task_queue=self.convening.voices_queue,
                start_to_close_timeout=timedelta(seconds=once + 30),
                # A worker's death costs no retry of the provider's (the store counts those): bounded by time alone.
                schedule_to_close_timeout=timedelta(seconds=(once + 60) * tries + 600),
                heartbeat_timeout=timedelta(seconds=rules.heartbeat),
                retry_policy=RetryPolicy(
                    initial_interval=timedelta(milliseconds=200), backoff_coefficient=1.5, maximum_interval=timedelta(seconds=5)
                ),
                summary=f"{label} — {self.names.get(hearing.member, hearing.member)}",
            )
            return heard
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise asyncio.CancelledError from error
            raise
