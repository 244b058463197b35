"""Deadlines as people say them: read right, or marked as unread. Sixty phrases and more, and whatever else there is."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.deadlines import DeadlineReading, read_deadline

SAID = date(2026, 12, 1)  # a Tuesday

PHRASES = [
    # dates with their year
    ("2026-01-10", "date", "2026-01-10"),
    ("by 2026-12-31", "date", "2026-12-31"),
    ("2027-W03", "date", "2027-01-24"),
    ("10 January 2027", "date", "2027-01-10"),
    ("January 10, 2027", "date", "2027-01-10"),
    ("January 10th, 2027", "date", "2027-01-10"),
    ("the 10th of January 2027", "date", "2027-01-10"),
    ("Jan. 10, 2027", "date", "2027-01-10"),
    ("13/01/2027", "date", "2027-01-13"),
    ("01/13/2027", "date", "2027-01-13"),
    ("05/05/2027", "date", "2027-05-05"),
    ("10.01.2027", "date", "2027-01-10"),
    ("by the end of March 2027", "date", "2027-03-31"),
    ("end of Q1 2027", "date", "2027-03-31"),
    ("March 2027", "date", "2027-03-31"),
    ("mid-January 2027", "date", "2027-01-15"),
    ("Friday, 4 December 2026", "date", "2026-12-04"),
    # words that mean one date
    ("today", "phrase", "2026-12-01"),
    ("by tonight", "phrase", "2026-12-01"),
    ("end of day", "phrase", "2026-12-01"),
    ("tomorrow", "phrase", "2026-12-02"),
    ("by tomorrow evening", "phrase", "2026-12-02"),
    ("the day after tomorrow", "phrase", "2026-12-03"),
    ("Friday", "phrase", "2026-12-04"),
    ("by Friday", "phrase", "2026-12-04"),
    ("this Friday", "phrase", "2026-12-04"),
    ("on Fri", "phrase", "2026-12-04"),
    ("next Friday", "phrase", "2026-12-11"),
    ("Friday next week", "phrase", "2026-12-11"),
    ("Tuesday", "phrase", "2026-12-08"),
    ("next Monday", "phrase", "2026-12-07"),
    ("this weekend", "phrase", "2026-12-06"),
    ("next weekend", "phrase", "2026-12-13"),
    ("this week", "phrase", "2026-12-06"),
    ("by the end of the week", "phrase", "2026-12-06"),
    ("next week", "phrase", "2026-12-13"),
    ("by the end of next week", "phrase", "2026-12-13"),
    ("in two weeks", "phrase", "2026-12-15"),
    ("within 30 days", "phrase", "2026-12-31"),
    ("within the next 10 days", "phrase", "2026-12-11"),
    ("in a month", "phrase", "2027-01-01"),
    ("three months from now", "phrase", "2027-03-01"),
    ("in a fortnight", "phrase", "2026-12-15"),
    ("within a year", "phrase", "2027-12-01"),
    ("end of month", "phrase", "2026-12-31"),
    ("by the end of the month", "phrase", "2026-12-31"),
    ("next month", "phrase", "2027-01-31"),
    ("by end of March", "phrase", "2027-03-31"),
    ("by March", "phrase", "2027-03-31"),
    ("end of Q1", "phrase", "2027-03-31"),
    ("Q4", "phrase", "2026-12-31"),
    ("the end of the quarter", "phrase", "2026-12-31"),
    ("by the end of the year", "phrase", "2026-12-31"),
    ("mid-January", "phrase", "2027-01-15"),
    ("the middle of February", "phrase", "2027-02-15"),
    ("before Christmas", "phrase", "2026-12-24"),
    ("by Christmas", "phrase", "2026-12-25"),
    ("New Year's Eve", "phrase", "2026-12-31"),
    ("10 January", "phrase", "2027-01-10"),
    ("January 10th", "phrase", "2027-01-10"),
    ("no later than 15 December", "phrase", "2026-12-15"),
    ("before 15 December", "phrase", "2026-12-14"),
    ("the first of March", "phrase", "2027-03-01"),
    ("by the 15th", "phrase", "2026-12-15"),
    ("1 December", "phrase", "2026-12-01"),
    ("29 February", "phrase", "2028-02-29"),
    ("Saturday, 12 December", "phrase", "2026-12-12"),
    # at once, and never
    ("immediately", "immediately", "2026-12-01"),
    ("Effective immediately.", "immediately", "2026-12-01"),
    ("ASAP", "immediately", "2026-12-01"),
    ("as soon as possible", "immediately", "2026-12-01"),
    (None, "none", None),
    ("", "none", None),
    ("none", "none", None),
    ("No deadline", "none", None),
    ("ongoing", "none", None),
    ("n/a", "none", None),
    # what nobody can read for sure
    ("10/01/2027", "unread", None),
    ("31 February", "unread", None),
    ("2026-13-40", "unread", None),
    ("Friday, 12 December", "unread", None),
    ("the next meeting", "unread", None),
    ("soon", "unread", None),
    ("before the review, unless it rains", "unread", None),
    ("Friday or Saturday", "unread", None),
    ("not before Friday", "unread", None),
    ("after Christmas", "unread", None),
    ("within a reasonable time", "unread", None),
    ("every Sunday", "unread", None),
    ("weekly", "unread", None),
    ("10 January and 10 February", "unread", None),
    ("in some weeks", "unread", None),
    ("in 99999999999 days", "unread", None),
    ("when the moon is full", "unread", None),
    ("٢٠٢٦-٠١-١٠", "unread", None),
    ("\u202e2027-01-10", "unread", None),
    ("{ADJOURN}", "unread", None),
    ("15", "unread", None),
    ("a" * 500, "unread", None),
]


def test_sixty_phrases_are_more_than_sixty() -> None:
    assert len(PHRASES) >= 60


@pytest.mark.parametrize(("words", "reading", "due"), PHRASES)
def test_a_phrase_is_read_right_or_marked_as_unread(words: str | None, reading: str, due: str | None) -> None:
    found = read_deadline(words, SAID)
    assert (found.reading, found.due) == (reading, date.fromisoformat(due) if due else None)
    assert found.words == words


@pytest.mark.parametrize(
    ("words", "on", "due"),
    [
        ("Friday", "2026-12-04", "2026-12-11"),  # said on a Friday
        ("this weekend", "2026-12-06", "2026-12-06"),  # said on a Sunday
        ("next Sunday", "2026-12-06", "2026-12-13"),
        ("in a month", "2027-01-31", "2027-02-28"),
        ("in a month", "2028-01-31", "2028-02-29"),
        ("tomorrow", "2027-12-31", "2028-01-01"),
        ("by the end of February", "2027-03-01", "2028-02-29"),
        ("10 January", "2027-01-10", "2027-01-10"),
        ("the 31st", "2027-02-01", "2027-03-31"),
        ("end of the quarter", "2027-03-31", "2027-03-31"),
        ("before New Year", "2026-12-31", "2026-12-31"),
    ],
)
def test_at_the_edges_of_the_calendar(words: str, on: str, due: str) -> None:
    assert read_deadline(words, date.fromisoformat(on)).due == date.fromisoformat(due)


DAYS = st.dates(date(2000, 1, 1), date(2900, 1, 1))


@given(st.text(max_size=200), DAYS)
def test_no_words_raise_and_all_are_kept(words: str, on: date) -> None:
    found = read_deadline(words, on)
    assert found.words == words
    assert (found.due is None) == (found.reading in (DeadlineReading.NONE, DeadlineReading.UNREAD))


GRAMMAR = (
    "by the end of next this friday monday march may january in within two 30 days weeks month q 1 2027 - / . th before "
    "christmas year mid tomorrow first 15 after quarter week now from a"
)
VOCABULARY = st.lists(st.sampled_from(GRAMMAR.split()), max_size=8).map(" ".join)


@given(VOCABULARY, DAYS)
def test_words_of_the_grammar_in_any_order_never_raise(words: str, on: date) -> None:
    found = read_deadline(words, on)
    if found.reading is DeadlineReading.PHRASE:
        assert found.due is not None
        assert found.due >= on - timedelta(days=1)  # "before" a feast that is today


@given(DAYS, DAYS)
def test_an_iso_date_is_that_date(day: date, on: date) -> None:
    assert read_deadline(day.isoformat(), on).due == day


@given(DAYS, st.integers(0, 3660))
def test_a_span_of_days_is_as_long_as_it_says(on: date, days: int) -> None:
    assert read_deadline(f"within {days} days", on).due == on + timedelta(days=days)
