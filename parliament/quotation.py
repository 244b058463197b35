"""What of a text is quoted: quotation marks, code spans, fences, and braces that only group (DESIGN, "Decisions").

The chairman's commands are live only in its own plain words. This module knows nothing of commands; it says where a
quoted stretch ends. Everything doubtful counts as quoted: a command that does not act can be said again, one that acts
by mistake cannot be unsaid. Each function looks at a stretch once and ends no later than the paragraph when something
is unbalanced, so reading a text takes time linear in its length.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

_CLOSES = {
    '"': '"',
    "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{DOUBLE HIGH-REVERSED-9 QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{DOUBLE LOW-9 QUOTATION MARK}": "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}",
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": (
        "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    ),
    "\N{FULLWIDTH QUOTATION MARK}": "\N{FULLWIDTH QUOTATION MARK}",
}
"""Each double quotation mark that can open, and the marks that close it. Single ones never quote: they are apostrophes."""

_ONLY_BY_SHAPE = "\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
"""Marks that usually close; they open (Swedish, Danish) only where the text around them says so."""

MARKS = frozenset("".join(_CLOSES) + "".join(_CLOSES.values()))
_BEFORE_OPENING = frozenset("([{<:=/-\N{EN DASH}\N{EM DASH}") | MARKS
_AFTER_CLOSING = frozenset(".,;:!?)]}>\N{HORIZONTAL ELLIPSIS}") | MARKS

_NEWLINE = re.compile(r"\r\n|\r|\n")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)")
_TICKS = re.compile(r"`+")
_MARK = re.compile("[" + "".join(sorted(MARKS)) + "]")
_NOTABLE = re.compile("[`{" + "".join(sorted(_CLOSES)) + "]")
_IN_BRACES = re.compile("[{}" + "".join(sorted(_CLOSES)) + "]")


class Script:
    """A text with its paragraphs and fences found, and the ends of what is quoted in it. Positions are indices."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.fences: dict[int, int] = {}
        ends: list[int] = []
        self._find_blocks(ends)
        ends.append(len(text))
        self._ends = ends

    def _find_blocks(self, ends: list[int]) -> None:
        """Paragraphs end at blank lines and at fences (CommonMark 4.5, 4.8); an unclosed fence runs to the end."""
        text = self.text
        start, opened, fence = 0, 0, ""
        while start < len(text):
            newline = _NEWLINE.search(text, start)
            end, following = (newline.start(), newline.end()) if newline else (len(text), len(text))
            found = _FENCE.match(text, start, end)
            if fence:
                if found and found[1].startswith(fence) and not found[2].strip():
                    self.fences[opened] = end
                    fence = ""
            elif found and not (found[1][0] == "`" and "`" in found[2]):
                opened, fence = start, found[1]
                ends.append(start)
            elif not text[start:end].strip():
                ends.append(start)
            start = following
        if fence:
            self.fences[opened] = len(text)

    @cached_property
    def _fence_starts(self) -> list[int]:
        return sorted(self.fences)

    def next_fence(self, at: int) -> int:
        """Where the next fence at or after `at` starts; the text's length when there is none."""
        n = bisect_left(self._fence_starts, at)
        return self._fence_starts[n] if n < len(self._fence_starts) else len(self.text)

    def paragraph_end(self, at: int) -> int:
        """Where the paragraph that holds position `at` ends: at the next blank line, fence, or the end of the text."""
        return self._ends[bisect_right(self._ends, at)] if at < len(self.text) else len(self.text)

    def next_notable(self, at: int) -> int:
        """The next position that may open something: a quotation, a code span, a brace, a fence."""
        found = _NOTABLE.search(self.text, at)
        return min(found.start() if found else len(self.text), self.next_fence(at))

    def opens_quotation(self, at: int) -> bool:
        """Whether the character at `at` opens a quotation when none is open."""
        mark = self.text[at]
        return mark in _CLOSES and (mark not in _ONLY_BY_SHAPE or self._looks_opening(at))

    def _looks_opening(self, at: int) -> bool:
        before = self.text[at - 1] if at else " "
        after = self.text[at + 1] if at + 1 < len(self.text) else " "
        return (before.isspace() or before in _BEFORE_OPENING) and not (after.isspace() or after in _AFTER_CLOSING)

    def closing_mark(self, at: int, limit: int) -> int | None:
        """The position of the mark that closes the quotation opened at `at`, before `limit`; None: it is unbalanced.

        A quotation inside the quotation is seen by its shape: a straight mark after a space and before a letter opens.
        A backslash takes the meaning from the mark that follows it.
        """
        text, opener = self.text, self.text[at]
        closers = _CLOSES[opener]
        depth, position = 1, at + 1
        while position < limit:
            char = text[position]
            if char == "\\":
                position += 2
                continue
            if char in closers and not (char == opener and self._looks_opening(position)):
                depth -= 1
                if not depth:
                    return position
            elif char == opener:
                depth += 1
            position += 1
        return None

    def quotation_end(self, at: int) -> int:
        """Where the quotation opened at `at` ends (exclusive). An unbalanced one ends at the paragraph.

        A quotation of several paragraphs is balanced only beyond doubt: the very next mark must close it by its shape.
        """
        paragraph = self.paragraph_end(at)
        closing = self.closing_mark(at, paragraph)
        if closing is not None:
            return closing + 1
        following = _MARK.search(self.text, at + 1, self.next_fence(at))
        if following and following[0] in _CLOSES[self.text[at]] and self._looks_opening(at):
            mark = following.start()
            if mark >= paragraph and not self.text[mark - 1].isspace() and not self._looks_opening(mark):
                return mark + 1
        return paragraph

    def code_end(self, at: int) -> int:
        """Where the code span opened by the backticks at `at` ends: at as many backticks, else at the paragraph."""
        ticks = _TICKS.match(self.text, at)
        limit = self.paragraph_end(at)
        if ticks is None:
            return limit
        for closing in _TICKS.finditer(self.text, ticks.end(), limit):
            if len(closing[0]) == len(ticks[0]):
                return closing.end()
        return limit

    def braces_end(self, at: int) -> int:
        """Where the group opened by the brace at `at` ends: at its partner, else at the paragraph."""
        limit = self.paragraph_end(at)
        depth, position = 0, at
        while found := _IN_BRACES.search(self.text, position, limit):
            position = found.end()
            if found[0] == "{":
                depth += 1
            elif found[0] == "}":
                depth -= 1
                if not depth:
                    return position
            elif self.opens_quotation(found.start()):
                closing = self.closing_mark(found.start(), limit)
                if closing is None:
                    return limit
                position = closing + 1
        return limit
