"""What a person asks to have changed on an agenda, read from the person's own words and from nothing else (law 3).

Only a clause that begins as a request, or says what an item should be, asks for anything; quoted words, questions and
refusals ask for nothing. What could mean several items is asked back, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from parliament.text import printable
from voices.base import ItemBrief
from voices.simulated.preparing.reading import Reading, Wishes
from voices.simulated.preparing.requests import RULES

__all__ = ["Wishes", "wishes_in"]

LONGEST = 4_000
"""Characters of a message that are read."""
_CLAUSE_LIMIT = 700

_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|`[^`\n]*`")
_FENCED = re.compile(r"(?s)(```|~~~).*?(?:\1|\Z)")
_ITEMS = re.compile(r"\b(?:items|numbers|points)\s+(?=\d)([\d, ]{1,60}(?:and|with)\s+\d{1,2})\b", re.IGNORECASE)
_VERBS = (
    "add|include|put|insert|remove|drop|delete|take|strike|scrap|skip|leave|cut|move|bring|swap|make|turn|change|mark|set|give|"
    "allot|allow|plan|reserve|spend|rename|retitle|call|reword|start|begin|focus|concentrate|shorten|lengthen|extend|schedule|"
    "discuss|talk"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|;\s*")
_CLAUSE = re.compile(
    rf" ?,? (?:and|then|but|also) (?:then |also )?(?=(?:please )?(?:{_VERBS})\b)| ?, ?(?=(?:please )?(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:so|ok|okay|well|yes|no|hi|hello|thanks|thank you|and|also|but|then|please|perhaps|maybe|actually|instead|first|next|"
    r"finally|marcus|chairman|chair)\b[,!: ]*",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:can|could|would|will|may|might) (?:you|we|i)(?: please| also| maybe)? "
    r"|i(?:['’]d| would) (?:also )?(?:like|love|prefer|want) (?:you |us )?to |i (?:want|wish) (?:you |us )?to "
    r"|let(?:['’]s| us) (?:also )?|(?:we|you) (?:should|need to|must|could|ought to) (?:also )?"
    r"|(?:how|what) about (?:we )?|why (?:don['’]t (?:we|you)|not) |would you mind "
    r"|it would (?:be \w+|help) to |i suggest (?:that )?(?:we )?",
    re.IGNORECASE,
)
_GERUNDS = {
    "adding": "add", "including": "include", "putting": "put", "removing": "remove", "dropping": "drop", "deleting": "delete",
    "taking": "take", "moving": "move", "making": "make", "giving": "give", "renaming": "rename", "changing": "change",
    "discussing": "discuss", "talking": "talk", "cutting": "cut", "skipping": "skip", "starting": "start", "focusing": "focus",
}  # fmt: skip
_QUESTION = re.compile(
    r"(?:why|what|how|when|where|who|which|should|shall|is|are|was|were|do|does|did|has|have|would|could|can|will)\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(r"(?:don['’]t|do not|never|not|no need)\b", re.IGNORECASE)


def wishes_in(message: str, items: Sequence[ItemBrief], this: ItemBrief | None = None) -> Wishes:
    """What a message asks of the agenda. `this`: the item that a note stands beside. Never raises."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match.group())
        return f"\x00{len(held) - 1}\x00"

    text = printable(message)[:LONGEST].replace("\x00", "")
    text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))
    text = _ITEMS.sub(_each, _FENCED.sub(" ", text))
    reading = Reading(message, items, held, this)
    for sentence in _SENTENCE.split(_QUOTED.sub(hold, text)):
        for clause in _CLAUSE.split(" ".join(sentence.split())):
            if len(clause) <= _CLAUSE_LIMIT:
                _read(reading, clause.strip(" .!?,"))
    return reading.wishes


def _each(match: re.Match[str]) -> str:
    """ "items 1, 2 and 4" as "item 1 and item 2 and item 4"."""
    return " and ".join(f"item {number}" for number in re.findall(r"\d{1,2}", match[1]))


def _read(reading: Reading, words: str) -> None:
    for _ in range(8):
        led = _GREETING.match(words) or _POLITE.match(words)
        if led is None:
            break
        words = words[led.end() :].strip(" ,")
    first, _, rest = words.partition(" ")
    words = reading.without_tail(f"{_GERUNDS.get(first.lower(), first)} {rest}".strip())
    if not words or _QUESTION.match(words) or _REFUSAL.match(words):
        return
    for pattern, act in RULES:
        found = pattern.fullmatch(words)
        if found is not None:
            act(reading, found)
            return
