"""What a board can know about a field of life before it knows the person: considerations, questions, steps, conditions.

Each of the seven lenses sees its own part of a field; a member speaks through one of them. Clauses stand alone, after
"that" and after "because": they begin in lower case and have no full stop. Steps and trials are bare verb phrases
("spend a week there"). Nothing here claims a figure: a simulated voice has no sources.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LENSES = ("data", "people", "focus", "vigor", "engineering", "curiosity", "duty")


@dataclass(frozen=True, slots=True)
class Domain:
    """One field. `gains`, `risks`, `questions` and `steps` have one entry for each lens, in the order of LENSES."""

    name: str
    words: frozenset[str]
    noun: str  # what such a thing is called, with its article: "the move"
    stake: str  # what hangs on it, a noun phrase
    stay: str  # the other way when the topic names none: a bare verb phrase
    gains: tuple[str, ...]
    risks: tuple[str, ...]
    questions: tuple[str, ...]
    steps: tuple[str, ...]
    trials: tuple[str, ...]  # bare verb phrases
    provisos: tuple[str, ...]  # clauses after "provided that"
    measures: tuple[str, ...]  # noun phrases: what would show that it went well
    hold: tuple[str, ...]  # bare verb phrases: what to do instead of deciding today
    days: int = 21  # a natural time to the first date
    tilt: dict[str, float] = field(default_factory=dict)  # how a lens leans towards change here

    def by_lens(self, what: str, lens: str) -> str:
        table: tuple[str, ...] = getattr(self, what)
        return table[LENSES.index(lens)]
