"""What a model's name says."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens.names import NEWEST, parse_model


@pytest.mark.parametrize(
    ("model", "bare", "claude", "is_long"),
    [
        ("claude-sonnet-4", "claude-sonnet-4", (4, 0), False),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4.5", (4, 5), False),
        ("claude-opus-4-1-20250805", "claude-opus-4-1-20250805", (4, 1), False),
        ("claude-opus-4-20250514", "claude-opus-4-20250514", (4, 0), False),
        ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1-20250805-v1", (4, 1), False),
        ("claude-haiku-10-12@20290929", "claude-haiku-10-12", (10, 12), False),
        ("Claude-3-7-Sonnet[1M]", "claude-3-7-sonnet", (3, 7), True),
        ("claude-sonnet-4-1m", "claude-sonnet-4", (4, 0), True),
        ("sonnet:1m", "sonnet", NEWEST, True),
        ("claude-sonnet-latest", "claude-sonnet-latest", NEWEST, False),
        ("opusplan", "opusplan", NEWEST, False),
        ("openrouter/openai/gpt-5:free", "gpt-5", None, False),
        ("ft:gpt-4o:team::id", "gpt-4o", None, False),
        ("  ", "", None, False),
    ],
)
def test_a_name_taken_apart(model: str, bare: str, claude: tuple[int, int] | None, is_long: bool) -> None:
    found = parse_model(model)
    assert (found.bare, found.claude, found.long_context) == (bare, claude, is_long)


def test_a_name_without_a_version_is_newer_than_all_that_have_one() -> None:
    assert NEWEST > (98, 99)
