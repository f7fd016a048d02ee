"""The folders from which an agent reads its files: from where it is started up to a boundary, and what is beyond it."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import PurePosixPath

from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.workspace import Workspace

from .near_misses import never, row

_GIT = ".git"
MOST_BEYOND = 50
"""Rows for what is beyond a boundary."""


@frozen(slots=False)
class Walk:
    """`folders` from the outermost one down to where the agent is started.

    `marker` is the path that makes the outermost one the project's root; None where none of `markers` does, and then
    the walk is of one folder.
    """

    folders: tuple[str, ...]
    marker: str | None
    markers: tuple[str, ...] = (_GIT,)

    @property
    def beyond(self) -> tuple[str, ...]:
        """The folders around the outermost one, nearest first."""
        return tuple(map(str, PurePosixPath(self.folders[0]).parents))

    def ends(self, workspace: Workspace, folder: str) -> str:
        """Why nothing in a folder beyond is read."""
        only = "only the folder that it is started in counts"
        if self.marker is None:
            named = [marker for marker in self.markers if marker]
            return (
                f"without {' or '.join(named)} above it, {only}" if named else f"no file marks a project's root: {only}"
            )
        root = os.path.relpath(self.folders[0], folder)
        return f"{os.path.relpath(self.marker, folder)} makes {root} the project root{_kind_of(self.marker, workspace)}"


def _kind_of(marker: str, workspace: Workspace) -> str:
    """What a `.git` is, where it is no repository as a person expects it."""
    if PurePosixPath(marker).name != _GIT:
        return ""
    kind = workspace.kind(marker)
    if kind == "directory":
        return "" if workspace.list(marker).entries else " (it is an empty folder, not a repository)"
    target = workspace.read(marker).text.partition("gitdir:")[2].strip()
    for part, what in (("/modules/", "a submodule's"), ("/worktrees/", "a linked worktree's")):
        if part in target:
            return f" (it is {what} file)"
    return " (it is a file, not a folder)"


def walk(workspace: Workspace, start: str, markers: Sequence[str]) -> Walk:
    """Up to the nearest folder that holds one of the markers."""
    upwards = [start, *map(str, PurePosixPath(start).parents)]
    for number, folder in enumerate(upwards):
        for marker in markers:
            path = os.path.join(folder, marker)  # noqa: PTH118 - a marker may be absolute
            if workspace.kind(path) is not None:
                return Walk(tuple(reversed(upwards[: number + 1])), path, tuple(markers))
    return Walk((start,), None, tuple(markers))


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
