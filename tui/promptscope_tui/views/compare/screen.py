"""Two prompts compared with each other: what differs at the left, its text at the right."""

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path

from textual.widgets import Static

from promptscope_engine.insight.comparison import Comparison
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.comparing import compare_sides, first_sides, side_choices
from promptscope_tui.session.session import Session
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.messages import ask
from promptscope_tui.widgets.picker import Option, Picker
from promptscope_tui.widgets.split_view import TextsScreen

from .rows import change_rows, copied, detail_rows, title_of


class CompareScreen(TextsScreen[Comparison]):
    """The comparison of two sides; it follows the prompt."""

    title_words = "COMPARE"
    pane = "compare"
    BINDINGS = bindings("compare")

    def __init__(
        self, session: Session, state_folder: Callable[[], Path], sides: tuple[str, str] | None = None
    ) -> None:
        """`state_folder` tells where scenarios are saved; without `sides` they are what one most likely wants."""
        super().__init__(session)
        self._state_folder, self.sides = state_folder, sides
        self._offered: tuple[tuple[str, str], ...] = ()

    def find(self) -> Comparison:
        """Compare the sides."""
        self.sides = sides = self.sides or first_sides(self._session)
        self._offered = self._offered or tuple(side_choices(self._session, self._state_folder()))
        return compare_sides(self._session, sides)

    def show_found(self, found: Comparison) -> None:
        """Show what differs."""
        super().show_found(found)
        self._title()

    def show_failure(self, words: str) -> None:
        """Say which side cannot be compared."""
        super().show_failure(words)
        self._title()

    def _title(self) -> None:
        if self.sides:
            self.query_one("#lists-title", Static).update(visible(title_of(self.sides, self.found)))

    def choice_rows(self, found: Comparison, _: int) -> list[Row]:
        """What differs."""
        return change_rows(found)

    def detail_rows(self, found: Comparison, key: Hashable, width: int) -> list[Row]:
        """The change, or the comparison as a whole."""
        return detail_rows(found, key, width, beside=self.is_beside)

    # --- actions -------------------------------------------------------------------------------------------------

    def action_choose_side(self, at: int) -> None:
        """Choose what is before or after."""
        if self.sides is None:
            return
        home = absolute("~")
        options = [Option(text, detail, label=text.replace(home, "~")) for text, detail in self._offered]
        title = f"COMPARE   {'ab'[at]}: {('before', 'after')[at]}   also git:REV, AGENT@VERSION, or a file"
        ask(self.app, Picker(title, options, self.sides[at], free=True), partial(self._choose_side, self.sides, at))

    def _choose_side(self, sides: tuple[str, str], at: int, text: str) -> None:
        self._compare((text, sides[1]) if at == 0 else (sides[0], text))

    def _compare(self, sides: tuple[str, str]) -> None:
        self.sides, self.found = sides, None
        self._title()
        self.show_waiting()
        self.find_again()

    def action_swap(self) -> None:
        """The one side in place of the other."""
        if self.sides is not None:
            self._compare((self.sides[1], self.sides[0]))

    def action_copy(self) -> None:
        """Copy the change under the cursor."""
        if self.found is not None:
            self.copy(copied(self.found, self.under_cursor))
