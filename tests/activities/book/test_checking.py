"""Validation of views against the raw data: both figures, where each is from, and the days (issue 3, Build 1)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activities.book.checking import STALE_DAYS, check
from activities.book.sources import read_days, read_goals
from activities.book.values import DayOfBody, Finding, FindingKind, Goal, View
from activities.book.views import attention, figures, read_views, status_counts, viewed_goals

TODAY = date(2026, 11, 29)
WEEK = {"start": "2026-11-22", "end": "2026-11-28"}


def view(name: str, **data: Any) -> View:
    data = {"generated_at": "2026-11-28T23:00:00Z", **data}
    (one,) = read_views([(f"memory/views/{name}.json", data)]).values
    return one


def days(**fields: list[Any]) -> tuple[DayOfBody, ...]:
    """Days from 22 to 28 November, with a value of each field a day; None leaves it out."""
    entries = []
    for n in range(7):
        said = {name: values[n] for name, values in fields.items() if values[n] is not None}
        entries.append({"date": f"2026-11-{22 + n}", **said})
    return tuple(read_days([("garmin/week.json", entries)], TODAY).values)


def workouts(*counts: int | None, minutes: int = 30) -> tuple[DayOfBody, ...]:
    return days(activities=[None if count is None else [{"type": "run", "minutes": minutes}] * count for count in (*counts,)])


def goals(*entries: dict[str, Any]) -> tuple[Goal, ...]:
    return tuple(read_goals([(f"goals/active/{entry.get('id', n)}.json", entry) for n, entry in enumerate(entries)]).values)


def found(
    *views: View, of: tuple[DayOfBody, ...] = (), goals: tuple[Goal, ...] = (), kind: FindingKind | None = FindingKind.DISAGREES
) -> list[Finding]:
    all_found = check(goals, {one.name: one for one in views}, of, TODAY)
    return [one for one in all_found if kind is None or one.kind is kind]


# ---- workouts ----


@pytest.mark.parametrize("name", ["week-summary", "training-status", "health-snapshot"])
def test_five_workouts_said_and_three_recorded(name: str) -> None:
    (one,) = found(view(name, period=WEEK, workouts=5), of=workouts(0, 0, 1, 0, 1, 0, 1))
    assert one.source == f"memory/views/{name}.json"
    assert (one.about, one.says, one.raw_source, one.raw_says) == ("workouts", "5 workouts", "garmin/", "3 workouts")
    assert [day.day for day in one.days] == list(range(22, 29))
    for part in (one.source, "5 workouts", "3 workouts", "2026-11-24, 2026-11-26 and 2026-11-28", "2026-11-22 to 2026-11-28"):
        assert part in one.sentence
    assert "with data of" not in one.sentence


@pytest.mark.parametrize(
    "data",
    [
        {"workouts": 3},
        {"workouts_completed": "3"},
        {"training": {"sessions": {"total": 3}}},
        {"workoutsThisWeek": 3},
        {"workouts": [{"type": "run"}, {"type": "run"}, {"type": "lift"}]},
        {"weekly_summary": {"workout_count": 3}},
        {"last_7_days": {"workouts": 3}},
    ],
)
def test_three_said_in_any_form_and_three_recorded_agree(data: dict[str, Any]) -> None:
    one = view("week-summary", period=WEEK, **data)
    assert [figure.of for figure in figures(one)] == ["workouts"]
    assert found(one, of=workouts(0, 0, 1, 0, 1, 0, 1)) == []
    assert len(found(one, of=workouts(0, 0, 1, 0, 1, 1, 1))) == 1


@pytest.mark.parametrize(
    "data",
    [
        {"workouts_planned": 5},
        {"workouts_by_type": {"run": 5}},
        {"last_week": {"workouts": 5}},
        {"previous_7_days": {"workouts": 5}},
        {"workouts": "five"},
        {"workouts": True},
        {"workouts": -1},
        {"sleep_target_hours": 9},
        {"sleep_last_night": 9},
        {"sleep_score": 90},
        {"sleep": 90},
        {"steps_goal": 12_000},
        {"hrv_baseline": 60},
    ],
)
def test_figures_of_something_else_are_not_taken_for_these(data: dict[str, Any]) -> None:
    one = view("week-summary", period=WEEK, **data)
    assert figures(one) == ()
    assert found(one, of=workouts(0, 0, 1, 0, 1, 0, 1), kind=None) == []


def test_a_day_that_does_not_say_is_not_a_day_without_workouts() -> None:
    """Law 8: what is missing is counted as missing, and the sentence says how much there was."""
    summary = view("week-summary", period=WEEK, workouts=5)
    (one,) = found(summary, of=workouts(None, 1, 1, None, 1, 0, 0))
    assert "with data of 5 of the 7 days" in one.sentence
    (one,) = found(summary, of=workouts(None, None, 1, None, 1, None, 1), kind=None)
    assert one.kind is FindingKind.UNCHECKED
    assert "cannot be checked" in one.sentence and "3 of the 7 days" in one.sentence
    (one,) = found(summary, kind=None)
    assert one.kind is FindingKind.UNCHECKED and "0 of the 7 days" in one.sentence


def test_training_minutes_are_summed() -> None:
    raw = workouts(0, 0, 1, 0, 1, 0, 1, minutes=40)
    assert found(view("training-status", period=WEEK, training_minutes=118), of=raw) == []
    assert found(view("training-status", period=WEEK, training_hours=2), of=raw) == []
    (one,) = found(view("training-status", period=WEEK, training_minutes=300), of=raw)
    assert (one.says, one.raw_says) == ("300 training minutes", "120 training minutes")


# ---- averages ----


@pytest.mark.parametrize(
    ("data", "field", "values", "wrong"),
    [
        ({"avg_sleep_hours": 6.5}, "sleep_hours", [7, 6, 7, 6, 7, 6, 6.5], [5, 6, 5, 6, 5, 6, 5]),
        ({"sleep": {"average_hours": 6.5}}, "sleep_hours", [6.5] * 7, [7.5] * 7),
        ({"sleepHoursAvg": 6.5}, "sleep_hours", [6.5] * 7, [7.5] * 7),
        ({"sleep": {"avg_minutes": 390}}, "sleep_hours", [6.5] * 7, [7.5] * 7),
        ({"hrv": {"avg_ms": 46}}, "hrv_ms", [44, 48, 46, 46, 46, 46, 46], [56] * 7),
        ({"steps": {"daily_average": 9000}}, "steps", [9100] * 7, [5000] * 7),
        ({"avg_steps": 9000}, "steps", [8000, 10000, 9000, 9000, 9000, 9000, 9000], [12000] * 7),
        ({"resting_heart_rate": {"average": 56}}, "resting_heart_rate", [55, 57, 56, 56, 56, 56, 56], [60] * 7),
    ],
)
def test_averages_are_held_against_the_days(data: dict[str, Any], field: str, values: list[float], wrong: list[float]) -> None:
    one = view("health-snapshot", period=WEEK, **data)
    assert len(figures(one)) == 1
    assert found(one, of=days(**{field: values})) == []
    (disagreement,) = found(one, of=days(**{field: wrong}))
    assert len(disagreement.days) == 7
    assert disagreement.says != disagreement.raw_says


def test_days_without_the_figure_do_not_pull_the_average_down() -> None:
    one = view("health-snapshot", period=WEEK, avg_sleep_hours=7)
    assert found(one, of=days(sleep_hours=[7, None, 7, None, 7, 7, None])) == []


def test_steps_may_be_an_average_or_a_sum() -> None:
    raw = days(steps=[9000] * 7)
    assert found(view("week-summary", period=WEEK, steps=63_000), of=raw) == []
    assert found(view("week-summary", period=WEEK, steps=9_000), of=raw) == []
    assert len(found(view("week-summary", period=WEEK, steps=30_000), of=raw)) == 1


def test_a_figure_that_names_its_window_is_held_against_that_window() -> None:
    raw = days(sleep_hours=[8, 8, 8, 8, 6, 6, 6])
    assert found(view("health-snapshot", last_3_days={"avg_sleep_hours": 6}), of=raw) == []
    assert found(view("health-snapshot", avg_sleep_hours_3d=6), of=raw) == []
    (one,) = found(view("health-snapshot", last_3_days={"avg_sleep_hours": 8}), of=raw)
    assert [day.day for day in one.days] == [26, 27, 28]


def test_a_view_that_does_not_say_its_days_may_have_counted_its_own_day_or_not() -> None:
    raw = workouts(1, 0, 1, 0, 1, 0, 1)
    generated = {"generated_at": "2026-11-29T05:00:00Z"}
    assert found(view("week-summary", **generated, workouts=3), of=raw) == []  # 23 to 29 November
    assert found(view("week-summary", **generated, workouts=4), of=raw) == []  # 22 to 28 November
    assert len(found(view("week-summary", **generated, workouts=5), of=raw)) == 1


@pytest.mark.parametrize(
    "period",
    [
        {"period": {"start": "2026-11-23", "end": "2026-11-28"}},
        {"week_start": "2026-11-23", "week_end": "2026-11-28"},
        {"from": "2026-11-23", "to": "2026-11-28"},
        {"week": "2026-W48"},
        {"week_start": "2026-11-23"},
    ],
)
def test_the_period_in_its_forms(period: dict[str, Any]) -> None:
    assert found(view("week-summary", **period, workouts=2), of=workouts(5, 0, 1, 0, 1, 0, 0)) == []
    assert len(found(view("week-summary", **period, workouts=7), of=workouts(5, 0, 1, 0, 1, 0, 0))) == 1


def test_a_period_that_ends_before_it_begins_is_named() -> None:
    source = read_views([("memory/views/week-summary.json", {"period": {"start": "2026-11-28", "end": "2026-11-22"}})])
    assert source.values[0].start is None
    assert "before it begins" in source.skipped[0].why


@pytest.mark.parametrize("value", [[], "x", 3, None])
def test_a_view_that_is_no_object_is_named(value: object) -> None:
    source = read_views([("memory/views/week-summary.json", value)])
    assert source.values == [] and "object" in source.skipped[0].why


# ---- goals ----

RUN = {"id": "run", "title": "Run", "progress_percent": 40, "status": "on_track"}
READ = {"id": "read", "title": "Read", "progress_percent": 70, "status": "behind"}


def progress(*entries: Any, **data: Any) -> View:
    return view("goal-progress", goals=list(entries), **data)


def test_a_percentage_that_differs_is_reported_with_both_and_one_of_rounding_is_not() -> None:
    (one,) = found(progress({**RUN, "progress_percent": 80}, READ), goals=goals(RUN, READ))
    assert (one.says, one.raw_says, one.raw_source) == ("80 %", "40 %", "goals/active/run.json")
    assert "Run" in one.sentence and "80 %" in one.sentence and "40 %" in one.sentence
    assert found(progress({**RUN, "progress_percent": 40.6}, READ), goals=goals(RUN, READ)) == []


def test_goals_are_found_by_id_else_by_an_only_title() -> None:
    assert len(found(progress({"title": "RUN", "progress": 80}, READ), goals=goals(RUN, READ))) == 1
    assert len(found(view("goal-progress", goals={"run": 80, "read": 70}), goals=goals(RUN, READ))) == 1
    twins = goals({**RUN, "id": "a"}, {**RUN, "id": "b"})
    kinds = {one.says for one in found(progress({"title": "Run", "progress": 80}), goals=twins)}
    assert kinds == {"listed", "left out"}  # nobody can tell which of the two is meant


def test_goals_that_only_one_side_has_are_reported() -> None:
    first, second = found(progress({"id": "swim", "title": "Swim"}, RUN), goals=goals(RUN, READ))
    assert "Swim" in first.sentence and "no such goal" in first.sentence
    assert "Read" in second.sentence and "leaves it out" in second.sentence
    assert found(progress(RUN), goals=goals(RUN, {**READ, "status": "done"}, {**READ, "id": "x", "status": "paused"})) == []


def test_a_view_that_lists_no_goals_leaves_none_out() -> None:
    assert found(view("goal-progress", note="nothing"), goals=goals(RUN, READ), kind=None) == []


@pytest.mark.parametrize(
    ("said", "own", "differ"),
    [
        ("on_track", "behind", True),
        ("done", "at_risk", True),
        ("at_risk", "behind", False),  # both can be true
        ("on_track", "on_track", False),
        ("on_track", "active", False),  # "active" does not say how it stands
        ("", "behind", False),
    ],
)
def test_statuses_that_cannot_both_be_true_are_reported(said: str, own: str, differ: bool) -> None:
    assert bool(found(progress({**RUN, "status": said}), goals=goals({**RUN, "status": own}))) is differ


def test_counts_by_status_are_held_against_the_goals() -> None:
    said = {"status_breakdown": {"on_track": 2, "behind": 1}, "total_goals": 3}
    first, second = found(progress(RUN, READ, **said), goals=goals(RUN, READ))
    assert (first.says, first.raw_says) == ("2 on track goals", "1 goal")
    assert (second.says, second.raw_says) == ("3 active goals", "2 goals")
    right = {"by_status": {"on_track": ["run"], "behind": 1, "total": 2}}
    assert found(progress(RUN, READ, **right), goals=goals(RUN, READ)) == []


def test_counts_that_the_goals_do_not_tell_are_unchecked() -> None:
    said = view("goal-progress", status_breakdown={"on_track": 2})
    (one,) = found(said, goals=goals(RUN, {**READ, "status": "active"}), kind=None)
    assert one.kind is FindingKind.UNCHECKED and "1 of the 2 goals" in one.sentence
    (one,) = found(said, kind=None)
    assert one.kind is FindingKind.UNCHECKED and "no goal that could be read" in one.sentence


def test_what_a_view_of_goals_may_hold() -> None:
    assert viewed_goals(view("goal-progress", goals="none")) == ()
    assert viewed_goals(view("goal-progress", goals=[None, {}, 3])) == ()
    assert status_counts(view("goal-progress", counts={"on_track": 1.5, "behind": "2", "": 3})) == {"behind": 2}
    needy = view("goal-progress", attention_needed=["Run", {"id": "read", "title": "Read"}, 5, None])
    assert attention(needy) == {"run", "read", "5"}


# ---- age ----


@pytest.mark.parametrize(("back", "stale"), [(0, False), (STALE_DAYS, False), (STALE_DAYS + 1, True), (-1, False), (-2, True)])
def test_a_view_of_long_ago_or_of_the_future_is_stale(back: int, stale: bool) -> None:
    made = str(TODAY - timedelta(days=back))
    one = found(view("goal-progress", generated_at=made), kind=FindingKind.STALE)
    assert bool(one) is stale
    if stale:
        assert made in one[0].sentence and one[0].source in one[0].sentence


@pytest.mark.parametrize("made", [None, "yesterday", 20261128])
def test_a_view_without_a_date_is_said_to_be_unchecked(made: object) -> None:
    (one,) = found(view("goal-progress", generated_at=made), kind=None)
    assert one.kind is FindingKind.UNCHECKED and "generated_at" in one.sentence


def test_disagreements_come_before_stale_views_and_what_is_unchecked() -> None:
    kinds = [
        one.kind
        for one in found(
            view("goal-progress", generated_at=None, goals=[{"id": "run", "progress": 80}]),
            view("health-snapshot", generated_at="2026-01-01"),
            view("week-summary", period=WEEK, workouts=5, avg_sleep_hours=4),
            of=workouts(0, 0, 1, 0, 1, 0, 1),
            goals=goals(RUN),
            kind=None,
        )
    ]
    assert kinds == sorted(kinds, key=list(FindingKind).index)
    assert set(kinds) == set(FindingKind)


# ---- properties ----


@given(st.lists(st.integers(0, 4), min_size=7, max_size=7), st.integers(0, 30))
def test_workouts_are_reported_exactly_when_the_counts_differ(counts: list[int], said: int) -> None:
    reported = found(view("week-summary", period=WEEK, workouts=said), of=workouts(*counts))
    assert bool(reported) is (said != sum(counts))
    for one in reported:
        assert one.says.split()[0] == str(said) and one.raw_says.split()[0] == str(sum(counts))


@given(st.lists(st.one_of(st.none(), st.floats(3, 11)), min_size=7, max_size=7))
def test_an_average_that_was_rounded_is_never_reported(hours: list[float | None]) -> None:
    known = [hour for hour in hours if hour is not None]
    mean = round(sum(known) / len(known), 1) if known else 7.0
    assert found(view("health-snapshot", period=WEEK, avg_sleep_hours=mean), of=days(sleep_hours=hours)) == []
