"""Which item of an agenda somebody means: by its id, its place, or the words of its topic."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voices.base import ItemBrief
from voices.simulated.preparing.book import content_words

_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ID = re.compile(r"\bagenda-(\d{1,4})\b")
_PLACE = re.compile(
    r"(?:\b(?:item|number|no\.?|point|topic)\s+|#\s?)(?P<a>\d{1,2}|" + "|".join(_NUMBERS) + r")\b"
    r"|\b(?P<b>\d{1,2})(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\A(?:the\s+|that\s+|our\s+|your\s+)?(?P<n>" + "|".join(_WORDS) + r"|last|final)(?:\s+(?:item|one|point|topic))?\Z",
    re.IGNORECASE,
)
_ORDINAL_ITEM = re.compile(r"\b(?P<n>" + "|".join(_WORDS) + r"|last|final)\s+(?:item|one|point|topic)\b", re.IGNORECASE)
_THIS = re.compile(r"\A(?:it|this|that|this item|that item|this one|that one|the item)\Z", re.IGNORECASE)


def named(what: str, items: Sequence[ItemBrief], this: ItemBrief | None = None) -> list[ItemBrief]:
    """The items that the words may mean: one where it is clear, several where it is not, none where nothing fits.

    `this`: what "it" and "this item" stand for.
    """
    text = what.strip(" .,:;!?\"'“”‘’").lower()
    if not text or not items:
        return []
    if this is not None and _THIS.match(text):
        return [this]
    if found := _ID.search(text):
        return [item for item in items if item.id == found[0]]
    if found := _PLACE.search(text):
        number = found["a"] or found["b"]
        return _at(int(number) if number.isdigit() else _NUMBERS.index(number.lower()) + 1, items)
    if found := _ORDINAL.match(text) or _ORDINAL_ITEM.search(text):
        word = found["n"].lower()
        return _at(len(items) if word in ("last", "final") else _WORDS.index(word) + 1, items)
    return _by_words(text, items)


def _at(place: int, items: Sequence[ItemBrief]) -> list[ItemBrief]:
    return [items[place - 1]] if 1 <= place <= len(items) else []


def _by_words(text: str, items: Sequence[ItemBrief]) -> list[ItemBrief]:
    """By the topic's words; the description's only where no topic has any."""
    exact = [item for item in items if item.topic.lower().strip(" .?!") == text]
    if exact:
        return exact
    wanted = content_words(text)
    if not wanted:
        return []
    for texts, least in (([i.topic for i in items], 0.5), ([f"{i.topic} {i.description}" for i in items], 0.99)):
        scores = [len(wanted & content_words(one)) / len(wanted) for one in texts]
        best = max(scores)
        if best >= least:
            return [item for item, score in zip(items, scores, strict=True) if score == best]
    return []
