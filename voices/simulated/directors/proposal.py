"""What a simulated director can see in a proposal: sentences with the section they stand in, figures, files of a diff."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from parliament.text import one_line, printable

LONGEST = 220
"""Characters of a quoted sentence."""
READ = 400_000
"""Characters of each file that are looked through; a simulated director needs no more to find something to say."""

_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_DIFF_FILE = re.compile(r"^diff --git a/(\S+) b/(\S+)|^\+\+\+ b/(\S+)")
_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\S)[^.!?\n]*)*[.!?]?")
_MARKS = re.compile(r"[*`>#|]+")
_BULLET = re.compile(r"^\s*(?:[-*•+]|[0-9]{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Sentence:
    section: str
    text: str
    rank: float = 0.0  # below a sentence where it is a row of a table


@dataclass(frozen=True, slots=True)
class Proposal:
    """`title` is the first heading, else the file's name. A diff has its files instead of sections."""

    title: str
    sentences: tuple[Sentence, ...]
    sections: tuple[str, ...]
    is_diff: bool = False
    files: tuple[str, ...] = ()
    added: int = 0
    removed: int = 0

    def find(self, words: Sequence[str], *, but: frozenset[str] = frozenset()) -> Sentence | None:
        """The sentence with most of these words, the first of equals; None where none has one. `but`: these only where no other
        has any."""
        best: tuple[float, Sentence] | None = None
        for one in self.sentences:
            if one.text in but:
                continue
            text = f"{one.section} {one.text}".casefold()
            count = sum(
                2 if re.search(rf"(?<!\w){re.escape(word)}", one.text.casefold()) else 1 for word in words if _has(text, word)
            )
            if count and (best is None or count + one.rank > best[0]):
                best = (count + one.rank, one)
        if best is None and but:
            return self.find(words)
        return best[1] if best is not None else None


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}", text) is not None


@lru_cache(maxsize=16)
def look(documents: tuple[tuple[str, str], ...]) -> Proposal:
    """Look through the files of a proposal."""
    sentences: list[Sentence] = []
    sections: list[str] = []
    files: list[str] = []
    title = ""
    added = removed = 0
    for name, text in documents:
        section, fenced = name, False
        is_diff = _is_diff(text)
        for raw in text[:READ].splitlines():
            found = _DIFF_FILE.match(raw) if is_diff else None
            if found is not None:
                section = next(group for group in reversed(found.groups()) if group)
                if section not in files:
                    files.append(section)
                    sections.append(section)
                continue
            if is_diff:
                added += raw.startswith("+")
                removed += raw.startswith("-") and not raw.startswith("---")
                raw = raw[1:] if raw.startswith("+") else ""
            if _FENCE.match(raw):
                fenced = not fenced
                continue
            heading = None if fenced or is_diff else _HEADING.match(raw)
            if heading is not None:
                section = _plain(heading[1])
                sections.append(section)
                title = title or section
                continue
            if not fenced:
                rank = -1.5 if raw.strip().startswith("|") else 0.0
                found_here = (
                    [one_line(printable(raw)).strip()] if is_diff and raw.strip() else [] if is_diff else _sentences(raw)
                )
                sentences += [Sentence(section, one, rank) for one in found_here if len(one) > 8]
    title = title or one_line(printable(documents[0][0] if documents else "the proposal"))
    return Proposal(title, tuple(sentences), tuple(dict.fromkeys(sections)), bool(files), tuple(files), added, removed)


def _is_diff(text: str) -> bool:
    head = text[:5000]
    return head.startswith(("diff --git ", "--- a/")) or ("\n+++ b/" in head and "\n@@ " in head)


def _sentences(line: str) -> list[str]:
    line = _BULLET.sub("", line)
    if re.fullmatch(r"[\s|:-]*", line):
        return []
    if line.strip().startswith("|"):
        cells = [_plain(cell) for cell in line.strip().strip("|").split("|")]
        return [": ".join(cell for cell in cells if cell)] if any(cells) else []
    found = (_plain(match[0]) for match in _SENTENCE.finditer(line))
    return [one for one in found if len(one) > 12 or re.search(r"\d", one)]


def _plain(text: str) -> str:
    return one_line(_MARKS.sub("", printable(text))).strip()


def quoted(sentence: Sentence) -> str:
    """The sentence as a director quotes it, with its section."""
    text = sentence.text if len(sentence.text) <= LONGEST else sentence.text[:LONGEST].rsplit(" ", 1)[0] + " …"
    return f"“{text}” ({sentence.section})"
