"""The line that is shown at the first start only: the keys to begin with."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from promptscope_tui.actions.table import ACTIONS, Action
from promptscope_tui.text.spans import Span

from .line_bar import BarPart, LineBar, part, width_of_parts

_WORDS = {
    "help": "explains what is under the cursor",
    "fold": "folds",
    "why": "says why it is there",
    "search": "searches",
    "agent": "another agent",
    "back": "hides this line",
}
"""What is said of each action, the first ones on a narrow screen."""


class Hint(LineBar):
    """`? explains what is under the cursor   space folds   …`, as much as fits."""

    DEFAULT_CSS = "Hint { background: $boost; padding: 0 1; }"

    confirmed: reactive[bool] = reactive(True)
    """False in a frame that is kept for the next start, which has no hint."""

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The parts."""
        if not self.confirmed:
            return [], []
        actions: Sequence[Action] = getattr(self.app, "actions", ACTIONS)
        keys = {action.id: action.shown_keys.partition(" ")[0] for action in actions}
        *some, last = [part(Span(keys[id], "accent"), f" {words}   ", action=id) for id, words in _WORDS.items()]
        while some and width_of_parts([*some, last]) > width:
            some.pop()
        return [*some, last], []
