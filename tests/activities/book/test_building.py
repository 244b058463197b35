"""The book from a folder: the example person whole, and any JSON whatever without an exception."""

from __future__ import annotations

import json
import tempfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from activities.book.building import build_book
from activities.book.pressing import topics
from activities.book.rendering import CAP, render_book
from activities.book.values import FindingKind

TODAY = date(2026, 11, 29)
EXAMPLE = Path(__file__).parents[3] / "examples/context"


# ---- the invented person of examples/context ----


def test_the_example_is_whole() -> None:
    book = build_book(EXAMPLE, today=TODAY)
    assert len(book.goals) == 5 and len(book.days) >= 4 and len(book.checkins) == 8 and len(book.views) == 4
    assert [note.path for note in book.notes] == [
        "notes/2026-11-26-team-lead.md",
        "notes/2026-11-15-four-day-week.md",
        "profile.md",
    ]
    assert book.missing == () and book.skipped == ()


def test_one_view_of_the_example_disagrees_on_purpose() -> None:
    (finding,) = build_book(EXAMPLE, today=TODAY).findings
    assert (finding.kind, finding.source) == (FindingKind.DISAGREES, "memory/views/week-summary.json")
    assert (finding.says, finding.raw_source, finding.raw_says) == ("5 workouts", "garmin/", "3 workouts")
    assert finding.days == tuple(date(2026, 11, n) for n in range(22, 29))


def test_two_goals_of_the_example_are_off_track() -> None:
    book = build_book(EXAMPLE, today=TODAY)
    assert [goal.id for goal in book.drifting] == ["goal-italian", "goal-sleep"]
    assert topics(book)[0] == "Goal off track: Hold a half-hour conversation in Italian"


def test_the_example_fits_a_prompt_and_its_readme_is_no_note() -> None:
    text = render_book(build_book(EXAMPLE, today=TODAY))
    assert len(text) < CAP / 4 and "left out" not in text
    assert "on purpose" not in text and "invented" not in text
    readme = (EXAMPLE / "README.md").read_text()
    assert "29 November 2026" in readme and "invented" in readme


def test_the_example_a_month_later_says_what_it_misses() -> None:
    book = build_book(EXAMPLE, today=TODAY + timedelta(days=30))
    assert {"wearable data", "check-ins"} <= {missing.source for missing in book.missing}
    assert {f.source for f in book.findings if f.kind is FindingKind.STALE} == {view.path for view in book.views.values()}


# ---- what is broken ----


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("goals/active/x.json", "{", "line 1"),
        ("goals/active/x.json", "[" * 5000, "nested"),
        ("goals/active/x.json", '"text"', "title"),
        ("memory/views/week-summary.json", "[]", "object"),
        ("garmin/2026-11-28.json", "7", "object"),
        ("checkins/today.json", "{}", "date"),
        ("checkins/2026-12-24.json", "{}", "after today"),
    ],
)
def test_a_broken_file_is_named_with_the_mend_and_loses_nothing_else(tmp_path: Path, path: str, text: str, why: str) -> None:
    (tmp_path / "goals/active").mkdir(parents=True)
    (tmp_path / "goals/active/good.json").write_text('{"title": "A good goal"}')
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(text)
    book = build_book(tmp_path, today=TODAY)
    (skipped,) = book.skipped
    assert skipped.path == path and why in skipped.why
    shown = render_book(book)
    assert f"- {path}: {skipped.why}." in shown and "A good goal" in shown


# ---- any JSON ----

WORDS = """
title id goals progress progress_percent percent current target value unit start due status date day calendarDate sleep
sleep_hours hrv steps body_battery low high resting_heart_rate activities workouts type minutes duration distance energy
mood responses answers question answer generated_at period end week week_start avg_sleep_hours last_7_days
status_breakdown counts total_goals attention_needed days checkins time timestamp
"""
NAMES = WORDS.split()
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["2026-11-28", "2026-11-30", "2026-W48", "0000-00-00", "9999-12-31", "62%", "on_track", "behind", "run"]),
    st.sampled_from([10**400, -(10**400), 1e308, 5e-324, 0.5, -0.0]),
)
KEYS = st.one_of(st.sampled_from(NAMES), st.text(max_size=6))
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=25
)
LIKELY = st.one_of(
    JSON, st.dictionaries(st.sampled_from(NAMES), JSON, max_size=12), st.lists(st.dictionaries(KEYS, JSON), max_size=4)
)
PATHS = [
    "goals/active/run.json",
    "goals/active/all.json",
    "memory/views/goal-progress.json",
    "memory/views/health-snapshot.json",
    "memory/views/training-status.json",
    "memory/views/week-summary.json",
    "garmin/2026-11-28.json",
    "garmin/week.json",
    "garmin/activities.json",
    "wearable/2026-11-27.json",
    "checkins/2026-11-29.json",
    "checkins/week.json",
]


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(PATHS), LIKELY, min_size=1))
def test_any_json_in_any_place_gives_a_book(files: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        for path, value in files.items():
            file = Path(name) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(value), encoding="utf-8")
        book = build_book(Path(name), today=TODAY)
        text = render_book(book, cap=20_000)
    text.encode("utf-8")
    assert len(text) <= 20_000
    assert sum(line.startswith("## ") for line in text.split("\n")) == 19
    assert all(topic and "\n" not in topic for topic in topics(book))
    assert all(one.why and "\n" not in one.why + one.path for one in book.skipped)
    assert all("\n" not in finding.sentence for finding in book.findings)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from([*PATHS, "note.md", "notes/2026-11-26.md"]), st.binary(max_size=200), min_size=1))
def test_any_bytes_in_any_place_give_a_book_that_loses_no_file_silently(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        for path, data in files.items():
            file = Path(name) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        book = build_book(Path(name), today=TODAY)
    render_book(book).encode("utf-8")
    said = {one.path.partition(",")[0] for one in book.skipped}
    for path, data in files.items():
        if path.endswith(".json"):
            try:
                json.loads(data.decode("utf-8-sig"))
            except ValueError:
                assert path in said
