"""What a worker keeps of the meetings it serves: the latest ones, so that months of meetings do not fill its memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

V = TypeVar("V")

MEETINGS = 64
"""Meetings kept at a time. What was dropped is read from the store again."""


class Recent(OrderedDict[str, V]):
    """A mapping of meeting ids that forgets the one not used for longest."""

    def __getitem__(self, key: str) -> V:
        self.move_to_end(key)
        return super().__getitem__(key)

    def __setitem__(self, key: str, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > MEETINGS:
            self.popitem(last=False)
