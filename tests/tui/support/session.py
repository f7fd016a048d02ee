"""A session without a terminal, for which a test can wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot

from .roo_shop import roo_shop_at
from .user import NOON, PATIENCE


class Watched:
    """A session on a copy of the shop: a context that opens it and waits until its own agent is worked out. The other
    agents are left out."""

    def __init__(self, folder: Path) -> None:
        self.updated = threading.Condition()
        self._alone = patch("promptscope_tui.session.findings.agents_for", lambda _: ())
        self.session = Session(roo_shop_at(folder), self.publish, cache_folder=folder / "cache", clock=lambda: NOON)

    def publish(self, _: Snapshot) -> None:
        with self.updated:
            self.updated.notify_all()

    def __enter__(self) -> Watched:
        self._alone.start()
        self.first = self.session.open()
        self.session.start()
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()
        self._alone.stop()

    def wait(self, until: Callable[[Snapshot], bool] = lambda s: not s.busy) -> Snapshot:
        """The snapshot when this is so; fails if it takes too long."""
        with self.updated:
            assert self.updated.wait_for(lambda: until(self.session.snapshot), PATIENCE), "the worker did not finish"
        return self.session.snapshot
