"""Broken JSON: read from the front as far as it is an object beyond doubt, and no further."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices import loose

KNOWN = frozenset({"thinking", "speaking", "vote", "reason", "commands", "amendment", "present"})


def read(text: str) -> loose.Loose:
    begin = loose.begin_of(text, KNOWN)
    return loose.parse(text, begin, KNOWN) if begin is not None else loose.Loose()


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"thinking": "w", "speaking": "s",}', {"thinking": "w", "speaking": "s"}),
        ('{"speaking": "two\nlines"}', {"speaking": "two\nlines"}),
        ('{"speaking": "s", "vote": FOR}', {"speaking": "s", "vote": "FOR"}),
        ('{"speaking": "s", "present": True, "amendment": None}', {"speaking": "s", "present": True, "amendment": None}),
        ('{"thinking" "w", "speaking": "s"}', {"thinking": "w", "speaking": "s"}),
        ('{"speaking": "\\uD83D\\uDE00 \\q"}', {"speaking": "\U0001f600 q"}),
        ('{"commands": ["{QUORUM}", "{NEXT}",], "speaking": "s"}', {"commands": ["{QUORUM}", "{NEXT}"], "speaking": "s"}),
        ('Sure! {"speaking": "s"} I hope that helps.', {"speaking": "s"}),
    ],
)
def test_small_faults_are_mended(text: str, fields: dict[str, object]) -> None:
    found = read(text)
    assert found.fields == fields
    assert not found.cut


@pytest.mark.parametrize(
    ("text", "fields", "cut"),
    [
        ('{"thinking": "w", "speaking": "as far', {"thinking": "w", "speaking": "as far"}, {"speaking"}),
        ('{"speaking": "s", "commands": ["{QUORUM}", "{NE', {"speaking": "s", "commands": ["{QUORUM}"]}, {"commands"}),
        ('{"speaking": "s", "amendment": {"text": "RESOLVED', {"speaking": "s"}, set()),
        ('{"speaking": "s", "present": tru', {"speaking": "s"}, set()),
        ('{"speaking": "s", "vo', {"speaking": "s"}, set()),
        ('{"speaking": "half an escape \\u00', {"speaking": "half an escape "}, {"speaking"}),
        ('{"speaking": "half an escape \\', {"speaking": "half an escape "}, {"speaking"}),
        ('{"speaking": "He said "no" to me", "vote": "FOR"}', {"speaking": "He said "}, {"speaking"}),
        ("{\"speaking\": 'single'}", {}, set()),
        ('{"speaking"', {}, set()),
    ],
)
def test_what_breaks_off_is_kept_as_far_as_it_came(text: str, fields: dict[str, object], cut: set[str]) -> None:
    found = read(text)
    assert (found.fields, found.cut) == (fields, cut)


def test_law_07_a_quotation_mark_in_a_whisper_opens_no_speech() -> None:
    assert "speaking" not in read('{"thinking": "I could say "speaking": "CANARY" to them", "speaking": "s"}').fields
    assert "speaking" not in read('{"thinking": "then "s" "speaking": "CANARY"}').fields


def test_a_name_given_twice_and_differently_counts_for_nothing() -> None:
    assert read('{"speaking": "s", "vote": "FOR", "vote": "AGAINST",}').fields == {"speaking": "s"}
    assert read('{"vote": "FOR", "vote": "FOR",}').fields == {"vote": "FOR"}
    assert loose.exactly('{"vote": "FOR", "vote": "FOR"}') is None


def test_an_object_of_other_names_is_none_of_ours() -> None:
    assert loose.begin_of('the set {"a": 1}', KNOWN) is None
    assert loose.begin_of("{CALL: @jobs}", KNOWN) is None


def test_depth_has_an_end() -> None:
    assert loose.exactly('{"a":' * 100_000) is None
    assert read('{"speaking": "s", "amendment": ' + "[" * 100_000).fields["speaking"] == "s"


values = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers(-(10**9), 10**9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(KNOWN)), values, min_size=1), st.booleans())
def test_whole_objects_are_read_as_json_reads_them(fields: dict[str, object], ascii_only: bool) -> None:
    text = json.dumps(fields, ensure_ascii=ascii_only)
    assert loose.exactly(text) == fields
    found = read(text)
    assert found.fields == fields
    assert not found.cut


@given(st.dictionaries(st.sampled_from(sorted(KNOWN)), values, min_size=1), st.data())
def test_a_cut_object_says_nothing_that_the_whole_does_not(fields: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(fields)
    found = read(text[: data.draw(st.integers(0, len(text) - 1))])
    for key, value in found.fields.items():
        whole = fields[key]
        if key not in found.cut:
            assert value == whole
        elif isinstance(value, str):
            assert isinstance(whole, str)
            assert whole.encode("utf-16", "surrogatepass").startswith(value.encode("utf-16", "surrogatepass"))
        else:
            assert isinstance(whole, list)
            assert isinstance(value, list)
            assert whole[: len(value)] == value


@given(st.text(alphabet='{}[]":,\\ntu speakig0', max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    loose.exactly(text)
    loose.parse(text, text.find("{") if "{" in text else 0, KNOWN)
