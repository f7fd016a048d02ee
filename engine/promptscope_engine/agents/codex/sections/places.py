"""Where the parts stand: each is a text of its own within an input item (specs/codex.md 1.4)."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import Place

# What tells the items apart: their order is that of the sections.
_BASE, _DEVELOPER, _ROLE, _MODE, _BUDGET, _CONTEXT, _AT_START, _PROMPT, _AT_PROMPT, _REMINDER, _MENTIONED = range(11)

BASE = Place("base", _BASE, "developer", gap="\n\n")
ROLE = Place("multi_agent_role", _ROLE, "developer")
MODE = Place("multi_agent_mode", _MODE, "developer")
SESSION_HOOK = Place("session_hook", _AT_START, "developer")
PROMPT_HOOK = Place("prompt_hook", _AT_PROMPT, "developer")
REMINDER = Place("current_time_reminder", _REMINDER, "developer")


def developer(name: str) -> Place:
    """A part of the second item, which has most of what the client says."""
    return Place(name, _DEVELOPER, "developer")


def budget(name: str) -> Place:
    return Place(name, _BUDGET, "developer")


def user_context(name: str) -> Place:
    return Place(name, _CONTEXT, "user")


def prompt(name: str) -> Place:
    return Place(name, _PROMPT, "user")


def mentioned(number: int) -> Place:
    """A skill that the prompt names: a message each."""
    return Place(f"skill.{number}", _MENTIONED + number, "user")
