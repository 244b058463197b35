"""What an office looks for: aspects, the words that show them, and what it says where they are missing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

MONTHS = "january|february|march|april|june|july|august|september|october|november|december"


class Kind(StrEnum):
    """What sort of proposal it is; each office asks other things of each."""

    SOFTWARE = "software"
    CHANGE = "change"
    """A diff."""
    UNDERTAKING = "undertaking"
    """Everything else: a price, a rule, a place, a purchase."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """`words` show that a sentence speaks of it. `gap` is a clause for "I do not find …", `mend` removes the gap, and `why` is
    what comes of it otherwise. `people`: only where people see something of it. `outside`: what is not in scope shows it."""

    name: str
    words: re.Pattern[str]
    gap: str
    mend: str
    why: str
    weight: float = 1.0
    people: bool = False
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to another director, and the words that an answer has."""

    to: str
    question: str
    words: re.Pattern[str]


def pattern(words: str) -> re.Pattern[str]:
    """Alternatives that begin a word; `$` where one has to end it, too."""
    ended = re.sub(r"(?<!\\)\$", r"\\b", words)
    return re.compile(rf"(?:(?<!\w)|(?!\w))(?:{ended})", re.IGNORECASE)


def aspect(
    name: str,
    words: str,
    gap: str,
    mend: str,
    why: str,
    weight: float = 1.0,
    *,
    people: bool = False,
    outside: bool = False,
) -> Aspect:
    return Aspect(name, pattern(words), gap, mend, why, weight, people, outside)


def ask(to: str, question: str, words: str) -> Ask:
    return Ask(to, question, pattern(words))
