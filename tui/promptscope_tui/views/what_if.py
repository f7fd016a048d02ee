"""Asking what would be: another text of a part, another file read, a file that a mode may edit."""

from collections.abc import Callable, Hashable, Iterable

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import LimitsEdits
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.insight.editable import EditableFiles
from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.prompt.model import Assembly, ModeChoice
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.folders import situated
from promptscope_tui.session.session import Session
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import Row, Span, paragraph, row
from promptscope_tui.text.words import contains, edits_only, short_path
from promptscope_tui.views.why.switch import answer_rows, file_rows
from promptscope_tui.widgets.picker import LineInput, TypedChoice
from promptscope_tui.widgets.row_list import ChoiceList, RowList


class ExperimentScreen(ModalScreen[str | None]):
    """Gives the text that was accepted, or None."""

    CSS_PATH = "experiment.tcss"
    BINDINGS = bindings("experiment")

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """What it is, the text, the keys."""
        with Vertical():
            yield Static(visible(f"TRY ANOTHER TEXT: {self._title}"), id="experiment-title", markup=False)
            yield TextArea(self._text, id="experiment-text", compact=True)
            yield Static("^s tries it   esc leaves it as it was   no file changes", id="experiment-keys", markup=False)

    def on_mount(self) -> None:
        """Start in the text."""
        self.query_one(TextArea).focus()

    def action_accept(self) -> None:
        """Try the text; one that is as it was is no experiment."""
        text = self.query_one(TextArea).text
        self.dismiss(None if text == self._text else text)

    def action_leave(self) -> None:
        """Leave the prompt as it is."""
        self.dismiss(None)


_LISTED = 200
_FILES_HEIGHT = 8

Reads = tuple[str, ...]


class SimulateRead(TypedChoice[Reads | None]):
    """Gives the files that are read from now on, in order, or None. Choosing one of them again removes it."""

    CSS_PATH = "simulate_read.tcss"

    def __init__(
        self,
        assembly: Assembly,
        lazy_rules: LazyRules | None,
        reads: Iterable[str],
        light: Callable[[Iterable[str]], None],
    ) -> None:
        """`light` marks the files at these paths in the table behind it."""
        super().__init__()
        self._assembly, self._lazy_rules, self._reads, self._light = assembly, lazy_rules, tuple(reads), light
        self._files = _names(assembly, lazy_rules) if lazy_rules else []

    def compose(self) -> ComposeResult:
        """The line, the files of the repository, what the chosen one loads."""
        with Vertical(id="imagine"):
            yield Static("SIMULATE THAT THE AGENT READS", classes="imagine-title", markup=False)
            yield LineInput(placeholder="type a path or part of one", entered=self.entered)
            yield ChoiceList(id="imagine-files")
            yield Static("IT LOADS", classes="imagine-title", markup=False)
            yield RowList(id="imagine-loads")

    def on_mount(self) -> None:
        """Start with the current reads."""
        self.filter("")
        self.query_one(Input).focus()

    @property
    def _chosen(self) -> str:
        """The highlighted file, else what was typed."""
        key = self.choices.key
        return str(key) if key is not None else self.query_one(Input).value.strip()

    def filter(self, typed: str) -> None:
        """Show the files that have all words of what was typed, those that are read first."""
        names = [*self._reads, *(name for name in self._files if name not in self._reads)]
        found = [name for name in names if contains(name, typed)]
        rows = [self._row(name) for name in found[:_LISTED]]
        if len(found) > _LISTED:
            rows.append(row(Span(f"  … {len(found) - _LISTED:,} more", "faint")))
        if not rows:
            rows = [paragraph(Span(f"enter uses {typed.strip()!r}, which need not exist", "dim"))]
        files = self.choices
        files.styles.height = max(min(len(rows), _FILES_HEIGHT), 1)
        files.show(lambda _: rows, keep=False)
        self._show_loaded()

    def _row(self, name: str) -> Row:
        read = name in self._reads
        right = [Span("already read; enter removes it", "faint")] if read else []
        return row(Span("◉ " if read else "○ ", "accent" if read else "faint"), Span(name), right=right, key=name)

    def _show_loaded(self) -> None:
        lazy_rules, chosen = self._lazy_rules, self._chosen
        loaded = lazy_rules.loaded_by(chosen, self._assembly.workspace) if lazy_rules else ()
        self._light(lazy.path for lazy in loaded)
        rows = [
            row(
                Span("» ", "accent"),
                Span(short_path(lazy.path, self._assembly)),
                right=[Span(", ".join(lazy.patterns) or f"below {short_path(lazy.base, self._assembly)}", "dim")],
            )
            for lazy in loaded
        ]
        if lazy_rules is None:
            rows = [paragraph(Span("… looking for what loads when it is read", "faint"))]
        elif not rows:
            rows = [paragraph(Span("nothing", "faint"))]
        loads = self.query_one("#imagine-loads", RowList)
        loads.styles.height = min(len(rows), _FILES_HEIGHT)
        loads.show(lambda _: rows, keep=False)

    @on(RowList.Highlighted)
    def look(self, event: RowList.Highlighted) -> None:
        """Another file: what does it load?"""
        event.stop()
        self._show_loaded()

    def take(self, typed: str, key: Hashable) -> None:
        """Read the highlighted file, or what was typed; one that is read already is read no more."""
        name = typed.strip() if key is None else str(key)
        if name:
            rest = tuple(read for read in self._reads if read != name)
            self.dismiss(rest if name in self._reads else (*rest, name))


def _names(assembly: Assembly, lazy_rules: LazyRules) -> list[str]:
    """The repository's files, relative to the agent's folder, those below it first."""
    base = assembly.workspace.rstrip("/") + "/"
    absolute = sorted(lazy_rules.listing.absolute(), key=lambda path: not path.startswith(base))
    return [path.removeprefix(base) for path in absolute]


_ANSWER_HEIGHT = 10


class MayEdit(ModalScreen[None]):
    """A path is typed, and the answer is below it, with the files of the repository that the mode may edit."""

    CSS_PATH = "may_edit.tcss"
    BINDINGS = bindings("dialog", "picker")

    def __init__(self, session: Session, agent: Describes, mode: ModeChoice) -> None:
        super().__init__()
        self._session, self._agent, self._mode = session, agent, mode
        self._asked = self._rules()

    def _rules(self) -> EditableFiles | None:
        """The rules of the mode, without any file listed."""
        if not isinstance(self._agent, LimitsEdits):
            return None
        inputs = resolve(situated(self._session.snapshot), self._session.workspace, self._session.knowledge).inputs
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
            shown.styles.height = max(min(len(rows), _ANSWER_HEIGHT), 1)
            shown.show(lambda _, rows=rows: rows, keep=False)  # type: ignore[misc]

    @on(Input.Changed)
    def ask(self) -> None:
        """Answer with every letter."""
        self._answer()

    def action_step(self, by: int) -> None:
        """Up or down in the files while typing."""
        self.query_one("#may-edit-files", RowList).action_move(by)
