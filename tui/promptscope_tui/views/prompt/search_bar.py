"""The search line, with the number of matches."""

from __future__ import annotations

from textual import on
from textual.containers import Horizontal
from textual.widgets import Input, Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.widgets.line_input import LineInput
from promptscope_tui.widgets.messages import Noted

from .view import PromptView


class SearchBar(Horizontal):
    """Searches as one types; the arrows go from match to match, enter goes into the prompt, escape leaves."""

    BINDINGS = bindings("search")

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

    @property
    def _prompt(self) -> PromptView:
        return self.screen.query_one(PromptView)

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    async def action_search(self) -> None:
        """Show the line over the prompt and take the keys."""
        await self.run_action("screen.show_tab('prompt')")
        self.add_class("-open")
        if not self.query(Input):  # mounted with the first search: inputs take long to style
            line = LineInput(placeholder="search the whole prompt", entered=self._entered)
            await self.mount(Static("/", id="search-mark"), line, Static("", id="search-count", markup=False))
        self._prompt.begin_search()
        self.screen.set_focus(self.query_one(Input))  # at once: the next key is meant for it

    def leave(self, *, keep: bool) -> None:
        """Back to the prompt; its matches stay marked with `keep`."""
        if not keep:
            self._prompt.clear_search()
            self.remove_class("-open")
        if self.has_focus_within:
            self.screen.set_focus(self._prompt)  # at once: the next key is meant for it

    def count(self) -> None:
        """Say which match is shown."""
        position, matches = self._prompt.search_position
        words = "" if not self.query_one(Input).value else "no match" if not matches else f"{position} of {matches}"
        self.query_one("#search-count", Static).update(words)

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Search with every letter."""
        event.stop()
        self._prompt.search(event.value)
        self.count()

    def _entered(self, typed: str) -> None:
        """Go into the prompt with the matches marked."""
        self.leave(keep=bool(typed))

    def action_step(self, by: int) -> None:
        """To the next match (1) or the previous one (-1)."""
        if not self._prompt.search_position[1]:
            self.post_message(Noted("no match to go to" if self.is_open else "/ searches first", error=True))
            return
        self._prompt.step_match(by)
        self.count()

    def action_close(self) -> None:
        """Leave the search."""
        self.leave(keep=False)
