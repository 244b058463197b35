"""Changes in plain text: two forms count, everything else is speech, and quoted words change nothing (law 3)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.agenda_changes import Add, Operation, Remove, SetMinutes
from tests.corpus.injections import NAMES, TEXTS
from voices.agenda.plain import PLAIN_FORM, plain_operations

R = 'AGENDA {"op": "remove", "item_id": "agenda-2"}'
REMOVE, TWENTY = Remove(item_id="agenda-2"), SetMinutes(item_id="agenda-2", time_minutes=20)


@pytest.mark.parametrize(
    ("text", "speech", "operations"),
    [
        (f"I take it off.\n{R}", "I take it off.", [REMOVE]),
        (f"{R}\nSo be it.", "So be it.", [REMOVE]),
        (f"One.\n\n{R}\n\n{R.replace('2', '3')}\n\nTwo.", "One.\n\nTwo.", [REMOVE, Remove(item_id="agenda-3")]),
        (f"- {R}", "", [REMOVE]),
        ('  AGENDA: {"op": "remove", "item_id": "agenda-2"}  ', "", [REMOVE]),
        ('AGENDA remove {"item_id": "agenda-2"}', "", [REMOVE]),
        ('AGENDA {"op": "agenda_remove", "item_id": "agenda-2",}', "", [REMOVE]),
        ('AGENDA {"name": "agenda_remove", "arguments": {"item_id": "agenda-2"}}', "", [REMOVE]),
        ('AGENDA {"tool": "remove", "input": {"item_id": "agenda-2"}}', "", [REMOVE]),
        ('AGENDA {"operations": [{"op": "remove", "item_id": "agenda-2"}]}', "", [REMOVE]),
        ('Yes.\n```json\n{"op": "remove", "item_id": "agenda-2"}\n```', "Yes.", [REMOVE]),
        ('```\n[{"op": "remove", "item_id": "agenda-2"}, {"op": "add", "topic": "A"}]\n```', "", [REMOVE, Add(topic="A")]),
        (f"~~~agenda\n{R}\n{R.replace('2', '3')}\n~~~\nYes.", "Yes.", [REMOVE, Remove(item_id="agenda-3")]),
        (R.replace("remove", "set_minutes").replace("}", ', "time_minutes": "20"}'), "", [TWENTY]),
        ('AGENDA {"op": "add", "topic": "“Quoted” {braces} \\"here\\""}', "", [Add(topic="“Quoted” {braces} \"here\"")]),
        (f"It's five o'clock: don't wait.\n{R}", "It's five o'clock: don't wait.", [REMOVE]),
        (f'He said "yes" and left.\n\n{R}', 'He said "yes" and left.', [REMOVE]),
        (f"```python\nprint(1)\n```\n{R}", "```python\nprint(1)\n```", [REMOVE]),
    ],
)  # fmt: skip
def test_a_change_in_form_is_read_and_is_no_speech(text: str, speech: str, operations: list[Operation]) -> None:
    found = plain_operations(text)
    assert (found.speech, found.operations, found.faults, found.quoted) == (speech, operations, [], [])


@pytest.mark.parametrize(
    "text",
    [
        f"> {R}",
        f"You wrote {R} yesterday.",
        f'You wrote "{R}" to me.',
        f"You wrote: “\n{R}\n” and I left it.",
        f"«\n{R}\n»",
        f"A quotation that “never ends\n{R}",
        f"`{R}`",
        f"``\n{R}\n``",
        f"```text\nSome words\n{R}\n```",
        f"```\nwords first\n{R}",
        'The form is {"op": "remove", "item_id": "agenda-2"}.',
        '```json\n{"agenda": "remove agenda-2"}\n```',
        "AGENDA\nremove agenda-2",
        "The AGENDA is full.",
        "AGENDA: remove agenda-2",
        'agenda {"op": "remove", "item_id": "agenda-2"}',
        "Remove agenda-2. Take off the second item.",
    ],
)
def test_words_about_a_change_are_words(text: str) -> None:
    found = plain_operations(text)
    assert (found.operations, found.faults) == ([], [])
    assert found.speech == text.strip()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('AGENDA {"op": "remove", "item_id": "agenda-2"', "no whole JSON object"),
        ('AGENDA {"op": "remove", "item_id": "agen', "no whole JSON object"),
        ("AGENDA {remove agenda-2}", "no whole JSON object"),
        ("AGENDA {'op': 'remove', 'item_id': 'agenda-2'}", "no whole JSON object"),
        ('```json\n{"op": "remove", "item_id":\n```', "no whole JSON object"),
        ('```json\n{"op": "remove", "item_id": "agenda-2"', "no whole JSON object"),
        ('AGENDA {"op": "edit", "path": "meeting.json"}', "'edit' is no change of an agenda"),
        ('AGENDA {"op": "add"}', "add: topic is missing"),
        ('AGENDA {"op": "add", "topic": "A", "op": "remove"}', "item_id is missing"),
        ("AGENDA {}", "is no change of an agenda"),
        ("AGENDA " + "{" * 5000, "no whole JSON object"),
    ],
)  # fmt: skip
def test_a_change_that_is_broken_is_told_and_never_guessed(text: str, words: str) -> None:
    found = plain_operations(text)
    assert found.operations == []
    assert any(words in fault for fault in found.faults)
    assert "AGENDA" not in found.speech


@pytest.mark.parametrize(
    "given_",
    [
        f"My friend sent me this: {R}",
        'Note: AGENDA {"op":"remove","item_id":"agenda-2"}',
        'AGENDA {"op": "remove",\n "item_id": "agenda-2"}',
        'AGENDA \u2774"op": "remove", "item_id": "agenda-2"\u2775',
    ],
)
def test_what_the_chairman_was_given_to_read_is_a_quotation(given_: str) -> None:
    found = plain_operations(f"As it says:\n{R}", ("something else", given_))
    assert (found.operations, found.faults, found.speech) == ([], [], "As it says:")
    assert "quoted words change nothing" in found.quoted[0]


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_hostile_texts_ask_for_nothing(text: str) -> None:
    for written in (text, f"{text}\n{text}", f"I read: {text}", f"AGENDA {text}", f"```json\n{text}\n```"):
        assert plain_operations(written).operations == []


def test_the_form_that_is_asked_for_is_the_form_that_is_read() -> None:
    assert plain_operations(PLAIN_FORM).operations == [Add(topic="…", time_minutes=15)]


PIECES = st.sampled_from(
    [R, "AGENDA", "{", "}", '"', "“", "”", "`", "```", "~~~", "\n", "\n\n", "> ", " ", "op", ":", ",", "words.", "add", "'"]
)


@given(st.lists(PIECES, max_size=30))
def test_whatever_is_written_reading_never_fails_and_speech_is_part_of_it(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = plain_operations(text)
    assert all(line.strip() in text for line in found.speech.split("\n"))
    assert len(found.operations) <= text.count(R)
    assert plain_operations(text, (text,)).operations == []


@pytest.mark.parametrize("text", ["“\n" * 4000, "AGENDA {\n" * 2000, "```\n" * 3000, '"' * 9000, f"{R}\n" * 1500])
def test_reading_is_quick_whatever_it_repeats(text: str) -> None:
    started = time.perf_counter()
    plain_operations(text)
    assert time.perf_counter() - started < 3
