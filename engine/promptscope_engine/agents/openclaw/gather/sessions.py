"""What a session key says (specs/openclaw.md 6): whose session, which kind, how deep, and the prompt mode."""

from __future__ import annotations

from promptscope_engine.agents.openclaw.materials import Session
from promptscope_engine.javascript.text import js_trim

DEFAULT_AGENT = "main"


def parse_session(key: str | None) -> Session:
    """A key taken apart: split at `:`, empty parts dropped, at least three and the first one exactly `agent` (6)."""
    text = js_trim(key or "")
    parts = [part for part in text.split(":") if part]
    if len(parts) < 3 or parts[0] != "agent":
        return Session(text, None, "")
    return Session(text, agent_id(parts[1]), ":".join(parts[2:]))


def agent_id(text: object) -> str:
    """An agent's id as the configuration and the keys are compared: trimmed, lower case, `main` where there is none."""
    return js_trim(str(text)).lower() if isinstance(text, str) and js_trim(text) else DEFAULT_AGENT
