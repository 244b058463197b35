"""Goal drift: which goals are off track, and by which rule (source 000, Improvement Opportunities). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from activities.book.reading import figure
from activities.book.values import DriftingGoal, Goal, View
from activities.book.views import attention, viewed_goals

MARGIN = 15.0
"""Percentage points that a goal may be behind an even pace before it counts as off track."""

DONE = frozenset({"done", "completed", "complete", "achieved", "reached", "met"})
SET_ASIDE = frozenset({"paused", "on_hold", "deferred", "dropped", "abandoned", "cancelled", "canceled", "archived"})
OFF_TRACK = frozenset({"off_track", "behind", "at_risk", "stalled", "blocked", "overdue", "failing", "slipping"})
ON_TRACK = frozenset({"on_track", "ahead", "on_schedule"})


def planned(goal: Goal, today: date) -> float | None:
    """Percent that would be done today at an even pace from start to due date; None where the goal names no such span."""
    if goal.start is None or goal.due is None or goal.start >= goal.due:
        return None
    return 100 * min(1.0, max(0.0, (today - goal.start).days / (goal.due - goal.start).days))


def finished(goal: Goal) -> bool:
    return goal.status in DONE or (goal.progress is not None and goal.progress >= 100)


def off_track(
    goals: Iterable[Goal], views: Mapping[str, View], today: date, *, margin: float = MARGIN
) -> tuple[DriftingGoal, ...]:
    """Goals that are off track, worst first: overdue ones by their days, then by how far they are behind, then the rest.

    A goal is off track when its due date has passed, when its progress is more than `margin` percentage points behind an
    even pace, or when its own status or the goal-progress view says so. A goal that is finished or set aside never is.
    Where the view and the goal's own file give different progress, the file stands.
    """
    view = views.get("goal-progress")
    said = {key: g.status for g in viewed_goals(view) for key in (g.id.lower(), g.title.lower()) if key} if view else {}
    named = attention(view) if view else frozenset()
    found = []
    for goal in goals:
        if finished(goal) or goal.status in SET_ASIDE:
            continue
        keys = (goal.id.lower(), goal.title.lower())
        status = next((said[key] for key in keys if key in said), "")
        overdue = (today - goal.due).days if goal.due is not None and goal.due < today else 0
        plan = planned(goal, today)
        behind = None if plan is None or goal.progress is None else plan - goal.progress
        reasons = []
        if overdue and goal.due is not None:
            reasons.append(f"due on {goal.due}, {overdue} {'day' if overdue == 1 else 'days'} ago")
        if behind is not None and behind > margin and plan is not None and goal.progress is not None:
            reasons.append(f"{figure(goal.progress)} % done where an even pace has {figure(round(plan))} %")
        if goal.status in OFF_TRACK:
            reasons.append(f"status {goal.status.replace('_', ' ')}")
        if status in OFF_TRACK and status != goal.status:
            reasons.append(f"{status.replace('_', ' ')} in the goal-progress view")
        if named & set(keys):
            reasons.append("in need of attention by the goal-progress view")
        if reasons:
            found.append(DriftingGoal(goal.id, goal.title, tuple(reasons), overdue, behind))
    return tuple(sorted(found, key=lambda g: (-g.overdue_days, -(g.behind or 0), g.title, g.id)))
