"""Windows and longest answers by the model's name."""

from __future__ import annotations

import pytest

from promptscope_engine.tokens.windows import DEFAULT_MAX_OUTPUT, DEFAULT_WINDOW, context_window, max_output


@pytest.mark.parametrize(
    ("model", "window", "answer"),
    [
        ("gpt-4o-mini", 128_000, 16_384), ("chatgpt-4o-latest", 128_000, 16_384), ("gpt-4.1", 1_047_576, 32_768),
        ("gpt-4.5-preview", 128_000, 16_384), ("gpt-4-turbo", 128_000, 4_096), ("gpt-4-32k", 32_768, 32_768),
        ("gpt-4", 8_192, 8_192), ("gpt-3.5-turbo", 16_385, 4_096), ("gpt-35-turbo", 16_385, 4_096),
        ("gpt-5.2", 400_000, 128_000), ("gpt-oss-120b", 131_072, 131_072), ("codex-mini-latest", 200_000, 100_000),
        ("o1-mini", 128_000, 65_536), ("o1-preview", 128_000, 32_768), ("o1", 200_000, 100_000),
        ("o3-mini", 200_000, 100_000), ("o4-mini", 200_000, 100_000), ("gemini-1.5-pro", 2_097_152, 8_192),
        ("gemini-1.5-flash", 1_048_576, 8_192), ("gemini-2.0-flash", 1_048_576, 8_192),
        ("gemini-2.5-pro", 1_048_576, 65_536), ("grok-code-fast-1", 256_000, 16_384),
        ("grok-4-fast", 2_000_000, 65_536), ("grok-4-1-fast", 2_000_000, 65_536), ("grok-4", 256_000, 8_192),
        ("grok-3", 131_072, 8_192),
        ("claude-opus-5-5", 1_000_000, 128_000), ("claude-opus-4-6", 200_000, 128_000),
        ("claude-sonnet-4-5", 200_000, 64_000), ("claude-opus-4-5", 200_000, 64_000),
        ("claude-opus-4-2", 200_000, 64_000), ("claude-opus-3-9", 200_000, 64_000),
        ("claude-opus-4-1", 200_000, 32_000), ("claude-opus-4-0", 200_000, 32_000),
        ("claude-sonnet-4-0", 200_000, 64_000), ("claude-3-7-sonnet", 200_000, 64_000),
        ("claude-3-5-haiku", 200_000, 8_192), ("claude-3-opus", 200_000, 4_096),
        ("claude-sonnet-4-5[1m]", 1_000_000, 64_000),
        ("some-model", DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT), (None, DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT),
    ],
)  # fmt: skip
def test_limits(model: str | None, window: int, answer: int) -> None:
    assert (context_window(model), max_output(model)) == (window, answer)
