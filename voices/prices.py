"""What calls cost, as far as it is known. Prices are data of a day; a model that is not here costs an unknown amount.

Source: Anthropic's price list (base input, output, cache hits, cache writes that last five minutes, which are the ones made).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from voices.base import Usage

AS_OF = "2026-10-24"
"""The day on which these prices were read. A price that changes later is not known here until this file says so."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. `beyond`: tokens of a prompt (cached ones counted) above which `long` holds instead."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    beyond: int | None = None
    long: Price | None = None


_OPUS = Price(5.0, 25.0, 0.50, 6.25)
_SONNET = Price(3.0, 15.0, 0.30, 3.75)

PRICES: dict[str, Price] = {
    "claude-opus-5-5": Price(4.0, 20.0, 0.20, 5.0),
    "claude-sonnet-5-5": Price(2.0, 10.0, 0.10, 2.50),
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125, beyond=100_000, long=Price(0.50, 2.50, 0.05, 0.625)),
    "claude-fable-5-1": Price(10.0, 50.0, 0.25, 12.50),
    "claude-mythos-5-1": Price(10.0, 50.0, 0.25, 12.50),
    "claude-fable-5": Price(10.0, 50.0, 1.0, 12.50),
    "claude-mythos-5": Price(10.0, 50.0, 1.0, 12.50),
    "claude-opus-5": _OPUS,
    "claude-sonnet-5": Price(2.0, 10.0, 0.20, 2.50),
    "claude-opus-4-8": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-5": _OPUS,
    "claude-sonnet-4-6": _SONNET,
    "claude-sonnet-4-5": _SONNET,
    "claude-haiku-4-5": Price(1.0, 5.0, 0.10, 1.25),
}
"""By model family. A name with a date after it has its family's price; another number after it is another family."""

_DATED = re.compile(r"(?P<family>.+?)(?:-(?:\d{8}|latest))?")


def price_of(model: str) -> Price | None:
    """The price of a model, pinned to a date or not; None when it is not known."""
    found = _DATED.fullmatch(model)
    return PRICES.get(found["family"]) if found is not None else None


def cost_microusd(model: str, usage: Usage) -> int | None:
    """The cost of one reply in millionths of a dollar; None when the model's price is not known, which is not zero."""
    if model == "simulated":
        return 0
    price = price_of(model)
    if price is None:
        return None
    if (
        price.beyond is not None
        and price.long is not None
        and usage.input + usage.cache_read + usage.cache_write > price.beyond
    ):
        price = price.long
    return round(
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * price.cache_read
        + usage.cache_write * price.cache_write
    )
