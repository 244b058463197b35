"""When a schedule fires: what may be typed, and which times a change of the clocks makes impossible."""

from __future__ import annotations

import zoneinfo
from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clerk import timetable
from clerk.errors import DeskError
from clerk.timetable import first_irregular, moments

TODAY = date(2026, 12, 1)
ANGELES = "America/Los_Angeles"
ZONES = ("America/Los_Angeles", "Europe/Lisbon", "Australia/Lord_Howe", "Asia/Kolkata", "America/Havana", "UTC")


def read(days: str = "sun", at: str = "06:00", zone: str = ANGELES) -> timetable.Timetable:
    return timetable.timetable(days, at, zone, today=TODAY)


def test_sundays_at_six() -> None:
    found = read()
    assert (found.days, found.at, found.zone) == ((0,), time(6, 0), ANGELES)
    assert found.words == "every Sunday at 06:00 (America/Los_Angeles)"


@pytest.mark.parametrize(
    ("days", "found"),
    [
        ("Sunday", (0,)),
        ("SUN", (0,)),
        ("thurs", (4,)),
        ("wed,sun", (0, 3)),
        ("sat, sat", (6,)),
        ("daily", (0, 1, 2, 3, 4, 5, 6)),
    ],
)
def test_days_as_people_write_them(days: str, found: tuple[int, ...]) -> None:
    assert timetable.weekdays(days) == found


def test_the_words_of_several_days() -> None:
    assert read("mon,wed,sun", "7:05").words == "every Sunday, Monday and Wednesday at 07:05 (America/Los_Angeles)"
    assert read("daily").words == "every day at 06:00 (America/Los_Angeles)"


@pytest.mark.parametrize("days", ["", "su", "s", "sunday!", "sun,", "0", "sun mon", "sundays"])
def test_what_is_no_weekday(days: str) -> None:
    with pytest.raises(DeskError, match="is not a weekday") as told:
        read(days)
    assert told.value.usage


@pytest.mark.parametrize("at", ["25:00", "24:00", "06:60", "6", "6am", "06:00:00", "", "-1:00", "١٢:٠٠", "06:00\n06:00"])
def test_what_is_no_time_of_day(at: str) -> None:
    with pytest.raises(DeskError, match="is not a time of day") as told:
        read(at=at)
    assert told.value.usage
    assert "\n" not in told.value.message


@pytest.mark.parametrize(
    "zone",
    ["Mars/Olympus", "PDT", "", "../etc/passwd", "/etc/localtime", "localtime", "America", "america/los_angeles", "a\0b"],
)
def test_what_is_no_zone(zone: str) -> None:
    with pytest.raises(DeskError, match="is not a time zone") as told:
        read(zone=zone)
    assert told.value.usage
    assert "\0" not in told.value.message


def test_a_time_that_the_clocks_skip_or_repeat_on_one_of_the_days_is_refused() -> None:
    with pytest.raises(DeskError, match="02:30 does not come at all on 2027-03-14"):
        read(at="02:30")
    with pytest.raises(DeskError, match="01:30 comes twice on 2027-11-07"):
        read(at="01:30")
    assert read("wed", "02:30").days == (3,), "the clocks change on Sundays only"
    assert read(at="02:30", zone="Asia/Kolkata").zone == "Asia/Kolkata"


@given(
    zone=st.sampled_from(ZONES),
    at=st.times().map(lambda t: t.replace(second=0, microsecond=0)),
    day=st.dates(date(2024, 1, 1), date(2032, 1, 1)),
)
def test_moments_are_all_at_which_the_clocks_show_that_time(zone: str, at: time, day: date) -> None:
    found = moments(day, at, zoneinfo.ZoneInfo(zone))
    assert found == sorted(set(found))
    # Every minute of three days of UTC around it, looked at one by one, on the grid of quarter hours that zones keep to.
    start = datetime.combine(day, at, zoneinfo.ZoneInfo("UTC")) - timedelta(days=1, hours=12)
    every = (start + timedelta(minutes=15 * n) for n in range(4 * 72))
    wanted = datetime.combine(day, at)
    assert found == [m for m in every if m.astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None) == wanted]


@given(zone=st.sampled_from(ZONES), at=st.times().map(lambda t: t.replace(second=0, microsecond=0)))
def test_a_regular_timetable_comes_once_on_each_of_its_days(zone: str, at: time) -> None:
    table = timetable.Timetable((0,), at, zone)
    irregular = first_irregular(table, TODAY, days=730)
    sundays = [day for n in range(730) if (day := TODAY + timedelta(days=n)).isoweekday() == 7]
    odd = [day for day in sundays if len(moments(day, at, zoneinfo.ZoneInfo(zone))) != 1]
    assert (irregular[0] if irregular else None) == (odd[0] if odd else None)
