"""The messages that cross the app."""

from dataclasses import dataclass

from textual.message import Message
from textual.widget import Widget

from promptscope_tui.session.snapshot import Intent, Snapshot
from promptscope_tui.watching import WatchStatus


@dataclass
class Updated(Message):
    """The session knows more. Each snapshot is complete, so only the last of a burst matters."""

    snapshot: Snapshot

    def can_replace(self, message: Message) -> bool:
        """A newer snapshot replaces an older one."""
        return isinstance(message, Updated)


@dataclass
class Shown(Message):
    """The first frame is drawn."""


@dataclass
class Settled(Message):
    """Everything is found out, and shown."""


@dataclass
class Assembled(Message):
    """Something was assembled, and may have read other files."""


@dataclass
class Watched(Message):
    """The watcher's state changed."""

    status: WatchStatus

    def can_replace(self, message: Message) -> bool:
        """Only the last state matters."""
        return isinstance(message, Watched)


@dataclass
class Requested(Message):
    """The user asked for something that another part of the app does."""

    intent: Intent


@dataclass
class KeysTaken(Message):
    """A widget has carried out the key that it was sent, or passed it on."""

    by: Widget


@dataclass
class TabShown(Message):
    """The user went to a tab."""

    tab: str


@dataclass
class Noted(Message):
    """A note for the bottom of the screen."""

    words: str
    error: bool = False
