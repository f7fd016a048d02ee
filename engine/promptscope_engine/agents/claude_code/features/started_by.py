"""The params that a captured run of Claude Code tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from promptscope_engine.agents.kit.servers import said_by
from promptscope_engine.formats.document import Json

if TYPE_CHECKING:  # imported only for a capture
    from promptscope_engine.captures.content import Content


_OPTIONS = {
    "--append-system-prompt": "args.appendSystemPrompt",
    "--system-prompt": "args.systemPrompt",
    "--agent": "args.agent",
    "--setting-sources": "args.settingSources",
    "--permission-mode": "mode",
}
_MANY = {"--add-dir": "args.addDir"}
_LISTS = {
    "--tools": "args.tools",
    "--allowedTools": "args.allowedTools",
    "--allowed-tools": "args.allowedTools",
    "--disallowedTools": "args.disallowedTools",
    "--disallowed-tools": "args.disallowedTools",
}
"""Options with a list of tools, apart by commas or blanks."""
_HOOKS = {
    name: re.compile(rf"<system-reminder>\n{name}(?::startup)? hook success: (.*)\n</system-reminder>\n?", re.DOTALL)
    for name in ("SessionStart", "UserPromptSubmit")
}
_HEADLESS = ("-p", "--print")


def started_by(command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
    """A headless run calls itself `sdk-cli` in its header."""
    headless = "sdk-cli" in user_agent or any(word in _HEADLESS for word in command)
    lists = {
        name: [tool for tool in re.split(r"[,\s]+", str(value)) if tool]
        for name, value in said_by(command, _LISTS).items()
    }
    return {"args.print": headless, **said_by(command, _OPTIONS, _MANY), **lists}


def hooks_in(content: Content) -> Mapping[str, Json]:
    """What hooks printed, of which each has a reminder of its own (specs/claude-code.md 2)."""
    said = [block.text for message in content.messages for block in message.blocks]
    found = ((name, pattern.fullmatch(text)) for text in said for name, pattern in _HOOKS.items())
    return {f"hooks.{name}": match[1] for name, match in found if match}


def alternatives() -> Sequence[Mapping[str, Json]]:
    """The variables of a run are not recorded; these change the prompt (claude-code-variants.md, a)."""
    return [{f"env.{name}": "1"} for name in ("DISABLE_TELEMETRY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")]
