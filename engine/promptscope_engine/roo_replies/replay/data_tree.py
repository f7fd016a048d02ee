"""A tree of files that is given as data, in place of the disk."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from promptscope_engine.javascript.path import resolve
from promptscope_engine.workspace.disk import Entry, Kind


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
