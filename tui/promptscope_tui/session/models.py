"""Model names to choose from: the agent's own names, then common ones; any other may be typed."""

from __future__ import annotations

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Assembly

_COMMON: dict[str, str] = {
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


def models_of(assembly: Assembly | None) -> dict[str, str]:
    """Names with what they mean, the agent's own first."""
    own = load_agent(assembly.agent).models(assembly.agent_version) if assembly else {}
    return {**own, **_COMMON}
