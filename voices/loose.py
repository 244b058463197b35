"""JSON as models break it: cut off, in a code fence, with words around it, a comma too many, a quotation mark too few.

Reads from the front as far as the text is one object beyond doubt, and stops there. What follows a fault is not guessed at,
because a quotation mark that a model forgot to escape may stand in a whisper (law 7).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from voices.whispers import part

_DEPTH = 12
"""How deep objects may lie in each other."""

_SPACE = re.compile(r"[\s\ufeff\u200b]*")
_BARE = re.compile(r"[A-Za-z_][A-Za-z_ ]{0,23}(?=\s*[,}\]\n])|-?\d{1,15}(?:\.\d{1,15})?(?=\s*[,}\]])")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_STRING_PART = re.compile(r'[^"\\]+')


@dataclass
class Loose:
    """What could be read. `cut`: fields whose value may not be whole; `clashing`: fields given twice and differently."""

    fields: dict[str, Any] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    clashing: set[str] = field(default_factory=set)


class _Fault(Exception):
    """The text is no JSON from here on, or it ends here."""


_MISSING = object()


class _Parser:
    def __init__(self, text: str, at: int, known: frozenset[str]) -> None:
        self.text = text
        self.at = at
        self.known = known
        self.found = Loose()

    def peek(self) -> str:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found is not None else self.at
        if self.at >= len(self.text):
            raise _Fault
        return self.text[self.at]

    def string(self, keep: list[str]) -> str:
        """A string in double quotation marks; `keep` has what was read of it if it breaks off."""
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                return "".join(keep)
            if char == "\\":
                self.escape(keep)
            else:
                part = _STRING_PART.match(self.text, self.at)
                assert part is not None
                keep.append(part[0])
                self.at = part.end()
        raise _Fault

    def escape(self, keep: list[str]) -> None:
        char = self.text[self.at + 1 : self.at + 2]
        if not char:
            self.at = len(self.text)
            raise _Fault
        self.at += 2
        if char != "u":
            keep.append(_ESCAPES.get(char, char))
            return
        code = self._hex()
        if 0xD800 <= code < 0xDC00 and self.text[self.at : self.at + 2] == "\\u":
            before = self.at
            self.at += 2
            second = self._hex()
            if 0xDC00 <= second < 0xE000:
                code = 0x10000 + (code - 0xD800) * 0x400 + second - 0xDC00
            else:
                self.at = before
        keep.append(chr(code))

    def _hex(self) -> int:
        digits = self.text[self.at : self.at + 4]
        if not re.fullmatch(r"[0-9A-Fa-f]{4}", digits):
            raise _Fault
        self.at += 4
        return int(digits, 16)

    def value(self, depth: int) -> Any:
        """A value below the top level: whole, or a fault."""
        if depth > _DEPTH:
            raise _Fault
        char = self.peek()
        if char == '"':
            return self.string([])
        if char == "{":
            found: dict[str, Any] = {}
            for key in self.keys():
                found.setdefault(key, self.value(depth + 1))
            return found
        if char == "[":
            items: list[Any] = []
            self.items(items, depth + 1)
            return items
        return self.bare()

    def items(self, into: list[Any], depth: int) -> None:
        """The items of a list; only whole ones get into it."""
        self.at += 1
        while self.peek() != "]":
            into.append(self.value(depth))
            self.separator("]")
        self.at += 1

    def bare(self) -> Any:
        found = _BARE.match(self.text, self.at)
        if found is None:
            raise _Fault
        self.at = found.end()
        word = found[0].strip()
        if word in ("true", "false", "null"):
            return _WORDS[word]
        if word[0].isdigit() or word[0] == "-":
            return float(word) if "." in word else int(word)
        return _WORDS.get(word.casefold(), word)

    def separator(self, closer: str) -> None:
        """A comma, or the end. One comma too many is forgiven."""
        char = self.peek()
        if char == closer:
            return
        if char != ",":
            raise _Fault
        self.at += 1

    def keys(self) -> Any:
        """The keys of the object that opens here, each when its value is next."""
        self.at += 1
        while self.peek() != "}":
            if self.text[self.at] != '"':
                raise _Fault
            key = self.string([])
            if self.peek() == ":":
                self.at += 1
            elif key not in self.known:
                raise _Fault  # a colon may be forgotten only after a name that can be nothing else
            yield key
            self.separator("}")
        self.at += 1

    def top(self) -> Loose:
        found = self.found
        key = ""
        try:
            for key in self.keys():
                self._member(key)
        except _Fault:
            if isinstance(found.fields.get(key), str) and self.text[self.at : self.at + 1] not in ("", ",", "}"):
                found.cut.add(key)  # it ended where no value ends: at a quotation mark inside of it, maybe
        for key in found.clashing:
            found.fields.pop(key, None)
        return found

    def _member(self, key: str) -> None:
        fields, before = self.found.fields, self.found.fields.get(key, _MISSING)
        char = self.peek()
        value: Any
        try:
            if char == '"':
                keep: list[str] = []
                try:
                    value = self.string(keep)
                except _Fault:
                    value = "".join(keep)
                    self.found.cut.add(key)
                    raise
            elif char == "[":
                value = []
                self.found.cut.add(key)
                self.items(value, 1)
                self.found.cut.discard(key)
            else:
                value = self.value(1)
        except _Fault:
            if char in '"[' and before is _MISSING:
                fields[key] = value
            raise
        if before is _MISSING:
            fields[key] = value
        elif before != value:
            self.found.clashing.add(key)


_BEGIN = re.compile(r"\{[\s\ufeff\u200b]*\"")


def begin_of(text: str, known: frozenset[str]) -> int | None:
    """Where an object with one of the `known` names begins; None when there is none."""
    for begin in _BEGIN.finditer(text):
        name = re.compile(r'[A-Za-z_]{1,40}(?=")').match(text, begin.end())
        if name is not None and name[0] in known:
            return begin.start()
    return None


def parse(text: str, at: int, known: frozenset[str]) -> Loose:
    """The object that begins at `at`, as far as it is one. Never raises."""
    return _Parser(text, at, known).top()


def exactly(text: str) -> dict[str, Any] | None:
    """The object that is the whole text, by the letter of the format and without a name given twice; else None."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(found)
        if len(fields) < len(found):
            raise ValueError
        return fields

    try:
        found = json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def whole_object(reply: str, known: frozenset[str], needed: str) -> tuple[dict[str, Any], bool] | None:
    """The object of a reply that has the `needed` name, and whether it is the reply by the letter of the format.

    With words around it, in a fence, or with a comma too many it counts; cut off, or naming a field twice and differently,
    it does not. Nothing is taken from a whisper (law 7).
    """
    exact = exactly(reply)
    if exact is not None and needed in exact:
        return exact, True
    words = spoken_words(reply)
    begin = begin_of(words, known)
    if begin is None:
        return None
    found = parse(words, begin, known)
    if found.cut or found.clashing or needed not in found.fields:
        return None
    return found.fields, False


def spoken_words(reply: str) -> str:
    """What of a reply is no whisper, beyond doubt."""
    parted = part(reply)
    return f"{parted.speech if parted.spoke else ''}\n{parted.outside if parted.settled else ''}".strip()
