"""The ledger of action items, pure: what presses, and what a transcript says is to be done (source 000, Ledger)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Generic, Protocol, TypeVar

from parliament.commands import ActionCommand, parse
from parliament.ids import action_id
from parliament.roster import Roster
from parliament.text import one_line

WEEK = timedelta(days=7)


class Due(Protocol):
    """As much of an action item as sorting needs."""

    @property
    def id(self) -> str: ...
    @property
    def due(self) -> date | None: ...


T = TypeVar("T", bound=Due)


@dataclass(frozen=True, slots=True)
class Scope(Generic[T]):
    """Open items by when they are due (source 000, scope_for_sleep). `open_ended`: no date, or none that could be read."""

    overdue: tuple[T, ...]
    upcoming_week: tuple[T, ...]
    later: tuple[T, ...]
    open_ended: tuple[T, ...]


def scope(items: Iterable[T], today: date) -> Scope[T]:
    """Sort open items by the day: before today, today and the seven days after it, later, none."""
    overdue, soon, later, open_ended = [], [], [], []
    for item in items:
        if item.due is None:
            open_ended.append(item)
        elif item.due < today:
            overdue.append(item)
        elif item.due <= today + WEEK:
            soon.append(item)
        else:
            later.append(item)
    for dated in (overdue, soon, later):
        dated.sort(key=lambda item: item.due or today)
    return Scope(tuple(overdue), tuple(soon), tuple(later), tuple(open_ended))


@dataclass(frozen=True, slots=True)
class Spoken:
    """One of the presiding chairman's turns: nobody else's belong here (law 2).

    `commands` are those that its reader took from it, as they were written, or the words of the turn, where no more is known.
    `refused` are the places among its commands, from 0, of those that were ruled out of order: they changed nothing (law 3).
    """

    seq: int
    item_id: str | None
    commands: tuple[str, ...]
    refused: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """An action item in a transcript, under the id that the meeting itself gives it."""

    id: str
    task: str
    owner: str
    deadline: str | None
    item_id: str | None
    position: int


def from_transcript(meeting_id: str, turns: Sequence[Spoken], roster: Roster) -> list[Found]:
    """The `{ACTION: …}` commands of the chairman's own turns, each once, in the order in which they were spoken.

    Ids and positions are those that the meeting gave: what stands in the ledger already is recognised by its id.
    """
    found: dict[str, Found] = {}
    for turn in sorted(turns, key=lambda turn: turn.seq):
        spoken = (each.command for source in turn.commands for each in parse(source, roster).commands)
        for n, command in enumerate(spoken):
            if isinstance(command, ActionCommand) and n not in turn.refused:
                id = action_id(meeting_id, turn.item_id or "", command.text)
                place = turn.seq * 100 + min(n, 99)
                found.setdefault(id, Found(id, command.text, command.owner, command.deadline, turn.item_id, place))
    return list(found.values())


def unread_in(turns: Sequence[Spoken], roster: Roster) -> list[str]:
    """Of the same turns what begins as an ACTION and cannot be read, each with the reason."""
    found = []
    for turn in sorted(turns, key=lambda turn: turn.seq):
        for source in turn.commands:
            found += [
                f"{one_line(one.source)}: {one.reason}"
                for one in parse(source, roster).malformed
                if one.source.lstrip("{ ").upper().startswith("ACTION")
            ]
    return found


def same_task(one: str, other: str) -> bool:
    """Whether two tasks are the same but for case, spaces, the shape of quotation marks and hyphens, and the full stop.

    No likeness beyond that: "Book session 1" and "Book session 2" are nearly the same words, and two things to do.
    """
    return _plain(one) == _plain(other)


_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u201c\u201d\u201e", '"') | dict.fromkeys("\u2018\u2019", "'") | {"\u2010": "-", "\u2011": "-"}
)


def _plain(task: str) -> str:
    return " ".join(task.translate(_TYPOGRAPHY).casefold().split()).rstrip(".! ")
