"""Anthropic's models as voices: the real client, streaming, structured output, and a prompt laid out for the cache.

The SDK's own retries are off: failures are counted by call id in the store, across workers and crashes (law 5). No message
of an error holds the key, the prompt or the reply (law 15).
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import anthropic
from anthropic import AsyncAnthropic

from voices.anthropic_errors import by_status, cut_off, no_connection, too_slow, unusable
from voices.base import Block, OnText, ToolCall, Trouble, Usage, VoiceError, VoiceReply, VoiceRequest

CALL_HEADER = "x-boardroom-call"
"""Carries the call's id, so that a proxy's log and the ledger can be laid side by side. It holds ids, nobody's words."""

CONNECTING = 10.0
"""Seconds to connect; the whole call has the request's own timeout."""

CHECKING = 20.0
"""Seconds for one question of `check`."""

CACHE_POINTS = 4
"""How many cache breakpoints the service takes in one request."""

THINKING_ROOM = 4000
"""Tokens that a reply may have beyond what its task needs: on newer models the model's own thinking, which nobody can turn
off, counts against the limit of a reply. What is not used costs nothing."""

_TAKES_EFFORT = re.compile(r"claude-[a-z]+-(?:[5-9]|[1-9]\d)(?:-|\Z)")
"""Models of generation 5 and later: they think before they speak, as much as `effort` says. Earlier ones refuse the word."""


class AnthropicVoice:
    """Implements `voices.base.Voice`. Safe to call concurrently.

    `models`: tier (low, mid, high) -> model name, an alias without a date unless somebody pins one. `base_url`: another
    service that speaks the same protocol. `effort`: how much a model that thinks by itself does so; low, since the reply
    has a whisper of its own and a board waits for it. Raises VoiceError for a key or an address that can be none.
    """

    name = "anthropic"
    simulated = False

    def __init__(self, *, api_key: str, models: Mapping[str, str], base_url: str | None = None, effort: str = "low") -> None:
        key = api_key.strip()
        if not key or not re.fullmatch(r"[!-~]+", key):  # no header could carry it, and the transport's error would show it
            raise VoiceError(
                Trouble.AUTH,
                "ANTHROPIC_API_KEY is no key: it is empty, or has blanks or other characters that no key has.",
                retryable=False,
                fatal=True,
            )
        if base_url is not None and (urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname):
            raise VoiceError(
                Trouble.BAD_REQUEST,
                "ANTHROPIC_BASE_URL is no address: it begins with https:// or http:// and a host, or is left unset.",
                retryable=False,
                fatal=True,
            )
        self._models = dict(models)
        self._effort = effort
        self._client = AsyncAnthropic(
            api_key=key,
            base_url=base_url,
            max_retries=0,
            timeout=anthropic.Timeout(None, connect=CONNECTING),
            # The span around a call is ours: the client's own can hold prompts, and would send our trace to the provider.
            open_telemetry={"traces": {"enabled": False}, "propagation": False},
        )

    async def close(self) -> None:
        await self._client.close()

    def model(self, tier: str) -> str:
        """The model of a tier. Raises VoiceError for a tier that is not configured."""
        try:
            return self._models[tier]
        except KeyError:
            names = ", ".join(self._models)
            raise VoiceError(
                Trouble.NO_MODEL, f"There is no tier {tier!r}: the tiers are {names}.", retryable=False, fatal=True
            ) from None

    async def check(self, tiers: tuple[str, ...] = ("mid",)) -> None:
        """Ask for each tier's model by name, which costs nothing. Raises VoiceError with one sentence."""
        for model in dict.fromkeys(self.model(tier) for tier in tiers):
            try:
                async with asyncio.timeout(CHECKING):
                    found = await self._client.models.retrieve(model)
            except TimeoutError:
                raise too_slow(CHECKING) from None
            except ValueError:
                raise unusable(self._host) from None
            except Exception as error:
                raise self._trouble(error, model) from None
            if not getattr(found, "id", ""):
                raise unusable(self._host)

    async def speak(self, request: VoiceRequest, on_text: OnText | None = None) -> VoiceReply:
        """One attempt. An error of `on_text` is the caller's own and goes through as it is."""
        model = self.model(request.tier)
        started = time.monotonic()
        reply = _Reply(model)
        try:
            async with asyncio.timeout(request.timeout):
                stream = await self._client.messages.create(**self._arguments(request, model), stream=True)
                async with stream:
                    async for event in stream:
                        text = reply.take(event)
                        if text and on_text is not None:
                            try:
                                await on_text(text)
                            except Exception as error:
                                raise _Callers(error) from error
        except _Callers as callers:
            raise callers.error from None
        except TimeoutError:
            raise too_slow(request.timeout) from None
        except Exception as error:
            raise self._trouble(error, model) from None
        if not reply.ended:
            raise cut_off("it ended before the reply did")
        return reply.finished(round((time.monotonic() - started) * 1000))

    @property
    def _host(self) -> str:
        return self._client.base_url.host

    def _arguments(self, request: VoiceRequest, model: str) -> dict[str, Any]:
        prompt = request.prompt
        system, user = ([block for block in blocks if block.text] for blocks in (prompt.system, prompt.user))
        points = [block for block in (*system, *user) if block.cache]
        if len(points) > CACHE_POINTS:  # the part that a whole meeting shares, and the latest of the rest
            points = [points[0], *points[1 - CACHE_POINTS :]]
        config: dict[str, Any] = {}
        if prompt.schema is not None:
            config["format"] = {"type": "json_schema", "schema": prompt.schema}
        thinks = _TAKES_EFFORT.match(model) is not None
        if thinks:
            config["effort"] = self._effort
        arguments: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens + (THINKING_ROOM if thinks else 0),
            "system": [_block(block, points) for block in system],
            "messages": [{"role": "user", "content": [_block(block, points) for block in user]}, *_exchanged(request)],
            "extra_headers": {CALL_HEADER: quote(request.call_id, safe="/:")},
            "timeout": anthropic.Timeout(request.timeout, connect=min(CONNECTING, request.timeout)),
        }
        if request.brief.session_id:
            arguments["metadata"] = {"user_id": request.brief.session_id}
        if request.tools:
            arguments["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in request.tools
            ]
            arguments["tool_choice"] = {"type": "auto"}
        if config:
            arguments["output_config"] = config
        return arguments

    def _trouble(self, error: Exception, model: str) -> VoiceError:
        """The failure in one sentence. Errors of our own code, which are nobody's trouble, go through."""
        match error:
            case anthropic.APITimeoutError():
                return too_slow(None)
            case anthropic.APIStatusError():
                return by_status(error, model, self._host)
            case anthropic.APIConnectionError():
                return no_connection(self._host)
            case anthropic.AnthropicError():
                return VoiceError(Trouble.SERVER, f"The SDK gave up ({type(error).__name__}).", retryable=True)
        # A stream that is cut raises the transport's own errors, or leaves half an event behind.
        if isinstance(error, (OSError, EOFError, ValueError)) or type(error).__module__.split(".")[0] in _TRANSPORTS:
            return cut_off(type(error).__name__)
        raise error


_TRANSPORTS = ("httpx2", "httpcore2", "httpx", "httpcore", "h11", "h2", "anyio")
"""Packages under the SDK; which of them it rides on is its own affair."""


class _Callers(Exception):
    """An error that came out of the caller's `on_text`."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class _Reply:
    """A reply as its events arrive. A model's own thinking leaves this place only sealed, to be handed back with the results
    of the tools it called, which the service asks for; no reader has it (law 7)."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.begun = False
        self.ended = False
        self._texts: list[str] = []
        self._tools: dict[int, tuple[str, str, list[str]]] = {}  # place of the block -> id, name, pieces of its input
        self._opaque: dict[int, dict[str, Any]] = {}
        self._stop = ""
        self._usage: dict[str, int] = {}

    def take(self, event: Any) -> str:
        """Take one event; the text it adds."""
        match event.type:
            case "message_start":
                self.begun = True
                self.model = event.message.model or self.model
                self._count(event.message.usage)
            case "content_block_start" if event.content_block.type == "tool_use":
                self._tools[event.index] = (event.content_block.id, event.content_block.name, [])
            case "content_block_start" if event.content_block.type in ("thinking", "redacted_thinking"):
                self._opaque[event.index] = event.content_block.to_dict()
            case "content_block_delta" if event.delta.type == "input_json_delta":
                if event.index in self._tools:
                    self._tools[event.index][2].append(event.delta.partial_json)
            case "content_block_delta" if event.delta.type in ("thinking_delta", "signature_delta"):
                if (sealed := self._opaque.get(event.index)) is not None:
                    name = event.delta.type.removesuffix("_delta")
                    sealed[name] = f"{sealed.get(name) or ''}{getattr(event.delta, name)}"
            case "content_block_delta" if event.delta.type == "text_delta":
                self._texts.append(event.delta.text)
                return str(event.delta.text)
            case "message_delta":
                self._stop = event.delta.stop_reason or self._stop
                self._count(event.usage)
            case "message_stop":
                self.ended = bool(self._stop)
            case _:
                pass
        return ""

    def _count(self, usage: Any) -> None:
        """Counts are totals so far; a later event repeats, corrects or leaves out those of an earlier one."""
        for name in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"):
            value = getattr(usage, name, None)
            if isinstance(value, int):
                self._usage[name] = value

    def finished(self, latency_ms: int) -> VoiceReply:
        stop = "max_tokens" if self._stop == "model_context_window_exceeded" else self._stop
        return VoiceReply(
            text="".join(self._texts),
            usage=Usage(
                input=self._usage.get("input_tokens", 0),
                output=self._usage.get("output_tokens", 0),
                cache_read=self._usage.get("cache_read_input_tokens", 0),
                cache_write=self._usage.get("cache_creation_input_tokens", 0),
            ),
            model=self.model,
            stop_reason=stop,
            latency_ms=latency_ms,
            tool_calls=tuple(ToolCall(id_, name, _object("".join(parts))) for id_, name, parts in self._tools.values()),
            opaque=tuple(self._opaque.values()) if self._tools else (),
        )


def _object(text: str) -> dict[str, Any] | None:
    """A tool's input; None when it was cut off or is no object."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _exchanged(request: VoiceRequest) -> list[dict[str, Any]]:
    """The earlier replies of this answer as turns, each followed by the results; a change in words is answered in words."""
    messages: list[dict[str, Any]] = []
    for exchange in request.exchanges:
        said: list[dict[str, Any]] = [*exchange.opaque] if exchange.calls else []
        if exchange.text.strip():
            said.append({"type": "text", "text": exchange.text.rstrip()})  # white space at the end of a turn is refused
        said += [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments or {}} for call in exchange.calls
        ]
        answers: list[dict[str, Any]] = [
            {"type": "tool_result", "tool_use_id": result.call_id, "content": result.text, "is_error": result.error}
            if result.call_id
            else {"type": "text", "text": result.text}
            for result in exchange.results
        ]
        if said and answers:
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": answers}]
    return messages


def _block(block: Block, points: list[Block]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "text", "text": block.text}
    if any(block is point for point in points):
        found["cache_control"] = {"type": "ephemeral"}
    return found
