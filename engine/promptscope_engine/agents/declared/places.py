"""Which files a definition may name, which ones a pattern of it finds, and what is in them."""

from __future__ import annotations

import os
from itertools import takewhile

from msgspec import Struct

from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.glob import MAX_PATTERN_CHARS, expand_braces, glob_matches, is_pattern
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

MAX_FILES = 500
"""Files of one pattern."""

MAX_LOOKED = 20_000
"""Names that are looked at for one pattern."""

_SKIPPED = (".git", "node_modules")
"""Folders that `**` does not enter."""


def own_folder(path: str, home: str) -> str | None:
    """The folder of a definition, readable because it was named; None for the root, a home, or a folder around it."""
    folder = os.path.dirname(path)  # noqa: PTH120 - a path is a text
    inside = f"{folder.rstrip('/')}/"
    return None if f"{home.rstrip('/')}/".startswith(inside) else folder


class FoundPlace(Struct, frozen=True):
    """The files of a pattern by path, sorted. `limit` says what was left out, "" if nothing was."""

    paths: tuple[str, ...]
    limit: str = ""


class Texted(Struct, frozen=True):
    """Whether there is text at a path: `problem` says why there is none, `remedy` what a person would do."""

    shown: str
    problem: str = ""
    remedy: str = ""

    @property
    def condition(self) -> Condition:
        """True if there is text."""
        yes = f"{self.shown} is there"
        return Fact("file", self.shown, not self.problem, yes, self.problem, remedy=self.remedy)


class Source(Struct, frozen=True):
    """A file that was read; `is_missing`: nothing is there, `is_blank`: nothing is in it."""

    text: str
    state: Texted
    is_missing: bool = False
    is_blank: bool = False


class Places(Struct, frozen=True):
    """Where the paths of a definition lead: they are relative to its folder, and stay within `bounds`."""

    folder: str
    bounds: tuple[str, ...]
    workspace: Workspace

    @classmethod
    def of(cls, path: str, inputs: Inputs, workspace: Workspace) -> Places:
        """The places of a definition."""
        folder = os.path.dirname(path)  # noqa: PTH120
        own = own_folder(path, inputs.home)
        root = repository_root(inputs.workspace, workspace)
        return cls(folder, tuple(filter(None, (own, inputs.workspace, root))), workspace)

    def absolute(self, path: str) -> str:
        """Where a path leads. Raises ValueError for one that a definition may not name."""
        if not path.strip() or "\0" in path:
            raise ValueError("a path is not empty")
        if path.startswith(("/", "~")):
            raise ValueError("a path is relative to the folder of the definition")
        found = os.path.normpath(f"{self.folder}/{path}")
        if not any(found == bound or found.startswith(f"{bound.rstrip('/')}/") for bound in self.bounds):
            raise ValueError("the path leads out of the repository and of the folder of the definition")
        return found

    def shown(self, path: str) -> str:
        """An absolute path as the definition would name it."""
        base = f"{self.folder.rstrip('/')}/"
        return path.removeprefix(base) if path.startswith(base) else path

    def found(self, pattern: str) -> FoundPlace:
        """The files that a pattern finds, from one walk. Raises ValueError for one that may not be named."""
        if not pattern.strip() or len(pattern) > MAX_PATTERN_CHARS:
            raise ValueError(f"a path is not empty, and has at most {MAX_PATTERN_CHARS:,} characters")
        *folders, name = pattern.split("/")
        fixed = list(takewhile(lambda part: not is_pattern(part), folders))
        base = self.absolute("/".join(fixed) or ".")
        rest = "/".join([*folders[len(fixed) :], name])
        written_out = expand_braces(rest)
        deepest = None if any("**" in each for each in written_out) else max(each.count("/") for each in written_out)
        found: list[str] = []
        pending = [(base, 0)]
        looked = 0
        while pending:
            folder, depth = pending.pop()
            inner: list[tuple[str, int]] = []
            for entry in self.workspace.list(folder).entries:
                looked += 1
                if looked > MAX_LOOKED:
                    return FoundPlace(tuple(sorted(found)), f"only the first {MAX_LOOKED:,} names were looked at")
                path = f"{folder.rstrip('/')}/{entry.name}"
                if entry.kind == "directory":
                    if (deepest is None or depth < deepest) and entry.name not in _SKIPPED:
                        inner.append((path, depth + 1))
                elif entry.kind in ("file", "link") and glob_matches(rest, path[len(base.rstrip("/")) + 1 :]):
                    if entry.kind == "link" and self.workspace.is_dir(path):
                        continue
                    if len(found) == MAX_FILES:
                        return FoundPlace(tuple(sorted(found)), f"only the first {MAX_FILES:,} files are used")
                    found.append(path)
            pending += reversed(inner)
        return FoundPlace(tuple(sorted(found)))

    def source(self, path: str, most: int | None = None) -> Source:
        """The file at an absolute path; `most` bytes of it are taken."""
        file, shown = self.workspace.read(path), self.shown(path)
        if file.problem == "missing":
            return Source("", Texted(shown, f"there is no {shown}", f"create {shown}"), is_missing=True)
        if not file.found:
            return Source("", Texted(shown, f"{shown} cannot be read: {file.detail}", f"put a text file at {shown}"))
        if file.looks_binary:
            return Source("", Texted(shown, f"{shown} is no text", f"put a text file at {shown}"))
        if most is not None and file.size > most:
            return Source("", Texted(shown, f"{shown} is larger than {most:,} bytes", f"make {shown} smaller"))
        if not file.text.strip():
            return Source("", Texted(shown, f"{shown} is blank", f"write something into {shown}"), is_blank=True)
        return Source(file.text, Texted(shown))
