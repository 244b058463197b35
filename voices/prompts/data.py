"""People's text as data blocks of a prompt (law 3; SERVICE_SECURITY 13 and 15).

Whatever was not written in this package (agenda, board book, user input, other members' words, motions, persona files)
stands between two lines that carry the meeting's delimiter, with everything in it made inert by `defuse`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

from voices.base import AgendaBrief, Brief, DirectorBrief, SecretaryBrief

LEFT_BRACE, RIGHT_BRACE = "\N{MEDIUM LEFT CURLY BRACKET ORNAMENT}", "\N{MEDIUM RIGHT CURLY BRACKET ORNAMENT}"
"""What braces are shown as: they look like braces, no Unicode normalisation turns them into braces, no command has them."""

LESS, GREATER = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"

CAPS = {
    "topic": 500,
    "item": 9_000,
    "board book": 60_000,
    "words": 6_000,
    "motion": 3_000,
    "input": 4_000,
    "persona": 12_000,
    "name": 120,
}
"""Characters of one text of each kind; what is longer is cut, with a note that says so."""

_BRACES = {ord(c): LEFT_BRACE for c in "{\uff5b\ufe5b\ufe37\u2983"} | {ord(c): RIGHT_BRACE for c in "}\uff5d\ufe5c\ufe38\u2984"}
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_TAG_OPEN = re.compile(r"[<\uff1c\ufe64](?=\s*[A-Za-z/!?\uff0f])")
_TAG_CLOSE = re.compile(rf"({LESS}[^<>\n]{{0,200}}?)[>\uff1e\ufe65]")
_FENCE_LINE = re.compile(r"={3,}")
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def delimiter(brief: Brief | AgendaBrief | SecretaryBrief | DirectorBrief) -> str:
    """The meeting's data delimiter: the same in every prompt of a meeting (so that prompts share a cached prefix)."""
    return _delimiter(brief.meeting_id, brief.seed)


@lru_cache(maxsize=256)
def _delimiter(meeting_id: str, seed: int) -> str:
    digest = hashlib.sha256(f"{meeting_id}\0{seed}\0data".encode("utf-8", "replace")).hexdigest()
    return f"data-{digest[:16]}"


# The same texts (personas, agenda, transcript) come again in every prompt of a meeting: walked once, character by character.
@lru_cache(maxsize=8192)
def defuse(text: str, cap: int = CAPS["words"], mark: str = "") -> str:
    """`inert`, kept for the next prompt that holds the same text."""
    return inert(text, cap, mark)


def inert(text: str, cap: int = CAPS["words"], mark: str = "") -> str:
    """The text, inert: nothing in it can be a command, a tag or a delimiter, and all of it can be seen.

    Control, formatting (Cf: zero-width, directional, tag characters), private and unassigned characters are dropped.
    Braces, also full-width and small ones, become ❴ and ❵; the angle brackets of tags become ‹ and ›; the meeting's
    delimiter `mark` and runs of = that could imitate a data line are broken. Longer than `cap` characters: cut, with a note.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _DROPPED)
    text = text.translate(_BRACES)
    text = _TAG_OPEN.sub(LESS, text)
    text = _TAG_CLOSE.sub(rf"\1{GREATER}", text)
    text = _FENCE_LINE.sub("==", text)
    if mark:
        text = re.sub(re.escape(mark), "(delimiter)", text, flags=re.IGNORECASE)
    if len(text) > cap:
        return f"{text[:cap].rstrip()} … (cut here, {len(text) - cap} more characters)"
    return text


@lru_cache(maxsize=8192)
def line(text: str, cap: int = CAPS["name"], mark: str = "") -> str:
    """`defuse`, on one line."""
    return " ".join(defuse(text, cap, mark).split())


def block(mark: str, label: str, body: str) -> str:
    """A data block. `body` is defused already (it may be put together from several texts)."""
    return f"=== {mark} {label} ===\n{body}\n=== end {mark} ==="
