"""The environment variables of agent.toml that decide something by themselves, and their words."""

from __future__ import annotations

from collections.abc import Mapping

TRUST = "GEMINI_CLI_TRUST_WORKSPACE"
MODEL = "GEMINI_MODEL"
SYSTEM_MD = "GEMINI_SYSTEM_MD"
HOME = "GEMINI_CLI_HOME"
SANDBOX = "SANDBOX"
SYSTEM_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
SYSTEM_DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
SEATBELT = "sandbox-exec"

OFF_WORDS = ("0", "false")
"""What switches a section off, or the override file; any case, white space around it."""
ON_WORDS = ("1", "true")


def home_folder(env: Mapping[str, str], home: str) -> str:
    """The home folder: the user's, or GEMINI_CLI_HOME (13)."""
    return (env.get(HOME) or home).rstrip("/") or "/"
