"""What becomes of a resolution, over every run of events: nothing twice, nothing early, and each at the local hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.following import (
    ENDED,
    ChangeKind,
    Followed,
    FollowedChange,
    FollowedTask,
    Plan,
    ResolutionStatus,
    Response,
    answer,
    morning,
    outlook,
    refusal,
    status,
)

LA = ZoneInfo("America/Los_Angeles")
DECIDED = datetime(2026, 3, 1, 14, 0, tzinfo=UTC)  # a Sunday at six, a week before the clocks go forward
CALENDAR = {
    ChangeKind.RETURNED, ChangeKind.REMINDED, ChangeKind.ACTION_DUE, ChangeKind.ACTION_OVERDUE, ChangeKind.STALE,
}  # fmt: skip

PLANS = st.builds(Plan, st.integers(0, 20), st.integers(1, 60), st.integers(0, 23))
DUES = st.one_of(st.none(), st.integers(-5, 90).map(lambda n: date(2026, 3, 1) + timedelta(days=n)))
TASKS = st.lists(
    st.builds(FollowedTask, st.integers(1, 9).map(lambda n: f"ACT-{n}"), DUES, st.booleans(), st.booleans()), max_size=4
)
ZONES = st.sampled_from([LA, ZoneInfo("UTC"), ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Asia/Kathmandu")])
ANSWERS = st.sampled_from([None, Response.ACCEPT, Response.REJECT, Response.DEFER])


def answered(followed: Followed, given: Response | None, at: datetime, until: date) -> Followed:
    kinds = {
        Response.ACCEPT: ChangeKind.ACCEPTED,
        Response.REJECT: ChangeKind.REJECTED,
        Response.DEFER: ChangeKind.DEFERRED,
    }
    if given is None or refusal(followed, given) is not None:
        return followed
    change = FollowedChange(kinds[given], at, until=until if given is Response.DEFER else None)
    return replace(followed, changes=(*followed.changes, change))


def lived(followed: Followed, plan: Plan, until: datetime) -> tuple[Followed, list[FollowedChange]]:
    """The resolution as its workflow lives it: it looks at each moment that it is told of."""
    now, written = max([followed.decided_at, *(change.at for change in followed.changes)]), []
    for _ in range(500):
        found = outlook(followed, now, plan)
        for step in found.steps:
            change = FollowedChange(step.kind, now, step.which)
            written.append(change)
            followed = replace(followed, changes=(*followed.changes, change))
        again = outlook(followed, now, plan)
        assert not again.steps  # what stands is not given again
        if again.ended or again.next_at is None or again.next_at > until:
            return followed, written
        assert again.next_at > now
        now = again.next_at
    raise AssertionError("it never comes to rest")


@given(TASKS, ZONES, PLANS, ANSWERS, st.integers(0, 40), st.integers(1, 60))
def test_each_moment_comes_once_and_at_its_hour(
    tasks: list[FollowedTask], zone: ZoneInfo, plan: Plan, given: Response | None, wait: int, away: int
) -> None:
    followed = Followed(DECIDED, zone, tasks=tuple({task.id: task for task in tasks}.values()))
    at = DECIDED + timedelta(days=wait, hours=3)
    followed, before = lived(followed, plan, at)
    followed = answered(followed, given, at, (at.astimezone(zone) + timedelta(days=away)).date())
    followed, after = lived(followed, plan, DECIDED + timedelta(days=300))
    written = [*before, *after]
    assert len({(change.kind, change.which) for change in written}) == len(written)
    for change in before:
        if change.kind in CALENDAR and change.at != DECIDED:
            local = change.at.astimezone(zone)
            assert local == morning(local.date(), zone, plan)
    assert status(followed, DECIDED + timedelta(days=300), plan) in ResolutionStatus
    if answer(followed) is Response.REJECT:
        assert outlook(followed, DECIDED + timedelta(days=300), plan).ended


@given(TASKS, PLANS, st.integers(0, 400))
def test_a_worker_that_was_away_tells_nobody_four_times_at_once(tasks: list[FollowedTask], plan: Plan, days: int) -> None:
    found = outlook(Followed(DECIDED, LA, tasks=tuple(tasks)), DECIDED + timedelta(days=days), plan)
    assert sum(step.kind is ChangeKind.REMINDED for step in found.steps) <= 1
    assert found.next_at is None or found.next_at > DECIDED + timedelta(days=days)


def test_mornings_keep_to_the_local_clock_when_it_changes() -> None:
    plan = Plan(hour=9)
    for day in (date(2026, 3, 7), date(2026, 3, 8), date(2026, 3, 9), date(2026, 11, 1), date(2026, 11, 2)):
        assert morning(day, LA, plan).astimezone(LA).hour == 9
    assert morning(date(2026, 3, 8), LA, Plan(hour=2)).astimezone(LA).hour == 3  # two o'clock did not exist


def made(*changes: FollowedChange, tasks: tuple[FollowedTask, ...] = (), by: str | None = None) -> Followed:
    return Followed(DECIDED, LA, changes, tasks, by)


ACCEPTED = FollowedChange(ChangeKind.ACCEPTED, DECIDED + timedelta(days=1))
OPEN, DONE = FollowedTask("ACT-1", date(2026, 3, 20), False), FollowedTask("ACT-2", None, True)


@pytest.mark.parametrize(
    ("followed", "days", "expected"),
    [
        (made(), 1, "waiting"),
        (made(), 31, "stale"),
        (made(FollowedChange(ChangeKind.DEFERRED, DECIDED, until=date(2026, 6, 1))), 60, "waiting"),
        (made(FollowedChange(ChangeKind.REJECTED, DECIDED)), 60, "rejected"),
        (made(ACCEPTED), 2, "done"),  # it asks for nothing
        (made(ACCEPTED, tasks=(OPEN,)), 2, "accepted"),
        (made(ACCEPTED, tasks=(OPEN, DONE)), 2, "in_progress"),
        (made(ACCEPTED, tasks=(OPEN, DONE)), 25, "overdue"),
        (made(ACCEPTED, tasks=(replace(OPEN, due=None),)), 40, "stale"),
        (made(ACCEPTED, tasks=(replace(OPEN, dropped=True), DONE)), 2, "done"),
        (made(ACCEPTED, tasks=(OPEN,), by="RES-mtg-00000002-1"), 2, "superseded"),
    ],
)
def test_where_a_resolution_stands(followed: Followed, days: int, expected: str) -> None:
    found = status(followed, DECIDED + timedelta(days=days))
    assert found == expected
    assert outlook(followed, DECIDED + timedelta(days=days)).ended == (found in ENDED)


def test_the_first_final_answer_stands() -> None:
    deferred = made(FollowedChange(ChangeKind.DEFERRED, DECIDED, until=date(2026, 6, 1)))
    assert refusal(deferred, Response.ACCEPT) is None
    assert "2026-06-01" in (refusal(deferred, Response.DEFER) or "")
    for response in Response:
        assert "first answer stands" in (refusal(made(ACCEPTED), response) or "")
    assert "RES-2" in (refusal(made(by="RES-2"), Response.ACCEPT) or "")
