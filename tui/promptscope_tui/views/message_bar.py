"""Drafting the first message of a task, with what its mentions add."""

from collections.abc import Iterator

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import number
from promptscope_tui.views.bars.tabs import TabBar
from promptscope_tui.views.prompt.view import PromptView

TASK = "task"
"""The param that holds the first message."""

_HINT = "TASK  @/path @problems @git-changes @terminal @https://… /command   esc closes"
_PLAIN_HINT = "MESSAGE  esc closes"


class MessageBar(Vertical):
    """A few lines to type in; the prompt follows every letter."""

    BINDINGS = bindings("draft")

    class Closed(Message):
        """The bar was left."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self._last = ""
        self._again = False

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    async def action_task(self) -> None:
        """Draft the first message of a task."""
        inputs = AgentInputs.shown(self._session.snapshot)
        if inputs is None:
            return
        if self.screen.query_one(TabBar).active not in ("prompt", "request"):
            await self.run_action("screen.show_tab('prompt')")
        await self._open(str(inputs.value(TASK) or ""))
        # The bar shrinks the page: what is in view is known after the next layout.
        self.call_after_refresh(self.follow)

    def follow(self) -> None:
        """Show the message that results, its header at the top, with its size."""
        assembly = self._session.snapshot.assembly
        if assembly is not None:
            prompt = self.screen.query_one(PromptView)
            prompt.goto("user.task", 1)
            prompt.scroll_to(y=prompt.cursor_row - 1, animate=False, force=True)
            self.query_one("#draft-result", Static).update(draft_words(assembly))

    async def _open(self, text: str) -> None:
        self.add_class("-open")
        self._last, self._again = text, False
        found = self.query(TextArea)
        if found:
            area = found.first()
            area.load_text(text)
        else:
            area = TextArea(text, soft_wrap=True, compact=True, show_line_numbers=False)
            area.cursor_blink = False  # nothing moves while idle
            result = Static("", id="draft-result", markup=False)
            await self.mount(Static(id="draft-hint", markup=False), area, result)
        assembly = self._session.snapshot.assembly
        expands = assembly is not None and _has_details(assembly)
        self.query_one("#draft-hint", Static).update(Content(_HINT if expands else _PLAIN_HINT))
        area.move_cursor(area.document.end)
        area.focus()

    @on(TextArea.Changed)
    def changed(self, event: TextArea.Changed) -> None:
        """Assemble with every letter; all of the typing is one step to undo."""
        event.stop()
        text = event.text_area.text
        if text != self._last:
            self._last = text
            self._session.set(TASK, text, again=self._again)
            self._again = True

    def action_close(self) -> None:
        """Leave the bar."""
        self.remove_class("-open")
        self.post_message(self.Closed())


def draft_words(assembly: Assembly) -> str:
    """What a draft results in: tokens, mentions, and what was left out, with the reason."""
    tokens = assembly.tokens.by_channel.get("messages")
    mentions = [s for s in assembly.sections if s.id.startswith("user.mention.") and s.parent == "user.task"]
    if not any(s.present for s in assembly.sections if s.id == "user.task"):
        return "no message yet"
    if any(s.present and s.id.startswith("history.") for s in assembly.sections):
        return f"{number(tokens)} tok with the history"
    words = [
        f"{number(tokens)} tok with the environment details",
        f"{len(mentions)} mention{'s' * (len(mentions) != 1)}",
    ]
    return "   ".join([*words, *_left_out(assembly)]) if _has_details(assembly) else f"{number(tokens)} tok"


def _has_details(assembly: Assembly) -> bool:
    """Whether more is sent beside the words: mentions that expand, facts of the editor."""
    return any(s.channel == "messages" and s.id.startswith("user.") and s.id != "user.task" for s in assembly.sections)


def _left_out(assembly: Assembly) -> Iterator[str]:
    for section in assembly.sections:
        if section.id.startswith("user.mention."):
            if not section.present:
                yield visible(f"✗ {section.why.text.removeprefix('absent: ')}")
            for fragment in section.absent:
                yield visible(f"✗ {fragment.why.text.removeprefix('absent: ')}")
