"""The files and folders below a folder, for agents that search one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator

from promptscope_engine.workspace import Workspace

MOST = 20_000
"""Entries that are looked at: a search of a whole disk ends here."""


def folders_in(workspace: Workspace, folder: str) -> list[str]:
    """The names of the folders in a folder, and of links to folders; without hidden ones and node_modules."""
    names = [entry.name for entry in workspace.list(folder).entries if entry.kind != "file"]
    return [n for n in names if n[:1] != "." and n != "node_modules" and workspace.is_dir(f"{folder}/{n}")]


def linked_below(
    workspace: Workspace, folder: str, ending: str, *, depth: int, folders: int = MOST, walked: set[str] | None = None
) -> Iterator[str]:
    """The files with this ending in and below a folder, in the order of their paths.

    Links to folders are followed, each real folder once. It goes `depth` folders deep, into so many `folders`.
    """
    walked = set() if walked is None else walked
    real = workspace.real_path(folder)
    if real in walked or len(walked) >= folders:
        return
    walked.add(real)
    for entry in workspace.list(folder).entries:
        path = f"{folder}/{entry.name}"
        kind = workspace.kind(path) if entry.kind == "link" else entry.kind
        if kind == "directory" and depth:
            yield from linked_below(workspace, path, ending, depth=depth - 1, folders=folders, walked=walked)
        elif kind == "file" and entry.name.endswith(ending):
            yield path


def files_below(workspace: Workspace, top: str, enters: Callable[[str], bool]) -> Iterator[str]:
    """Paths relative to `top`, folder by folder, the nearest first; no link to a folder is followed.

    The names of one folder come in descending order of their bytes, as the npm package glob gives them on Linux.
    `enters` says of a folder, by its path relative to `top`, whether it is looked into.
    """
    queue, looked = deque([""]), 0
    while queue:
        folder = queue.popleft()
        entries = workspace.list(f"{top}/{folder}".rstrip("/") or "/").entries
        for entry in sorted(entries, key=lambda entry: os.fsencode(entry.name), reverse=True):
            path = f"{folder}/{entry.name}".lstrip("/")
            looked += 1
            if looked > MOST:
                return
            if entry.kind == "directory":
                queue.extend([path] if enters(path) else [])
            elif entry.kind == "file" or workspace.kind(f"{top}/{path}") == "file":
                yield path
