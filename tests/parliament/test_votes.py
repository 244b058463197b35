"""Thresholds and counts, against an independent count in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.values import Disposition, Vote
from parliament.votes import Base, Tally, Threshold, appeal_outcome, outcome, prevailing, tally

ADOPTED, LOST, TIED = Disposition.ADOPTED, Disposition.LOST, Disposition.TIED


def count(for_: int, against: int, abstain: int = 0, **others: int) -> Tally:
    present = for_ + against + abstain + others.get("no_reply", 0) + others.get("invalid", 0)
    return Tally(
        for_=for_, against=against, abstain=abstain, present=present, entire=present + others.get("absent", 0), **others
    )


def test_two_thirds_2_for_1_against_7_abstain_is_adopted() -> None:
    """RULES_OF_ORDER, case 1: abstentions are not cast."""
    assert outcome(count(2, 1, 7), Threshold.TWO_THIRDS) is ADOPTED


def test_two_thirds_4_for_3_against_is_lost() -> None:
    """RULES_OF_ORDER, case 2."""
    assert outcome(count(4, 3), Threshold.TWO_THIRDS) is LOST


def test_two_thirds_3_for_3_against_is_lost() -> None:
    """RULES_OF_ORDER, case 2."""
    assert outcome(count(3, 3), Threshold.TWO_THIRDS) is LOST


@pytest.mark.parametrize("threshold", Threshold)
@pytest.mark.parametrize("base", Base)
def test_no_votes_cast_is_lost_and_not_tied(threshold: Threshold, base: Base) -> None:
    """RULES_OF_ORDER, case 2: 0-0-5 is lost, not "tied" and not for ever open."""
    assert outcome(count(0, 0, 5), threshold, base) is LOST
    assert outcome(count(0, 0), threshold, base) is LOST


def test_a_tie_is_recorded_as_a_tie_and_is_not_adopted() -> None:
    """RULES_OF_ORDER, Votes: a tie is lost; the record keeps that it was one."""
    assert outcome(count(2, 2, 1), Threshold.MAJORITY) is TIED
    assert outcome(count(1, 1), Threshold.MAJORITY) is TIED


def test_one_vote_for_and_four_abstentions_is_adopted_by_majority() -> None:
    """RULES_OF_ORDER, Votes: a majority of the votes cast, and one was."""
    assert outcome(count(1, 0, 4), Threshold.MAJORITY) is ADOPTED


def test_two_thirds_exactly_is_enough() -> None:
    """RULES_OF_ORDER, Votes: at least two thirds."""
    assert outcome(count(2, 1), Threshold.TWO_THIRDS) is ADOPTED
    assert outcome(count(200_000_000_000_000_001, 100_000_000_000_000_001), Threshold.TWO_THIRDS) is LOST


def test_an_abstention_weighs_as_a_no_only_on_members_present_or_entire_membership() -> None:
    """RULES_OF_ORDER, Votes: thresholds on members present or on the entire membership."""
    three_of_ten = count(3, 1, 4, absent=2)
    assert outcome(three_of_ten, Threshold.MAJORITY) is ADOPTED
    assert outcome(three_of_ten, Threshold.MAJORITY, Base.PRESENT) is LOST
    five = count(5, 0, 3, absent=2)
    assert outcome(five, Threshold.MAJORITY, Base.PRESENT) is ADOPTED
    assert outcome(five, Threshold.MAJORITY, Base.ENTIRE) is LOST
    assert outcome(count(6, 0, 2, absent=2), Threshold.MAJORITY, Base.ENTIRE) is ADOPTED


def test_appeal_takes_a_majority_against_to_reverse() -> None:
    """RULES_OF_ORDER, Precedence: a tie sustains the chair, and so does silence."""
    assert appeal_outcome(count(2, 3)) is LOST
    assert appeal_outcome(count(0, 1, 4)) is LOST
    assert appeal_outcome(count(2, 2, 1)) is TIED
    assert appeal_outcome(count(0, 0, 5)) is TIED
    assert appeal_outcome(count(3, 2)) is ADOPTED


def test_the_no_side_prevails_when_a_two_thirds_motion_fails() -> None:
    """RULES_OF_ORDER, Reconsider."""
    assert prevailing(outcome(count(4, 3), Threshold.TWO_THIRDS)) is Vote.AGAINST
    assert prevailing(outcome(count(4, 3), Threshold.MAJORITY)) is Vote.FOR


def test_law_08_the_six_outcomes_are_counted_apart() -> None:
    """Law 8: missing is not abstaining; only FOR and AGAINST are cast."""
    roll = tuple("abcdef")
    votes = dict(zip(roll, Vote, strict=True))
    counted = tally(roll, votes)
    each = (counted.for_, counted.against, counted.abstain, counted.absent, counted.no_reply, counted.invalid)
    assert each == (1, 1, 1, 1, 1, 1)
    assert (counted.cast, counted.present, counted.entire) == (2, 5, 6)
    for vote in Vote:
        one = tally(("a",), {"a": vote})
        assert one.cast == (1 if vote in (Vote.FOR, Vote.AGAINST) else 0)
        assert outcome(one, Threshold.MAJORITY) is (ADOPTED if vote is Vote.FOR else LOST)


def test_a_vote_from_outside_the_roll_is_not_counted() -> None:
    """RULES_OF_ORDER, Votes: a vote counts only from the frozen roll."""
    assert tally(("a",), {"a": Vote.FOR, "stranger": Vote.AGAINST}) == Tally(for_=1, present=1, entire=1)


def test_a_running_vote_is_not_counted() -> None:
    """RULES_OF_ORDER, Votes: the decision is made only when voting is closed."""
    with pytest.raises(ValueError, match="no vote is recorded for b"):
        tally(("a", "b"), {"a": Vote.FOR})


def test_a_seat_twice_on_the_roll_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        tally(("a", "a"), {"a": Vote.FOR})


@given(
    votes=st.lists(st.sampled_from(Vote), min_size=1, max_size=24),
    threshold=st.sampled_from(Threshold),
    base=st.sampled_from(Base),
)
def test_law_01_the_outcome_is_the_fraction_of_the_votes(votes: list[Vote], threshold: Threshold, base: Base) -> None:
    """Law 1: the result is counted in code; here it is recounted with exact fractions, in another way."""
    roll = tuple(str(n) for n in range(len(votes)))
    result = outcome(tally(roll, dict(zip(roll, votes, strict=True))), threshold, base)
    yes = sum(vote == "FOR" for vote in votes)
    no = sum(vote == "AGAINST" for vote in votes)
    whole = {
        "cast": yes + no,
        "present": sum(vote != "ABSENT" for vote in votes),
        "entire": len(votes),
    }[base.value]
    enough = False
    if yes + no > 0:
        share = Fraction(yes, whole)
        enough = share > Fraction(1, 2) if threshold == "majority" else share >= Fraction(2, 3)
    assert (result is ADOPTED) == enough
    assert (result is TIED) == (threshold == "majority" and base == "cast" and yes == no > 0)
