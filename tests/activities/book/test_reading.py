"""JSON as untrusted data: within limits, linear, and None for what is not said."""

from __future__ import annotations

import contextlib
import json
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities.book.reading import (
    MAX_DEPTH,
    NotRead,
    a_date,
    a_week,
    days_of,
    entries,
    figure,
    first,
    number,
    parse,
    percent,
    status_of,
    words,
)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1"),
        ('{"a": 1,\n "b": }', "line 2"),
        ("{'a': 1}", "not JSON"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "Infinity"),
        (nested(MAX_DEPTH + 1), str(MAX_DEPTH)),
        (nested(200_000), str(MAX_DEPTH)),
        ('{"a":' * 100_000, str(MAX_DEPTH)),
        ("9" * 5000, "digits"),
        ('{"a": 1} and more', "not JSON"),
    ],
)
def test_what_is_broken_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotRead, match=reason):
        parse(text)


def test_the_limit_of_nesting_does_not_count_brackets_in_texts() -> None:
    assert parse(nested(MAX_DEPTH))
    text = json.dumps({"a": "[[{{" * 100, 'quote"[': "\\[[["})
    assert parse(text) == json.loads(text)


@pytest.mark.parametrize("text", ['"' + '\\"' * 500_000, '"\\' * 500_000, '"' * 1_000_000, '{"a": "' + "[" * 1_000_000])
def test_a_mebibyte_of_quotation_marks_is_refused_at_once(text: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(NotRead):
        parse(text)
    assert time.perf_counter() - begin < 3


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(NotRead):
        assert parse(text) == json.loads(text)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (3, 3),
        (6.4, 6.4),
        (" 6.4 ", 6.4),
        ("-2", -2),
        (True, None),
        (None, None),
        ("6.4 h", None),
        ("1e9", None),
        ("", None),
        (10**400, None),
        (float("inf"), None),
        ([3], None),
        ("٣", 3),
    ],
)
def test_a_number_is_finite_and_plain(value: object, found: float | None) -> None:
    assert number(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (62, 62),
        ("62%", 62),
        ("62 %", 62),
        (0, 0),
        (120, 120),
        (-1, None),
        (1001, None),
        ({"current": 5, "target": 8}, 62.5),
        ({"current": 5, "target": 0}, None),
        ({"percent": 40}, 40),
        ({"percent": {"percent": 40}}, None),
        ({"current": 1e300, "target": 1e-300}, None),
        ("much", None),
    ],
)
def test_a_percentage_is_read_from_what_people_write(value: object, found: float | None) -> None:
    assert percent(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2026-11-29", date(2026, 11, 29)),
        ("2026-11-29T23:59:00-08:00", date(2026, 11, 29)),
        ("2026-11-29 06:00", date(2026, 11, 29)),
        (" 2026-11-29 ", date(2026, 11, 29)),
        ("2026-11-31", None),
        ("2026-11-290", None),
        ("20261129", None),
        ("0001-01-01", None),
        ("9999-12-31", None),
        ("29.11.2026", None),
        (20261129, None),
        (None, None),
    ],
)
def test_a_date_is_the_day_as_it_is_written(value: object, found: date | None) -> None:
    assert a_date(value) == found


def test_a_week_is_its_monday_and_its_sunday() -> None:
    assert a_week("2026-W48") == (date(2026, 11, 23), date(2026, 11, 29))
    assert a_week("2026W48") == (date(2026, 11, 23), date(2026, 11, 29))
    for wrong in ("2026-W54", "2026-W00", "9999-W01", "48", 48, None):
        assert a_week(wrong) is None


def test_words_are_one_printable_line() -> None:
    assert words("two\nlines \x1b[31m") == "two lines ␛[31m"
    assert words("x" * 5000, 10) == "x" * 9 + "…"
    assert words(6.5) == "6.5" and words(True) == "yes" and words(None) == "" and words({"a": 1}) == ""
    assert "\ud800" not in words("a\ud800b")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        (5.0, "5"),
        (6.45, "6.45"),
        (6.404, "6.4"),
        (-0.001, "0"),
        (10, "10"),
        (100, "100"),
        (0, "0"),
        (0.5, "0.5"),
        (1e300, "1e+300"),
    ],
)
def test_a_figure_is_written_as_people_do(value: float, text: str) -> None:
    assert figure(value) == text


def test_the_first_name_that_is_said_counts() -> None:
    assert first({"a": None, "b": 0, "c": 1}, "a", "b", "c") == 0
    assert first({"sleep": {"hours": 7}}, "sleep.hours") == 7
    assert first({"sleep": 7}, "sleep.hours", "sleep") == 7
    assert first({}, "a") is None


def test_entries_of_one_of_a_list_and_of_a_list_within() -> None:
    assert list(entries({"a": 1}, "days")) == [(None, {"a": 1})]
    assert list(entries([{"a": 1}, 5], "days")) == [(1, {"a": 1}), (2, None)]
    assert list(entries({"days": [{"a": 1}]}, "days")) == [(1, {"a": 1})]
    assert list(entries("x", "days")) == [(None, None)]


def test_statuses_are_told_alike() -> None:
    assert status_of("Off track") == status_of("off-track") == status_of(" OFF_TRACK ") == "off_track"
    assert status_of(3) == ""


def test_days_are_listed() -> None:
    days = tuple(date(2026, 11, n) for n in (28, 24, 26))
    assert days_of(days) == "2026-11-24, 2026-11-26 and 2026-11-28"
    assert days_of(days[:1]) == "2026-11-28"
    assert days_of(()) == ""
    assert days_of(tuple(date(2026, 11, n) for n in range(1, 12))) == "11 days from 2026-11-01 to 2026-11-11"
