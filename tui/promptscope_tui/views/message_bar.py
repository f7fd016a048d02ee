"""Drafting the first message of a session, with all that comes of it: mentions, commands and skills."""

from collections.abc import Iterator

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from promptscope_engine.agents.features import FirstMessage
from promptscope_engine.prompt.model import Assembly, Section
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.inputs import AgentInputs
from promptscope_tui.session.session import Session
from promptscope_tui.text.escape import visible
from promptscope_tui.text.words import number, short_path, short_text
from promptscope_tui.views.bars.top import TabBar
from promptscope_tui.views.prompt.view import PromptView


class MessageBar(Vertical):
    """A few lines to type in; the prompt follows every letter."""

    BINDINGS = bindings("draft")

    class Closed(Message):
        """The bar was left."""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self._message: FirstMessage | None = None
        self._last = ""
        self._again = False

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.has_class("-open")

    async def action_task(self) -> None:
        """Draft the first message."""
        inputs = AgentInputs.shown(self._session.snapshot)
        if inputs is None or inputs.agent.about.first_message is None:
            return
        self._message = inputs.agent.about.first_message
        if self.screen.query_one(TabBar).active not in ("prompt", "request"):
            await self.run_action("screen.show_tab('prompt')")
        field = inputs.field(self._message.param)
        area = await self._open(str(inputs.value(self._message.param) or ""))
        if field is not None and area.text == field.default:
            area.select_all()  # what nobody wrote is replaced by the first letter
        # The bar shrinks the page: what is in view is known after the next layout.
        self.call_after_refresh(self.follow)

    def follow(self) -> None:
        """Show the message that results, its header at the top, with its size."""
        assembly, message = self._session.snapshot.assembly, self._message
        if assembly is None or message is None:
            return
        parts = [section for section in assembly.sections if message.holds(section)]
        if parts:
            prompt = self.screen.query_one(PromptView)
            own = (part for id in message.sections for part in parts if part.present and part.id == id)
            prompt.goto(next(own, parts[0]).id, 1)
            prompt.scroll_to(y=prompt.cursor_row - 1, animate=False, force=True)
        self.query_one("#draft-result", Static).update(draft_words(assembly, message))

    async def _open(self, text: str) -> TextArea:
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
        hint = self._message.hint if self._message else ""
        self.query_one("#draft-hint", Static).update(Content(f"MESSAGE  {hint}".rstrip()))
        area.move_cursor(area.document.end)
        area.focus()
        return area

    @on(TextArea.Changed)
    def changed(self, event: TextArea.Changed) -> None:
        """Assemble with every letter; all of the typing is one step to undo."""
        event.stop()
        text = event.text_area.text
        if text != self._last and self._message is not None:
            self._last = text
            self._session.set(self._message.param, text, again=self._again)
            self._again = True

    def action_close(self) -> None:
        """Leave the bar."""
        self.remove_class("-open")
        self.post_message(self.Closed())


def draft_words(assembly: Assembly, message: FirstMessage) -> str:
    """What a draft results in: its tokens and what each file adds; then, a line each, what was left out and notes."""
    parts = [section for section in assembly.sections if message.holds(section)]
    sent = [part for part in parts if part.present]
    if not sent:
        return "\n".join(["no message yet", *_notes(assembly, message)])
    total = f"{number(sum(part.expected_tokens or 0 for part in sent))} tok"
    files = [words for part in sent for words in _files(part, assembly)]
    return "\n".join(["   ".join([total, *files]), *_left_out(parts, assembly), *_notes(assembly, message)])


def _files(section: Section, assembly: Assembly) -> Iterator[str]:
    """The files of a part, each with its lines; the part's tokens where it is of one file."""
    lines: dict[str, list[int]] = {}
    for fragment in section.fragments:
        origin = fragment.origin
        if origin.path is not None and origin.start_line is not None:
            last = origin.start_line + fragment.text.removesuffix("\n").count("\n")
            lines.setdefault(origin.path, []).extend((origin.start_line, last))
    for path, held in lines.items():
        tokens = f" {number(section.expected_tokens)}" if len(lines) == 1 else ""
        rest = f"-{max(held)}" if max(held) > min(held) else ""
        yield visible(f"{short_path(path, assembly)}:{min(held)}{rest}{tokens}")


def _left_out(parts: list[Section], assembly: Assembly) -> Iterator[str]:
    for part in parts:
        reasons = [fragment.why for fragment in part.absent] + ([] if part.present else [part.why])
        for reason in reasons:
            yield visible(f"✗ {short_text(reason.text, assembly).removeprefix('absent: ')}")


def _notes(assembly: Assembly, message: FirstMessage) -> Iterator[str]:
    for note in assembly.diagnostics:
        if note.code in message.notes:
            yield visible(f"! {short_text(note.message, assembly)}")
