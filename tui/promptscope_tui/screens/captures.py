"""The capture that is open beside the prompt: its views, and how well the prompt was predicted."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from promptscope_engine.agents.registry import OBSERVED, load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.workspace.paths import absolute
from promptscope_tui.session.differences import find_differences, observed, predicted, read_sent, section_of
from promptscope_tui.session.snapshot import GoTo, Sent, Snapshot, View, view_of
from promptscope_tui.session.unavailable import unavailable_actions
from promptscope_tui.session.versions import newer_than_known
from promptscope_tui.text.words import home_short, runs
from promptscope_tui.views.bars.top import VIEWS
from promptscope_tui.views.capture.screen import CaptureScreen
from promptscope_tui.views.compare.sent_rows import summary
from promptscope_tui.views.compare.sent_screen import DifferencesScreen
from promptscope_tui.views.subjects import ToolSubject
from promptscope_tui.widgets.messages import ask, in_thread

from .host import Host

T = TypeVar("T")


class Captures:
    """Opens captures and records them. A capture stays open until another one is opened."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._sent: Sent | None = None
        self._predictions: dict[tuple[str, int], Scenario] = {}
        self._verified: object = None  # what the bar's summary was computed from
        self._arriving: tuple[View, str, str] | None = None  # where to go once that view is shown

    @property
    def view(self) -> View | None:
        """The view of the open capture that is shown."""
        return view_of(self._sent, self._host.snapshot)

    @property
    def shown(self) -> Sent | None:
        """The request that is shown in some view; None while the prompt has nothing to do with a capture."""
        return self._sent if self.view is not None else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Update the bar, and open the capture that is shown."""
        host, scenario, assembly = self._host, snapshot.scenario, snapshot.assembly
        if scenario.capture is not None and assembly is not None and assembly.agent.startswith(OBSERVED):
            sent = self._read(scenario.capture, scenario.params.get("request", 0))
            if sent is not None and (self._sent is None or _key(self._sent) != _key(sent)):
                self._open(sent)
        host.sent_bar.sent, host.sent_bar.view = self._sent, self.view
        if snapshot.counted and not snapshot.error:
            self._verify()
            if self._arriving is not None and self._arriving[0] == self.view:
                (_, part, text), self._arriving = self._arriving, None
                host.call_after_refresh(self._arrive, part, text)

    def _or_note(self, find: Callable[[], T]) -> T | None:
        """What is found; an error becomes a note."""
        try:
            return find()
        except ScenarioError as error:
            self._host.note(str(error), error=True)
            return None

    def _read(self, path: str, number: int) -> Sent | None:
        return self._or_note(lambda: read_sent(path, number, self._host.session.workspace.snapshot()))

    def _open(self, sent: Sent) -> None:
        self._sent, self._host.sent_bar.summary = sent, ""

    def open(self, path: str, *, differences: bool = False) -> None:
        """Show a capture as it was sent, or its prediction and the differences between them."""
        if (sent := self._read(absolute(path), 0)) is not None:
            self._open(sent)
            if not differences or sent.agent is None:
                self._show_sent(sent)
            elif (prediction := self._prediction(sent)) is not None:
                self._host.session.replace(prediction)
                self._show_differences(sent, prediction)

    def _show_sent(self, sent: Sent) -> None:
        self._host.session.replace(observed(sent, self._host.snapshot.scenario))

    def action_capture(self) -> None:
        """Record the agent that is shown; then show its request beside the prediction."""
        host, assembly = self._host, self._host.snapshot.assembly
        if host.agent is None or assembly is None:
            return
        again = self.shown.capture.header.command if self.shown is not None else ()
        name = assembly.agent.removeprefix(OBSERVED)

        def recorded(path: str) -> None:
            self.open(path, differences=True)
            newer = self._newer(self._sent) if self._sent else ""
            host.note("; ".join(filter(None, (f"recorded in {home_short(path)}; o opens it again", newer))))

        ask(host.app, CaptureScreen(name, host.agent.name, assembly.workspace, again, runs(assembly)), recorded)

    # --- from one view to another --------------------------------------------------------------------------------

    def action_next_view(self) -> None:
        """Predicted, sent, differences: show the next of them."""
        if self.shown is not None and self.shown.agent is not None and self.view is not None:
            self.action_show_view(VIEWS[VIEWS.index(self.view) + 1])
        else:
            self._say_unavailable("views")

    def action_show_view(self, view: View) -> None:
        """Show one of the three views."""
        host, sent = self._host, self.shown
        if sent is None or (view != "sent" and sent.agent is None):
            self._say_unavailable("views")
            return
        if view == self.view:
            return
        if self.view == "predicted":
            self._predictions[_key(sent)] = host.snapshot.scenario
        if view == "sent":
            self._show_sent(sent)
        elif (prediction := self._prediction(sent)) is None:
            return
        elif view == "predicted":
            host.session.replace(prediction)
        else:
            self._show_differences(sent, prediction)

    def _show_differences(self, sent: Sent, prediction: Scenario) -> None:
        session = self._host.session
        self._host.app.push_screen(DifferencesScreen(session, sent, prediction, self._leave_differences))

    def _leave_differences(self, view: View, part: str, text: str) -> None:
        """Go from the differences to a part in a view."""
        if view != self.view:
            self._arriving = (view, part, text) if part or text else None
            self.action_show_view(view)
        elif part or text:
            self._arrive(part, text)

    def _arrive(self, part: str, text: str) -> None:
        """Go to a part of the view that is shown: a tool, the section with this id, or the one with this text."""
        host, assembly = self._host, self._host.snapshot.assembly
        kind, _, name = part.partition(".")
        if assembly is None:
            return
        if kind == "tools" and any(tool.name == name for tool in assembly.tools):
            host.go_to(GoTo("tools", ToolSubject(name)))
        elif any(section.id == part for section in assembly.sections):
            host.go_to(GoTo("prompt", part))
        elif found := section_of(text, assembly):
            host.go_to(GoTo("prompt", *found))
        else:
            host.note("its place was not found", error=True)

    def action_request(self, by: int) -> None:
        """Show another request of the capture as it was sent; after the last comes the first."""
        sent = self.shown
        if sent is None or not sent.numbers[1:]:
            self._say_unavailable("next_request")
            return
        number = sent.numbers[(sent.at - 1 + by) % len(sent.numbers)]
        if (other := self._read(sent.path, number)) is not None:
            self._show_sent(other)

    def _say_unavailable(self, action: str) -> None:
        if assembly := self._host.snapshot.assembly:
            self._host.note(unavailable_actions(load_agent(assembly.agent), assembly, self.shown)[action])

    # --- the prediction ------------------------------------------------------------------------------------------

    def _prediction(self, sent: Sent) -> Scenario | None:
        """The scenario that a request is compared with: as the user left it, else as the capture implies it."""
        if (known := self._predictions.get(_key(sent))) is not None:
            return known
        found = self._or_note(lambda: predicted(sent, self._host.session))
        if found is None:
            return None
        scenario, assumed = found
        if words := [*filter(None, (self._newer(sent),)), *assumed]:
            self._host.note("; ".join(words))
        self._predictions[_key(sent)] = scenario
        return scenario

    def _newer(self, sent: Sent) -> str:
        """That its version is newer than all that are known here, and what to do about it."""
        words = newer_than_known(sent.agent, sent.capture.header.agent_version, self._host.session.learned)
        return f"{words}; L learns the words of the client that is installed" if words else ""

    def _verify(self) -> None:
        """Compute how well the request was predicted, in a thread; once for each prediction."""
        sent, host = self.shown, self._host
        if sent is None or sent.agent is None or (prediction := self._prediction(sent)) is None:
            return
        question = (*_key(sent), host.snapshot.assembly if self.view == "predicted" else prediction)
        if self._verified != question:
            self._verified = question

            def find() -> str:
                return summary(find_differences(sent, host.session, prediction).verification)

            in_thread(host, find, partial(self._summarize, sent), group="verify")

    def _summarize(self, sent: Sent, words: str | ScenarioError) -> None:
        if self._sent is sent:
            self._host.sent_bar.summary = str(words)


def _key(sent: Sent) -> tuple[str, int]:
    """The capture and the request's number."""
    return sent.path, sent.request.index
