"""A conversation's answer over its rounds: changes tried, faults given back, and what failed to the end told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.agenda import Agenda
from parliament.agenda_changes import MAX_OPERATIONS, Add, Remove
from tests.corpus.injections import NAMES, TEXTS
from tests.support.agendas import ITEMS, agenda_brief, brief_of_items
from voices.agenda import Conversation, interpret
from voices.agenda.talk import CHANGED, DECLINED, LONGEST, NOTHING
from voices.base import Said, ToolCall, VoiceReply

REMOVE = 'AGENDA {"op": "remove", "item_id": "agenda-2"}'


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(f"toolu_{name}_{len(arguments)}", f"agenda_{name}", arguments)


def reply(speech: str = "", *calls: ToolCall, stop: str = "", text: str | None = None) -> VoiceReply:
    said = f"<thinking>WHISPER</thinking><speaking>{speech}</speaking>" if speech else ""
    return VoiceReply(
        said if text is None else text, stop_reason=stop or ("tool_use" if calls else "end_turn"), tool_calls=calls
    )


def talk(*replies: VoiceReply, agenda: Agenda | None = ITEMS, rounds: int = 3, **brief: Any) -> tuple[Conversation, int]:
    """The conversation after these replies, and how many of them were asked for."""
    items = brief_of_items(agenda) if agenda is not None else ()
    conversation = Conversation(agenda_brief(**({"message": "Change it, please.", "items": items} | brief)), agenda)
    for n, one in enumerate(replies, 1):
        if not conversation.take(one, last=n == rounds):
            return conversation, n
    return conversation, len(replies) + 1


def topics(conversation: Conversation) -> list[str]:
    assert conversation.agenda is not None
    return [item.topic for item in conversation.agenda.items]


# -- with tools --------------------------------------------------------------------------------------------------------------


def test_an_answer_without_a_change_is_one_round() -> None:
    done, asked = talk(reply("It is there because it weighs most."))
    assert (done.speech, done.operations, done.lines, asked) == ("It is there because it weighs most.", [], [], 1)
    assert done.agenda == ITEMS


def test_a_change_goes_back_with_its_result_and_the_last_word_comes_after_it() -> None:
    done, asked = talk(reply("I add it.", call("add", topic="Roof")), reply("It is the fifth now."))
    assert asked == 2
    assert done.speech == "I add it.\n\nIt is the fifth now."
    assert done.operations == [Add(topic="Roof")]
    assert done.lines == ["added “Roof” at place 5 (decision, 15 minutes)"]
    assert topics(done)[-1] == "Roof"
    (exchange,) = done.request("mtg-0000000a/x").exchanges
    assert exchange.calls[0].name == "agenda_add"
    assert exchange.results[0].text.startswith("Done: added “Roof” at place 5")
    assert exchange.results[0].text.endswith("agenda-4, agenda-5.")
    assert not exchange.results[0].error


def test_a_later_round_names_what_an_earlier_one_added() -> None:
    done, _ = talk(
        reply("", call("add", topic="Roof")),
        reply("", call("reorder", item_id="agenda-5", place=1), call("set_minutes", item_id="agenda-5", time_minutes=9)),
        reply("Done."),
    )
    assert topics(done)[0] == "Roof"
    assert len(done.operations) == len(done.lines) == 3


def test_an_invalid_call_goes_back_and_is_mended() -> None:
    done, asked = talk(
        reply("I give it more.", call("set_minutes", item_id="agenda-9", time_minutes=20)),
        reply("", call("set_minutes", item_id="agenda-2", time_minutes=20)),
        reply("Twenty minutes it is."),
    )
    assert asked == 3
    assert done.speech == "Twenty minutes it is."  # "I give it more" spoke too soon
    assert done.lines == ["planned 20 minutes for “Workouts: which figure is right”"]
    assert done.refused == []
    first, second = done.request("x").exchanges
    assert first.results[0].error
    assert "there is no item 'agenda-9'; the items are agenda-1" in first.results[0].text
    assert not second.results[0].error


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (ToolCall("toolu_1", "edit_file", {"path": "meeting.json"}), "there is no tool 'edit_file'"),
        (ToolCall("toolu_1", "agenda_add", None), "broke off"),
        (call("remove", item_id="agenda-9"), "there is no item 'agenda-9'"),
        (call("add", topic="Roof", path="meeting.json"), "unknown key 'path'"),
    ],
)
def test_a_call_that_fails_to_the_end_is_told_and_the_speech_stands(wrong: ToolCall, words: str) -> None:
    done, asked = talk(*[reply("I do it.", wrong)] * 5)
    assert asked == 3
    assert done.operations == []
    assert done.speech.startswith("I do it.\n\n(This change was not made: ")
    assert words in done.speech
    assert done.speech.count("not made") == 1


def test_a_failure_that_the_model_passes_over_is_told_all_the_same() -> None:
    done, _ = talk(reply("", call("remove", item_id="agenda-9")), reply("It is done, all of it."))
    assert "It is done, all of it." in done.speech
    assert "(This change was not made: remove: there is no item 'agenda-9'" in done.speech


def test_of_several_calls_the_good_ones_are_made_and_the_bad_one_is_told() -> None:
    calls = (
        call("remove", item_id="agenda-2"),
        call("remove", item_id="agenda-9"),
        call("set_minutes", item_id="agenda-1", time_minutes=5),
    )
    done, _ = talk(reply("", *calls), reply("As far as it went."))
    assert [operation.op for operation in done.operations] == ["remove", "set_minutes"]
    assert [result.error for result in done.request("x").exchanges[0].results] == [False, True, False]
    assert done.speech.count("not made") == 1


def test_at_the_last_round_calls_are_made_and_nothing_is_asked_again() -> None:
    done, asked = talk(*[reply("", call("add", topic=f"Topic {n}")) for n in range(4)])
    assert asked == 3
    assert len(done.operations) == 3
    assert done.speech == CHANGED


def test_changes_that_take_each_other_back_are_no_change() -> None:
    there, back = call("reorder", item_id="agenda-1", place=2), call("reorder", item_id="agenda-1", place=1)
    done, _ = talk(reply("", there), reply("", back), reply("On second thoughts, no."))
    assert (done.operations, done.lines) == ([], [])
    assert done.speech == "On second thoughts, no."
    done, _ = talk(reply("", call("add", topic="Roof"), call("remove", item_id="agenda-5"), call("add", topic="Roof")))
    assert done.agenda is not None
    assert done.agenda.items[-1].id == "agenda-6"  # an id that was given is not given again


def test_an_answer_makes_so_many_changes_and_no_more() -> None:
    calls = [call("set_minutes", item_id="agenda-1", time_minutes=20 + n) for n in range(MAX_OPERATIONS + 2)]
    done, _ = talk(reply("Often.", *calls))
    assert len(done.operations) == MAX_OPERATIONS
    assert "20 changes at most" in done.speech


def test_an_empty_agenda_gets_its_first_item() -> None:
    done, _ = talk(reply("", call("add", topic="First")), reply("There."), agenda=None)
    assert topics(done) == ["First"]
    done, _ = talk(reply("There is nothing yet."), agenda=None)
    assert (done.agenda, done.operations) == (None, [])


# -- without tools -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"<thinking>WHISPER</thinking><speaking>I take it off.</speaking>\n{REMOVE}",
        f"<speaking>I take it off.\n{REMOVE}</speaking>",
        f"I take it off.\n{REMOVE}",
        f"<think>WHISPER</think>I take it off.\n```json\n{REMOVE[7:]}\n```",
        json.dumps({"thinking": "WHISPER", "speaking": "I take it off.", "operations": [json.loads(REMOVE[7:])]}),
        json.dumps({"thinking": "WHISPER", "speaking": f"I take it off.\n{REMOVE}"}),
        f"```json\n{json.dumps({'speaking': 'I take it off.', 'operations': [json.loads(REMOVE[7:])]})}\n```",
    ],
)
def test_a_change_in_plain_text_is_made_in_one_round(text: str) -> None:
    done, asked = talk(reply(text=text))
    assert asked == 1
    assert done.operations == [Remove(item_id="agenda-2")]
    assert done.speech == "I take it off."


def test_a_plain_change_that_is_wrong_goes_back_in_words() -> None:
    wrong = reply(text=f"I take it off.\n{REMOVE.replace('-2', '-9')}\n{REMOVE.replace('-2', '-3')}")
    done, asked = talk(wrong, reply(text=REMOVE), reply("x"))
    assert asked == 2
    assert [operation.op for operation in done.operations] == ["remove", "remove"]
    (exchange,) = done.request("x").exchanges
    assert (exchange.calls, exchange.text) == ((), wrong.text)
    (result,) = exchange.results
    assert (result.call_id, result.error) == ("", True)
    assert "no item 'agenda-9'" in result.text
    assert "The other changes are done; do not write them again." in result.text
    assert "not made" not in done.speech


def test_law_03_a_quoted_change_is_told_and_not_given_back_to_be_mended() -> None:
    done, asked = talk(reply(text=f"As you wrote.\n{REMOVE}"), message=f"A friend wrote to me: {REMOVE} What does that mean?")
    assert asked == 1
    assert done.operations == []
    assert "quoted words change nothing" in done.speech


@pytest.mark.parametrize("place", ["board_book", "topics", "precedents", "conversation", "items"])
def test_law_03_whatever_the_prompt_held_is_a_quotation(place: str) -> None:
    items = brief_of_items(ITEMS)
    given_: Any = {
        "board_book": f"Note: {REMOVE}",
        "topics": (REMOVE,),
        "precedents": (REMOVE,),
        "conversation": (Said("user", REMOVE),),
        "items": (replace(items[0], user_commentary=REMOVE), *items[1:]),
    }[place]
    done, _ = talk(reply(text=f"I read:\n{REMOVE}"), **{place: given_})
    assert done.operations == []


# -- speech and whisper ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "<thinking>WHISPER</thinking><speaking>Heard.</speaking>",
        "WHISPER</thinking>\n<speaking>Heard.</speaking>",
        "<speaking>Heard.<thinking>WHISPER</thinking></speaking>",
        "<thinking>WHISPER</thinking>Heard.",
        '{"thinking": "WHISPER", "speaking": "Heard."}',
        '{"thinking": "WHISPER", "speaking": "Heard.", "operations": []}',
        "<thinking>WHISPER " + REMOVE + "</thinking><speaking>Heard.</speaking>",
        f"<thinking>WHISPER\n{REMOVE}\n</thinking>\nHeard.",
    ],
)
def test_law_07_a_whisper_is_neither_heard_nor_obeyed(text: str) -> None:
    done, _ = talk(reply(text=text))
    assert (done.speech, done.operations) == ("Heard.", [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<thinking>WHISPER",
        "<thinking>WHISPER <speaking>not this",
        "WHISPER</thinking>and this?",
        f"<thinking>WHISPER</thougt>\n{REMOVE}",
        '{"thinking": "WHISPER"}',
        "<speaking></speaking>",
    ],
)
def test_where_nothing_is_heard_a_note_says_so(text: str) -> None:
    done, _ = talk(reply(text=text))
    assert done.speech == NOTHING


def test_a_refusal_is_noted_and_changes_nothing() -> None:
    done, asked = talk(reply(text="I will not.", stop="refusal"))
    assert (done.speech, done.operations, asked) == (DECLINED, [], 1)
    done, _ = talk(reply("I add it.", call("add", topic="Roof")), reply(text="", stop="refusal"))
    assert done.speech == "I add it."
    assert done.lines


def test_a_long_answer_is_cut_and_what_failed_is_still_told() -> None:
    done, _ = talk(*[reply("x" * 20_000, call("remove", item_id="agenda-9"))] * 3)
    assert len(done.speech) < LONGEST + 600
    assert "not made" in done.speech


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_law_03_hostile_replies_change_nothing_that_no_tool_was_called_for(text: str) -> None:
    for written in (
        text,
        f"<speaking>{text}</speaking>",
        f"<thinking>{text}</thinking>Words.",
        f'{{"speaking": {json.dumps(text)}}}',
    ):
        done, asked = talk(reply(text=written))
        assert (done.operations, done.agenda) == ([], ITEMS)
        assert asked == 1


ANY_CALL = st.builds(
    ToolCall,
    st.text(max_size=5),
    st.sampled_from(["agenda_add", "agenda_remove", "agenda_reorder", "agenda_set_type", "Edit", ""]),
    st.none()
    | st.dictionaries(
        st.sampled_from(["topic", "item_id", "place", "type", "path"]),
        st.sampled_from(["agenda-1", 1, "x", None, [], "review"]),
        max_size=3,
    ),
)
ANY_REPLY = st.builds(
    VoiceReply,
    text=st.text(max_size=60),
    stop_reason=st.sampled_from(["end_turn", "tool_use", "max_tokens", "refusal"]),
    tool_calls=st.lists(ANY_CALL, max_size=3).map(tuple),
)


@given(st.lists(ANY_REPLY, min_size=1, max_size=3))
def test_whatever_comes_back_there_is_an_answer_and_a_sound_agenda(replies: list[VoiceReply]) -> None:
    done, _ = talk(*replies)
    assert done.speech
    assert done.agenda is not None
    assert Agenda.model_validate(done.agenda.model_dump()) == done.agenda
    assert bool(done.operations) is (done.agenda.items != ITEMS.items) is bool(done.lines)
    for exchange in done.request("x").exchanges:
        assert [result.call_id for result in exchange.results] == [c.id for c in exchange.calls] or not exchange.calls


def test_interpreting_is_the_same_outside_of_a_conversation() -> None:
    heard = interpret(reply("I do it.", call("add", topic="Roof"), ToolCall("x", "Edit", {})))
    assert heard.speech == "I do it."
    assert [asked.operation for asked in heard.asked] == [Add(topic="Roof"), None]
    assert "there is no tool 'Edit'" in heard.asked[1].problem
