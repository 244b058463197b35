"""What calls cost, as far as it is known. Prices are data of a day; a model that is not here costs an unknown amount."""

from __future__ import annotations

from dataclasses import dataclass

from voices.base import Usage

AS_OF = "2026-12-01"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float


PRICES: dict[str, Price] = {
    "claude-haiku-4-5": Price(1.0, 5.0, 0.10, 1.25),
    "claude-sonnet-4-5": Price(3.0, 15.0, 0.30, 3.75),
    "claude-opus-4-5": Price(5.0, 25.0, 0.50, 6.25),
}
"""By model family: a name with a date after it has its family's price."""


def cost_microusd(model: str, usage: Usage) -> int | None:
    """The cost of one reply in millionths of a dollar; None when the model's price is not known, which is not zero."""
    if model == "simulated":
        return 0
    family = max((name for name in PRICES if model == name or model.startswith(f"{name}-")), key=len, default=None)
    if family is None:
        return None
    price = PRICES[family]
    return round(
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * price.cache_read
        + usage.cache_write * price.cache_write
    )
