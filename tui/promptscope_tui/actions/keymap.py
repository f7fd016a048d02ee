"""The actions with the keys that the user gave them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from .table import ACTIONS, Action


def with_keys(keymap: Mapping[str, str]) -> tuple[Action, ...]:
    """The table under a keymap: by the id of an action, its keys instead of those in the table.

    What is given to one action of the main screen is taken from the others there, as Textual does it.
    """
    taken = {key.strip() for id, keys in keymap.items() if _is_on_screen(id) for key in keys.split(",")}
    return tuple(
        replace(action, keys=_stripped(keymap[action.id]))
        if action.id in keymap
        else replace(action, keys=_without(action, taken))
        for action in ACTIONS
    )


def _is_on_screen(id: str) -> bool:
    return any(action.id == id and action.scope == "screen" for action in ACTIONS)


def _stripped(keys: str) -> str:
    return ",".join(key.strip() for key in keys.split(","))


def _without(action: Action, taken: set[str]) -> str:
    if action.scope != "screen":
        return action.keys
    return ",".join(key for key in action.keys.split(",") if key not in taken)
