"""The commands: where each lives, and its line in `promptscope --help`."""

from __future__ import annotations

COMMANDS = {
    "open": ("open:open_", "Open the app (what happens without a command)."),
    "show": ("show:show", "Print the prompt."),
    "tools": ("tools:tools", "List the tools, the absent ones too, with their reasons."),
    "files": ("files:files", "List every file that was consulted or waits, in load order."),
    "why": ("why:why", "Say why a section, tool or file is in the prompt, or is not."),
    "report": ("report:report", "Print what the agent's own report on its context would say."),
    "tokens": ("tokens:tokens", "Print the token budget by section and by group of tools."),
    "window": ("window:window", "Show how the context window is filled, by category."),
    "transcript": ("transcript:transcript", "Show a recorded conversation filling the window."),
    "responses": ("responses:responses", "List what the agent answers to tool calls, or print one reply."),
    "completion": ("completion:completion", "Step through the end of a task, by a script of steps."),
    "schema": ("about:schema", "Print the JSON schema of a scenario or an assembly."),
    "agents": ("about:agents", "List the agents, or one agent's inputs with their defaults."),
    "locate": ("about:locate", "Print the folders that promptscope uses."),
}
"""Module and attribute below this package, and the words."""
