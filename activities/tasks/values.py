"""An action item as other programs get it, and what a sink and a doer are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TaskItem:
    """One action item. `owner` is an id or a name; `deadline` the words that were said, `due` the day they were read as."""

    id: str
    task: str
    owner: str
    deadline: str | None = None
    due: date | None = None
    topic: str = ""
    resolution_id: str | None = None
    done: bool = False
    set_on: date | None = None


class SinkError(Exception):
    """A sink did not take the items; one sentence without secrets, addresses or words of an item."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.retryable = retryable


class Sink(Protocol):
    """Another program's list. Pushing an item again changes nothing; `name` is the same from one start to the next."""

    name: str

    async def push(self, items: Sequence[TaskItem]) -> None:
        """Put the items there, or bring them up to date. SinkError."""
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
