"""The grammar of the chairman's commands, read by hand: one command from its brace to its brace.

reply    = { prose | quotation | code | braces | command }
command  = "{" OP [ ":" arguments ] "}"           OP in upper case, blanks allowed between all parts
name     = "@" ( id | alias | display name )      resolved by the roster
text     = a double quotation; a backslash before a mark or a backslash takes it literally
ROLL     name "=" ( present | absent ) { [","] ... }
CALL     name { [","] name }
MOTION, RULING   text
SECOND   name
AMENDMENT        name text [ text ]
VOTE     name "=" vote [ text ] { [","] ... }
DISSENT  name text
PHASE    a phase in lower case
ACTION   text name [ text ]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from parliament.command_values import (
    OPS,
    ActionCommand,
    AdjournCommand,
    AmendmentCommand,
    CallCommand,
    Command,
    DiscussCommand,
    DissentCommand,
    MotionCommand,
    NextCommand,
    OpenCommand,
    PhaseCommand,
    QuorumCommand,
    RollCommand,
    RollEntry,
    RulingCommand,
    SecondCommand,
    TableCommand,
    VoteCommand,
    VoteEntry,
    WithdrawCommand,
    fold,
)
from parliament.quotation import MARKS, Script
from parliament.roster import Roster
from parliament.text import is_blank
from parliament.values import SHAREHOLDER, Phase, Vote

_WORD = re.compile(r"\{\s*([A-Za-z][A-Za-z_]*)")
_COMMAND_LIKE = re.compile(r"\s*[:}]")
_ARGUMENT_WORD = re.compile(r"\w+")
_ESCAPED = re.compile(r"\\([\\" + "".join(sorted(MARKS)) + "])")
_TEMPLATE_PREFIXES = frozenset("\\$%#")
"""`${x}`, `\\{x}` and their like are another language's braces, never a command."""


_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class ParsedCommand:
    """A well-formed command and where it stood: `source == text[start:end]`."""

    command: Command
    start: int
    end: int
    source: str


@dataclass(frozen=True)
class Malformed:
    """Something written as a command that is none: where it stood, why not, and how it would be one."""

    start: int
    end: int
    source: str
    reason: str
    mend: str


class _Mistake(Exception):
    """What is wrong with the command being read; never leaves this module."""

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.mend = mend


class _Reader:
    """Reads the arguments of one command, from after its name to its closing brace."""

    def __init__(self, script: Script, roster: Roster | None, op: str, at: int, limit: int) -> None:
        self.script = script
        self.roster = roster
        self.op = op
        self.at = at
        self.limit = limit

    def peek(self) -> str:
        """The next character that is not blank; empty at the end of the paragraph."""
        while self.at < self.limit and self.script.text[self.at].isspace():
            self.at += 1
        return self.script.text[self.at] if self.at < self.limit else ""

    def take(self, char: str) -> bool:
        if self.peek() != char:
            return False
        self.at += 1
        return True

    def mistake(self, reason: str) -> _Mistake:
        return _Mistake(reason, f"Write {_FORMS[self.op]}.")

    def found(self) -> str:
        """What stands here, for a sentence."""
        char = self.peek()
        return f"{fold(char) or 'an unprintable character'!r}" if char else "the end of the paragraph"

    def close(self) -> None:
        if not self.take("}"):
            raise self.mistake(f"{self.op} is not closed: a brace was expected, and {self.found()} stands there.")

    def word(self, what: str) -> str:
        self.peek()
        found = _ARGUMENT_WORD.match(self.script.text, self.at, self.limit)
        if found is None:
            raise self.mistake(f"{self.op} wants {what}, and {self.found()} stands there.")
        self.at = found.end()
        return found[0]

    def name(self) -> str:
        if not self.take("@"):
            raise self.mistake(f"{self.op} wants a name with @, and {self.found()} stands there.")
        roster = self.roster if self.roster is not None else _ANYBODY
        member, written, end = roster.read(self.script.text, self.at, self.limit)
        if not written:
            raise self.mistake(f"{self.op} wants a name after the @, and {self.found()} stands there.")
        self.at = end
        if self.roster is None:
            return written
        if member is None:
            names = ", ".join(f"@{name}" for name in (*self.roster.ids, SHAREHOLDER))
            raise _Mistake(f"@{written} names no one member of this meeting.", f"Name one of {names}.")
        return member

    def has_text(self) -> bool:
        return bool(self.peek()) and self.script.opens_quotation(self.at)

    def text(self, what: str, *, may_be_empty: bool = False) -> str:
        """A quoted text, with escapes read and blanks folded."""
        if not self.has_text():
            raise self.mistake(f"{self.op} wants {what} in double quotation marks, and {self.found()} stands there.")
        closing = self.script.closing_mark(self.at, self.limit)
        if closing is None:
            raise _Mistake(
                f"The quotation in {self.op} is not closed within its paragraph.",
                'Close it with a double quotation mark, and write marks inside it as \\".',
            )
        raw = self.script.text[self.at + 1 : closing]
        self.at = closing + 1
        value = fold(_unescape(raw))
        if not is_blank(value):
            return value
        if may_be_empty:
            return ""
        raise self.mistake(f"{self.op} wants {what}, and the quotation is empty.")

    def may_have_text(self, what: str) -> str:
        return self.text(what, may_be_empty=True) if self.has_text() else ""

    def entries(self, read: Callable[[], tuple[str, _Entry]]) -> tuple[_Entry, ...]:
        """One or more entries, with commas between them or without; a member may be named once."""
        found: dict[str, _Entry] = {}
        while True:
            member, entry = read()
            if member in found:
                raise _Mistake(f"{self.op} names @{member} twice.", "Name each member once.")
            found[member] = entry
            comma = self.take(",")
            if self.peek() in ("}", "") and not comma:
                return tuple(found.values())

    def roll_entry(self) -> tuple[str, RollEntry]:
        member, word = self.name(), self.value("present or absent")
        if word.lower() not in ("present", "absent"):
            raise self.mistake(f"ROLL knows present and absent, not {word!r}.")
        return member, RollEntry(member=member, present=word.lower() == "present")

    def vote_entry(self) -> tuple[str, VoteEntry]:
        member, word = self.name(), self.value("a vote")
        if word.upper() not in Vote.__members__:
            raise self.mistake(f"VOTE knows FOR, AGAINST and ABSTAIN, not {word!r}.")
        return member, VoteEntry(member=member, vote=Vote(word.upper()), reason=self.may_have_text("a reason") or None)

    def called(self) -> tuple[str, str]:
        member = self.name()
        return member, member

    def value(self, what: str) -> str:
        if not self.take("="):
            raise self.mistake(f"{self.op} wants an equals sign after the name, and {self.found()} stands there.")
        return self.word(what)

    def phase(self) -> Phase:
        word = self.word("a phase")
        try:
            return Phase(word)
        except ValueError:
            phases = ", ".join(Phase)
            raise _Mistake(f"{word!r} is no phase of a meeting.", f"Name one of {phases}, in lower case.") from None


_ANYBODY = Roster()
_Read = Callable[[_Reader], Command]
_BARE: dict[str, _Read] = {
    "QUORUM": lambda r: QuorumCommand(),
    "DISCUSS": lambda r: DiscussCommand(),
    "TABLE": lambda r: TableCommand(),
    "WITHDRAW": lambda r: WithdrawCommand(),
    "NEXT": lambda r: NextCommand(),
    "OPEN": lambda r: OpenCommand(),
    "ADJOURN": lambda r: AdjournCommand(),
}
# Arguments are read in the order in which they are written here, which is the order of the grammar above.
_WITH_ARGUMENTS: dict[str, _Read] = {
    "ROLL": lambda r: RollCommand(roll=r.entries(r.roll_entry)),
    "CALL": lambda r: CallCommand(members=r.entries(r.called)),
    "MOTION": lambda r: MotionCommand(text=r.text("the motion")),
    "SECOND": lambda r: SecondCommand(member=r.name()),
    "AMENDMENT": lambda r: AmendmentCommand(
        member=r.name(), text=r.text("the full amended text"), summary=r.may_have_text("what changed")
    ),
    "VOTE": lambda r: VoteCommand(votes=r.entries(r.vote_entry)),
    "DISSENT": lambda r: DissentCommand(member=r.name(), text=r.text("the statement")),
    "PHASE": lambda r: PhaseCommand(phase=r.phase()),
    "RULING": lambda r: RulingCommand(text=r.text("the ruling")),
    "ACTION": lambda r: ActionCommand(text=r.text("the task"), owner=r.name(), deadline=r.may_have_text("a deadline") or None),
}
_FORMS = {
    **{op: f"{{{op}}}" for op in _BARE},
    "ROLL": "{ROLL: @member=present, @member=absent}",
    "CALL": "{CALL: @member @member}",
    "MOTION": '{MOTION: "RESOLVED, That ..."}',
    "SECOND": "{SECOND: @member}",
    "AMENDMENT": '{AMENDMENT: @member "full amended text" "what changed"}',
    "VOTE": '{VOTE: @member=FOR, @member=AGAINST "reason"}',
    "DISSENT": '{DISSENT: @member "statement"}',
    "PHASE": "{PHASE: voting}",
    "RULING": '{RULING: "the ruling"}',
    "ACTION": '{ACTION: "task" @owner "deadline"}',
}


def _unescape(raw: str) -> str:
    return _ESCAPED.sub(lambda found: found[1], raw)


def read_command(script: Script, roster: Roster | None, at: int) -> ParsedCommand | Malformed | None:
    """What stands at the brace at `at`: a command, a malformed one, or None when the brace only groups."""
    text, limit = script.text, script.paragraph_end(at)
    if at and text[at - 1] in _TEMPLATE_PREFIXES:
        return None
    named = _WORD.match(text, at, limit)
    if named is None:
        return None
    op, mistake = named[1], None
    if op in OPS:
        reader = _Reader(script, roster, op, named.end(), limit)
        try:
            if op in _BARE:
                command = _BARE[op](reader)
            elif reader.take(":"):
                command = _WITH_ARGUMENTS[op](reader)
            else:
                raise reader.mistake(f"{op} wants a colon, and {reader.found()} stands there.")
            reader.close()
            return ParsedCommand(command, at, reader.at, text[at : reader.at])
        except _Mistake as error:
            mistake = error
    elif not _COMMAND_LIKE.match(text, named.end(), limit):
        return None
    elif op.upper() in OPS:
        mistake = _Mistake(f"{op} is not in upper case, and commands are.", f"Write {_FORMS[op.upper()]}.")
    elif op.isupper() and len(op) > 1:
        mistake = _Mistake(f"{op} is no command of the chair.", f"The commands are {', '.join(OPS)}.")
    else:
        return None
    end = script.braces_end(at)
    return Malformed(at, end, text[at:end], mistake.reason, mistake.mend)
