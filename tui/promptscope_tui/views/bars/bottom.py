"""The lines at the bottom: notes, the keys that work now with what was just done, and the hint at the first start."""

from collections.abc import Sequence

from textual.app import RenderResult
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from promptscope_tui.actions.table import ACTIONS, HINT, Action, Owner, footer
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Span, Tone, width_of
from promptscope_tui.text.wrap import wrap
from promptscope_tui.widgets.line_bar import BarPart, LineBar, fitting, key_part, part, width_of_parts

_MOST = 4
"""Lines that are shown."""


class Note(Static):
    """Covers what is behind it while the note is shown, so that nothing moves.

    It never covers the row under the cursor: often the note is about what was done there.
    """

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)

    def say(self, words: str, tone: Tone, width: int, cursor: range) -> None:
        """Show the note in a screen of `width` cells; "" hides it.

        `cursor`: the lines of the row under the cursor, counted from the footer up, from 1.
        """
        self.set_class(bool(words), "-shown")
        self.set_class(tone == "error", "-error")
        if not words:
            return
        rows = wrap(visible(words), max(width - self.gutter.width, 1))
        lines = []
        for line, nth in map(rows.locate, range(min(rows.rows, _MOST))):
            start, end = rows.span(line, nth)
            lines.append(rows.lines[line][start:end].rstrip())
        above = cursor.stop - 1 if cursor and cursor.start <= len(lines) else 0
        self.styles.margin = (0, 0, 1 + above, 0)
        self.update("\n".join(lines))


COLUMNS, LINES = 40, 10


class TooSmall(Widget):
    """Says how many cells are needed. The screen's classes show it."""

    def on_resize(self) -> None:
        """The words name the size."""
        self.refresh()

    def render(self) -> RenderResult:
        """The words."""
        size = self.app.size
        return f"promptscope needs\n{COLUMNS} × {LINES} cells;\nthis terminal has {size.width} × {size.height}"


class StatusBar(LineBar):
    """Keys from the table of actions, as many as fit: first those of the pane that has the keys.

    A note on the last action is at the right if there is room for it.
    """

    DEFAULT_CSS = "StatusBar { background: $panel; padding: 0 1; }"

    note: reactive[str] = reactive("")
    """What was just done."""

    tone: reactive[Tone] = reactive("dim")
    """The tone of the note."""

    owners: reactive[frozenset[Owner]] = reactive(frozenset({"cursor", "prompt"}))
    """What has the keys now, as the table of actions calls it."""

    pane: reactive[str] = reactive("prompt")
    """The id of the pane that has the keys, "" for a line that is typed in."""

    idle: reactive[frozenset[str]] = reactive(frozenset())
    """The ids of the actions that would do nothing now."""

    typing: reactive[bool] = reactive(False)
    """Whether letters are text now."""

    has_views: reactive[bool] = reactive(False)
    """Whether a capture is open that can be compared with a prediction."""

    def parts(self, width: int) -> tuple[list[BarPart], list[BarPart]]:
        """The keys, then the note."""
        left = self._keys(width)
        return left, [part(Span(self.note, self.tone))] if self._has_room(width_of_parts(left), width) else []

    @property
    def holds_note(self) -> bool:
        """Whether the note, if there is one, is shown here."""
        return not self.note or self._has_room(width_of_parts(self._keys(self.size.width)), self.size.width)

    def _has_room(self, keys: int, width: int) -> bool:
        return bool(self.note) and keys + 2 + width_of([Span(visible(self.note))]) <= width

    def _keys(self, width: int) -> list[BarPart]:
        actions: Sequence[Action] = getattr(self.app, "actions", ACTIONS)
        last = [key_part(action, action.footer) for action in actions if action.id == "help" and not self.typing]
        keys = [
            key_part(action, words)
            for action, words in footer(self.pane, actions)
            if action.id != "help" and action.id not in self.idle and self._acts(action)
        ]
        return fitting(keys, last, width)

    def _acts(self, action: Action) -> bool:
        """Whether the action's key means it where the keys go now."""
        if action.scope == "focus":
            return action.owner in self.owners or action.owner == "app"
        if action.id == "views" and not self.has_views:
            return False
        return not self.typing and (action.id != "back" or "prompt" not in self.owners)


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
        *some, last = [part(Span(keys[id], "accent"), f" {words}   ", action=id) for id, words in HINT.items()]
        return fitting(some, [last], width), []
