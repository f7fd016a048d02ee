"""What comes along with Claude Code: skills and agents, their descriptions in our words (bundled/)."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.kit.folder import Bundled

from .texts import FOLDER

COMMANDS = frozenset(FOLDER.agent["commands"])
"""Built-in slash commands of 2.1.329 and later."""


def skills(version: str) -> Mapping[str, Bundled]:
    """The bundled skills of a version by name, in the order of the listing."""
    return FOLDER.bundled("skills", version)


def agents(version: str) -> Mapping[str, Bundled]:
    """The built-in agents of a version by name, in the order of the listing."""
    return FOLDER.bundled("agents", version)
