"""What a simulated director can see in a proposal: sentences with the section they stand in, figures, files of a diff."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from parliament.text import one_line, printable, title_line
from voices.simulated.directors.aspects import Kind

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


_SOFTWARE = re.compile(
    r"\b(?:apis?|services?|databases?|deploy\w*|endpoints?|servers?|apps?|software|code|log-?ins?|tokens?|queues?|sql|postgres\w*|"
    r"schemas?|cache\w*|latency|pods?|backups?|browsers?|websites?|runner|backend|frontend|release)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(?:screens?|web ?pages?|apps?|buttons?|forms?|clicks?|websites?|browsers?|dashboards?|guests?|guide|log ?in)\b",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(r"^(?:not in scope|out of scope|non-goals?)\b", re.IGNORECASE)
_LOADS = re.compile(r"^(?:import|from|using|#include|require|use|package)\b")
_CONSTANT = re.compile(r"^\s*([A-Z][A-Z0-9_]{2,})\s*[:=]+\s*(\S.{0,40}?)[;,]?\s*$")
_JOINED = re.compile(
    r"(?:select|insert|update|delete)\b.*[\"']\s*(?:\+|%|\.format)|f[\"'](?:select|insert|update|delete)\b", re.IGNORECASE
)
_BOUND = re.compile(r"[=(,]\s*(?:\?|%s|:\w+|\$\d)")
_DEFINED = re.compile(r"^\s*(?:async )?(?:def|class|func|function|fn)\s+(\w+)")
_OF_SECURITY = re.compile("SESSION|TOKEN|LIMIT|KEY|EXPIR|AUTH")


@dataclass(frozen=True, slots=True)
class Sentence:
    section: str
    text: str
    rank: float = 0.0  # below a sentence where it is a row of a table
    code: bool = False  # a line of code
    block: int = 0  # sentences of one paragraph have one number


@dataclass(frozen=True, slots=True)
class Proposal:
    """`title` is the first heading or a first line that stands alone, else the file's name. A diff has its files instead of
    sections, and `facts` that its removed and added lines show together: ("security", sentence)."""

    title: str
    sentences: tuple[Sentence, ...]
    sections: tuple[str, ...]
    is_diff: bool = False
    files: tuple[str, ...] = ()
    added: int = 0
    removed: int = 0
    kind: Kind = Kind.SOFTWARE
    people: bool = True
    facts: tuple[tuple[str, str], ...] = ()

    def find(
        self, words: re.Pattern[str], *, but: frozenset[str] = frozenset(), code: bool = True, outside: bool = False
    ) -> Sentence | None:
        """The sentence with most of these words, the first of equals; None where none has one.

        `but`: these only where no other has any. `code`: whether lines of code are looked at. `outside`: what the proposal says
        is not in scope counts, too.
        """
        best: tuple[float, Sentence] | None = None
        for one in self.sentences:
            if one.text in but or (one.code and not code) or (not outside and _OUTSIDE.match(one.text)):
                continue
            count = len({found.group().casefold() for found in words.finditer(one.text)})
            if not count:
                continue
            worth = 2 * min(count, 3) + (1 if words.search(one.section) else 0) + one.rank
            if best is None or worth > best[0]:
                best = (worth, one)
        if best is None and but:
            return self.find(words, code=code, outside=outside)
        return best[1] if best is not None else None

    def after(self, sentence: Sentence) -> Sentence | None:
        """The next sentence of the same paragraph."""
        for one, following in pairwise(self.sentences):
            if one is sentence and following.block == sentence.block and not following.code:
                return following
        return None


@lru_cache(maxsize=16)
def look(documents: tuple[tuple[str, str], ...]) -> Proposal:
    """Look through the files of a proposal."""
    sentences: list[Sentence] = []
    sections: list[str] = []
    files: list[str] = []
    title = ""
    added = removed = 0
    facts: list[tuple[str, str]] = []
    fenced = False
    for name, text in documents:
        if _is_diff(text):
            more, plus, minus = _diff(name, text[:READ], files)
            sentences += more
            added, removed = added + plus, removed + minus
            facts += _facts(text[:READ])
            continue
        found, headings = _prose(text[:READ])
        sentences += found
        sections += headings
        title = title or (headings[0] if headings else title_line(text))
        fenced = fenced or any(_FENCE.match(line) for line in text[:READ].splitlines())
    title = title or one_line(printable(documents[0][0] if documents else "the proposal"))
    everything = tuple(dict.fromkeys([*sections, *files]))
    words = " ".join(one.text for one in sentences[:2000])
    software = fenced or _SOFTWARE.search(title) is not None or len(_SOFTWARE.findall(words)) >= 4
    return Proposal(
        title,
        tuple(sentences),
        everything,
        bool(files),
        tuple(files),
        added,
        removed,
        Kind.CHANGE if files else Kind.SOFTWARE if software else Kind.UNDERTAKING,
        _PEOPLE.search(f"{title} {words}") is not None,
        tuple(facts),
    )


def _facts(text: str) -> list[tuple[str, str]]:
    """What the lines that go and the lines that come show together: values that change, queries no longer put together from
    strings, what is defined anew."""
    found: list[tuple[str, str]] = []
    section = ""
    gone: dict[str, str] = {}
    joined = bound = False
    defined: list[str] = []
    for raw in text.splitlines():
        match = _DIFF_FILE.match(raw)
        if match is not None:
            section, gone, joined, bound = next(group for group in reversed(match.groups()) if group), {}, False, False
            continue
        line = one_line(printable(raw[1:]))
        constant = _CONSTANT.match(line)
        if raw.startswith("-"):
            if constant is not None:
                gone[constant[1]] = constant[2]
            joined = joined or _JOINED.search(line) is not None
        elif raw.startswith("+"):
            if constant is not None and gone.get(constant[1], constant[2]) != constant[2]:
                office = "security" if _OF_SECURITY.search(constant[1]) else "technical"
                found.append((office, f"{constant[1]} goes from {gone[constant[1]]} to {constant[2]} ({section})."))
            if joined and not bound and _BOUND.search(line):
                bound = True
                said = f"A query that was put together from strings has its values bound now: no injection there ({section})."
                found.append(("security", said))
            name = _DEFINED.match(line)
            if name is not None and "test" not in section and not name[1].startswith("_"):
                defined.append(name[1])
    if defined:
        names = ", ".join(dict.fromkeys(defined[:4]))
        found.append(("technical", f"It brings {names}{' and more' if len(defined) > 4 else ''}."))
    return found


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
        if len(line) <= 8 or _LOADS.match(line):
            continue
        said = _COMMENT.fullmatch(line)
        words = said[1].strip() if said is not None else line
        prose = said is not None or section.endswith((".md", ".rst", ".txt"))
        if len(words) > 8:
            found.append(Sentence(section, words, 0.0 if prose else -0.5, not prose))
    return found, added, removed


def _prose(text: str) -> tuple[list[Sentence], list[str]]:
    """The sentences of a Markdown or plain text, each under its heading; a paragraph goes over its lines."""
    found: list[Sentence] = []
    headings: list[str] = []
    section, fenced = "", False
    held: list[str] = []
    block = 0

    def close() -> None:
        nonlocal block
        if held:
            block += 1
            found.extend(Sentence(section, one, block=block) for one in _sentences(" ".join(held)) if len(one) > 8)
            held.clear()

    lines = text.splitlines()
    for n, raw in enumerate(lines):
        if _FENCE.match(raw):
            close()
            fenced = not fenced
            continue
        if fenced:
            continue
        heading = _HEADING.match(raw)
        if heading is not None:
            close()
            title = _plain(heading[1])
            section = title if headings else ""  # what stands under the title alone needs no place
            headings.append(title)
        elif raw.strip().startswith("|"):
            close()
            block += 1
            head = n + 1 < len(lines) and re.fullmatch(r"\s*\|?[\s|:-]*-[\s|:-]*", lines[n + 1]) is not None
            found.extend(Sentence(section, one, -1.5, block=block) for one in _row(raw) if len(one) > 8 and not head)
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
    text = (
        sentence.text.removesuffix(".") if len(sentence.text) <= LONGEST else sentence.text[:LONGEST].rsplit(" ", 1)[0] + " …"
    )
    return f"“{text}”" + (f" ({sentence.section})" if sentence.section else "")
