"""Speech and whisper apart, while the words still come (law 7; source 000, Whisper Mode).

One incremental scanner serves the complete reply and the stream. What is marked as private in any way (tags that are
misspelt, nested, unclosed, cut off, in other brackets, or mere labels) is a whisper; inside an open whisper nothing is
speech, not even <speaking>. Anything doubtful counts as whisper: words can be asked for again, but not unsaid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from voices.tags import (
    BOUND,
    BRACKET,
    BRACKET_SO_FAR,
    BRACKETS,
    ENTITIES,
    HEADING,
    LABEL,
    LABEL_AND_MORE,
    LABEL_HEAD,
    LABEL_LIMIT,
    LABEL_WORDS,
    LEAD,
    NOTABLE,
    OPENLY_PRIVATE,
    OPENS,
    PLAIN_NAMES,
    TAG_LIMIT,
    WORD,
    Marker,
    meaning,
    near,
    plain_name,
)


class Kind(Enum):
    """What a stretch of a reply is. OUTSIDE: neither in a whisper nor in <speaking>."""

    SPEECH = "speech"
    OUTSIDE = "outside"
    WHISPER = "whisper"


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Kind
    text: str


class Scanner:
    """Feed it a reply in any chunks; it gives back pieces in order. The same reply gives the same pieces, however cut.

    `speaking`: the text is already speech (the value of "speaking"), unless something in it is marked as private.
    """

    def __init__(self, *, speaking: bool = False) -> None:
        self._buffer = ""
        self._at = 0
        self._line_start = True
        self._speaking = speaking
        self._value = speaking  # a value ends where its string ends, whatever tags it holds
        self._begun = False  # a word was emitted
        self._wrapped = False  # it stands in <speaking> once more
        self._stack: list[str] = []  # names of what is open and private, the outermost first
        self._pieces: list[Piece] = []
        self.emitted = 0  # pieces given back so far
        self.stray = 0  # how many pieces precede the last closing tag of a whisper that nothing opened
        self.exact = True  # every marker so far was written as asked
        self.marked = False  # there was any marker
        self.doubtful = False  # a whisper was closed by another name than it was opened with
        self.spoke = False  # there was a <speaking> that counts

    @property
    def whispering(self) -> bool:
        """Whether a whisper is open."""
        return bool(self._stack)

    @property
    def speaking(self) -> bool:
        """Whether a <speaking> is open."""
        return self._speaking

    def feed(self, text: str) -> list[Piece]:
        """The pieces that became certain with this text."""
        self._buffer += text
        return self._run(final=False)

    def finish(self) -> list[Piece]:
        """The pieces that were held back because a tag might have begun; one that is cut off is not heard."""
        return self._run(final=True)

    def _run(self, *, final: bool) -> list[Piece]:
        buffer = self._buffer
        while self._at < len(buffer):
            if self._line_start:
                if not self._label(final):
                    break
                if self._at >= len(buffer):
                    break
            found = NOTABLE.search(buffer, self._at)
            if found is None:
                self._emit(buffer[self._at :])
                self._at = len(buffer)
                break
            if found.start() > self._at:
                self._emit(buffer[self._at : found.start()])
                self._at = found.start()
            if buffer[self._at] == "\n":
                self._emit("\n")
                self._at += 1
                self._line_start = True
            elif not self._mark(final):
                break
        if final:
            self._at = len(buffer)
        self._buffer, self._at = buffer[self._at :], 0
        pieces, self._pieces = self._pieces, []
        self.emitted += len(pieces)
        return pieces

    def _emit(self, text: str) -> None:
        kind = Kind.WHISPER if self._stack else Kind.SPEECH if self._speaking else Kind.OUTSIDE
        self._begun = self._begun or not text.isspace()
        self._pieces.append(Piece(kind, text))

    def _label(self, final: bool) -> bool:
        """Read a label at the start of a line; False: wait for more of the line."""
        buffer, at = self._buffer, self._at
        line, newline, _ = buffer[at : at + LABEL_LIMIT].partition("\n")
        whole = bool(newline) or len(line) >= LABEL_LIMIT or final
        head = LABEL_HEAD.match(line)
        word = head["word"].casefold() if head is not None else ""
        ended = head is not None and (head.end() < len(line) or whole)
        possible = any(known == word if ended else known.startswith(word) for known in LABEL_WORDS)
        end = at + len(line)
        if possible and not whole and not LABEL_AND_MORE.match(buffer, at, end):
            return False
        self._line_start = False
        found = (HEADING.match(buffer, at, end) or LABEL.match(buffer, at, end)) if possible else None
        if found is None:
            return True
        self.exact = False
        if found["whisper"]:
            self.marked = True
            if not self._stack:
                self._stack.append("label")
        elif self._stack == ["label"]:
            self._stack.clear()
        elif self._stack:
            return True
        self._at = found.end()
        return True

    def _mark(self, final: bool) -> bool:
        """Read what stands at a notable character; False: wait for more, because a tag may have begun."""
        buffer, at = self._buffer, self._at
        opens = OPENS.match(buffer, at)
        if opens is None:
            return self._bracket(final)
        if buffer.startswith("!--", opens.end()):
            end = buffer.find("-->", opens.end())
            if end < 0 and not final:
                return False
            self._hide(buffer[at : end + 3 if end >= 0 else len(buffer)])
            return True
        lead = LEAD.match(buffer, opens.end())
        start = lead.end() if lead is not None else opens.end()
        if start >= len(buffer) or "<!--".startswith(buffer[at : at + 4]):
            if final:
                self._at = len(buffer)  # a tag that is cut off after its bracket
            return final
        if not (buffer[start].isalpha() or buffer[start] in "_:"):
            self._take(opens.end())
            return True
        bound = BOUND.search(buffer, start, start + TAG_LIMIT)
        if bound is None and len(buffer) - start < TAG_LIMIT and not final:
            return False
        if bound is None or bound["open"]:
            self._sloppy(opens.end(), start, final)
            return True
        marker = meaning(buffer[opens.end() : bound.start()])
        if marker is None or not self._apply(marker):
            self._take(bound.end())
        else:
            self._at = bound.end()
        return True

    def _take(self, end: int) -> None:
        """These characters are words like others."""
        self._emit(self._buffer[self._at : end])
        self._at = end

    def _hide(self, text: str) -> None:
        self._pieces.append(Piece(Kind.WHISPER, text))
        self.marked, self.exact = True, False
        self._at += len(text)

    def _sloppy(self, after: int, start: int, final: bool) -> None:
        """A tag that lacks its closing bracket: its first word decides."""
        word = WORD.match(self._buffer, start, start + TAG_LIMIT)
        end = word.end() if word is not None else start
        marker = meaning(self._buffer[after:end])
        if marker is not None and marker.what != "other" and self._apply(replace(marker, sure=False)):
            self.doubtful = self.doubtful or (marker.what == "whisper" and marker.closing)
            self._at = end
        elif final and end == len(self._buffer):
            self._at = end  # a tag that is cut off in its name
        else:
            self._take(end)

    def _bracket(self, final: bool) -> bool:
        """`[thinking]`, `(whisper: ...)` and their like."""
        buffer, at = self._buffer, self._at
        if buffer[at] not in BRACKETS:
            if not final and any(entity.startswith(buffer[at : at + 8].casefold()) for entity in ENTITIES):
                return False
            self._take(at + 1)
            return True
        found = BRACKET.match(buffer, at)
        if found is None:
            if not final and BRACKET_SO_FAR.match(buffer, at):
                return False
            self._take(at + 1)
            return True
        name = plain_name(found["name"])
        closing, end = bool(found["slash"]), found["end"]
        private = name in OPENLY_PRIVATE or near(name, "thinking")
        if end == ":" and private and not closing:
            stop = buffer.find(BRACKETS[buffer[at]], found.end())
            if stop < 0 and not final:
                return False
            self._hide(buffer[at : stop + 1 if stop >= 0 else len(buffer)])
        elif end == BRACKETS[buffer[at]] and buffer[at] != "(" and (private or name == "speaking"):
            self._apply(Marker("speech" if name == "speaking" else "whisper", closing, name, False))
            self._at = found.end()
        else:
            self._take(at + 1)
        return True

    def _apply(self, marker: Marker) -> bool:
        """Open or close what the marker says; False when it is nothing but words here."""
        if marker.what == "other":
            return self._other(marker)
        if marker.what == "speech" and self._value:
            return self._wrapping(marker)
        self.marked = self._line_start = True  # a label may follow a tag as it may begin a line
        self.exact = self.exact and marker.sure
        if marker.what == "whisper":
            if not marker.closing:
                self._stack.append(marker.name)
            elif self._stack:
                self._close(marker)
            else:
                self.stray = self.emitted + len(self._pieces)
                self.exact = False
        elif self._stack and self._stack != ["label"]:
            self.exact = False
        elif marker.sure:
            if not marker.closing:
                self._stack.clear()
                self.spoke = True
            self._speaking = not marker.closing
        elif marker.closing:
            self._speaking = False
        return True

    def _wrapping(self, marker: Marker) -> bool:
        """<speaking> around a value is not said; within it, it is a word that somebody quotes."""
        if not marker.closing and not self._begun:
            self._wrapped, self.exact = True, False
            return True
        wrapped, self._wrapped = self._wrapped, False
        return marker.closing and wrapped

    def _close(self, marker: Marker) -> None:
        """A closing tag of a whisper ends the innermost whisper, or what was opened under the same name."""
        if marker.sure or marker.name in self._stack or near(marker.name, self._stack[-1]):
            self.doubtful = self.doubtful or not (marker.sure or marker.name == self._stack[-1])
            self._stack.pop()

    def _other(self, marker: Marker) -> bool:
        """An unknown tag around words that are nobody's yet may be a whisper under another name."""
        if self._speaking and not self._stack:
            return False
        if marker.name in PLAIN_NAMES:
            return not self._stack
        if not marker.closing and not self._stack:
            self._stack.append(marker.name)
            self.marked, self.exact = True, False
        elif marker.closing and self._stack and self._stack[-1] == marker.name:
            self._stack.pop()
        else:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Parted:
    """A whole text, parted. `outside` is neither; `exact`: the tags were as asked."""

    speech: str
    outside: str
    whisper: str
    exact: bool
    marked: bool
    spoke: bool  # there was a <speaking> that counts
    settled: bool  # every whisper has its beginning and its end beyond doubt


def part(text: str, *, speaking: bool = False) -> Parted:
    """Part a whole text. A closing tag that nothing opened makes all that precedes it a whisper."""
    scanner = Scanner(speaking=speaking)
    pieces = [*scanner.feed(text), *scanner.finish()]
    if scanner.stray:
        pieces = [Piece(Kind.WHISPER, p.text) if n < scanner.stray else p for n, p in enumerate(pieces)]

    def words(kind: Kind) -> str:
        return "".join(piece.text for piece in pieces if piece.kind is kind).strip()

    closed = not scanner.whispering and (speaking or not scanner.speaking)
    return Parted(
        words(Kind.SPEECH),
        words(Kind.OUTSIDE),
        words(Kind.WHISPER),
        exact=scanner.exact and closed and not scanner.stray,
        marked=scanner.marked,
        spoke=scanner.spoke,
        settled=not scanner.whispering and not scanner.stray and not scanner.doubtful,
    )
