"""Prices: what is known is exact, what is not known is unknown and not zero."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settings import Settings
from voices.base import Usage
from voices.prices import AS_OF, PRICES, cost_microusd, price_of

MILLION = Usage(input=1_000_000, output=1_000_000, cache_read=1_000_000, cache_write=1_000_000)


def test_prices_have_a_day() -> None:
    assert datetime.date.fromisoformat(AS_OF)


def test_each_kind_of_token_has_its_price() -> None:
    assert cost_microusd("claude-sonnet-5-5", Usage(input=1000)) == 2000
    assert cost_microusd("claude-sonnet-5-5", Usage(output=1000)) == 10_000
    assert cost_microusd("claude-sonnet-5-5", Usage(cache_read=1000)) == 100
    assert cost_microusd("claude-sonnet-5-5", Usage(cache_write=1000)) == 2500
    assert cost_microusd("claude-opus-5-5", MILLION) == 29_200_000


def test_a_long_prompt_of_haiku_costs_more_on_every_token() -> None:
    assert cost_microusd("claude-haiku-5-5", Usage(input=60_000, cache_read=40_000, output=1000)) == 6900
    assert cost_microusd("claude-haiku-5-5", Usage(input=60_000, cache_read=40_001, output=1000)) == 34_500


@pytest.mark.parametrize("model", ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5-latest", "claude-sonnet-4-5"])
def test_a_date_after_the_name_does_not_change_the_price(model: str) -> None:
    assert cost_microusd(model, MILLION) == 22_050_000


@pytest.mark.parametrize(
    "model",
    ["", "gpt-9", "claude", "claude-fable-5-2", "claude-opus-5-9", "claude-opus-5-5-mini", "claude-haiku-4-5-2025", "smollm2"],
)
def test_an_unknown_model_costs_an_unknown_amount_and_not_nothing(model: str) -> None:
    assert price_of(model) is None
    assert cost_microusd(model, MILLION) is None


def test_simulated_voices_cost_nothing() -> None:
    assert cost_microusd("simulated", MILLION) == 0


def test_the_default_models_have_a_price() -> None:
    defaults = Settings.model_fields
    for tier in ("model_low", "model_mid", "model_high"):
        assert price_of(str(defaults[tier].default)) is not None


@given(st.sampled_from(sorted(PRICES)), *[st.integers(0, 200_000)] * 4)
def test_more_tokens_never_cost_less(model: str, a: int, b: int, c: int, d: int) -> None:
    cost = cost_microusd(model, Usage(a, b, c, d))
    more = cost_microusd(model, Usage(a + 1000, b + 1000, c + 1000, d + 1000))
    assert cost is not None
    assert more is not None
    assert 0 <= cost < more
