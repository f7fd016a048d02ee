"""The messages that cross the app."""

from dataclasses import dataclass

from textual.message import Message
from textual.widget import Widget

from promptscope_tui.session.snapshot import Intent, Snapshot
from promptscope_tui.watching import WatchStatus


class Latest(Message):
    """A message of a kind of which only the last of a burst matters."""

    def can_replace(self, message: Message) -> bool:
        """A newer one replaces an older one."""
        return isinstance(message, type(self))


@dataclass
class Updated(Latest):
    """The session knows more. Each snapshot is complete."""

    snapshot: Snapshot


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
class Watched(Latest):
    """The watcher's state changed."""

    status: WatchStatus


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
