"""Deadlines as people say them: read right, or marked as unread. Sixty phrases and more, and whatever else there is."""

from __future__ import annotations

from datetime import date, timedelta
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.deadlines import LONGEST, DeadlineReading, read_deadline

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
    ("January 10, 2027 (Sunday)", "date", "2027-01-10"),
    ("10-Jan-2027", "date", "2027-01-10"),
    ("13-01-2027", "date", "2027-01-13"),
    ("2027/01/10", "date", "2027-01-10"),
    ("2027-01-10T18:00:00", "date", "2027-01-10"),
    ("2027-01-10 at 6 pm", "date", "2027-01-10"),
    ("2027-03", "date", "2027-03-31"),
    ("2026-11-15", "date", "2026-11-15"),  # a date with its year may have passed
    ("before 2027-W03", "date", "2027-01-17"),
    ("the week of 12 January 2027", "date", "2027-01-17"),
    ("before March 2027", "date", "2027-02-28"),
    ("2027 Q1", "date", "2027-03-31"),
    ("H1 2027", "date", "2027-06-30"),
    ("the end of 2027", "date", "2027-12-31"),
    ("Christmas 2027", "date", "2027-12-25"),
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
    ("due before Christmas", "phrase", "2026-12-24"),
    ("before March", "phrase", "2027-02-28"),
    ("before the end of March", "phrase", "2027-03-31"),
    ("before next week", "phrase", "2026-12-06"),
    ("before the weekend", "phrase", "2026-12-04"),
    ("before Friday noon", "phrase", "2026-12-04"),
    ("before Friday morning", "phrase", "2026-12-03"),
    ("on or before Friday", "phrase", "2026-12-04"),
    ("Friday at the latest", "phrase", "2026-12-04"),
    ("this coming Friday", "phrase", "2026-12-04"),
    ("Friday the 4th", "phrase", "2026-12-04"),
    ("Friday at 5 p.m.", "phrase", "2026-12-04"),
    ("5pm on Friday", "phrase", "2026-12-04"),
    ("by Friday 17:00", "phrase", "2026-12-04"),
    ("Friday EOD", "phrase", "2026-12-04"),
    ("close of business tomorrow", "phrase", "2026-12-02"),
    ("by the end of Friday", "phrase", "2026-12-04"),
    ("later this week", "phrase", "2026-12-06"),
    ("EOW", "phrase", "2026-12-06"),
    ("by year-end", "phrase", "2026-12-31"),
    ("the start of Q1", "phrase", "2027-01-01"),
    ("the beginning of next week", "phrase", "2026-12-07"),
    ("by the end of the first quarter", "phrase", "2027-03-31"),
    ("in March", "phrase", "2027-03-31"),
    ("by May", "phrase", "2027-05-31"),
    ("the 1st of next month", "phrase", "2027-01-01"),
    ("January twenty-first", "phrase", "2027-01-21"),
    ("within 48 hours", "phrase", "2026-12-03"),
    ("two weeks", "phrase", "2026-12-15"),
    ("in two weeks\u2019 time", "phrase", "2026-12-15"),
    ("the next 30 days", "phrase", "2026-12-31"),
    ("within the next week", "phrase", "2026-12-08"),
    ("by the next week", "phrase", "2026-12-13"),
    ("a week from Friday", "phrase", "2026-12-11"),
    ("within two weeks of this meeting", "phrase", "2026-12-15"),
    ("New Year\u2019s Eve", "phrase", "2026-12-31"),
    ("mid\u2011January", "phrase", "2027-01-15"),
    # at once, and never
    ("immediately", "immediately", "2026-12-01"),
    ("Effective immediately.", "immediately", "2026-12-01"),
    ("ASAP", "immediately", "2026-12-01"),
    ("as soon as possible", "immediately", "2026-12-01"),
    ("Now", "immediately", "2026-12-01"),
    ("with immediate effect", "immediately", "2026-12-01"),
    (None, "none", None),
    ("", "none", None),
    ("none", "none", None),
    ("No deadline", "none", None),
    ("ongoing", "none", None),
    ("n/a", "none", None),
    ("open-ended", "none", None),
    ("to be determined", "none", None),
    (" - ", "none", None),
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
    ("next week's meeting", "unread", None),
    ("after Friday", "unread", None),
    ("later than Friday", "unread", None),
    ("no Friday", "unread", None),
    ("no earlier than Friday", "unread", None),
    ("starting tomorrow", "unread", None),
    ("the first Friday", "unread", None),
    ("second", "unread", None),
    ("may", "unread", None),
    ("by Dec '26", "unread", None),
    ("10 January 27", "unread", None),
    ("10 1 2027", "unread", None),
    ("01.13.2027", "unread", None),
    ("10st January", "unread", None),
    ("2027-W54", "unread", None),
    ("Q5", "unread", None),
    ("24/7", "unread", None),
    ("2027-01-10T23:00Z", "unread", None),  # which day that is depends on where one lives
    ("Friday 5pm PST", "unread", None),
    ("5pm", "unread", None),
    ("Friday at midnight", "unread", None),
    ("in -5 days", "unread", None),
    ("before two weeks", "unread", None),
    ("within 12 hours", "unread", None),
    ("within 5 working days", "unread", None),
    ("2-3 weeks", "unread", None),
    ("10-12 January", "unread", None),
    ("10 January \u2013 12 January", "unread", None),
    ("early January", "unread", None),
    ("next March", "unread", None),
    ("before today", "unread", None),
    ("Monday this week", "unread", None),
    ("Friday\u200b", "unread", None),
    ("this wee\u212a", "unread", None),
    ("=Friday", "unread", None),
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
        ("before Christmas", "2026-12-25", None),  # over: whose Christmas that is, nobody knows
        ("before March", "2027-03-10", None),
        ("by the end of March", "2027-03-31", "2027-03-31"),
        ("next Friday", "2026-12-06", "2026-12-11"),  # a Sunday is the last of its week
        ("this week", "2026-12-06", "2026-12-06"),
        ("next week", "2026-12-28", "2027-01-10"),
        ("Friday, 1 January", "2026-12-31", "2027-01-01"),
        ("next month", "2026-12-31", "2027-01-31"),
        ("end of next quarter", "2026-12-31", "2027-03-31"),
        ("28 November", "2026-12-01", "2027-11-28"),  # without a year: the next
        ("29 February", "2097-01-01", "2104-02-29"),  # 2100 has none
        ("Monday, 29 February", "2027-03-01", None),  # 2028 has it on a Tuesday
        ("the end of February", "2028-02-01", "2028-02-29"),
        ("within a year", "2028-02-29", "2029-02-28"),
        ("the 31st of next month", "2027-01-31", None),
        ("tomorrow", "9999-12-31", None),
        ("this weekend", "0001-01-01", "0001-01-07"),
    ],
)
def test_at_the_edges_of_the_calendar(words: str, on: str, due: str | None) -> None:
    assert read_deadline(words, date.fromisoformat(on)).due == (date.fromisoformat(due) if due else None)


DAYS = st.dates(date(2000, 1, 1), date(2900, 1, 1))


@given(st.text(max_size=200), DAYS)
def test_no_words_raise_and_all_are_kept(words: str, on: date) -> None:
    found = read_deadline(words, on)
    assert found.words == words
    assert (found.due is None) == (found.reading in (DeadlineReading.NONE, DeadlineReading.UNREAD))


GRAMMAR = (
    "by the end of next this friday monday march may january in within two 30 days weeks month q 1 2027 - / . th before "
    "christmas year mid tomorrow first 15 after quarter week now from a eod 5 pm at no later than latest weekend 15th w 03 due"
)
VOCABULARY = st.lists(st.sampled_from(GRAMMAR.split()), max_size=8).map(" ".join)


@given(VOCABULARY, DAYS)
def test_words_of_the_grammar_in_any_order_never_raise(words: str, on: date) -> None:
    found = read_deadline(words, on)
    if found.reading is DeadlineReading.PHRASE:
        assert found.due is not None
        assert found.due >= on


@given(DAYS, DAYS)
def test_an_iso_date_is_that_date(day: date, on: date) -> None:
    assert read_deadline(day.isoformat(), on).due == day


@given(DAYS, st.integers(0, 3660))
def test_a_span_of_days_is_as_long_as_it_says(on: date, days: int) -> None:
    assert read_deadline(f"within {days} days", on).due == on + timedelta(days=days)


SPELLINGS = (
    "{0:%Y-%m-%d}",
    "{0.day} {0:%B} {0.year}",
    "{0:%B} {0.day}, {0.year}",
    "the {0.day}{1} of {0:%b} {0.year}",
    "{0:%A}, {0.day} {0:%B} {0.year}",
    "{0:%d.%m.%Y}",
    "{0:%b} {0.day}{1} {0.year} ({0:%a})",
)


def suffix(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


@given(DAYS, DAYS, st.sampled_from(SPELLINGS), st.sampled_from(["", "by ", "BEFORE "]))
def test_every_spelling_of_a_date_is_that_date(day: date, on: date, spelling: str, lead: str) -> None:
    found = read_deadline(lead + spelling.format(day, suffix(day.day)), on)
    assert (found.reading, found.due) == (DeadlineReading.DATE, day - timedelta(days=lead == "BEFORE "))


@given(DAYS, DAYS, st.integers(1, 6))
def test_a_weekday_that_contradicts_its_date_is_unread(day: date, on: date, off: int) -> None:
    other = day + timedelta(days=off)
    assert read_deadline(f"{other:%A}, {day.day} {day:%B} {day.year}", on).reading is DeadlineReading.UNREAD


@given(DAYS, st.integers(0, 364))
def test_a_date_without_its_year_is_the_next_such_date(on: date, ahead: int) -> None:
    day = on + timedelta(days=ahead)
    assert read_deadline(f"{day.day} {day:%B}", on).due == day


@given(DAYS, st.integers(1, 12), st.integers(1, 31))
def test_two_ways_to_read_figures_are_one_too_many(on: date, month: int, day: int) -> None:
    found = read_deadline(f"{month}/{day}/2027", on).due
    assert (found is None) == ((month != day and day <= 12) or (day > 28 and not exists(month, day)))
    assert found is None or (found.month, found.day) == (month, day)


def exists(month: int, day: int) -> bool:
    return day <= (28 if month == 2 else 30 if month in (4, 6, 9, 11) else 31)


READABLE = [words for words, reading, _ in PHRASES if words and reading in ("date", "phrase")]


@given(st.sampled_from(READABLE), st.sampled_from(["not", "unless", "or", "after", "maybe", "x", "#"]), st.data())
def test_a_word_more_that_the_grammar_does_not_know_makes_a_phrase_unread(phrase: str, word: str, data: st.DataObject) -> None:
    words = phrase.split()
    words.insert(data.draw(st.integers(0, len(words))), word)
    assert read_deadline(" ".join(words), SAID).reading is DeadlineReading.UNREAD


@given(st.sampled_from(READABLE), st.sampled_from(READABLE), st.sampled_from([" and ", " or ", ", ", " / ", "; "]))
def test_two_deadlines_are_none_that_can_be_read(one: str, other: str, between: str) -> None:
    found = read_deadline(one + between + other, SAID)
    days = {read_deadline(words, SAID).due for words in (one, other)}
    assert found.reading is DeadlineReading.UNREAD or (between == ", " and found.due in days)


@given(st.sampled_from(READABLE))
def test_case_and_blanks_change_nothing(phrase: str) -> None:
    plain = read_deadline(phrase, SAID)
    shouted = read_deadline("  " + phrase.upper().replace(" ", "\u00a0 \n") + "\t", SAID)
    assert (shouted.reading, shouted.due) == (plain.reading, plain.due)


@pytest.mark.parametrize("piece", ["1", "1/", "the end of ", "a", " ", "'", "-", "before ", "\u0661", "9" * 40 + "."])
def test_a_megabyte_of_words_is_unread_at_once(piece: str) -> None:
    words = piece * (1_000_000 // len(piece))
    began = perf_counter()
    assert read_deadline(words, SAID).reading is DeadlineReading.UNREAD
    assert read_deadline(words[:LONGEST], SAID).reading in (DeadlineReading.UNREAD, DeadlineReading.NONE)
    assert perf_counter() - began < 0.5
