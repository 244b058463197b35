"""The real client over real HTTP against the local service: every fault of a provider becomes one that can be acted on."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from parliament.values import Purpose, Reading, TurnStatus, Vote
from settings import Settings
from tests.support.briefs import MEMBERS, brief_for, roster_of
from tests.support.messages_service import KEY, MODELS, Behaviour, served
from voices.anthropic import CALL_HEADER, THINKING_ROOM, AnthropicVoice
from voices.anthropic_errors import retry_after
from voices.base import Block, Prompt, Trouble, VoiceError, VoiceReply, VoiceRequest
from voices.prompts import render
from voices.providers import make_voice
from voices.replies import Heard, read
from voices.stream import SpeechStream

TIERS = dict(zip(("low", "mid", "high"), MODELS, strict=True))
ROSTER = roster_of(tuple(MEMBERS.values()))


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[str, Behaviour]]:
    with served() as found:
        yield found


@pytest.fixture
def behaviour(service: tuple[str, Behaviour]) -> Behaviour:
    """The service's behaviour, as new."""
    for name, value in vars(Behaviour()).items():
        setattr(service[1], name, value)
    return service[1]


@asynccontextmanager
async def voice_at(url: str, **changes: Any) -> AsyncIterator[AnthropicVoice]:
    voice = AnthropicVoice(**({"api_key": KEY, "models": TIERS, "base_url": url} | changes))
    try:
        yield voice
    finally:
        await voice.close()


@pytest.fixture
async def voice(service: tuple[str, Behaviour], behaviour: Behaviour) -> AsyncIterator[AnthropicVoice]:
    async with voice_at(service[0]) as found:
        yield found


def request_for(purpose: Purpose = Purpose.VOTE, member: str = "dalio", **changes: Any) -> VoiceRequest:
    brief = replace(brief_for(purpose, member), session_id="0123456789abcdef0123456789abcdef")
    prompt = render(brief, chairman=member == "aurelius")
    call_id = f"mtg-0000000a/agenda-1/{purpose.value}/-/1/{member}"
    return replace(VoiceRequest(call_id, brief, prompt, timeout=20.0), **changes)


def heard(request: VoiceRequest, reply: VoiceReply) -> Heard:
    brief = request.brief
    return read(brief.purpose, reply, chairman=brief.member.id == brief.chair, roster=ROSTER)


async def trouble(voice: AnthropicVoice, request: VoiceRequest | None = None) -> VoiceError:
    with pytest.raises(VoiceError) as error:
        await voice.speak(request or request_for())
    for secret in (KEY, "RESOLVED", "WHISPER"):
        assert secret not in str(error.value)
    return error.value


# -- what is sent, and what comes back ------------------------------------------------------------------------------------


async def test_a_reply_comes_back_whole_with_its_tokens(voice: AnthropicVoice) -> None:
    request = request_for()
    reply = await voice.speak(request)
    found = heard(request, reply)
    assert (found.vote, found.reading, found.status) == (Vote.FOR, Reading.EXACT, TurnStatus.OK)
    assert (reply.usage.input, reply.usage.cache_read, reply.usage.cache_write) == (900, 400, 100)
    assert reply.usage.output > 10
    assert (reply.model, reply.stop_reason) == (TIERS["mid"], "end_turn")
    assert reply.latency_ms >= 0


async def test_the_request_is_laid_out_for_the_cache_and_asks_for_the_schema(
    voice: AnthropicVoice, behaviour: Behaviour
) -> None:
    request = request_for(tier="high", max_tokens=700)
    await voice.speak(request)
    (sent,), (headers,) = behaviour.requests, behaviour.headers
    assert sent["model"] == TIERS["high"]
    assert sent["max_tokens"] == 700 + THINKING_ROOM
    assert sent["metadata"] == {"user_id": request.brief.session_id}
    assert sent["stream"] is True
    assert sent["output_config"] == {"format": {"type": "json_schema", "schema": request.prompt.schema}, "effort": "low"}
    assert "thinking" not in sent
    assert headers[CALL_HEADER] == request.call_id
    assert headers["x-stainless-retry-count"] == "0"
    blocks = [*sent["system"], *sent["messages"][0]["content"]]
    assert [block["text"] for block in blocks] == [block.text for block in (*request.prompt.system, *request.prompt.user)]
    marked = [block["text"] for block in blocks if "cache_control" in block]
    assert marked == [block.text for block in (*request.prompt.system, *request.prompt.user) if block.cache]
    assert "cache_control" in sent["system"][-1]
    assert "cache_control" not in blocks[-1]


async def test_at_most_four_cache_points_and_the_shared_one_is_kept(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    blocks = tuple(Block(f"b{n}", cache=True) for n in range(8))
    await voice.speak(request_for(prompt=Prompt((Block("s0"), Block("s1", cache=True)), (*blocks, Block(""), Block("last")))))
    (sent,) = behaviour.requests
    every = [*sent["system"], *sent["messages"][0]["content"]]
    assert [block["text"] for block in every if "cache_control" in block] == ["s1", "b5", "b6", "b7"]
    assert all(block["text"] for block in every)


async def test_an_older_model_is_not_asked_for_what_it_does_not_know(
    service: tuple[str, Behaviour], behaviour: Behaviour
) -> None:
    async with voice_at(service[0], models={"mid": "claude-haiku-4-5"}) as voice:
        arguments = voice._arguments(request_for(max_tokens=700), voice.model("mid"))
    assert "effort" not in arguments["output_config"]
    assert arguments["max_tokens"] == 700


async def test_words_arrive_while_the_reply_still_comes(voice: AnthropicVoice) -> None:
    pieces: list[str] = []

    async def hear(piece: str) -> None:
        pieces.append(piece)

    reply = await voice.speak(request_for(), hear)
    assert len(pieces) > 2
    assert "".join(pieces) == reply.text


async def test_law_07_a_models_own_thinking_is_neither_heard_nor_kept(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.thinks = True
    pieces: list[str] = []

    async def hear(piece: str) -> None:
        pieces.append(piece)

    reply = await voice.speak(request_for(), hear)
    assert "WHISPER of the model" not in reply.text
    assert "WHISPER of the model" not in "".join(pieces)
    stream = SpeechStream()
    assert "WHISPER" not in "".join(stream.feed(piece) for piece in pieces)


@pytest.mark.parametrize("kind", [RuntimeError, ValueError, OSError, TimeoutError])
async def test_an_error_of_the_listener_is_its_own_and_no_trouble_of_the_provider(
    voice: AnthropicVoice, kind: type[Exception]
) -> None:
    async def hear(_: str) -> None:
        raise kind("the store is gone")

    with pytest.raises(kind, match="the store is gone"):
        await voice.speak(request_for(), hear)


async def test_many_calls_at_once(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.delay = 0.3
    started = time.monotonic()
    requests = [request_for(member=member) for member in MEMBERS]
    replies = await asyncio.gather(*(voice.speak(request) for request in requests))
    assert time.monotonic() - started < 0.3 * len(requests)
    for request, reply in zip(requests, replies, strict=True):
        assert request.brief.member.id in heard(request, reply).speaking


@pytest.mark.parametrize("purpose", list(Purpose))
async def test_every_purpose_is_answered_and_read_with_and_without_schemas(
    voice: AnthropicVoice, behaviour: Behaviour, purpose: Purpose
) -> None:
    request = request_for(purpose, "aurelius")
    exact = heard(request, await voice.speak(request))
    assert (exact.reading, exact.status) == (Reading.EXACT, TurnStatus.OK)
    behaviour.plain = True
    plain = heard(request, await voice.speak(request))
    assert plain.status is TurnStatus.OK
    assert "WHISPER" not in plain.speaking
    for name in ("present", "second", "vote", "motion", "position", "objection", "well_taken", "appeal"):
        assert getattr(plain, name) == getattr(exact, name)


# -- faults that pass -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("429", Trouble.RATE_LIMITED),
        ("529", Trouble.OVERLOADED),
        ("503", Trouble.OVERLOADED),
        ("500", Trouble.SERVER),
        ("504", Trouble.TIMEOUT),
        ("408", Trouble.TIMEOUT),
        ("409", Trouble.CONFLICT),
        ("cut", Trouble.CONNECTION),
        ("cut_event", Trouble.CONNECTION),
    ],
)
async def test_a_failure_that_may_pass_is_retryable_and_the_next_attempt_succeeds(
    voice: AnthropicVoice, behaviour: Behaviour, fault: str, expected: Trouble
) -> None:
    behaviour.faults.append({"match": ".", "fault": fault, "times": 1})
    error = await trouble(voice)
    assert (error.trouble, error.retryable, error.fatal) == (expected, True, False)
    assert (await voice.speak(request_for())).text
    assert len(behaviour.calls) == 2  # the SDK has retried nothing by itself


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("overloaded_error", Trouble.OVERLOADED), ("rate_limit_error", Trouble.RATE_LIMITED), ("api_error", Trouble.SERVER)],
)
async def test_trouble_in_the_middle_of_a_stream_is_known_by_its_kind(
    voice: AnthropicVoice, behaviour: Behaviour, kind: str, expected: Trouble
) -> None:
    behaviour.faults.append({"match": ".", "fault": "error_event", "kind": kind})
    error = await trouble(voice)
    assert (error.trouble, error.retryable) == (expected, True)


@pytest.mark.parametrize(
    ("header", "low", "high"),
    [
        ("7", 7, 7),
        ("0.5", 0.5, 0.5),
        (timedelta(seconds=300), 200, 300),
        (timedelta(seconds=-300), 0, 0),
    ],
)
async def test_how_long_to_wait_is_passed_on(
    voice: AnthropicVoice, behaviour: Behaviour, header: str | timedelta, low: float, high: float
) -> None:
    if isinstance(header, timedelta):
        header = format_datetime(datetime.now(UTC) + header)
    behaviour.faults.append({"match": ".", "fault": "429", "retry_after": header})
    error = await trouble(voice)
    assert error.retry_after is not None
    assert low <= error.retry_after <= high


@pytest.mark.parametrize("header", [None, "", "soon", "nan", "inf", "-inf", "Thu, 99 Nonsense 2026", "\u0661"])
def test_a_wait_that_makes_no_sense_is_none(header: str | None) -> None:
    assert retry_after(header) in (None, 1.0)


def test_a_wait_has_bounds() -> None:
    assert retry_after("1e12") == 86_400
    assert retry_after("-5") == 0
    assert retry_after("9", "250") == 0.25


async def test_a_call_that_hangs_ends_with_its_timeout(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.faults.append({"match": ".", "fault": "hang", "seconds": 30})
    started = time.monotonic()
    error = await trouble(voice, request_for(timeout=0.4))
    assert (error.trouble, error.retryable) == (Trouble.TIMEOUT, True)
    assert time.monotonic() - started < 5


async def test_the_timeout_is_for_the_whole_call_and_not_for_each_piece(voice: AnthropicVoice) -> None:
    async def listen(_: str) -> None:
        await asyncio.sleep(0.2)

    started = time.monotonic()
    with pytest.raises(VoiceError) as error:
        await voice.speak(request_for(timeout=0.5), listen)
    assert error.value.trouble is Trouble.TIMEOUT
    assert time.monotonic() - started < 2


async def test_a_call_that_is_given_up_is_not_turned_into_trouble(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    behaviour.faults.append({"match": ".", "fault": "hang", "seconds": 30})
    task = asyncio.create_task(voice.speak(request_for()))
    while not behaviour.calls:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_no_service_at_the_address(behaviour: Behaviour) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        async with voice_at(url) as voice:
            error = await trouble(voice)
            assert (error.trouble, error.retryable, error.fatal) == (Trouble.CONNECTION, True, False)
            with pytest.raises(VoiceError, match=r"No connection to Anthropic at 127\.0\.0\.1: check the network"):
                await voice.check()


# -- faults that do not pass ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "expected", "fatal", "words"),
    [
        ("401", Trouble.AUTH, True, "set ANTHROPIC_API_KEY"),
        ("403", Trouble.AUTH, True, "ANTHROPIC_API_KEY"),
        ("404", Trouble.NO_MODEL, True, "BOARDROOM_MODEL"),
        ("402", Trouble.BILLING, True, "credit"),
        ("credit", Trouble.BILLING, True, "credit"),
        ("html", Trouble.CONNECTION, True, "ANTHROPIC_BASE_URL"),
        ("400", Trouble.BAD_REQUEST, False, "HTTP 400"),
        ("413", Trouble.BAD_REQUEST, False, "HTTP 413"),
    ],
)
async def test_a_failure_that_does_not_pass_says_what_to_mend(
    voice: AnthropicVoice, behaviour: Behaviour, fault: str, expected: Trouble, fatal: bool, words: str
) -> None:
    behaviour.faults.append({"match": ".", "fault": fault})
    error = await trouble(voice)
    assert (error.trouble, error.retryable, error.fatal) == (expected, False, fatal)
    assert words in str(error)


# -- spoilt replies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "purpose", "stop", "expected"),
    [
        ("refusal", Purpose.DISCUSSION, "refusal", {"status": TurnStatus.REFUSED, "reading": Reading.FAILED, "speaking": ""}),
        ("refusal", Purpose.VOTE, "refusal", {"vote": Vote.INVALID}),
        ("truncated", Purpose.VOTE, "max_tokens", {"vote": Vote.FOR, "reading": Reading.TOLERANT}),
        ("cut_short", Purpose.VOTE, "max_tokens", {"vote": Vote.INVALID, "status": TurnStatus.INVALID}),
        ("truncated", Purpose.DISCUSSION, "max_tokens", {"status": TurnStatus.OK, "reading": Reading.TOLERANT}),
        ("malformed", Purpose.VOTE, "end_turn", {"vote": Vote.FOR, "reading": Reading.TOLERANT}),
        ("fenced", Purpose.VOTE, "end_turn", {"vote": Vote.FOR, "reading": Reading.TOLERANT}),
        ("chatty", Purpose.VOTE, "end_turn", {"vote": Vote.FOR, "reading": Reading.TOLERANT}),
        ("prose_vote", Purpose.VOTE, "end_turn", {"vote": Vote.AGAINST, "reading": Reading.TOLERANT}),
        ("placeholder_motion", Purpose.MOTION, "end_turn", {"motion": None, "status": TurnStatus.INVALID}),
        ("unclosed_whisper", Purpose.DISCUSSION, "end_turn", {"speaking": "", "status": TurnStatus.INVALID}),
        ("unclosed_whisper", Purpose.VOTE, "end_turn", {"vote": Vote.INVALID, "raw": ""}),
        ("empty", Purpose.DISCUSSION, "end_turn", {"speaking": "", "status": TurnStatus.INVALID}),
        ("empty", Purpose.VOTE, "end_turn", {"vote": Vote.INVALID}),
    ],
)
async def test_a_spoilt_reply_is_read_as_far_as_it_goes(
    voice: AnthropicVoice, behaviour: Behaviour, fault: str, purpose: Purpose, stop: str, expected: dict[str, Any]
) -> None:
    rule = {"fault": "truncated", "keep": 0.4} if fault == "cut_short" else {"fault": fault}
    behaviour.faults.append({"match": "."} | rule)
    request = request_for(purpose)
    reply = await voice.speak(request)
    assert reply.stop_reason == stop
    found = heard(request, reply)
    assert {name: getattr(found, name) for name in expected} == expected
    assert "WHISPER" not in found.speaking + found.raw + found.reason


# -- the check before a meeting ---------------------------------------------------------------------------------------------


async def test_a_working_provider_passes_the_check_without_a_paid_call(voice: AnthropicVoice, behaviour: Behaviour) -> None:
    await voice.check(("low", "mid", "high"))
    assert behaviour.calls == []


@pytest.mark.parametrize(
    ("changes", "expected", "sentence"),
    [
        ({"api_key": "sk-ant-wrong-key"}, Trouble.AUTH, "Anthropic refuses the key: set ANTHROPIC_API_KEY to a valid key."),
        (
            {"models": {"mid": "claude-nobody-1"}},
            Trouble.NO_MODEL,
            "Anthropic knows no model 'claude-nobody-1' for this key: correct BOARDROOM_MODEL_LOW, _MID or _HIGH.",
        ),
        ({"models": {"low": MODELS[0]}}, Trouble.NO_MODEL, "There is no tier 'mid': the tiers are low."),
    ],
)
async def test_the_check_says_what_is_wrong_in_one_sentence(
    service: tuple[str, Behaviour], behaviour: Behaviour, changes: dict[str, Any], expected: Trouble, sentence: str
) -> None:
    async with voice_at(service[0], **changes) as voice:
        with pytest.raises(VoiceError) as error:
            await voice.check()
    assert (error.value.trouble, error.value.fatal, str(error.value)) == (expected, True, sentence)


async def test_an_address_where_something_else_answers(service: tuple[str, Behaviour], behaviour: Behaviour) -> None:
    for path in ("/control/calls?", "/elsewhere"):
        async with voice_at(service[0] + path) as voice:
            with pytest.raises(VoiceError, match="not Anthropic's service: correct ANTHROPIC_BASE_URL") as error:
                await voice.check()
            assert error.value.fatal


@pytest.mark.parametrize("key", ["", "  ", "sk-ant\nx", "sk ant", "sk-ant-\u00e9"])
def test_law_15_a_key_that_is_none_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(VoiceError, match="ANTHROPIC_API_KEY is no key") as error:
        AnthropicVoice(api_key=key, models=TIERS)
    assert error.value.fatal
    assert len(key.strip()) < 3 or key.strip() not in str(error.value)


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://x", "http://", "not an address"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(VoiceError, match="ANTHROPIC_BASE_URL is no address"):
        AnthropicVoice(api_key=KEY, models=TIERS, base_url=url)


# -- which provider -----------------------------------------------------------------------------------------------------------


def test_auto_takes_anthropic_when_a_key_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "BOARDROOM_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    assert make_voice(Settings()).name == "simulated"
    settings = Settings.model_validate({"ANTHROPIC_API_KEY": KEY})
    assert make_voice(settings).name == "anthropic"
    assert make_voice(settings.model_copy(update={"provider": "simulated"})).simulated
    with pytest.raises(VoiceError, match="set ANTHROPIC_API_KEY, or use --provider simulated"):
        make_voice(Settings.model_validate({"provider": "anthropic"}))
    with pytest.raises(VoiceError, match="'openrouter' is not a provider"):
        make_voice(settings.model_copy(update={"provider": "openrouter"}))


def test_starting_offline_loads_no_sdk() -> None:
    code = (
        "import sys; from settings import Settings; from voices.providers import make_voice\n"
        "import voices.replies, voices.stream, voices.prompts, voices.prices\n"
        "make_voice(Settings(provider='simulated'))\n"
        "assert not {'anthropic', 'httpx2', 'httpx'} & sys.modules.keys(), 'the SDK is loaded'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# -- the service itself -------------------------------------------------------------------------------------------------------


def test_the_service_as_a_process_counts_the_calls_of_a_client_that_was_killed(tmp_path: Any) -> None:
    log = tmp_path / "calls"
    command = [sys.executable, "-m", "tests.support.messages_service", "--port", "0", "--log", str(log), "--delay", "20"]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert service.stdout is not None
        port = service.stdout.readline().strip()
        client = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import asyncio\n"
                "from tests.voices.test_anthropic import TIERS, KEY, AnthropicVoice, request_for\n"
                f"voice = AnthropicVoice(api_key=KEY, models=TIERS, base_url='http://127.0.0.1:{port}')\n"
                "asyncio.run(voice.speak(request_for()))\n",
            ]
        )
        until = time.monotonic() + 60
        while not (log.exists() and log.read_text()):
            assert client.poll() is None, "the client ended before its call arrived"
            assert time.monotonic() < until, "the call never arrived"
            time.sleep(0.05)
        client.kill()
        client.wait()
        assert [line.split()[0] for line in log.read_text().splitlines()] == [request_for().call_id]
    finally:
        service.terminate()
        with suppress(subprocess.TimeoutExpired):
            service.wait(10)
        service.kill()
        service.wait()
