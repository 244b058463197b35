"""What a tag, a bracket or a label in a reply means: a whisper, the speech, or nothing (law 7).

Models misspell the tags they are asked for, put them in other brackets, or only name what follows. Names near to the asked
ones count as them; zero-width characters, full-width letters and entities hide nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA


@dataclass(frozen=True, slots=True)
class Marker:
    """What a tag means. `sure`: written as asked."""

    what: str  # whisper, speech or other
    closing: bool
    name: str
    sure: bool


ENTITIES = ("&lt;", "&#60;", "&#x3c;", "\\u003c")
_OPENER = r"(?:[<\uff1c\ufe64\u2039\u2329\u3008\u27e8]|&lt;|&#60;|&#x3c;|\\u003c)"
_CLOSER = r"(?:[>\uff1e\ufe65\u203a\u232a\u3009\u27e9]|&gt;|&#62;|&#x3e;|\\u003e)"
OPENS = re.compile(_OPENER, re.I)
BOUND = re.compile(f"(?P<open>{_OPENER})|{_CLOSER}", re.I)
NOTABLE = re.compile(r"[<\uff1c\ufe64\u2039\u2329\u3008\u27e8&\\\[(\u3010{\n]")
_UNSEEN = r"\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
LEAD = re.compile(rf"[{_UNSEEN}]*[/\\\uff0f]?[{_UNSEEN}]*")
WORD = re.compile(rf"[\w:.\-{_UNSEEN[2:]}]+")
TAG_LIMIT = 80
"""Characters a tag may have. What is longer is no tag."""

# fmt: off
OPENLY_PRIVATE = frozenset({"thinking", "think", "thought", "thoughts", "whisper", "whispers", "scratchpad", "monologue"})
"""Names that mark a whisper in any form; those below only in angle brackets, since they are words of debate too."""

_WHISPER_NAMES = OPENLY_PRIVATE | {
    "whispering", "reasoning", "reason", "reflection", "reflections", "innermonologue", "innerthoughts", "private", "internal",
    "hidden", "secret", "analysis", "cot", "antthinking", "notes", "rationale",
}
_NEAR = ("thinking", "think", "thought", "thoughts", "whisper", "whispering", "reasoning", "reflection", "scratchpad")
_SPEECH_NAMES = frozenset({"speaking", "speak", "speech", "say", "saying", "said", "spoken"})
PLAIN_NAMES = frozenset({
    "a", "b", "i", "em", "strong", "p", "br", "u", "s", "q", "ul", "ol", "li", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "code",
    "pre", "span", "div", "blockquote", "sup", "sub", "small", "table", "tr", "td", "th", "cite", "mark", "abbr", "response",
    "reply", "answer", "message", "output", "result", "final", "root", "xml", "body", "html", "document", "turn",
})
"""Tags that dress words or wrap a whole reply: they mark nothing as private."""
# fmt: on

BRACKETS = {"[": "]", "(": ")", "{": "}", "\u3010": "\u3011"}
BRACKET = re.compile(r"[\[({\u3010]\s{0,3}(?P<slash>[/\\]?)\s{0,3}(?P<name>[A-Za-z_\-]{3,24})\s{0,3}(?P<end>[\])}\u3011:])")
BRACKET_SO_FAR = re.compile(r"[\[({\u3010]\s{0,3}[/\\]?\s{0,3}[A-Za-z_\-]{0,24}\s{0,3}\Z")

_LEAD_IN = r"[ \t>#*_\-\u2022]*"
_PRIVATE = r"(?:(?:my|private|inner|internal|hidden)[ \t]+)*(?:thinking|thoughts?|whisper|monologue|scratchpad)"
_NAMED = rf"(?:(?P<whisper>{_PRIVATE}|(?:private|inner|internal)[ \t]+reasoning)|(?P<speech>speaking|speech|spoken))"
LABEL = re.compile(rf"{_LEAD_IN}{_NAMED}[*_ \t]*(?:\([^()\n]{{0,30}}\))?[*_ \t]*[:\uff1a][*_ \t]*", re.I)
LABEL_AND_MORE = re.compile(rf"{LABEL.pattern}(?=[^*_ \t])", re.I)
HEADING = re.compile(rf"[ \t]*(?:#{{1,6}}[ \t]*|\*\*|__){_NAMED}[ \t*_]*(?=\n|\Z)", re.I)
LABEL_HEAD = re.compile(rf"{_LEAD_IN}(?P<word>[A-Za-z]*)")
LABEL_WORDS = (
    "my", "private", "inner", "internal", "hidden", "thinking", "thought", "thoughts", "whisper", "monologue", "scratchpad",
    "speaking", "speech", "spoken",
)  # fmt: skip
LABEL_LIMIT = 80
"""Characters of a line within which a label stands."""


def plain_name(word: str) -> str:
    """A name with letters and digits only, so that zero-width characters, hyphens and full width hide nothing."""
    return "".join(c for c in unicodedata.normalize("NFKC", word).casefold() if c.isalnum())


def near(name: str, other: str) -> bool:
    """Whether one name is the other with up to two letters wrong, missing, too many or swapped."""
    return OSA.distance(name, other) <= 2


@lru_cache(maxsize=512)
def whisperish(name: str) -> bool:
    """Whether a tag of this name marks a whisper."""
    if name in _SPEECH_NAMES or len(name) < 4:
        return name in _WHISPER_NAMES
    if name in _WHISPER_NAMES or name.startswith(("think", "whisper")) or name.endswith("thinking"):
        return True
    return any(OSA.distance(name, known) <= (1 if len(known) < 6 else 2) for known in _NEAR)


@lru_cache(maxsize=512)
def _speechish(name: str) -> bool:
    return name in _SPEECH_NAMES or (len(name) >= 6 and near(name, "speaking"))


def meaning(body: str) -> Marker | None:
    """What the tag with this body means; None when it is no tag."""
    bare = "".join(c for c in body if unicodedata.category(c) != "Cf").strip()
    closing = bare[:1] in ("/", "\\", "\uff0f")
    words = [plain_name(word.rpartition(":")[2] or word) for word in WORD.findall(body)][:6]
    words = [word for word in words if word]
    if not words:
        return None
    as_asked = bare.casefold().lstrip("/").strip()
    if words == ["speaking"] and as_asked == "speaking":
        return Marker("speech", closing, "speaking", True)
    if any(whisperish(word) for word in words) or whisperish("".join(words)):
        name = next((word for word in words if whisperish(word)), "".join(words))
        return Marker("whisper", closing, name, as_asked in _WHISPER_NAMES)
    if _speechish(words[0]):
        return Marker("speech", closing, words[0], False)
    if bare.endswith("/") or not re.match(r"[/\\]?\s*[^\W\d_]", body):
        return None
    return Marker("other", closing, words[0], False)
