"""Reading replies in plain text: the form a provider without structured output gives, and whatever a model made of it.

When in doubt a text is a whisper and not speech (law 7), and a vote is INVALID and not a choice (law 8).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from parliament.values import Vote

# A tag of the thinking family, also misspelt, with attributes, or cut off at the end of the reply.
_THINK_OPEN = re.compile(
    r"<\s*(?:th[a-z]{0,3}nk[a-z]*|thoughts?|reason(?:ing)?|whisper|scratchpad|reflection)\b[^<>]*(?:>|$)", re.I
)
_THINK_CLOSE = re.compile(
    r"<\s*/\s*(?:th[a-z]{0,3}nk[a-z]*|thoughts?|reason(?:ing)?|whisper|scratchpad|reflection)\b[^<>]*(?:>|$)", re.I
)
_SPEAK_OPEN = re.compile(r"<\s*sp[a-z]{1,3}k[a-z]*\s*>", re.I)
_SPEAK_CLOSE = re.compile(r"<\s*/\s*sp[a-z]{1,3}k[a-z]*\s*>?", re.I)
_ANY_TAG = re.compile(r"<\s*/?\s*(?:th[a-z]{0,3}nk|thought|sp[a-z]{1,3}k)[^<>]*$", re.I)


@dataclass(frozen=True, slots=True)
class Parted:
    """Speech and whisper apart. `exact`: the tags were as asked."""

    speaking: str
    whisper: str
    exact: bool


def part(text: str) -> Parted:
    """Part a plain reply. Never raises.

    With <speaking> tags only what stands in them is speech, less any thinking in it; without them everything that no thinking
    tag covers, and an unclosed thinking tag covers all that follows.
    """
    opened = _SPEAK_OPEN.search(text)
    while opened is not None and _inside_thinking(text[: opened.start()]):
        opened = _SPEAK_OPEN.search(text, opened.end())
    if opened is not None:
        said, rest = text[opened.end() :], text[: opened.start()]
        closed = _SPEAK_CLOSE.search(said)
        if closed is not None:
            rest += said[closed.end() :]
            said = said[: closed.start()]
        speaking, hidden = _uncover(said)
        whisper = "\n".join(part for part in (_untag(rest), hidden) if part)
        return Parted(speaking.strip(), whisper, exact=closed is not None and not hidden)
    speaking, hidden = _uncover(text)
    return Parted(_untag(speaking), hidden, exact=False)


def _inside_thinking(before: str) -> bool:
    return len(_THINK_OPEN.findall(before)) > len(_THINK_CLOSE.findall(before))


def _uncover(text: str) -> tuple[str, str]:
    """What is outside of thinking tags, and what is inside them. A closing tag without an opening one covers what is before."""
    outside, inside, depth, at = [], [], 0, 0
    marks = sorted(
        [(m.start(), m.end(), 1) for m in _THINK_OPEN.finditer(text)]
        + [(m.start(), m.end(), -1) for m in _THINK_CLOSE.finditer(text)]
    )
    for start, end, step in marks:
        piece = text[at:start]
        if depth == 0 and step < 0:
            inside += [*outside, piece]
            outside = []
        else:
            (inside if depth else outside).append(piece)
        depth = max(0, depth + step)
        at = end
    (inside if depth else outside).append(text[at:])
    said = _ANY_TAG.sub("", "".join(outside))
    return said, "\n".join(piece.strip() for piece in inside if piece.strip())


def _untag(text: str) -> str:
    for pattern in (_THINK_OPEN, _THINK_CLOSE, _SPEAK_OPEN, _SPEAK_CLOSE, _ANY_TAG):
        text = pattern.sub("", text)
    return text.strip()


_MARKS = r"[\s*_`#>\-]*"
_VOTE_LINE = re.compile(rf"^{_MARKS}(?:my\s+)?vote{_MARKS}[:=]{_MARKS}[\"'“]?\s*(?P<choice>[^\W\d_][\w\- ]*)", re.I | re.M)
_EXACT_VOTE = re.compile(r"^VOTE: (FOR|AGAINST|ABSTAIN)\s*$", re.M)
_FIELD = r"^{marks}{name}{marks}[:=][ \t*_]*(?P<text>.*?)(?=\n{marks}(?:VOTE|REASON|DISSENT){marks}[:=]|\Z)"

_WORDS = {
    Vote.FOR: "for favor favour yes aye yea approve approved support pro in-favor in-favour ja oui si sí dafür pour sim",
    Vote.AGAINST: "against no nay oppose opposed reject contra nein non dagegen contre contra não",
    Vote.ABSTAIN: "abstain abstention abstaining enthaltung abstiens abstengo abstenho",
}
_CHOICE_OF = {word: vote for vote, words in _WORDS.items() for word in words.split()}

_PROSE = (
    (Vote.ABSTAIN, r"\bI(?:\s+(?:must|shall|will|choose\s+to|have\s+to))?\s+abstain\b|\bmy\s+vote\s+is\s+(?:an?\s+)?abst"),
    (
        Vote.AGAINST,
        r"\bI(?:'ll|\s+will|\s+must|\s+shall|\s+have\s+to|\s+cast\s+my|\s+therefore)?\s*vote\s+(?:is\s+)?against\b"
        r"|\bmy\s+vote\s+is\s+(?:against|no|nay)\b|\bI\s+vote\s+(?:no|nay)\b|\bI\s+oppose\s+(?:this|the)\s+(?:motion|resolution)\b",
    ),
    (
        Vote.FOR,
        r"\bI(?:'ll|\s+will|\s+must|\s+shall|\s+cast\s+my|\s+therefore)?\s*vote\s+(?:is\s+)?(?:for|in\s+favou?r|yes|aye)\b"
        r"|\bmy\s+vote\s+is\s+(?:for|in\s+favou?r|yes|aye)\b|\bI\s+support\s+(?:this|the)\s+(?:motion|resolution)\b",
    ),
)
_NEGATED = re.compile(r"\b(?:not|never|n't|cannot|hardly)\s+(?:\w+\s+){0,2}$", re.I)


def vote_in(text: str) -> tuple[Vote | None, bool]:
    """(choice, exact). The VOTE line decides where there is one; prose only when it says one thing, and not by denying it."""
    exact = _EXACT_VOTE.findall(text)
    if len(set(exact)) == 1:
        return Vote(exact[0]), True
    lines = [choice_of(found["choice"]) for found in _VOTE_LINE.finditer(text)]
    if lines:
        return (lines[0], False) if len(set(lines)) == 1 else (None, False)
    said = set()
    for vote, pattern in _PROSE:
        for found in re.finditer(pattern, text, re.I):
            if not _NEGATED.search(text[: found.start()]) and not _conditional(text, found.start()):
                said.add(vote)
    return (said.pop(), False) if len(said) == 1 else (None, False)


def _conditional(text: str, at: int) -> bool:
    """`I would vote against` is not a vote."""
    return bool(re.match(r"I\s+(?:would|could|might|may)\b", text[at:], re.I))


def choice_of(word: str) -> Vote | None:
    """A vote's word in any case, with decoration, or translated; None for anything else (`9/10`, `N/A`)."""
    words = re.findall(r"[^\W\d_]+", word.casefold())
    if not words:
        return None
    if words[0] == "in" and len(words) > 1:
        words = words[1:]
    return _CHOICE_OF.get(words[0])


def field(text: str, name: str) -> str:
    """The text after `NAME:` up to the next of the three fields."""
    found = re.search(_FIELD.format(name=name, marks=_MARKS), text, re.I | re.M | re.S)
    said = found["text"].strip().strip("*").strip() if found is not None else ""
    return "" if said.casefold() in ("none", "n/a", "na", "-", "—") else said


_RESOLVED = re.compile(
    r"(?:\{MOTION:\s*\")?(?P<text>(?:RESOLVED,?\s+That|I\s+move\s+that)\b.*?)(?:\"\s*\}|\n\s*\n|\Z)", re.I | re.S
)


def motion_in(text: str) -> str:
    """The words of a motion in prose: from RESOLVED or "I move that" to the end of the paragraph."""
    found = _RESOLVED.search(text)
    return found["text"].strip().strip('"').strip() if found is not None else ""


_SECONDS = re.compile(
    r"(?<!not )(?<!n't )\b(?:I\s+(?:will\s+|hereby\s+|gladly\s+)?second|SECONDED)\b(?!\s+thought)"
    r"|^\W*SECOND\b(?=\W*$|[.!]\s|\s+(?:it|the\s+motion)\b)",
    re.I | re.M,
)
_DECLINES = re.compile(
    r"\b(?:do\s+not|don't|cannot|can't|will\s+not|won't|decline\s+to|unable\s+to)\s+second\b|^\W*(?:no|pass|decline)\b", re.I
)
_ABSENT = re.compile(r"\b(?:absent|not\s+present)\b", re.I)
_PRESENT = re.compile(r"\b(?:present|here|aye)\b", re.I)
_YES = re.compile(r"^\W*(?:yes|i\s+object|objection|object|i\s+appeal|appeal|well\s+taken|support)\b", re.I)
_NO = re.compile(r"^\W*(?:no|none|without|i\s+(?:do\s+not|don't)|not\s+well|consent|agreed)\b", re.I)


def second_in(text: str) -> bool | None:
    if _DECLINES.search(text):
        return False
    return True if _SECONDS.search(text) else None


def present_in(text: str) -> bool | None:
    if _ABSENT.search(text):
        return False
    return True if _PRESENT.search(text) else None


def yes_in(text: str) -> bool | None:
    """A yes or no that begins the reply."""
    if _NO.search(text):
        return False
    return True if _YES.search(text) else None
