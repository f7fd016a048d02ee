"""What Why says about a file beyond its own part in the prompt: who else reads it, and duplicate lines."""

from __future__ import annotations

from promptscope_engine.insight.duplicates import DuplicateLines
from promptscope_engine.insight.other_agents import AgentFiles
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_tui.rows.page import Page, sentence
from promptscope_tui.rows.subjects import Cursor, FileSubject, Subject
from promptscope_tui.session.intents import OpenSource
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.paths import short_path
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import line_range, number, total

_MOST = 6  # duplicates that are listed
_NAME = 12  # the column of the agents' names


def file_behind(subject: Subject | None, assembly: Assembly) -> SourceFile | None:
    """The file that a subject is about: itself, the one under the cursor, or the only one that its section holds."""
    match subject:
        case FileSubject(path):
            paths = {path}
        case Cursor(section_id=str(section_id), path=path):
            section = assembly.section(section_id)
            here = {f.origin.path for f in section.fragments if f.origin.path} if section else set()
            paths = {path} if path else here
        case _:
            return None
    return file_of(paths.pop(), assembly) if len(paths) == 1 else None


def file_of(path: str, assembly: Assembly) -> SourceFile | None:
    """The file with this path, as the agent shows it or on disk."""
    return next((f for f in assembly.files if path in (f.path, f.real_path)), None)


def around(page: Page, file: SourceFile, snapshot: Snapshot) -> None:
    """The blocks "Also read by" and "Duplicates"."""
    assembly = snapshot.assembly
    if assembly is None:
        return
    page.block("Also read by")
    if snapshot.other_agents is None:
        page.line(Span("… computing", "dim"))
    for other in snapshot.other_agents or ():
        _reader(page, other, file)
    if not file.present:
        return
    duplicates = snapshot.duplicates or {}
    found = duplicates.get(file.path) or duplicates.get(file.real_path) or ()
    if found:
        page.block("Duplicates")
    for lines in found[:_MOST]:
        _duplicate(page, lines, assembly)
    if len(found) > _MOST:
        rest = [lines.tokens for lines in found[_MOST:]]
        page.line(Span(f"… {len(rest)} more, {number(total(rest))} tok", "dim"))


def _reader(page: Page, other: AgentFiles, file: SourceFile) -> None:
    name = Span(f"{other.name:<{_NAME}} ", "dim")
    theirs = other.files.get(file.real_path)
    if other.error:
        page.line(name, Span("unknown: ", "warn"), other.error, hang=_NAME + 1)
    elif theirs is None:
        page.line(name, Span("no", "faint"))
    elif theirs.present:
        page.line(name, Span("✓ yes", "good"), Span(f"  {theirs.kind}, {theirs.load}", "dim"), hang=_NAME + 1)
    else:
        why = sentence(page.shorten(theirs.why.text.removeprefix("absent: ")))
        page.line(name, Span("✗ no: ", "error"), *why, hang=_NAME + 1)


def _duplicate(page: Page, found: DuplicateLines, assembly: Assembly) -> None:
    place = Span(f"{short_path(found.path, assembly)}:{found.at}", "file")
    page.link([f"{line_range(found.start, found.end)}, also in ", place], OpenSource(found.path, found.at))
    page.line(Span(f"{number(found.tokens)} tok duplicated", "more"), indent=3)
