"""The footer: the main keys, and what was just done."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from promptscope_tui.actions.table import ACTIONS, Action
from promptscope_tui.text.spans import Span, Tone

from .line_bar import LineBar, Part, part, width_of_parts


class StatusBar(LineBar):
    """Keys from the table of actions, as many as fit; a note on the last action at the right."""

    DEFAULT_CSS = "StatusBar { background: $panel; padding: 0 1; }"

    note: reactive[str] = reactive("")
    """What was just done; it stays until the next action."""

    tone: reactive[Tone] = reactive("dim")
    """The tone of the note."""

    def parts(self, width: int) -> tuple[list[Part], list[Part]]:
        """The keys, then the note."""
        right = [part(Span(self.note, self.tone))] if self.note else []
        actions: Sequence[Action] = getattr(self.app, "actions", ACTIONS)
        help_entry = next(_entry(action) for action in actions if action.id == "help")
        room = width - width_of_parts([*right, help_entry]) - 2
        left: list[Part] = []
        for action in actions:
            if action.footer and action.id != "help":
                entry = _entry(action)
                if width_of_parts([*left, entry]) > room:
                    break
                left.append(entry)
        return [*left, help_entry], right


def _entry(action: Action) -> Part:
    key = action.shown_keys.partition(" ")[0]
    return part(Span(key, "accent"), Span(f" {action.footer}", "dim"), "  ", action=action.id)
