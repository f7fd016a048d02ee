"""What the main screen offers its controllers, and what the screens over it share."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from textual.message import Message

from promptscope_engine.agents.adapter import Agent
from promptscope_tui.session.intents import GoTo
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.views.bars.tabs import SentBar
from promptscope_tui.views.subjects import Subject
from promptscope_tui.views.why.view import Why
from promptscope_tui.widgets.threads import Works

from .pages import Pages


class Host(Works, Protocol):
    """The main screen, as its controllers see it."""

    session: Session
    snapshot: Snapshot
    """The snapshot that is shown."""
    pages: Pages
    state_folder: Callable[[], Path]
    """Where scenarios and captures are saved."""

    @property
    def sent_bar(self) -> SentBar:
        """The line about the capture that is open."""

    @property
    def why(self) -> Why:
        """The right column."""

    @property
    def agent(self) -> Agent | None:
        """The agent whose prompt is shown."""

    @property
    def under_cursor(self) -> Subject | None:
        """What the cursor of the page in view is on."""

    def note(self, words: str, *, error: bool = False) -> None:
        """Show a note at the bottom."""

    def show_tab(self, name: str) -> None:
        """Show a tab's page and give it the keys."""

    def go_to(self, place: GoTo) -> None:
        """Show a place; back leads to where the cursor is now."""

    def post_message(self, message: Message) -> bool:
        """Send itself a message."""

    def get_selected_text(self) -> str | None:
        """The text that is selected."""

    def call_after_refresh(self, callback: Callable[..., object], *args: object) -> bool:
        """Call something once what is shown now is laid out."""


@runtime_checkable
class Following(Protocol):
    """A screen over the main one that follows the prompt."""

    def renew(self, snapshot: Snapshot) -> None:
        """Show what the prompt is now."""
