"""Who presides, and what the chairman's commands do: the facilitator chain and the command language at work.

What a command means is `parliament.chair`'s to say; here it is carried out, or refused and recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from activities.interface import Heard
from parliament import acts, chair
from parliament.commands import from_compact
from parliament.motions import MotionKind
from parliament.seating import choose_presider
from parliament.values import Purpose, TurnStatus
from workflows.board_room import BoardRoom
from workflows.questions import Questions


class Chairing:
    """The chairman's part in one meeting."""

    def __init__(self, room: BoardRoom, questions: Questions, facilitators: Sequence[str]) -> None:
        self.room = room
        self.questions = questions
        self.facilitators = facilitators
        self.discuss_again = False  # the chair asked for one more round of debate

    async def choose_presider(self) -> None:
        """The facilitator fallback chain with its health check (source 000, Agent Personas)."""
        room = self.room
        healthy = set(room.floor.members)
        if room.rules.health_check:
            for candidate in [m for m in self.facilitators if m in room.floor.members]:
                heard = await room.health(candidate)
                if heard.status is TurnStatus.NO_REPLY:
                    healthy.discard(candidate)
                else:
                    break
        self._preside(choose_presider(self.facilitators, room.floor.members, room.floor.members, tuple(sorted(healthy))))

    def preside_by_presence(self) -> None:
        """Only a seated, present member presides; whoever named the chairman first has it back when present."""
        room = self.room
        if room.floor.chair not in room.floor.present:
            self._preside(choose_presider(self.facilitators, room.floor.members, room.floor.present, room.floor.present))

    def _preside(self, member: str | None) -> None:
        room = self.room
        if member is None or member == room.floor.chair:
            return
        before = room.floor.chair
        room.must(acts.Preside(member=member))
        room.note("chair", member=member)
        room.announce("presides", member=member, other=before)

    async def obey(self, heard: Heard | None) -> bool:
        """Carry out the chair's commands from its own reply (law 3). False when the item is over by one of them."""
        if heard is None or not heard.commands:
            return True
        going_on = True
        for n, compact in enumerate(heard.commands):
            verdict = self._judge(heard, n, compact)
            if verdict is not None:
                going_on = await self._carry_out(verdict) and going_on
        return going_on

    def _judge(self, heard: Heard, n: int, compact: dict[str, Any]) -> chair.Effect | None:
        """What is left to do of a command: refusals and what only goes on the record are noted here."""
        room = self.room
        verdict = chair.interpret(from_compact(compact), room.floor, room.floor.chair)
        match verdict:
            case chair.Refused(reason=reason, rule=rule):
                self._refuse(heard, n, reason, rule)
            case chair.RecordRuling():
                room.note("ruling", seq=heard.seq, n=n, kind="ruling", member=room.floor.chair, item=room.item, rule="RONR 23")
            case chair.RecordAction():
                room.note("action", seq=heard.seq, n=n, item=room.item)
            case chair.OwnWords(op="DISSENT"):
                room.note("dissent", seq=heard.seq, n=n, item=room.item, member=room.floor.chair)
            case chair.Announced() | chair.OwnWords():
                pass  # it agrees with the record; his own second or amendment is read with his reply
            case _:
                return verdict
        return None

    def _refuse(self, heard: Heard, n: int, reason: str, rule: str) -> None:
        room = self.room
        room.note(
            "ruling",
            seq=heard.seq,
            n=n,
            kind="refused_command",
            member=room.floor.chair,
            result="out of order",
            why=reason,
            rule=rule,
            item=room.item,
        )
        room.announce("refused", why=reason)

    async def aside(self, purpose: Purpose, heard: Heard) -> None:
        """Commands in a reply given in the middle of something else: what would begin a new business is not in order."""
        for n, compact in enumerate(heard.commands or []):
            effect = self._judge(heard, n, compact)
            if isinstance(effect, chair.CallOn) and purpose is Purpose.INPUT:
                await self._carry_out(effect)
            elif effect is not None and not isinstance(effect, chair.Discuss):
                self._refuse(heard, n, "That is not in order until what is before the board is settled.", "RONR 5")

    async def _carry_out(self, effect: chair.Effect) -> bool:
        """False when the item is over by it."""
        room, questions = self.room, self.questions
        main = room.floor.main
        match effect:
            case chair.CallOn(members=members):
                called = [m for m in members if m != room.floor.chair]
                if called:
                    room.announce("called", members=called)
                    await room.hear(Purpose.CALLED, called, by=room.floor.chair, phase=room.floor.phase, shuffle=False)
            case chair.Discuss():
                self.discuss_again = True
            case chair.Next():
                room.announce("no_motion")
                return False
            case chair.WithdrawNow() if main is not None:
                return not await questions.withdraw(main, room.floor.chair)
            case chair.RequestConsent(kind=MotionKind.LAY_ON_TABLE):
                return not await questions.table(room.floor.chair)
            case chair.RequestConsent(kind=MotionKind.WITHDRAW) if main is not None:
                return not await questions.withdraw(main, room.floor.chair)
            case chair.RequestConsent(kind=MotionKind.ADJOURN):
                return not await questions.adjourn_early(room.floor.chair)
        return True
