"""An action item as other programs get it, and what a sink and a doer are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TaskItem:
    """One action item. `owner` is an id or a name; `deadline` the words that were said, `due` the day they were read as.

    `owner_name` is how people call the owner ("": as `owner`). `set_on` and `done_on` are days where the meeting was; with no
    `done_on` a file says the day on which it was written.
    """

    id: str
    task: str
    owner: str
    deadline: str | None = None
    due: date | None = None
    topic: str = ""
    resolution_id: str | None = None
    done: bool = False
    set_on: date | None = None
    owner_name: str = ""
    done_on: date | None = None

    @property
    def called(self) -> str:
        """The owner as people call them."""
        return self.owner_name or self.owner


def place_of(name: str, where: str) -> str:
    """A sink's `place` in the record, which names no path and no address."""
    return f"{name}:{hashlib.sha256(where.encode()).hexdigest()[:16]}"


class SinkError(Exception):
    """A sink did not take the items; one sentence without secrets, addresses or words of an item.

    `retryable`: another attempt may succeed. `unsure`: it may have taken them all the same; pushing again does no harm.
    """

    def __init__(self, message: str, *, retryable: bool = True, unsure: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.unsure = unsure


class Sink(Protocol):
    """Another program's list. Pushing an item again changes nothing; `name` is the same from one start to the next.

    `place` tells one list from another of its kind: a new file or address has nothing yet.
    """

    name: str
    place: str

    async def push(self, items: Sequence[TaskItem]) -> None:
        """Put the items there, and bring those that are there up to date. SinkError."""
        ...

    async def completed(self) -> frozenset[str]:
        """Ids of the items that were completed over there. SinkError."""
        ...


class DoerError(Exception):
    """A doer could not do it; one sentence."""


class Doer(Protocol):
    """Does one kind of small reversible thing, and gives proof of it. Doing it again changes nothing."""

    name: str

    async def do(self, item: TaskItem) -> str:
        """Do it; the proof, in words that name where it can be seen. DoerError."""
        ...

    async def undo(self, item: TaskItem) -> None:
        """Take back what `do` did; nothing where it did nothing. DoerError."""
        ...
