"""The five offices of source 001, each with what it looks for in a kind of proposal; and offices made of themes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocols.proposal_review import Director
from voices.simulated.directors import changes, software, undertakings
from voices.simulated.directors.aspects import Ask, Aspect, Kind


@dataclass(frozen=True, slots=True)
class Domain:
    """`words` are in a director's title or domain, `noun` is what the office answers for. `reads_code`: whether a line of code
    says something to it."""

    words: tuple[str, ...]
    noun: str
    looks_for: Mapping[Kind, tuple[Aspect, ...]]
    asks: Mapping[Kind, tuple[Ask, ...]]
    reads_code: bool = False

    def aspects(self, kind: Kind, *, people: bool = True) -> tuple[Aspect, ...]:
        """What it looks for in a proposal of this kind. `people`: whether people see something of what is proposed."""
        return tuple(one for one in self.looks_for[kind] if people or not one.people)


def _domain(office: str, words: str, noun: str, *, reads_code: bool = False) -> Domain:
    by_kind = {Kind.SOFTWARE: software, Kind.CHANGE: changes, Kind.UNDERTAKING: undertakings}
    return Domain(
        tuple(words.split(", ")),
        noun,
        {kind: getattr(module, office) for kind, module in by_kind.items()},
        {kind: getattr(module, f"{office}_ASKS") for kind, module in by_kind.items()},
        reads_code,
    )


DOMAINS = (
    _domain("TECHNICAL", "technical, architect, engineering", "the architecture", reads_code=True),
    _domain("PRODUCT", "product, market, business", "the product"),
    _domain("SECURITY", "security, risk, compliance, legal", "security", reads_code=True),
    _domain("OPERATIONS", "operations, delivery, finance", "operations", reads_code=True),
    _domain("EXPERIENCE", "experience, design, customer care", "the experience"),
)


def domain_of(director: Director, themes: Sequence[str]) -> Domain:
    """The domain of a director: by its own words, else one made of what it says that it evaluates."""
    own = f"{director.domain} {director.title}".casefold()
    for one in DOMAINS:
        if any(word in own for word in one.words):
            return one
    seats = tuple(themes) or (director.domain or director.title,)
    made = {kind: tuple(dict.fromkeys(_of_theme(theme, kind) for theme in seats)) for kind in Kind}
    return Domain((), director.domain.lower() or "my office", made, dict.fromkeys(Kind, ()), reads_code=True)


def _of_theme(theme: str, kind: Kind) -> Aspect:
    """What one of the five would look for under this theme, else the theme's own words."""
    known = [one for domain in DOMAINS for one in domain.looks_for[kind]]
    for one in known:
        if theme.casefold() in one.name:
            return one
    for one in known:
        if one.words.match(theme):
            return one
    words = [re.escape(word) for word in re.findall(r"\w{4,}", theme.casefold())] or [re.escape(theme.casefold())]
    return Aspect(
        theme,
        re.compile(rf"(?<!\w)(?:{'|'.join(words)})", re.IGNORECASE),
        f"what it means for {theme}",
        f"Add a section on {theme}",
        "it is what I was seated for",
    )


def aspect_in(text: str) -> Aspect | None:
    """The aspect that a director of these five speaks of in a concern."""
    every = (one for domain in DOMAINS for aspects in domain.looks_for.values() for one in aspects)
    return next((one for one in every if one.mend[1:] in text), None)


def ask_in(text: str) -> Ask | None:
    """The question that a director of these five asks in a text."""
    every = (one for domain in DOMAINS for asks in domain.asks.values() for one in asks)
    return next((one for one in every if one.question in text), None)
