"""A person's message as it is being read: what was quoted is held aside, the agenda stands as the wishes so far leave it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from voices.base import ItemBrief
from voices.simulated.preparing.naming import named
from voices.simulated.topic import sayable

_HELD = re.compile("\x00(\\d+)\x00")
_TAIL = re.compile(
    r"(?:\s*,)?\s+(?:please|if you (?:can|will|like|please)|thanks|thank you|as well|too|instead|for now|"
    r"(?:to|on|onto|in|into|from|off)\s+(?:the|our|this|my|your)\s+(?:agenda|meeting|list|program(?:me)?))\Z",
    re.IGNORECASE,
)
_OFF = re.compile(r"\s+off\s+(?:the|our|this|my|your)\s+(?:agenda|list)(?=\s*,?\s*(?:please)?\Z)", re.IGNORECASE)


@dataclass
class Wishes:
    """The changes asked for, in order, as operations; `unclear` are words that may mean several items, or none."""

    operations: list[dict[str, Any]] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    there: list[str] = field(default_factory=list)  # what was asked for and stands so already


class Reading:
    """`items`: the agenda as the person saw it. `held`: what stood in quotation marks. `this`: what "it" stands for."""

    def __init__(self, message: str, items: Sequence[ItemBrief], held: list[str], this: ItemBrief | None) -> None:
        self.message = message
        self.items = list(items)
        self.order = [item.id for item in items]
        self.minutes = {item.id: item.time_minutes for item in items}
        self.types = {item.id: item.type for item in items}
        self.wishes = Wishes()
        self._held = held
        self._this = this

    # -- what the words mean

    def text(self, what: str) -> str:
        """Words with what was quoted put back, without its marks."""
        return _HELD.sub(lambda m: self._held[int(m[1])][1:-1], what).strip(" ,:")

    def quotation(self, what: str) -> str:
        """The first thing that stood in quotation marks in these words; "" when nothing did."""
        found = _HELD.search(what)
        return self.text(found.group()) if found else ""

    @staticmethod
    def without_tail(words: str) -> str:
        """Without "please", "to the agenda" and their like at the end."""
        words = _OFF.sub(" off", words)
        for _ in range(3):
            words = _TAIL.sub("", words)
        return words

    def known(self, words: str) -> list[ItemBrief]:
        """Items that the words may mean, by their places on the agenda as it was seen, less those taken off since."""
        return [item for item in named(words, self.items, self._this) if item.id in self.order]

    def one(self, what: str) -> ItemBrief | None:
        """The item that is meant, or None after noting that it is not clear."""
        words = self.text(what)
        found = self.known(words)
        if len(found) == 1:
            return found[0]
        self.wishes.unclear.append(sayable(words, 80))
        return None

    # -- what is wished

    def wish(self, op: str, **fields: Any) -> None:
        self.wishes.operations.append({"op": op, **fields})

    def stands(self, sentence: str) -> None:
        """Note that something asked for is so already: it is told, and no change is made of it."""
        self.wishes.there.append(sentence)

    def remove(self, id: str) -> None:
        """Take an item off, with what was wished of it before."""
        self.order.remove(id)
        kept = [wish for wish in self.wishes.operations if wish.get("item_id") != id]
        self.wishes.operations[:] = [*kept, {"op": "remove", "item_id": id}]

    def move(self, id: str, place: int) -> None:
        if 1 <= place <= len(self.order):
            if self.order.index(id) + 1 == place:
                self.stands(f"it stands at place {place} already")
                return
            self.order.remove(id)
            self.order.insert(place - 1, id)
        self.wish("reorder", item_id=id, place=place)

    def plan(self, id: str, minutes: int) -> None:
        if self.minutes[id] == minutes:
            self.stands(f"it has {minutes} minutes already")
            return
        self.minutes[id] = minutes
        self.wish("set_minutes", item_id=id, time_minutes=minutes)
