"""How the agent reads its environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from promptscope_engine.agents.kit.sources import sources_of
from promptscope_engine.inputs.params import variable

AGENT = sources_of(Path(__file__).parent).agent
"""agent.toml."""
VARIABLES = tuple(variable(name, said["help"], *said.get("values", ())) for name, said in AGENT["variables"].items())
"""What a person may set."""

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


WATCHED = ("claude-vscode",)
"""Ways to start a headless agent that somebody watches."""
_SDK = ("sdk-cli", "sdk-ts", "sdk-py")


def entrypoint(env: Mapping[str, str], *, headless: bool) -> str:
    """How the agent was started: CLAUDE_CODE_ENTRYPOINT of the process, else `cli`, headless `sdk-cli`."""
    told = env.get("CLAUDE_CODE_ENTRYPOINT", "")
    return told if told not in ("", "cli") else "sdk-cli" if headless else "cli"


def from_sdk(started_as: str) -> bool:
    """Whether a program runs the agent."""
    return started_as in _SDK


def config_folder(env: Mapping[str, str], home: str, cwd: str) -> str:
    """`~/.claude`, or CLAUDE_CONFIG_DIR, which may be relative to the working directory; absolute."""
    return os.path.normpath(f"{cwd}/{written}" if (written := config_written(env, home))[:1] != "/" else written)


def config_written(env: Mapping[str, str], home: str) -> str:
    """The same folder as the agent writes it: a relative one stays relative, `~` is a name like others, and an empty
    text means the working directory [recorded 2.1.332]."""
    return os.path.normpath(env.get("CLAUDE_CONFIG_DIR", f"{home.rstrip('/')}/.claude"))
