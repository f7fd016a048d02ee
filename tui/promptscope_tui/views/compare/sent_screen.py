"""What was sent against the prediction: the parts at the left, their text at the right."""

from collections.abc import Callable, Hashable

from textual.widgets import Static

from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.differences import Differences, find_differences
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Sent, View
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row
from promptscope_tui.widgets.split_view import TextsScreen

from .sent_rows import PartKey, RestKey, copied, detail_rows, difference_rows, title_of

Leave = Callable[[View, str, str], None]
"""Goes to a view, there to the part of this id, which was sent with this text; without an id only to the view."""


class DifferencesScreen(TextsScreen[Differences]):
    """The comparison with a request that was captured; it follows the prompt."""

    title_words = "PREDICTED → SENT"
    pane = "differences"
    BINDINGS = bindings("differences")

    def __init__(self, session: Session, sent: Sent, prediction: Scenario, leave: Leave) -> None:
        """`prediction` is compared while no prediction is shown."""
        super().__init__(session)
        self._sent, self._prediction, self._leave = sent, prediction, leave

    def on_mount(self) -> None:
        """Name the agent."""
        self._title()

    def _title(self) -> None:
        header = self._sent.capture.header
        name = f"{header.agent} {header.agent_version or ''}".strip()
        result = self.found.verification if self.found else None
        self.query_one("#lists-title", Static).update(visible(title_of(result, name)))

    def find(self) -> Differences:
        """Compare the prediction with what was sent."""
        return find_differences(self._sent, self._session, self._prediction)

    def show_found(self, found: Differences) -> None:
        """Show the parts."""
        super().show_found(found)
        self._title()

    def choice_rows(self, found: Differences, _: int) -> list[Row]:
        """The parts by verdict."""
        return difference_rows(found)

    def detail_rows(self, found: Differences, key: Hashable, width: int) -> list[Row]:
        """The part, or what the marks mean."""
        return detail_rows(found, key, width, beside=self.is_beside)

    # --- actions -------------------------------------------------------------------------------------------------

    def action_go_to(self, view: View) -> None:
        """To the part in the prediction, or in what was sent."""
        found = self.found
        if found is None:
            return
        match self.under_cursor:
            case PartKey(at):
                part = found.verification.parts[at]
                lacks = {"not sent": "sent", "not predicted": "predicted"}.get(part.verdict)
                if lacks == view:
                    self.note(f"it was {part.verdict}", error=True)
                    return
                id, text = part.id, found.texts[part.id].sent
            case RestKey(at):
                place = found.verification.unexplained[at]
                if view == "predicted":
                    self.note("it was not predicted", error=True)
                    return
                tool = found.content.tools[place.index].name if place.channel == "tools" else ""
                id, text = f"tools.{tool}" if tool else "", found.text_of(place)
            case _:
                return
        self.dismiss()
        self._leave(view, id, text)

    def action_next_view(self) -> None:
        """To the prediction."""
        self.dismiss()
        self._leave("predicted", "", "")

    def action_copy(self) -> None:
        """Copy the part under the cursor."""
        if self.found is not None:
            self.copy(copied(self.found, self.under_cursor))
