"""The folders to go to, listed in a thread: a repository may hold a hundred thousand files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.worker import get_current_worker

from promptscope_engine.agents.registry import DEFINITION, all_agents
from promptscope_tui.session.folders import Folder, folders
from promptscope_tui.text.paths import home_short
from promptscope_tui.text.spans import Span
from promptscope_tui.widgets.picker import Option, Picker


class FolderPicker(Picker):
    """Gives the chosen folder; any other can be typed."""

    CSS_PATH = "../widgets/picker.tcss"

    def __init__(self, here: str, home: str, env: Mapping[str, str], recent: Sequence[str]) -> None:
        super().__init__(
            "FOLDER", [Option(here, "listing the packages …", label=home_short(here, home))], here, free=True
        )
        self._here, self._home, self._env, self._recent = here, home, env, recent

    def on_mount(self) -> None:
        """Start listing."""
        super().on_mount()
        self.run_worker(self._list, thread=True)

    def _list(self) -> None:
        names = {name for agent in all_agents() for name in agent.own_files} | {"AGENTS.md", DEFINITION}
        found = folders(self._here, self._home, self._env, self._recent, names)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._listed, found)

    def _listed(self, found: list[Folder]) -> None:
        inside = found[0].path.rstrip("/") + "/"
        self.offer([Option(each.path, right=Span(each.what, "dim"), label=self._label(each, inside)) for each in found])

    def _label(self, folder: Folder, inside: str) -> str:
        """Of a package, the path within the repository."""
        return folder.path.removeprefix(inside) if folder.what == "package" else home_short(folder.path, self._home)
