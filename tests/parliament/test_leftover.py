"""What a file said otherwise than the record is kept, and laid over it again wherever the record has not moved on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.ids import is_imported_id
from parliament.leftover import covers, leftover, restored, same

KEYS = st.sampled_from(["a", "b", "c", "votes_collected", "agent_sessions"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(JSON, JSON)
def test_what_was_kept_gives_the_file_back(theirs: Any, ours: Any) -> None:
    whole = restored(ours, leftover(theirs, ours))
    assert covers(whole, theirs)
    assert leftover(theirs, whole) is None


@given(JSON, JSON)
def test_nothing_is_kept_where_ours_says_it_all(theirs: Any, ours: Any) -> None:
    assert (leftover(theirs, ours) is None) == covers(ours, theirs)


@given(JSON, JSON)
def test_where_the_record_moved_on_it_is_the_record_that_speaks(theirs: Any, ours: Any) -> None:
    kept = leftover({"x": theirs}, {"x": ours})
    assert same(restored({"x": "moved on"}, kept), {"x": "moved on"})


def test_a_status_that_changed_since_is_told_as_it_is_and_the_words_beside_it_stay() -> None:
    theirs = {"status": "open", "at": "2026-01-03T10:00:00", "mood": "good"}
    ours = {"status": "pending", "at": "2026-01-03T18:00:00+00:00", "simulated": False}
    kept = leftover(theirs, ours)
    assert restored(ours, kept) == {**theirs, "simulated": False}
    assert restored({**ours, "status": "done"}, kept) == {**theirs, "status": "done", "simulated": False}


def test_keys_of_ours_may_stand_beside_but_not_within_what_has_a_member_for_a_key() -> None:
    assert covers({"a": 1, "simulated": True}, {"a": 1})
    assert not covers({"votes_collected": {"musk": "FOR"}}, {"votes_collected": {}})
    kept = leftover({"votes_collected": {}}, {"votes_collected": {"musk": "FOR"}})
    assert restored({"votes_collected": {"musk": "FOR"}}, kept) == {"votes_collected": {}}


def test_true_is_not_one_and_one_is_not_one_point_nought() -> None:
    assert not same(True, 1) and not same(1, 1.0) and not same(None, False)
    assert same({"a": 1, "b": [None]}, {"b": [None], "a": 1})


@pytest.mark.parametrize(("text", "kind"), [("mtg-abc123", "mtg"), ("RES-mtg-abc123-1", "RES"), ("ACT-12345678", "ACT")])
def test_ids_of_records_that_were_brought_along(text: str, kind: str) -> None:
    assert is_imported_id(text, kind)
    for other in {"mtg", "RES", "ACT", "MOT"} - {kind}:
        assert not is_imported_id(text, other)
    for wrong in (
        f"{text}\n",
        f"{text}/..",
        f" {text}",
        f"{kind}-",
        f"{kind}-.",
        f"{kind}--a",
        f"{text}\0",
        f"{kind}-{'a' * 97}",
        f"{text}'",
    ):
        assert not is_imported_id(wrong, kind)


@given(st.text(max_size=20))
def test_no_id_leaves_its_folder(text: str) -> None:
    for each in (text, f"mtg-{text}"):
        if is_imported_id(each):
            assert not set(each) & set("/\\.:\0\n '\"%*?") and len(each) <= 100
