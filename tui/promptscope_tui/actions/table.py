"""The one table of what a user can do, `actions.json`: it feeds bindings, footer, help, palette and README."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

Owner: TypeAlias = str
"""What carries an action out: the app, a screen, a widget, or a controller of the main screen.

`cursor`: the prompt and every list.
"""


class Action(Struct, frozen=True):
    """One thing to do, with the keys as Textual names them, comma-separated.

    Its `owner` has the method `action_<id>`, or what `run` says instead. With scope `screen` the keys work anywhere on
    the main screen, with `focus` while the owner has the keys. `footer` is its word in the footer, unless the pane has
    another one; `palette` its entry in the command palette (`noun: Verb`). Without them it is not there. `help` is for
    everything else. Without `keys` it is in the palette alone. `rank` is the place among what is used most, from 1; 0
    for all else.
    """

    id: str
    keys: str
    owner: Owner
    help: str
    group: str
    palette: str = ""
    footer: str = ""
    run: str = ""
    scope: Literal["screen", "focus"] = "screen"
    rank: int = 0

    @property
    def call(self) -> str:
        """The action as its owner runs it."""
        return self.run or self.id

    @property
    def shown_keys(self) -> str:
        """The keys as a person reads them."""
        return " ".join(map(show_key, filter(None, self.keys.split(","))))


_DATA = json.loads(Path(__file__).with_name("actions.json").read_text(encoding="utf-8"))


def show_key(key: str) -> str:
    """`ctrl+p` as `^p`, `slash` as `/`."""
    modifier, _, rest = key.rpartition("+")
    shown = str(_DATA["keys"].get(rest, rest))
    return {"ctrl": f"^{shown}", "shift": f"⇧{shown}", "": shown}.get(modifier, f"{modifier}+{shown}")


ACTIONS: tuple[Action, ...] = tuple(
    Action(group=group, **row) for group, rows in _DATA["actions"].items() for row in rows
)
"""In the order of the help."""

BY_ID = {action.id: action for action in ACTIONS}


def groups(actions: Iterable[Action] = ACTIONS) -> dict[str, tuple[Action, ...]]:
    """The actions by group, in the table's order."""
    found: dict[str, tuple[Action, ...]] = {}
    for action in actions:
        found[action.group] = (*found.get(action.group, ()), action)
    return found


HINT: Mapping[str, str] = _DATA["hint"]
"""What the line of a first start says of some actions, the first ones on a narrow screen."""


def footer(pane: str, actions: Sequence[Action]) -> Iterator[tuple[Action, str]]:
    """The actions that a pane's footer offers, each with its word there.

    First come the pane's own, in the order of what one would want to do there, then what is used most, then the others
    that have a word in the table. The footer of a screen over the main one has its own alone.
    """
    end = _DATA["footer_end"].get(pane)
    own = {**_DATA["footer"].get(pane, {}), **(end or {})}
    by_id = {action.id: action for action in actions}
    yield from ((by_id[id], words) for id, words in own.items() if id in by_id)
    if end is None:
        others = [*most_used(actions), *(action for action in actions if not action.rank)]
        yield from ((action, action.footer) for action in others if action.footer and action.id not in own)


def most_used(actions: Iterable[Action]) -> list[Action]:
    """The actions that are used most, in their order."""
    return sorted((action for action in actions if action.rank), key=lambda action: action.rank)
