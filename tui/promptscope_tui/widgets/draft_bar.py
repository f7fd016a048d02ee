"""The place where the first message of a task is drafted, and what its mentions bring in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import number

_HINT = (
    "TASK   @/path  @/folder/  @problems  @git-changes  @terminal  @https://…  /command     esc closes, the draft stays"
)


class TaskBar(Vertical):
    """Some lines to type in; every letter counts."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    DEFAULT_CSS = """
    TaskBar {
        display: none;
        height: auto;
        background: $panel;
        padding: 0 1;
        & > #task-hint { height: 1; color: $tone-dim; text-wrap: nowrap; text-overflow: ellipsis; }
        & > TextArea { height: auto; min-height: 2; max-height: 6; border: none; padding: 0; background: $boost; }
        & > #task-told { height: auto; max-height: 3; color: $tone-dim; }
        &.-open { display: block; }
    }
    """

    @dataclass
    class Typed(Message):
        """The draft changed; `again` if it did so since it was opened."""

        text: str
        again: bool

    @dataclass
    class Closed(Message):
        """The bar was left."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._last = ""
        self._again = False

    def compose(self) -> ComposeResult:
        """What can be mentioned, and what it brought in; the lines between them come when they are first wanted."""
        yield Static(Content(_HINT), id="task-hint")
        yield Static("", id="task-told", markup=False)

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    @property
    def text(self) -> str:
        """The draft."""
        return self._last

    async def open(self, text: str) -> None:
        """Show the draft and take the keys."""
        self.add_class("-open")
        self._last, self._again = text, False
        found = self.query(TextArea)
        if found:
            area = found.first()
            area.load_text(text)
        else:
            area = TextArea(text, soft_wrap=True, compact=True, show_line_numbers=False)
            area.cursor_blink = False  # nothing moves while nobody types
            await self.mount(area, before="#task-told")
        area.move_cursor(area.document.end)
        area.focus()

    def tell(self, words: str) -> None:
        """Say what the draft comes to."""
        self.query_one("#task-told", Static).update(words)

    @on(TextArea.Changed)
    def changed(self, event: TextArea.Changed) -> None:
        """Tell of every letter, but not of the text that was put in at the opening."""
        event.stop()
        text = event.text_area.text
        if text != self._last:
            self._last = text
            self.post_message(self.Typed(text, self._again))
            self._again = True

    def action_close(self) -> None:
        """Leave the bar."""
        self.remove_class("-open")
        self.post_message(self.Closed())


def task_words(assembly: Assembly) -> str:
    """What a draft comes to: tokens, mentions, and what is held back with its reason."""
    tokens = assembly.tokens.by_channel.get("messages")
    mentions = [s for s in assembly.sections if s.id.startswith("user.mention.") and s.parent == "user.task"]
    if not any(s.present for s in assembly.sections if s.id == "user.task"):
        return "no message yet"
    words = [f"{number(tokens)} tok with the environment details", f"{len(mentions)} mentions"]
    return "   ".join([*words, *_held_back(assembly)])


def _held_back(assembly: Assembly) -> Iterator[str]:
    for section in assembly.sections:
        if section.id.startswith("user.mention."):
            if not section.present:
                yield visible(f"✗ {section.why.text.removeprefix('absent: ')}")
            for fragment in section.absent:
                yield visible(f"✗ {fragment.why.text.removeprefix('absent: ')}")
