"""The bindings of each screen and widget, from the table."""

from collections.abc import Mapping

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from .table import ACTIONS, Action, Owner


def bindings(*owners: Owner) -> list[BindingType]:
    """What these owners bind. The main screen also binds what works everywhere on it, and passes it on.

    What is in the palette alone has a key that no terminal sends: a keymap may give it another one.
    """
    return [
        Binding(
            action.keys or f"<{action.id}>",
            action.call if action.scope == "focus" else f"run('{action.id}')",
            action.help,
            show=False,
            # Before what a text field, or the row behind a note, does with the key. No other key: it would overtake
            # those typed before it.
            priority=action.scope == "focus" and action.owner in ("app", "picker", "note"),
            tooltip=action.help,
            id=action.id,
        )
        for action in ACTIONS
        if (action.owner in owners if action.scope == "focus" else "main" in owners)
    ]


def with_keys(keymap: Mapping[str, str]) -> tuple[Action, ...]:
    """The table under a keymap: by the id of an action, its keys instead of those in the table.

    What is given to one action of the main screen is taken from the others there, as Textual does it.
    """
    on_screen = {action.id for action in ACTIONS if action.scope == "screen"}
    taken = {key.strip() for id, keys in keymap.items() if id in on_screen for key in keys.split(",")}

    def keys_of(action: Action) -> str:
        if action.id in keymap:
            return ",".join(key.strip() for key in keymap[action.id].split(","))
        return ",".join(key for key in action.keys.split(",") if action.id not in on_screen or key not in taken)

    return tuple(replace(action, keys=keys_of(action)) for action in ACTIONS)
