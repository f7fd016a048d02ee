"""Model names to choose from; any other may be typed."""

from __future__ import annotations

MODELS: dict[str, str] = {
    "claude-sonnet-4-5": "Anthropic",
    "claude-opus-4-1": "Anthropic",
    "claude-haiku-4-5": "Anthropic",
    "claude-opus-4-6": "Anthropic",
    "gpt-5": "OpenAI",
    "gpt-5-codex": "OpenAI",
    "gpt-4.1": "OpenAI",
    "o3": "OpenAI",
    "gemini-2.5-pro": "Google",
    "gemini-2.5-flash": "Google",
    "grok-code-fast-1": "xAI",
}
"""Names with their makers."""
