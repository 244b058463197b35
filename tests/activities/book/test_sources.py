"""Goals, days and check-ins: what is understood, and what is named as not understood. Missing is never zero (law 8)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from activities.book.folder import LOOKING_BACK, MAX_SKIPPED
from activities.book.sources import (
    MAX_CHECKINS,
    MAX_ENTRIES,
    MAX_GOALS,
    MAX_WORKOUTS,
    Source,
    read_checkins,
    read_days,
    read_goals,
)

TODAY = date(2026, 11, 29)


def goal(**fields: Any) -> Source:
    return read_goals([("goals/active/run.json", {"title": "Run", **fields})])


def day(**fields: Any) -> Source:
    return read_days([("garmin/2026-11-28.json", fields)], TODAY)


def whys(source: Source) -> str:
    return " | ".join(f"{one.path}: {one.why}" for one in source.skipped)


# ---- goals ----


def test_a_goal_has_everything_that_it_says() -> None:
    found = goal(
        id="goal-run",
        target={"value": 10, "unit": "km"},
        progress_percent=58,
        start="2026-08-31",
        due="2027-02-28",
        status="On track",
        why="A\nplan",
        mood="extra keys do no harm",
    )
    (one,) = found.values
    assert (one.id, one.title, one.target, one.progress) == ("goal-run", "Run", "10 km", 58)
    assert (one.start, one.due, one.status, one.why) == (date(2026, 8, 31), date(2027, 2, 28), "on_track", "A plan")
    assert found.skipped == []


def test_a_goal_that_says_nothing_but_its_title_has_no_progress_not_none_at_all() -> None:
    (one,) = goal().values
    assert (one.id, one.progress, one.due, one.status) == ("run", None, None, "")


@pytest.mark.parametrize("progress", [62, "62%", {"percent": 62}, {"current": 31, "target": 50}])
def test_progress_in_all_its_forms(progress: object) -> None:
    assert goal(progress=progress).values[0].progress == 62


def test_progress_from_current_and_target() -> None:
    assert goal(current=31, target=50).values[0].progress == 62


def test_a_share_that_could_be_a_percentage_is_named_and_not_guessed() -> None:
    found = goal(progress=0.62)
    assert found.values[0].progress is None
    assert "0.62" in whys(found) and "progress_percent" in whys(found)
    assert goal(progress_percent=0.62).values[0].progress == 0.62


@pytest.mark.parametrize("fields", [{"progress": -3}, {"progress_percent": "much"}, {"due": "soon"}, {"start": 5}])
def test_what_cannot_be_true_is_named_and_the_goal_stays(fields: dict[str, Any]) -> None:
    found = goal(**fields)
    assert len(found.values) == 1
    assert len(found.skipped) == 1 and "mend" in whys(found)


@pytest.mark.parametrize("value", [3, "text", None, {}, {"title": ""}, {"title": ["x"]}, {"title": "\n"}])
def test_what_is_no_goal_is_named(value: object) -> None:
    found = read_goals([("goals/active/x.json", value)])
    assert found.values == [] and "title" in whys(found)


def test_goals_in_one_list_have_ids_of_their_own() -> None:
    found = read_goals([("goals/active/all.json", {"goals": [{"title": "A"}, 7, {"title": "B", "id": "b"}]})])
    assert [one.id for one in found.values] == ["all-1", "b"]
    assert "entry 2" in whys(found)


def test_of_two_goals_with_one_id_the_first_stands_and_the_other_is_named() -> None:
    found = read_goals([("a.json", {"id": "g", "title": "A"}), ("b.json", {"id": "g", "title": "B"})])
    assert [one.title for one in found.values] == ["A"]
    assert "b.json" in whys(found) and "a.json" in whys(found)


def test_more_goals_than_the_limit_are_named_once() -> None:
    found = read_goals([("all.json", [{"title": str(n)} for n in range(MAX_GOALS + 500)])])
    assert len(found.values) == MAX_GOALS and len(found.skipped) == 1


# ---- wearable data ----


def test_a_day_has_everything_that_it_says() -> None:
    found = day(
        sleep_hours=7.25,
        hrv_ms=48,
        steps=9120,
        body_battery={"low": 20, "high": 81},
        resting_heart_rate=55,
        activities=[{"type": "running", "minutes": 38, "distance_km": 6.2, "id": "a"}],
    )
    (one,) = found.values
    assert one.date == date(2026, 11, 28)
    assert (one.sleep_hours, one.hrv, one.steps, one.resting_heart_rate) == (7.25, 48, 9120, 55)
    assert (one.battery_low, one.battery_high) == (20, 81)
    assert [(w.kind, w.minutes, w.km) for w in one.workouts] == [("running", 38, 6.2)]
    assert found.skipped == []


def test_garmins_own_names_are_understood() -> None:
    (one,) = read_days(
        [
            (
                "garmin/export.json",
                [
                    {
                        "calendarDate": "2026-11-28",
                        "totalSteps": 9000,
                        "bodyBatteryHighestValue": 80,
                        "bodyBatteryLowestValue": 20,
                        "restingHeartRate": 54,
                        "dailySleepDTO": {"sleepTimeSeconds": 25200},
                        "hrv": {"lastNightAvg": 47, "last_night_avg": 47},
                        "activities": [
                            {
                                "activityId": 9,
                                "activityType": {"typeKey": "running"},
                                "duration": 2280.0,
                                "distance": 6200.0,
                                "startTimeLocal": "2026-11-28 07:00:00",
                            }
                        ],
                    }
                ],
            )
        ],
        TODAY,
    ).values
    assert (one.sleep_hours, one.hrv, one.steps, one.battery_low, one.battery_high) == (7, 47, 9000, 20, 80)
    assert [(w.kind, w.minutes, w.km) for w in one.workouts] == [("running", 38, 6.2)]


def test_a_missing_figure_is_none_and_zero_is_zero() -> None:
    (one,) = day().values
    assert (one.sleep_hours, one.steps, one.workouts) == (None, None, None)
    (one,) = day(steps=0, activities=[]).values
    assert (one.steps, one.workouts) == (0, ())


@pytest.mark.parametrize(
    "battery", [{"low": 20, "high": 80}, {"min": 20, "max": 80}, [20, 80], [80, 20], {"low": 80, "high": 20}]
)
def test_the_range_of_body_battery_in_its_forms(battery: object) -> None:
    (one,) = day(body_battery=battery).values
    assert (one.battery_low, one.battery_high) == (20, 80)


@pytest.mark.parametrize("fields", [{"sleep_hours": 31}, {"hrv_ms": -2}, {"steps": "many"}, {"resting_heart_rate": 900}])
def test_a_figure_that_cannot_be_true_is_named_and_left_out(fields: dict[str, Any]) -> None:
    found = day(**fields)
    (one,) = found.values
    assert (one.sleep_hours, one.hrv, one.steps, one.resting_heart_rate) == (None, None, None, None)
    assert len(found.skipped) == 1 and "mend" in whys(found)


def test_one_file_a_day_or_one_list() -> None:
    apart = read_days([(f"garmin/2026-11-{n}.json", {"steps": n}) for n in (26, 27)], TODAY)
    together = read_days([("garmin/week.json", [{"date": f"2026-11-{n}", "steps": n} for n in (26, 27)])], TODAY)
    wrapped = read_days([("garmin/week.json", {"days": [{"day": f"2026-11-{n}", "steps": n} for n in (27, 26)]})], TODAY)
    steps = [[(one.date.day, one.steps) for one in source.values] for source in (apart, together, wrapped)]
    assert steps == [[(27, 27), (26, 26)]] * 3  # newest first


def test_a_date_inside_counts_before_the_name() -> None:
    assert read_days([("garmin/2026-11-28.json", {"date": "2026-11-27"})], TODAY).values[0].date.day == 27


def test_days_without_a_date_of_the_future_or_given_twice_are_named() -> None:
    found = read_days(
        [
            ("garmin/2026-11-27.json", {"steps": 1}),
            ("garmin/week.json", [{"steps": 2}, {"date": "2026-11-30"}, {"date": "2026-11-27", "steps": 3}, "x"]),
        ],
        TODAY,
    )
    assert [one.steps for one in found.values] == [1]
    assert [one.path for one in found.skipped] == [f"garmin/week.json, entry {n}" for n in (1, 2, 3, 4)]
    assert "garmin/2026-11-27.json, which stands" in whys(found)


def test_days_of_long_ago_are_left_alone() -> None:
    edge = TODAY - timedelta(days=LOOKING_BACK)
    found = read_days([("x.json", [{"date": str(edge)}, {"date": str(edge - timedelta(days=1))}])], TODAY)
    assert [one.date for one in found.values] == [edge] and found.skipped == []


def test_activities_apart_from_days_are_put_to_their_days() -> None:
    run = {"date": "2026-11-24", "type": "running", "minutes": 30}
    swim = {"startTimeLocal": "2026-11-27 18:00:00", "activityType": {"typeKey": "swimming"}}
    found = read_days(
        [
            ("garmin/2026-11-24.json", {"steps": 5}),
            ("garmin/2026-11-25.json", {"steps": 6}),
            ("garmin/2026-11-28.json", {"steps": 7}),
            ("garmin/activities.json", [run, swim, {"type": "no date"}]),
        ],
        TODAY,
    )
    workouts = {one.date.day: one.workouts for one in found.values}
    assert [w.kind for w in workouts[24]] == ["running"]
    assert [w.kind for w in workouts[27]] == ["swimming"]  # a day that has nothing else
    assert workouts[25] == ()  # between the first and the last activity: there was none
    assert workouts[28] is None  # after the last: nothing is known
    assert "entry 3" in whys(found)


def test_an_activity_that_is_given_twice_counts_once_and_two_alike_count_twice() -> None:
    run = {"type": "running", "minutes": 30}
    same_id = read_days([("garmin/2026-11-28.json", {"activities": [{**run, "id": "a"}, {**run, "id": "a"}]})], TODAY)
    assert len(same_id.values[0].workouts) == 1
    alike = day(activities=[run, run])
    assert len(alike.values[0].workouts) == 2
    apart = read_days(
        [
            ("garmin/2026-11-28.json", {"activities": [{**run, "id": "a"}, run]}),
            ("garmin/activities/x.json", [{**run, "date": "2026-11-28", "id": "a"}, {**run, "date": "2026-11-28", "id": "b"}]),
        ],
        TODAY,
    )
    assert len(apart.values[0].workouts) == 2
    twice = [{**run, "date": "2026-11-28"}, {**run, "date": "2026-11-28"}]
    found = read_days([("garmin/2026-11-28.json", {"activities": [run]}), ("garmin/activities/x.json", twice)], TODAY)
    assert len(found.values[0].workouts) == 2  # one of the two is the day's own, the other is not
    other = read_days(
        [
            ("garmin/2026-11-28.json", {"activities": [{**run, "id": "a"}]}),
            ("garmin/activities/x.json", [{**run, "date": "2026-11-28", "id": "b"}]),
        ],
        TODAY,
    )
    assert len(other.values[0].workouts) == 2


def test_a_day_with_too_many_activities_is_cut_and_named() -> None:
    found = day(activities=["walk"] * (MAX_WORKOUTS + 3))
    assert len(found.values[0].workouts) == MAX_WORKOUTS and str(MAX_WORKOUTS + 3) in whys(found)
    many = [{"date": "2026-11-28", "type": "walk", "id": str(n)} for n in range(5000)]
    found = read_days([("garmin/activities.json", many)], TODAY)
    assert len(found.values[0].workouts) == MAX_WORKOUTS and "limit" in whys(found)
    many += [{"date": "2026-11-29", "type": "run"}]
    found = read_days([("garmin/activities.json", many)], TODAY)
    assert [w.kind for w in found.values[0].workouts] == ["run"]  # the newest is never what a limit takes


def test_a_file_full_of_nonsense_is_named_and_not_a_hundred_thousand_times() -> None:
    found = read_days([("garmin/x.json", [1] * 100_000)], TODAY)
    assert found.values == [] and len(found.skipped) == MAX_SKIPPED + 1
    assert "only these are named" in found.skipped[-1].why


def test_a_file_of_too_many_entries_is_read_up_to_the_limit_and_named() -> None:
    old = {"date": "2020-01-01", "steps": 1}
    found = read_days([("garmin/x.json", [{"date": "2026-11-28", "steps": 2}, *[old] * MAX_ENTRIES])], TODAY)
    assert [one.steps for one in found.values] == [2]
    (skipped,) = found.skipped
    assert str(MAX_ENTRIES) in skipped.why and "split" in skipped.why
    assert read_days([("garmin/x.json", [old] * MAX_ENTRIES)], TODAY).skipped == []


# ---- check-ins ----


def test_a_check_in_has_everything_that_it_says() -> None:
    fields = {"energy": 7, "mood": "calm", "responses": {"What went well?": "A run.", "Empty?": ""}, "note": "Early."}
    (one,) = read_checkins([("checkins/2026-11-28.json", fields)], TODAY).values
    assert (one.date, one.energy, one.mood) == (date(2026, 11, 28), "7", "calm")
    assert one.responses == (("What went well?", "A run."), ("note", "Early."))


@pytest.mark.parametrize(
    ("responses", "found"),
    [
        ([{"question": "Q", "answer": "A"}], (("Q", "A"),)),
        (["A", 3], (("", "A"), ("", "3"))),
        ({"Q": "A\nB"}, (("Q", "A B"),)),
        ("text", ()),
        ([[["x"]]], ()),
    ],
)
def test_responses_in_their_forms(responses: object, found: object) -> None:
    (one,) = read_checkins([("checkins/2026-11-28.json", {"key_responses": responses})], TODAY).values
    assert one.responses == found


def test_several_check_ins_of_a_day_stay_apart_newest_first() -> None:
    entries = [
        {"date": "2026-11-27", "time": "21:00", "energy": 1},
        {"timestamp": "2026-11-28T07:30:00Z", "energy": 2},
        {"date": "2026-11-28", "time": "21:00", "energy": 3},
    ]
    found = read_checkins([("checkins/week.json", {"checkins": entries})], TODAY)
    assert [(one.time, one.energy) for one in found.values] == [("21:00", "3"), ("07:30", "2"), ("21:00", "1")]


def test_more_check_ins_than_the_limit_lose_the_oldest_and_say_so() -> None:
    entries = [{"date": "2026-11-27"}] * 100 + [{"date": "2026-11-28"}] * MAX_CHECKINS
    found = read_checkins([("checkins/x.json", entries)], TODAY)
    assert {one.date.day for one in found.values} == {28} and len(found.values) == MAX_CHECKINS
    assert "oldest" in whys(found)
