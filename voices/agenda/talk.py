"""One answer of the chairman about its agenda: what it says, the changes it makes, and the faults that go back to it.

Changes are tried on the agenda that was read and gathered; the caller writes them, at that agenda's version, or not at all.
Notes of this module stand in round brackets: they are no words of the chairman's.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from parliament.agenda import Agenda, AgendaError
from parliament.agenda_changes import MAX_OPERATIONS, OPERATIONS, Operation, change
from parliament.text import brief as short
from parliament.text import printable
from voices import loose
from voices.agenda.plain import Plain, plain_operations
from voices.agenda.prompts import converse_request
from voices.agenda.tools import PREFIX, operation_of
from voices.base import AgendaBrief, Exchange, ToolCall, ToolResult, VoiceReply, VoiceRequest
from voices.prompts.data import defuse, delimiter
from voices.whispers import part

LONGEST = 8_000
"""Characters of an answer that are kept."""
DECLINED = "(The chairman declined to answer this.)"
NOTHING = "(The chairman gave no answer that could be heard. Ask once more, in other words.)"
CHANGED = "(The chairman changed the agenda and said nothing to it.)"

_KNOWN = frozenset({"thinking", "speaking", "operations"})


@dataclass(frozen=True, slots=True)
class Asked:
    """One change that a reply asks for: an operation, or the sentence that says why it is none. `name`: "" if unknown."""

    name: str
    operation: Operation | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """One reply of a conversation, and the changes it asks for in their order."""

    speech: str
    asked: tuple[Asked, ...]
    quoted: tuple[str, ...] = ()  # changes that were only quoted: told, and not given back to be mended
    refused: bool = False


def interpret(reply: VoiceReply, given: Sequence[str] = ()) -> Heard:
    """What a reply says and what it asks for. Never raises.

    Tools come first; where none was called, changes are read from the plain text. `given`: texts of others in the prompt.
    """
    if reply.stop_reason == "refusal":
        return Heard("", (), refused=True)
    found = _spoken(reply.text, given)
    if reply.tool_calls:
        return Heard(found.speech, tuple(_asked(call) for call in reply.tool_calls))
    wanted = [Asked(operation.op, operation) for operation in found.operations]
    return Heard(found.speech, (*wanted, *(Asked("", problem=fault) for fault in found.faults)), tuple(found.quoted))


def _asked(call: ToolCall) -> Asked:
    name = call.name.removeprefix(PREFIX)
    try:
        return Asked(name, operation_of(call))
    except AgendaError as error:
        return Asked(name if name in OPERATIONS else "", problem=str(error))


def _spoken(text: str, given: Sequence[str]) -> Plain:
    """What is speech beyond doubt, and the changes beside it; a whisper is in neither (law 7).

    A model that uses no tags at all says everything; one that whispers without an end has said nothing.
    """
    exact = loose.exactly(text)
    if exact is None and (begin := loose.begin_of(text, _KNOWN)) is not None and not part(text[:begin]).marked:
        exact = loose.parse(text, begin, _KNOWN).fields
    if exact is not None and _KNOWN & exact.keys():
        speech = exact.get("speaking")
        found = plain_operations(part(printable(speech), speaking=True).speech if isinstance(speech, str) else "", given)
        beside = _listed_operations(exact.get("operations"), given)
        return _joined(found, beside)
    parted = part(printable(text))
    if not parted.spoke:
        return plain_operations(parted.outside if parted.settled else "", given)
    within = plain_operations(parted.speech, given)
    beside = plain_operations(parted.outside if parted.settled else "", given)
    return _joined(within, beside)


def _joined(said: Plain, beside: Plain) -> Plain:
    """The speech of one, and the changes of both."""
    return Plain(
        said.speech,
        [*said.operations, *beside.operations],
        [*said.faults, *beside.faults],
        [*said.quoted, *beside.quoted],
    )


def _listed_operations(listed: object, given: Sequence[str]) -> Plain:
    """The changes of a reply's own list of operations, for providers that know schemas and no tools."""
    if not isinstance(listed, list) or not listed:
        return Plain("")
    return plain_operations("\n".join(f"AGENDA {json.dumps(one, ensure_ascii=False)}" for one in listed), given)


class Conversation:
    """Carries one answer over the rounds that its tools take.

    `speech`, `operations` and `lines` (what they did, for people) are what came of it; `agenda` is the agenda after them;
    `refused` says why changes that were asked for, and not mended since, were not made.
    """

    def __init__(self, brief: AgendaBrief, agenda: Agenda | None, used: Collection[str] = ()) -> None:
        self._brief = brief
        self._before = agenda
        self._used = {*used, *(item.id for item in (agenda.items if agenda is not None else ()))}
        self._exchanges: list[Exchange] = []
        self._said: list[tuple[str, bool]] = []  # words, and whether a change that was asked for with them failed
        self._made: list[tuple[Operation, str]] = []
        self._declined = False
        self._open: list[tuple[str, str]] = []  # changes that failed and were not mended: name, why
        self._quoted: list[str] = []
        self.agenda = agenda

    def request(self, call_id: str, *, tier: str = "mid", timeout: float = 120.0) -> VoiceRequest:
        """What the model is asked next."""
        return converse_request(self._brief, call_id, tuple(self._exchanges), tier=tier, timeout=timeout)

    @property
    def operations(self) -> list[Operation]:
        """The changes that were made; none when they took each other back."""
        return [operation for operation, _ in self._made] if self._changed else []

    @property
    def lines(self) -> list[str]:
        """What the changes did, a line for each."""
        return [line for _, line in self._made] if self._changed else []

    @property
    def refused(self) -> list[str]:
        """Why changes that were asked for, and not mended since, were not made: a sentence each, without a full stop."""
        return list(dict.fromkeys([*(fault for _, fault in self._open), *self._quoted]))

    @property
    def _changed(self) -> bool:
        before = self._before.items if self._before is not None else ()
        return self.agenda is not None and self.agenda.items != before

    @property
    def speech(self) -> str:
        """What the chairman said, over all rounds; a change that failed to the end is told with it.

        Words that came with a change that failed, and was then mended or given up, spoke too soon: they stand only where
        nothing else was said.
        """
        kept = list(dict.fromkeys(words for words, failed in self._said if not failed))
        kept = kept or list(dict.fromkeys(words for words, _ in self._said))
        said = "\n\n".join(kept)
        said = said if len(said) <= LONGEST else f"{said[: LONGEST - 1].rstrip()}…"
        if not said:
            said = DECLINED if self._declined else CHANGED if self.operations else "" if self.refused else NOTHING
        told = [f"(This change was not made: {short(fault, 400)}.)" for fault in self.refused]
        return "\n\n".join(filter(None, [said, *told]))

    def take(self, reply: VoiceReply, *, last: bool) -> bool:
        """Take a reply; whether the model is to be asked again, with the results of what it asked for.

        An invalid change goes back with the reason; at the last round it is told in the speech instead.
        """
        heard = interpret(reply, tuple(self._given()))
        if heard.refused:
            self._declined = True
            return False
        self._quoted += heard.quoted
        earlier = list(self._open)
        ids = [call.id for call in reply.tool_calls] or [""] * len(heard.asked)
        results = [self._result(asked, id_, earlier) for asked, id_ in zip(heard.asked, ids, strict=True)]
        failed = any(result.error for result in results)
        if heard.speech:
            self._said.append((heard.speech, failed))
        if not reply.tool_calls:
            if not failed:
                return False
            results = [ToolResult("", _again([result for result in results if result.error], bool(self._made)), error=True)]
        self._exchanges.append(Exchange(reply.text, reply.tool_calls, tuple(results), reply.opaque))
        return not last

    def _given(self) -> Iterator[str]:
        """What others wrote that stood in the prompt."""
        yield self._brief.message
        yield self._brief.board_book
        yield from (said.content for said in self._brief.conversation if said.role == "user")
        yield from (*self._brief.topics, *self._brief.precedents)
        for item in self._brief.items:
            yield from (item.topic, item.description, item.desired_outcome, item.user_commentary)

    def _result(self, asked: Asked, call_id: str, earlier: list[tuple[str, str]]) -> ToolResult:
        fault = asked.problem if asked.operation is None else self._try(asked.operation)
        # What is asked for again stands in the place of what failed before: of the same name, or of none that is known.
        again = next((one for name in (asked.name, "") for one in earlier if one[0] == name), None)
        if again is not None:
            earlier.remove(again)
            self._open.remove(again)
        if fault:
            self._open.append((asked.name, fault))
            return ToolResult(call_id, f"Not done: {defuse(fault, 600, delimiter(self._brief))}.", error=True)
        return ToolResult(call_id, f"Done: {defuse(self._made[-1][1], 600, delimiter(self._brief))}. {self._order()}")

    def _order(self) -> str:
        """The agenda's ids in their order, so that the next call can name what is there."""
        items = self.agenda.items if self.agenda is not None else ()
        return f"The order is now {', '.join(item.id for item in items)}."

    def _try(self, operation: Operation) -> str:
        """Make a change if it can be made; what is wrong with it, else ""."""
        if len(self._made) >= MAX_OPERATIONS:
            return f"an answer makes {MAX_OPERATIONS} changes at most; ask for the rest in another message"
        try:
            self.agenda, lines = change(self.agenda, [operation], self._used)
        except AgendaError as error:
            return str(error)
        self._used |= {item.id for item in self.agenda.items}  # also of items that a later change takes off again
        self._made += [(operation, line) for line in lines]
        return ""


def _again(failed: Sequence[ToolResult], others: bool) -> str:
    told = " ".join(result.text for result in failed)
    rest = " The other changes are done; do not write them again." if others else ""
    return f"{told}{rest} Write the change again, mended, or say that it cannot be done."
