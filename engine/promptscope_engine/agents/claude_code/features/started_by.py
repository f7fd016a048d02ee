"""The params that a captured run of Claude Code tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from promptscope_engine.agents.shared.command_line import said_by
from promptscope_engine.formats.document import Json

_OPTIONS = {
    "--append-system-prompt": "args.appendSystemPrompt",
    "--system-prompt": "args.systemPrompt",
    "--agent": "args.agent",
    "--setting-sources": "args.settingSources",
    "--permission-mode": "mode",
}
_MANY = {"--add-dir": "args.addDir"}
_HEADLESS = ("-p", "--print")


def started_by(command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
    """A headless run calls itself `sdk-cli` in its header."""
    headless = "sdk-cli" in user_agent or any(word in _HEADLESS for word in command)
    return {"args.print": headless, **said_by(command, _OPTIONS, _MANY)}
