"""A line for any word, and why it is in the prompt or is not: what `promptscope why` answers."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from promptscope_engine.inputs.errors import ScenarioError
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.answers.asking import answer, in_words
from promptscope_tui.answers.finding import NotFoundError
from promptscope_tui.session.session import Session
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph
from promptscope_tui.widgets.messages import in_thread
from promptscope_tui.widgets.picker import LineInput
from promptscope_tui.widgets.row_list import RowList


class AnswerScreen(ModalScreen[None]):
    """Enter answers the word that is typed, and leaves the line for another one."""

    CSS_PATH = "answer.tcss"
    BINDINGS = bindings("answer")

    def __init__(self, session: Session, word: str = "") -> None:
        """`word` is answered at once."""
        super().__init__()
        self._session, self._word = session, word

    def compose(self) -> ComposeResult:
        """The title, the line, the answer."""
        with Vertical(id="answer"):
            yield Static("WHY …?   enter answers   ↑↓ move   esc leaves", id="answer-title", markup=False)
            yield LineInput(self._word, placeholder=_PLACEHOLDER, entered=self.ask)
            yield RowList(id="answer-lines")

    def on_mount(self) -> None:
        """Start in the line."""
        self.query_one(LineInput).focus()
        if self._word:
            self.ask(self._word)

    def ask(self, word: str) -> None:
        """Answer a word, in a thread: it may take another prompt or two."""
        if word := word.strip():
            self._show([paragraph(Span("… looking", "dim"))])
            in_thread(self, lambda: self._find(word), self._take)

    def action_move(self, by: int) -> None:
        """Up or down in the answer while typing."""
        self.query_one(RowList).action_page(by)

    def _find(self, word: str) -> list[str]:
        session = self._session
        assembly = session.snapshot.assembly
        if assembly is None:
            return ["there is no prompt to ask about"]
        workspace = session.workspace.snapshot()  # the session's thread is reading with the original
        try:
            scenario = session.placed.with_value("agent", assembly.agent)
            found = answer(word, assembly, scenario, workspace, session.knowledge)
        except NotFoundError as error:
            return [str(error)]
        return in_words(found, assembly)

    def _take(self, found: list[str] | ScenarioError) -> None:
        self._show(answer_rows([str(found)] if isinstance(found, ScenarioError) else found))

    def _show(self, rows: list[Row]) -> None:
        self.query_one(RowList).show(lambda _: rows, keep=False)


_PLACEHOLDER = "a file, setting, variable, option, tool, server, skill, hook, model, or words of a text"


def answer_rows(texts: list[str]) -> list[Row]:
    """The lines of the answers, the first of each as its title, with a blank row between them."""
    rows: list[Row] = []
    for text in texts:
        rows += [BLANK] if rows else []
        for at, line in enumerate(text.splitlines()):
            indent = len(line) - len(line.lstrip())
            rows.append(paragraph(Span(line, "strong" if at == 0 else "text"), indent=indent + 2))
    return rows
