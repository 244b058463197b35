"""One model call, bought once: claimed under its id, spoken, stored before anything else happens (laws 5 and 7)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncConnection
from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.interface import PROVIDER_UNAVAILABLE
from activities.points import reached
from records import calls, live
from records.engine import Store
from voices.base import Trouble, Voice, VoiceError, VoiceReply, VoiceRequest
from voices.prices import cost_microusd
from voices.stream import SpeechStream

WORDS_EVERY = 0.15
"""Seconds between two rows of words in passing: often enough to read along, seldom enough for the store."""

OWNER = uuid4().hex
"""Who holds a lease: this process."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a call came to: the reply, or the trouble after which it was given up."""

    reply: VoiceReply | None
    trouble: str = ""


Store_ = Callable[[AsyncConnection, VoiceReply], Awaitable[None]]


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

    def __init__(self, store: Store) -> None:
        self._store = store

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
        cancelled_note: str = "",
    ) -> Spoken:
        """The call's reply: from the store when it was bought before, else spoken now.

        A provider's failure raises ApplicationError for another attempt until `retries` are used up; a fatal one raises
        a non-retryable ApplicationError of type ProviderUnavailable and costs no retry.
        """
        beat = activity.info().heartbeat_timeout
        lease = beat.total_seconds() if beat is not None else timeout + 30
        while True:
            async with self._store.write() as tx:
                claim = await calls.claim(
                    tx,
                    call_id,
                    meeting_id=meeting_id,
                    member_id=member_id,
                    purpose=purpose,
                    owner=OWNER,
                    attempt_key=str(activity.info().attempt),
                    lease_seconds=lease,
                    now=datetime.now(UTC),
                )
            match claim:
                case calls.Done(reply=reply):
                    return Spoken(reply)
                case calls.Failed(trouble=trouble):
                    return Spoken(None, trouble)
                case calls.Held(until=until) | calls.Waiting(retry_at=until):
                    await asyncio.sleep(min(max((until - datetime.now(UTC)).total_seconds(), 0.02), 1.0))
                case calls.Granted(attempt=attempt):
                    break
        await reached("before_call")
        try:
            reply = await self._speak(voice, await request(), timeout, attempt, seq, lease)
        except VoiceError as error:
            return await self._failed(error, call_id, retries)
        await reached("after_reply")
        return Spoken(reply)

    async def _speak(
        self, voice: Voice, request: VoiceRequest, timeout: float, attempt: int, seq: int | None, lease: float
    ) -> VoiceReply:
        words = _Words(self._store, request, attempt, seq)

        async def renew(_: float) -> None:
            async with self._store.write() as tx:
                await calls.renew(tx, request.call_id, owner=OWNER, lease_seconds=lease, now=datetime.now(UTC))

        started = time.monotonic()
        try:
            async with heartbeating(renew), words, asyncio.timeout(timeout):
                return await voice.speak(request, words.hear if seq else None)
        except TimeoutError:
            raise VoiceError(Trouble.TIMEOUT, f"no reply within {timeout:g} s", retryable=True) from None
        finally:
            activity.logger.debug("call of %s ended after %.2f s", request.brief.purpose, time.monotonic() - started)

    async def _failed(self, error: VoiceError, call_id: str, retries: int) -> Spoken:
        now = datetime.now(UTC)
        if error.fatal:
            async with self._store.write() as tx:
                await calls.release(tx, call_id, owner=OWNER)
            raise ApplicationError(str(error), type=PROVIDER_UNAVAILABLE, non_retryable=True) from None
        async with self._store.write() as tx:
            failures = await calls.fail(
                tx,
                call_id,
                owner=OWNER,
                trouble=error.trouble.value,
                now=now,
                final_after=retries if error.retryable else 0,
                backoff=lambda failures: error.retry_after if error.retry_after is not None else float(2**failures),
            )
        if not error.retryable or failures > retries:
            return Spoken(None, error.trouble.value)
        delay = error.retry_after if error.retry_after is not None else float(2**failures)
        raise ApplicationError(
            f"the provider failed ({error.trouble.value}), retry {failures} of {retries}",
            type="ProviderTrouble",
            next_retry_delay=timedelta(seconds=delay),
        ) from None


class _Words:
    """Speech in passing: coalesced rows for whoever follows live. Only what is positively speech gets here (law 7)."""

    def __init__(self, store: Store, request: VoiceRequest, attempt: int, seq: int | None) -> None:
        self._store = store
        self._request = request
        self._attempt = attempt
        self._seq = seq
        self._stream = SpeechStream()
        self._buffer = ""
        self._last = time.monotonic()

    async def __aenter__(self) -> None:
        self._last = time.monotonic()

    async def __aexit__(self, *_: object) -> None:
        return None

    async def hear(self, chunk: str) -> None:
        self._buffer += self._stream.feed(chunk)
        if self._buffer and time.monotonic() - self._last >= WORDS_EVERY:
            text, self._buffer = self._buffer, ""
            self._last = time.monotonic()
            async with self._store.write() as tx:
                await live.append(
                    tx,
                    meeting_id=self._request.brief.meeting_id,
                    call_id=self._request.call_id,
                    attempt=self._attempt,
                    member_id=self._request.brief.member.id,
                    seq=self._seq,
                    kind="words",
                    text=text,
                    at=datetime.now(UTC),
                )


def ledger(reply: VoiceReply) -> dict[str, object]:
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
