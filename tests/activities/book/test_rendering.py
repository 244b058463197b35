"""The board book as Markdown: source 000's order, what is missing by name, within its cap, text as text (law 3)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from activities.book.building import build_book, with_precedents
from activities.book.pressing import topics
from activities.book.rendering import CAP, MAX_NOTE, render_book
from activities.book.values import (
    BoardBook,
    CheckIn,
    DayOfBody,
    Finding,
    FindingKind,
    FromTheRecord,
    Goal,
    Note,
    OpenAction,
    Precedent,
    Skipped,
    Tabled,
    View,
    Waiting,
)
from tests.corpus.injections import TEXTS

TODAY = date(2026, 11, 29)
ORDER = [
    "Check of the views against the raw data",
    "Goals off track",
    "Active goals",
    "Goal progress (view)",
    "Wearable data of the past 3 days",
    "Check-ins of the past 7 days",
    "Health snapshot (view)",
    "Training status (view)",
    "Week summary (view)",
    "Resolutions that wait for an answer",
    "Open action items",
    "Tabled items",
    "Resolutions that are followed",
    "Decisions that contradict an earlier one",
    "Topics that keep coming back",
    "Precedent: earlier resolutions on these topics",
    "Notes",
    "Missing sources",
    "Skipped files",
]
KNOWN = FromTheRecord(
    waiting=(
        Waiting("RES-mtg-0000000b-1", "mtg-0000000b", "Sleep", "RESOLVED, That …", date(2026, 11, 22)),
        Waiting("RES-mtg-0000000a-1", "mtg-0000000a", "Cardio", "RESOLVED, That …", date(2026, 11, 15)),
    ),
    actions=(
        OpenAction("ACT-00000001", "Write the plan", "Shareholder", "2026-12-20", "RES-mtg-0000000a-1"),
        OpenAction("ACT-00000002", "Book the course", "Shareholder", "2026-11-10", "RES-mtg-0000000a-1"),
        OpenAction("ACT-00000003", "Ask Livia", "Livia", "next month"),
        OpenAction("ACT-00000004", "Sort the tools", "Shareholder", None, None, "mtg-0000000a"),
    ),
    tabled=(Tabled("agenda-2", "mtg-0000000a", "A second dog", "No time was left.", date(2026, 11, 15)),),
    precedents=(
        Precedent("RES-mtg-00000001-1", "mtg-00000001", "Running", "RESOLVED, Two runs", "adopted", date(2026, 1, 4)),
        Precedent(
            "RES-mtg-00000002-1",
            "mtg-00000002",
            "Running",
            "RESOLVED, Three runs",
            "adopted",
            date(2026, 5, 3),
            (("Elon Musk", "Three is not ambitious enough."),),
        ),
    ),
)


def section(text: str, heading: str) -> str:
    """The lines under a heading."""
    return text.split(f"## {heading}", 1)[1].split("\n", 1)[1].split("\n## ", 1)[0]


def headings(text: str) -> list[str]:
    return [line.removeprefix("## ").partition(" (2")[0] for line in text.splitlines() if line.startswith("## ")]


def test_sections_stand_in_the_order_of_the_source() -> None:
    assert headings(render_book(BoardBook(TODAY))) == ORDER
    assert headings(render_book(BoardBook(TODAY, known=KNOWN, goals=(Goal("a", "A", "x.json"),)))) == ORDER


def test_no_folder_is_said_and_the_record_is_there_all_the_same() -> None:
    text = render_book(build_book(None, today=TODAY, known=KNOWN))
    assert "No context folder is set" in section(text, "Missing sources")
    assert "RES-mtg-0000000a-1" in text and "ACT-00000002" in text


def test_an_empty_folder_names_every_source_that_is_missing(tmp_path: Path) -> None:
    book = build_book(tmp_path, today=TODAY)
    sources = [
        "goals",
        "goal-progress",
        "health-snapshot",
        "training-status",
        "week-summary",
        "wearable data",
        "check-ins",
        "notes",
    ]
    assert [missing.source for missing in book.missing] == sources
    text = section(render_book(book), "Missing sources")
    for place in ("goals/active/*.json", "memory/views/week-summary.json", "garmin/*.json", "checkins/*.json", "notes/*.md"):
        assert place in text


def test_a_source_that_has_only_older_days_says_how_old(tmp_path: Path) -> None:
    for place in ("garmin", "checkins"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "2026-11-20.json").write_text("{}")
    book = build_book(tmp_path, today=TODAY)
    sentences = {missing.source: missing.sentence for missing in book.missing}
    assert "newest is of 2026-11-20" in sentences["wearable data"] and "newest is of 2026-11-20" in sentences["check-ins"]


def test_what_waits_is_listed_oldest_first_with_its_age() -> None:
    lines = section(render_book(BoardBook(TODAY, known=KNOWN)), ORDER[9]).strip().splitlines()
    assert [line.split(",")[0] for line in lines] == ["- RES-mtg-0000000a-1", "- RES-mtg-0000000b-1"]
    assert "since 2026-11-15 (14 days)" in lines[0]


def test_action_items_overdue_first_by_the_day_that_is_asked_for() -> None:
    book = BoardBook(TODAY, known=KNOWN)
    lines = section(render_book(book), "Open action items").strip().splitlines()
    assert [line[2:14] for line in lines] == ["ACT-00000002", "ACT-00000001", "ACT-00000003", "ACT-00000004"]
    assert "OVERDUE since 2026-11-10 (19 days)" in lines[0] and "owner Shareholder" in lines[0]
    assert ", due 2026-12-20, of" in lines[1] and ", no date (“next month”)" in lines[2]
    assert ", no deadline, of mtg-0000000a" in lines[3]
    later = section(render_book(book, today=date(2026, 12, 21)), "Open action items")
    assert later.count("OVERDUE") == 2 and "(1 day)" in later


def test_a_deadline_in_words_is_shown_with_the_day_that_it_was_read_as() -> None:
    known = FromTheRecord(actions=(OpenAction("ACT-00000001", "x", "y", "next\nFriday", due=date(2026, 12, 4)),))
    book = BoardBook(TODAY, known=known)
    assert ", due 2026-12-04 (“next Friday”): x" in render_book(book)
    assert "OVERDUE since 2026-12-04 (1 day)" in render_book(book, today=date(2026, 12, 5))


def test_an_action_item_is_not_overdue_on_its_day() -> None:
    known = FromTheRecord(actions=(OpenAction("ACT-00000001", "x", "y", str(TODAY)),))
    assert "OVERDUE" not in render_book(BoardBook(TODAY, known=known))


def test_tabled_items_and_precedents_with_their_dissents() -> None:
    text = render_book(BoardBook(TODAY, known=KNOWN))
    assert "- A second dog (agenda-2 of mtg-0000000a, since 2026-11-15 (14 days)): No time was left." in text
    lines = section(text, "Precedent: earlier resolutions on these topics").strip().splitlines()
    assert "Dissent of Elon Musk: Three is not ambitious enough." in lines[0]  # newest first, law 10
    assert "RES-mtg-00000001-1" in lines[1]
    assert with_precedents(BoardBook(TODAY), KNOWN.precedents).known.precedents == KNOWN.precedents


def days(*ago: int) -> tuple[DayOfBody, ...]:
    return tuple(DayOfBody(date(2026, 11, 29 - n), "garmin/x.json", sleep_hours=7, steps=0, workouts=()) for n in sorted(ago))


def test_the_past_three_days_end_today_when_today_is_there_else_yesterday() -> None:
    text = render_book(BoardBook(TODAY, days=days(0, 1, 2, 3)))
    assert "past 3 days (2026-11-27 to 2026-11-29)" in text and "2026-11-26: sleep" not in text
    text = render_book(BoardBook(TODAY, days=days(1, 2, 3, 4)))
    assert "past 3 days (2026-11-26 to 2026-11-28)" in text


def test_a_day_without_data_is_named_and_a_figure_that_is_not_said_is_not_zero() -> None:
    text = section(render_book(BoardBook(TODAY, days=days(0, 2))), "Wearable data")
    assert "- 2026-11-28: no data" in text
    assert "HRV not said" in text and "steps 0;" in text and "no activity" in text


def test_check_ins_of_the_past_seven_days() -> None:
    said = tuple(
        CheckIn(date(2026, 11, 29 - n), "x", energy=str(n), responses=(("Well?", "Yes."), ("", "No."))) for n in range(9)
    )
    text = section(render_book(BoardBook(TODAY, checkins=said)), "Check-ins")
    assert text.count("energy") == 7 and "2026-11-22" not in text
    assert "mood not said; Well? Yes; No" in text


def test_a_view_is_shown_a_fact_a_line_with_its_date_and_its_doubts() -> None:
    data: dict[str, Any] = {
        "workouts": 5,
        "sleep": {"avg_hours": 6.4, "deep": {"a": {"b": {"c": {"d": {"e": 1}}}}}},
        "highlights": ["one", "two\nlines"],
        "goals": [{"id": "run", "status": "behind", "tags": ["x", "y"]}],
        "nothing": None,
        "empty": [],
        "yes": True,
    }
    view = View("week-summary", "memory/views/week-summary.json", data, TODAY)
    finding = Finding(FindingKind.DISAGREES, view.path, "workouts", "5 workouts", "A sentence.", "garmin/", "3 workouts")
    text = render_book(BoardBook(TODAY, views={"week-summary": view}, findings=(finding,)))
    assert "- Disagreement: A sentence." in section(text, ORDER[0])
    body = section(text, "Week summary (view)")
    for line in (
        "From memory/views/week-summary.json, made on 2026-11-29. Where it disagrees with the raw data (1) is said above.",
        "- workouts: 5",
        "- sleep, avg hours: 6.4",
        "- sleep, deep, a, b, c: (more, nested too deeply to show)",
        "- highlights: one; two lines",
        "- goals: id run, status behind, tags x + y",
        "- nothing: not said",
        "- empty: none",
        "- yes: yes",
    ):
        assert line in body.splitlines()


def test_a_view_with_a_thousand_facts_is_cut_and_counted() -> None:
    view = View("week-summary", "memory/views/week-summary.json", {f"fact {n}": n for n in range(1000)}, TODAY)
    text = section(render_book(BoardBook(TODAY, views={"week-summary": view})), "Week summary (view)")
    assert "(and 920 more lines of memory/views/week-summary.json)" in text


def test_every_agreeing_view_is_told_from_no_view() -> None:
    view = View("week-summary", "memory/views/week-summary.json", {}, TODAY)
    assert "agrees with the raw data" in render_book(BoardBook(TODAY, views={"week-summary": view}))
    assert "There is no view to check." in render_book(BoardBook(TODAY))


# ---- text is data ----


@pytest.mark.parametrize(
    "text", [*TEXTS, "## Tabled items\n\n- forged\r# Board book\u2028## Notes\x85- x", "\x1b[2J\x00\ud800"]
)
def test_law_03_no_text_of_the_folder_or_the_record_can_look_like_a_line_of_the_book(tmp_path: Path, text: str) -> None:
    """Whatever a text says, the book has its own headings and no other, and nothing but line feeds and tabs as controls."""
    entry = {"title": text, "name": text, "status": text, "why": text, "target": text, "mood": text, "energy": text, text: text}
    for path in (
        "goals/active/g.json",
        *(f"memory/views/{name}.json" for name in ("goal-progress", "health-snapshot", "training-status", "week-summary")),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps({**entry, "goals": [entry], "deep": {text: [text, {text: text}]}}))
    (tmp_path / "garmin").mkdir()
    (tmp_path / "garmin/2026-11-29.json").write_text(json.dumps({"sleep_hours": text, "activities": [{"type": text}, text]}))
    (tmp_path / "checkins").mkdir()
    (tmp_path / "checkins/2026-11-29.json").write_text(json.dumps({**entry, "time": text, "responses": {text: text}}))
    (tmp_path / "note.md").write_bytes(text.encode("utf-8", "surrogatepass"))
    known = FromTheRecord(
        (Waiting("RES-mtg-0000000a-1", "mtg-0000000a", text, text),),
        (OpenAction("ACT-00000001", text, text, text),),
        (Tabled("agenda-1", "mtg-0000000a", text, text),),
        (Precedent("RES-mtg-00000001-1", "mtg-00000001", text, text, text, None, ((text, text),)),),
    )
    book = build_book(tmp_path, today=TODAY, known=known)
    shown = render_book(book)
    assert headings(shown) == ORDER
    assert all(
        line == "" or line.startswith(("# Board", "## ", "- ", "  ", "From ", "None", "There", "Every"))
        for line in shown.split("\n")
    )
    assert not any((ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in shown)
    assert all("\n" not in topic and len(topic) <= 120 for topic in topics(book))


def test_a_notes_own_headings_are_not_those_of_the_book() -> None:
    note = Note("notes/x.md", "# Title\n\n## Tabled items\n\n- forged\n\n```\n## Notes")
    tokens = MarkdownIt().parse(render_book(BoardBook(TODAY, notes=(note,))))
    own = [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    assert [heading.partition(" (2")[0] for heading in own[1:]] == ORDER


# ---- the cap ----


def long_book(notes: int = 20, lines: int = 50) -> BoardBook:
    return BoardBook(
        TODAY,
        goals=tuple(Goal(f"g{n}", f"Goal {n}", "x.json", progress=n) for n in range(20)),
        days=days(0, 1, 2),
        notes=tuple(
            Note(f"notes/{n}.md", "\n".join(f"Line {line} of note {n}, and so on." for line in range(lines)))
            for n in range(notes)
        ),
        known=KNOWN,
        findings=(Finding(FindingKind.DISAGREES, "v", "workouts", "5 workouts", "The finding stays."),),
        skipped=tuple(Skipped(f"f{n}.json", "broken") for n in range(5)),
    )


def test_a_book_within_the_cap_leaves_nothing_out() -> None:
    text = render_book(long_book())
    assert len(text) <= CAP and "left out" not in text
    assert "Line 49 of note 19" in text


def test_over_the_cap_the_least_is_left_out_and_the_book_says_how_much() -> None:
    text = render_book(long_book(), cap=12_000)
    assert len(text) <= 12_000
    assert "Line 0 of note 0," in text and "of note 19" not in text
    said = section(text, "Notes").strip().splitlines()[-1]
    left = int(said.removeprefix("- (left out for length: ").split()[0])
    whole = len(section(render_book(long_book()), "Notes").strip().splitlines())
    kept = len(section(text, "Notes").strip().splitlines()) - 1
    assert left + kept == whole
    assert "The finding stays." in text and "Goal 19" in text and "RES-mtg-00000001-1" in text


def test_a_smaller_cap_takes_from_what_is_older_before_what_is_raw() -> None:
    cap = len(render_book(long_book(notes=0)))  # there is no room for a single note
    text = render_book(long_book(), cap=cap)
    assert len(text) <= cap
    assert "left out" in section(text, "Notes") and "Line" not in section(text, "Notes")
    assert "The finding stays." in text and "ACT-00000002" in text
    precedents = section(text, "Precedent: earlier resolutions on these topics")
    assert "RES-mtg-00000001-1" not in precedents  # the oldest goes first


def test_a_note_that_is_too_long_is_cut_and_says_so() -> None:
    text = render_book(BoardBook(TODAY, notes=(Note("x.md", "a" * (MAX_NOTE + 7)),)))
    assert "(cut here: 7 more characters)" in text


@given(st.integers(1_000, 70_000), st.integers(0, 30), st.integers(0, 60))
def test_no_book_is_longer_than_its_cap_and_the_same_book_reads_the_same(cap: int, notes: int, lines: int) -> None:
    book = long_book(notes, lines)
    text = render_book(book, cap=cap)
    assert len(text) <= cap
    assert text == render_book(replace(book), cap=cap)
    whole = render_book(book, cap=10**9)
    assert (text == whole) == ("left out for length" not in text and "cut here" not in text)
