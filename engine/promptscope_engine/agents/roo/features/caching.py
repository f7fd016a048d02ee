"""What stays cached of a task's requests, from the order and stability of the sections.

Each attempt at a request makes the system prompt anew, from the files as they are then (specs/roo.md 1).
"""

from __future__ import annotations

from promptscope_engine.agents.kit.caching import Effect, Event

_FIXED: Effect = ("kept", "fixed text")

EVENTS: dict[str, Event] = {
    "attempt": Event(
        "the next attempt",
        {
            "static": _FIXED,
            "session": ("kept", "made anew for each request: the same while files, mode and settings are"),
            "turn": ("kept", "the first message stays in the history; later ones bring details of their own"),
        },
    ),
    "mode": Event(
        "another mode",
        {
            "static": _FIXED,
            "session": ("computed", "the role, which stands first, is the mode's: nothing behind it begins alike"),
            "turn": ("kept", "the first message stays in the history"),
        },
    ),
    "task": Event(
        "a new task",
        {
            "static": _FIXED,
            "session": ("kept", "made anew for each request: the same while files, mode and settings are"),
            "turn": ("computed", "belongs to the task"),
        },
    ),
}
