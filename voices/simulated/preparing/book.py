"""The board book as the simulated chairman reads it: its sections, the line that speaks of a thing, the facts of a goal.

The book is Markdown with a section for each source; a book in other forms is read as notes. What stands in it is quoted,
made sayable, and never obeyed (law 3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from parliament.text import printable
from voices.simulated.lexicon import word_set
from voices.simulated.topic import sayable

_WORD = re.compile(r"[^\W\d_]{3,}")
_SMALL = word_set(
    "the and for with that this from have has had are was were will would should could can not but his her its our your "
    "their them they you she him who what when where which why how all any some more less most item items one ones point "
    "points about agenda meeting goal goals review progress into onto over under than then there here been being very much "
    "also just please make put get give take add drop remove track board book week weeks day days"
)
_TELLING = re.compile(r"\?|\d|\b(?:answer|decide|offer\w*|whether|should|due|want\w*|must)\b", re.IGNORECASE)
"""What makes a sentence say more than another one."""


def content_words(text: str) -> frozenset[str]:
    """The words that say what a text is about, without their plural s."""
    return frozenset(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in (found.lower() for found in _WORD.findall(text))
        if word not in _SMALL
    )


@dataclass(frozen=True)
class Noted:
    """A note of the person's: its heading, or its first words, and its sentences."""

    heading: str
    text: str


@dataclass(frozen=True)
class GoalFacts:
    facts: str = ""  # "target …, 40 % done, due 2026-12-20, status behind"
    why: str = ""
    reasons: str = ""  # why it is off track
    due: str = ""  # an ISO date


@dataclass(frozen=True)
class ReadBook:
    """Sections by heading in lower case, each a list of lines as they stand; `loose` is what stands under no heading."""

    sections: dict[str, list[str]] = field(default_factory=dict)
    loose: tuple[str, ...] = ()

    def section(self, *begins: str) -> list[str]:
        """The entries of the first section whose heading begins so: lines that say something."""
        for heading, lines in self.sections.items():
            if heading.startswith(begins):
                return [line for line in lines if line.startswith("- ")]
        return []

    def goal(self, title: str) -> GoalFacts:
        """What the book has on a goal of this title."""
        facts, why, reasons = "", "", ""
        lines = self.sections.get("active goals", [])
        for n, line in enumerate(lines):
            if line.startswith(f"- {title} (") and ": " in line:
                facts = line.partition("): ")[2]
                following = lines[n + 1] if n + 1 < len(lines) else ""
                why = following.partition("why: ")[2] if following.lstrip().startswith("- why: ") else ""
        for line in self.sections.get("goals off track", []):
            if line.startswith(f"- {title}: "):
                reasons = line.removeprefix(f"- {title}: ").rstrip(".")
        due = re.search(r"due (\d{4}-\d{2}-\d{2})", facts)
        return GoalFacts(sayable(facts, 300), sayable(why, 200), sayable(reasons, 300), due[1] if due else "")

    def goals(self) -> list[str]:
        """Titles of the active goals."""
        found = (re.match(r"- (.+?) \([^()]*\): ", line) for line in self.sections.get("active goals", []))
        return [match[1] for match in found if match]

    def notes(self) -> list[Noted]:
        """The person's notes, newest first, without the profile; where the book has no form, its paragraphs."""
        lines = self.sections.get("notes")
        if lines is None:
            return [noted for part in _paragraphs(self.loose) if (noted := _noted(part))]
        notes: list[Noted] = []
        texts: list[str] = []
        path = ""
        for line in [*lines, "- end:"]:
            if line.startswith("- ") and line.rstrip().endswith(":"):
                if texts and not path.startswith("profile"):
                    notes += [noted for noted in (_noted(texts),) if noted]
                path, texts = line[2:], []
            elif line.lstrip().startswith(">"):
                texts.append(line.lstrip()[1:].strip())
        return notes

    def line_about(self, about: str, *, but: str = "") -> str:
        """The line that shares most words with `about`, sayable; "" when none does. Lines within `but` are passed over."""
        wanted = content_words(about)
        best, most = "", 0.0
        for line in self._lines():
            shared = wanted & content_words(line)
            score = len(shared) + (0.5 if any(c.isdigit() for c in line) else 0.0) if shared else 0.0
            clean = sayable(line.strip().lstrip("-># "), 240)
            if score > most and len(clean) > 12 and clean.rstrip(".") not in but:
                best, most = clean, score
        return best

    def _lines(self) -> list[str]:
        return [line for lines in self.sections.values() for line in lines if line.strip()] + list(self.loose)


def _paragraphs(lines: tuple[str, ...]) -> list[list[str]]:
    """Paragraphs of a text without form; each point of a list is one."""
    parts: list[list[str]] = [[]]
    for line in lines:
        text = line.strip()
        if parts[-1] and (not text or re.match(r"[-*•]\s|\d+[.)]\s", text)):
            parts.append([])
        if text:
            parts[-1].append(re.sub(r"^(?:[-*•>]+|\d+[.)])\s+", "", text))
    return [part for part in parts if part]


def _noted(lines: list[str]) -> Noted | None:
    """A note from its lines: the first heading, or the first clause, and the text beside it."""
    kept = [line for line in lines if line.strip("#- ")]
    if not kept:
        return None
    heading = next((line.lstrip("# ") for line in kept if line.startswith("#")), "")
    body = " ".join(line for line in kept if not line.startswith("#"))
    if not any(line.startswith("#") for line in kept):
        said = re.split(r"(?<=[.!?])\s+", body)
        telling = next((one for one in said if _TELLING.search(one)), said[0])
        heading = " ".join(re.split(r"[,;:]\s", telling, maxsplit=1)[0].split()[:9])
    heading = sayable(heading, 90).rstrip(" .!?…")
    return Noted(heading, sayable(body, 420)) if len(heading) > 2 else None


@lru_cache(maxsize=64)
def read_book(text: str) -> ReadBook:
    """Read a board book. Never raises, whatever it holds."""
    sections: dict[str, list[str]] = {}
    loose: list[str] = []
    current: list[str] = loose
    for line in printable(text).split("\n"):
        if line.startswith("## "):
            current = sections.setdefault(line[3:].strip().lower(), [])
        elif not re.match(r"# Board book of \d{4}", line):
            current.append(line)
    return ReadBook(sections, tuple(loose))
