"""The table of a proposal review has no holes; conditions, dissents and matters keep their people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.proposal_review import (
    Answer,
    Assessment,
    Contribution,
    Director,
    FinalVerdict,
    FinalVote,
    Missing,
    Outcome,
    Row,
    Verdict,
    asked,
    is_session_id,
    is_track_id,
    matters,
    merged,
    open_for_round,
    resolve,
    row_of,
    session_id,
    standings,
)

FIVE = tuple(
    Director(code.lower(), code, title)
    for code, title in (
        ("CA", "Chief Architect"), ("CPO", "Chief Product Officer"), ("CSO", "Chief Security Officer"),
        ("COO", "Chief Operations Officer"), ("CXO", "Chief Experience Officer"),
    )
)  # fmt: skip
APPROVED, REVIEW = Row(Outcome.APPROVED), Row(Outcome.APPROVED, with_review=True)
REJECTED, ESCALATE = Row(Outcome.REJECTED), Row(Outcome.ESCALATE)


@pytest.mark.parametrize(
    ("approve", "reject", "row"),
    [
        (5, 0, APPROVED), (4, 1, APPROVED), (3, 2, REVIEW), (2, 3, REJECTED), (1, 4, REJECTED), (0, 5, REJECTED),
        (2, 2, ESCALATE), (4, 0, APPROVED), (3, 1, REVIEW), (3, 0, REVIEW), (2, 1, ESCALATE), (1, 3, REJECTED),
        (0, 0, ESCALATE), (1, 1, ESCALATE), (0, 3, REJECTED), (0, 2, ESCALATE),
    ],
)  # fmt: skip
def test_the_rows_of_source_001_hold_as_they_stand(approve: int, reject: int, row: Row) -> None:
    assert row_of(5, approve, reject) == row


def test_every_possible_count_has_exactly_one_row() -> None:
    """For boards of 3 to 9: the rows' own definitions exclude each other, and together they cover everything."""
    for seats in range(3, 10):
        for approve in range(seats + 1):
            for reject in range(seats + 1 - approve):
                rows = {
                    REJECTED: reject > seats / 2,
                    APPROVED: approve > seats / 2 and approve >= 0.8 * seats - 1e-9,
                    REVIEW: approve > seats / 2 and approve < 0.8 * seats - 1e-9,
                    ESCALATE: approve <= seats / 2 and reject <= seats / 2,
                }
                assert [row for row, holds in rows.items() if holds] == [row_of(seats, approve, reject)]


@given(st.integers(3, 9), st.data())
def test_a_vote_more_for_a_side_never_hurts_it(seats: int, data: st.DataObject) -> None:
    approve = data.draw(st.integers(0, seats))
    reject = data.draw(st.integers(0, seats - approve))
    rank = [REJECTED, ESCALATE, REVIEW, APPROVED]
    if approve + reject < seats:
        here = rank.index(row_of(seats, approve, reject))
        assert rank.index(row_of(seats, approve + 1, reject)) >= here >= rank.index(row_of(seats, approve, reject + 1))


@pytest.mark.parametrize("count", [(2, 1, 1), (10, 5, 5), (5, 6, 0), (5, 3, 3), (5, -1, 0)])
def test_counts_that_no_board_can_have_are_errors(count: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"seats|votes"):
        row_of(*count)


# -- conditions and dissent --------------------------------------------------------------------------------------------

WORDS = st.one_of(
    st.sampled_from(["Add caching.", "add caching", "Add  caching!", "Rate-limit it", "…", "", "ſ"]), st.text(max_size=12)
)
VOTES = st.lists(
    st.builds(
        FinalVote,
        st.sampled_from([one.id for one in FIVE]),
        st.sampled_from([None, *FinalVerdict]),
        st.none() | st.floats(0, 1),
        st.lists(WORDS, max_size=4).map(tuple),
        st.booleans(),
        st.text(max_size=10),
        st.none(),
    ),
    max_size=5,
    unique_by=lambda vote: vote.director,
)


@given(VOTES)
def test_conditions_are_merged_and_none_is_lost(votes: list[FinalVote]) -> None:
    found = merged(votes)
    said = [(vote.director, text) for vote in votes for text in vote.conditions]
    for director, text in said:
        alone = merged([FinalVote(director, conditions=(text,))])[0]
        homes = [c for c in found if merged([FinalVote("x", conditions=(c.text, text))]).__len__() == 1]
        assert len(homes) == 1 and director in homes[0].by and alone.text == text
    assert all(any(text == c.text for _, text in said) for c in found)
    assert len({c.text for c in found}) == len(found)


def test_the_same_condition_keeps_everybody_who_asked_for_it() -> None:
    votes = [
        FinalVote("cso", conditions=("Add rate limiting.",)),
        FinalVote("ca", conditions=("add rate-limiting", "Cache it")),
    ]
    assert [(c.text, c.by) for c in merged(votes)] == [("Add rate limiting.", ("cso", "ca")), ("Cache it", ("ca",))]


@given(VOTES)
def test_a_review_counts_only_what_was_cast_and_names_who_is_missing(votes: list[FinalVote]) -> None:
    found = resolve(FIVE, [], [], votes)
    assert found.approve == sum(vote.final_verdict is FinalVerdict.APPROVE for vote in votes)
    assert found.reject == sum(vote.final_verdict is FinalVerdict.REJECT for vote in votes)
    unheard = {one.id for one in FIVE} - {vote.director for vote in votes}
    missing = {lack.director for lack in found.degraded if lack.phase == "final_vote" and lack.why == "no_reply"}
    assert missing == unheard
    assert {lack.director for lack in found.degraded if lack.phase == "assessment"} == {one.id for one in FIVE}
    for vote in votes:
        against = found.outcome is Outcome.APPROVED and vote.final_verdict is FinalVerdict.REJECT
        if against or vote.dissent_noted:
            assert any(d.director == vote.director and d.reason == vote.reason for d in found.dissent)
    assert len(found.criteria) == 6


# -- matters -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "to"),
    [
        ("Question for CPO about the scope", ("cpo",)),
        ("CPO: who asked for this?", ("cpo",)),
        ("Question for CPO and COO: who pays?", ("cpo", "coo")),
        ("@cso is the key rotated?", ("cso",)),
        ("To the Chief Experience Officer: is it readable?", ("cxo",)),
        ("How does COO mean to roll it back?", ("coo",)),
        ("Who pays for it?", ()),
        ("Why is the CA certificate pinned?", ()),  # the asker's own code: it asks nobody else
        ("Is the scope a cpo-style scope, as it were, of the thing at hand?", ()),
    ],
)
def test_a_question_reaches_whom_it_names(question: str, to: tuple[str, ...]) -> None:
    assert asked(question, "ca", FIVE) == to


def test_nobody_settles_or_answers_its_own_way_out_of_anothers_matter() -> None:
    assessments = [
        Assessment("cso", Verdict.CONCERNS, 5, concerns=("No rate limit",), questions_for_board=("CA: where are keys kept?",)),
        Assessment("ca", Verdict.APPROVE, 8),
    ]
    raised = matters(assessments, [], FIVE)
    assert [one.id for one in raised] == ["C-CSO-1", "Q-CSO-1"]
    said = [
        Contribution("ca", 1, answers=(Answer("C-CSO-1", "We add one."),), settled=("C-CSO-1",)),
        Contribution("cso", 1, answers=(Answer("Q-CSO-1", "In a file."),)),
    ]
    concern, question = standings(raised, said)
    assert concern.answered_by == ("ca",) and concern.open and not concern.settled
    assert question.waits_for == ("ca",) and question.open
    said += [Contribution("cso", 2, settled=("C-CSO-1",)), Contribution("ca", 2, answers=(Answer("Q-CSO-1", "In a vault."),))]
    assert open_for_round(standings(raised, said)) == ()


def test_the_criteria_say_what_is_wanting() -> None:
    assessments = [Assessment(one.id, Verdict.APPROVE, 7) for one in FIVE[:4]]
    assessments.append(Assessment("cxo", missing=Missing.NO_REPLY))
    assessments[2] = Assessment("cso", Verdict.CONCERNS, 4, concerns=("No audit log",))
    votes = [FinalVote(one.id, FinalVerdict.APPROVE, 0.8) for one in FIVE[:4]]
    found = resolve(FIVE, assessments, [], votes, stored=False)
    assert (found.outcome, found.with_review, found.vote) == (Outcome.APPROVED, False, "4-0-1")
    assert [c.met for c in found.criteria] == [False, False, False, True, True, False]
    assert "CXO" in found.criteria[0].why and "C-CSO-1" in found.criteria[1].why and "CXO" in found.criteria[2].why


# -- ids ---------------------------------------------------------------------------------------------------------------


def test_session_ids_and_track_ids() -> None:
    assert session_id("2026-02-01", 1) == "board-20260201-1"
    assert is_session_id("board-20260201-12")
    assert not any(map(is_session_id, ["board-2026021-1", "board-20260201-0", "board-20260201-1\n", "../board-20260201-1"]))
    assert all(map(is_track_id, ["auth_20260201", "a", "feature.one"]))
    assert not any(map(is_track_id, ["", "..", "a/..", "a/b", ".hidden", "a..b", "a\n", "x" * 101, "end.", "a\\b"]))
