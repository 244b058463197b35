"""Which goals are off track: each rule by itself, and what holds for all goals."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from activities.book.drift import DONE, MARGIN, OFF_TRACK, SET_ASIDE, finished, off_track, planned
from activities.book.values import Goal, View

TODAY = date(2026, 11, 29)
START, DUE = date(2026, 9, 30), date(2027, 1, 28)  # 60 of 120 days have passed


def goal(**fields: Any) -> Goal:
    return Goal(**{"id": "run", "title": "Run", "path": "goals/active/run.json", **fields})


def view(**data: Any) -> dict[str, View]:
    return {"goal-progress": View("goal-progress", "memory/views/goal-progress.json", data)}


def reasons(one: Goal, views: dict[str, View] | None = None, **more: Any) -> tuple[str, ...]:
    return tuple(reason for drifting in off_track([one], views or {}, TODAY, **more) for reason in drifting.reasons)


def test_the_plan_is_an_even_pace_from_start_to_due() -> None:
    one = goal(start=START, due=DUE)
    assert planned(one, TODAY) == 50
    assert planned(one, START - timedelta(days=9)) == 0 and planned(one, DUE + timedelta(days=9)) == 100
    assert planned(goal(due=DUE), TODAY) is None and planned(goal(start=START), TODAY) is None
    assert planned(goal(start=DUE, due=START), TODAY) is None and planned(goal(start=START, due=START), TODAY) is None


@pytest.mark.parametrize(("progress", "drifts"), [(50 - MARGIN, False), (50 - MARGIN - 0.1, True), (0, True), (50, False)])
def test_progress_behind_the_plan_by_more_than_the_margin(progress: float, drifts: bool) -> None:
    found = reasons(goal(start=START, due=DUE, progress=progress))
    assert bool(found) is drifts
    if drifts:
        assert "50 %" in found[0] and "even pace" in found[0]


def test_progress_that_is_not_said_is_not_taken_for_none() -> None:
    assert reasons(goal(start=START, due=DUE)) == ()
    assert reasons(goal(start=START, due=DUE, progress=0)) != ()


@pytest.mark.parametrize(("back", "words"), [(1, "1 day ago"), (3, "3 days ago"), (0, ""), (-1, "")])
def test_a_goal_whose_due_date_has_passed(back: int, words: str) -> None:
    due = TODAY - timedelta(days=back)
    found = reasons(goal(due=due, progress=90))
    assert found == ((f"due on {due}, {words}",) if words else ())


@pytest.mark.parametrize("status", sorted(OFF_TRACK))
def test_its_own_status_says_so(status: str) -> None:
    assert reasons(goal(status=status)) == (f"status {status.replace('_', ' ')}",)


def test_the_view_says_so() -> None:
    assert reasons(goal(), view(goals=[{"id": "RUN", "status": "At risk"}])) == ("at risk in the goal-progress view",)
    assert reasons(goal(id="x"), view(goals=[{"title": "run", "status": "behind"}])) == ("behind in the goal-progress view",)
    assert reasons(goal(), view(attention_needed=["run"])) == ("in need of attention by the goal-progress view",)
    assert reasons(goal(), view(goals=[{"id": "run", "status": "on_track"}])) == ()
    assert reasons(goal(), view(goals=[{"id": "swim", "status": "behind"}], attention_needed=["swim"])) == ()
    assert reasons(goal(status="behind"), view(goals=[{"id": "run", "status": "behind"}])) == ("status behind",)  # said once


def test_the_goals_own_progress_stands_against_the_views() -> None:
    said = view(goals=[{"id": "run", "progress": 95, "status": "on_track"}])
    assert len(reasons(goal(start=START, due=DUE, progress=5), said)) == 1


def test_all_reasons_are_given() -> None:
    one = goal(start=START, due=TODAY - timedelta(days=2), progress=10, status="stalled")
    assert len(reasons(one, view(attention_needed=["run"]))) == 4


def test_the_worst_come_first() -> None:
    found = off_track(
        [
            goal(id="said", title="A", status="behind"),
            goal(id="slow", title="B", start=START, due=DUE, progress=20),
            goal(id="slower", title="C", start=START, due=DUE, progress=10),
            goal(id="late", title="D", due=TODAY - timedelta(days=1)),
            goal(id="later", title="E", due=TODAY - timedelta(days=30)),
            goal(id="fine", title="F", start=START, due=DUE, progress=60),
        ],
        {},
        TODAY,
    )
    assert [one.id for one in found] == ["later", "late", "slower", "slow", "said"]
    assert (found[0].overdue_days, found[2].behind) == (30, 40)


STATUSES = ["", "active", "on_track", *sorted(OFF_TRACK | DONE | SET_ASIDE)]
DATES = st.one_of(st.none(), st.dates(date(2025, 1, 1), date(2028, 1, 1)))
GOALS = st.lists(
    st.builds(
        Goal,
        id=st.from_regex(r"[a-z]{4}", fullmatch=True),
        title=st.text(min_size=1, max_size=8),
        path=st.just("goals/active/x.json"),
        progress=st.one_of(st.none(), st.floats(0, 130)),
        start=DATES,
        due=DATES,
        status=st.sampled_from(STATUSES),
    ),
    max_size=8,
    unique_by=lambda goal: goal.id,
)


@given(GOALS, st.randoms())
def test_the_order_of_the_goals_makes_no_difference(goals: list[Goal], random: Any) -> None:
    shuffled = list(goals)
    random.shuffle(shuffled)
    assert off_track(shuffled, {}, TODAY) == off_track(goals, {}, TODAY)


@given(GOALS)
def test_every_drifting_goal_is_an_open_one_with_a_reason(goals: list[Goal]) -> None:
    by_id = {one.id: one for one in goals}
    for one in off_track(goals, view(attention_needed=list(by_id)), TODAY):
        assert one.reasons and not finished(by_id[one.id]) and by_id[one.id].status not in SET_ASIDE


@given(GOALS, st.floats(0, 100), st.floats(0, 100))
def test_a_wider_margin_never_finds_more(goals: list[Goal], one: float, other: float) -> None:
    narrow, wide = sorted((one, other))
    found = {g.id for g in off_track(goals, {}, TODAY, margin=narrow)}
    assert {g.id for g in off_track(goals, {}, TODAY, margin=wide)} <= found


@given(GOALS, st.floats(0, 100))
def test_more_progress_never_puts_a_goal_off_track(goals: list[Goal], more: float) -> None:
    assume(goals)
    one = goals[0]
    ahead = Goal(**{**one.__dict__, "progress": (one.progress or 0) + more if one.progress is not None else None})
    assert bool(off_track([ahead], {}, TODAY)) <= bool(off_track([one], {}, TODAY))


@given(GOALS, st.integers(0, 400))
def test_time_alone_never_brings_a_goal_back_on_track(goals: list[Goal], days: int) -> None:
    later = {one.id for one in off_track(goals, {}, TODAY + timedelta(days=days))}
    assert {one.id for one in off_track(goals, {}, TODAY)} <= later
