"""The controllers that a first frame does without: their imports take as long as the rest of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from promptscope_tui.session.snapshot import Sent

from .host import Host

if TYPE_CHECKING:
    from .captures import Captures
    from .overlays import Overlays
    from .recordings import Following, Recordings


class LaterControllers(Host):
    """Makes each of them when it is first asked for."""

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

    @property
    def sent(self) -> Sent | None:
        """The request of the open capture that is shown in some view."""
        return self.captures.shown if "captures" in self.__dict__ else None
