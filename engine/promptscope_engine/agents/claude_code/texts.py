"""Claude Code's sections and tools as text (agent.toml, sections/, tools/), and what their conditions may name."""

from collections.abc import Mapping

from promptscope_engine.agents.kit.folder import Folder

from . import gates

FOLDER = Folder.of(
    __file__,
    gates.GATES,
    own=gates.OWN,
    words=frozenset(("layout", "messages", "tool", "family", "style_is")),
)


COMMANDS = frozenset(FOLDER.agent["commands"])
"""Built-in slash commands of 2.1.329 and later."""


RECORDED_PROMPTS: Mapping[str, str] = FOLDER.agent["prompts"]
"""The built-in sub-agents whose prompts were recorded, each with its text in sections/subagents."""
