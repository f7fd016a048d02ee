"""The environment variables that Gemini CLI reads for its prompt (specs/gemini.md 3, 12, 13)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from promptscope_engine.agents.kit.sources import sources_of

TRUST = "GEMINI_CLI_TRUST_WORKSPACE"
MODEL = "GEMINI_MODEL"
SYSTEM_MD = "GEMINI_SYSTEM_MD"
HOME = "GEMINI_CLI_HOME"
SANDBOX = "SANDBOX"
SYSTEM_SETTINGS = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
SYSTEM_DEFAULTS = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
SEATBELT = "sandbox-exec"

VARIABLES = sources_of(Path(__file__).parent).agent["variables"]
"""What a person may set, by name (agent.toml)."""
SECTIONS = {said["section"]: name for name, said in VARIABLES.items() if "section" in said}
"""The switch of each section (3)."""

OFF_WORDS = ("0", "false")
"""What switches a section off, or the override file; any case, white space around it."""
ON_WORDS = ("1", "true")


def home_folder(env: Mapping[str, str], home: str) -> str:
    """The home folder: the user's, or GEMINI_CLI_HOME (13)."""
    return (env.get(HOME) or home).rstrip("/") or "/"
