"""Two prompts compared with each other: what differs at the left, its text at the right."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path

from textual.widgets import Static

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.insight.comparison import Comparison
from promptscope_engine.workspace.revision import Commit
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.comparing import (
    Choice,
    both_sides,
    compare_sides,
    find_commits,
    find_names,
    first_sides,
    side_choices,
    weigh,
)
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row, Span, signed
from promptscope_tui.widgets.messages import ask, in_thread
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
        self._asked = session.snapshot.scenario
        self._names: Sequence[str] = ()
        self._commits: Sequence[Commit] | None = None
        self._effects: dict[str, int | None] = {}
        """What each commit did to the prompt, by its id, as far as that is found out."""
        self._picker: Picker | None = None

    def find(self) -> Comparison:
        """Compare the sides."""
        self.sides = sides = self.sides or first_sides(self._session)
        self._names = self._names or find_names(self._session)
        return compare_sides(self._session, sides)

    def renew(self, snapshot: Snapshot) -> None:
        """Of another scenario a commit changes something else."""
        if snapshot.scenario is not self._asked:
            self._asked, self._commits, self._effects = snapshot.scenario, None, {}
        super().renew(snapshot)

    def show_found(self, found: Comparison) -> None:
        """Show what differs."""
        super().show_found(found)
        self._settle()

    def show_failure(self, words: str) -> None:
        """Say which side cannot be compared."""
        super().show_failure(words)
        self._settle()

    def _settle(self) -> None:
        """Name the sides; what else can be compared is found out only now."""
        self._title()
        if self._commits is None and self._names:
            self._commits = ()
            in_thread(self, partial(find_commits, self._session), self._know, "commits")

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
        title = f"COMPARE   {'ab'[at]}: {('before', 'after')[at]}   or git:REV, git:A..B, AGENT@VERSION, a file"
        self._picker = Picker(title, self._options(), self.sides[at], free=True)
        ask(self.app, self._picker, partial(self._choose_side, self.sides, at))
        self._weigh()

    def _choose_side(self, sides: tuple[str, str], at: int, text: str) -> None:
        self._compare(both_sides(text) or ((text, sides[1]) if at == 0 else (sides[0], text)))

    def _options(self) -> list[Option]:
        found = side_choices(self._session, self._state_folder(), self._names, self._commits or ())
        return [self._option(each) for each in found]

    def _option(self, choice: Choice) -> Option:
        weighs = choice.commit is not None and choice.commit.parent is not None
        right = signed(self._effects.get(choice.commit.id)) if choice.commit and weighs else Span("")
        return Option(choice.sides, choice.about, right, choice.label)

    def _know(self, found: Sequence[Commit] | ScenarioError) -> None:
        if not isinstance(found, ScenarioError):
            self._commits = found
            self._offer()

    def _offer(self) -> None:
        """Renew what is offered, and find out what is missing of it, as long as somebody looks at it."""
        if self._picker is not None and self._picker.is_attached:
            self._picker.offer(self._options())
            self._weigh()

    def _weigh(self) -> None:
        """Find out what the next commit did."""
        unknown = (each for each in self._commits or () if each.parent and each.id not in self._effects)
        if (commit := next(unknown, None)) is not None:
            then = partial(self._weighed, self._effects, commit.id)
            in_thread(self, partial(weigh, commit, self._session), then, "effects")

    def _weighed(self, effects: dict[str, int | None], commit: str, found: int | ScenarioError | None) -> None:
        effects[commit] = found if isinstance(found, int) else None
        self._offer()

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
