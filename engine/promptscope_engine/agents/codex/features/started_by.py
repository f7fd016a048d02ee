"""The params that a captured run of Codex tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.captured import said_by
from promptscope_engine.formats.document import Json


def started_by(command: Sequence[str], user_agent: str) -> Mapping[str, Json]:
    """The session in a terminal calls itself `codex-tui` in its header."""
    in_terminal = "tui" in user_agent if user_agent else bool(command) and not {"exec", "e"} & set(command)
    return {"entry": "interactive" if in_terminal else "exec", **said_by(command, **FOLDER.agent["command_line"])}
