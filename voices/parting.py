"""A reply taken apart, whatever form it has: speech, whisper, the fields of its object, and the lines after its tags.

JSON first, whole or as far as it goes; then tags; then mere words. What cannot be told is a whisper (law 7).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from parliament.text import printable
from parliament.values import Purpose
from voices import loose, whispers
from voices.wire import conforms, schema_for


@dataclass
class Said:
    """A reply taken apart. What a reader takes with tolerance it says by `tolerant`; what is missing, by `missing`."""

    speech: str = ""
    whisper: str = ""
    lines: str = ""  # where lines and sentences are read: the speech, and what stands outside of all tags
    fields: dict[str, Any] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    form: str = "plain"  # or "json"
    whole: bool = False  # a plain reply that came to its end, with every whisper in it beyond doubt
    tolerant: bool = False
    missing: bool = False

    def text(self, key: str) -> str:
        """A text of the object that everybody may read."""
        value = self.fields.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.tolerant = True
            return ""
        return self.public(value)

    def public(self, value: str) -> str:
        """A text without what is marked as private in it, printable."""
        parted = whispers.part(value, speaking=True)
        if parted.whisper:
            self.whisper = f"{self.whisper}\n{printable(parted.whisper)}".strip()
            self.tolerant = True
        return printable(parted.speech).strip()

    def flag(self, key: str, reader: Callable[[str], tuple[bool | None, bool]]) -> bool | None:
        """A yes or no: the field's, else what the speech says in so many words."""
        value = self.fields.get(key)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().casefold() in ("true", "yes", "false", "no"):
            self.tolerant = True
            return value.strip().casefold() in ("true", "yes")
        found, exact = reader(self.lines)
        self.tolerant = self.tolerant or self.form == "json" or not exact
        self.missing = found is None
        return found


_KNOWN = frozenset(
    {"thinking", "speaking", "commands"}
    | {name for purpose in Purpose for name in schema_for(purpose, chairman=True)["properties"]}
)
_FENCE = re.compile(r"\A[\s\ufeff]*(?:```|~~~)[A-Za-z]*[ \t]*\r?\n|\n[ \t]*(?:```|~~~)\s*\Z")
_PRIVATE_KEY = re.compile(
    r"[\"'“”‘’]\s*(?:th\w{0,3}nk\w*|thoughts?|whisper\w*|scratchpad)\s*[\"'“”‘’]\s*[:=]|\bthinking\s*[:=]", re.I
)
_OBJECT = re.compile(r"\s*(?:(?:```|~~~)[a-z]*\s*)?\[?\s*\{\s*(?:[\"']|\Z)", re.I)


def taken_apart(text: str, purpose: Purpose, chairman: bool, whole: bool) -> Said:
    """`whole`: the provider says that the reply is complete. Never raises."""
    exact = loose.exactly(text)
    if exact is not None and (_KNOWN & exact.keys()):
        said = Said(fields=exact, form="json", tolerant=not (whole and conforms(exact, schema_for(purpose, chairman=chairman))))
        return _voiced(said)
    bare = _FENCE.sub("", text)
    begin = loose.begin_of(bare, _KNOWN)
    before = whispers.part(bare[:begin]) if begin is not None else None
    if begin is not None and before is not None and not before.marked:
        return _voiced(_from_loose(loose.parse(bare, begin, _KNOWN), printable(bare[:begin]).strip()))
    return _plain(text, whole)


def _from_loose(found: loose.Loose, aside: str) -> Said:
    """An object that is broken or has words around it; those words are nobody's speech."""
    fields = dict(found.fields)
    for key in found.cut:  # of what breaks off only running text is worth anything, and whole items of a list
        if key not in _RUNNING and not isinstance(fields.get(key), list):
            fields.pop(key, None)
    return Said(fields=fields, cut=found.cut, form="json", tolerant=True, whisper=aside)


_RUNNING = frozenset({"thinking", "speaking", "reason", "dissent"})


def _voiced(said: Said) -> Said:
    """Speech and whisper of an object."""
    thinking = said.fields.get("thinking")
    if isinstance(thinking, str):
        said.whisper = f"{said.whisper}\n{printable(thinking)}".strip()
    speech = said.fields.get("speaking")
    for _ in range(2):  # a reply that holds a whole reply as its speech was seen; one in that is nobody's speech
        inner = loose.begin_of(speech, frozenset({"thinking", "speaking"})) if isinstance(speech, str) else None
        if inner is None or not isinstance(speech, str):
            break
        said.tolerant = True
        nested = loose.parse(speech, inner, _KNOWN).fields
        if isinstance(hidden := nested.get("thinking"), str):
            said.whisper = f"{said.whisper}\n{printable(hidden)}".strip()
        said.fields = {**nested, **{k: v for k, v in said.fields.items() if k not in ("thinking", "speaking")}}
        speech = nested.get("speaking", "")
    else:
        speech = ""
    said.speech = said.public(speech) if isinstance(speech, str) else ""
    said.tolerant = said.tolerant or not isinstance(speech, str)
    said.lines = said.speech
    return said


def _plain(text: str, whole: bool) -> Said:
    """A reply without an object: tags, or mere words."""
    parted = whispers.part(text)
    if parted.spoke:
        speech, outside = parted.speech, parted.outside if parted.settled else ""
        inner = loose.begin_of(speech, frozenset({"thinking", "speaking"}))
        if inner is not None:
            return _voiced(_from_loose(loose.parse(speech, inner, _KNOWN), printable(parted.whisper)))
        said = Said(speech, parted.whisper, f"{speech}\n{outside}".strip(), tolerant=not (whole and parted.exact))
        if outside and not parted.exact:
            said.whisper = f"{said.whisper}\n{outside}".strip()
    elif parted.settled:
        begin = loose.begin_of(parted.outside, _KNOWN)
        if begin is not None:
            aside = f"{parted.whisper}\n{parted.outside[:begin]}".strip()
            return _voiced(_from_loose(loose.parse(parted.outside, begin, _KNOWN), printable(aside)))
        if _OBJECT.match(parted.outside) or _PRIVATE_KEY.search(
            parted.outside
        ):  # an object in no known form: nobody can say what of it is speech
            return Said(whisper=printable(f"{parted.whisper}\n{parted.outside}").strip(), tolerant=True)
        said = Said(parted.outside, parted.whisper, parted.outside, tolerant=True)
    else:
        said = Said("", f"{parted.whisper}\n{parted.outside}".strip(), tolerant=True)
    said.whole = whole and parted.settled
    said.speech, said.whisper, said.lines = (printable(t).strip() for t in (said.speech, said.whisper, said.lines))
    return said
