"""The controllers that a first frame does without: their imports take as long as the rest of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from promptscope_tui.session.snapshot import Sent, Snapshot

from .host import Host

if TYPE_CHECKING:
    from .captures import Captures
    from .overlays import Overlays
    from .recordings import Following, Recordings
    from .versions import Versions


class LaterControllers(Host):
    """Makes each of them when it is first asked for."""

    versions: Versions | None = None
    """What knows the clients of this machine, which the app makes once everything else is found out."""

    @cached_property
    def captures(self) -> Captures:
        """The capture that is open."""
        from .captures import Captures  # 170 ms: what reads and compares requests

        return Captures(self)

    @cached_property
    def recordings(self) -> Recordings:
        """Transcripts, and what is learned from captures."""
        from .recordings import Recordings  # 120 ms: the store of captures, calibration

        return Recordings(self, lambda path: self.captures.open(path), lambda path: self.following.start(path))

    @cached_property
    def overlays(self) -> Overlays:
        """The screens over the main one."""
        from .overlays import Overlays  # 110 ms: effects, savings, replies

        return Overlays(self)

    @cached_property
    def following(self) -> Following:
        """The running session that is followed."""
        from .recordings import Following  # with the recordings, which know the newest session

        return Following(self, self.recordings.newest_session)

    def show_later(self, snapshot: Snapshot) -> None:
        """Show a snapshot in those that are made, and in the capture that the scenario names."""
        if snapshot.assembly is not None and ("captures" in self.__dict__ or snapshot.scenario.capture):
            self.captures.show_snapshot(snapshot)
        if "recordings" in self.__dict__:
            self.recordings.show_snapshot(snapshot)
        if self.versions is not None:
            self.versions.show_snapshot(snapshot)

    @property
    def sent(self) -> Sent | None:
        """The request of the open capture that is shown in some view."""
        return self.captures.shown if "captures" in self.__dict__ else None
