"""The board meeting as a durable workflow: opening, roll call, each item, closing, adjournment (source 000, Meeting Flow)."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta

from temporalio import workflow
from temporalio.common import SearchAttributeKey, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from activities import interface as act
    from activities.interface import Heard
    from parliament import acts
    from parliament.floor import Floor, Motion
    from parliament.ids import resolution_id
    from parliament.motions import MotionKind
    from parliament.values import (
        CLERK,
        Disposition,
        EndedBy,
        ItemStatus,
        ItemType,
        MeetingStatus,
        Phase,
        Purpose,
        TurnStatus,
    )
    from workflows.board_room import BoardRoom
    from workflows.chairing import Chairing
    from workflows.messages import (
        AFTER_MEETING,
        BOARD_MEETING,
        FOLLOW_UP,
        AfterMeetingInput,
        Afterwards,
        BoardMeetingInput,
        FollowUpInput,
        Item,
        MeetingOutcome,
        MeetingState,
        Whereabouts,
    )
    from workflows.questions import Questions
    from workflows.room import MeetingError, MeetingOver

KIND = SearchAttributeKey.for_keyword("BoardroomKind")
BOARD = SearchAttributeKey.for_keyword("BoardroomBoard")
DATE = SearchAttributeKey.for_datetime("BoardroomMeetingDate")


@workflow.defn(name=BOARD_MEETING, failure_exception_types=[MeetingError])
class BoardMeeting:
    """One meeting; its workflow id is the meeting's id.

    Signals `pause`, `resume`, `user_input` (the id of a stored input). Query `whereabouts`. It closes only when the
    meeting is adjourned or was abandoned; QUORUM_LOST and FAILED wait to be resumed.
    """

    @workflow.init
    def __init__(self, convening: BoardMeetingInput) -> None:
        state = convening.state or MeetingState(
            floor=Floor(
                members=tuple(seat.id for seat in convening.seats if seat.voting),
                chair=convening.facilitators[0],
                quorum=convening.rules.quorum,
                second_required=convening.rules.second_required,
            ),
        )
        self.convening = convening
        self.room = BoardRoom(convening, state)
        self.questions = Questions(self.room)
        self.chairing = Chairing(self.room, self.questions, convening.facilitators)
        self.room.on_chair = self.chairing.aside
        self.item_ended = ItemStatus.DONE
        self.item_why = ""

    # -- messages --------------------------------------------------------------------------------------------------

    @workflow.signal
    def pause(self) -> None:
        """Pause at the next checkpoint (source 000, Trigger Points)."""
        if not self.room.finished:
            self.room.state.paused = True

    @workflow.signal
    def resume(self) -> None:
        """Go on after a pause, a lost quorum or a failure."""
        self.room.resume()

    @workflow.signal
    def user_input(self, input_id: str) -> None:
        """Put a stored input of the shareholder to the board at the next checkpoint. A known id is not taken up again."""
        state = self.room.state
        if input_id not in state.inputs_seen:
            state.inputs_seen.append(input_id)
            state.inputs.append(input_id)

    @workflow.query
    def whereabouts(self) -> Whereabouts:
        """What only the running workflow knows; everything else is read from the store."""
        room = self.room
        return Whereabouts(
            status=room.state.status,
            phase=room.floor.phase,
            item=room.item,
            pausing=room.state.paused and room.state.status is MeetingStatus.IN_PROGRESS,
            waiting_inputs=len(room.state.inputs),
            hearing=room.hearing,
        )

    # -- the meeting -----------------------------------------------------------------------------------------------

    @workflow.run
    async def run(self, convening: BoardMeetingInput) -> MeetingOutcome:
        room = self.room
        room.clock.go()
        timekeeper = asyncio.create_task(room.clock.keep(lambda: room.finished))
        try:
            ended_by = await self._hold()
        except MeetingOver as over:
            ended_by = over.ended_by
        if ended_by is None:  # an item boundary, with a history long enough
            room.finished = True
            await timekeeper
            room.state.active = room.clock.active
            await workflow.wait_condition(workflow.all_handlers_finished)
            workflow.continue_as_new(convening.model_copy(update={"state": room.state}))
        outcome = await self._close(ended_by)
        room.finished = True
        await timekeeper
        return outcome

    async def _hold(self) -> EndedBy | None:
        """Everything up to the closing. None: continue as new before the next item."""
        room = self.room
        if self.convening.state is None:
            workflow.upsert_search_attributes(
                [
                    KIND.value_set("board"),
                    BOARD.value_set(self.convening.board),
                    DATE.value_set(workflow.now()),
                ]
            )
            await self._open()
        while room.state.next_item < len(self.convening.items):
            if room.state.next_item and self._long_enough():
                await room.flush()
                return None
            item = self.convening.items[room.state.next_item]
            await self._take_up(item)
            if room.floor.adjourned:
                return EndedBy.ADJOURNED
        return EndedBy.AGENDA

    def _long_enough(self) -> bool:
        info = workflow.info()
        return (
            info.is_continue_as_new_suggested()
            or info.get_current_history_length() >= self.convening.rules.continue_after_events
        )

    async def _open(self) -> None:
        room = self.room
        room.status(MeetingStatus.IN_PROGRESS)
        room.moment("meeting_started")
        sessions = asyncio.create_task(
            workflow.execute_local_activity(
                act.START_SESSIONS,
                act.Sessions(members=[seat.id for seat in self.convening.seats]),
                start_to_close_timeout=timedelta(seconds=max(3.0, self.convening.rules.heartbeat)),
            )
        )
        await self.chairing.choose_presider()
        room.enter(Phase.OPENING)
        await self.chairing.obey(await room.hear_one(Purpose.OPENING, room.floor.chair))
        await sessions
        room.enter(Phase.QUORUM)
        guests = [seat.id for seat in self.convening.seats if not seat.voting]
        replies = await room.hear(Purpose.ROLL_CALL, [*room.floor.members, *guests], settle=False)
        for member, heard in replies.items():
            if member in guests:
                if heard.status is not TurnStatus.NO_REPLY and heard.present is not False:
                    room.state.guests.append(member)
            elif heard.status is TurnStatus.NO_REPLY:
                room.must(acts.MarkAbsent(member=member))
            else:
                room.must(acts.Answer(present=heard.present is not False), member)
        for member in room.floor.members:
            if member not in replies:
                room.must(acts.MarkAbsent(member=member))
        if room.floor.has_quorum:
            floor = room.floor
            room.announce("quorum", present=len(floor.present), seated=len(floor.members), quorum=floor.quorum)
        else:
            await self.questions.require_quorum()
        self.chairing.preside_by_presence()

    # -- one item --------------------------------------------------------------------------------------------------

    async def _take_up(self, item: Item) -> None:
        room = self.room
        await self.questions.ask_absentees()
        self.chairing.preside_by_presence()
        started = room.clock.active
        room.item = item.id
        room.state.rounds = {}
        room.must(acts.TakeUp(item_id=item.id, item_type=item.type))
        room.note("item", item=item.id, item_status=ItemStatus.OPEN)
        self.item_ended, self.item_why = ItemStatus.DONE, ""
        room.enter(Phase.INTRO)
        room.announce("item", number=self.convening.items.index(item) + 1)
        if item.type is ItemType.DECISION:
            await self._decide(item)
        else:
            await self._deliberate()
        if room.floor.adjourned:
            return
        room.must(acts.FinishItem())
        seconds = round(room.clock.active - started, 1)
        room.note("item", item=item.id, item_status=self.item_ended, why=self.item_why, seconds=seconds)
        room.item = None
        room.state.next_item += 1

    async def _introduce(self) -> bool:
        """The chair's introduction. False when the item is over with it."""
        heard = await self.room.hear_one(Purpose.INTRO, self.room.floor.chair)
        return await self.chairing.obey(heard)

    async def _decide(self, item: Item) -> None:
        room, questions = self.room, self.questions
        if not await self._introduce():
            return
        room.enter(Phase.DISCUSSION)
        replies = await self._round(Purpose.DISCUSSION)
        if replies is None:
            return
        main = await self._motion(item, replies)
        if main is None:
            return
        room.enter(Phase.SECOND)
        await questions.require_quorum()
        if not await questions.seek_second(main):
            self._resolve(item, main)
            return
        room.enter(Phase.MOTION_DISCUSSION)
        await self._debate(main)
        main_now = room.floor.main
        if main_now is not None:
            await questions.require_quorum()
            room.enter(Phase.VOTING)
            if await questions.vote(main_now) is Disposition.ADOPTED:
                self._resolve(item, main_now)
                room.enter(Phase.ACTION_ITEMS)
                await self.chairing.obey(await room.hear_one(Purpose.ACTION_ITEMS, room.floor.chair))
                return
        self._resolve(item, main)

    def _resolve(self, item: Item, main: Motion) -> None:
        """The main motion came to its end, whatever the end: one resolution row tells it."""
        room = self.room
        closed = room.floor.last_closed(main.id)
        if closed is not None and closed.disposition is Disposition.TABLED:
            self.item_ended = ItemStatus.TABLED
        room.note("resolution", id=main.id, item=item.id)
        number = self.convening.items.index(item) + 1
        resolution = resolution_id(workflow.info().workflow_id, number)
        self.room.state.resolutions.append(resolution)
        if closed is not None and closed.disposition is Disposition.ADOPTED:
            self.room.state.adopted.append(resolution)
        room.moment("resolution", resolution)

    async def _deliberate(self) -> None:
        """Items that are not for decision: a sequential, sighted round-robin, then the chair's summary."""
        room = self.room
        if not await self._introduce():
            return
        room.enter(Phase.DISCUSSION)
        for member in room.order("round-robin", room.speakers):
            if member in room.speakers:
                heard = await room.hear_one(Purpose.DISCUSSION, member)
                if member == room.floor.chair and not await self.chairing.obey(heard):
                    return
        room.enter(Phase.SUMMARY)
        self.chairing.preside_by_presence()
        await self.chairing.obey(await room.hear_one(Purpose.SUMMARY, room.floor.chair))

    async def _motion(self, item: Item, discussion: dict[str, Heard]) -> Motion | None:
        """The chair drafts a motion, is asked once more when it is not in order, and then the item is skipped."""
        room = self.room
        room.enter(Phase.MOTION)
        self.chairing.preside_by_presence()
        heard = discussion.get(room.floor.chair)
        if heard is not None and heard.motion:
            room.announce("carried_draft")
        else:
            heard = await room.hear_one(Purpose.MOTION, room.floor.chair)
            if not heard.motion:
                why = heard.problem or "no motion"
                self.chairing.preside_by_presence()
                heard = await room.hear_one(Purpose.MOTION, room.floor.chair, by=why)
        if not heard.motion:
            self.item_ended, self.item_why = ItemStatus.SKIPPED, heard.problem or "no motion"
            room.announce("skipped", why=self.item_why)
            return None
        if not await self.chairing.obey(heard):  # a MOTION command among them is this very motion, so they come before it
            return None
        room.must(acts.Move(id=heard.motion, kind=MotionKind.MAIN, wording=heard.motion), room.floor.chair)
        return room.floor.main

    async def _debate(self, main: Motion) -> None:
        """MOTION_DISCUSSION: a blind round on the motion's text, then what members moved in it, in speaking order.

        The chair's DISCUSS in it asks for one more round.
        """
        for _ in range(2):
            self.chairing.discuss_again = False
            replies = await self._round(Purpose.DEBATE)
            if replies is not None:
                await self._take_motions(replies)
            if (
                replies is None
                or not self.chairing.discuss_again
                or self.room.floor.main is None
                or self.room.floor.debate_closed
            ):
                return

    async def _take_motions(self, replies: dict[str, Heard]) -> None:
        room, questions = self.room, self.questions
        amendments = 0
        for member, heard in replies.items():
            main = room.floor.main
            if main is None:
                return
            if member not in room.floor.present:
                continue
            if heard.procedural == "withdraw" and await questions.withdraw(main, member):
                return
            if heard.procedural == "lay_on_table" and await questions.table(member):
                return
            if heard.amendment:
                if amendments < room.rules.max_amendments:
                    amendments += 1
                    await questions.amend(main, heard.amendment, member)
                else:
                    room.note("ended", id=heard.amendment, disposition=Disposition.OUT_OF_ORDER)
                    room.announce("amendment_refused", member=member, why="no more amendments are taken up on this motion")
            if heard.procedural == "previous_question" and not room.floor.debate_closed:
                await questions.close_debate(member)

    # -- rounds and commands ---------------------------------------------------------------------------------------

    async def _round(self, purpose: Purpose) -> dict[str, Heard] | None:
        """All present members speak, then who was named gets the next word. None when the item is over with it."""
        room = self.room
        replies = await room.hear(purpose, room.speakers)
        named: dict[str, str] = {}
        for member, heard in replies.items():
            for other in heard.mentions or []:
                if other != member and other in room.floor.present:
                    named.setdefault(other, member)
        if named and room.rules.max_mentions:
            chosen = dict(list(named.items())[: room.rules.max_mentions])
            await room.hear(Purpose.MENTION, list(chosen), by=chosen, phase=room.floor.phase, shuffle=False)
        points = [(member, heard.seq) for member, heard in replies.items() if heard.point]
        had_main = room.floor.main is not None
        for member, seq in points[: room.rules.max_points]:
            await self.questions.point_of_order(member, seq)
        if had_main and room.floor.main is None:
            return None
        if not await self.chairing.obey(replies.get(room.floor.chair)):
            return None
        return replies

    # -- the end ---------------------------------------------------------------------------------------------------

    async def _close(self, ended_by: EndedBy) -> MeetingOutcome:
        room = self.room
        room.state.closing = True
        room.state.ended_by = ended_by
        room.state.inputs.clear()
        if ended_by in (EndedBy.DEADLINE, EndedBy.BUDGET, EndedBy.ABANDONED):
            main = room.floor.main
            room.must(acts.FallToGround())
            if main is not None and room.item is not None:
                room.note("resolution", id=main.id, item=room.item)
            if ended_by is not EndedBy.ABANDONED:
                room.announce(ended_by.value)
        for item in self.convening.items[room.state.next_item :]:
            room.note("unfinished", item=item.id)
        room.item = None
        status = MeetingStatus.COMPLETED
        if ended_by is EndedBy.ABANDONED:
            status = room.state.status
        else:
            room.clock.allow(room.rules.closing_allowance)
            room.enter(Phase.CLOSING)
            if room.floor.present:
                self.chairing.preside_by_presence()
                await self.chairing.obey(await room.hear_one(Purpose.CLOSING, room.floor.chair, by=ended_by.value))
            room.enter(Phase.ADJOURNMENT)
            if room.floor.present:
                self.chairing.preside_by_presence()
                await self.chairing.obey(await room.hear_one(Purpose.ADJOURNMENT, room.floor.chair, by=ended_by.value))
            if not room.floor.adjourned:
                room.must(acts.Adjourn(), CLERK)
            room.announce("adjourned")
        room.status(status, ended_by=ended_by)
        room.moment("meeting_ended")
        await room.flush()
        if self.convening.afterwards is not None:
            await self._leave(self.convening.afterwards)
        return MeetingOutcome(status=status, ended_by=ended_by, turns=room.state.seq, resolutions=room.state.resolutions)

    async def _leave(self, afterwards: Afterwards) -> None:
        """What outlives the meeting: each adopted resolution is followed, and the secretary sums up."""
        convening, meeting = self.convening, workflow.info().workflow_id
        for resolution in self.room.state.adopted:
            await self._begin(
                FOLLOW_UP, resolution, FollowUpInput(afterwards=afterwards, notices=convening.notices), "Resolution followed up"
            )
        if afterwards.secretary:
            after = AfterMeetingInput(
                meeting=meeting, voices_queue=convening.voices_queue, rules=convening.rules, notices=convening.notices
            )
            await self._begin(AFTER_MEETING, f"after-{meeting}", after, "After the meeting")

    @staticmethod
    async def _begin(name: str, id: str, arg: FollowUpInput | AfterMeetingInput, summary: str) -> None:
        """Start what goes on by itself. One that runs already is left as it is: an answer may have come before the end."""
        with contextlib.suppress(WorkflowAlreadyStartedError):
            await workflow.start_child_workflow(
                name,
                arg,
                id=id,
                parent_close_policy=workflow.ParentClosePolicy.ABANDON,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                static_summary=summary,
            )
