"""Bundled skills and built-in agents of the two versions: names exact, descriptions in our words (6, 2.3).

In the order of the listings; `interactive` agents are there only in an interactive session.
"""

from __future__ import annotations

from dataclasses import dataclass

from .models import V100, V329

SKILLS: dict[str, dict[str, str]] = {
    V100: dict.fromkeys(("update-config", "simplify", "loop", "claude-api"), "A bundled skill."),
    V329: dict.fromkeys(
        ["dataviz", "update-config", "keybindings-help", "code-review", "simplify", "fewer-permission-prompts", "loop", "claude-api", "workflow-authoring", "run", "plugin-authoring", "init", "security-review"],
        "A bundled skill.",
    ),
}


@dataclass(frozen=True, slots=True)
class BuiltInAgent:
    """A built-in agent's line."""

    name: str
    description: str
    tools: str
    interactive: bool = False


AGENTS: dict[str, tuple[BuiltInAgent, ...]] = {
    V100: (
        BuiltInAgent("general-purpose", "For tasks of several steps.", "*"),
        BuiltInAgent("statusline-setup", "Sets up the status line.", "Read, Edit"),
        BuiltInAgent("Explore", "Searches the code.", "All tools except Edit, Write"),
        BuiltInAgent("Plan", "Designs a plan.", "All tools except Edit, Write"),
        BuiltInAgent("claude-code-guide", "Answers questions on Claude Code.", "Glob, Grep, Read", interactive=True),
    ),
    V329: (
        BuiltInAgent("claude", "For any task.", "*"),
        BuiltInAgent("Explore", "Searches the code.", "All tools except Edit, Write"),
        BuiltInAgent("general-purpose", "For tasks of several steps.", "*"),
        BuiltInAgent("Plan", "Designs a plan.", "All tools except Edit, Write"),
        BuiltInAgent("statusline-setup", "Sets up the status line.", "Read, Edit"),
        BuiltInAgent("claude-code-guide", "Answers questions on Claude Code.", "Bash, Read", interactive=True),
    ),
}
