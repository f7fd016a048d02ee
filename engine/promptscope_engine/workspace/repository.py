"""Which files a repository has: from git, or found by walking where there is no git."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from .disk import Kind
from .workspace import Workspace

if TYPE_CHECKING:
    from .git import Git

MAX_FILES = 100_000
"""Files that are looked at; a list that is longer is cut, and says so."""

_MAX_OUTPUT = 32 * 1024 * 1024
MAX_FOLDERS = 20_000
_PRUNED = {
    *(".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache"),
    *(".ruff_cache", ".pytest_cache", ".cache", "target", "dist", "build", ".next", ".gradle", ".idea"),
}
"""Folders that a walk does not enter: git would have been told to ignore them."""


class FileList(Struct, frozen=True):
    """The files below `root`, relative to it, sorted. `complete` is False where the list was cut."""

    root: str
    files: tuple[str, ...]
    source: Literal["git", "folders"]
    complete: bool = True

    def absolute(self) -> tuple[str, ...]:
        """The files with their root in front."""
        base = self.root.rstrip("/")
        return tuple(f"{base}/{file}" for file in self.files)


def repository_root(
    folder: str, workspace: Workspace, *, kinds: Collection[Kind] | None = None, levels: int | None = None
) -> str | None:
    """The nearest folder that holds `.git`: `folder` itself or one around it, at most `levels` of them.

    In a linked worktree and in a submodule `.git` is a file. `kinds` are what counts; None: whatever is there.
    """
    around = (folder, *(str(parent) for parent in PurePosixPath(folder).parents))
    for each in around[:levels]:
        kind = workspace.kind(f"{each.rstrip('/')}/.git")
        if kind is not None and (kinds is None or kind in kinds):
            return each
    return None


def list_files(cwd: str, home: str, env: Mapping[str, str], workspace: Workspace) -> FileList:
    """The files of the repository around `cwd`: those git tracks or would track; else those below `cwd`.

    What is listed does not count as asked for: a whole repository is not to be watched. What git lists is kept until
    the workspace forgets anything, as each agent asks for it.
    """
    from .git import find_git, waits_on  # subprocess takes 10 ms, and finding a root does without

    scratch = workspace.snapshot()
    root = repository_root(cwd, scratch)
    git_dir = f"{root}/.git"
    found = None
    if root and not (scratch.is_dir(git_dir) and waits_on(git_dir, git_dir, scratch)):
        git = find_git(root, home, env)
        if git:
            asked = "files of git", git.command, git.cwd, tuple(sorted(git.env.items()))
            found = workspace.memo(asked, partial(_tracked, root, git))
    return found or _walked(cwd, scratch)


def _tracked(root: str, git: Git) -> FileList | None:
    # -t marks what is tracked but deleted from the disk, so that one call is enough.
    answer = git.ask("ls-files", "-z", "-t", "-cod", "--exclude-standard", limit=_MAX_OUTPUT)
    if answer is None:
        return None
    found: set[str] = set()
    gone: set[str] = set()
    for entry in answer.split(b"\0"):
        if entry:
            (gone if entry[:1] == b"R" else found).add(os.fsdecode(entry[2:]))
    files = sorted(found - gone)
    return FileList(root, tuple(files[:MAX_FILES]), "git", len(files) <= MAX_FILES)


def _walked(cwd: str, workspace: Workspace) -> FileList:
    found: list[str] = []
    folders = [""]
    entered = 0
    while folders and entered < MAX_FOLDERS and len(found) < MAX_FILES:
        folder = folders.pop(0)
        entered += 1
        for entry in workspace.list(f"{cwd.rstrip('/')}/{folder}".rstrip("/") or "/").entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.kind == "directory":
                if entry.name not in _PRUNED:
                    folders.append(path)
            elif entry.kind in ("file", "link"):
                found.append(path)
    return FileList(cwd, tuple(sorted(found[:MAX_FILES])), "folders", not folders and len(found) <= MAX_FILES)
