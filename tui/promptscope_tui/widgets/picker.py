"""A line to type in, and a list to choose from, filtered by what is typed."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.text.escape import visible
from promptscope_tui.text.nearest import nearest
from promptscope_tui.text.spans import Row, Span, paragraph, row

from .row_list import ChoiceList, RowList


class LineInput(Input):
    """Calls `entered` with the text on enter.

    An `Input` announces enter by a message, which reaches its owner only after the keys that were pressed next: typed
    fast or pasted, they would end up in the line.
    """

    def __init__(
        self, value: str = "", *, entered: Callable[[str], object], placeholder: str = "", id: str | None = None
    ) -> None:
        super().__init__(value, placeholder=placeholder, id=id, compact=True)
        self._entered = entered

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self._entered(self.value)


class FindBar(Horizontal):
    """A line for what to look for in a view: shown when it is opened, with what was found at its right."""

    placeholder = ""
    """What is said while nothing is typed."""

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    async def show_line(self) -> LineInput:
        """Show the line, and give it the keys."""
        self.add_class("-open")
        if not self.query(LineInput):  # mounted when it is first needed: inputs take long to style
            line = LineInput(placeholder=self.placeholder, entered=self.enter)
            await self.mount(Static("/", classes="mark"), line, Static("", classes="count", markup=False))
        line = self.query_one(LineInput)
        self.screen.set_focus(line)  # at once: the next key is meant for it
        return line

    def say_count(self, words: str) -> None:
        """Say at the right what was found."""
        self.query_one(".count", Static).update(words)

    def enter(self, typed: str) -> None:
        """Go into the view, which shows what was found."""
        self.leave(keep=bool(typed))

    def leave(self, *, keep: bool) -> None:
        """Give the keys back to the view; with `keep` it goes on showing what was found."""
        raise NotImplementedError

    def action_close(self) -> None:
        """Leave, and show the view as it was."""
        self.leave(keep=False)


Try = Callable[[str], str | None]
"""Tries to use the text; returns the problem, or None if it worked."""


class PromptLine(ModalScreen[str | None]):
    """Gives the accepted text, or None. It stays open and shows the problem while the text is not accepted."""

    CSS_PATH = Path(__file__).with_name("picker.tcss")
    BINDINGS = bindings("dialog")

    def __init__(self, title: str, value: str, attempt: Try) -> None:
        super().__init__()
        self._title, self._value, self._attempt = title, value, attempt

    def compose(self) -> ComposeResult:
        """The title, the line, the problem."""
        with Vertical(id="ask"):
            yield Static(self._title, id="ask-title", markup=False)
            yield LineInput(self._value, entered=self._try)
            yield Static("", id="ask-error", markup=False)

    def on_mount(self) -> None:
        """Start in the line."""
        self.query_one(LineInput).focus()

    def _try(self, typed: str) -> None:
        problem = self._attempt(typed)
        if problem is None:
            self.dismiss(typed)
        else:
            self.query_one("#ask-error", Static).update(visible(f"✗ {problem}"))


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
        rows = self.choices
        self.call_after_refresh(rows.once_laid_out, partial(rows.go_to, self._current))

    def offer(self, options: Sequence[Option]) -> None:
        """Show these options instead, under what was typed so far; the cursor stays on its option.

        What comes before the picker is laid out is shown with it, and what comes after it was left is dropped.
        """
        self._options = options
        if not self.query(RowList):
            return
        self.choices.styles.height = max(min(len(options), 16), 1)
        self.filter(self.typed, keep=True)

    def filter(self, typed: str, keep: bool = False) -> None:
        """Show the options that have all words of what was typed, the nearest first."""
        found = nearest(self._options, typed, lambda each: (each.label or each.value, each.detail))
        hint = f"enter uses {typed!r}" if self._free and typed else "no match" if self._options else self._empty
        none = paragraph(Span(hint, "dim"))
        self.choices.show(lambda _: [self._row(o) for o in found] or [none], keep=keep)

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
