"""The table of precedence, the form of a motion's words, and ids."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.motions import MAX_WORDING, NAMES, PRECEDENCE, MotionKind, Problem, Wording, amendment_rank, check_wording
from parliament.votes import Threshold

K = MotionKind
GOOD = "RESOLVED, That the shareholder shall accept the offer in Lisbon by 1 March 2026."

# RULES_OF_ORDER, Precedence of motions, written down again: rank, second, debatable, amendable, vote
TABLE = {
    K.FIX_TIME: (13, "Y", "N", "Y", "majority"),
    K.ADJOURN: (12, "Y", "N", "N", "majority"),
    K.RECESS: (11, "Y", "N", "Y", "majority"),
    K.PRIVILEGE: (10, "N", "N", "N", "chair"),
    K.ORDERS_OF_THE_DAY: (9, "N", "N", "N", "demand"),
    K.LAY_ON_TABLE: (8, "Y", "N", "N", "majority"),
    K.PREVIOUS_QUESTION: (7, "Y", "N", "N", "two_thirds"),
    K.LIMIT_DEBATE: (6, "Y", "N", "Y", "two_thirds"),
    K.POSTPONE: (5, "Y", "Y", "Y", "majority"),
    K.COMMIT: (4, "Y", "Y", "Y", "majority"),
    K.AMEND: (3, "Y", "if its target is", "Y", "majority"),
    K.POSTPONE_INDEFINITELY: (2, "Y", "Y", "N", "majority"),
    K.MAIN: (1, "Y", "Y", "Y", "majority"),
}


@pytest.mark.parametrize("kind", TABLE)
def test_the_table_of_precedence_is_that_of_the_rules(kind: MotionKind) -> None:
    """RULES_OF_ORDER, Precedence of motions."""
    rule = PRECEDENCE[kind]
    said = {True: "Y", False: "N", None: "if its target is"}
    decides = rule.vote.value if rule.vote is not None else rule.decided_by.value
    assert (rule.rank, said[rule.second], said[rule.debatable], said[rule.amendable], decides) == TABLE[kind]


def test_incidental_motions_have_no_rank() -> None:
    """RULES_OF_ORDER, Precedence: suspend the rules takes two thirds; an appeal needs a second; a point of order none."""
    assert PRECEDENCE[K.SUSPEND_RULES].vote is Threshold.TWO_THIRDS
    assert PRECEDENCE[K.SUSPEND_RULES].second
    assert not PRECEDENCE[K.SUSPEND_RULES].debatable
    assert PRECEDENCE[K.APPEAL].second
    assert not PRECEDENCE[K.POINT_OF_ORDER].second
    assert PRECEDENCE[K.RECONSIDER].vote is Threshold.MAJORITY
    assert PRECEDENCE[K.RESCIND].vote is Threshold.TWO_THIRDS
    assert {k for k, rule in PRECEDENCE.items() if rule.rank is None} == set(K) - set(TABLE)


def test_every_motion_has_a_row_and_a_name() -> None:
    assert set(PRECEDENCE) == set(MotionKind) == set(NAMES)


def test_an_amendment_takes_the_rank_of_its_target() -> None:
    """RULES_OF_ORDER, Precedence: *Amend* takes the rank of the motion that it would amend."""
    assert amendment_rank(PRECEDENCE[K.RECESS].rank) == 11
    assert amendment_rank(PRECEDENCE[K.MAIN].rank) == 3


# -- wording -------------------------------------------------------------------------------------------------------------


def test_a_motion_in_form_stays_as_it_is() -> None:
    """RULES_OF_ORDER, standing rules: motions are written "RESOLVED, That …"."""
    assert check_wording(GOOD) == Wording(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "I move that the shareholder shall accept the offer in Lisbon by 1 March 2026.",
        "i move, that the shareholder shall accept the offer in Lisbon by 1 March 2026.",
        "Resolved that the shareholder shall accept the offer in Lisbon by 1 March 2026.",
        "RESOLVED: That the shareholder shall accept the offer in Lisbon by 1 March 2026.",
        "Be it resolved, that the shareholder shall accept the offer in Lisbon by 1 March 2026.",
        "I move that RESOLVED, That the shareholder shall accept the offer in Lisbon by 1 March 2026.",
        "**RESOLVED, That** the shareholder shall accept\n  the offer in\tLisbon by 1 March 2026.",
        '"RESOLVED, That the shareholder shall accept the offer in Lisbon by 1 March 2026."',
        "  “RESOLVED, That the shareholder shall accept the offer in Lisbon by 1 March 2026.”\n",
    ],
)
def test_other_forms_are_rewritten(text: str) -> None:
    """RULES_OF_ORDER: the "I move that …" form is accepted and rewritten."""
    assert check_wording(text) == Wording(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "RESOLVED, That [Name] shall accept the offer in Lisbon by 1 March 2026.",
        "RESOLVED, That the shareholder shall accept the offer by [date].",
        "RESOLVED, That the shareholder shall accept the offer by ［date］.",
        "RESOLVED, That <specific person/role> shall accept the offer at once.",
        "RESOLVED, That {name} shall accept the offer in Lisbon at once.",
        "RESOLVED, That {{ name }} shall accept the offer in Lisbon at once.",
        "RESOLVED, That the shareholder shall accept the offer by TBD.",
        "RESOLVED, That the shareholder shall accept the offer by tbd.".replace("tbd", "a date to be determined"),
        "RESOLVED, That the shareholder shall accept XXX by 1 March 2026.",
        "RESOLVED, That the shareholder shall accept the offer by ____ 2026.",
        "RESOLVED, That the shareholder shall accept the offer by _ 2026.",
    ],
)
def test_a_motion_with_a_placeholder_is_refused(text: str) -> None:
    """Source 000, Motion Parsing: rejects motions with unfilled template brackets."""
    problem = check_wording(text)
    assert isinstance(problem, Problem)
    assert problem.code == "placeholder"


@pytest.mark.parametrize(
    "text",
    [
        "RESOLVED, That the shareholder shall run when it is < 5 degrees and > 3 hours remain.",
        "RESOLVED, That the team shall rename the field start_date by 1 March 2026.",
        'RESOLVED, That the shareholder shall adopt the motto "Less, but better."',
        "RESOLVED, That the shareholder shall read Article XX of the treaty (all of it).",
    ],
)
def test_what_only_looks_like_a_placeholder_is_kept(text: str) -> None:
    assert check_wording(text) == Wording(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (' \n "" ', "empty"),
        ("I think that we should all accept the offer in Lisbon.", "form"),
        ("The board resolved, that we should all accept the offer in Lisbon.", "form"),
        ("WHEREAS Lisbon is sunny; RESOLVED, That the shareholder shall accept the offer.", "form"),
        ("I do not move that the shareholder shall accept the offer in Lisbon.", "form"),
        ("RESOLVED, That", "short"),
        ("RESOLVED, That it be so.", "short"),
        ("RESOLVED, That accountability-notwithstanding prevails.", "short"),
        ("RESOLVED, That the shareholder shall accept the offer in Lisbon by", "unfinished"),
        ("RESOLVED, That the shareholder shall accept the offer in the.", "unfinished"),
        ("RESOLVED, That the shareholder shall accept the offer in Lisbon…", "unfinished"),
        ("RESOLVED, That the shareholder shall accept the offer in Lisbon...", "unfinished"),
        ("RESOLVED, That the shareholder shall accept the offer, and;", "unfinished"),
        ("RESOLVED, That the shareholder shall accept the offer.\n\nI believe this is wise.", "paragraphs"),
        ("RESOLVED, That the shareholder shall accept " + "it and " * MAX_WORDING + "rest.", "long"),
    ],
)
def test_a_motion_out_of_form_is_refused_with_a_sentence(text: str, code: str) -> None:
    """Source 000, Motion Parsing: the retry prompt says what was wrong."""
    problem = check_wording(text)
    assert isinstance(problem, Problem)
    assert problem.code == code
    assert re.fullmatch(r"The motion .+[.…”\"]", problem.reason)


@given(st.text(max_size=300))
def test_whatever_is_said_is_read_or_refused(text: str) -> None:
    for said in (text, f"RESOLVED, That {text}", f"I move that {text}."):
        result = check_wording(said)
        if isinstance(result, Wording):
            assert result.text.startswith("RESOLVED, That ")
            assert "\n" not in result.text
            assert check_wording(result.text) == result


def test_the_floor_imports_neither_clock_nor_chance() -> None:
    """DESIGN, The house: parliament is pure. The modules of the floor import no I/O, clock, randomness or Temporal."""
    root = Path(__file__).parents[2] / "parliament"
    for name in (
        "acts balloting disposal floor floor_values ids motions procedure questions quorum votes".split()  # noqa: SIM905
    ):
        imports = re.findall(r"^\s*(?:from|import) ([\w.]+)", (root / f"{name}.py").read_text(), re.MULTILINE)
        allowed = {"__future__", "collections.abc", "collections", "dataclasses", "enum", "types", "typing", "re", "hashlib"}
        assert {i for i in imports if not i.startswith(("parliament", "pydantic"))} <= allowed, name
