"""Drafts as they really come: by the schema, around it, in the text form of source 000, cut off, or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.agenda import MAX_ITEMS, make_agenda, write_agenda
from parliament.values import ItemType, Reading
from tests.corpus.injections import NAMES, TEXTS
from voices.agenda import LEAST, MOST, read_agenda
from voices.agenda.drafts import SCHEMA, Draft
from voices.base import VoiceReply
from voices.wire import conforms


def item(topic: str = "Sleep", **fields: Any) -> dict[str, Any]:
    return {"topic": topic, "type": "decision", "time_minutes": 15, "description": "Why.", "desired_outcome": "What."} | fields


THREE = [item("Sleep"), item("Money", type="review", time_minutes=10), item("Roof", type="discussion", time_minutes=20)]


def read(text: str, stop: str = "end_turn", **options: Any) -> Draft:
    draft = read_agenda(VoiceReply(text, stop_reason=stop), **options)
    assert bool(draft.items) is (draft.reading is not Reading.FAILED)
    assert bool(draft.problem) is (draft.reading is Reading.FAILED)
    assert "\n" not in draft.problem
    return draft


def topics(draft: Draft) -> list[str]:
    return [one.topic for one in draft.items]


def reply(items: Any, **more: Any) -> str:
    return json.dumps({"thinking": "WHISPER", "items": items} | more)


# -- the structured form -----------------------------------------------------------------------------------------------------


def test_a_draft_by_the_schema_is_exact() -> None:
    assert conforms(json.loads(reply(THREE)), SCHEMA)
    draft = read(reply(THREE))
    assert draft.reading is Reading.EXACT
    assert draft.items == make_agenda(THREE).items


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{reply(THREE)}\n```",
        f"Here is the agenda:\n\n{reply(THREE)}\n\nI hope that it helps!",
        json.dumps({"items": THREE}),
        json.dumps(THREE),
        f"Here it is: {json.dumps(THREE)}",
        json.dumps({"agenda": {"items": THREE}}),
        reply(THREE, speaking="Here it is."),
        reply(THREE).replace("]}", ",]}"),
        f"<thinking>WHISPER</thinking><speaking>{reply(THREE)}</speaking>",
    ],
)
def test_a_draft_around_the_schema_is_read_with_tolerance(text: str) -> None:
    draft = read(text)
    assert draft.reading is Reading.TOLERANT
    assert topics(draft) == ["Sleep", "Money", "Roof"]
    assert [one.time_minutes for one in draft.items] == [15, 10, 20]


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"type": "Decision "}, "type", ItemType.DECISION),
        ({"type": "vote"}, "type", ItemType.DECISION),
        ({"type": None}, "type", ItemType.DECISION),
        ({"time_minutes": "25 min"}, "time_minutes", 25),
        ({"time_minutes": 12.0}, "time_minutes", 12),
        ({"time_minutes": 0}, "time_minutes", 15),
        ({"time_minutes": 5000}, "time_minutes", 15),
        ({"time_minutes": True}, "time_minutes", 15),
        ({"description": None}, "description", ""),
        ({"description": ["a"]}, "description", ""),
        ({"description": "<thinking>WHISPER</thinking>Open."}, "description", "Open."),
        ({"description": "Open. <thinking>WHISPER never closed"}, "description", "Open."),
    ],
)
def test_what_can_mean_one_thing_only_is_forgiven_and_said_to_be_tolerant(
    changes: dict[str, Any], field: str, value: Any
) -> None:
    draft = read(reply([item(**changes), *THREE[1:]]))
    assert getattr(draft.items[0], field) == value
    assert draft.reading is Reading.TOLERANT
    assert "WHISPER" not in str(draft.items)


def test_fields_under_other_names_are_read() -> None:
    draft = read(json.dumps({"items": [{"title": "A", "kind": "review", "minutes": 7, "outcome": "B"}] * 1 + THREE[1:]}))
    first = draft.items[0]
    assert (first.topic, first.type, first.time_minutes, first.desired_outcome) == ("A", ItemType.REVIEW, 7, "B")


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], 'no list "items"'),
        ("soon", 'no list "items"'),
        (["Sleep", "Money"], "item 1 is no object"),
        ([item(), {"type": "decision"}], 'item 2 has no "topic"'),
        ([item(), item("")], "item 2: the topic is empty"),
        ([item(), item("<thinking>WHISPER</thinking>")], "item 2: the topic is empty"),
        ([item(type="dance")], "item 1: the type 'dance' is not one of"),
        ([item(type=["decision"])], "item 1: the type"),
        ([item(topic="x" * 600)], "the topic has 600 characters"),
        ([item(description="x" * 9000)], "the limit is 8192"),
        ([item(f"T{n}") for n in range(MAX_ITEMS + 1)], "51 items and the limit is 50"),
    ],
)
def test_what_cannot_be_taken_is_said_with_its_mend(items: Any, words: str) -> None:
    draft = read(reply(items))
    assert words in draft.problem
    assert "WHISPER" not in draft.problem


def test_the_number_of_items_is_a_problem_once_and_then_taken_as_it_is() -> None:
    for count in (LEAST - 1, MOST + 1, 20):
        text = reply([item(f"Topic {n}") for n in range(count)])
        assert f"has {count} items, and 3 to 5 are asked for" in read(text, strict=True).problem
        assert len(read(text).items) == count
        assert read(text).reading is Reading.TOLERANT
    for count in (LEAST, MOST):
        assert read(reply([item(f"Topic {n}") for n in range(count)]), strict=True).reading is Reading.EXACT


def test_a_draft_that_broke_off_is_not_taken_in_part() -> None:
    """A revision with half of its items would lose the other half."""
    text = reply(THREE)
    for keep in range(len(text)):
        draft = read(text[:keep], "max_tokens")
        assert "broke off" in draft.problem
    for keep in range(len(text) - 1):
        assert read(text[:keep]).items == (), text[:keep]  # a provider that does not say that it was cut


def test_a_refusal_is_no_draft() -> None:
    assert "declined" in read(reply(THREE), "refusal").problem


# -- the text form -----------------------------------------------------------------------------------------------------------

WRITTEN = write_agenda(make_agenda(THREE))


@pytest.mark.parametrize(
    "text",
    [
        WRITTEN,
        f"<thinking>WHISPER</thinking>\n<speaking>{WRITTEN}</speaking>",
        f"<thinking>WHISPER 1. [No] (type: decision)</thinking>\n{WRITTEN}",
        f"Here is my draft.\n\n{WRITTEN}",
        f"{WRITTEN}\n\nLet me know what you think of it, and I shall change it.",
        f"```\n{WRITTEN}\n```",
        WRITTEN.replace("(type: ", "("),
        WRITTEN.replace("(type: ", "(Type: "),
        WRITTEN.replace("Minutes:", "Time:").replace("15", "15 minutes"),
        WRITTEN.replace("Desired outcome:", "**Outcome:**"),
        WRITTEN.replace("1. [Sleep]", "1. **Sleep**").replace("2. [Money]", "2. **Money**"),
        WRITTEN.replace("1. [", "### 1. ["),
    ],
)
def test_the_text_form_is_read_as_models_write_it(text: str) -> None:
    draft = read(text)
    assert draft.reading is Reading.TOLERANT
    assert draft.items == make_agenda(THREE).items


@pytest.mark.parametrize(
    ("header", "minutes"),
    [
        ("1. [Sleep] (type: decision, 20 minutes)", 20),
        ("1. Sleep (decision; time: 20 min)", 20),
        ("1) Sleep (decision — 20 min.)", 20),
        ("Item 1: Sleep (type: decision)", 15),
        ("1. Sleep [decision]", 15),
        ("1. Sleep\n   Type: decision\n   Time: 20 min", 20),
        ("**1. Sleep** (type: decision)", 15),
    ],
)
def test_headers_are_read_in_many_shapes(header: str, minutes: int) -> None:
    (first, *rest) = read(f"{header}\n   Description: Why.\n\n2. [Money] (type: review)\n3. [Roof] (type: review)").items
    assert (first.topic, first.type, first.time_minutes, first.description) == ("Sleep", ItemType.DECISION, minutes, "Why.")
    assert len(rest) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no agenda"),
        ("   \n", "holds no agenda"),
        ("I would rather talk about the weather.", "is not an agenda item"),
        ("1. Sleep", "names no type"),
        ("1. Sleep (type: dance)", "the type 'dance' is not one of"),
        (f"<thinking>{WRITTEN}", "holds no agenda"),
        (f"<thinking>{reply(THREE)}</thinking>", "holds no agenda"),
        (f"<thinking>{reply(THREE)}", "holds no agenda"),
        (f"WHISPER</thinking>{WRITTEN}", "holds no agenda"),
        ('{"items": [', "no whole JSON"),
    ],
)
def test_what_holds_no_agenda_is_said_in_a_sentence(text: str, words: str) -> None:
    assert words in read(text).problem


def test_law_07_no_item_comes_out_of_a_whisper() -> None:
    hidden = write_agenda(make_agenda([item("WHISPER one"), item("WHISPER two"), item("WHISPER three")]))
    for text in (
        f"<thinking>{hidden}</thinking>{WRITTEN}",
        f"<think>{hidden}</think>\n{WRITTEN}",
        f"[thinking]{hidden}[/thinking]{WRITTEN}",
    ):
        assert topics(read(text)) == ["Sleep", "Money", "Roof"]
    assert read(json.dumps({"thinking": json.dumps({"items": THREE})})).items == ()


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_hostile_texts_in_an_item_stay_in_their_item(text: str) -> None:
    draft = read(reply([item(f"x {text}", description=text), *THREE[1:]]))
    assert draft.reading is Reading.FAILED or topics(draft)[1:] == ["Money", "Roof"]


@given(st.text(max_size=200), st.sampled_from(["end_turn", "max_tokens", "refusal", "tool_use"]))
def test_reading_never_fails(text: str, stop: str) -> None:
    read(text, stop)


@given(
    st.lists(
        st.sampled_from(
            ["1. ", "[A] ", "(type: decision)", "\n", "   Description: ", "x", "{", '"items": [', "```", "Type: review", "**"]
        ),
        max_size=25,
    )
)
def test_reading_what_looks_like_a_draft_never_fails(pieces: list[str]) -> None:
    read("".join(pieces))
