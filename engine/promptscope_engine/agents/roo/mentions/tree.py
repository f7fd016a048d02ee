"""Where mentioned files come from."""

from __future__ import annotations

from typing import Protocol

from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.disk import Entry, Kind


class Tree(Protocol):
    """What the agent reads from its disk for a mention; all paths are absolute and normalised."""

    def kind(self, path: str) -> Kind | None:
        """What is there, links followed; None for a path that leads nowhere."""

    def entries(self, folder: str) -> list[Entry]:
        """What is in a folder, in byte order; links are not followed."""

    def content(self, path: str) -> str | bytes:
        """A file's bytes, or the text that an extractor gets out of it; OSError for what cannot be read."""

    def real(self, path: str) -> str:
        """The path with its links resolved."""


class DiskTree:
    """The files that the workspace may read."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def kind(self, path: str) -> Kind | None:
        return self._workspace.kind(path)

    def entries(self, folder: str) -> list[Entry]:
        return list(self._workspace.list(folder).entries)

    def content(self, path: str) -> bytes:
        file = self._workspace.read(path)
        if not file.found:
            raise OSError(file.detail)
        return file.data

    def real(self, path: str) -> str:
        return self._workspace.real_path(path)
