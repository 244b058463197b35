"""Speech out of a reply that is still coming: only what is positively speech, never a whisper (law 7)."""

from __future__ import annotations

import re

from parliament.text import printable
from voices.whispers import Kind, Piece, Scanner

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_BEGIN = re.compile(r"[\s\ufeff]*(?:(?:```|~~~)[A-Za-z]*[ \t]*\r?\n\s*)?")
_FENCE_SO_FAR = re.compile(r"[\s\ufeff]*(?:`{1,2}|~{1,2}|(?:```|~~~)[A-Za-z]*[ \t]*\r?)?\Z")
_BARE = frozenset("-+.0123456789eEtruefalsn")


class _Speaking:
    """The top-level value of "speaking" in a JSON object that comes in pieces; ends at the first thing that is no JSON."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._expect = "value"
        self._key: str | None = None  # the top-level key whose value comes
        self._string: list[str] | None = None
        self._escape = ""  # a backslash and what followed it so far
        self._high = 0  # the first half of a surrogate pair
        self._over = False
        self.ended = False  # the value is complete

    def feed(self, text: str) -> str:
        said: list[str] = []
        for char in text:
            if self._over:
                break
            if self._string is None:
                self._over = not self._structure(char)
            elif (found := self._in_string(char)) and self._wanted:
                said.append(found)
        return "".join(said)

    @property
    def _wanted(self) -> bool:
        return self._expect == "value" and self._key == "speaking" and len(self._open) == 1 and not self.ended

    def _structure(self, char: str) -> bool:
        """Take a character outside of strings; False when it cannot stand there."""
        if char.isspace():
            return True
        expect = self._expect
        if char == '"' and expect in ("key", "first key", "value", "first value"):
            if expect.startswith("first"):
                self._expect = expect.removeprefix("first ")
            self._string = []
            return True
        if expect in ("value", "first value") and char in "{[":
            self._open.append(char)
            self._expect = "first key" if char == "{" else "first value"
            return True
        if expect == "colon" and char == ":":
            self._expect = "value"
            return True
        if expect in ("value", "first value", "bare") and char in _BARE and self._open:
            self._expect = "bare"
            return True
        if char == "," and expect in ("next", "bare"):
            self._expect = "key" if self._open[-1] == "{" else "value"
            return True
        if char in "}]" and expect in ("next", "bare", "first key", "first value") and self._open:
            if (self._open.pop() == "{") is not (char == "}") or not self._open:
                return False  # wrong bracket, or the object is complete: nothing after it is speech
            self._expect = "next"
            return True
        return False

    def _in_string(self, char: str) -> str:
        """Take a character of a string; the decoded character, if it completes one."""
        if self._escape:
            return self._escaped(char)
        if char == "\\":
            self._escape = char
            return ""
        if char != '"':
            return self._keep(char)
        self._close()
        return ""

    def _close(self) -> None:
        assert self._string is not None
        if self._expect == "key":
            if len(self._open) == 1:
                self._key = "".join(self._string)
            self._expect = "colon"
        else:
            self.ended = self.ended or self._wanted
            self._expect = "next"
        self._string, self._high = None, 0

    def _escaped(self, char: str) -> str:
        if self._escape == "\\" and char != "u":
            self._escape = ""
            return self._keep(_ESCAPES.get(char, char))
        self._escape += char
        if len(self._escape) < 6:
            return ""
        digits, self._escape = self._escape[2:], ""
        if not re.fullmatch(r"[0-9A-Fa-f]{4}", digits):
            self._over = True
            return ""
        code = int(digits, 16)
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return ""
        if 0xDC00 <= code < 0xE000 and self._high:
            code = 0x10000 + (self._high - 0xD800) * 0x400 + code - 0xDC00
        return self._keep(chr(code))

    def _keep(self, char: str) -> str:
        self._high = 0
        if self._expect == "key" and self._string is not None and len(self._string) < 40:
            self._string.append(char)
        return char


class SpeechStream:
    """Feed it the raw reply in any chunks; it gives back the new piece of speech, or nothing.

    A JSON reply: the value of the top-level "speaking", less what is marked as private in it. A plain one: what stands
    inside <speaking>. Anything else, words without tags included, is not positively speech and is heard when the reply is
    complete. Whatever the chunks, the same reply gives the same speech.
    """

    def __init__(self) -> None:
        self._head = ""  # until it is clear what form the reply has
        self._json: _Speaking | None = None
        self._scanner: Scanner | None = None
        self._value = ""  # the first characters of a speech: it may be a whole reply over again
        self._mute: bool | None = None
        self._done = False

    def feed(self, chunk: str) -> str:
        """The speech that became certain with this chunk."""
        if self._scanner is None:
            self._head += chunk
            chunk = self._begin()
            if self._scanner is None:
                return ""
        if self._done:
            return ""
        if self._json is None:
            return _speech(self._scanner.feed(chunk))
        value = self._json.feed(chunk)
        said = _speech(self._scanner.feed(self._unwrapped(value))) if value else ""
        if self._json.ended:
            self._done = True
            said += _speech([*self._scanner.feed("" if self._mute else self._value), *self._scanner.finish()])
        return said

    def _begin(self) -> str:
        """Decide what form the reply has; what of it is to be fed, or nothing as long as it is not clear."""
        head = self._head
        begin = _BEGIN.match(head)
        rest = head[begin.end() :] if begin is not None else head
        after = rest[1:].lstrip("\ufeff \t\r\n")
        if not rest or _FENCE_SO_FAR.match(head) or (rest[0] == "{" and not after):
            return ""
        self._head = ""
        if rest[0] == "{" and after[0] in '"}':
            self._json = _Speaking()
            self._scanner = Scanner(speaking=True)
            return rest
        self._scanner = Scanner()
        return head

    def _unwrapped(self, value: str) -> str:
        """The speech, unless it is a JSON object itself, as some models wrap it twice."""
        if self._mute is not None:
            return "" if self._mute else value
        self._value += value
        seen = self._value.lstrip()
        if not seen or (seen[0] == "{" and not seen[1:].lstrip()):
            return ""
        self._mute = seen[0] == "{" and seen[1:].lstrip()[0] == '"'
        value, self._value = self._value, ""
        return "" if self._mute else value


def _speech(pieces: list[Piece]) -> str:
    return printable("".join(piece.text for piece in pieces if piece.kind is Kind.SPEECH))
