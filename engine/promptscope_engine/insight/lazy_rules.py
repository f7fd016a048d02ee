"""Which file wakes which rule, and which rule can never fire: an agent's waiting files held against the real ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import LazyFile, WakesFiles
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import MAX_FILES, FileList, list_files

KEPT = 200
"""Matching files that are remembered by name for each waiting file; all of them are counted."""

_SLICE = 2_000  # files between two looks at whether the answer is still wanted


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting file, and the repository's files that wake it: the first ones relative to the root, and how many."""

    lazy: LazyFile
    files: tuple[str, ...]
    count: int

    @property
    def dead(self) -> bool:
        """Whether nothing in the repository matches its patterns."""
        return bool(self.lazy.patterns) and self.count == 0


@dataclass(frozen=True, slots=True)
class Survey:
    """The waiting files of an agent in one repository."""

    listing: FileList
    waiting: tuple[Waiting, ...]

    def of(self, path: str) -> Waiting | None:
        """What is known of the file at `path`, as the agent shows it."""
        return next((w for w in self.waiting if w.lazy.path == path), None)

    def woken_by(self, path: str, cwd: str) -> tuple[LazyFile, ...]:
        """The files that reading `path` (absolute, or relative to cwd) wakes, in load order. Nothing is read."""
        if not path:
            return ()
        # normpath: a typed ../x is meant as it reads; pathlib would keep the dots
        absolute = os.path.normpath(path if path.startswith("/") else f"{cwd.rstrip('/')}/{path}")
        return tuple(w.lazy for w in self.waiting if w.lazy.wakes(absolute))

    def _among(self) -> str:
        looked_at = f"of {len(self.listing.files):,} files"
        return looked_at if self.listing.complete else f"{looked_at}; there are more than the {MAX_FILES:,} looked at"

    def why(self, waiting: Waiting) -> str:
        """One line: what wakes it, or why nothing ever will."""
        lazy = waiting.lazy
        if not lazy.patterns:
            return f"a read below {lazy.base} wakes it"
        patterns = ", ".join(lazy.patterns)
        if waiting.dead:
            reason = lazy.never or f"no file matches {patterns}"
            return f"never fires: {reason} ({self._among()})"
        some = ", ".join(waiting.files[:2])
        words = "1 file wakes it" if waiting.count == 1 else f"{waiting.count:,} files wake it"
        return f"{words}: {some}{', …' if waiting.count > 2 else ''}; it waits for {patterns}"


def survey(
    agent: Agent, inputs: Inputs, workspace: Workspace, wanted: Callable[[], bool] = lambda: True
) -> Survey | None:
    """Hold every waiting file against the repository's files; None for an agent that has none, or if not `wanted`."""
    if not isinstance(agent, WakesFiles):
        return None
    listing = list_files(inputs.workspace, inputs.home, inputs.env, workspace)
    absolute = listing.absolute()
    found: list[Waiting] = []
    for lazy in agent.lazy_files(inputs, workspace, absolute):
        matching: list[int] = []
        for start in range(0, len(absolute), _SLICE):
            if not wanted():
                return None
            matching += _matching(lazy, absolute, start)
        names = tuple(listing.files[n] for n in matching[:KEPT])
        found.append(Waiting(lazy, names, len(matching)))
    return Survey(listing, tuple(found))


def _matching(lazy: LazyFile, files: tuple[str, ...], start: int) -> Iterator[int]:
    """The indices of the files in one slice that wake it; a rule that a read of itself wakes does not count."""
    stop = min(start + _SLICE, len(files))
    return (n for n in range(start, stop) if files[n] != lazy.path and lazy.wakes(files[n]))
