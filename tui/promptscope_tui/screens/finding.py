"""The palette over the main screen: what it finds beside the prompt, and what is done with what was chosen."""

from collections.abc import Iterator
from itertools import chain

from promptscope_engine.prompt.model import Lever
from promptscope_tui.actions.table import Action
from promptscope_tui.session.comparing import NOW, find_names, side_choices
from promptscope_tui.session.folders import agents_here
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.snapshot import ChooseAgent, CompareWith, GoTo
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import many, number
from promptscope_tui.views.palette import (
    AskWhy,
    Deed,
    Entry,
    OpenRecording,
    Palette,
    Run,
    command_entries,
    entries_of,
)
from promptscope_tui.views.subjects import SwitchSubject
from promptscope_tui.widgets.messages import in_thread

from .main import MainScreen


class Finding:
    """Opens the palette, and carries out what it gives."""

    def __init__(self, screen: MainScreen, actions: tuple[Action, ...]) -> None:
        """`actions` is the table with the user's own keys."""
        self._screen, self._actions = screen, actions

    def open(self) -> None:
        """Show the palette; what git and the recordings know is added once it is found out."""
        palette = Palette(self._entries, self._do)
        self._screen.app.push_screen(palette, self._chosen)
        in_thread(palette, lambda: list(chain(self._sides(), self._recordings())), palette.add)

    def _entries(self) -> Iterator[Entry]:
        screen = self._screen
        yield from command_entries(screen.routes.offered(self._actions))
        for name, about, do in screen.recordings.calibration():
            yield Entry("command", name, do, about)
        yield from entries_of(screen.snapshot, AgentInputs.shown(screen.snapshot))
        for agent in agents_here(screen.snapshot):
            size = Span(f"≈{number(agent.tokens)} tok" if agent.tokens else "", "dim")
            yield Entry("agent", agent.name, ChooseAgent(agent.id), many(len(agent.files), "file") + " here", size)
        for theme in sorted(screen.app.available_themes):
            yield Entry("theme", theme, lambda name=theme: setattr(screen.app, "theme", name))  # type: ignore[misc]

    def _sides(self) -> Iterator[Entry]:
        session = self._screen.session
        for each in side_choices(session, self._screen.state_folder(), find_names(session)):
            if each.sides != NOW and not each.sides.startswith(("mode:", "agent:")):
                yield Entry("compare", f"with {each.sides}", CompareWith(each.sides), each.about)

    def _recordings(self) -> Iterator[Entry]:
        for each in self._screen.recordings.found():
            if not each.problem:
                yield Entry(each.kind, each.path, OpenRecording(each.path), f"{each.agent}  {each.detail}")

    def _chosen(self, deed: Deed | None) -> None:
        if deed is not None:
            self._do(deed)

    def _do(self, deed: Deed) -> None:
        screen = self._screen
        match deed:
            case Run(action):
                screen.call_later(screen.action_run, action)
            case Lever(param, value):
                screen.controls.set(param, value)
            case SwitchSubject(param):
                screen.show_switch(param)
            case ChooseAgent(agent):
                screen.session.choose_agent(agent)
            case CompareWith(side):
                screen.overlays.compare_with_now(side)
            case AskWhy(word):
                screen.overlays.ask_why(word)
            case OpenRecording(path):
                screen.recordings.open(path)
            case GoTo():
                screen.go_to(deed)
            case _:
                deed()
