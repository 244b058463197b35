"""The chairman's command language (source 000, Chairman DSL): reading commands out of a reply.

A command is live only in the chairman's own plain words: not inside double quotation marks, code spans, fences or other
braces (`parliament.quotation`). Reading changes nothing and refuses nothing; `parliament.chair` judges what was read.

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
from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
    compact,
    fold,
    from_compact,
    render,
)
from parliament.quotation import Script
from parliament.roster import Roster, RosterEntry
from parliament.text import is_blank
from parliament.values import SHAREHOLDER, Phase, Vote

__all__ = [
    "OPS", "ActionCommand", "AdjournCommand", "AmendmentCommand", "CallCommand", "Command", "DiscussCommand", "DissentCommand",
    "Malformed", "MotionCommand", "NextCommand", "OpenCommand", "Parsed", "ParsedCommand", "PhaseCommand", "QuorumCommand",
    "RollCommand", "RollEntry", "Roster", "RosterEntry", "RulingCommand", "SecondCommand", "TableCommand", "VoteCommand",
    "VoteEntry", "WithdrawCommand", "compact", "find_mentions", "from_compact", "parse", "render", "strip_commands",
]  # fmt: skip

_WORD = re.compile(r"\{\s*([A-Za-z][A-Za-z_]*)")
_COMMAND_LIKE = re.compile(r"\s*[:}]")
_ARGUMENT_WORD = re.compile(r"\w+")
_MENTION = re.compile(r"(?<![\w@.])@(?=\w)")
_TEMPLATE_PREFIXES = frozenset("\\$%#")
"""`${x}`, `\\{x}` and their like are another language's braces, never a command."""


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


@dataclass(frozen=True)
class Parsed:
    """What a reply holds, each in the order in which it is written."""

    commands: tuple[ParsedCommand, ...] = ()
    malformed: tuple[Malformed, ...] = ()


@dataclass(frozen=True)
class _Plain:
    """A stretch of the speaker's own plain words."""

    start: int
    end: int


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

    def text(self, what: str) -> str:
        """A quoted text, with escapes read and blanks folded; it may not be empty."""
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
        if is_blank(value):
            raise self.mistake(f"{self.op} wants {what}, and the quotation is empty.")
        return value

    def entries(self, read: Callable[[], None]) -> None:
        """One or more entries, with commas between them or without."""
        read()
        while self.peek() not in ("}", ""):
            self.take(",")
            read()


_FORMS = {
    "ROLL": "{ROLL: @elon=present, @teddy=absent}",
    "QUORUM": "{QUORUM}",
    "DISCUSS": "{DISCUSS}",
    "CALL": "{CALL: @steve @elon}",
    "MOTION": '{MOTION: "RESOLVED, That ..."}',
    "SECOND": "{SECOND: @steve}",
    "AMENDMENT": '{AMENDMENT: @steve "the full amended text" "what changed"}',
    "TABLE": "{TABLE}",
    "WITHDRAW": "{WITHDRAW}",
    "VOTE": '{VOTE: @steve=FOR, @elon=AGAINST "reason"}',
    "DISSENT": '{DISSENT: @elon "statement"}',
    "PHASE": "{PHASE: voting}",
    "RULING": '{RULING: "The point of order is well taken ..."}',
    "NEXT": "{NEXT}",
    "OPEN": "{OPEN}",
    "ADJOURN": "{ADJOURN}",
    "ACTION": '{ACTION: "task" @owner "deadline"}',
}
"""How each command is written (source 000, Command Reference); what a report of a malformed one shows."""

_ANYBODY = Roster()


def _roll(reader: _Reader) -> Command:
    entries: list[RollEntry] = []

    def entry() -> None:
        member = reader.name()
        if not reader.take("="):
            raise reader.mistake(f"ROLL wants = after @{member}, and {reader.found()} stands there.")
        word = reader.word("present or absent")
        if word not in ("present", "absent"):
            raise reader.mistake(f"ROLL knows present and absent, not {word!r}.")
        entries.append(RollEntry(member=member, present=word == "present"))

    reader.entries(entry)
    _once(reader, [entry.member for entry in entries])
    return RollCommand(roll=tuple(entries))


def _vote(reader: _Reader) -> Command:
    entries: list[VoteEntry] = []

    def entry() -> None:
        member = reader.name()
        if not reader.take("="):
            raise reader.mistake(f"VOTE wants = after @{member}, and {reader.found()} stands there.")
        word = reader.word("a vote")
        if word not in Vote.__members__:
            raise reader.mistake(f"VOTE knows {', '.join(Vote.__members__)}, not {word!r}.")
        reason = reader.text("a reason") if reader.has_text() else None
        entries.append(VoteEntry(member=member, vote=Vote[word], reason=reason))

    reader.entries(entry)
    _once(reader, [entry.member for entry in entries])
    return VoteCommand(votes=tuple(entries))


def _call(reader: _Reader) -> Command:
    members: list[str] = []
    reader.entries(lambda: members.append(reader.name()))
    return CallCommand(members=tuple(dict.fromkeys(members)))


def _amendment(reader: _Reader) -> Command:
    member, text = reader.name(), reader.text("the full amended text")
    return AmendmentCommand(member=member, text=text, summary=reader.text("what changed") if reader.has_text() else "")


def _phase(reader: _Reader) -> Command:
    word = reader.word("a phase")
    if word not in {phase.value for phase in Phase}:
        raise reader.mistake(f"PHASE knows {', '.join(phase.value for phase in Phase)}, not {word!r}.")
    return PhaseCommand(phase=Phase(word))


def _action(reader: _Reader) -> Command:
    text, owner = reader.text("the task"), reader.name()
    return ActionCommand(text=text, owner=owner, deadline=reader.text("a deadline") if reader.has_text() else None)


def _dissent(reader: _Reader) -> Command:
    return DissentCommand(member=reader.name(), text=reader.text("the statement"))


_READ: dict[str, Callable[[_Reader], Command]] = {
    "ROLL": _roll,
    "CALL": _call,
    "MOTION": lambda reader: MotionCommand(text=reader.text("the motion")),
    "SECOND": lambda reader: SecondCommand(member=reader.name()),
    "AMENDMENT": _amendment,
    "VOTE": _vote,
    "DISSENT": _dissent,
    "PHASE": _phase,
    "RULING": lambda reader: RulingCommand(text=reader.text("the ruling")),
    "ACTION": _action,
}
_BARE: dict[str, Command] = {
    "QUORUM": QuorumCommand(),
    "DISCUSS": DiscussCommand(),
    "TABLE": TableCommand(),
    "WITHDRAW": WithdrawCommand(),
    "NEXT": NextCommand(),
    "OPEN": OpenCommand(),
    "ADJOURN": AdjournCommand(),
}


def _once(reader: _Reader, members: list[str]) -> None:
    seen: set[str] = set()
    for member in members:
        if member in seen:
            raise reader.mistake(f"{reader.op} names @{member} twice.")
        seen.add(member)


def _unescape(raw: str) -> str:
    """A backslash before a quotation mark or a backslash takes it literally; before anything else it is itself."""
    return re.sub(r"\\([\\\"\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02])", r"\1", raw)


def _walk(text: str, roster: Roster | None) -> Iterator[ParsedCommand | Malformed | _Plain]:
    """The text in order: commands, what is written like one, and the plain words between quoted stretches."""
    script = Script(text)
    at = 0
    while at < len(text):
        following = script.next_notable(at)
        if following > at:
            yield _Plain(at, following)
        if following >= len(text):
            return
        at = following
        if at in script.fences:
            at = max(script.fences[at], at + 1)
        elif text[at] == "`":
            at = max(script.code_end(at), at + 1)
        elif text[at] == "{":
            found = _command(script, roster, at)
            if found is not None:
                yield found
            at = found.end if found is not None else max(script.braces_end(at), at + 1)
        elif script.opens_quotation(at):
            at = max(script.quotation_end(at), at + 1)
        else:
            yield _Plain(at, at + 1)
            at += 1


def _command(script: Script, roster: Roster | None, at: int) -> ParsedCommand | Malformed | None:
    """The command whose brace stands at `at`; None when these braces are not written as one."""
    text = script.text
    word = _WORD.match(text, at)
    if word is None or (at and text[at - 1] in _TEMPLATE_PREFIXES):
        return None
    op, limit = word[1], script.paragraph_end(at)
    reader = _Reader(script, roster, op, word.end(), limit)
    looks = _COMMAND_LIKE.match(text, word.end(), limit) is not None
    if not looks and op in _READ:  # its arguments follow and only the colon is missing: that must not vanish unreported
        looks = reader.peek() == "@" or reader.has_text()
    if not op.isupper() or not looks:
        return None
    try:
        if op not in _FORMS:
            raise _Mistake(f"{op} is not a command.", f"The commands are {', '.join(OPS)}.")
        if op in _BARE:
            command = _BARE[op]
        else:
            if not reader.take(":"):
                raise reader.mistake(f"{op} wants a colon and its arguments, and {reader.found()} stands there.")
            command = _READ[op](reader)
        reader.close()
    except _Mistake as mistake:
        end = max(script.braces_end(at), word.end())
        return Malformed(at, end, text[at:end], mistake.reason, mistake.mend)
    return ParsedCommand(command, at, reader.at, text[at : reader.at])


def parse(text: str, roster: Roster | None = None) -> Parsed:
    """The commands in a reply and what is malformed in it. Never raises. Without a roster names are taken as written."""
    found = list(_walk(text, roster))
    return Parsed(
        tuple(one for one in found if isinstance(one, ParsedCommand)), tuple(one for one in found if isinstance(one, Malformed))
    )


def find_mentions(text: str, roster: Roster) -> tuple[str, ...]:
    """The members named with @ in plain words, each once, in the order of their first mention."""
    named: dict[str, None] = {}
    for stretch in _walk(text, roster):
        if isinstance(stretch, _Plain):
            for mark in _MENTION.finditer(text, stretch.start, stretch.end):
                member, _, _ = roster.read(text, mark.end(), stretch.end)
                if member is not None and member != SHAREHOLDER:
                    named.setdefault(member)
    return tuple(named)


def strip_commands(text: str, roster: Roster | None = None) -> str:
    """The speech without its live commands; what is quoted or malformed stays as it was said.

    Give it the roster that `parse` had: a name of two words is read, and a name of nobody malformed, only with it.
    """
    pieces, at = [], 0
    for found in parse(text, roster).commands:
        pieces.append(text[at : found.start])
        at = found.end
    pieces.append(text[at:])
    kept = "".join(pieces)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+(?=\n|$)", "", kept)).strip() if len(pieces) > 1 else text
