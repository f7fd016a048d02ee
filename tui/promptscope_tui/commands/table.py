"""The commands: where each lives, and its line in `promptscope --help`."""

from __future__ import annotations

COMMANDS = {
    "open": ("open:open_", "Open the app (what happens without a command)."),
    "serve": ("serve:serve", "Show the app in a browser on this machine."),
    "show": ("show:show", "Print the prompt."),
    "tools": ("tools:tools", "List the tools, present and absent, with their reasons."),
    "files": ("files:files", "List every file that was looked for or loads later."),
    "why": ("why:why", "Explain why a section, tool or file is in the prompt, or is not."),
    "report": ("window:report", "Print the agent's own context report, with notes on its gaps."),
    "diff": ("diff:diff", "Compare two prompts: revisions, agents, versions, modes, scenarios."),
    "tokens": ("tokens:tokens", "Print the token budget by section and by group of tools."),
    "window": ("window:window", "Show how the context window is filled, by category."),
    "check": ("check:check", "Check instruction files: what they cost, what never loads, what should not be there."),
    "watch": ("watch:watch", "Print a line whenever a save changes the prompt."),
    "mcp": ("mcp:mcp", "Serve coding agents that ask about their own prompt, over MCP."),
    "transcript": ("transcript:transcript", "Show a transcript: how it fills the window, turn by turn."),
    "responses": ("replies:responses", "List the replies to tool calls, or print one."),
    "completion": ("replies:completion", "Step through the end of a task with a script."),
    "capture": ("capture:capture", "Record what an agent really sends."),
    "verify": ("verify:verify", "Compare a capture with the predicted prompt."),
    "calibrate": ("calibrate:calibrate", "Learn an agent's real wording from what it sent."),
    "captures": ("captures:captures", "List the captures of this machine, or delete old ones."),
    "import": ("import_:import_", "Import a recording made by another tool, or a pasted system prompt."),
    "schema": ("about:schema", "Print the JSON schema of what goes in and what comes out."),
    "agents": ("agents:agents", "List the agents, or one agent's inputs with their defaults."),
    "shell-completion": ("about:shell_completion", "Print a script with which a shell completes commands."),
    "locate": ("about:locate", "Print the folders that promptscope uses."),
}
"""Name: module and attribute in this package, and the line."""
