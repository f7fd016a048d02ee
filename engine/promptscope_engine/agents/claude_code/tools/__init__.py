"""Claude Code's tools: `tool_drafts` gives them in the order of the wire, with the condition of each.

selection.py decides which tools there are and in what order (versions, modes, switches, MCP). Texts and schemas stand
in one module per group of tools (files.py, shell.py, agents.py, …) as `ToolText`: a description (a function of the
materials that yields pieces, `builtin("tools.<name>.<point>", …)`, one for each paragraph or bullet) and a JSON schema.
table.py maps the names of a version to them.
`Agent`'s description of 2.1.100 lists the agents; `Bash`'s guide to commits and pull requests is guarded by
`materials.gates.git_instructions`.
"""

from .drafts import tool_drafts

__all__ = ["tool_drafts"]
