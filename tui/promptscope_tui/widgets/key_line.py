"""The footer of a screen over the main one: its keys, with their words there."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from promptscope_tui.actions.footer import footer
from promptscope_tui.actions.table import ACTIONS, BY_ID, Action
from promptscope_tui.text.spans import Span

from .line_bar import BarPart, LineBar, part, width_of_parts


class KeyLine(LineBar):
    """As many keys as fit; the last one, which closes the screen, always stands at the end."""

    DEFAULT_CSS = "KeyLine { background: $panel; padding: 0 1; }"

    idle: reactive[frozenset[str]] = reactive(frozenset())
    """The ids of the actions that would do nothing now."""

    def __init__(self, pane: str, *, id: str | None = None) -> None:
        """`pane` is the screen's name in footer.py."""
        super().__init__(id=id)
        self._pane = pane

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The keys."""
        actions: Sequence[Action] = getattr(self.app, "actions", ACTIONS)
        offered = [(action, words) for action, words in footer(self._pane, actions) if action.id not in self.idle]
        *entries, last = [_entry(action, words) for action, words in offered]
        found: list[BarPart] = []
        for entry in entries:
            if width_of_parts([*found, entry, last]) > width:
                break
            found.append(entry)
        return [*found, last], []

    async def act(self, id: str) -> None:
        """Run it on the screen, or on the list that has the keys."""
        action = BY_ID[id]
        await self.app.run_action(action.call, self.screen.focused if action.owner == "list" else self.screen)


def _entry(action: Action, words: str) -> BarPart:
    return part(Span(action.shown_keys.partition(" ")[0], "accent"), Span(f" {words}", "dim"), "  ", action=action.id)
