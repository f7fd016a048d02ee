"""A list to choose from, filtered by what is typed."""

from collections.abc import Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.spans import Row, Span, paragraph, row
from promptscope_tui.text.words import contains

from .line_input import LineInput
from .row_list import ChoiceList, RowList

_NOTHING = Span("")


class Option(Struct, frozen=True):
    """One thing to choose. The value is shown as `label`, followed by a detail, with `right` at the edge."""

    value: str
    detail: str = ""
    right: Span = _NOTHING
    label: str = ""


ResultT = TypeVar("ResultT")


class TypedChoice(ModalScreen[ResultT]):
    """A line over a list: every letter filters the list, in which the arrows move; enter and a click choose."""

    BINDINGS = bindings("dialog", "picker")
    typed = ""
    """What the list is filtered by."""

    @property
    def choices(self) -> RowList:
        """The list, the first one of the screen."""
        return self.query(RowList).first()

    def filter(self, typed: str) -> None:
        """Show what has all words of what was typed."""
        raise NotImplementedError

    def take(self, typed: str, key: Hashable) -> None:
        """Take the highlighted row, or what was typed if there is none."""
        raise NotImplementedError

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """Filter with every letter."""
        self.typed = event.value
        self.filter(event.value)

    def entered(self, typed: str) -> None:
        """Take what is highlighted once all letters are taken into account: the last ones may not be announced yet."""
        if typed != self.typed:
            self.typed = typed
            self.filter(typed)
        self.take(typed, self.choices.key)

    @on(RowList.Chosen)
    def choose(self, event: RowList.Chosen) -> None:
        """A click takes the row."""
        event.stop()
        self.take("", event.key)

    def action_step(self, by: int) -> None:
        """Up or down in the list while typing."""
        self.choices.action_move(by)


class Picker(TypedChoice[str | None]):
    """Gives the chosen value, or None. With `free`, anything typed can be chosen too."""

    CSS_PATH = Path(__file__).with_name("picker.tcss")

    def __init__(
        self, title: str, options: Sequence[Option], current: str | None, *, free: bool = False, empty: str = "none yet"
    ) -> None:
        """`empty` says what would fill the list where there are no options."""
        super().__init__()
        self._title, self._options, self._current, self._free = title, options, current, free
        self._empty = empty

    def compose(self) -> ComposeResult:
        """The title, the line, the list."""
        with Vertical(id="picker"):
            yield Static(self._title, id="picker-title", markup=False)
            yield LineInput(placeholder="type a name" if self._free else "type to filter", entered=self.entered)
            yield ChoiceList(id="picker-list")

    def on_mount(self) -> None:
        """Start on the current value."""
        self.offer(self._options)

    def offer(self, options: Sequence[Option]) -> None:
        """Show these options instead, under what was typed so far."""
        self._options = options
        self.query_one("#picker-list", RowList).styles.height = max(min(len(options), 16), 1)
        self.filter(self.typed)
        rows = self.choices
        self.call_after_refresh(rows.once_laid_out, partial(rows.go_to, self._current))

    def filter(self, typed: str) -> None:
        """Show the options that have all words of what was typed."""
        found = [each for each in self._options if contains(f"{each.label or each.value} {each.detail}", typed)]
        hint = f"enter uses {typed!r}" if self._free and typed else "no match" if self._options else self._empty
        none = paragraph(Span(hint, "dim"))
        self.choices.show(lambda _: [self._row(o) for o in found] or [none], keep=False)

    def _row(self, option: Option) -> Row:
        on = option.value == self._current
        return row(
            Span("◉ " if on else "○ ", "accent" if on else "faint"),
            Span(option.label or option.value),
            Span(f"  {option.detail}", "dim"),
            right=[option.right],
            key=option.value,
        )

    def take(self, typed: str, key: Hashable) -> None:
        """Take the highlighted value, or what was typed, if that is allowed."""
        if key is not None:
            self.dismiss(str(key))
        elif self._free and typed.strip():
            self.dismiss(typed.strip())
