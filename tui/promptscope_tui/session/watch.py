"""What the app needs from a watcher, so that tests can use another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from promptscope_engine.workspace import Workspace


class Status(Protocol):
    """How the files are watched: `live`, `polling` or `off`; how many are there, of how many places; and why."""

    @property
    def state(self) -> str: ...
    @property
    def files(self) -> int: ...
    @property
    def places(self) -> int: ...
    @property
    def detail(self) -> str: ...


class Watching(Protocol):
    """A watcher; its callbacks come from a thread of its own."""

    def start(self) -> None: ...
    def update(self) -> None: ...
    def stop(self) -> None: ...


WatcherFactory = Callable[
    [Workspace, Callable[[frozenset[str]], None], Callable[[Status], None]],
    Watching,
]


def live_watcher(
    workspace: Workspace, on_change: Callable[[frozenset[str]], None], on_status: Callable[[Status], None]
) -> Watching:
    """The watcher of the real disk."""
    # watchfiles costs 31 ms: after the first frame.
    from .watcher import Watcher

    return Watcher(workspace, on_change, on_status)
