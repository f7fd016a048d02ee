"""Every file that was consulted, in load order, and what was found wrong on the way."""

from __future__ import annotations

from collections.abc import Iterable

from promptscope_engine.model import Assembly, Diagnostic, SourceFile
from promptscope_tui.spans import BLANK, Row, Span, Tone, number, paragraph, row, short_path, tail
from promptscope_tui.subjects import DiagnosticSubject, FileSubject

from .columns import Column, Record, plain_reason, table
from .row_list import RowList

GLYPHS: dict[str, Span] = {
    "always": Span("●", "file"),
    "conditional": Span("◐", "file"),
    "on-demand": Span("○", "file"),
    "import": Span("@", "file"),
}
"""How a file is loaded; a file that does not count has ✗."""

_LEGEND = (("always", "●"), ("conditional", "◐"), ("on demand", "○"), ("import", "@"), ("not loaded", "✗"))

_COLUMNS = (
    Column(""),
    Column("file", most=34),
    Column("kind", most=20, from_width=96),
    Column("bytes", right=True, from_width=108),
    Column("injected", right=True, from_width=120),
    Column("tokens", right=True),
    Column("why"),
)

_MARKS: dict[str, tuple[str, Tone]] = {"error": ("✗", "error"), "warning": ("⚠", "warn"), "info": ("i", "dim")}


class FilesTable(RowList):
    """A table of files, diagnostics under the file they speak of, the others at the end."""

    DEFAULT_CSS = "FilesTable { padding: 0 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, sticky=1)

    def show_assembly(self, assembly: Assembly) -> None:
        """Show an assembly's files."""
        self.show(lambda width: file_rows(assembly, width))


def file_rows(assembly: Assembly, width: int) -> list[Row]:
    """The table's rows."""
    found = table(_COLUMNS, [_record(f, assembly) for f in assembly.files], width)
    rows = [found[0]]
    rest = list(enumerate(assembly.diagnostics))
    for file, line in zip(assembly.files, found[1:], strict=True):
        rows.append(line)
        mine = [(n, d) for n, d in rest if d.path in (file.path, file.real_path)]
        rest = [each for each in rest if each not in mine]
        rows += [_diagnostic(d, n, indent=3) for n, d in mine]
    if rest:
        rows += [BLANK, row(Span("DIAGNOSTICS", "title")), *(_diagnostic(d, n, indent=0) for n, d in rest)]
    return [*rows, BLANK, row("  ", *_legend(assembly.files))]


def _record(file: SourceFile, assembly: Assembly) -> Record:
    here: Tone = "text" if file.present else "faint"
    size = file.present or file.bytes > 0
    return Record(
        (
            GLYPHS[file.load] if file.present else Span("✗", "faint"),
            Span(tail(short_path(file.path, assembly), 34), here),
            Span(file.kind, "dim" if file.present else "faint"),
            Span(f"{file.bytes:,}" if size else "", "dim"),
            Span(f"{file.injected_chars:,}" + ("✂" if file.truncated else "") if file.present else "", "dim"),
            Span(number(file.tokens) if file.present else "", here),
            Span(plain_reason(file.why, assembly), "dim"),
        ),
        FileSubject(file.path),
    )


def _diagnostic(found: Diagnostic, index: int, indent: int) -> Row:
    mark, tone = _MARKS[found.severity]
    place = f"{found.path}:{found.line}: " if found.path and found.line else ""
    return paragraph(
        " " * indent,
        Span(f"{mark} {place}{found.message}", tone),
        Span(f"  {found.code}", "faint"),
        indent=indent + 2,
        key=DiagnosticSubject(index),
    )


def _legend(files: Iterable[SourceFile]) -> list[Span]:
    present = {"not-loaded" if not f.present else f.load for f in files}
    return [
        part
        for words, glyph in _LEGEND
        if words.replace(" ", "-") in present
        for part in (Span(glyph, "file" if glyph != "✗" else "faint"), Span(f" {words}   ", "dim"))
    ]
