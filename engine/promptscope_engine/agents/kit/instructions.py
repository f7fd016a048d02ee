"""The folders from which an agent reads its files: from where it is started up to a boundary, and what is beyond it."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import PurePosixPath

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace

from .near_misses import never, row

MOST_BEYOND = 50
"""Rows for what is beyond a boundary."""


@frozen(slots=False)
class Walk:
    """`folders` from the outermost one down to where the agent is started.

    `marker` is the path that makes the outermost one the project's root; None where nothing does, and then the walk is
    of one folder.
    """

    folders: tuple[str, ...]
    marker: str | None

    @property
    def beyond(self) -> tuple[str, ...]:
        """The folders around the outermost one, nearest first."""
        return tuple(map(str, PurePosixPath(self.folders[0]).parents))

    def ends(self, workspace: Workspace, folder: str) -> str:
        """Why nothing in a folder beyond is read."""
        if self.marker is None:
            return "without .git above it, only the folder that it is started in counts"
        marker = os.path.relpath(self.marker, folder)
        kind = workspace.kind(self.marker)
        what = " (it is a file, as a submodule or a worktree has)" if kind == "file" else ""
        if kind == "directory" and not workspace.list(self.marker).entries:
            what = " (it is an empty folder, not a repository)"
        return f"{marker} makes {os.path.relpath(self.folders[0], folder)} the project root{what}"


def walk(workspace: Workspace, start: str, markers: Sequence[str]) -> Walk:
    """Up to the nearest folder that holds one of the markers."""
    upwards = [start, *map(str, PurePosixPath(start).parents)]
    for number, folder in enumerate(upwards):
        for marker in markers:
            path = os.path.join(folder, marker)  # noqa: PTH118 - a marker may be absolute
            if workspace.kind(path) is not None:
                return Walk(tuple(reversed(upwards[: number + 1])), path)
    return Walk((start,), None)


def beyond(
    workspace: Workspace,
    walk: Walk,
    kind: str,
    files: Callable[[Workspace, str], Iterator[str]],
    known: Container[str],
    remedy: str,
) -> list[FileDraft]:
    """A row for each file that would count if the walk went on; `files` names those of a folder that may be there."""
    copy = workspace.snapshot()  # what cannot count is not watched
    rows: list[FileDraft] = []
    for folder in walk.beyond:
        for path in files(copy, folder):
            if len(rows) < MOST_BEYOND and path not in known and copy.kind(path) == "file":
                rows.append(row(copy, path, kind, never(path, walk.ends(copy, folder), remedy)))
    return rows
