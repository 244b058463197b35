"""Ids are derived from their place and checked as a whole."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament import ids

MEETING = "mtg-9fed5d5a"


def test_the_forms_of_the_ids() -> None:
    """DESIGN, How a meeting runs, Ids."""
    assert ids.is_meeting_id(ids.meeting_id("anything"))
    assert ids.resolution_id(MEETING, 1) == "RES-mtg-9fed5d5a-1"
    assert ids.resolution_id(MEETING, 1, 2) == "RES-mtg-9fed5d5a-1-2"
    assert ids.motion_id(MEETING, "agenda-1") == "MOT-mtg-9fed5d5a-agenda-1"
    assert ids.motion_id(MEETING, "agenda-1", 2) == "MOT-mtg-9fed5d5a-agenda-1-2"
    assert ids.amendment_id(MEETING, 17) == "AMD-mtg-9fed5d5a-17"
    assert ids.is_resolution_id("RES-mtg-9fed5d5a-12")
    assert ids.is_resolution_id(ids.resolution_id(MEETING, 1, 2))
    assert ids.is_motion_id(ids.motion_id(MEETING, "agenda-12", 2))
    assert ids.is_amendment_id(ids.amendment_id(MEETING, 17))
    assert ids.is_action_id(ids.action_id(MEETING, "agenda-1", 0))


def test_a_session_is_the_md5_of_meeting_and_member() -> None:
    """Source 000, Crash Recovery 5."""
    assert ids.session_id("mtg-abc123", "aurelius") == hashlib.md5(b"mtg-abc123:aurelius").hexdigest()[:16]
    assert len(ids.session_id(MEETING, "dalio")) == 16


@pytest.mark.parametrize(
    "text",
    ["", "mtg-9fed5d5a\n", "mtg-9FED5D5A", "mtg-9fed5d5", "mtg-9fed5d5a0", " mtg-9fed5d5a", "../mtg-9fed5d5a", "mtg-９fed5d5a"],
)
def test_a_meeting_id_is_matched_whole(text: str) -> None:
    """DESIGN, Ids: checked with fullmatch wherever they come in."""
    assert not ids.is_meeting_id(text)


@pytest.mark.parametrize(
    "text", ["RES-mtg-9fed5d5a-0", "RES-mtg-9fed5d5a", "RES-mtg-9fed5d5a-1\n", "RES-mtg-9fed5d5a-1/..", "res-mtg-9fed5d5a-1"]
)
def test_a_resolution_id_is_matched_whole(text: str) -> None:
    assert not ids.is_resolution_id(text)


def test_law_04_the_same_place_has_the_same_id_and_another_place_another() -> None:
    """Law 4: every thing has an id derived from its place in the meeting."""
    places = [(MEETING, "agenda-1", 0), (MEETING, "agenda-1", 1), (MEETING, "agenda-11", 0), (MEETING, "agenda-10", 1)]
    made = [ids.action_id(*place) for place in places]
    assert made == [ids.action_id(*place) for place in places]
    assert len(set(made)) == len(made)
    with pytest.raises(ValueError, match="count from 1"):
        ids.motion_id(MEETING, "agenda-1", 0)


@given(st.permutations(["aurelius", "dalio", "davinci", "jobs", "musk"]), st.integers())
def test_the_speaking_order_does_not_depend_on_the_order_members_come_in(members: list[str], seed: int) -> None:
    order = ids.speaking_order(seed, MEETING, "p", members)
    assert order == ids.speaking_order(seed, MEETING, "p", sorted(members))
    assert sorted(order) == sorted(members)


def test_every_speaking_order_is_as_likely_as_every_other() -> None:
    """DESIGN, Rounds are blind: openings and the speaking order are shuffled by a seed kept in the record."""
    orders = Counter(ids.speaking_order(7, MEETING, str(n), "abc") for n in range(6000))
    assert set(orders) == set(permutations("abc"))
    assert all(850 < n < 1150 for n in orders.values())
    assert len({ids.speaking_order(seed, MEETING, "p", "abcde") for seed in range(200)}) > 90
