"""Decisions across meetings: pairs judged by hand, and topics that keep coming back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.tracking import Decision, contradicted, contradictions, repeated, same_topic

PAIRS = [
    # topic, text, topic, text, whether the later contradicts the earlier
    ("Weekly cardio", "shall increase cardio to 3 sessions", "Weekly cardio", "shall reduce cardio to 1 session", True),
    ("Weekly cardio", "shall reduce cardio", "The weekly cardio", "shall increase cardio", True),
    ("Weekly cardio", "shall increase cardio to 3", "Weekly cardio", "shall increase cardio to 4", False),
    ("Gym membership", "shall start a gym membership", "The gym membership", "shall cancel the gym membership", True),
    ("Gym membership", "shall keep the gym membership", "Gym membership", "shall quit the gym", True),
    ("The job in Lisbon", "shall accept the job in Lisbon", "Job in Lisbon", "shall decline the job in Lisbon", True),
    ("The job in Lisbon", "shall accept the job", "The flat in Porto", "shall decline the flat", False),
    ("Selling the car", "shall sell the car", "Selling the car", "shall keep the car", True),
    ("Selling the car", "shall not sell the car", "Selling the car", "shall sell the car", True),
    ("Coffee after noon", "shall allow coffee after noon", "Coffee after noon", "shall forbid coffee after noon", True),
    ("Coffee after noon", "shall avoid coffee", "Coffee after noon", "shall include coffee", True),
    ("Savings plan", "shall raise the savings to 10 %", "Savings plan", "shall lower the savings to 5 %", True),
    ("Savings plan", "shall raise the savings", "Savings plan", "shall review the savings", False),
    ("Evening reading", "shall begin reading in the evening", "Evening reading", "shall stop reading in the evening", True),
    ("Evening reading", "shall begin reading", "Morning swim", "shall stop swimming", False),
    ("A coach", "shall hire a coach", "The coach", "shall dismiss the coach", True),
    ("Moving to Porto", "shall move to Porto", "Moving to Porto", "shall stay in the town", True),
    ("Course start", "shall advance the course", "The start of the course", "shall postpone the course", True),
    ("Screen time", "shall limit screen time", "Screen time", "shall extend screen time", True),
    ("Screen time", "shall limit screen time", "Screen time", "shall cut screen time", False),
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}: {pair[1]} / {pair[3]}")
def test_a_later_decision_that_goes_the_other_way(pair: tuple[str, str, str, str, bool]) -> None:
    earlier = Decision("RES-1", pair[0], f"RESOLVED, That the shareholder {pair[1]}.")
    later = Decision("RES-2", pair[2], f"RESOLVED, That the shareholder {pair[3]}.")
    assert bool(contradicted(later, [earlier])) == pair[4]
    assert bool(contradictions([later, earlier])) == pair[4]  # it goes both ways


def test_topics_that_come_back_are_one_topic() -> None:
    topics = [("mtg-1", "Sleep goal"), ("mtg-2", "The boat"), ("mtg-2", "A goal for sleep"), ("mtg-3", "Sleep goals")]
    assert [(one.topic, one.ids) for one in repeated(topics)] == [("Sleep goals", ("mtg-1", "mtg-2", "mtg-3"))]
    assert repeated(topics, times=4) == []


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=60)), max_size=8))
def test_any_words_are_compared_without_a_fuss(pairs: list[tuple[str, str]]) -> None:
    decisions = [Decision(f"RES-{n}", topic, text) for n, (topic, text) in enumerate(pairs)]
    for found in contradictions(decisions):
        assert same_topic(found.earlier, found.later)
        assert found.earlier.id != found.later.id
    assert all(len(one.ids) >= 2 for one in repeated([(d.id, d.topic) for d in decisions]))
