"""The chairman's command language (source 000, Chairman DSL): reading commands out of a reply.

A command is live only in the chairman's own plain words: not inside double quotation marks, code spans, fences or other
braces (`parliament.quotation`). Reading changes nothing and refuses nothing; `parliament.chair` judges what was read.
`parliament.command_reader` has the grammar, `parliament.command_values` the values; both are reached from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from parliament.command_reader import Malformed, ParsedCommand, read_command
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
    from_compact,
    render,
)
from parliament.quotation import Script
from parliament.roster import Roster, RosterEntry

__all__ = [
    "OPS", "ActionCommand", "AdjournCommand", "AmendmentCommand", "CallCommand", "Command", "DiscussCommand", "DissentCommand",
    "Malformed", "MotionCommand", "NextCommand", "OpenCommand", "Parsed", "ParsedCommand", "PhaseCommand", "QuorumCommand",
    "RollCommand", "RollEntry", "Roster", "RosterEntry", "RulingCommand", "SecondCommand", "TableCommand", "VoteCommand",
    "VoteEntry", "WithdrawCommand", "compact", "find_mentions", "from_compact", "parse", "render", "strip_commands",
]  # fmt: skip

_MENTION = re.compile(r"(?<![\w@.])@(?=\w)")
_LINE_END = re.compile(r"\r\n|\r|\n")


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


def _pieces(text: str, roster: Roster | None) -> Iterator[_Plain | ParsedCommand | Malformed]:
    """The live parts of a text in order; what is quoted or only grouped is left out."""
    script = Script(text)
    at = plain = 0
    while (notable := script.next_notable(at)) < len(text):
        piece = None
        if notable in script.fences:
            end = script.fences[notable]
        elif text[notable] == "`":
            end = script.code_end(notable)
        elif text[notable] == "{":
            piece = read_command(script, roster, notable)
            end = piece.end if piece else script.braces_end(notable)
        elif script.opens_quotation(notable):
            end = script.quotation_end(notable)
        else:
            at = notable + 1
            continue
        yield _Plain(plain, notable)
        if piece:
            yield piece
        at = plain = end
    yield _Plain(plain, len(text))


def parse(text: str, roster: Roster) -> Parsed:
    """Read the commands of one reply. Never raises, whatever the text; positions are indices into `text`."""
    pieces = list(_pieces(text, roster))
    return Parsed(
        tuple(piece for piece in pieces if isinstance(piece, ParsedCommand)),
        tuple(piece for piece in pieces if isinstance(piece, Malformed)),
    )


def find_mentions(text: str, roster: Roster) -> tuple[str, ...]:
    """The ids of the members named with @ in plain words, in order of first mention, each once.

    Names inside commands, quotation marks, code and other braces do not count; nor does the shareholder, who has no seat.
    """
    found: dict[str, None] = {}
    for piece in _pieces(text, roster):
        if isinstance(piece, _Plain):
            for mention in _MENTION.finditer(text, piece.start, piece.end):
                member, _, _ = roster.read(text, mention.end(), piece.end)
                if member in roster.ids:
                    found[str(member)] = None
    return tuple(found)


def strip_commands(text: str, roster: Roster | None = None) -> str:
    """The speech without its live commands, for display; everything else stays as typed, malformed commands too.

    Without a roster every well-formed command is live, whoever it names.
    """
    kept, at = [], 0
    for piece in _pieces(text, roster):
        if isinstance(piece, ParsedCommand):
            kept.append(text[at : piece.start])
            at = piece.end
    if not kept:
        return text
    kept.append(text[at:])
    speech = kept[0]
    for part in kept[1:]:
        speech = _join(speech, part)
    return speech.strip()


def _join(before: str, after: str) -> str:
    """Close the gap that a command leaves: no doubled blanks, no blank before a full stop, no line of nothing."""
    head, tail = before.rstrip(" \t"), after.lstrip(" \t")
    if not head or head[-1] in "\r\n":
        return head + (_LINE_END.sub("", tail, count=1) if _LINE_END.match(tail) else tail)
    if not tail or tail[0] in "\r\n.,;:!?" or (before == head and after == tail):
        return head + tail
    return f"{head} {tail}"
