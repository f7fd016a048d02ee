"""The capture that is open beside the prompt: its views, and how far the prediction was from it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.session.intents import GoTo
from promptscope_tui.session.sent import Sent, View, view_of
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.unavailable import unavailable_actions
from promptscope_tui.views.bars.tabs import VIEWS
from promptscope_tui.views.subjects import ToolSubject

if TYPE_CHECKING:
    from .main import MainScreen

# What reads and compares captures is imported where one is open: the first frame has none.


class SentViews:
    """What the main screen does with a capture. It stays open until another one is opened."""

    def __init__(self, main: MainScreen) -> None:
        self._main = main
        self._sent: Sent | None = None
        self._predictions: dict[tuple[str, int], Scenario] = {}
        self._verified: object = None  # what the bar's summary was computed of
        self._arriving: tuple[View, str, str] | None = None  # where to go once that view is shown

    @property
    def view(self) -> View | None:
        """What of the open capture is shown."""
        return view_of(self._sent, self._main.snapshot)

    @property
    def shown(self) -> Sent | None:
        """The request of which something is shown; None while the prompt has nothing to do with a capture."""
        return self._sent if self.view is not None else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The bar follows what is shown; a capture that is shown is open."""
        main, scenario, assembly = self._main, snapshot.scenario, snapshot.assembly
        if scenario.capture is not None and assembly is not None and assembly.agent.startswith(OBSERVED):
            self._follow(scenario.capture, scenario.params.get("request", 0))
        main.sent_bar.sent, main.sent_bar.view = self._sent, self.view
        main.status.has_views = self.shown is not None and self.shown.agent is not None
        if snapshot.counted and not snapshot.error:
            self._verify()
            if self._arriving is not None and self._arriving[0] == self.view:
                (_, part, text), self._arriving = self._arriving, None
                main.call_after_refresh(self._arrive, part, text)

    def _follow(self, capture: str, number: int) -> None:
        if (sent := self._read(capture, number)) is None:
            return
        if self._sent is None or (self._sent.path, self._sent.request.index) != (sent.path, sent.request.index):
            self._open(sent)

    def _read(self, path: str, number: int) -> Sent | None:
        """The request of a capture; what is wrong with the file becomes a note."""
        from promptscope_tui.session.differences import read_sent

        try:
            return read_sent(path, number, self._main.session.workspace.snapshot())
        except ScenarioError as error:
            self._main.note(str(error), error=True)
            return None

    def _open(self, sent: Sent) -> None:
        self._sent, self._main.sent_bar.summary = sent, ""

    def open(self, path: str, *, differences: bool = False) -> None:
        """Show a capture as it was sent, or its prediction and the differences between them."""
        from promptscope_tui.session.differences import observed

        main = self._main
        if (sent := self._read(str(Path(path).expanduser().absolute()), 0)) is None:
            return
        self._open(sent)
        if not differences or sent.agent is None:
            main.session.replace(observed(sent, main.snapshot.scenario))
        elif (prediction := self._prediction(sent)) is not None:
            main.session.replace(prediction)
            self._show_differences(sent, prediction)

    # --- from one view to another --------------------------------------------------------------------------------

    def next_view(self) -> None:
        """Predicted, sent, differences."""
        if self.shown is not None and self.shown.agent is not None and self.view is not None:
            self.show_view(VIEWS[VIEWS.index(self.view) + 1])
        else:
            self._say_lacking("views")

    def show_view(self, view: View) -> None:
        """One of the three."""
        from promptscope_tui.session.differences import observed

        main, sent = self._main, self.shown
        if sent is None or (view != "sent" and sent.agent is None):
            self._say_lacking("views")
            return
        if view == self.view:
            return
        if self.view == "predicted":
            self._predictions[sent.path, sent.request.index] = main.snapshot.scenario
        if view == "sent":
            main.session.replace(observed(sent, main.snapshot.scenario))
        elif (prediction := self._prediction(sent)) is None:
            return
        elif view == "predicted":
            main.session.replace(prediction)
        else:
            self._show_differences(sent, prediction)

    def _show_differences(self, sent: Sent, prediction: Scenario) -> None:
        from promptscope_tui.views.differences.screen import DifferencesScreen

        self._main.app.push_screen(DifferencesScreen(self._main.session, sent, prediction, self._leave_differences))

    def _leave_differences(self, view: View, part: str, text: str) -> None:
        """From the differences to a part in a view."""
        if view != self.view:
            self._arriving = (view, part, text) if part or text else None
            self.show_view(view)
        elif part or text:
            self._arrive(part, text)

    def _arrive(self, part: str, text: str) -> None:
        """To a part of the view that is shown: a tool, the section of this id, or the one with this text."""
        from promptscope_tui.session.differences import section_of

        main, assembly = self._main, self._main.snapshot.assembly
        kind, _, name = part.partition(".")
        if assembly is None:
            return
        if kind == "tools" and any(tool.name == name for tool in assembly.tools):
            main.go_to(GoTo("tools", ToolSubject(name)))
        elif any(section.id == part for section in assembly.sections):
            main.go_to(GoTo("prompt", part))
        elif found := section_of(text, assembly):
            main.go_to(GoTo("prompt", *found))
        else:
            main.note("its place was not found", error=True)

    def step(self, by: int) -> None:
        """To another request of the capture, as it was sent; after the last comes the first."""
        from promptscope_tui.session.differences import observed

        sent = self.shown
        if sent is None or len(sent.numbers) < 2:
            self._say_lacking("next_request")
            return
        number = sent.numbers[(sent.at - 1 + by) % len(sent.numbers)]
        if (other := self._read(sent.path, number)) is not None:
            self._main.session.replace(observed(other, self._main.snapshot.scenario))

    def _say_lacking(self, action: str) -> None:
        if assembly := self._main.snapshot.assembly:
            self._main.note(unavailable_actions(load_agent(assembly.agent), assembly, self.shown)[action])

    # --- the prediction ------------------------------------------------------------------------------------------

    def _prediction(self, sent: Sent) -> Scenario | None:
        """The scenario that is compared with a request: as it was left, else as the capture tells it."""
        key = sent.path, sent.request.index
        if key not in self._predictions:
            from promptscope_tui.session.differences import predicted

            try:
                self._predictions[key] = predicted(sent, self._main.session)
            except ScenarioError as error:
                self._main.note(str(error), error=True)
                return None
        return self._predictions[key]

    def _verify(self) -> None:
        """Compute how far the prediction was from what was sent, in a thread; once for each two of them."""
        sent, view = self.shown, self.view
        if sent is None or sent.agent is None or (prediction := self._prediction(sent)) is None:
            return
        against = self._main.snapshot.assembly if view == "predicted" else prediction
        if self._verified == (sent.path, sent.request.index, against):
            return
        self._verified = (sent.path, sent.request.index, against)
        find = partial(self._find_summary, sent, prediction)
        self._main.run_worker(find, thread=True, exclusive=True, group="verify")

    def _find_summary(self, sent: Sent, prediction: Scenario) -> None:
        from promptscope_tui.session.differences import find_differences
        from promptscope_tui.views.differences.rows import summary

        try:
            words = summary(find_differences(sent, self._main.session, prediction).verification)
        except ScenarioError as error:
            words = str(error)
        if not get_current_worker().is_cancelled:
            self._main.app.call_from_thread(self._summarize, sent, words)

    def _summarize(self, sent: Sent, words: str) -> None:
        if self._sent is sent:
            self._main.sent_bar.summary = words
