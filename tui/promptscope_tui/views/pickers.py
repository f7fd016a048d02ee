"""Pickers: captures and transcripts, and folders, which are listed in a thread."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from promptscope_engine.agents.registry import DEFINITION, all_agents
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_tui.session.folders import Folder, folders
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import home_short
from promptscope_tui.widgets.picker import Option, Picker
from promptscope_tui.widgets.threads import in_thread

if TYPE_CHECKING:  # not loaded for the first frame
    from promptscope_tui.session.recordings import RecordingFile


def recording_options(found: Iterable[RecordingFile], home: str) -> list[Option]:
    """An option for each file, by its path."""
    return [
        Option(
            each.path,
            _detail(each),
            Span(time.strftime("%Y-%m-%d %H:%M", time.localtime(each.modified)), "dim"),
            f"{each.kind}  {_name(each, home)}",
        )
        for each in found
    ]


def _name(file: RecordingFile, home: str) -> str:
    """A capture by its agent, a transcript of this workspace by its file's name, else by the path from home on."""
    if file.kind == "capture" and not file.problem:
        return file.agent
    path = PurePosixPath(file.path)
    return path.stem if file.here or file.kind == "capture" else home_short(str(path), home)


def _detail(file: RecordingFile) -> str:
    if file.problem:
        return f"✗ {file.problem}"
    where = "this workspace" if file.here else "elsewhere"
    agent = file.agent if file.kind == "transcript" else ""
    return ", ".join(filter(None, (where, agent, file.detail, size(file.bytes))))


_MEGABYTE = 1e6


def size(count: int) -> str:
    """`340 kB`, `12.4 MB`."""
    return f"{count / _MEGABYTE:,.1f} MB" if count >= _MEGABYTE else f"{max(count, 999) // 1000:,} kB"


class FolderPicker(Picker):
    """Gives the chosen folder; any other can be typed."""

    def __init__(self, here: str, home: str, env: Mapping[str, str], recent: Sequence[str]) -> None:
        super().__init__(
            "FOLDER", [Option(here, "listing the packages …", label=home_short(here, home))], here, free=True
        )
        self._here, self._home, self._env, self._recent = here, home, env, recent

    def on_mount(self) -> None:
        """Start listing."""
        in_thread(self, self._list, self._listed)

    def _list(self) -> list[Folder]:
        names = {name for agent in all_agents() for name in agent.own_files} | {"AGENTS.md", DEFINITION}
        return folders(self._here, self._home, self._env, self._recent, names)

    def _listed(self, found: list[Folder] | ScenarioError) -> None:
        if isinstance(found, ScenarioError):
            return
        inside = found[0].path.rstrip("/") + "/"
        self.offer([Option(each.path, right=Span(each.what, "dim"), label=self._label(each, inside)) for each in found])

    def _label(self, folder: Folder, inside: str) -> str:
        """Of a package, the path within the repository."""
        return folder.path.removeprefix(inside) if folder.what == "package" else home_short(folder.path, self._home)
