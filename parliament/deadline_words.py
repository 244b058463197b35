"""The words of deadlines: how a text becomes tokens, and what months, weekdays, counts and phrases there are."""

from __future__ import annotations

import re

_HYPHEN = re.compile(r"(?<=[a-z0-9])-(?=[a-z])|(?<=[a-z])-(?=[0-9])")
_GENITIVE = re.compile(r"(?<=[a-z])'(?=s\b)|(?<=s)'(?= )")
_TOKEN = re.compile(r"[0-9]+(?:[-/.:][0-9]+)+|[0-9]+(?:st|nd|rd|th)\b|[a-z]+|[0-9]+")
_SEPARATORS = frozenset(" ,.()")


def phrases(*phrases: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in phrases)


def _numbered(*names: str, start: int = 1) -> dict[str, int]:
    """Each of several names (with blanks between them) -> the number of its place."""
    return {name: number for number, several in enumerate(names, start) for name in several.split()}


MONTHS = _numbered(
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sep sept",
    "october oct",
    "november nov",
    "december dec",
)
WEEKDAYS = _numbered(
    "monday mon",
    "tuesday tue tues",
    "wednesday wed",
    "thursday thu thur thurs",
    "friday fri",
    "saturday sat",
    "sunday sun",
    start=0,
)
COUNTS = _numbered("one a an", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve") | {
    "fourteen": 14,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
}
ORDINALS = _numbered(
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"
) | {"fifteenth": 15, "twentieth": 20, "thirtieth": 30}
FEASTS = {
    ("christmas",): (12, 25),
    ("christmas", "day"): (12, 25),
    ("christmas", "eve"): (12, 24),
    ("xmas",): (12, 25),
    ("new", "year"): (1, 1),
    ("new", "years"): (1, 1),
    ("new", "years", "day"): (1, 1),
    ("new", "years", "eve"): (12, 31),
}
LEADING = phrases(
    "by",
    "on",
    "at",
    "until",
    "till",
    "latest",
    "latest by",
    "at the latest",
    "at the latest by",
    "at the latest on",
    "no later than",
    "not later than",
    "on or before",
    "by or before",
)
WITHIN = phrases("in", "within", "over", "during")
CLOSE = phrases(
    "end of day",
    "end of the day",
    "end of business",
    "end of business day",
    "end of the business day",
    "close of business",
    "eod",
    "eob",
    "cob",
)
UNITS = ("week", "month", "quarter", "year")
UNIT_ENDS = {
    ("eow",): "week",
    ("eom",): "month",
    ("month", "end"): "month",
    ("eoq",): "quarter",
    ("quarter", "end"): "quarter",
    ("eoy",): "year",
    ("year", "end"): "year",
}


def tokens_of(text: str) -> list[str] | None:
    """The tokens of a lower-case ASCII text, figures with their separators in one; None where there is anything else."""
    text = _HYPHEN.sub(" ", _GENITIVE.sub("", text))
    return _TOKEN.findall(text) if set(_TOKEN.sub("", text)) <= _SEPARATORS else None
