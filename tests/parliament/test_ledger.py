"""The ledger, pure: what presses, and what a transcript says is to be done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.commands import ActionCommand, render
from parliament.ids import action_id
from parliament.ledger import WEEK, Spoken, from_transcript, same_task, scope
from parliament.roster import Roster, RosterEntry

TODAY = date(2026, 12, 1)
MEETING = "mtg-0000000a"
ROSTER = Roster((RosterEntry("dalio", "Ray Dalio", ("ray",)), RosterEntry("musk", "Elon Musk", ("elon",))))


@dataclass(frozen=True)
class Item:
    id: str
    due: date | None = None


def test_open_items_are_sorted_by_the_day() -> None:
    days = {"late": -1, "today": 0, "in a week": 7, "after it": 8}
    items = [Item(name, TODAY + timedelta(days=ahead)) for name, ahead in days.items()]
    found = scope([Item("whenever"), *reversed(items), Item("long ago", date(2020, 1, 1))], TODAY)
    assert [item.id for item in found.overdue] == ["long ago", "late"]
    assert [item.id for item in found.upcoming_week] == ["today", "in a week"]
    assert [item.id for item in found.later] == ["after it"]
    assert [item.id for item in found.open_ended] == ["whenever"]


@given(st.lists(st.tuples(st.integers(), st.none() | st.dates(date(2000, 1, 1), date(2100, 1, 1)))), st.dates(date(2000, 1, 1)))
def test_every_open_item_stands_in_one_list_in_the_order_of_its_days(rows: list[tuple[int, date | None]], today: date) -> None:
    if today > date.max - WEEK:
        today = date.max - WEEK
    items = [Item(f"ACT-{n}-{number}", due) for n, (number, due) in enumerate(rows)]
    found = scope(items, today)
    slots = (found.overdue, found.upcoming_week, found.later, found.open_ended)
    assert sorted(item.id for slot in slots for item in slot) == sorted(item.id for item in items)
    for slot in slots[:3]:
        # those of one day stay in the order in which they came: the order in which they were spoken
        assert list(slot) == sorted(slot, key=lambda item: (item.due or today, items.index(item)))
    assert list(found.open_ended) == [item for item in items if item.due is None]
    assert all(item.due is not None and item.due < today for item in found.overdue)
    assert all(item.due is not None and today <= item.due <= today + WEEK for item in found.upcoming_week)
    assert all(item.due is not None and item.due > today + WEEK for item in found.later)


SPEECH = """Adopted. {ACTION: "Book the course" @ray "next Friday"} Thank you, {CALL: @elon}
He said "{ACTION: "Pay" @shareholder}", and `{ACTION: "Run code" @elon}` is code.
{ACTION: "Write the plan" @Elon Musk} {ACTION: "Book the course" @elon "today"} {ACTION: "Ask" @nobody}"""


def test_law_03_only_live_commands_of_a_speech_are_action_items() -> None:
    found = from_transcript(MEETING, [Spoken(7, "agenda-1", (SPEECH,))], ROSTER)
    assert [(one.task, one.owner, one.deadline, one.position) for one in found] == [
        ("Book the course", "dalio", "next Friday", 700),
        ("Write the plan", "musk", None, 702),
    ]


def test_law_04_the_ids_are_those_of_the_meeting_and_reading_again_finds_the_same() -> None:
    turns = [Spoken(7, "agenda-1", (SPEECH,)), Spoken(9, None, ('{ACTION: "Book the course" @ray}',))]
    found = from_transcript(MEETING, turns, ROSTER)
    assert [one.id for one in found] == [
        action_id(MEETING, "agenda-1", "Book the course"),
        action_id(MEETING, "agenda-1", "Write the plan"),
        action_id(MEETING, "", "Book the course"),  # of no item: another task
    ]
    assert from_transcript(MEETING, turns[::-1], ROSTER) == found
    assert from_transcript(MEETING, turns * 2, ROSTER) == found


def test_a_command_that_was_refused_adds_nothing() -> None:
    commands = ("{QUORUM}", '{ACTION: "Too early" @ray}', '{ACTION: "In order" @ray}')
    found = from_transcript(MEETING, [Spoken(3, "agenda-1", commands, refused=frozenset({1}))], ROSTER)
    assert [(one.task, one.position) for one in found] == [("In order", 302)]


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).map(lambda text: f"x {text} y")


@given(st.lists(st.tuples(WORDS, st.sampled_from(["dalio", "musk", "shareholder"]), st.none() | WORDS), max_size=5))
def test_what_was_written_as_a_command_is_found_as_it_was_meant(rows: list[tuple[str, str, str | None]]) -> None:
    commands = [ActionCommand(text=task, owner=owner, deadline=deadline) for task, owner, deadline in rows]
    expected = {c.text: (c.owner, c.deadline) for c in reversed(commands)}  # the first of a task counts
    found = from_transcript(MEETING, [Spoken(1, "agenda-1", tuple(map(render, commands)))], ROSTER)
    assert {one.task: (one.owner, one.deadline) for one in found} == expected
    assert [one.position for one in found] == sorted(one.position for one in found)


@given(st.lists(st.text(max_size=300), max_size=4))
def test_no_words_raise_and_none_without_a_command_are_a_task(words: list[str]) -> None:
    found = from_transcript(MEETING, [Spoken(n, None, (text,)) for n, text in enumerate(words)], ROSTER)
    assert not found or any("ACTION" in text for text in words)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Book the course", "  book the  COURSE. ", True),
        ("Book the course !", "Book the course", True),
        ("Don\u2019t book the \u201ctest\u201d", 'don\'t book the "test"', True),
        ("A follow\u2011up", "a follow-up", True),
        ("Stra\u00dfe fegen", "STRASSE FEGEN", True),
        ("Book session 1", "Book session 2", False),
        ("Sell", "Do not sell", False),
        ("Save 5%", "Save 5", False),
    ],
)
def test_the_same_task_is_the_same_but_for_how_it_is_written(one: str, other: str, same: bool) -> None:
    assert same_task(one, other) is same_task(other, one) is same
