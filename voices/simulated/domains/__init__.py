"""The fields of life that the simulated board knows something about, and how a text is given to one of them."""

from __future__ import annotations

import re

from voices.simulated.domains.base import LENSES, Domain
from voices.simulated.domains.body import HEALTH, SLEEP, TRAINING
from voices.simulated.domains.home import FAMILY, HOUSING, RELATIONSHIPS, RELOCATION
from voices.simulated.domains.making import CREATIVE, GENERAL, PURCHASE, RELEASE, TECHNOLOGY
from voices.simulated.domains.work import BUSINESS, HIRING, LEARNING, MONEY, TIME, WORK

__all__ = ["DOMAINS", "GENERAL", "LENSES", "Domain", "classify"]

DOMAINS = (
    SLEEP, TRAINING, HEALTH, RELATIONSHIPS, FAMILY, RELEASE, BUSINESS, RELOCATION, HOUSING, WORK, MONEY, LEARNING,
    TECHNOLOGY, CREATIVE, HIRING, PURCHASE, TIME,
)  # fmt: skip
"""In the order that breaks ties: the more particular first."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def _stems(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _hits(words: list[str], domain: Domain) -> int:
    return sum(word in domain.words or (word.endswith("s") and word[:-1] in domain.words) for word in words)


def classify(topic: str, rest: str = "") -> tuple[Domain, Domain]:
    """The field a topic belongs to and the one it leans to next (GENERAL where there is none). `rest` counts less."""
    main, more = _stems(topic), _stems(rest)
    scores = {domain.name: 4 * _hits(main, domain) + min(3, _hits(more, domain)) for domain in DOMAINS}
    ranked = sorted(DOMAINS, key=lambda domain: -scores[domain.name])
    first, second = ranked[0], ranked[1]
    if not scores[first.name]:
        return GENERAL, GENERAL
    return first, second if scores[second.name] >= 3 else first
