"""How the agent reads its environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping

from promptscope_engine.inputs.params import variable

VARIABLES = (
    variable("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "no telemetry and no flags: more text, a tool less", "1"),
    variable("DISABLE_TELEMETRY", "no telemetry and no flags: more text", "1"),
    variable("DO_NOT_TRACK", "no telemetry and no flags: more text", "1"),
    variable("DISABLE_GROWTHBOOK", "no flags: more text", "1"),
    variable("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "no tool search, for proxies that do not know it", "1"),
    variable("CLAUDE_CODE_SAFE_MODE", "nothing of your own: no files, skills, agents, hooks, servers", "1"),
    variable("CLAUDE_CODE_ENTRYPOINT", "how the agent was started, for the billing line", "sdk-ts", "sdk-py"),
    variable("ANTHROPIC_BASE_URL", "the host that requests go to; not set: the first-party one"),
    variable("ENABLE_TOOL_SEARCH", "defers tools; `auto:N`: if they take N % of the window", "true", "false", "auto"),
    variable("ANTHROPIC_MODEL", "the model, unless one is chosen"),
    variable("ANTHROPIC_DEFAULT_MODEL", "the model where none is named"),
    variable("ANTHROPIC_DEFAULT_OPUS_MODEL", "the model that `opus` and `best` stand for, and the default"),
    variable("ANTHROPIC_DEFAULT_SONNET_MODEL", "the model that `sonnet` stands for"),
    variable("ANTHROPIC_DEFAULT_HAIKU_MODEL", "the model that `haiku` stands for"),
    variable("ANTHROPIC_DEFAULT_FABLE_MODEL", "the model that `fable` stands for"),
    variable("CLAUDE_CODE_SIMPLE", "bare mode", "1"),
    variable("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "no auto memory; `0` keeps it on against the settings", "1", "0"),
    variable("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "no instruction files", "1"),
    variable("CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS", "no git status and no instructions for commits", "1"),
    variable("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "reads the CLAUDE.md of added directories", "1"),
    variable("CLAUDE_CODE_DISABLE_ATTACHMENTS", "no mentions, no lists of skills and of tools that can be loaded", "1"),
    variable("CLAUDE_CODE_BRIEF", "answers go through a tool", "1"),
    variable("CLAUDE_CODE_ENABLE_TASKS", "2.1.100 headless: a list of tasks in place of todos", "1"),
    variable("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "agent teams", "1"),
    variable("CLAUDE_CODE_USE_POWERSHELL_TOOL", "a tool for PowerShell", "1"),
    variable("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "nothing runs in the background", "1"),
    variable("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS", "no bundled skills", "1"),
    variable("CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS", "no built-in agents in a headless session", "1"),
    variable("CLAUDE_CODE_DISABLE_CRON", "no scheduled jobs", "1"),
    variable("CLAUDE_CODE_DISABLE_1M_CONTEXT", "the standard window only", "1"),
    variable("DISABLE_PROMPT_CACHING", "no cache breakpoints", "1"),
    variable("ENABLE_PROMPT_CACHING_1H", "cache entries that live an hour", "1"),
    variable("DISABLE_AUTO_COMPACT", "no automatic compaction", "1"),
    variable("DISABLE_COMPACT", "no compaction at all", "1"),
    variable("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "compaction at this share of the window, in percent"),
    variable("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "compaction as if the window had this many tokens"),
    variable("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "the most tokens of a reply"),
    variable("SLASH_COMMAND_TOOL_CHAR_BUDGET", "characters for the list of skills"),
    variable("CLAUDE_CONFIG_DIR", "the folder that stands for ~/.claude"),
)  # fmt: skip
"""What a person may set (specs/claude-code.md 1-12, claude-code-variants.md)."""

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
