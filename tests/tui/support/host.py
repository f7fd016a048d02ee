"""What a controller of the main screen sees of it, without a screen."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from textual.message import Message
from textual.widget import Widget

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.scenario import Scenario
from promptscope_tui.screens.host import Host
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import GoTo
from promptscope_tui.views.prompt.view import PromptView
from promptscope_tui.views.subjects import Subject
from promptscope_tui.widgets.row_list import RowList


class FakeApp:
    """Remembers what is opened and copied."""

    is_headless = True

    def __init__(self) -> None:
        self.opened: list[tuple[Any, Callable[[Any], None] | None]] = []
        self.copied = ""
        self.ran: list[tuple[str, object]] = []

    def push_screen(self, screen: object, then: Callable[[Any], None] | None = None) -> None:
        self.opened.append((screen, then))

    def copy_to_clipboard(self, text: str) -> None:
        self.copied = text

    async def run_action(self, action: str, owner: object) -> None:
        self.ran.append((action, owner))

    def call_from_thread(self, do: Callable[..., None], *arguments: object) -> None:
        do(*arguments)


class FakePrompt(PromptView):
    """The prompt's page, which only remembers where it was sent."""

    def __init__(self) -> None:
        super().__init__(id="prompt")
        self.went: list[tuple[object, ...]] = []
        self.at: Any = None

    @property
    def place(self) -> Any:
        return self.at

    def goto(self, section_id: str, line: int = 0) -> None:
        self.went.append((section_id, line))

    def return_to(self, place: object, top: object) -> None:
        self.went.append(("back", place, top))


class FakeList(RowList):
    """A page with rows, some of them hidden by a filter."""

    def __init__(self, *keys: Hashable, hidden: Hashable = None) -> None:
        super().__init__()
        self.keys, self.hidden = keys, hidden
        self.at: Hashable = None

    @property
    def key(self) -> Hashable:
        return self.at

    def go_to(self, key: Hashable) -> bool:
        found = key in self.keys and key != self.hidden
        self.at = key if found else self.at
        return found

    def return_to(self, key: Hashable, _: object) -> None:
        self.at = key

    def once_laid_out(self, do: Callable[[], object]) -> None:
        do()

    def next_problem(self) -> None:
        self.at = "problem"


class FakePages:
    """The pages by tab."""

    def __init__(self, **pages: Widget) -> None:
        self._pages = pages
        self.active = "prompt"
        self.window = SimpleNamespace(plain="a map")
        self.files = pages.get("files")

    @property
    def in_view(self) -> Widget:
        return self.page(self.active)

    def page(self, name: str) -> Widget:
        return self._pages[name]


class FakeHost:
    """A main screen for a controller's test: an opened session, and a note of everything it is asked for."""

    def __init__(self, scenario: Scenario, cursor: Subject | None = None, **pages: Widget) -> None:
        self.published: list[object] = []
        folder = Path(scenario.workspace).parent
        self.session = Session(scenario, self.published.append, cache_folder=folder / "cache")
        self.snapshot = self.session.open()
        self.app: Any = FakeApp()
        self.pages: Any = FakePages(**pages)
        self.why: Any = SimpleNamespace(has_focus=False, source=None, link=None)
        self.header: Any = SimpleNamespace(installed="")
        self.sent_bar: Any = SimpleNamespace(sent=None, view=None, summary="")
        self.under_cursor = cursor
        self.selected: str | None = None
        self.notes: list[str] = []
        self.errors: list[str] = []
        self.tabs: list[str] = []
        self.places: list[GoTo] = []
        self.messages: list[Message] = []
        self.state_folder = lambda: folder / "state"

    @property
    def agent(self) -> Agent | None:
        return load_agent(self.snapshot.assembly.agent) if self.snapshot.assembly else None

    modelled_agent = Host.modelled_agent

    def note(self, words: str, *, error: bool = False, leads_to: str = "") -> None:
        self.leads_to = leads_to
        (self.errors if error else self.notes).append(words)

    def show_tab(self, name: str) -> None:
        self.tabs.append(name)
        self.pages.active = name

    def go_to(self, place: GoTo) -> None:
        self.places.append(place)

    def post_message(self, message: Message) -> bool:
        self.messages.append(message)
        return True

    def get_selected_text(self) -> str | None:
        return self.selected

    def run_worker(self, work: Callable[[], None], **_: object) -> None:
        work()

    def call_after_refresh(self, callback: Callable[..., object], *arguments: object) -> bool:
        callback(*arguments)
        return True
