"""The messages that cross the app."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Lever

from .state import Snapshot
from .watching import Status


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
class SetParam(Message):
    """The user set a switch or edited a value."""

    param: str
    value: Json


@dataclass
class PullLevers(Message):
    """The user chose what a reason says would flip it."""

    levers: tuple[Lever, ...]


@dataclass
class OpenSource(Message):
    """The user wants a file in the editor."""

    path: str
    line: int = 1


@dataclass
class DoAction(Message):
    """The user clicked something that stands for an action of the table."""

    id: str
