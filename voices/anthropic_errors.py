"""What went wrong at Anthropic, each in one sentence that says what to do. Never the key, the prompt or the reply."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from anthropic import APIStatusError

from voices.base import Trouble, VoiceError

LONGEST_WAIT = 86_400.0
"""Seconds that a Retry-After may ask for. More is a mistake, and no meeting waits that long for one voice."""


def by_status(error: APIStatusError, model: str, host: str) -> VoiceError:
    """By the HTTP status, or by the error's type: a stream that began well reports its trouble under status 200."""
    status, kind = error.status_code, _type_of(error)
    wait = retry_after(error.response.headers.get("retry-after"), error.response.headers.get("retry-after-ms"))

    def passing(trouble: Trouble, words: str) -> VoiceError:
        return VoiceError(trouble, words, retryable=True, retry_after=wait)

    def lasting(trouble: Trouble, words: str, *, fatal: bool = True) -> VoiceError:
        return VoiceError(trouble, words, retryable=False, fatal=fatal)

    if status == 401 or kind == "authentication_error":
        return lasting(Trouble.AUTH, "Anthropic refuses the key: set ANTHROPIC_API_KEY to a valid key.")
    if status == 403 or kind == "permission_error":
        return lasting(
            Trouble.AUTH, f"Anthropic does not let this ANTHROPIC_API_KEY use {model!r}: use another key, or another model."
        )
    if status == 402 or kind == "billing_error" or (status == 400 and "credit balance" in str(error.message).lower()):
        return lasting(Trouble.BILLING, "Anthropic's account has no credit left: add credit to it.")
    if kind == "not_found_error":
        return lasting(
            Trouble.NO_MODEL, f"Anthropic knows no model {model!r} for this key: correct BOARDROOM_MODEL_LOW, _MID or _HIGH."
        )
    if status == 404:
        return unusable(host)
    if status == 429 or kind == "rate_limit_error":
        return passing(Trouble.RATE_LIMITED, "Anthropic limits the rate of calls.")
    if status in (503, 529) or kind == "overloaded_error":
        return passing(Trouble.OVERLOADED, "Anthropic is overloaded.")
    if status in (408, 504) or kind == "timeout_error":
        return passing(Trouble.TIMEOUT, "Anthropic did not answer in time.")
    if status == 409:
        return passing(Trouble.CONFLICT, "Anthropic reports a conflict.")
    if status >= 500 or kind == "api_error":
        return passing(Trouble.SERVER, f"Anthropic's service failed (HTTP {status}).")
    return lasting(Trouble.BAD_REQUEST, f"Anthropic refuses the request (HTTP {status}).", fatal=False)


def no_connection(host: str) -> VoiceError:
    return VoiceError(
        Trouble.CONNECTION,
        f"No connection to Anthropic at {host}: check the network, a proxy, and ANTHROPIC_BASE_URL.",
        retryable=True,
    )


def unusable(host: str) -> VoiceError:
    """Something answered, and it was not this protocol."""
    return VoiceError(
        Trouble.CONNECTION,
        f"What answers at {host} is not Anthropic's service: correct ANTHROPIC_BASE_URL, or leave it unset.",
        retryable=False,
        fatal=True,
    )


def too_slow(seconds: float | None) -> VoiceError:
    within = f" within {seconds:g} s" if seconds is not None else " in time"
    return VoiceError(Trouble.TIMEOUT, f"Anthropic did not answer{within}.", retryable=True)


def cut_off(how: str) -> VoiceError:
    return VoiceError(Trouble.CONNECTION, f"The stream of the reply broke off ({how}).", retryable=True)


def _type_of(error: APIStatusError) -> str:
    body = error.body
    inner = body.get("error") if isinstance(body, dict) else None
    return str(inner.get("type", "")) if isinstance(inner, dict) else ""


def retry_after(value: str | None, milliseconds: str | None = None) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or a date (RFC 9110, 10.2.3); None without a usable one."""
    if milliseconds:
        try:
            return _bounded(float(milliseconds) / 1000)
        except ValueError:
            pass
    if not value:
        return None
    try:
        return _bounded(float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return _bounded((moment - datetime.now(UTC)).total_seconds())


def _bounded(seconds: float) -> float | None:
    return min(max(0.0, seconds), LONGEST_WAIT) if math.isfinite(seconds) else None
