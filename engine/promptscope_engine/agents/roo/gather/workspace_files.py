"""The workspace's files as the first message lists them (listFiles: specs/roo-user-messages.md 4.10).

Roo asks ripgrep for files (hidden ones too, links followed, ignore files respected) and walks the folders itself.
Which files ripgrep lists first when there are more than the limit is unpredictable: here those nearest to the top.
"""

from __future__ import annotations

import posixpath
import re
from collections import deque
from collections.abc import Iterator

from promptscope_engine.frozen import frozen
from promptscope_engine.javascript.ignore import MAX_LINES, IgnorePatterns, read_patterns, within_limits
from promptscope_engine.javascript.path import resolve
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

from .found import patterns_diagnostics

EXCLUDED = frozenset(
    ("node_modules", "__pycache__", "env", "venv", "dist", "out", "bundle", "vendor", "tmp", "temp", "deps", "pkg",
     "Pods", ".git")
)  # fmt: skip
"""Folders that are neither listed nor entered, wherever they lie."""

_EXCLUDED_PATHS = re.compile(r"(?:^|/)(?:target/dependency|build/dependencies)$")
"""Folders that are not entered by their last two names. Roo's own walk compares one name, so it lists them."""

_IGNORE_FILES = (".rgignore", ".ignore", ".gitignore")
"""A file of an earlier kind decides before one of a later kind, in whatever folder they lie."""

_MOST_FOLDERS = 5_000
"""Our own bound in place of Roo's ten seconds."""

_LONGEST = 1_024
"""Characters of the path of a folder that is still entered: each look at a path takes the longer the deeper it is."""


@frozen
class Listing:
    """Absolute paths, those of folders end in `/`, and whether the limit was reached."""

    paths: tuple[str, ...]
    did_hit_limit: bool
    left_out: tuple[tuple[str, str], ...] = ()
    """Ignore files of which not all patterns are used, and what is left out."""


def workspace_files(workspace: Workspace, cwd: str, home: str, limit: int) -> Listing:
    """At most `limit` entries below `cwd`, folders first; the root and the home folder are not searched."""
    if limit == 0:
        return Listing((), did_hit_limit=False)
    if cwd in ("/", resolve("/", home)):
        return Listing((cwd,), did_hit_limit=False)
    key = ("roo.workspace_files", cwd, home, limit)
    return workspace.memo(key, lambda: _workspace_files(_Walk(workspace, cwd, home), limit), tracked=True)


def listing_diagnostics(listing: Listing, limit: int) -> Iterator[Diagnostic]:
    """A listing at its limit cannot be predicted; of a very long ignore file not all is used."""
    if listing.did_hit_limit:
        message = f"the workspace has {limit} entries or more; which of them Roo lists is unpredictable"
        yield Diagnostic("info", "workspace-files-limit", message)
    for file, left_out in listing.left_out:
        yield from patterns_diagnostics(file, left_out)


def _workspace_files(walk: _Walk, limit: int) -> Listing:
    files = _first(walk.files(), limit)
    folders = _first(walk.folders(), limit - len(files))
    paths = [*sorted(folders), *sorted(files)][:limit]
    hit = len(paths) >= limit
    if hit:
        # Folders at the top that did not make it take the places of as many entries at the end.
        missing = [folder for folder in walk.folders(deep=False) if folder not in paths][:limit]
        paths = [*paths[: limit - len(missing)], *missing]
    return Listing(tuple(paths), hit, tuple(walk.left_out.items()))


def _first(paths: Iterator[str], count: int) -> list[str]:
    return [path for path, _ in zip(paths, range(count), strict=False)]


class _Walk:
    """Walks one workspace; each folder's ignore files are read when it is entered."""

    def __init__(self, workspace: Workspace, cwd: str, home: str) -> None:
        self._workspace, self._cwd = workspace, cwd
        self._around: dict[tuple[str, str], tuple[tuple[str, IgnorePatterns], ...]] = {}
        self.left_out: dict[str, str] = {}
        """Ignore files that hold too many patterns, and what is left out of them."""
        self._repository = repository_root(cwd, workspace)
        last = [posixpath.join(home, ".config/git/ignore")]
        if self._repository is not None:
            last.insert(0, posixpath.join(self._repository, ".git/info/exclude"))
        self._last = [patterns for file in last if (patterns := self._read(file))]

    def files(self) -> Iterator[str]:
        """ripgrep's list: files and links to files, level by level."""
        queue = deque([self._cwd])
        entered = {self._workspace.real_path(self._cwd)}
        while queue and len(entered) < _MOST_FOLDERS:
            folder = queue.popleft()
            for entry in self._workspace.list(folder).entries:
                path = posixpath.join(folder, entry.name)
                kind = entry.kind if entry.kind != "link" else self._workspace.kind(path)
                if kind == "directory":
                    closed = entry.name.startswith(".") or entry.name in EXCLUDED or _EXCLUDED_PATHS.search(path)
                    real = path if entry.kind == "directory" else self._workspace.real_path(path)
                    # A link back into what was entered already would never end.
                    shut = closed or real in entered or len(path) > _LONGEST
                    if not shut and not self._ignored(path, is_folder=True):
                        entered.add(real)
                        queue.append(path)
                elif kind == "file" and not self._ignored(path, is_folder=False):
                    yield path

    def folders(self, *, deep: bool = True) -> Iterator[str]:
        """Roo's own walk: no links; hidden folders are listed and not entered. Without `deep` the top level alone."""
        stack = [self._cwd]
        listed = 0
        while stack and listed < _MOST_FOLDERS:
            folder = stack.pop()
            inner: list[str] = []
            for entry in self._workspace.list(folder).entries:
                path = posixpath.join(folder, entry.name)
                if entry.kind != "directory" or entry.name in EXCLUDED or self._ignored(path, is_folder=True):
                    continue
                listed += 1
                yield f"{path}/"
                if deep and not entry.name.startswith(".") and len(path) <= _LONGEST:
                    inner.append(path)
            stack += reversed(inner)

    def _ignored(self, path: str, *, is_folder: bool) -> bool:
        """Whether an ignore file says so: by kind, then the deepest folder first, then git's own lists."""
        folder = posixpath.dirname(path)
        for name in _IGNORE_FILES:
            for base, patterns in self._files_around(name, folder):
                verdict = patterns.decide(posixpath.relpath(path, base) + ("/" if is_folder else ""))
                # What lies in a hidden folder is never asked for: the walks do not enter it.
                if verdict is not None:
                    return verdict
        if self._repository is None:
            return False
        way = posixpath.relpath(path, self._repository) + ("/" if is_folder else "")
        verdicts = (patterns.decide(way) for patterns in self._last)
        return bool(next((verdict for verdict in verdicts if verdict is not None), False))

    def _files_around(self, name: str, folder: str) -> tuple[tuple[str, IgnorePatterns], ...]:
        """The ignore files of a kind that count in a folder, with theirs, the innermost first."""
        asked: list[str] = []
        while (name, folder) not in self._around and folder not in asked:
            asked.append(folder)
            folder = posixpath.dirname(folder)
        around = self._around.get((name, folder), ())
        for inner in reversed(asked):
            patterns = self._read(posixpath.join(inner, name)) if name != ".gitignore" or self._in_git(inner) else None
            around = ((inner, patterns), *around) if patterns else around
            self._around[name, inner] = around
        return around

    def _in_git(self, folder: str) -> bool:
        """A .gitignore counts in a repository only, up to its root."""
        root = self._repository
        return root is not None and (folder == root or folder.startswith(f"{root.rstrip('/')}/"))

    def _read(self, file: str) -> IgnorePatterns | None:
        lines, left_out = within_limits(self._workspace.read(file).text.split("\n", MAX_LINES))
        if left_out:
            self.left_out[file] = left_out
        return read_patterns(lines, "git") if lines else None
