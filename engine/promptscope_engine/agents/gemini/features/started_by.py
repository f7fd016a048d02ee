"""The params that a captured run of Gemini CLI tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from promptscope_engine.agents.shared.command_line import said_by
from promptscope_engine.formats.document import Json

_OPTIONS = {"--approval-mode": "mode"}
_MANY = {"--include-directories": "args.includeDirectories", "--policy": "args.policy"}
_HEADLESS = ("-p", "--prompt")


def started_by(command: Sequence[str], user_agent: str) -> Mapping[str, Json]:  # noqa: ARG001 - says nothing of it
    """Without a command line it was headless, as a capture mostly is."""
    headless = not command or any(word.partition("=")[0] in _HEADLESS for word in command)
    return {"args.print": headless, **said_by(command, _OPTIONS, _MANY)}
