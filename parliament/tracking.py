"""Decisions across meetings: what keeps coming back, and which decision says the opposite of an earlier one (issue 4, 4).

Code proposes and the chairman is shown both texts: a likeness of words is a reason to look, never a verdict on its own. Only
an acceptance by the person makes the later of two contradicting resolutions take the place of the earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SMALL = _set(
    "a about after again all also an and any are as at be been before board but by can company could "
    "daily day days do does each effective every for from had has have he her his how i if "
    "immediately in into is it its just least less may me meeting month months more most much my new "
    "no not of on once one only or other our out over per resolution resolved shall shareholder she "
    "should so some than that the their them then there these they this those three time to too two "
    "under until up upon us very was way we week weekly weeks well were what when where which while "
    "who why will with without would year you your "
)
"""Words that say nothing of a topic."""

_DIRECTIONS: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (_set(a), _set(b))
    for a, b in (
        (
            "increase increasing raise raising expand extend add more grow lengthen",
            "decrease decreasing reduce reducing cut lower lowering limit shorten fewer less drop halve",
        ),
        (
            "start begin resume adopt introduce establish launch take enrol enroll join accept open keep continue buy",
            "stop cease end quit abandon discontinue suspend cancel decline refuse leave close sell withdraw drop",
        ),
        ("allow permit approve enable include", "forbid ban prohibit refuse disable exclude avoid"),
        ("hire", "dismiss fire"),
        ("move relocate", "stay remain"),
        ("earlier advance accelerate", "later postpone delay defer"),
    )
)
"""Pairs of directions: a resolution that goes one way, and one that goes the other."""

_NEGATION = frozenset(["not", "no", "never", "cannot", "neither", "nor"])


@dataclass(frozen=True, slots=True)
class Decision:
    """An adopted resolution, as far as its words go."""

    id: str
    topic: str
    text: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two decisions on one topic in opposite directions; `words` are those that give it away, the earlier one's first."""

    earlier: Decision
    later: Decision
    words: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Repeated:
    """A topic that several meetings have had; the ids are in the order given."""

    topic: str
    ids: tuple[str, ...]


def likeness(a: str, b: str) -> float:
    """How much two topics are of one thing, from 0 to 1: the share of their telling words that both have."""
    first, second = _telling(a), _telling(b)
    if not first or not second:
        return 0.0
    return len(first & second) / min(len(first), len(second)) if min(len(first), len(second)) > 1 else float(first == second)


SAME_TOPIC = 0.6


def same_topic(a: Decision, b: Decision) -> bool:
    """Whether two decisions are about one thing: by their topics, or by what their texts share beyond them."""
    return likeness(a.topic, b.topic) >= SAME_TOPIC


def direction(a: str, b: str) -> tuple[str, str] | None:
    """The words by which one text goes one way and the other the opposite; None where they do not."""
    first, second = _verbs(a), _verbs(b)
    for up, down in _DIRECTIONS:
        for one, other in ((up, down), (down, up)):
            found_a, found_b = sorted(first & one), sorted(second & other)
            if found_a and found_b and not (first & other) and not (second & one):
                return found_a[0], found_b[0]
    return None


def contradicted(new: Decision, earlier: Iterable[Decision]) -> list[str]:
    """The ids of earlier decisions that the new one contradicts."""
    return [one.earlier.id for one in contradictions([*earlier, new]) if one.later.id == new.id]


def contradictions(decisions: Sequence[Decision]) -> list[Contradiction]:
    """Every later decision that goes against an earlier one on the same topic. The decisions come oldest first."""
    found = []
    for n, later in enumerate(decisions):
        for earlier in decisions[:n]:
            if same_topic(earlier, later) and (words := direction(earlier.text, later.text)) is not None:
                found.append(Contradiction(earlier, later, words))
    return found


def repeated(topics: Sequence[tuple[str, str]], *, times: int = 2) -> list[Repeated]:
    """Topics that came up so often, from (id, topic) in order of time; each is called as it was the last time."""
    groups: list[list[tuple[str, str]]] = []
    for one in topics:
        home = next((group for group in groups if likeness(group[-1][1], one[1]) >= SAME_TOPIC), None)
        if home is None:
            groups.append([one])
        else:
            home.append(one)
    return [Repeated(group[-1][1], tuple(id for id, _ in group)) for group in groups if len(group) >= times]


def _telling(text: str) -> frozenset[str]:
    directions = {word for pair in _DIRECTIONS for side in pair for word in side}
    return frozenset(_stem(word) for word in _words(text) if word not in _SMALL and word not in directions and len(word) > 2)


def _verbs(text: str) -> frozenset[str]:
    """The words of a text that give it a direction. A negated one counts for the other side of its pair."""
    words = _words(text)
    found = set()
    for n, word in enumerate(words):
        if n and words[n - 1] in _NEGATION:
            word = _opposite(word) or word
        found.add(word)
    return frozenset(found)


def _opposite(word: str) -> str | None:
    for up, down in _DIRECTIONS:
        if word in up:
            return min(down)
        if word in down:
            return min(up)
    return None


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _stem(word: str) -> str:
    """A word without the endings by which forms of one word differ; enough for telling topics apart."""
    for ending in ("ings", "ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word
