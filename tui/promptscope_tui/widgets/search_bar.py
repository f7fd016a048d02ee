"""The line in which a search is typed, and how many matches it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static


class SearchBar(Horizontal):
    """Searches while one types; enter and the arrows go from match to match, escape leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "step(1)", show=False),
        Binding("up", "step(-1)", show=False),
        Binding("escape", "close", show=False),
    ]

    DEFAULT_CSS = """
    SearchBar {
        display: none;
        height: 1;
        background: $panel;
        padding: 0 1;
        & > #search-mark { width: 2; color: $primary; }
        & > Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
        & > #search-count { width: auto; color: $tone-dim; }
        &.-open { display: block; }
    }
    """

    @dataclass
    class Typed(Message):
        """The term changed."""

        term: str

    @dataclass
    class Step(Message):
        """To the next match (1) or the previous one (-1)."""

        by: int

    @dataclass
    class Closed(Message):
        """The search was left; `keep` tells whether its matches stay marked."""

        keep: bool

    def compose(self) -> ComposeResult:
        """A mark, the line, the count."""
        yield Static("/", id="search-mark")
        yield Input(placeholder="search in the whole prompt", compact=True)
        yield Static("", id="search-count", markup=False)

    @property
    def term(self) -> str:
        """What was typed."""
        return self.query_one(Input).value

    def open(self) -> None:
        """Show the line and take the keys."""
        self.add_class("-open")
        self.query_one(Input).focus()

    def close(self) -> None:
        """Hide the line."""
        self.remove_class("-open")

    def count(self, position: int, matches: int) -> None:
        """Say which match is shown."""
        words = "" if not self.term else "no match" if not matches else f"{position} of {matches}"
        self.query_one("#search-count", Static).update(words)

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Search with every letter."""
        event.stop()
        self.post_message(self.Typed(event.value))

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Enter goes into the prompt with the matches marked."""
        event.stop()
        self.post_message(self.Closed(keep=bool(event.value)))

    def action_step(self, by: int) -> None:
        """Another match."""
        self.post_message(self.Step(by))

    def action_close(self) -> None:
        """Leave the search."""
        self.post_message(self.Closed(keep=False))
