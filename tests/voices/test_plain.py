"""The lines and sentences of plain replies: answers as asked are exact, answers in other words tolerant, the rest is None."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices import plain

Reader = Callable[[str], tuple[bool | None, bool]]

YES_OR_NO: list[tuple[Reader, str, bool | None, bool]] = [
    (plain.present_in, "PRESENT", True, True),
    (plain.present_in, "Present, and ready to begin.", True, False),
    (plain.present_in, "I am here.", True, False),
    (plain.present_in, "ABSENT", False, True),
    (plain.present_in, "I am absent.", False, False),
    (plain.present_in, "I am not present.", False, False),
    (plain.present_in, "I cannot attend today.", False, False),
    (plain.present_in, "At present I would rather talk about lunch.", None, False),
    (plain.present_in, "We represent the shareholder.", None, False),
    (plain.second_in, "SECOND", True, True),
    (plain.second_in, "I second the motion.", True, False),
    (plain.second_in, "Seconded.", True, False),
    (plain.second_in, "I gladly second it.", True, False),
    (plain.second_in, "PASS", False, True),
    (plain.second_in, "I do not second this.", False, False),
    (plain.second_in, "I won't second it.", False, False),
    (plain.second_in, "I have second thoughts.", None, False),
    (plain.second_in, "Wait a second.", None, False),
    (plain.second_in, "Who will second it?", None, False),
    (plain.appeal_in, "APPEAL", True, True),
    (plain.appeal_in, "I appeal from the decision of the chair.", True, False),
    (plain.appeal_in, "NO APPEAL", False, True),
    (plain.appeal_in, "I do not appeal.", False, False),
    (plain.appeal_in, "I accept the ruling.", False, False),
    (plain.appeal_in, "The plan has its appeal, perhaps.", None, False),
    (plain.objection_in, "OBJECTION", True, True),
    (plain.objection_in, "I object.", True, False),
    (plain.objection_in, "NO OBJECTION", False, True),
    (plain.objection_in, "I have no objection to it.", False, False),
    (plain.objection_in, "I do not object.", False, False),
    (plain.objection_in, "Without objection.", False, False),
    (plain.objection_in, "The object of the plan is rest.", None, False),
    (plain.well_taken_in, "WELL TAKEN", True, True),
    (plain.well_taken_in, "The point of order is well taken: remarks go through the chair.", True, False),
    (plain.well_taken_in, "NOT WELL TAKEN", False, True),
    (plain.well_taken_in, "The point is not well taken.", False, False),
    (plain.well_taken_in, "I understand the concern.", None, False),
]


@pytest.mark.parametrize(("reader", "text", "found", "exact"), YES_OR_NO)
def test_a_yes_or_no_is_read_where_it_is_said(reader: Reader, text: str, found: bool | None, exact: bool) -> None:
    assert reader(text) == (found, exact)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SUPPORT", ("support", True)),
        ("CONSENT\nIt does no harm.", ("consent", True)),
        ("OBJECT", ("object", True)),
        ("I support this amendment.", ("support", False)),
        ("I have no objection.", ("consent", False)),
        ("I object to the earlier date.", ("object", False)),
        ("I do not support it.", (None, False)),
        ("An interesting thought.", (None, False)),
    ],
)
def test_where_a_member_stands_on_an_amendment(text: str, found: tuple[str | None, bool]) -> None:
    assert plain.position_in(text) == found


R = "RESOLVED, That the shareholder shall walk daily, effective immediately."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (R, R),
        (f"I have drafted this.\n\n{R}\n\nI ask for a second.", R),
        (f"{R} I believe it is the right step.", R),
        (f'Here it is: "{R}" It is short.', R),
        (f"**{R}**", R),
        (f'{{MOTION: "{R}"}}', R),
        (
            "I move that the shareholder shall walk daily. This is enough.",
            "I move that the shareholder shall walk daily.",
        ),
        (f"I move that we act. Formally:\n{R}", R),
        ("resolved that the shareholder\nshall walk.", "resolved that the shareholder shall walk."),
        ("RESOLVED, That we see Dr. Meyer by 5 p.m. on 3 May.", "RESOLVED, That we see Dr. Meyer by 5 p.m. on 3 May."),
        ("The matter is resolved. We walk.", ""),
        ("", ""),
    ],
)
def test_a_motion_is_found_with_its_words_and_nothing_after(text: str, words: str) -> None:
    assert plain.motion_in(text) == words


def test_an_amendment_is_found_with_what_it_changes() -> None:
    assert plain.amendment_in(f"I move to amend by naming the day: {R} That is all.") == (R, "by naming the day")
    assert plain.amendment_in(f'I move to amend the motion so that it reads: "{R}"')[0] == R
    assert plain.amendment_in("I would amend nothing.") == ("", "")


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("VOTE: FOR\nREASON: It is small.\nDISSENT: None", "REASON", "It is small."),
        ("VOTE: FOR\nREASON: It is small.\nDISSENT: None", "DISSENT", ""),
        (
            "**VOTE:** AGAINST\n**REASON:** Too much\nand too soon.\n**DISSENT:** It will fail.",
            "REASON",
            "Too much and too soon.",
        ),
        ("**VOTE:** AGAINST\n**REASON:** Too much\nand too soon.\n**DISSENT:** It will fail.", "DISSENT", "It will fail."),
        ("Vote: against. Reason: the date. Dissent: the cost.", "REASON", "the date."),
        ("VOTE: FOR", "REASON", ""),
        ("DISSENT: N/A", "DISSENT", ""),
        ("DISSENT: None of this was costed.", "DISSENT", "None of this was costed."),
    ],
)
def test_fields_are_read_up_to_the_next(text: str, name: str, found: str) -> None:
    assert plain.field(text, name) == found


def test_points_of_order_and_procedural_motions_are_read_only_when_they_are_made() -> None:
    assert plain.point_in("I rise to a point of order: remarks go through the chair.") == "remarks go through the chair."
    assert plain.point_in("Point of order! No second was made.") == "No second was made."
    assert plain.point_in("A point of order would be out of place.") == ""
    assert plain.procedural_in("I move the previous question.") == "previous_question"
    assert plain.procedural_in("I move to lay the motion on the table.") == "lay_on_table"
    assert plain.procedural_in("I move to table this.") == "lay_on_table"
    assert plain.procedural_in("I withdraw my motion.") == "withdraw"
    assert plain.procedural_in("Let us put our cards on the table.") is None
    assert plain.procedural_in("I move the previous question, or I withdraw my motion.") is None


def test_tasks_are_read_with_owner_and_deadline() -> None:
    text = "1. Call the landlord | owner: @shareholder | deadline: 2026-12-14\n- **Write to Ray** \u2014 Owner: dalio\nNo more."
    assert plain.tasks_in(text) == [("Call the landlord", "shareholder", "2026-12-14"), ("Write to Ray", "dalio", "")]


@pytest.mark.parametrize(("text", "is_pass"), [("PASS", True), ("I pass.", True), ("**Pass**", True), ("Pass it on.", False)])
def test_a_pass_is_the_whole_speech(text: str, is_pass: bool) -> None:
    assert plain.passed(text) is is_pass


@given(st.text())
def test_no_reader_raises(text: str) -> None:
    for reader in (
        plain.present_in, plain.second_in, plain.appeal_in, plain.objection_in, plain.well_taken_in, plain.position_in,
        plain.remedy_in, plain.motion_in, plain.amendment_in, plain.point_in, plain.procedural_in, plain.tasks_in, plain.passed,
        plain.nothing, plain.without_fields,
    ):  # fmt: skip
        reader(text)
