"""Topics for an agenda: short, the most pressing first, each once."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from activities.book.drift import off_track
from activities.book.pressing import LITTLE_SLEEP, MAX_TOPIC, MAX_TOPICS, topics
from activities.book.values import (
    BoardBook,
    DayOfBody,
    Finding,
    FindingKind,
    FromTheRecord,
    Goal,
    OpenAction,
    Tabled,
    Waiting,
)

TODAY = date(2026, 11, 29)
GOALS = (Goal("a", "Read", "x"), Goal("b", "Run", "x", due=date(2026, 11, 1)), Goal("c", "Swim", "x", status="behind"))
BOOK = BoardBook(
    TODAY,
    goals=GOALS,
    drifting=off_track(GOALS, {}, TODAY),
    days=(DayOfBody(TODAY, "x", sleep_hours=6), DayOfBody(date(2026, 11, 28), "x", sleep_hours=5)),
    findings=(
        Finding(
            FindingKind.DISAGREES, "memory/views/week-summary.json", "workouts", "5 workouts", "…", "garmin/", "3 workouts"
        ),
        Finding(FindingKind.STALE, "memory/views/health-snapshot.json", "age", "made", "…"),
        Finding(FindingKind.UNCHECKED, "memory/views/training-status.json", "sleep", "7 h", "…"),
    ),
    known=FromTheRecord(
        waiting=(Waiting("RES-mtg-0000000a-1", "mtg-0000000a", "Cardio", "…", date(2026, 11, 15)),),
        actions=(
            OpenAction("ACT-00000001", "Call the bank", "Shareholder", "2026-11-20"),
            OpenAction("ACT-00000002", "Book the course", "Shareholder", "2026-11-10"),
            OpenAction("ACT-00000003", "Write", "Shareholder", str(TODAY)),
            OpenAction("ACT-00000004", "Ask", "Shareholder", "soon"),
        ),
        tabled=(Tabled("agenda-2", "mtg-0000000a", "A second dog"),),
    ),
)


def test_the_most_pressing_comes_first() -> None:
    assert topics(BOOK) == (
        "Goal off track: Run",
        "Goal off track: Swim",
        "Workouts: 5 workouts by the week summary, 3 workouts in the raw data",
        "Overdue since 2026-11-10: Book the course",
        "Overdue since 2026-11-20: Call the bank",
        "Waiting for an answer: Cardio",
        "From the table: A second dog",
        "Sleep: 5.5 hours a night over the past 2 nights",
        "Data out of date: memory/views/health-snapshot.json",
        "Goal review: Read",
    )


def test_an_empty_book_has_no_topic() -> None:
    assert topics(BoardBook(TODAY)) == ()


def test_enough_sleep_is_no_topic() -> None:
    rested = replace(BOOK, days=(DayOfBody(TODAY, "x", sleep_hours=LITTLE_SLEEP), DayOfBody(date(2026, 11, 28), "x")))
    assert not any(topic.startswith("Sleep") for topic in topics(rested))


def test_a_topic_is_short_on_one_line_and_given_once() -> None:
    long = [Goal(str(n), f"{'long ' * 50}\n{n}", "x") for n in range(3)]
    goals = (*long, Goal("x", "Run", "x"), Goal("y", "Run", "x"))
    found = topics(BoardBook(TODAY, goals=goals))
    assert found[-1] == "Goal review: Run" and len(found) == 2
    assert all(len(topic) <= MAX_TOPIC and "\n" not in topic for topic in found)


def test_there_are_not_more_topics_than_the_limit() -> None:
    assert len(topics(BoardBook(TODAY, goals=tuple(Goal(str(n), str(n), "x") for n in range(99))))) == MAX_TOPICS
