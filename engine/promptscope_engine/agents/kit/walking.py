"""The files below a folder, for agents that search one."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator

from promptscope_engine.workspace import Workspace

MOST = 20_000
"""Entries that are looked at: a search of a whole disk ends here."""


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
