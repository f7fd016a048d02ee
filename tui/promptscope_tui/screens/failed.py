"""What is shown when the main screen fails again as soon as it is built."""

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from promptscope_tui.actions.bindings import bindings
from promptscope_tui.failures import Failure
from promptscope_tui.text.escape import visible
from promptscope_tui.views.bars.bottom import StatusBar


class FailedScreen(Screen[None]):
    """As little as can be drawn: what failed, and the keys. Each of them builds the main screen again."""

    BINDINGS = bindings("main")

    DEFAULT_CSS = """
    FailedScreen {
        & > Static { height: 1fr; padding: 1 2; }
        & > StatusBar { dock: bottom; }
    }
    """

    @dataclass
    class Left(Message):
        """The user wants to go on: to another tab, say. `action` is an id of the table."""

        action: str

    def __init__(self, failure: Failure, tab: str) -> None:
        """`tab` is the name of the page that was shown."""
        super().__init__()
        self._paragraphs = (
            failure.words,
            f"The page {tab.capitalize()} was built again and failed at once. Another one may work.",
            "The report holds no text of yours: please attach it to an issue.",
        )

    def compose(self) -> ComposeResult:
        """The words, and the keys."""
        yield Static("\n\n".join(map(visible, self._paragraphs)), markup=False)
        bar = StatusBar(id="status")
        bar.pane = "failed"
        yield bar

    async def action_run(self, id: str) -> None:
        """End the app, or go on with what a key does on the main screen."""
        if id == "quit_app":
            self.app.exit()
        else:
            self.post_message(self.Left(id))
