"""Whose requests they are: an agent and its version, told by the user-agent header."""

from __future__ import annotations

import re
from collections.abc import Iterable

_AGENTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"claude-(?:cli|code)/(\S+)", re.IGNORECASE), "claude-code"),
    (re.compile(r"codex[\w-]*/(\S+)", re.IGNORECASE), "codex"),
    (re.compile(r"gemini-?cli(?:-\w+)?/([^/\s]+)", re.IGNORECASE), "gemini"),
    (re.compile(r"qwen-?code/([^/\s]+)", re.IGNORECASE), "qwen"),
    (re.compile(r"opencode/(\S+)", re.IGNORECASE), "opencode"),
    (re.compile(r"copilot[\w-]*/(\S+)", re.IGNORECASE), "copilot"),
    (re.compile(r"openclaw/(\S+)", re.IGNORECASE), "openclaw"),
    (re.compile(r"aider[\w-]*/(\S+)", re.IGNORECASE), "aider"),
)


def agent_from_user_agents(user_agents: Iterable[str]) -> tuple[str, str | None] | None:
    """The agent and its version by the first header that names one; None if none does."""
    for header in user_agents:
        for pattern, agent in _AGENTS:
            if found := pattern.search(header):
                return agent, found[1].strip("(),;")
    return None
