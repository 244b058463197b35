"""What becomes of a resolution, over every run of events: nothing twice, nothing early, and each at the local hour."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
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
    Outlook,
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
    for _ in range(1000):
        found = outlook(followed, now, plan)
        assert found.status is status(followed, now, plan)
        assert [step.at for step in found.steps] == sorted(step.at for step in found.steps)
        for step in found.steps:
            assert step.at <= now
            change = FollowedChange(step.kind, now, step.which)
            written.append(change)
            followed = replace(followed, changes=(*followed.changes, change))
        again = outlook(followed, now, plan)
        assert not again.steps  # what stands is not given again
        assert again.ended == (again.status in ENDED)
        assert (again.next_at is None) == (again.ended or only_the_person_can_move(followed, again))
        if again.next_at is None or again.next_at > until:
            return followed, written
        assert again.next_at > now
        now = again.next_at
    raise AssertionError("it never comes to rest")


def only_the_person_can_move(followed: Followed, found: Outlook) -> bool:
    """Nothing but an answer or a new item brings it back; the workflow is told of both."""
    return found.status is ResolutionStatus.STALE and answer(followed) is None


@given(TASKS, ZONES, PLANS, ANSWERS, ANSWERS, st.integers(0, 40), st.integers(1, 60))
def test_each_moment_comes_once_and_at_its_hour(
    tasks: list[FollowedTask], zone: ZoneInfo, plan: Plan, first: Response | None, second: Response | None, wait: int, away: int
) -> None:
    followed = Followed(DECIDED, zone, tasks=tuple({task.id: task for task in tasks}.values()))
    written: list[FollowedChange] = []
    talks = {DECIDED}
    for given_, day in ((first, wait), (second, wait + 70)):
        at = DECIDED + timedelta(days=day, hours=3)
        followed, before = lived(followed, plan, at)
        followed = answered(followed, given_, at, (at.astimezone(zone) + timedelta(days=away)).date())
        written += before
        talks.add(at)
    followed, after = lived(followed, plan, DECIDED + timedelta(days=300))
    written += after
    assert len({(change.kind, change.which) for change in written}) == len(written)
    assert sum(change.kind is ChangeKind.DONE for change in written) <= 1
    for change in written:
        if change.kind in CALENDAR and change.at not in talks:  # what was due when the person spoke is told at once
            local = change.at.astimezone(zone)
            assert local == morning(local.date(), zone, plan)
            assert local.replace(tzinfo=None).hour == plan.hour or skipped(local.date(), zone, plan)
    if answer(followed) is Response.REJECT:
        assert outlook(followed, DECIDED + timedelta(days=300), plan).ended


def skipped(day: date, zone: ZoneInfo, plan: Plan) -> bool:
    """Whether the clocks of that day jump over the plan's hour."""
    wanted = datetime.combine(day, time(plan.hour))
    return wanted.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wanted


@given(TASKS, ZONES, PLANS, ANSWERS, st.integers(0, 40), st.lists(st.integers(0, 200), max_size=12))
def test_whenever_it_is_looked_at_the_record_stays_free_of_repetitions(
    tasks: list[FollowedTask], zone: ZoneInfo, plan: Plan, given_: Response | None, wait: int, looks: list[int]
) -> None:
    """A worker that was away looks late: then each step is given late, still once, and a replay gives the same."""
    start = Followed(DECIDED, zone, tasks=tuple({task.id: task for task in tasks}.values()))

    def live() -> Followed:
        followed = start
        for day in sorted([*looks, wait]):
            now = DECIDED + timedelta(days=day, hours=5)
            if day == wait:
                followed = answered(followed, given_, now, (now.astimezone(zone) + timedelta(days=9)).date())
            for step in outlook(followed, now, plan).steps:
                followed = replace(followed, changes=(*followed.changes, FollowedChange(step.kind, now, step.which)))
            assert not outlook(followed, now, plan).steps
        return followed

    followed = live()
    assert followed == live()
    assert len({(change.kind, change.which) for change in followed.changes}) == len(followed.changes)
    returned = sum(change.kind is ChangeKind.RETURNED for change in followed.changes)
    assert returned <= sum(change.kind is ChangeKind.DEFERRED for change in followed.changes)


CHANGES = st.lists(
    st.builds(
        FollowedChange,
        st.sampled_from(list(ChangeKind)),
        st.integers(0, 200).map(lambda hours: DECIDED + timedelta(hours=hours * 12)),
        st.sampled_from(["", "1", "2", "ACT-1/1"]),
        st.just(date(2026, 4, 1)),
    ),
    max_size=8,
)


@given(CHANGES, TASKS, ZONES, PLANS, st.integers(0, 400), st.sampled_from([None, "RES-2"]))
def test_whatever_stands_on_the_record_has_a_status_and_comes_to_an_end(
    changes: list[FollowedChange], tasks: list[FollowedTask], zone: ZoneInfo, plan: Plan, days: int, by: str | None
) -> None:
    followed = Followed(DECIDED, zone, tuple(sorted(changes, key=lambda change: change.at)), tuple(tasks), by)
    now = DECIDED + timedelta(days=days)
    found = outlook(followed, now, plan)
    assert found == outlook(followed, now, plan)
    assert found.status in ResolutionStatus and found.status is status(followed, now, plan)
    assert found.next_at is None or found.next_at > now
    assert found.ended == (found.status in ENDED)
    if found.next_at is None and not found.steps:
        assert found.ended or only_the_person_can_move(followed, found)
    for response in Response:
        refused = refusal(followed, response)
        assert refused is None or refused.endswith((".", "then."))
    if by is not None or answer(followed) in (Response.ACCEPT, Response.REJECT):
        assert all(refusal(followed, response) for response in Response)


@given(TASKS, PLANS, st.integers(0, 400))
def test_a_worker_that_was_away_tells_nobody_four_times_at_once(tasks: list[FollowedTask], plan: Plan, days: int) -> None:
    found = outlook(Followed(DECIDED, LA, tasks=tuple(tasks)), DECIDED + timedelta(days=days), plan)
    assert len(found.steps) <= 1  # a reminder or that it is stale
    assert found.next_at is None or found.next_at > DECIDED + timedelta(days=days)


def test_reminders_come_every_seven_days_until_it_is_stale() -> None:
    _, written = lived(Followed(DECIDED, LA), Plan(), DECIDED + timedelta(days=100))
    days = [(change.kind.value, (change.at.astimezone(LA).date() - date(2026, 3, 1)).days) for change in written]
    assert days == [("reminded", 7), ("reminded", 14), ("reminded", 21), ("reminded", 28), ("stale", 30)]
    # Once the clocks have gone forward nine o'clock is an hour earlier in UTC: 8 March is the day on which they do.
    assert [change.at.hour for change in written] == [16] * 5
    before, _ = lived(Followed(datetime(2026, 2, 22, 14, tzinfo=UTC), LA), Plan(), datetime(2026, 3, 10, tzinfo=UTC))
    assert [change.at.hour for change in before.changes] == [17, 16]


def test_what_moves_comes_back_to_life_and_waits_anew() -> None:
    followed, written = lived(Followed(DECIDED, LA), Plan(), DECIDED + timedelta(days=40))
    assert status(followed, DECIDED + timedelta(days=40)) is ResolutionStatus.STALE
    moved = FollowedChange(ChangeKind.ACTION_ADDED, DECIDED + timedelta(days=40), "ACT-1")
    followed = replace(followed, changes=(*followed.changes, moved))
    assert status(followed, DECIDED + timedelta(days=40)) is ResolutionStatus.WAITING
    _, again = lived(followed, Plan(), DECIDED + timedelta(days=100))
    assert [change.kind.value for change in again] == ["reminded"] * 4 + ["stale"]
    assert not {change.which for change in written} & {change.which for change in again}


@pytest.mark.parametrize("final", [ChangeKind.ACCEPTED, ChangeKind.REJECTED])
def test_an_answer_stands_that_was_given_at_the_moment_of_the_return(final: ChangeKind) -> None:
    at = DECIDED + timedelta(days=5)
    deferred = FollowedChange(ChangeKind.DEFERRED, DECIDED, "1", date(2026, 3, 6))
    returned, given_ = FollowedChange(ChangeKind.RETURNED, at, "1"), FollowedChange(final, at)
    for order in ((given_, returned), (returned, given_)):
        found = answer(made(deferred, *order, tasks=(OPEN,)))
        assert found is (Response.ACCEPT if final is ChangeKind.ACCEPTED else Response.REJECT)
    again = FollowedChange(ChangeKind.DEFERRED, at, "2", date(2026, 5, 1))
    for order in ((again, returned), (returned, again)):
        assert answer(made(deferred, *order)) is Response.DEFER


def test_what_was_accepted_is_looked_at_once_a_week() -> None:
    """An item may be completed where nobody can tell the workflow: in a file, or while no server runs."""
    found = outlook(made(ACCEPTED, tasks=(replace(OPEN, due=None),)), DECIDED + timedelta(days=2))
    assert found.next_at == datetime(2026, 3, 10, 16, tzinfo=UTC)  # nine in the morning, once the clocks have changed


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
