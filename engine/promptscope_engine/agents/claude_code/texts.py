"""Claude Code's sections and tools as text (agent.toml, sections/, tools/), and what their conditions may name."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from promptscope_engine.agents.kit.expressions import Vocabulary
from promptscope_engine.agents.kit.folder import Folder
from promptscope_engine.inputs.params import fields_of

from . import gates
from .params import ClaudeCodeParams

_GATES = {
    "headless": gates.HEADLESS,
    "interactive": gates.INTERACTIVE,
    "exclude_dynamic": gates.EXCLUDE_DYNAMIC,
    "system_prompt": gates.SYSTEM_PROMPT,
    "append": gates.APPEND,
    "slash_commands": gates.SLASH_COMMANDS,
}

FOLDER = Folder(
    Path(__file__).parent,
    Vocabulary(
        _GATES,
        lambda: {field.name: field for field in fields_of(ClaudeCodeParams)},
        own=frozenset((*(field.name for field in fields(gates.Gates)), *(name for name, *_ in gates.PLAIN))),
        words=frozenset(("layout", "messages", "tool", "family", "style_is")),
    ),
)
