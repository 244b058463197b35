"""One model call, bought once: claimed under its id, spoken, stored before anything else happens (laws 5 and 7)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

import telemetry
from activities.interface import PROVIDER_UNAVAILABLE
from activities.points import reached
from records import calls, live
from records.engine import Store
from records.together import Together
from voices.base import Trouble, Voice, VoiceError, VoiceReply, VoiceRequest
from voices.prices import cost_microusd
from voices.stream import SpeechStream

WORDS_EVERY = 0.15
"""Seconds between two rows of words in passing: often enough to read along, seldom enough for the store."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a call came to: the reply, or the trouble after which it was given up."""

    reply: VoiceReply | None
    trouble: str = ""
    bought_before: bool = False
    words_passed: bool = True  # whether words of it may stand in the live rows


@contextlib.asynccontextmanager
async def heartbeating(renew: Callable[[float], Awaitable[None]] | None = None) -> AsyncIterator[None]:
    """Heartbeat at half the timeout, and renew the call's lease with it, for as long as the block runs."""
    timeout = activity.info().heartbeat_timeout
    if timeout is None:
        yield
        return
    seconds = timeout.total_seconds()

    async def beat() -> None:
        while True:
            await asyncio.sleep(seconds / 2)
            activity.heartbeat()
            if renew is not None:
                await renew(seconds)

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


class Caller:
    """Makes the calls of one meeting's hearing; one instance serves all activities of a worker."""

    def __init__(self, store: Store, together: Together) -> None:
        self._store = store
        self._together = together

    async def call(
        self,
        voice: Voice,
        request: Callable[[], Awaitable[VoiceRequest]],
        *,
        call_id: str,
        meeting_id: str,
        member_id: str,
        purpose: str,
        retries: int,
        timeout: float,
        seq: int | None = None,
        live: bool = False,
    ) -> Spoken:
        """The call's reply: from the store when it was bought before, else spoken now.

        Its words pass by live when it has a place in the transcript (`seq`), or when `live` says so.

        A provider's failure raises ApplicationError for another attempt until `retries` are used up; a fatal one raises
        a non-retryable ApplicationError of type ProviderUnavailable and costs no retry.
        """
        beat = activity.info().heartbeat_timeout
        lease = beat.total_seconds() if beat is not None else timeout + 30
        owner = uuid4().hex  # of this attempt alone: one whose lease ran out cannot renew or fail the next one's call

        async def make(tx: AsyncConnection) -> calls.Claim:
            return await calls.claim(
                tx,
                call_id,
                meeting_id=meeting_id,
                member_id=member_id,
                purpose=purpose,
                owner=owner,
                lease_seconds=lease,
                now=datetime.now(UTC),
            )

        # The prompt is put together while the claim is written; who is not granted the call throws it away.
        building = asyncio.ensure_future(request())
        try:
            claim = await self._granted(make)
            if not isinstance(claim, calls.Granted):
                return claim
            await reached("before_call")
            try:
                reply, words_passed = await self._speak(
                    voice, await building, timeout, claim.attempt, seq, lease, owner, bool(seq) or live
                )
            except VoiceError as error:
                return await self._failed(error, call_id, retries, owner)
        finally:
            building.cancel()
        await reached("after_reply")
        return Spoken(reply, words_passed=words_passed or claim.attempt > 1)

    async def _granted(self, make: Callable[[AsyncConnection], Awaitable[calls.Claim]]) -> calls.Granted | Spoken:
        """Wait until the call is this attempt's to make, or until it is known what came of it."""
        async with heartbeating():
            while True:
                claim = await self._together.write(make)
                match claim:
                    case calls.Done():
                        reply = VoiceReply(text=claim.reply, model=claim.model, stop_reason=claim.stop_reason)
                        return Spoken(reply, bought_before=True)
                    case calls.Failed(trouble=trouble):
                        return Spoken(None, trouble)
                    case calls.Held(until=until) | calls.Waiting(retry_at=until):
                        await asyncio.sleep(min(max((until - datetime.now(UTC)).total_seconds(), 0.02), 1.0))
                    case calls.Granted():
                        return claim

    async def _speak(
        self,
        voice: Voice,
        request: VoiceRequest,
        timeout: float,
        attempt: int,
        seq: int | None,
        lease: float,
        owner: str,
        live: bool,
    ) -> tuple[VoiceReply, bool]:
        words = _Words(self._together, request, attempt, seq)

        async def renew(_: float) -> None:
            await self._store.run(
                partial(calls.renew, call_id=request.call_id, owner=owner, lease_seconds=lease, now=datetime.now(UTC))
            )

        purpose = request.brief.purpose
        started = time.monotonic()
        outcome = "ok"
        try:
            with telemetry.span("voice", purpose=str(purpose), provider=voice.name, attempt=attempt) as span:
                async with heartbeating(renew), asyncio.timeout(timeout):
                    reply = await voice.speak(request, words.hear if live else None)
                if span is not None:
                    span.set_attribute("model", reply.model)
                    span.set_attribute("output_tokens", reply.usage.output)
                return reply, words.passed
        except TimeoutError:
            outcome = Trouble.TIMEOUT.value
            raise VoiceError(Trouble.TIMEOUT, f"no reply within {timeout:g} s", retryable=True) from None
        except VoiceError as error:
            outcome = error.trouble.value
            raise
        finally:
            _count(voice.name, str(purpose), outcome, time.monotonic() - started)

    async def _failed(self, error: VoiceError, call_id: str, retries: int, owner: str) -> Spoken:
        if error.fatal:
            await self._store.run(partial(calls.release, call_id=call_id, owner=owner))
            raise ApplicationError(str(error), type=PROVIDER_UNAVAILABLE, non_retryable=True) from None
        now = datetime.now(UTC)

        async def count(tx: AsyncConnection) -> tuple[int, bool, timedelta]:
            failed = await calls.failures(tx, call_id) + 1
            final = not error.retryable or failed > retries
            # 2^attempt seconds between retries, unless the provider says how long (source 000, Agent Retry Logic).
            delay = timedelta(seconds=error.retry_after if error.retry_after is not None else 2**failed)
            retry_at = None if final else now + delay
            await calls.fail(tx, call_id, owner=owner, trouble=error.trouble.value, now=now, retry_at=retry_at, final=final)
            return failed, final, delay

        failed, final, delay = await self._store.run(count)
        if final:
            return Spoken(None, error.trouble.value)
        raise ApplicationError(
            f"the provider failed ({error.trouble.value}), retry {failed} of {retries}",
            type="ProviderTrouble",
            next_retry_delay=delay,
        ) from None


class _Words:
    """Speech in passing: coalesced rows for whoever follows live. Only what is positively speech gets here (law 7)."""

    def __init__(self, together: Together, request: VoiceRequest, attempt: int, seq: int | None) -> None:
        self._together = together
        self._request = request
        self._attempt = attempt
        self._seq = seq
        self._stream = SpeechStream()
        self._buffer = ""
        self._last = time.monotonic()
        self.passed = False

    async def hear(self, chunk: str) -> None:
        self._buffer += self._stream.feed(chunk)
        if self._buffer and time.monotonic() - self._last >= WORDS_EVERY:
            text, self._buffer = self._buffer, ""
            self._last = time.monotonic()
            self.passed = True
            await self._together.write(
                partial(
                    live.append,
                    meeting_id=self._request.brief.meeting_id,
                    call_id=self._request.call_id,
                    attempt=self._attempt,
                    member_id=self._request.brief.member.id,
                    seq=self._seq,
                    kind="words",
                    text=text,
                    at=datetime.now(UTC),
                )
            )


def _count(provider: str, purpose: str, outcome: str, seconds: float) -> None:
    metrics = telemetry.metrics()
    metrics.calls.labels(provider, purpose, outcome).inc()
    metrics.call_seconds.labels(provider).observe(seconds)


def ledger(reply: VoiceReply) -> dict[str, Any]:
    """The ledger's columns of a reply; a model without a price has no cost, which is not the same as none."""
    return {
        "model": reply.model,
        "stop_reason": reply.stop_reason,
        "input_tokens": reply.usage.input,
        "output_tokens": reply.usage.output,
        "cache_read_tokens": reply.usage.cache_read,
        "cache_write_tokens": reply.usage.cache_write,
        "cost_microusd": cost_microusd(reply.model, reply.usage),
        "latency_ms": reply.latency_ms,
    }
