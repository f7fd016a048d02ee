"""The messages of a request, and where sections stand in them (specs/claude-code.md 2)."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import Place

# In order; the last three are what reads load.
DEFERRED, MENTIONS, PROMPT, CONTEXT, LAZY, LAZY_AGENTS, LAZY_SKILLS = range(7)


def reminder(block: str) -> Place:
    """A reminder before the prompt. The last one ends with a line break: what follows is another kind of text."""
    return Place(block, PROMPT, run="reminders", ends="\n")
