"""Opening folders."""

from collections.abc import Callable, Sequence
from pathlib import Path

from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.workspace.paths import absolute, to_system
from promptscope_tui.session.folders import demo_folder
from promptscope_tui.session.snapshot import GoTo, OpenSource
from promptscope_tui.views.pickers import FolderPicker
from promptscope_tui.views.welcome import BeginFile, ChooseAgent, OpenDemo, ShowControls, ShowPrompt
from promptscope_tui.widgets.messages import Requested

from .host import Host


class Folders:
    """Opens folders, and does what is chosen in the welcome of one without files."""

    def __init__(self, host: Host, recent: Callable[[], Sequence[str]], show_controls: Callable[[], None]) -> None:
        """`recent` gives the folders that were opened before; `show_controls` gives the controls the keys."""
        self._host, self._recent, self._show_controls = host, recent, show_controls

    def action_folder(self) -> None:
        """Offer the repository's packages, and the folders that were opened before."""
        host = self._host
        try:
            _, inputs = resolve(host.snapshot.scenario, host.session.workspace)
        except ScenarioError as error:
            host.note(str(error), error=True)
            return
        host.app.push_screen(FolderPicker(inputs.workspace, inputs.home, inputs.env, self._recent()), self.open)

    def open(self, folder: str | None) -> None:
        """Show another folder."""
        if folder is None:
            return
        path = absolute(folder)
        if not Path(to_system(path)).is_dir():
            self._host.note(f"no such folder: {folder}", error=True)
            return
        self._host.session.open_folder(path)
        self._host.note(f"the folder is {path}; u goes back")

    def begin(self, chosen: object) -> None:
        """Do what was chosen in the welcome."""
        match chosen:
            case ChooseAgent(agent):
                self._host.session.choose_agent(agent)
            case BeginFile(path):
                self._host.post_message(Requested(OpenSource(path)))
            case OpenDemo():
                self.open(demo_folder())
            case ShowPrompt():
                self._host.show_tab("prompt")
            case ShowControls():
                self._host.show_tab("prompt")
                self._show_controls()
            case GoTo():
                self._host.go_to(chosen)
