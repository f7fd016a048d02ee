"""What widgets tell the app and the screen, and work in a thread whose result they take."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import get_current_worker

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_tui.session.snapshot import Intent, Snapshot
from promptscope_tui.watching.status import WatchStatus


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
class WhyShown(Message):
    """The user opened or closed the reasons below the page."""

    is_open: bool


@dataclass
class Noted(Message):
    """A note for the bottom of the screen."""

    words: str
    error: bool = False


T = TypeVar("T")


def ask(app: App[Any], screen: Screen[T | None], then: Callable[[T], object]) -> None:
    """Open a screen, and go on with what it gives; with nothing where it is left."""

    def left(given: T | None) -> None:
        if given is not None:
            then(given)

    app.push_screen(screen, left)


def in_thread(
    node: DOMNode, work: Callable[[], T], then: Callable[[T | ScenarioError], None], group: str = "default"
) -> None:
    """Work in a thread, then pass the result, or the error, to the app's thread.

    Newer work of the same group takes the place of older work, whose result is dropped.
    """

    def run() -> None:
        worker = get_current_worker()
        try:
            found: T | ScenarioError = work()
        except ScenarioError as error:
            found = error
        if not worker.is_cancelled:
            pass_on(node.app, node, then, found)

    node.run_worker(run, thread=True, exclusive=True, group=group)


def pass_on(app: App[Any], node: DOMNode, then: Callable[[T], object], found: T) -> None:
    """Call a view from another thread, in the app's own: once it is laid out, and not if it was left meanwhile."""

    def run() -> None:
        screens = [each for each in node.ancestors_with_self if isinstance(each, Screen)]
        if not any(each in app.screen_stack for each in screens):
            return
        if isinstance(node, Widget) and not node.is_mounted:
            node.call_later(then, found)
        else:
            then(found)

    app.call_from_thread(run)
