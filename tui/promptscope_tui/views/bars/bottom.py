"""The lines at the bottom: what was assumed, the keys that work now with what was just done, the first hint."""

from collections.abc import Sequence

from textual.reactive import reactive

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.actions.table import ACTIONS, HINT, Action, Owner, footer
from promptscope_tui.session.snapshot import ApplyLevers
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Span, Tone, width_of
from promptscope_tui.text.words import assumptions
from promptscope_tui.widgets.line_bar import BarPart, LineBar, fitting, key_part, part, width_of_parts
from promptscope_tui.widgets.messages import Requested


class AssumedBar(LineBar, can_focus=True):
    """`assumed: interactive, trusted   enter the untrusted start`."""

    DEFAULT_CSS = """
    AssumedBar { display: none; padding: 0 1; }
    AssumedBar.-shown { display: block; }
    AssumedBar:focus { background: $boost; }
    """
    BINDINGS = bindings("assumed")

    assembly: reactive[Assembly | None] = reactive(None, always_update=True)
    """What is shown."""

    def show(self, assembly: Assembly) -> None:
        """Show what was assumed of an assembly, unless that is shown."""
        if self.assembly is None or assembly.assumed != self.assembly.assumed:
            self.assembly = assembly

    def watch_assembly(self, assembly: Assembly | None) -> None:
        """Without an assumption there is nothing to say."""
        self.set_class(bool(assembly and assembly.assumed), "-shown")

    def parts(self, _: int) -> tuple[list[BarPart], list[BarPart]]:
        """The assumptions, and how to see the opposite of the last one."""
        if self.assembly is None or not self.assembly.assumed:
            return [], []
        start = "untrusted" if self.assembly.assumed[-1].text == "trusted" else "headless"
        keys = part(Span("   enter", "accent"), Span(f" the {start} start", "dim"), action="opposite")
        return [part(Span(assumptions(self.assembly), "dim")), keys], []

    def action_opposite(self) -> None:
        """Show the start without the last assumption."""
        if self.assembly and self.assembly.assumed:
            self.post_message(Requested(ApplyLevers(self.assembly.assumed[-1].otherwise)))

    async def act(self, _: str) -> None:
        """A click does the same."""
        self.action_opposite()


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
