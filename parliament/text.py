"""People's text as data: made printable, made inert for Markdown, searched by whole words (law 3).

Nothing here interprets what a text says. Texts are kept as typed; what cannot be shown is shown by its picture.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_UNSHOWN = {c: chr(0x2400 + c) for c in range(0x20) if c not in (0x09, 0x0A)}  # U+2400 is the block of control pictures
_UNSHOWN |= {0x7F: "\u2421"}
_UNSHOWN |= dict.fromkeys(range(0x80, 0xA0), "\ufffd")
_UNSHOWN |= dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # lone surrogates: no encoding can carry them

_MARKUP = re.compile(r"[\\`*_\[\]|~]")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_BLOCK_START = re.compile(r"^(?:[#+=:-]|\d{1,9}(?=[.)]))")
_BARE_LINK = re.compile(r"(?i):(?=//)|(?<=\bwww)\.")


def printable(text: str) -> str:
    """The text with one kind of line end, and with control characters shown as their pictures (ESC as ␛).

    Idempotent. Tabs and line feeds stay. Neither PostgreSQL nor a terminal could take the rest as it is.
    """
    return _LINE_ENDS.sub("\n", text).translate(_UNSHOWN)


def one_line(text: str) -> str:
    """`printable` text on one line: line ends and tabs become single spaces, the ends are stripped."""
    return re.sub(r"[\n\t]\s*", " ", printable(text)).strip()


def shown_directions(text: str) -> str:
    """`one_line` with marks that turn the reading direction shown by their code."""
    return _BIDI.sub(lambda m: f"(U+{ord(m.group()):04X})", one_line(text))


def with_directions_shown(text: str) -> str:
    """The text as it is, on its lines, with marks that turn the reading direction shown by their code."""
    return _BIDI.sub(lambda m: f"(U+{ord(m.group()):04X})", text)


def is_blank(text: str) -> bool:
    """True when nothing in the text can be seen (white space, zero-width and formatting characters only)."""
    return not any(c.isprintable() and not c.isspace() for c in text)


def inert(text: str) -> str:
    """One line of text, escaped so that Markdown (with or without raw HTML) shows it as typed and does nothing else.

    Angle brackets become entities, so that the text is inert too where Markdown is pasted into a page. Directional
    overrides are shown by their code, because they could make a count or a name read backwards.
    """
    line = shown_directions(text)
    line = _ENTITY.sub("&amp;", line)
    line = _MARKUP.sub(lambda m: "\\" + m.group(), line)
    line = _BARE_LINK.sub(lambda m: "\\" + m.group(), line)
    line = line.replace("<", "&lt;").replace(">", "&gt;")
    return _BLOCK_START.sub(_escape_start, line)


def _escape_start(match: re.Match[str]) -> str:
    start = match.group()
    return start + "\\" if start[0].isdigit() else "\\" + start


def quoted(text: str, indent: str = "") -> str:
    """The text as a Markdown block quotation, line by line inert; paragraphs stay apart."""
    lines = [inert(line) for line in printable(text).strip().split("\n")]
    return "\n".join(f"{indent}> {line}".rstrip() if line else f"{indent}>" for line in lines)


def has_word(text: str, word: str) -> bool:
    """Whether `word` (or a phrase) stands in the lower-cased text as a whole: "user" is not in "users" or "superuser".

    A hyphen ends a word, so "data" is found in "data-driven" (DESIGN, Seating).
    """
    return re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text.lower()) is not None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """ " (did you mean 'x'?)" for the nearest known name, or "" when none is near."""
    near = difflib.get_close_matches(name.lower(), [str(each) for each in known], n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""


def brief(text: str, length: int = 60) -> str:
    """The text on one line, cut to `length` characters: what an error message may repeat of it."""
    line = one_line(text)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def title_line(text: str) -> str:
    """The first line of a plain text, where it stands alone and reads as a title; else ""."""
    first, _, rest = text.lstrip("\ufeff\r\n ").partition("\n")
    line = one_line(printable(first)).strip()
    stands_alone = rest.startswith(("\n", "\r\n"))
    return line if stands_alone and 3 < len(line) <= 100 and line[0].isalnum() and line[-1] not in ".:;,|" else ""
