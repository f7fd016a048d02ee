"""What the page of files says: the table, how it adds up to the prompt, a legend, and the agent's variables."""

from collections.abc import Iterable, Iterator

from promptscope_engine.insight.lazy_rules import LazyRules
from promptscope_engine.prompt.model import Assembly, Program, SourceFile, Variable
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row
from promptscope_tui.text.tables import sum_rows
from promptscope_tui.text.totals import files_sum
from promptscope_tui.text.words import LOADS, program_place, short_text
from promptscope_tui.views.subjects import ProgramSubject, SwitchSubject

from .records import FilesShown
from .tree import FileTree, Look, when_loaded

_LEGEND = {**LOADS, "not loaded": "✗", "never": "⊘"}

_LEGEND_TONES: dict[str, Tone] = {"✗": "faint", "⊘": "warn"}

_USUAL = Look()


def file_rows(shown: FilesShown | FileTree, width: int, look: Look = _USUAL) -> list[Row]:
    """The rows of the page in `width` cells. Diagnostics follow the file they are about, the others come last."""
    tree = shown if isinstance(shown, FileTree) else FileTree(shown)
    assembly, lazy_rules = tree.shown.assembly, tree.shown.lazy_rules
    rows = tree.rows(width, look)
    rest = [each for each in tree.shown.problems.get("", ()) if look.arrangement.shows(each[1].message)]
    if rest:
        rows += [BLANK, row(Span("DIAGNOSTICS", "title")), *(tree.problem(n, d) for n, d in rest)]
    counted = sum(file.present for file in assembly.files)
    words = f"{counted} of {len(assembly.files)} count in this prompt. always: own text as injected"
    if tree.shown.on_read:
        words += "; on a read: all of a file's text"
    rows += [BLANK, *sum_rows(files_sum(assembly)), paragraph("  ", Span(words, "faint"), indent=2)]
    rows += [BLANK, row("  ", *_legend(assembly.files, lazy_rules))]
    if assembly.programs:
        rows += [BLANK, row(Span("HOOKS AND MODS", "title"))]
        rows += (_program(n, each, assembly) for n, each in enumerate(assembly.programs))
    if assembly.variables:
        rows += [BLANK, row(Span("VARIABLES", "title")), *(_variable(v) for v in assembly.variables)]
    return rows


def _program(index: int, found: Program, assembly: Assembly) -> Row:
    """A hook or a mod: whether it takes part, what it acts on, where it is, and why not."""
    why = "" if found.present else f"  {short_text(found.why.text, assembly)}"
    return paragraph(
        Span("● " if found.present else "✗ ", "file" if found.present else "faint"),
        Span(visible(found.name), "text" if found.present else "faint"),
        Span(f"  {found.event or ', '.join(found.events)}", "dim"),
        Span(f"  {program_place(found, assembly)}{why}", "faint"),
        indent=2,
        key=ProgramSubject(index),
    )


def _variable(found: Variable) -> Row:
    """A variable that the agent reads, and who set it: a settings file, or the process."""
    return paragraph(
        Span("$ ", "dim"),
        Span(f"{found.name}={found.value}"),
        Span(f"  {found.source.place or 'set in the environment'}", "dim"),
        indent=2,
        key=SwitchSubject(f"env.{found.name}"),
    )


def _legend(files: Iterable[SourceFile], lazy_rules: LazyRules | None) -> Iterator[Span]:
    present = {"not loaded" if not f.present else f.load for f in files}
    for rule in lazy_rules.rules if lazy_rules else ():
        present |= {"never" if rule.unmatched else when_loaded(rule)}
    for words, glyph in _LEGEND.items():
        if words in present:
            yield from (Span(glyph, _LEGEND_TONES.get(glyph, "file")), Span(f" {words.replace('-', ' ')}  ", "dim"))
