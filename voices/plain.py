"""Reading the lines and sentences of a plain reply: the form a provider without structured output gives (source 000).

Each reader gives (value, exact): exact when it was written as the task asks, and (None, False) when it is not there beyond
doubt. A denial is read before what it denies: "I do not object" holds "object".
"""

from __future__ import annotations

import re

_MARKS = r"[ \t*_`#>~\-•|]*"
_FIELDS = "VOTE|REASON(?:ING)?|DISSENT"


def field(text: str, name: str) -> str:
    """The text after `NAME:` up to the next of the vote's fields or a blank line; "" for a word that says there is none."""
    found = re.search(
        rf"(?:^{_MARKS}|(?<=[.!?;])[ \t]+)(?:{name}){_MARKS}[:=\uff1a]{_MARKS}(?P<text>.*?)"
        rf"(?=(?:\n{_MARKS}|(?<=[.!?;])[ \t]+)(?:{_FIELDS}){_MARKS}[:=\uff1a]|\n[ \t]*\n|\Z)",
        text,
        re.I | re.M | re.S,
    )
    said = " ".join(found["text"].split()).strip("*_` ") if found is not None else ""
    return "" if said.strip(" .!()[]").casefold() in _NOTHING else said


_NOTHING = frozenset({"", "none", "n/a", "na", "nil", "null", "no dissent", "not applicable", "-", "–", "—"})


def nothing(text: str) -> bool:
    """Whether a text says that there is nothing ("none", "N/A")."""
    return text.strip(" .!()[]").casefold() in _NOTHING


def without_fields(text: str) -> str:
    """The text without the lines of a vote's fields."""
    return re.sub(rf"^{_MARKS}(?:{_FIELDS}){_MARKS}[:=\uff1a][^\n]*$", "", text, flags=re.I | re.M).strip()


class _Yes:
    """A yes or no that a task asks for: its exact lines, then what else says yes or no."""

    def __init__(self, yes_line: str, no_line: str, yes: str, no: str) -> None:
        self._yes_line = re.compile(rf"^(?:{yes_line})[ \t]*$", re.M)
        self._no_line = re.compile(rf"^(?:{no_line})[ \t]*$", re.M)
        self._yes = re.compile(yes, re.I | re.M)
        self._no = re.compile(no, re.I | re.M)

    def __call__(self, text: str) -> tuple[bool | None, bool]:
        no, yes = bool(self._no_line.search(text)), bool(self._yes_line.search(text))
        if yes is not no:
            return yes, True
        text = _unquoted(text)
        denied = bool(self._no.search(text))
        affirmed = bool(self._yes.search(self._no.sub(" ", text)))
        return (affirmed, False) if affirmed is not denied else (None, False)


def _unquoted(text: str) -> str:
    """What a member says itself: without quotations, and without what it asks."""
    text = QUOTED.sub(" ", text)
    return _SENTENCE.sub(lambda found: " " if found[0].endswith("?") else found[0], text)


QUOTED = re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|„[^„“”\n]*[“”]|`[^`\n]*`")
"""What stands in quotation marks or code, within a line. Other people's words and examples are no answer."""

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


_START = rf"^{_MARKS}"
_STOP = r"(?=[ \t*_`\"']*(?:$|[.,;:!()\u2013\u2014-]))"
_NOT = (
    r"(?:do\s+not|don['’]t|will\s+not|won['’]t|cannot|can\s+not|can['’]t|decline\s+to|would\s+not|refuse\s+to"
    r"|am\s+not\s+(?:able|going)\s+to)"
)
_MAY = r"(?:\s+(?:will|shall|must|hereby|do|therefore|gladly|also|am\s+happy\s+to|am\s+glad\s+to|would\s+like\s+to|rise\s+to))*"

present_in = _Yes(
    "PRESENT|Present",
    "ABSENT|Absent|NOT PRESENT",
    rf"{_START}(?:present|here|aye|yes)\b|\bI(?:['’]m|\s+am)\s+(?:\w+\s+)?(?:present|here)\b",
    rf"{_START}(?:absent|not\s+(?:present|here)|no){_STOP}|\b(?:am|['’]m|be)\s+(?:\w+\s+)?(?:absent|not\s+(?:present|here))\b"
    r"|\b(?:cannot|can['’]t|unable\s+to)\s+(?:attend|be\s+(?:here|present))\b",
)
"""The answer to the roll call."""

second_in = _Yes(
    "SECOND|SECONDED",
    "PASS|NO SECOND",
    rf"\bI{_MAY}\s+second\b(?!\s+(?:thought|guess|that\s+concern))|{_START}second(?:ed)?{_STOP}|{_START}second\s+(?:it|the\s+motion)\b"
    rf"|\bseconded\b{_STOP}|{_START}yes{_STOP}",
    rf"\bI\s+{_NOT}\s+second\b|\bwithout\s+a\s+second\b|{_START}(?:pass|no|no\s+second|not\s+seconded|I\s+pass|decline){_STOP}|\bI\s+decline\b"
    r"|\bnot\s+second\b",
)
"""Whether a member seconds."""

appeal_in = _Yes(
    "APPEAL",
    "NO APPEAL|PASS",
    rf"\bI{_MAY}\s+appeal\b|{_START}(?:appeal|yes){_STOP}",
    rf"\bI\s+{_NOT}\s+appeal\b|\bno\s+appeal\b|{_START}(?:no|pass|I\s+pass){_STOP}|\bI\s+accept\s+the\s+ruling\b|\bnot\s+appeal\b",
)
"""Whether a member appeals from the decision of the chair."""

objection_in = _Yes(
    "OBJECTION|OBJECT",
    "NO OBJECTION|PASS",
    rf"\bI{_MAY}\s+object\b|{_START}(?:objection|object|yes){_STOP}|\bthere\s+is\s+objection\b|\bI\s+have\s+an\s+objection\b",
    rf"\bI\s+{_NOT}\s+object\b|\b(?:no|without|not\s+any)\s+objections?\b|{_START}(?:no|none|pass|I\s+pass|consent|agreed){_STOP}"
    rf"|\bI{_MAY}\s+consent\b|\bnot\s+object\b",
)
"""Whether a member objects to what is asked for by unanimous consent."""

well_taken_in = _Yes(
    "WELL TAKEN",
    "NOT WELL TAKEN",
    r"\bwell[\s-]+taken\b|\bpoint\s+is\s+sustained\b",
    r"\b(?:not|n['’]t)\s+(?:\w+\s+)?well[\s-]+taken\b|\bill[\s-]+taken\b|\bpoint\s+is\s+(?:overruled|denied|rejected)\b",
)
"""The chair's ruling on a point of order."""

_POSITIONS = ("support", "consent", "object")
_POSITION_LINE = re.compile(r"^(SUPPORT|CONSENT|OBJECT)[ \t]*$", re.M)
_SUPPORTS = re.compile(rf"\bI{_MAY}\s+(?:support|second)\b|{_START}(?:support|seconded){_STOP}", re.I | re.M)
_SUPPORTS_NOT = re.compile(rf"\bI\s+{_NOT}\s+(?:support|second)\b|\bnot\s+(?:support|second)\b", re.I)


def position_in(text: str) -> tuple[str | None, bool]:
    """Where a member stands on an amendment: support, consent or object."""
    lines = set(_POSITION_LINE.findall(text))
    if len(lines) == 1:
        return lines.pop().lower(), True
    said = _unquoted(text)
    supports = bool(_SUPPORTS.search(_SUPPORTS_NOT.sub(" ", said)))
    objects, _ = objection_in(text)
    if supports:
        return (None if objects else "support"), False
    return (None if objects is None else "object" if objects else "consent"), False


def remedy_in(text: str) -> str:
    """`out_of_order` when the ruling says that the motion falls, else `none`."""
    found = re.search(
        r"^REMEDY:\s*out.of.order\b|\b(?:motion|amendment|resolution)\s+is\s+(?:therefore\s+)?(?:ruled\s+)?out\s+of\s+order\b",
        text,
        re.I | re.M,
    )
    return "out_of_order" if found is not None else "none"


_RESOLVED, _MOVED = (
    re.compile(rf"(?P<quote>[\"“«„']?)(?P<text>{form}.*?)(?=\n[ \t]*\n|\Z)", re.I | re.S)
    for form in (
        r"(?:\bBE\s+IT\s+)?\bRESOLVED\s*[,:;]?\s*That\b",
        r"\bI\s+(?:hereby\s+|therefore\s+)?move\s*,?\s*that\b",
    )
)
_CLOSING = {'"': '"', "“": "”", "«": "»", "„": "”", "'": "'"}
_AFTERWARDS = re.compile(
    r"(?<=[.!])[*_\"”]*(?:\n+|[ \t]+)(?=(?:I|My|We|This|It|That|Here|Let|Do|Is|Now|There|The\s+reason|In\s+my|With\s+this)\b)"
)


def motion_in(text: str) -> str:
    """The words of a motion: from RESOLVED or "I move that" to the end of its quotation, its paragraph, or its sentence
    before the mover speaks of it; empty when there is none."""
    found = _RESOLVED.search(text) or _MOVED.search(text)
    if found is None:
        return ""
    words, quote = found["text"], found["quote"]
    if quote and (end := words.find(_CLOSING[quote], 1)) > 0:
        words = words[:end]
    words = _AFTERWARDS.split(words, maxsplit=1)[0]
    return " ".join(words.split()).strip('*_`"“”«» ')


_AMENDS = re.compile(
    r"\bI\s+(?:hereby\s+|also\s+|therefore\s+)?move\s+to\s+amend\b(?P<summary>[^\n:]{0,200}?)[:,]?\s*(?:so\s+that\s+it\s+reads\s*:?\s*)?"
    r"[\"“]?(?P<text>RESOLVED\s*[,:;]?\s*That\b.*?)(?=[\"”]\s|[\"”]\Z|\n[ \t]*\n|\Z)",
    re.I | re.S,
)


def amendment_in(text: str) -> tuple[str, str]:
    """(the whole motion as it would read, what changes) of "I move to amend ..."; empty texts when there is none."""
    found = _AMENDS.search(text)
    if found is None:
        return "", ""
    words = _AFTERWARDS.split(found["text"], maxsplit=1)[0]
    return " ".join(words.split()).strip('*_"“” '), " ".join(found["summary"].split()).strip(" ,:")


_POINT = re.compile(
    r"\b(?:I\s+(?:rise|raise|wish\s+to\s+raise)\s+(?:to\s+)?(?:on\s+)?a\s+point\s+of\s+order|^\W*point\s+of\s+order)\b[\s:,.!\u2013\u2014-]*(?P<text>[^\n]*)",
    re.I | re.M,
)


def point_in(text: str) -> str:
    """The point of order that a member raises in so many words; empty when it raises none."""
    found = _POINT.search(_unquoted(text))
    if found is None:
        return ""
    return " ".join((found["text"] or found[0]).split())


_PROCEDURAL = {
    "previous_question": rf"\bI{_MAY}\s+(?:(?:move|call\s+for)\s+the\s+previous\s+question|move\s+to\s+close\s+debate)\b",
    "lay_on_table": rf"\bI{_MAY}\s+move\s+(?:to|that\s+we)\s+"
    r"(?:lay\s+(?:it|this|the\s+\w+|this\s+\w+)\s+on\s+the\s+table|table\s+(?:it|this|the))",
    "withdraw": rf"\bI{_MAY}\s+withdraw\s+(?:my|the)\s+motion\b",
}


def procedural_in(text: str) -> str | None:
    """The one procedural motion that a member makes in debate, by name; None when it makes none, or several."""
    said = _unquoted(text)
    found = [name for name, pattern in _PROCEDURAL.items() if re.search(pattern, said, re.I)]
    return found[0] if len(found) == 1 else None


_TASK = re.compile(
    rf"^{_MARKS}(?:\d+[.)][ \t]*)?(?:ACTION(?:[ \t]+ITEM)?(?:[ \t]+\d+)?[ \t]*[:\uff1a][ \t]*)?(?P<task>[^\n|]{{8,300}}?)[ \t]*"
    r"(?:\||[\u2013\u2014;,(\[-])[ \t]*owner[ \t]*[:=\uff1a][ \t]*@?(?P<owner>[\w .'-]{2,40}?)[ \t]*"
    r"(?:(?:\||[\u2013\u2014;,-])[ \t]*(?:deadline|due|by)[ \t]*[:=\uff1a]?[ \t]*(?P<deadline>[^\n|)\]]{3,40}?))?[ \t.)\]]*$",
    re.I | re.M,
)


def tasks_in(text: str) -> list[tuple[str, str, str]]:
    """(task, owner, deadline) of lines like "Task | owner: name | deadline: date"."""
    return [(t["task"].strip(" *_"), t["owner"].strip(), (t["deadline"] or "").strip()) for t in _TASK.finditer(text)]


def passed(text: str) -> bool:
    """Whether the whole speech is a pass."""
    return re.fullmatch(r"(?:I(?:\s+will)?\s+)?pass(?:es)?", text.strip(" \t\n.!*_`\"“”'"), re.I) is not None
