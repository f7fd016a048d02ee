"""The controllers that are imported when they are first used."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from promptscope_tui.session.snapshot import Sent, Snapshot

from .host import Host

if TYPE_CHECKING:
    from .captures import Captures
    from .overlays import Overlays
    from .recordings import Recordings


class OnDemand:
    """What a first frame does without: their imports take as long as the rest of it."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @cached_property
    def captures(self) -> Captures:
        """The capture that is open."""
        from .captures import Captures  # 170 ms: what reads and compares requests

        return Captures(self._host)

    @cached_property
    def recordings(self) -> Recordings:
        """Transcripts, and what is learned from captures."""
        from .recordings import Recordings  # 120 ms: the store of captures, calibration

        return Recordings(self._host, lambda path: self.captures.open(path))

    @cached_property
    def overlays(self) -> Overlays:
        """The screens over the main one."""
        from .overlays import Overlays  # 110 ms: effects, savings, replies

        return Overlays(self._host)

    @property
    def sent(self) -> Sent | None:
        """The request of the open capture that is shown in some view."""
        return self.captures.shown if "captures" in self.__dict__ else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Update what is open."""
        if snapshot.assembly is not None and ("captures" in self.__dict__ or snapshot.scenario.capture):
            self.captures.show_snapshot(snapshot)
        if "recordings" in self.__dict__:
            self.recordings.show_snapshot(snapshot)
