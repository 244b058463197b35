"""Reading a deadline as it was said, against the date on which it was said (issue 4, 3). Nothing is guessed.

The words become tokens, and a small grammar (`parliament.deadline_grammar`) reads them from end to end: what is left over, is
ambiguous or contradicts itself makes the deadline `unread`, and its words are shown as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from parliament.deadline_grammar import read_tokens
from parliament.deadline_words import tokens_of


class DeadlineReading(StrEnum):
    """How the words of a deadline were read."""

    DATE = "date"  # a date with its year
    PHRASE = "phrase"  # words that mean one date, seen from the day they were said
    IMMEDIATELY = "immediately"
    NONE = "none"  # there is no deadline
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Deadline:
    """The original words, how they were read, and the last day that they allow. `due` is None for NONE and UNREAD."""

    words: str | None
    reading: DeadlineReading
    due: date | None = None


LONGEST = 120
"""Characters; more is a paragraph and no deadline."""

_TYPOGRAPHY = str.maketrans({"\u2019": "'", "\u2010": "-", "\u2011": "-"})
"""What a careful writer types for an apostrophe and a hyphen. A dash is neither: it may stand between two dates."""

_IMMEDIATELY = frozenset(
    (
        "as soon as possible",
        "asap",
        "at once",
        "effective immediately",
        "effective now",
        "forthwith",
        "immediate",
        "immediately",
        "now",
        "right away",
        "right now",
        "starting immediately",
        "starting now",
        "straight away",
        "urgent",
        "urgently",
        "with immediate effect",
        "without delay",
    )
)
_NONE = frozenset(
    (
        "",
        "continuing",
        "continuous",
        "continuously",
        "indefinite",
        "indefinitely",
        "n a",
        "na",
        "no date",
        "no deadline",
        "no due date",
        "no fixed date",
        "no fixed deadline",
        "no specific deadline",
        "none",
        "none set",
        "none specified",
        "not set",
        "not specified",
        "null",
        "ongoing",
        "open",
        "open ended",
        "tba",
        "tbd",
        "to be decided",
        "to be determined",
        "unspecified",
    )
)


def read_deadline(words: str | None, on: date) -> Deadline:
    """The deadline that these words set, said on that day (the meeting's, in its zone). Never raises.

    A phrase means the last day that it allows: "by March" and "by the end of March" 31 March, "before March" the last of
    February, "next week" its Sunday (weeks begin on Monday, ISO 8601), "before Christmas" 24 December. A date without a year is
    the next such date on or after `on`. "Friday" and "this Friday" are the first Friday after `on` (said on a Friday: a week
    later), "next Friday" is the Friday of the calendar week after. Figures with strokes or hyphens are read where only one of
    day and month can come first, those with dots have the day first. A phrase that leads to a day before `on` is unread; a
    date with its year may lie in the past.
    """
    if words is None:
        return Deadline(None, DeadlineReading.NONE)
    if len(words) > LONGEST:
        return Deadline(words, DeadlineReading.UNREAD)
    text = " ".join(words.translate(_TYPOGRAPHY).split())
    if not text.isascii():  # before lower(): the Kelvin sign would become a k
        return Deadline(words, DeadlineReading.UNREAD)
    text = text.lower()
    plain = " ".join(re.sub(r"[-/.,()]", " ", text).split())
    if plain in _NONE:
        return Deadline(words, DeadlineReading.NONE)
    if plain in _IMMEDIATELY:
        return Deadline(words, DeadlineReading.IMMEDIATELY, on)
    tokens = tokens_of(text)
    found = read_tokens(tokens, on) if tokens else None
    if found is None:
        return Deadline(words, DeadlineReading.UNREAD)
    due, dated = found
    return Deadline(words, DeadlineReading.DATE if dated else DeadlineReading.PHRASE, due)
