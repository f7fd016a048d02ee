"""The page of files: every file that was looked for, in its folder, and the problems found."""

from collections.abc import Hashable, Iterable

from promptscope_engine.prompt.model import Assembly
from promptscope_tui.actions.bindings import bindings
from promptscope_tui.session.session import Session
from promptscope_tui.text.folders import Folder
from promptscope_tui.text.spans import Row
from promptscope_tui.views.subjects import DiagnosticSubject, FileSubject, FolderSubject
from promptscope_tui.views.what_if import Reads, SimulateRead
from promptscope_tui.widgets.messages import Noted
from promptscope_tui.widgets.table_list import TableList

from .records import FilesShown
from .rows import file_rows
from .tree import FILE_COLUMNS, FileTree, Look


class FilesTable(TableList):
    """A table of files in their folders, which fold. Enter leads to a file's place in the prompt."""

    BINDINGS = bindings("tree")
    columns = FILE_COLUMNS

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self._lit: frozenset[str] = frozenset()
        self._choices: dict[str, bool] = {}
        self._tree: FileTree | None = None

    def light(self, paths: Iterable[str]) -> None:
        """Mark the files at these paths (as the agent shows them): what a read would load."""
        lit = frozenset(paths)
        if lit != self._lit:
            self._lit = lit
            self.show_arranged()

    @property
    def _look(self) -> Look:
        return Look(self._lit, self.arrangement, self._choices)

    def is_record(self, key: object) -> bool:
        """A file; folders, diagnostics and variables are not."""
        return isinstance(key, FileSubject)

    @property
    def found(self) -> int:
        """How many files are shown, or are in the tree, folded or not."""
        return len(self._tree.records) if self._tree and self._look.is_tree else super().found

    def show_arranged(self) -> None:
        """Show the rows again in another order, or others; the tree is rebuilt only for other files."""
        now = self._snapshot
        if now is not None and now.assembly is not None:
            shown = FilesShown(now.assembly, now.lazy_rules, now.on_read)
            if self._tree is None or not self._tree.shown.same(shown):
                self._tree = FileTree(shown)
        super().show_arranged()

    def table_rows(self, _: Assembly, width: int) -> list[Row]:
        """The files in their folders or in the order that was chosen, and those that load later."""
        return file_rows(self._tree, width, self._look) if self._tree else []

    # --- folders ------------------------------------------------------------------------------------------------

    def go_to(self, key: Hashable) -> bool:
        """Highlight the row with this key; folders around it are opened. A link is in the row of what it leads to."""
        if self._tree is not None:
            key, around = self._tree.around(key)
            self._choose_folds(dict.fromkeys(around, True))
        return super().go_to(key)

    def _choose_folds(self, folds: dict[str, bool]) -> None:
        if folds.items() - self._choices.items():
            self._choices |= folds
            self.show_arranged()

    @property
    def _folder(self) -> Folder | None:
        """The folder under the cursor."""
        return self._tree.folder(self.key.path) if self._tree and isinstance(self.key, FolderSubject) else None

    def _fold(self, folder: Folder, is_open: bool) -> None:
        self._choose_folds({folder.path: is_open})

    def action_choose(self) -> None:
        """Open or fold a folder; go to a file's place in the prompt."""
        if self._tree and (folder := self._folder):
            self._fold(folder, not self._tree.is_open(folder, self._look))
        else:
            super().action_choose()

    def action_close(self) -> None:
        """Fold an open folder; from anything else go to the folder around it."""
        if self._tree is None:
            return
        if (folder := self._folder) and self._tree.is_open(folder, self._look):
            self._fold(folder, False)
        elif around := self._tree.around(self.key)[1]:
            super().go_to(FolderSubject(around[-1]))

    def action_open(self) -> None:
        """Open a folder; in an open one go to its first row."""
        if self._tree is None or (folder := self._folder) is None:
            return
        if self._tree.is_open(folder, self._look):
            self.action_move(1)
        else:
            self._fold(folder, True)

    def next_problem(self) -> None:
        """Go to the next error or warning below the cursor, or to the first one."""
        if self._tree is None:
            return
        found = self._tree.shown.assembly.diagnostics
        keys = list(self._tree.keys()) if self._look.is_tree else [row.key for row in self.rows]
        at = keys.index(self.key) if self.key in keys else -1
        problems = [
            (n, key)
            for n, key in enumerate(keys)
            if isinstance(key, DiagnosticSubject) and found[key.index].severity != "info"
        ]
        if problems:
            number = next((number for number, (n, _) in enumerate(problems) if n > at), 0)
            self.go_to(problems[number][1])
            self.post_message(Noted(f"problem {number + 1} of {len(problems)}"))

    # --- what is done with files --------------------------------------------------------------------------------

    def action_reload(self) -> None:
        """Read every file again."""
        self._session.reload()
        self.post_message(Noted("reloaded"))

    async def action_imagine(self) -> None:
        """Simulate that the agent reads a file."""
        now = self._session.snapshot
        if now.assembly is not None:
            await self.run_action("screen.show_tab('files')")
            self.app.push_screen(SimulateRead(now.assembly, now.lazy_rules, now.scenario.reads, self.light), self._read)

    def _read(self, reads: Reads | None) -> None:
        self.light(())
        if reads is not None:
            self._session.replace(self._session.snapshot.scenario.model_copy(update={"reads": list(reads)}))
            self.post_message(Noted(f"simulating reads: {', '.join(reads)}" if reads else "no reads simulated"))
