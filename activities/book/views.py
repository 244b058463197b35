"""Views: what another program computed from the raw data, and the figures in them that the raw data can confirm.

A view is a mapping of any shape. Its figures are found by the words of their names: `avg_sleep_hours`, `sleepHoursAvg`
and {"sleep": {"average_hours": 6.4}} all name the same figure, while `sleep_target_hours` and `workouts_planned` do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from activities.book.reading import a_date, a_week, first, number, percent, status_of, words
from activities.book.sources import Parsed, Source
from activities.book.values import View

MAX_FIGURES = 2_000
"""Places of a view that are looked at."""

_GENERATED = ("generated_at", "generated", "updated_at", "last_updated", "computed_at", "as_of", "timestamp")
_STARTS = ("period.start", "period.from", "period_start", "week_start", "start_date", "from")
_ENDS = ("period.end", "period.to", "period_end", "week_end", "end_date", "to")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WINDOW = re.compile(r"(?:^|_)(?:(?:last|past)_)?(\d{1,3})_(?:days?|d|nights?)(?=_|$)")

_COUNTING = frozenset({"count", "total", "number", "num", "of", "n", "completed", "done", "logged", "actual", "this", "week"})
_AVERAGING = frozenset({"avg", "average", "averages", "mean", "this", "week", "daily", "nightly", "per", "day", "night"})
_ALWAYS = frozenset({"weekly", "summary", "metrics", "stats"})

_NAMES: dict[str, tuple[frozenset[str], tuple[tuple[set[str], float], ...]]] = {
    # figure -> the words that may stand beside its name, and its names with what one of their unit is in the figure's unit
    "workouts": (
        _COUNTING,
        tuple(
            (name, 1.0)
            for name in (
                {"workouts"},
                {"workout"},
                {"sessions"},
                {"training", "sessions"},
                {"workout", "sessions"},
                {"activities"},
                {"training", "workouts"},
            )
        ),
    ),
    "training minutes": (
        _COUNTING - {"n", "number", "num", "count"},
        (({"training", "minutes"}, 1), ({"workout", "minutes"}, 1), ({"workouts", "minutes"}, 1), ({"training", "hours"}, 60)),
    ),
    "sleep": (
        _AVERAGING,
        (
            ({"sleep", "hours"}, 1),
            ({"sleep"}, 1),
            ({"sleep", "h"}, 1),
            ({"sleep", "duration", "hours"}, 1),
            ({"sleep", "minutes"}, 1 / 60),
            ({"sleep", "seconds"}, 1 / 3600),
        ),
    ),
    "HRV": (_AVERAGING, (({"hrv"}, 1), ({"hrv", "ms"}, 1))),
    "steps": (_AVERAGING, (({"steps"}, 1),)),
    "resting heart rate": (
        _AVERAGING,
        (
            ({"resting", "heart", "rate"}, 1),
            ({"resting", "heart", "rate", "bpm"}, 1),
            ({"resting", "hr"}, 1),
            ({"rhr"}, 1),
        ),
    ),
}

_MOST = {"workouts": 1000, "training minutes": 60_000, "sleep": 24, "HRV": 400, "steps": 2_000_000, "resting heart rate": 200}
"""What is more is not this figure: a `sleep` of 81 is a score, not hours."""


@dataclass(frozen=True)
class Figure:
    """A figure of a view: what it is of (a name of _NAMES), where it stands, and the days it looks back on, if it says so."""

    of: str
    path: str
    value: float
    window: int | None = None


@dataclass(frozen=True)
class ViewedGoal:
    """What a view says of one goal; `progress` in percent."""

    id: str
    title: str
    progress: float | None
    status: str


def read_views(files: Iterable[Parsed]) -> Source:
    """Views by the name of their file. Their period is read where they state one."""
    source = Source()
    for path, value in files:
        if not isinstance(value, Mapping):
            source.skip(path, None, "a view is an object; mend it")
            continue
        start, end = _period(value)
        if start is not None and end is not None and start > end:
            source.skip(path, None, f"its period ends ({end}) before it begins ({start}), so it is not used; mend it")
            start = end = None
        source.values.append(
            View(
                name=PurePosixPath(path).stem,
                path=path,
                data=value,
                generated=a_date(first(value, *_GENERATED)),
                start=start,
                end=end,
            )
        )
    return source


def _period(value: Mapping[str, Any]) -> tuple[date | None, date | None]:
    week = a_week(first(value, "week", "iso_week"))
    start, end = a_date(first(value, *_STARTS)), a_date(first(value, *_ENDS))
    if start is None and end is None and week is not None:
        return week
    return start, end


def figures(view: View) -> tuple[Figure, ...]:
    """Every figure of the view that has a name of _NAMES, in the order of the view."""
    found = []
    for path, value in _places(view.data):
        if (figure := _named(path, value)) is not None:
            found.append(figure)
    return tuple(found)


def _places(value: Any, path: tuple[str, ...] = (), budget: list[int] | None = None) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The scalars and lists of nested mappings with the keys that lead to them. Lists are not entered, they may be counted."""
    budget = budget if budget is not None else [MAX_FIGURES]
    if not isinstance(value, Mapping):
        budget[0] -= 1
        yield path, value
        return
    for key, inner in value.items():
        if budget[0] <= 0 or len(path) >= 6:
            return
        yield from _places(inner, (*path, str(key)[:80]), budget)


def _named(path: tuple[str, ...], value: Any) -> Figure | None:
    joined = "_".join(word.lower() for key in path for word in _WORD.findall(key))
    window = _WINDOW.search(joined)
    if window is not None:
        joined = joined[: window.start()] + "_" + joined[window.end() :]
    said = frozenset(filter(None, joined.split("_"))) - _ALWAYS
    for of, (beside, names) in _NAMES.items():
        for name, unit in names:
            if name <= said and said - name <= beside:
                amount = float(len(value)) if isinstance(value, list) and of == "workouts" else number(value)
                if amount is None or not 0 <= amount * unit <= _MOST[of]:
                    return None
                where = words(".".join(path), 120)
                return Figure(of, where, amount * unit, int(window.group(1)) if window is not None else None)
    return None


def viewed_goals(view: View) -> tuple[ViewedGoal, ...]:
    """The goals a view lists: a list of objects under "goals", or a mapping of ids to objects or percentages."""
    said = view.data.get("goals")
    pairs: list[tuple[str, Any]] = []
    if isinstance(said, Mapping):
        pairs = [(str(key), entry) for key, entry in said.items()]
    elif isinstance(said, list):
        pairs = [("", entry) for entry in said]
    found = []
    for key, entry in pairs[:MAX_FIGURES]:
        if not isinstance(entry, Mapping):
            entry = {"progress_percent": entry}
        goal = ViewedGoal(
            id=words(first(entry, "id", "goal_id"), 80) or words(key, 80),
            title=words(first(entry, "title", "name", "goal")),
            progress=percent(
                first(entry, "progress_percent", "progress_percentage", "percent_complete", "percent", "progress")
            ),
            status=status_of(first(entry, "status", "state")),
        )
        if goal.id or goal.title:
            found.append(goal)
    return tuple(found)


def status_counts(view: View) -> dict[str, int]:
    """How many goals the view counts for each status; "all" for the number of active goals altogether."""
    counts: dict[str, int] = {}
    breakdown = first(view.data, "status_breakdown", "by_status", "status_counts", "counts", "breakdown", "summary.by_status")
    for key, value in list(breakdown.items())[:40] if isinstance(breakdown, Mapping) else []:
        amount = float(len(value)) if isinstance(value, list) else number(value)
        status = status_of(str(key))
        if status and amount is not None and amount == int(amount) and 0 <= amount <= 10_000:
            counts["all" if status in ("total", "all", "active") else status] = int(amount)
    total = number(first(view.data, "total_goals", "active_goals", "goal_count", "goals_total"))
    if total is not None and total == int(total) and 0 <= total <= 10_000:
        counts.setdefault("all", int(total))
    return counts


def attention(view: View) -> frozenset[str]:
    """Ids and titles of goals that the view names as in need of attention, in lower case."""
    said = first(view.data, "attention_needed", "needs_attention", "attention")
    found = set()
    for one in said[:MAX_FIGURES] if isinstance(said, list) else []:
        values = (first(one, "id", "goal_id"), first(one, "title", "name", "goal")) if isinstance(one, Mapping) else (one,)
        found |= {words(value).lower() for value in values}
    return frozenset(found - {""})
