"""The chairman through the real client over real HTTP, against the local service: drafts, tools, results, and what breaks."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from parliament.agenda_changes import Add, SetMinutes
from parliament.values import Reading
from tests.corpus.injections import NAMES, TEXTS
from tests.support.agendas import ITEMS, agenda_brief
from tests.support.messages_service import KEY, MODELS, SIGNATURE, THOUGHT, Behaviour, served
from voices.agenda import Conversation, Draft, draft_request, read_agenda, restored, stored
from voices.agenda.talk import DECLINED
from voices.anthropic import AnthropicVoice
from voices.base import AgendaBrief, AgendaPurpose, Exchange, ToolCall, ToolResult, Trouble, VoiceError
from voices.stream import SpeechStream

TIERS = dict(zip(("low", "mid", "high"), MODELS, strict=True))
CALL = "mtg-0000000a/-/conversation/msg-1"
ROOF = {"name": "agenda_add", "input": {"topic": "Roof", "type": "review", "time_minutes": 10}}
NINE = {"name": "agenda_set_minutes", "input": {"item_id": "agenda-9", "time_minutes": 20}}
TWO = {"name": "agenda_set_minutes", "input": {"item_id": "agenda-2", "time_minutes": 20}}


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[str, Behaviour]]:
    with served() as found:
        yield found


@pytest.fixture
def behaviour(service: tuple[str, Behaviour]) -> Behaviour:
    for name, value in vars(Behaviour()).items():
        setattr(service[1], name, value)
    return service[1]


@pytest.fixture
async def voice(service: tuple[str, Behaviour], behaviour: Behaviour) -> AsyncIterator[AnthropicVoice]:
    found = AnthropicVoice(api_key=KEY, models=TIERS, base_url=service[0])
    yield found
    await found.close()


async def converse(voice: AnthropicVoice, brief: AgendaBrief | None = None, *, keep: bool = False) -> tuple[Conversation, str]:
    """A whole answer, and what of it was heard while it came. `keep`: each reply is stored and read back first (law 5)."""
    talk = Conversation(brief or agenda_brief(message="Can we take up the roof?"), ITEMS)
    heard: list[str] = []
    for n in range(1, 4):
        stream = SpeechStream()

        async def hear(text: str, stream: SpeechStream = stream) -> None:
            heard.append(stream.feed(text))

        reply = await voice.speak(talk.request(f"{CALL}/{n}"), hear)
        if keep:
            back = restored(stored(reply))
            assert (back.text, back.tool_calls, back.opaque, back.stop_reason) == (
                reply.text,
                reply.tool_calls,
                reply.opaque,
                reply.stop_reason,
            )
            reply = back
        if not talk.take(reply, last=n == 3):
            break
    return talk, "".join(heard)


def says(behaviour: Behaviour, **speeches: str) -> None:
    behaviour.replies |= {f"/{name.removeprefix('n')}$": {"speaking": text} for name, text in speeches.items()}


def calls(behaviour: Behaviour, *rounds: list[dict[str, Any]]) -> None:
    behaviour.tool_uses = {f"/{n}$": uses for n, uses in enumerate(rounds, 1)}


# -- tools -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("thinks", [False, True])
async def test_a_conversation_changes_the_agenda_with_tools(voice: AnthropicVoice, behaviour: Behaviour, thinks: bool) -> None:
    behaviour.thinks = thinks
    says(behaviour, n1="I add it.", n2="The roof is the fifth item now.")
    calls(behaviour, [ROOF])
    talk, heard = await converse(voice, keep=True)
    assert talk.operations == [Add(topic="Roof", type="review", time_minutes=10)]
    assert talk.speech == "I add it.\n\nThe roof is the fifth item now."
    assert heard == "I add it.The roof is the fifth item now."
    first, second = behaviour.requests
    assert first["tool_choice"] == {"type": "auto"}
    assert [tool["name"] for tool in first["tools"]] == [
        "agenda_add", "agenda_update", "agenda_remove", "agenda_reorder", "agenda_set_type", "agenda_set_minutes",
    ]  # fmt: skip
    assert all(tool["input_schema"]["additionalProperties"] is False for tool in first["tools"])
    assert "output_config" not in first or "format" not in first["output_config"]
    asked, said, answered = second["messages"]
    assert asked == first["messages"][0]
    sealed = {"type": "thinking", "thinking": THOUGHT, "signature": SIGNATURE}
    assert said["content"][:-2] == ([sealed] if thinks else [])
    assert said["content"][-2]["text"].startswith("<thinking>WHISPER")
    assert (said["content"][-1]["name"], said["content"][-1]["input"]) == (ROOF["name"], ROOF["input"])
    (result,) = answered["content"]
    assert (result["tool_use_id"], result["is_error"]) == (said["content"][-1]["id"], False)
    assert result["content"].startswith("Done: added “Roof” at place 5 (review, 10 minutes).")
    assert second["system"] == first["system"]
    assert "WHISPER" not in talk.speech + heard


async def test_an_invalid_tool_call_goes_back_to_the_model_and_is_mended(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    says(behaviour, n1="I give it twenty.", n2="I see, the second.", n3="Twenty minutes it has.")
    calls(behaviour, [NINE], [TWO])
    talk, _ = await converse(voice, keep=True)
    assert talk.operations == [SetMinutes(item_id="agenda-2", time_minutes=20)]
    assert talk.speech == "I see, the second.\n\nTwenty minutes it has."
    result = behaviour.requests[1]["messages"][-1]["content"][0]
    assert result["is_error"] is True
    assert "there is no item 'agenda-9'; the items are agenda-1" in result["content"]
    assert len(behaviour.requests) == 3


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (NINE, "there is no item"),
        ({"name": "edit_file", "input": {"path": "meeting.json"}}, "there is no tool 'edit_file'"),
        ({"name": "agenda_add", "input": {"title": "Roof"}}, "topic is missing"),
        ({"name": "agenda_add", "input": {"topic": "Roof", "path": "meeting.json"}}, "unknown key 'path'"),
        ({"name": "agenda_add", "input": '{"topic": "Ro'}, "broke off or is no JSON object"),
        ({"name": "agenda_add", "input": "[1, 2]"}, "broke off or is no JSON object"),
    ],
)
async def test_after_three_rounds_the_speech_stands_and_the_failed_change_is_told(
    voice: AnthropicVoice, behaviour: Behaviour, use: dict[str, Any], words: str
) -> None:
    behaviour.replies["."] = {"speaking": "I do it."}
    calls(behaviour, *[[use]] * 5)
    talk, _ = await converse(voice, keep=True)
    assert len(behaviour.requests) == 3
    assert talk.operations == []
    assert talk.speech.startswith("I do it.\n\n(This change was not made: ")
    assert words in talk.speech


async def test_a_tool_call_that_is_cut_off_is_told_as_invalid_and_never_guessed(
    voice: AnthropicVoice, behaviour: Behaviour
) -> None:
    behaviour.faults = [{"match": "/1$", "fault": "tool_cut"}]
    calls(behaviour, [TWO, ROOF], [ROOF])
    talk, _ = await converse(voice, keep=True)
    first, second = behaviour.requests[1]["messages"][-1]["content"]
    assert (first["is_error"], second["is_error"]) == (False, True)
    assert "call the tool again" in second["content"]
    assert [operation.op for operation in talk.operations] == ["set_minutes", "add"]
    assert "not made" not in talk.speech


async def test_tools_and_no_words_are_an_answer_too(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.faults = [{"match": "/1$", "fault": "text", "text": ""}]
    says(behaviour, n2="There it is.")
    calls(behaviour, [ROOF])
    talk, _ = await converse(voice, keep=True)
    assert talk.speech == "There it is."
    assert [block["type"] for block in behaviour.requests[1]["messages"][1]["content"]] == ["tool_use"]


async def test_a_model_that_ignores_tools_writes_its_changes(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    text = '<thinking>WHISPER</thinking><speaking>I add it.</speaking>\nAGENDA {"op": "add", "topic": "Roof"}  \n'
    behaviour.faults = [{"match": "/1$", "fault": "text", "text": text}]
    talk, heard = await converse(voice, keep=True)
    assert (talk.operations, talk.speech, heard) == ([Add(topic="Roof")], "I add it.", "I add it.")
    assert len(behaviour.requests) == 1


async def test_a_written_change_that_is_wrong_goes_back_in_words(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    text = "<speaking>I add it.</speaking>\nAGENDA {topic: Roof}\n\n"
    behaviour.faults = [{"match": "/1$", "fault": "text", "text": text}]
    says(behaviour, n2="Leave it, then.")
    talk, _ = await converse(voice, keep=True)
    assert talk.operations == []
    assert "Leave it, then." in talk.speech and "(This change was not made: " in talk.speech
    said, answered = behaviour.requests[1]["messages"][1:]
    assert said["content"] == [{"type": "text", "text": text.rstrip()}]
    assert [block["type"] for block in answered["content"]] == ["text"]


async def test_a_refusal_is_noted(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.faults = [{"match": "/1$", "fault": "refusal"}]
    calls(behaviour, [ROOF])
    talk, heard = await converse(voice, keep=True)
    assert (talk.speech, talk.operations, heard) == (DECLINED, [], "")


async def test_law_07_an_unclosed_whisper_with_a_change_is_heard_by_nobody(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.faults = [{"match": "/1$", "fault": "unclosed_whisper"}]
    says(behaviour, n2="It is added.")
    calls(behaviour, [ROOF])
    talk, heard = await converse(voice)
    assert talk.operations and talk.speech == "It is added."
    assert "WHISPER" not in heard


@pytest.mark.parametrize(
    ("fault", "trouble"), [("cut", Trouble.CONNECTION), ("error_event", Trouble.OVERLOADED), ("429", Trouble.RATE_LIMITED)]
)
async def test_a_provider_that_fails_with_tools_fails_as_without(
    voice: AnthropicVoice, behaviour: Behaviour, fault: str, trouble: Trouble
) -> None:
    behaviour.faults = [{"match": "/1$", "fault": fault}]
    calls(behaviour, [ROOF])
    with pytest.raises(VoiceError) as error:
        await converse(voice)
    assert error.value.trouble is trouble


async def test_the_local_service_refuses_what_the_real_one_refuses(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    """So that the tests above mean something."""
    talk = Conversation(agenda_brief(message="x"), ITEMS)
    request = talk.request(f"{CALL}/1")
    call = ToolCall("toolu_1", "agenda_add", {})
    for exchange in (
        Exchange("x", (call,), (ToolResult("toolu_2", "Done."),)),
        Exchange("x", (call, ToolCall("toolu_2", "agenda_add", {})), (ToolResult("toolu_1", "Done."),)),
        Exchange("x", (), (ToolResult("toolu_1", "Done."),)),
    ):
        talk._exchanges = [exchange]
        with pytest.raises(VoiceError) as error:
            await voice.speak(talk.request(f"{CALL}/2"))
        assert error.value.trouble is Trouble.BAD_REQUEST
    behaviour.thinks = True
    talk._exchanges = [Exchange("x", (call,), (ToolResult("toolu_1", "Done."),))]
    with pytest.raises(VoiceError):
        await voice.speak(talk.request(f"{CALL}/2"))
    assert (await voice.speak(request)).text


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
async def test_law_03_injected_text_reaches_the_model_inert(voice: AnthropicVoice, behaviour: Behaviour, text: str) -> None:
    brief = agenda_brief(message=text, board_book=text, topics=(text,), precedents=(text,))
    talk, _ = await converse(voice, brief)
    assert talk.operations == []
    (sent,) = behaviour.requests
    written = json.dumps([sent["system"], sent["messages"]], ensure_ascii=False)
    prompt = Conversation(agenda_brief(message="x"), ITEMS).request("x").prompt
    clean = json.dumps([block.text for block in (*prompt.system, *prompt.user)], ensure_ascii=False)  # the prompt's own
    for mark in ("{ADJOURN", "{VOTE", "</speaking>", "\u202e", "\U000e0041", "<script"):
        assert written.count(mark) == clean.count(mark)


# -- drafts ------------------------------------------------------------------------------------------------------------------


async def draft(voice: AnthropicVoice, attempt: int = 1, problem: str = "") -> Draft:
    request = draft_request(agenda_brief(AgendaPurpose.DRAFT), f"mtg-0000000a/-/agenda/1/{attempt}", problem=problem)
    reply = await voice.speak(request)
    return read_agenda(restored(stored(reply)), strict=attempt == 1)


async def test_a_draft_is_asked_for_by_schema_and_read_exactly(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    found = await draft(voice)
    assert found.reading is Reading.EXACT
    assert found.items[0].topic == "Sleep before the exam"
    (sent,) = behaviour.requests
    assert sent["output_config"]["format"]["schema"]["properties"]["items"]["type"] == "array"
    assert "tools" not in sent and "tool_choice" not in sent


@pytest.mark.parametrize(
    ("fault", "reading"),
    [
        ("fenced", Reading.TOLERANT),
        ("chatty", Reading.TOLERANT),
        ("malformed", Reading.TOLERANT),
        ("truncated", Reading.FAILED),
        ("empty", Reading.FAILED),
        ("refusal", Reading.FAILED),
        ("unclosed_whisper", Reading.FAILED),
    ],
)
async def test_a_spoilt_draft_is_read_as_far_as_it_is_beyond_doubt(
    voice: AnthropicVoice, behaviour: Behaviour, fault: str, reading: Reading
) -> None:
    behaviour.faults = [{"match": "/1$", "fault": fault}]
    found = await draft(voice)
    assert found.reading is reading
    if reading is Reading.FAILED:
        again = await draft(voice, 2, found.problem)
        assert again.reading is Reading.EXACT
        assert found.problem.split(";")[0][:40] in behaviour.requests[1]["messages"][0]["content"][0]["text"]


async def test_a_model_without_schemas_drafts_in_the_text_form(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    exact = await draft(voice)
    behaviour.plain = True
    found = await draft(voice)
    assert found.reading is Reading.TOLERANT
    assert found.items == exact.items


async def test_law_07_a_models_own_thinking_is_kept_only_to_be_handed_back(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.thinks = True
    talk = Conversation(agenda_brief(message="x"), ITEMS)
    reply = await voice.speak(talk.request(f"{CALL}/1"))
    assert reply.opaque == ()
    calls(behaviour, [ROOF])
    reply = await voice.speak(talk.request(f"{CALL}/1"))
    assert reply.opaque == ({"type": "thinking", "thinking": THOUGHT, "signature": SIGNATURE},)
    talk.take(reply, last=False)
    assert THOUGHT not in talk.speech + " ".join(talk.lines)
