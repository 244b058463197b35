"""One answer of the chairman about its agenda: what it says, the changes it makes, and the faults that go back to it.

Changes are tried on the agenda that was read and gathered; the caller writes them, at that agenda's version, or not at all.
"""

from __future__ import annotations

from collections.abc import Collection

from parliament.agenda import Agenda, AgendaError
from parliament.agenda_changes import MAX_OPERATIONS, Operation, change
from parliament.text import printable
from voices.agenda.prompts import talk_request
from voices.agenda.tools import operation_of, plain_operations
from voices.base import AgendaBrief, Exchange, ToolCall, ToolResult, VoiceReply, VoiceRequest
from voices.whispers import part

LONGEST = 8_000
"""Characters of an answer that are kept."""
DECLINED = "I would rather not speak to that."
NOTHING = "I have nothing to add."
DONE = "It is done."


def _spoken(text: str) -> tuple[str, str]:
    """What is speech beyond doubt, and what stands beside it; whispers are in neither (law 7).

    A model that uses no tags at all says everything; one that whispers without an end has said nothing.
    """
    parted = part(printable(text))
    if parted.spoke:
        return parted.speech, parted.outside
    if not parted.marked:
        return parted.outside or parted.speech, ""
    return (parted.outside, "") if parted.settled else ("", "")


class Conversation:
    """Carries one answer over the rounds that its tools take.

    `speech`, `operations` and `lines` (what they did, for people) are what came of it; `agenda` is the agenda after them.
    """

    def __init__(self, brief: AgendaBrief, agenda: Agenda | None, used: Collection[str] = ()) -> None:
        self._brief = brief
        self._before = agenda
        self._used = set(used)
        self._exchanges: list[Exchange] = []
        self._spoken: list[str] = []
        self._faults: list[str] = []
        self.agenda = agenda
        self.operations: list[Operation] = []
        self.lines: list[str] = []

    def request(self, call_id: str, *, tier: str = "mid", timeout: float = 120.0) -> VoiceRequest:
        """What the model is asked next."""
        return talk_request(self._brief, call_id, tuple(self._exchanges), tier=tier, timeout=timeout)

    @property
    def speech(self) -> str:
        """What the chairman said, over all rounds; a change that failed to the end is told with it."""
        told = [f"(This change was not made: {fault}.)" for fault in self._faults]
        return "\n\n".join([*self._spoken, *told])[:LONGEST] or (DONE if self.operations else NOTHING)

    def take(self, reply: VoiceReply, *, last: bool) -> bool:
        """Take a reply; whether the model is to be asked again, with the results of its tool calls.

        An invalid call goes back with the reason; at the last round it is told in the speech instead.
        """
        if reply.stop_reason == "refusal":
            self._spoken.append(DECLINED)
            return False
        words, beside = _spoken(reply.text)
        self._faults = []
        if not reply.tool_calls:
            words, operations, faults = plain_operations(words)
            _, more, more_faults = plain_operations(beside)
            operations, faults = [*operations, *more], [*faults, *more_faults]
            self._say(words)
            self._faults = [*faults, *(fault for operation in operations if (fault := self._try(operation)))]
            return False
        self._say(words)
        results = tuple(self._called(call) for call in reply.tool_calls)
        self._exchanges.append(Exchange(words, reply.tool_calls, results))
        return not last

    def _say(self, words: str) -> None:
        if words and words not in self._spoken:
            self._spoken.append(words)

    def _called(self, call: ToolCall) -> ToolResult:
        try:
            fault = self._try(operation_of(call))
        except AgendaError as error:
            fault = str(error)
        if fault:
            self._faults.append(fault)
            return ToolResult(call.id, f"Not done: {fault}.", error=True)
        return ToolResult(call.id, f"Done: {self.lines[-1]}.")

    def _try(self, operation: Operation) -> str:
        """Make a change if it can be made; what is wrong with it, else ""."""
        if len(self.operations) >= MAX_OPERATIONS:
            return f"an answer makes {MAX_OPERATIONS} changes at most"
        try:
            # All from the start, so that ids are given as they will be when the changes are written.
            self.agenda, self.lines = change(self._before, [*self.operations, operation], self._used)
        except AgendaError as error:
            return str(error).removeprefix(f"change {len(self.operations) + 1} ({operation.op}): ")
        self.operations.append(operation)
        return ""
