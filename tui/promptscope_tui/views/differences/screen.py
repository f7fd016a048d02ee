"""What was sent against the prediction: the parts at the left, their text at the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import on
from textual.widgets import Static
from textual.worker import get_current_worker

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.differences import Differences, find_differences
from promptscope_tui.session.sent import Sent, View
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row, Span, paragraph, row
from promptscope_tui.views.compare.screen import BESIDE
from promptscope_tui.widgets.row_list import RowList
from promptscope_tui.widgets.split_view import SplitView

from .rows import DifferenceKey, PartKey, RestKey, copied, detail_rows, difference_rows, title_of

Leave = Callable[[View, str, str], None]
"""Goes to a view, there to the part of this id, which was sent with this text; without an id only to the view."""


class DifferencesScreen(SplitView):
    """The comparison with a request that was captured; it follows the prompt."""

    title_words = "PREDICTED → SENT"
    pane = "differences"
    BINDINGS = bindings("differences")

    def __init__(self, session: Session, sent: Sent, prediction: Scenario, leave: Leave) -> None:
        """`prediction` is compared while no prediction is shown."""
        super().__init__()
        self._session, self._sent, self._prediction, self._leave = session, sent, prediction, leave
        self.found: Differences | None = None
        self.beside: bool | None = None
        """Whether texts stand side by side; None: as there is room."""
        self._key: DifferenceKey | None = None

    def on_mount(self) -> None:
        """Compute it in a thread: it takes half a second."""
        self._title()
        self.choices.show(lambda _: [row(Span("… computing", "dim"))])
        self._compute()

    def renew(self, _: Snapshot) -> None:
        """The prompt changed."""
        self._compute()

    def _title(self) -> None:
        header = self._sent.capture.header
        name = f"{header.agent} {header.agent_version or ''}".strip()
        result = self.found.verification if self.found else None
        self.query_one("#lists-title", Static).update(visible(title_of(result, name)))

    def _compute(self) -> None:
        self.run_worker(self._find, thread=True, exclusive=True)

    def _find(self) -> None:
        try:
            found: Differences | ScenarioError = find_differences(self._sent, self._session, self._prediction)
        except ScenarioError as error:
            found = error
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._show, found)

    def _show(self, found: Differences | ScenarioError) -> None:
        if isinstance(found, ScenarioError):
            self.found, words = None, str(found)
            self.choices.show(lambda _: [paragraph(Span(f"✗ {words}", "error"))])
            self.shown.show(lambda _: [])
            return
        kept = self.found is not None
        self.found = found
        self._title()
        self.choices.show(lambda _: difference_rows(found), keep=kept)
        key = self.choices.key
        self._key = key if isinstance(key, PartKey | RestKey) else None
        self._show_text(keep=kept)

    def _show_text(self, *, keep: bool = False) -> None:
        if self.found is not None:
            self.shown.show(partial(self._rows, self.found, self._key), keep=keep)

    def _rows(self, found: Differences, key: DifferenceKey | None, width: int) -> list[Row]:
        return detail_rows(found, key, width, beside=self.is_beside)

    @property
    def is_beside(self) -> bool:
        """Whether texts stand side by side."""
        return self.size.width >= BESIDE if self.beside is None else self.beside

    @on(RowList.Highlighted, "#choices")
    def highlighted(self, event: RowList.Highlighted) -> None:
        """Another part."""
        event.stop()
        if isinstance(event.key, PartKey | RestKey) and event.key != self._key:
            self._key = event.key
            self._show_text()

    @on(RowList.Chosen, "#choices")
    def chosen(self, event: RowList.Chosen) -> None:
        """To the text."""
        event.stop()
        self.shown.focus()

    # --- actions -------------------------------------------------------------------------------------------------

    def action_beside(self) -> None:
        """Side by side, or unified."""
        self.beside = not self.is_beside
        self._show_text(keep=True)
        self.note("side by side" if self.beside else "unified")

    def action_go_to(self, view: View) -> None:
        """To the part in the prediction, or in what was sent."""
        found = self.found
        if found is None:
            return
        match self._key:
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
            self.copy(copied(self.found, self._key))
