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
_COMMENT = re.compile(r"""(?:#+|//+|--|/?\*+|<!--|[rf]?\"{3}|[rf]?'{3})\s*(.*?)\s*(?:\*+/|-->|\"{3}|'{3})?""")
_BULLET = re.compile(r"^\s*(?:[-*•+]|[0-9]{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Sentence:
    section: str
    text: str
    rank: float = 0.0  # below a sentence where it is a row of a table
    code: bool = False  # a line of code


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

    def find(
        self, words: Sequence[str], *, but: frozenset[str] = frozenset(), code: bool = True, own: bool = False
    ) -> Sentence | None:
        """The sentence with most of these words, the first of equals; None where none has one.

        `but`: these only where no other has any. `code`: whether lines of code are looked at. `own`: a word in the section's
        heading does not count.
        """
        best: tuple[float, Sentence] | None = None
        for one in self.sentences:
            if one.text in but or (one.code and not code):
                continue
            text, section = one.text.casefold(), one.section.casefold()
            count = sum(2 if _has(text, word) else 1 if not own and _has(section, word) else 0 for word in words)
            if count and (best is None or count + one.rank > best[0]):
                best = (count + one.rank, one)
        if best is None and but:
            return self.find(words, code=code, own=own)
        return best[1] if best is not None else None


def _has(text: str, word: str) -> bool:
    """Words begin so; short ones stand alone: "ci" is in no city."""
    ends = r"(?!\w)" if len(word) <= 3 and word.isalpha() else ""
    return re.search(rf"(?<!\w){re.escape(word)}{ends}", text) is not None


@lru_cache(maxsize=16)
def look(documents: tuple[tuple[str, str], ...]) -> Proposal:
    """Look through the files of a proposal."""
    sentences: list[Sentence] = []
    sections: list[str] = []
    files: list[str] = []
    title = ""
    added = removed = 0
    for name, text in documents:
        if _is_diff(text):
            more, plus, minus = _diff(name, text[:READ], files)
            sentences += more
            added, removed = added + plus, removed + minus
            continue
        found, headings = _prose(name, text[:READ])
        sentences += found
        sections += headings
        title = title or (headings[0] if headings else "")
    title = title or one_line(printable(documents[0][0] if documents else "the proposal"))
    everything = tuple(dict.fromkeys([*sections, *files]))
    return Proposal(title, tuple(sentences), everything, bool(files), tuple(files), added, removed)


def _diff(name: str, text: str, files: list[str]) -> tuple[list[Sentence], int, int]:
    """What a diff adds, line by line, under the file in which it stands; and how many lines come and go."""
    found: list[Sentence] = []
    added = removed = 0
    section = name
    for raw in text.splitlines():
        match = _DIFF_FILE.match(raw)
        if match is not None:
            section = next(group for group in reversed(match.groups()) if group)
            if section not in files:
                files.append(section)
            continue
        added += raw.startswith("+")
        removed += raw.startswith("-") and not raw.startswith("---")
        line = one_line(printable(raw[1:])).strip() if raw.startswith("+") else ""
        if len(line) <= 8:
            continue
        said = _COMMENT.fullmatch(line)
        words = said[1].strip() if said is not None else line
        prose = said is not None or section.endswith((".md", ".rst", ".txt"))
        if len(words) > 8:
            found.append(Sentence(section, words, 0.0 if prose else -0.5, not prose))
    return found, added, removed


def _prose(name: str, text: str) -> tuple[list[Sentence], list[str]]:
    """The sentences of a Markdown or plain text, each under its heading; a paragraph goes over its lines."""
    found: list[Sentence] = []
    headings: list[str] = []
    section, fenced = name, False
    held: list[str] = []

    def close() -> None:
        if held:
            found.extend(Sentence(section, one) for one in _sentences(" ".join(held)) if len(one) > 8)
            held.clear()

    for raw in text.splitlines():
        if _FENCE.match(raw):
            close()
            fenced = not fenced
            continue
        if fenced:
            continue
        heading = _HEADING.match(raw)
        if heading is not None:
            close()
            section = _plain(heading[1])
            headings.append(section)
        elif raw.strip().startswith("|"):
            close()
            found.extend(Sentence(section, one, -1.5) for one in _row(raw) if len(one) > 8)
        else:
            if not raw.strip() or _BULLET.match(raw):
                close()
            if raw.strip():
                held.append(_BULLET.sub("", raw).strip())
    close()
    return found, headings


def _is_diff(text: str) -> bool:
    head = text[:5000]
    return head.startswith(("diff --git ", "--- a/")) or ("\n+++ b/" in head and "\n@@ " in head)


def _row(line: str) -> list[str]:
    if re.fullmatch(r"[\s|:-]*", line):
        return []
    cells = [_plain(cell) for cell in line.strip().strip("|").split("|")]
    return [": ".join(cell for cell in cells if cell)] if any(cells) else []


def _sentences(paragraph: str) -> list[str]:
    if re.fullmatch(r"[\s|:=-]*", paragraph):
        return []
    found = (_plain(match[0]) for match in _SENTENCE.finditer(paragraph))
    return [one for one in found if len(one) > 12 or re.search(r"\d", one)]


def _plain(text: str) -> str:
    return one_line(_MARKS.sub("", printable(text))).strip()


def quoted(sentence: Sentence) -> str:
    """The sentence as a director quotes it, with its section."""
    text = sentence.text if len(sentence.text) <= LONGEST else sentence.text[:LONGEST].rsplit(" ", 1)[0] + " …"
    return f"“{text}” ({sentence.section})"
