"""How the agent reads its environment variables."""

from __future__ import annotations

from collections.abc import Mapping

TRUE_WORDS = ("1", "true", "yes", "on")
FALSE_WORDS = ("0", "false", "no", "off")
FIRST_PARTY = "api.anthropic.com"
FIRST_PARTY_URL = f"https://{FIRST_PARTY}"


def is_on(value: str) -> bool:
    """Whether the agent takes a variable's value for true."""
    return value.strip().lower() in TRUE_WORDS


def number(env: Mapping[str, str], name: str) -> int | None:
    """A positive whole number from the environment."""
    text = env.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 and int(text) > 0 else None


def is_first_party(env: Mapping[str, str]) -> bool:
    """Whether requests go to the vendor's own host: the global cache scope exists only there (1.1)."""
    url = env.get("ANTHROPIC_BASE_URL", "").strip()
    host = url.partition("://")[2] or url
    return not url or host.split("/")[0].split(":")[0] == FIRST_PARTY


def config_folder(env: Mapping[str, str], home: str) -> str:
    """`~/.claude`, or CLAUDE_CONFIG_DIR."""
    return (env.get("CLAUDE_CONFIG_DIR") or f"{home.rstrip('/')}/.claude").rstrip("/")
