"""The messages that cross the app."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from promptscope_tui.session.intents import Intent
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.watch import Status


@dataclass
class Updated(Message):
    """The session knows more. Each snapshot is complete, so a burst collapses into the last."""

    snapshot: Snapshot

    def can_replace(self, message: Message) -> bool:
        """A newer snapshot stands for the older one."""
        return isinstance(message, Updated)


@dataclass
class Shown(Message):
    """The first frame stands."""


@dataclass
class Assembled(Message):
    """Something was assembled: it may have asked for other files."""


@dataclass
class Watched(Message):
    """The watcher's state."""

    status: Status

    def can_replace(self, message: Message) -> bool:
        """Only the last state counts."""
        return isinstance(message, Watched)


@dataclass
class Requested(Message):
    """The user asked for something that another part of the app does."""

    intent: Intent


@dataclass
class Noted(Message):
    """Something is to be said at the bottom of the screen."""

    words: str
    error: bool = False
