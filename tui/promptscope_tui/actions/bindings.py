"""The bindings of each screen and widget, from the table."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from .table import ACTIONS, Owner


def bindings(*owners: Owner) -> list[BindingType]:
    """What these owners bind. The main screen also binds what works everywhere on it, and passes it on."""
    return [
        Binding(
            action.keys,
            action.call if action.scope == "focus" else f"run('{action.id}')",
            action.help,
            show=False,
            # Before what a text field does with the key. No other key: it would overtake those typed before it.
            priority=action.scope == "focus" and action.owner in ("app", "picker"),
            tooltip=action.help,
            id=action.id,
        )
        for action in ACTIONS
        if (action.owner in owners if action.scope == "focus" else "main" in owners)
    ]
