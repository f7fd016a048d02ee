"""Where the parts stand: each is a text of its own within an input item (specs/codex.md 1.4)."""

from __future__ import annotations

from promptscope_engine.prompt.drafts import Place

BASE = Place("base", 10, "developer", gap="\n\n")
ROLE = Place("multi_agent_role", 30, "developer")
MODE = Place("multi_agent_mode", 40, "developer")
BUDGET = 50
USER_CONTEXT = 60
SESSION_HOOK = Place("session_hook", 70, "developer")
PROMPT = 80
MENTIONED = 1_000
"""The first skill that the prompt names; the others follow, a message each."""
PROMPT_HOOK = Place("prompt_hook", 100_000, "developer")
REMINDER = Place("current_time_reminder", 110_000, "developer")


def developer(name: str) -> Place:
    """A part of the second item, which has most of what the client says."""
    return Place(name, 20, "developer")


def budget(name: str) -> Place:
    return Place(name, BUDGET, "developer")


def user_context(name: str) -> Place:
    return Place(name, USER_CONTEXT, "user")


def prompt(name: str) -> Place:
    return Place(name, PROMPT, "user")
