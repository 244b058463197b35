"""Forms of frequent motions: whatever goes in, what comes out is a motion in form, or one sentence that says why not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.motion_templates import MAX_SUGGESTED, MAX_VALUE, TEMPLATES, MotionTemplate, TemplateError, fill, suggest
from parliament.motions import Wording, check_wording
from tests.corpus.injections import NAMES, TEXTS

SAMPLE = {
    "who": "the shareholder",
    "what": "weekly cardio sessions",
    "now": "2",
    "target": "3",
    "action": "walk for twenty minutes after lunch",
    "how_often": "on every working day",
    "how_long": "six weeks",
    "measure": "the plan of ten kilometres in 55 minutes",
    "doing": "answering mail after nine in the evening",
    "instead": "half an hour of reading",
    "choice": "the job in Lisbon",
    "alternative": "the present one",
    "condition": "the rent is under 900 euros",
    "information": "the notice period in writing",
    "source": "the employer",
    "question": "the offer",
    "amount": "400 euros",
    "task": "the oak table",
    "left_out": "the second coat of oil",
    "by": "31 January 2027",
}


def values(template: MotionTemplate, **changes: str) -> dict[str, str]:
    return {name: SAMPLE[name] for name in template.slots} | changes


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
@pytest.mark.parametrize(
    ("by", "end"),
    [
        ("31 January 2027", " by 31 January 2027."),
        ("by 31 January 2027.", " by 31 January 2027."),
        ("immediately", ", effective immediately."),
        ("effective immediately", ", effective immediately."),
    ],
)
def test_each_filled_form_is_a_motion_in_form(template: MotionTemplate, by: str, end: str) -> None:
    text = fill(template.id, **values(template, by=by))
    assert check_wording(text) == Wording(text)
    assert text.startswith("RESOLVED, That the shareholder shall ")
    assert text.endswith(end)
    assert not re.search(r"[{}\[\]<>]|\s,|,,|  ", text)
    for name in template.slots:
        assert name == "by" or SAMPLE[name] in text


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_a_form_as_it_is_shown_is_no_motion_yet(template: MotionTemplate) -> None:
    found = check_wording(template.shown)
    assert not isinstance(found, Wording)
    assert found.code == "placeholder"
    assert not re.search(r"[{}\[\]]", template.shown)
    assert set(re.findall(r"\{(\w+)\}", template.text)) == set(template.slots)


def filled_or_refused(name: str, given_: dict[str, str]) -> str | TemplateError:
    try:
        return fill(name, **given_)
    except TemplateError as error:
        return error


WORDS = st.text(min_size=1, max_size=60)


@given(st.sampled_from(sorted(TEMPLATES)), st.data())
def test_whatever_goes_in_a_motion_in_form_comes_out_or_a_sentence(name: str, data: st.DataObject) -> None:
    given_ = {slot: data.draw(WORDS | st.just(SAMPLE[slot])) for slot in TEMPLATES[name].slots}
    found = filled_or_refused(name, given_)
    if isinstance(found, str):
        assert check_wording(found) == Wording(found)
    else:
        assert name in str(found) and "\n" not in str(found)


@given(st.sampled_from(sorted(TEMPLATES)), st.data())
def test_plain_words_always_make_a_motion(name: str, data: st.DataObject) -> None:
    word = st.from_regex(r"[a-z]{2,9}( [a-z]{2,9}){0,5}( [1-9][0-9]{0,3})?", fullmatch=True)
    plain = word.filter(lambda text: "tb" not in text and not re.search(r"\b(?:x{3,}|y{4,}|n{3,})\b", text))
    given_ = {slot: data.draw(plain) for slot in TEMPLATES[name].slots} | {"by": "1 March 2027"}
    assert isinstance(check_wording(fill(name, **given_)), Wording)


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_a_value_is_words_and_nothing_else(text: str) -> None:
    found = filled_or_refused("increase", values(TEMPLATES["increase"], what=text))
    if isinstance(found, str):
        assert found.startswith("RESOLVED, That the shareholder shall increase ") and "{" not in found
    else:
        assert "increase" in str(found)
    with pytest.raises(TemplateError, match="placeholder"):
        fill("increase", **values(TEMPLATES["increase"], what="{target}"))  # a slot in a value is no slot


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("increse", {}, "did you mean 'increase'?"),
        ("increase", {"what": ""}, "the slot 'what' of increase is empty; say what is counted"),
        ("increase", {"what": " \u200b"}, "is empty"),
        ("increase", {"by": "TBD"}, "placeholder"),
        ("increase", {"target": "[number]"}, "placeholder"),
        ("increase", {"wat": "x"}, "no slot 'wat' (did you mean 'what'?); its slots are who, what, now, target, by"),
        ("increase", {"what": "x" * (MAX_VALUE + 1)}, f"more than {MAX_VALUE} characters"),
        ("increase", {"by": "the"}, "breaks off"),
    ],
)
def test_what_cannot_be_filled_is_said_in_a_sentence(name: str, changes: dict[str, str], words: str) -> None:
    with pytest.raises(TemplateError) as error:
        fill(name, **values(TEMPLATES["increase"], **changes))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("topic", "description", "first"),
    [
        ("Increase Weekly Cardio", "", "increase"),
        ("Should I cut back on coffee?", "", "decrease"),
        ("An evening routine", "so that I sleep", "routine"),
        ("Goal review: Italian", "progress of 40 %", "review"),
        ("Lisbon or Porto?", "", "choose"),
        ("Quit the choir", "", "stop"),
        ("How much may the kitchen cost?", "a budget", "spend"),
        ("Overdue: the oak table", "", "finish"),
        ("Which figure is right", "the two figures disagree", "find_out"),
        ("Should I try a four-day week?", "", "trial"),
    ],
)
def test_the_fitting_form_is_suggested_first(topic: str, description: str, first: str) -> None:
    found = suggest(topic, description)
    assert found[0] == first
    assert len(found) <= MAX_SUGGESTED
    assert len(set(found)) == len(found)


def test_words_are_found_whole_and_nothing_is_suggested_for_nothing() -> None:
    assert suggest("Moreover, orchestras") == ()  # neither "more" nor "or"
    assert suggest("") == ()


@given(st.text(max_size=80), st.text(max_size=80))
def test_suggestions_are_known_and_few(topic: str, description: str) -> None:
    found = suggest(topic, description)
    assert set(found) <= set(TEMPLATES) and len(found) <= MAX_SUGGESTED and found == suggest(topic, description)
