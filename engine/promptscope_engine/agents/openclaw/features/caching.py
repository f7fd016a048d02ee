"""What stays cached of a session's requests, from the order and stability of the sections.

Each attempt builds the system prompt anew; bootstrap files are kept until the session is reset (specs/openclaw.md 4),
and so is the listing of skills [recorded: the session's file holds it].
"""

from __future__ import annotations

from promptscope_engine.agents.kit.caching import Effect, Event

_FIXED: Effect = ("kept", "fixed text")
_KEPT: Effect = ("kept", "built anew from what the session keeps: files and skills as they were at its start")
_TURN: Effect = ("computed", "belongs to the message")

EVENTS: dict[str, Event] = {
    "attempt": Event("the next attempt", {"static": _FIXED, "session": _KEPT, "turn": _TURN}),
    "compact": Event(
        "a compaction",
        {"static": _FIXED, "session": _KEPT, "turn": ("computed", "the history begins anew, with a summary")},
    ),
    "reset": Event(
        "/new or /reset",
        {
            "static": _FIXED,
            "session": ("computed", "files are read and skills are listed again; the same where nothing changed"),
            "turn": _TURN,
        },
    ),
}
