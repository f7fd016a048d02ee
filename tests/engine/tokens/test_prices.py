"""What a million tokens cost."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens.prices import price_of


@pytest.mark.parametrize(
    ("model", "input", "read", "write", "hour"),
    [
        ("claude-opus-5-5[1m]", 4, 0.20, 5, 8),
        ("anthropic/claude-opus-4-6", 5, 0.50, 6.25, 10),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", 15, 1.50, 18.75, 30),
        ("claude-sonnet-4-5@20250929", 3, 0.30, 3.75, 6),
        ("gpt-6.1-sol", 2, 0.10, 2.5, 2.5),
        ("openai/gpt-4o-2024-08-06", 2.5, 1.25, 2.5, 2.5),
        ("gemini-3.8-flash", 0.75, 0.075, 0.75, 0.75),
    ],
)
def test_a_model_by_any_spelling(model: str, input: float, read: float, write: float, hour: float) -> None:
    price = price_of(model)
    assert price is not None
    assert (price.input, price.read, price.write, price.write_hour) == (input, read, write, hour)


@pytest.mark.parametrize("model", [None, "opus", "claude-opus-6", "claude-opus-4-3", "gpt-7", "gemini-9", "own-model"])
def test_an_unknown_model_has_no_price(model: str | None) -> None:
    assert price_of(model) is None


def test_a_long_request_costs_more_as_a_whole() -> None:
    haiku = price_of("claude-haiku-5-5")
    assert haiku is not None
    assert [haiku.of_size(size).input for size in (99_999, 100_000, 100_001)] == [0.10, 0.10, 0.50]
    assert haiku.of_size(100_001).read == 0.05
    opus = price_of("claude-opus-5-5")
    assert opus is not None
    assert opus.of_size(900_000) is opus
