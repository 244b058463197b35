"""Validation of views against the raw data before a meeting (issue 3, Build 1; source 000, Data Validation). Pure.

A view that says five workouts where the raw data has three is reported with both figures, where each comes from, and
the days that were compared. What cannot be checked is said too: it must not look like what was found right (law 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from activities.book.drift import OFF_TRACK, ON_TRACK, SET_ASIDE, finished
from activities.book.reading import days_of, figure
from activities.book.values import DayOfBody, Finding, FindingKind, Goal, View
from activities.book.views import Figure, figures, status_counts, viewed_goals

STALE_DAYS = 7
"""A view older than this is reported: the board meets every week (source 000, Scheduling)."""
VIEW_DAYS = 7
"""Days that a view is taken to cover when it does not say which."""

_CHECKED_IN = ("week-summary", "training-status", "health-snapshot")
_UNITS = {
    "workouts": "workouts",
    "training minutes": "training minutes",
    "sleep": "h of sleep on average",
    "HRV": "ms of HRV on average",
    "steps": "steps on average",
    "resting heart rate": "bpm of resting heart rate on average",
}
_POINT = 1.0
"""Percentage points that are put down to rounding."""

Span = tuple[date, date]


def check(
    goals: tuple[Goal, ...],
    views: Mapping[str, View],
    days: tuple[DayOfBody, ...],
    today: date,
    *,
    stale_days: int = STALE_DAYS,
) -> tuple[Finding, ...]:
    """All findings: disagreements first, then stale views, then what could not be checked; within each by view and place."""
    found: list[Finding] = []
    for name in sorted(views):
        found += _age(views[name], today, stale_days)
    if (view := views.get("goal-progress")) is not None:
        found += _goals(goals, view)
        found += _counts(goals, view)
    for name in _CHECKED_IN:
        if (view := views.get(name)) is not None:
            found += _figures(view, days, today)
    order = list(FindingKind)
    return tuple(sorted(found, key=lambda f: order.index(f.kind)))  # stable: within a kind as found


def _age(view: View, today: date, stale_days: int) -> Iterator[Finding]:
    if view.generated is None:
        yield Finding(
            FindingKind.UNCHECKED,
            view.path,
            "age",
            "no date",
            f"{view.path} does not say when it was made, so its age cannot be checked; give it a generated_at.",
        )
        return
    age = (today - view.generated).days
    made = f"made on {view.generated}"
    if age > stale_days:
        sentence = f"{view.path} was {made}, {age} days ago, and is older than the {stale_days} days a view may be; renew it."
        yield Finding(FindingKind.STALE, view.path, "age", made, sentence)
    elif age < -1:  # a day ahead may be another zone
        sentence = f"{view.path} says that it was {made}, which is after today ({today}); its date cannot be right."
        yield Finding(FindingKind.STALE, view.path, "age", made, sentence)


# ---- figures against days ----


def _figures(view: View, days: tuple[DayOfBody, ...], today: date) -> Iterator[Finding]:
    for one in figures(view):
        spans = _spans(view, one, today)
        results = [_measured(one, days, span) for span in spans]
        if not any(_agrees(one, result) for result in results):
            yield _difference(view, one, spans[0], results[0], today)


def _spans(view: View, one: Figure, today: date) -> list[Span]:
    """The days a figure may be about, the likeliest first. A view that does not say may have counted its own day or not."""
    stated = view.start is not None or view.end is not None
    end = view.end or view.generated or today
    if one.window is not None:
        length = max(1, one.window)
    elif view.start is not None:
        return [(view.start, view.end or max(view.start, min(end, view.start + timedelta(days=VIEW_DAYS - 1))))]
    else:
        length = VIEW_DAYS
    spans = [(end - timedelta(days=length - 1), end)]
    if not stated:
        spans.append((end - timedelta(days=length), end - timedelta(days=1)))
    return spans


@dataclass(frozen=True)
class _Result:
    """What the raw data says of a figure on some days. `value` is None where no day says anything.

    `days` are those that say something of it, `on` those that add to it (for workouts fewer than `days`).
    """

    value: float | None
    days: tuple[date, ...]
    on: tuple[date, ...]
    source: str


def _measured(one: Figure, days: tuple[DayOfBody, ...], span: Span) -> _Result:
    inside = [day for day in days if span[0] <= day.date <= span[1]]
    if one.of in ("workouts", "training minutes"):
        said = [day for day in inside if day.workouts is not None]
        done = [w for day in said for w in day.workouts or ()]
        value = float(len(done)) if one.of == "workouts" else sum(w.minutes or 0 for w in done)
        on = tuple(day.date for day in said if day.workouts)
    else:
        name = {"sleep": "sleep_hours", "HRV": "hrv", "steps": "steps", "resting heart rate": "resting_heart_rate"}[one.of]
        said = [day for day in inside if getattr(day, name) is not None]
        value = sum(getattr(day, name) for day in said) / len(said) if said else 0.0
        on = tuple(day.date for day in said)
    source = next((day.path.partition("/")[0] + "/" for day in said if day.path), "activities")
    return _Result(value if said else None, tuple(day.date for day in said), on, source)


def _agrees(one: Figure, result: _Result) -> bool:
    if result.value is None:
        return False
    if one.of == "steps" and _near(one, result.value * len(result.days)):
        return True  # "steps" may be the sum as well
    return _near(one, result.value)


def _near(one: Figure, value: float) -> bool:
    """Whether the view's figure is the raw one but for rounding."""
    room = {
        "workouts": 0.0,
        "training minutes": max(5.0, 0.05 * value),
        "sleep": 0.25,
        "HRV": 3.0,
        "steps": max(250.0, 0.05 * value),
        "resting heart rate": 2.0,
    }
    return abs(one.value - value) <= room[one.of] + 1e-9


def _difference(view: View, one: Figure, span: Span, result: _Result, today: date) -> Finding:
    says = _amount(one.of, one.value)
    when = f"{span[0]} to {span[1]}"
    last = min(span[1], today)
    total = max(0, (last - span[0]).days + 1)
    if result.value is None or 2 * len(result.days) < total:
        sentence = (
            f"{view.path} says {says}{_under(one)} for {when}, and cannot be checked: the raw data says something of it on "
            f"{len(result.days)} of the {total} days."
        )
        return Finding(FindingKind.UNCHECKED, view.path, one.of, says, sentence, days=tuple(sorted(result.days)))
    raw = _amount(one.of, result.value)
    on = f" ({days_of(result.on)})" if one.of in ("workouts", "training minutes") and result.on else ""
    partly = f", with data of {len(result.days)} of the {total} days" if len(result.days) < total else ""
    sentence = f"{view.path} says {says}{_under(one)} for {when}; the raw data in {result.source} has {raw}{on}{partly}."
    return Finding(FindingKind.DISAGREES, view.path, one.of, says, sentence, result.source, raw, tuple(sorted(result.days)))


def _under(one: Figure) -> str:
    """The name of the figure in its view, where it is not what the figure is called here."""
    return "" if one.path == one.of else f" ({one.path})"


def _amount(of: str, value: float) -> str:
    """A figure with its unit: "5 workouts", "6.4 h of sleep on average"."""
    said = figure(round(value, 1)) if of == "sleep" else figure(round(value))
    return "1 workout" if of == "workouts" and said == "1" else f"{said} {_UNITS[of]}"


# ---- goals ----


def _matched(goals: Iterable[Goal], view: View) -> Iterator[tuple[Goal | None, str, float | None, str]]:
    """Each goal of the view: the active goal it is, its name, and what the view says. Found by id, else by an only title."""
    by_id = {goal.id.lower(): goal for goal in goals}
    titles = Counter(goal.title.lower() for goal in by_id.values())
    by_title = {goal.title.lower(): goal for goal in by_id.values() if titles[goal.title.lower()] == 1}
    for said in viewed_goals(view):
        goal = by_id.get(said.id.lower()) or by_title.get(said.title.lower()) or by_title.get(said.id.lower())
        yield goal, said.title or said.id, said.progress, said.status


def _goals(goals: tuple[Goal, ...], view: View) -> Iterator[Finding]:
    """Percentages and statuses goal by goal, and goals that only one side has."""
    seen: set[str] = set()
    any_listed = False
    for goal, name, progress, status in _matched(goals, view):
        any_listed = True
        if goal is None:
            sentence = f"{view.path} lists the goal “{name}”, and goals/active has no such goal."
            yield Finding(FindingKind.DISAGREES, view.path, f"goal {name}", "listed", sentence, "goals/active", "no such goal")
            continue
        seen.add(goal.id)
        if progress is not None and goal.progress is not None and abs(progress - goal.progress) > _POINT:
            says, raw = f"{figure(progress)} %", f"{figure(goal.progress)} %"
            sentence = f"{view.path} says that the goal “{goal.title}” is {says} done; {goal.path} says {raw}."
            yield Finding(FindingKind.DISAGREES, view.path, f"goal {goal.title}", says, sentence, goal.path, raw)
        if _opposed(status, goal.status):
            says, raw = status.replace("_", " "), goal.status.replace("_", " ")
            sentence = f"{view.path} calls the goal “{goal.title}” {says}; {goal.path} calls it {raw}."
            yield Finding(FindingKind.DISAGREES, view.path, f"goal {goal.title}", says, sentence, goal.path, raw)
    for goal in goals:
        if any_listed and goal.id not in seen and not finished(goal) and goal.status not in SET_ASIDE:
            sentence = f"{goal.path} has the active goal “{goal.title}”, and {view.path} leaves it out."
            yield Finding(
                FindingKind.DISAGREES, view.path, f"goal {goal.title}", "left out", sentence, goal.path, "an active goal"
            )


def _tracking(status: str) -> bool:
    """Whether a status says how a goal stands; "active" says only that there is one."""
    return bool(status) and status not in {"active", "open", "in_progress", "started", "ongoing"}


def _opposed(status: str, other: str) -> bool:
    """Whether two statuses cannot both be true. Of the same side ("behind", "at risk") they can."""
    if not _tracking(status) or not _tracking(other) or status == other:
        return False
    return not any({status, other} <= side for side in (OFF_TRACK, ON_TRACK))


def _counts(goals: tuple[Goal, ...], view: View) -> Iterator[Finding]:
    """How many goals have each status, where the goals' own files say one."""
    own = Counter(goal.status for goal in goals)
    unsaid = [goal for goal in goals if not _tracking(goal.status)]
    for status, count in status_counts(view).items():
        says = f"{count} {'active' if status == 'all' else status.replace('_', ' ')} {'goal' if count == 1 else 'goals'}"
        raw = len(goals) if status == "all" else own[status]
        if count == raw:
            continue
        about = "number of goals" if status == "all" else f"goals {status.replace('_', ' ')}"
        if not goals or (status != "all" and unsaid):
            reason = (
                f"{len(unsaid)} of the {len(goals)} goals in goals/active do not say how they stand"
                if goals
                else "goals/active has no goal that could be read"
            )
            sentence = f"{view.path} counts {says}, and cannot be checked: {reason}."
            yield Finding(FindingKind.UNCHECKED, view.path, about, says, sentence, "goals/active")
            continue
        raw_says = f"{raw} {'goal' if raw == 1 else 'goals'}"
        sentence = f"{view.path} counts {says}; goals/active has {raw}."
        yield Finding(FindingKind.DISAGREES, view.path, about, says, sentence, "goals/active", raw_says)
