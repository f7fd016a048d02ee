"""Asking whether a mode may edit a file: answered with every letter."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import LimitsEdits
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.editable import EditableFiles
from promptscope_engine.prompt.model import ModeChoice
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.agents import situated
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Span, paragraph
from promptscope_tui.text.words import edits_only
from promptscope_tui.widgets.line_input import LineInput
from promptscope_tui.widgets.row_list import ChoiceList, RowList

from .switch import answer_rows, file_rows

_HEIGHT = 10


class MayEdit(ModalScreen[None]):
    """A path is typed, and the answer is below it, with the files of the repository that the mode may edit."""

    CSS_PATH = "may_edit.tcss"
    BINDINGS = bindings("dialog", "picker")

    def __init__(self, session: Session, agent: Agent, mode: ModeChoice) -> None:
        super().__init__()
        self._session, self._agent, self._mode = session, agent, mode
        self._asked = self._rules()

    def _rules(self) -> EditableFiles | None:
        """The rules of the mode, without any file listed."""
        if not isinstance(self._agent, LimitsEdits):
            return None
        _, inputs = resolve(situated(self._session.snapshot), self._session.workspace)
        rules = self._agent.edit_rules(inputs, self._session.workspace, self._mode)
        return EditableFiles(rules, inputs.workspace)

    def compose(self) -> ComposeResult:
        """What the mode says, the line, the answer, the files."""
        with Vertical(id="may-edit"):
            yield Static(f"CAN {visible(self._mode.slug)} EDIT", classes="may-edit-title", markup=False)
            yield Static(f"it {visible(edits_only(self._mode))}", id="may-edit-rule", markup=False)
            yield LineInput(placeholder="type a path, as src/a.ts", entered=lambda _: self.dismiss())
            yield RowList(id="may-edit-answer")
            yield Static("FILES OF THE REPOSITORY", classes="may-edit-title", markup=False)
            yield ChoiceList(id="may-edit-files")

    def on_mount(self) -> None:
        """Show what is known already."""
        self._answer()
        self.query_one(Input).focus()

    def renew(self, snapshot: Snapshot) -> None:
        """The files were found out, or the prompt changed."""
        now = snapshot.assembly
        self._mode = (
            next((mode for mode in now.modes if mode.slug == self._mode.slug), self._mode) if now else self._mode
        )
        self._asked = self._rules()
        self._answer()

    def _answer(self) -> None:
        typed = self.query_one(Input).value.strip()
        editable = self._session.snapshot.editable
        known = editable if editable and editable.rules.mode == self._mode else None
        answer = [paragraph(Span("the pattern is matched with the path as the model writes it", "faint"))]
        if typed and self._asked:
            answer = answer_rows(self._asked.answer(typed))
        for id, rows in (("answer", answer), ("files", file_rows(known, typed))):
            shown = self.query_one(f"#may-edit-{id}", RowList)
            shown.styles.height = max(min(len(rows), _HEIGHT), 1)
            shown.show(lambda _, rows=rows: rows, keep=False)  # type: ignore[misc]

    @on(Input.Changed)
    def ask(self) -> None:
        """Answer with every letter."""
        self._answer()

    def action_step(self, by: int) -> None:
        """Up or down in the files while typing."""
        self.query_one("#may-edit-files", RowList).action_move(by)
