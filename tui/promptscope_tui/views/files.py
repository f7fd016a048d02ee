"""Every file that was looked for, in load order, and the problems found."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.prompt.model import Assembly, Diagnostic, Reason, SourceFile, Variable
from promptscope_tui.session.session import Session
from promptscope_tui.text.reasons import plain_reason
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row
from promptscope_tui.text.tables import COLUMNS, Arrangement, sum_rows
from promptscope_tui.text.totals import files_sum
from promptscope_tui.text.words import LOADS, number, short_path, short_text
from promptscope_tui.widgets.messages import Noted
from promptscope_tui.widgets.table_list import TableList

from .subjects import DiagnosticSubject, FileSubject, SwitchSubject
from .what_if import Reads, SimulateRead

_LEGEND = {**LOADS, "not loaded": "✗", "never": "⊘"}

_PATH = 34
"""The most cells of a path."""

_LEGEND_TONES: dict[str, Tone] = {"✗": "faint", "⊘": "warn"}

_COLUMNS = COLUMNS["files"]

_OWN = Arrangement()

_MARKS: dict[str, tuple[str, Tone]] = {"error": ("✗", "error"), "warning": ("⚠", "warn"), "info": ("i", "dim")}


class FilesTable(TableList):
    """A table of files; diagnostics follow the file they are about, the others come last.

    Enter leads to a file's place in the prompt.
    """

    columns = _COLUMNS

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session = session
        self._lit: frozenset[str] = frozenset()

    def light(self, paths: Iterable[str]) -> None:
        """Mark the files at these paths (as the agent shows them): what a read would load."""
        lit = frozenset(paths)
        if lit != self._lit:
            self._lit = lit
            self.show_arranged()

    def is_record(self, key: object) -> bool:
        """A file; diagnostics and variables are not."""
        return isinstance(key, FileSubject)

    def table_rows(self, assembly: Assembly, width: int) -> list[Row]:
        """The files in the order that was chosen, and those that load later."""
        lazy_rules = self._snapshot.lazy_rules if self._snapshot else None
        return file_rows(assembly, width, lazy_rules, self._lit, self.arrangement)

    def next_problem(self) -> None:
        """Go to the next error or warning below the cursor, or to the first one."""
        found = self._snapshot.assembly.diagnostics if self._snapshot and self._snapshot.assembly else ()
        rows = [
            (n, row.key)
            for n, row in enumerate(self.rows)
            if isinstance(row.key, DiagnosticSubject) and found[row.key.index].severity != "info"
        ]
        if rows:
            at = next((at for at, (n, _) in enumerate(rows) if n > self.cursor), 0)
            self.go_to(rows[at][1])
            self.post_message(Noted(f"problem {at + 1} of {len(rows)}"))

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


def file_rows(
    assembly: Assembly,
    width: int,
    lazy_rules: LazyRules | None = None,
    lit: frozenset[str] = frozenset(),
    arrangement: Arrangement = _OWN,
) -> list[Row]:
    """The table's rows; those of `lit` paths are marked."""
    room = min(max(width * 2 // 5, 18), _PATH)  # on a narrow screen the reason needs half of the row
    columns = [replace(c, most=room) if c.path else c for c in _COLUMNS]
    records = [
        _Record(file, assembly, lazy_rules, lit, lazy_rules.of(file.path) if lazy_rules and not file.present else None)
        for file in assembly.files
    ]
    if lazy_rules:
        later = lazy_rules.beside(assembly.files)
        records += [_Record(rule.as_file(_LATER), assembly, lazy_rules, lit, rule) for rule in later]
    head, *lines = arrangement.rows(columns, records, width)
    rows = [head]
    mine = _by_file(assembly)
    for line in lines:
        rows.append(line)
        path = line.key.path if isinstance(line.key, FileSubject) else ""
        rows += [_diagnostic(d, n, assembly, under=True) for n, d in mine.pop(path, ())]
    rest = [each for each in mine.pop("", ()) if arrangement.shows(each[1].message)]
    if rest:
        rows += [BLANK, row(Span("DIAGNOSTICS", "title")), *(_diagnostic(d, n, assembly) for n, d in rest)]
    counted = sum(file.present for file in assembly.files)
    words = f"{counted} of {len(assembly.files)} count in this prompt. tokens: own text as injected"
    rows += [BLANK, *sum_rows(files_sum(assembly)), paragraph("  ", Span(words, "faint"), indent=2)]
    rows += [BLANK, row("  ", *_legend(assembly.files, lazy_rules))]
    if assembly.variables:
        rows += [BLANK, row(Span("VARIABLES", "title")), *(_variable(v) for v in assembly.variables)]
    return rows


def _by_file(assembly: Assembly) -> dict[str, list[tuple[int, Diagnostic]]]:
    """The diagnostics with their indices, by the path of the file that they are about; "" for all others."""
    shown = {path: file.path for file in reversed(assembly.files) for path in (file.real_path, file.path)}
    found: dict[str, list[tuple[int, Diagnostic]]] = {}
    for n, diagnostic in enumerate(assembly.diagnostics):
        found.setdefault(shown.get(diagnostic.path or "", ""), []).append((n, diagnostic))
    return found


def _variable(found: Variable) -> Row:
    """A variable that the agent reads, and who set it: a settings file, or the process."""
    return paragraph(
        Span("$ ", "dim"),
        Span(f"{found.name}={found.value}"),
        Span(f"  {found.source.place or 'set in the environment'}", "dim"),
        indent=2,
        key=SwitchSubject(f"env.{found.name}"),
    )


def _lazy_glyph(rule: LazyRule, lit: frozenset[str]) -> Span:
    if rule.file.path in lit:
        return Span("»", "accent")
    if rule.unmatched:
        return Span("⊘", "warn")
    return Span(LOADS["conditional" if rule.file.patterns else "on-demand"], "faint")


_LATER = Reason("loads later")


class _Record(Struct, frozen=True):
    """A file, and the rule that it is, if it loads with another one."""

    file: SourceFile
    assembly: Assembly
    lazy_rules: LazyRules | None
    lit: frozenset[str]
    rule: LazyRule | None

    @property
    def key(self) -> FileSubject:
        return FileSubject(self.file.path)

    def cell(self, column: int) -> Span:
        """By the columns of the table."""
        file, assembly = self.file, self.assembly
        here: Tone = "accent" if file.path in self.lit else "text" if file.present else "faint"
        match _COLUMNS[column].head:
            case "":
                found = Span(LOADS[file.load], "file") if file.present else Span("✗", "faint")
                if self.rule:
                    found = _lazy_glyph(self.rule, self.lit)
            case "file":
                found = Span(short_path(file.path, assembly), here)
            case "kind":
                found = Span(file.kind, "dim" if file.present else "faint")
            case "bytes":
                found = Span(f"{file.bytes:,}" if file.present or file.bytes > 0 else "", "dim")
            case "injected":
                mark = "✂" if file.truncated else ""
                found = Span(f"{file.injected_chars:,}{mark}" if file.present else "", "dim")
            case "tokens":
                found = Span(number(file.tokens) if file.present else "", here)
            case _ if self.rule and self.lazy_rules:
                why = short_text(self.lazy_rules.why(self.rule), assembly)
                found = Span(why, "warn" if self.rule.unmatched else "dim")
                found = Span("loads", "accent") if file.path in self.lit else found
            case _:
                found = Span(plain_reason(file.why, assembly), "dim")
        return found


def _diagnostic(found: Diagnostic, index: int, assembly: Assembly, *, under: bool = False) -> Row:
    """Something about a file; `under` the file's row its path need not be said."""
    mark, tone = _MARKS[found.severity]
    place = f"line {found.line}: " if under and found.line else ""
    if not under and found.path and found.path != assembly.workspace:
        place = f"{short_path(found.place, assembly)}: "
    indent = 3 if under else 0
    return paragraph(
        " " * indent,
        Span(f"{mark} {place}{short_text(found.message, assembly)}", tone),
        Span(f"  {found.code}", "faint"),
        indent=indent + 2,
        key=DiagnosticSubject(index),
    )


def _legend(files: Iterable[SourceFile], lazy_rules: LazyRules | None) -> list[Span]:
    present = {"not loaded" if not f.present else f.load for f in files}
    for rule in lazy_rules.rules if lazy_rules else ():
        present |= {"never" if rule.unmatched else "conditional" if rule.file.patterns else "on-demand"}
    return [
        part
        for words, glyph in _LEGEND.items()
        if words in present
        for part in (Span(glyph, _LEGEND_TONES.get(glyph, "file")), Span(f" {words.replace('-', ' ')}  ", "dim"))
    ]
