"""The search line, with the number of matches."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.widgets.line_input import FindBar
from promptscope_tui.widgets.messages import Noted

from .view import PromptView


class SearchBar(FindBar):
    """Searches as one types; the arrows go from match to match, enter goes into the prompt, escape leaves."""

    BINDINGS = bindings("search")
    placeholder = "search the whole prompt"

    @property
    def _prompt(self) -> PromptView:
        return self.screen.query_one(PromptView)

    async def action_search(self) -> None:
        """Show the line over the prompt and take the keys."""
        await self.run_action("screen.show_tab('prompt')")
        self._prompt.begin_search()
        await self.show_line()

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
        self.say_count("" if not self.query_one(Input).value else f"{position} of {matches}" if matches else "no match")

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        """Search with every letter."""
        event.stop()
        self._prompt.search(event.value)
        self.count()

    def action_step(self, by: int) -> None:
        """To the next match (1) or the previous one (-1)."""
        if not self._prompt.search_position[1]:
            self.post_message(Noted("no match to go to" if self.is_open else "/ searches first", error=True))
            return
        self._prompt.step_match(by)
        self.count()
