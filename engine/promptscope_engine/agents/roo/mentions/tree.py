"""Where mentioned files come from: a tree of files, given as data or found on the disk."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Protocol

from promptscope_engine.javascript.path import resolve
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


class DataTree:
    """Files by path relative to `cwd`; a name that ends in `/` is a folder, those of files exist by themselves."""

    def __init__(self, cwd: str, files: Mapping[str, str | bytes]) -> None:
        self._files: dict[str, str | bytes] = {}
        self._folders: dict[str, set[str]] = {}
        self._add_folder(resolve("/", cwd))
        for name, content in files.items():
            path = resolve(cwd, name)
            if name.endswith("/"):
                self._add_folder(path)
            else:
                self._files[path] = content
                self._add_entry(path)

    def _add_folder(self, path: str) -> None:
        if path not in self._folders:
            self._folders[path] = set()
            self._add_entry(path)

    def _add_entry(self, path: str) -> None:
        folder, name = posixpath.split(path)
        if name:
            self._add_folder(folder)
            self._folders[folder].add(name)

    def kind(self, path: str) -> Kind | None:
        return "directory" if path in self._folders else "file" if path in self._files else None

    def entries(self, folder: str) -> list[Entry]:
        names = sorted(self._folders[folder], key=lambda name: name.encode("utf-8", "surrogatepass"))
        return [Entry(name, self.kind(posixpath.join(folder, name)) or "other") for name in names]

    def content(self, path: str) -> str | bytes:
        return self._files[path]

    def real(self, path: str) -> str:
        return path


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
