"""Claude Code's tools: `tool_drafts` gives them in the order of the wire, with the condition of each.

selection.py decides which tools there are and in what order (versions, modes, switches, MCP); the texts and schemas
stand in texts_100.py and texts_329.py: each a mapping `TEXTS: dict[str, ToolText]` from a tool's name to its
description (a function of the materials that yields pieces: `builtin("tools.<name>.<what>", …)`) and its JSON schema.
`Agent`'s description of 2.1.100 ends with `agent_listing(materials)`; `Bash`'s guide to commits and pull requests is
guarded by `materials.gates.git_instructions`.
"""

from .drafts import tool_drafts

__all__ = ["tool_drafts"]
