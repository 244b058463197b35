"""The seventeen commands of the chairman (source 000, Chairman DSL) as values, and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from parliament.text import printable
from parliament.values import Phase, Vote


def fold(text: str) -> str:
    """A text as an argument holds it: printable, on one line, single spaces."""
    return " ".join(printable(text).split())


Words = Annotated[str, AfterValidator(fold)]
"""People's words in a command. Empty only where `from_compact` left them out (law 6)."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RollEntry(_Value):
    member: str
    present: bool


class VoteEntry(_Value):
    member: str
    vote: Vote
    reason: Words | None = None


class RollCommand(_Value):
    """`{ROLL: @elon=present, @teddy=absent}` announces who is present."""

    op: Literal["ROLL"] = "ROLL"
    roll: tuple[RollEntry, ...] = Field(min_length=1)


class QuorumCommand(_Value):
    """`{QUORUM}` announces that a quorum is present."""

    op: Literal["QUORUM"] = "QUORUM"


class DiscussCommand(_Value):
    """`{DISCUSS}` asks for a full round: all members speak or pass."""

    op: Literal["DISCUSS"] = "DISCUSS"


class CallCommand(_Value):
    """`{CALL: @steve @elon}` gives the named members the word, in this order, each once."""

    op: Literal["CALL"] = "CALL"
    members: tuple[str, ...] = Field(min_length=1)


class MotionCommand(_Value):
    """`{MOTION: "RESOLVED, That ..."}` moves a main motion."""

    op: Literal["MOTION"] = "MOTION"
    text: Words = ""


class SecondCommand(_Value):
    """`{SECOND: @steve}` says who seconded."""

    op: Literal["SECOND"] = "SECOND"
    member: str


class AmendmentCommand(_Value):
    """`{AMENDMENT: @member "full amended text" "what changed"}`; the summary may be missing."""

    op: Literal["AMENDMENT"] = "AMENDMENT"
    member: str
    text: Words = ""
    summary: Words = ""


class TableCommand(_Value):
    """`{TABLE}` asks to lay the motion on the table."""

    op: Literal["TABLE"] = "TABLE"


class WithdrawCommand(_Value):
    """`{WITHDRAW}` withdraws the motion, or asks leave to."""

    op: Literal["WITHDRAW"] = "WITHDRAW"


class VoteCommand(_Value):
    """`{VOTE: @steve=FOR, @elon=AGAINST "reason"}` announces votes; any word of `Vote` may be announced."""

    op: Literal["VOTE"] = "VOTE"
    votes: tuple[VoteEntry, ...] = Field(min_length=1)


class DissentCommand(_Value):
    """`{DISSENT: @elon "statement"}` states a formal dissent."""

    op: Literal["DISSENT"] = "DISSENT"
    member: str
    text: Words = ""


class PhaseCommand(_Value):
    """`{PHASE: voting}` announces a phase."""

    op: Literal["PHASE"] = "PHASE"
    phase: Phase


class RulingCommand(_Value):
    """`{RULING: "The point of order is well taken ..."}` words the chair's ruling."""

    op: Literal["RULING"] = "RULING"
    text: Words = ""


class NextCommand(_Value):
    """`{NEXT}` goes to the next item of the agenda."""

    op: Literal["NEXT"] = "NEXT"


class OpenCommand(_Value):
    """`{OPEN}` says that the floor is open for remarks; nothing follows from it."""

    op: Literal["OPEN"] = "OPEN"


class AdjournCommand(_Value):
    """`{ADJOURN}` ends the meeting, or asks to."""

    op: Literal["ADJOURN"] = "ADJOURN"


class ActionCommand(_Value):
    """`{ACTION: "task" @owner "deadline"}`; the deadline is kept in the chair's words and may be missing."""

    op: Literal["ACTION"] = "ACTION"
    text: Words = ""
    owner: str
    deadline: Words | None = None


Command = Annotated[
    RollCommand | QuorumCommand | DiscussCommand | CallCommand | MotionCommand | SecondCommand | AmendmentCommand
    | TableCommand | WithdrawCommand | VoteCommand | DissentCommand | PhaseCommand | RulingCommand | NextCommand
    | OpenCommand | AdjournCommand | ActionCommand,
    Field(discriminator="op"),
]  # fmt: skip

OPS = (
    "ROLL", "QUORUM", "DISCUSS", "CALL", "MOTION", "SECOND", "AMENDMENT", "TABLE", "WITHDRAW", "VOTE", "DISSENT", "PHASE",
    "RULING", "NEXT", "OPEN", "ADJOURN", "ACTION",
)  # fmt: skip

_ADAPTER: TypeAdapter[Any] = TypeAdapter(Command)
_TEXTS: dict[str, Any] = {"text": True, "summary": True, "deadline": True, "votes": {"__all__": {"reason"}}}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_ARGUMENTS: dict[str, Callable[[Any], list[str]]] = {
    "ROLL": lambda c: [", ".join(f"@{e.member}={'present' if e.present else 'absent'}" for e in c.roll)],
    "CALL": lambda c: [f"@{member}" for member in c.members],
    "MOTION": lambda c: [_quoted(c.text)],
    "SECOND": lambda c: [f"@{c.member}"],
    "AMENDMENT": lambda c: [f"@{c.member}", _quoted(c.text), *([_quoted(c.summary)] if c.summary else [])],
    "VOTE": lambda c: [", ".join(f"@{e.member}={e.vote}" + (f" {_quoted(e.reason)}" if e.reason else "") for e in c.votes)],
    "DISSENT": lambda c: [f"@{c.member}", _quoted(c.text)],
    "PHASE": lambda c: [str(c.phase)],
    "RULING": lambda c: [_quoted(c.text)],
    "ACTION": lambda c: [_quoted(c.text), f"@{c.owner}", *([_quoted(c.deadline)] if c.deadline else [])],
}


def render(command: Command) -> str:
    """The command as it is written, with ids for names. `parse` reads it back as the same value."""
    arguments = _ARGUMENTS.get(command.op)
    return f"{{{command.op}: {' '.join(arguments(command))}}}" if arguments else f"{{{command.op}}}"


def compact(command: Command) -> dict[str, Any]:
    """The command as plain JSON values without anybody's words: op, ids, vote words, phase (law 6)."""
    small: dict[str, Any] = command.model_dump(mode="json", exclude=_TEXTS)
    return small


def from_compact(value: dict[str, Any]) -> Command:
    """The command that `compact` wrote, its texts empty. Raises ValueError for anything else."""
    command: Command = _ADAPTER.validate_python(value)
    return command
