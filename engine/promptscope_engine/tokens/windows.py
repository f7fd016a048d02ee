"""How much a model reads and writes at once.

The figures are the vendors' published ones; most stand in Roo Code's provider tables too
(packages/types/src/providers). An agent that asks for less says so in its own package.
"""

from __future__ import annotations

from .names import NEWEST, parse_model

DEFAULT_WINDOW = 200_000
"""Tokens; for a model that the table does not know."""

DEFAULT_MAX_OUTPUT = 8_192
"""Tokens; Roo Code's ANTHROPIC_DEFAULT_MAX_TOKENS, for a model that the table does not know."""

_LONG_WINDOW = 1_000_000

# (start of the bare name, window, longest answer); the first that fits decides.
_MODELS = (
    ("gpt-4o", 128_000, 16_384),
    ("chatgpt-4o", 128_000, 16_384),
    ("gpt-4.1", 1_047_576, 32_768),
    ("gpt-4.5", 128_000, 16_384),
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4-32k", 32_768, 32_768),
    ("gpt-4", 8_192, 8_192),
    ("gpt-3.5", 16_385, 4_096),
    ("gpt-35", 16_385, 4_096),
    ("gpt-5", 400_000, 128_000),
    ("gpt-oss", 131_072, 131_072),
    ("codex-mini", 200_000, 100_000),
    ("o1-mini", 128_000, 65_536),
    ("o1-preview", 128_000, 32_768),
    ("o1", 200_000, 100_000),
    ("o3", 200_000, 100_000),
    ("o4", 200_000, 100_000),
    ("gemini-1.5-pro", 2_097_152, 8_192),
    ("gemini-1.5", 1_048_576, 8_192),
    ("gemini-2.0", 1_048_576, 8_192),
    ("gemini", 1_048_576, 65_536),
    ("grok-code-fast-1", 256_000, 16_384),
    ("grok-4-fast", 2_000_000, 65_536),
    ("grok-4-1-fast", 2_000_000, 65_536),
    ("grok-4", 256_000, 8_192),
    ("grok-3", 131_072, 8_192),
)

# (first Claude version, window, longest answer), newest first. The windows of 5.5 are what Claude Code's
# /context displays for them without the `[1m]` suffix, and 128,000 is the max_tokens that it sends.
_CLAUDE = (
    # A name without a version does not tell the window: the smaller one promises nothing.
    (NEWEST, DEFAULT_WINDOW, 64_000),
    ((5, 5), _LONG_WINDOW, 128_000),
    ((4, 6), DEFAULT_WINDOW, 128_000),
    ((3, 7), DEFAULT_WINDOW, 64_000),
    ((3, 5), DEFAULT_WINDOW, 8_192),
    ((0, 0), DEFAULT_WINDOW, 4_096),
)


def context_window(model: str | None) -> int:
    """Tokens that a model takes in and gives out together; `DEFAULT_WINDOW` where it is not known."""
    return _limits(model)[0]


def max_output(model: str | None) -> int:
    """Tokens of the longest answer a model can give; `DEFAULT_MAX_OUTPUT` where it is not known."""
    return _limits(model)[1]


def _limits(model: str | None) -> tuple[int, int]:
    if model is None:
        return DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT
    name = parse_model(model)
    window, output = DEFAULT_WINDOW, DEFAULT_MAX_OUTPUT
    if name.claude is not None:
        window, output = next(row[1:] for row in _CLAUDE if name.claude >= row[0])
        # Opus 4 and 4.1 alone stop at 32,000, by Anthropic's model table.
        if (4, 0) <= name.claude <= (4, 1) and "opus" in name.bare:
            output = 32_000
    else:
        for start, *limits in _MODELS:
            if name.bare.startswith(start):
                window, output = limits
                break
    return (_LONG_WINDOW if name.long_context else window), output
