"""Anthropic's models as voices: the real client, streaming, structured output, and a prompt laid out for the cache.

The SDK's own retries are off: failures are counted by call id in the store, across workers and crashes (law 5).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import anthropic
from anthropic import AsyncAnthropic

from voices.base import Block, OnText, Trouble, Usage, VoiceError, VoiceReply, VoiceRequest

CALL_HEADER = "x-boardroom-call"
"""Carries the call's id, so that a proxy's log and the ledger can be laid side by side. It holds ids, nobody's words."""

CONNECTING = 10.0
"""Seconds to connect; the whole call has the request's own timeout."""

CACHE_POINTS = 4
"""How many cache breakpoints the service takes in one request."""


class AnthropicVoice:
    """`models`: tier (low, mid, high) -> model name."""

    name = "anthropic"
    simulated = False

    def __init__(self, *, api_key: str, models: Mapping[str, str], base_url: str | None = None) -> None:
        self._models = dict(models)
        self._client = AsyncAnthropic(
            api_key=api_key, base_url=base_url, max_retries=0, timeout=anthropic.Timeout(None, connect=CONNECTING)
        )

    async def close(self) -> None:
        await self._client.close()

    async def check(self, tiers: tuple[str, ...] = ("mid",)) -> None:
        """Ask for the models by name, which costs nothing. Raises VoiceError in one sentence."""
        for tier in dict.fromkeys(tiers):
            try:
                await self._client.models.retrieve(self._models[tier], timeout=20)
            except anthropic.AnthropicError as error:
                raise self._trouble(error, self._models[tier]) from None

    async def speak(self, request: VoiceRequest, on_text: OnText | None = None) -> VoiceReply:
        model = self._models[request.tier]
        started = time.monotonic()
        try:
            async with self._client.messages.stream(**self._arguments(request, model)) as stream:
                async for piece in stream.text_stream:
                    if on_text is not None:
                        await on_text(piece)
                message = await stream.get_final_message()
        except anthropic.AnthropicError as error:
            raise self._trouble(error, model) from None
        except (OSError, ValueError, AssertionError, RuntimeError, EOFError) as error:
            raise VoiceError(
                Trouble.CONNECTION, f"The stream of the reply broke off ({type(error).__name__}).", retryable=True
            ) from None
        except Exception as error:
            # The transport's own errors (a cut stream) are not the SDK's, and their module is an implementation detail.
            if not type(error).__module__.startswith(("httpx", "httpcore", "h11", "anyio")):
                raise
            raise VoiceError(
                Trouble.CONNECTION, f"The stream of the reply broke off ({type(error).__name__}).", retryable=True
            ) from None
        if message.stop_reason is None:
            raise VoiceError(Trouble.CONNECTION, "The stream of the reply ended before the reply did.", retryable=True)
        usage = message.usage
        return VoiceReply(
            text="".join(block.text for block in message.content if block.type == "text"),
            usage=Usage(
                input=usage.input_tokens,
                output=usage.output_tokens,
                cache_read=usage.cache_read_input_tokens or 0,
                cache_write=usage.cache_creation_input_tokens or 0,
            ),
            model=message.model,
            stop_reason=message.stop_reason,
            latency_ms=round((time.monotonic() - started) * 1000),
        )

    @staticmethod
    def _arguments(request: VoiceRequest, model: str) -> dict[str, Any]:
        prompt = request.prompt
        points = [block for block in (*prompt.system, *prompt.user) if block.cache][-CACHE_POINTS:]
        arguments: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens,
            "system": [_block(block, points) for block in prompt.system],
            "messages": [{"role": "user", "content": [_block(block, points) for block in prompt.user]}],
            "metadata": {"user_id": request.brief.session_id},
            "extra_headers": {CALL_HEADER: request.call_id},
            "timeout": anthropic.Timeout(request.timeout, connect=min(CONNECTING, request.timeout)),
        }
        if prompt.schema is not None:
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": prompt.schema}}
        return arguments

    def _trouble(self, error: anthropic.AnthropicError, model: str) -> VoiceError:
        """The failure in one sentence, without the key, the prompt or the reply."""
        if isinstance(error, anthropic.APITimeoutError):
            return VoiceError(Trouble.TIMEOUT, "Anthropic did not answer in time.", retryable=True)
        if isinstance(error, anthropic.APIStatusError):
            return _by_status(error, model)
        if isinstance(error, anthropic.APIConnectionError):
            where = self._client.base_url.host
            return VoiceError(
                Trouble.CONNECTION,
                f"No connection to Anthropic at {where}: check the network, a proxy, and ANTHROPIC_BASE_URL.",
                retryable=True,
            )
        return VoiceError(Trouble.SERVER, f"Anthropic's reply could not be used ({type(error).__name__}).", retryable=True)


def _block(block: Block, points: list[Block]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "text", "text": block.text}
    if any(block is point for point in points):
        found["cache_control"] = {"type": "ephemeral"}
    return found


def _by_status(error: anthropic.APIStatusError, model: str) -> VoiceError:
    status = error.status_code
    kind = _error_type(error)
    if status in (401, 403) or kind in ("authentication_error", "permission_error"):
        return VoiceError(
            Trouble.AUTH, "Anthropic refuses the key: set ANTHROPIC_API_KEY to a valid key.", retryable=False, fatal=True
        )
    if status == 404:
        return VoiceError(
            Trouble.NO_MODEL,
            f"Anthropic knows no model {model!r} for this key: correct BOARDROOM_MODEL_LOW, _MID or _HIGH.",
            retryable=False,
            fatal=True,
        )
    if status == 402 or kind == "billing_error" or (status == 400 and "credit balance" in str(error).lower()):
        return VoiceError(
            Trouble.BILLING, "Anthropic's account has no credit left: add credit to it.", retryable=False, fatal=True
        )
    wait = _retry_after(error.response.headers.get("retry-after"))
    # A stream that began well reports its trouble by type, under the status it began with.
    if status == 429 or kind == "rate_limit_error":
        return VoiceError(Trouble.RATE_LIMITED, "Anthropic limits the rate of calls.", retryable=True, retry_after=wait)
    if status in (503, 529) or kind == "overloaded_error":
        return VoiceError(Trouble.OVERLOADED, "Anthropic is overloaded.", retryable=True, retry_after=wait)
    if status == 408 or kind == "timeout_error":
        return VoiceError(Trouble.TIMEOUT, "Anthropic did not answer in time.", retryable=True, retry_after=wait)
    if status == 409:
        return VoiceError(Trouble.CONFLICT, "Anthropic reports a conflict.", retryable=True, retry_after=wait)
    if status >= 500 or kind == "api_error":
        return VoiceError(Trouble.SERVER, "Anthropic's service failed.", retryable=True, retry_after=wait)
    return VoiceError(Trouble.BAD_REQUEST, f"Anthropic refuses the request (HTTP {status}).", retryable=False)


def _error_type(error: anthropic.APIStatusError) -> str:
    body = error.body
    inner = body.get("error") if isinstance(body, dict) else None
    return str(inner.get("type", "")) if isinstance(inner, dict) else ""


def _retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or a date; None without a usable one."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
