"""What Why says about a file beyond its own part in the prompt: who else reads it, and duplicate lines."""

from __future__ import annotations

from promptscope_engine.insight.duplicates import Repeat
from promptscope_engine.insight.other_agents import Reading
from promptscope_engine.prompt.model import Assembly, SourceFile
from promptscope_tui.rows.page import Page, sentence
from promptscope_tui.rows.subjects import Cursor, FileSubject, Subject
from promptscope_tui.session.intents import OpenSource
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.paths import short_path
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import number

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
    if len(paths) != 1:
        return None
    (path,) = paths
    return next((f for f in assembly.files if path in (f.path, f.real_path)), None)


def around(page: Page, file: SourceFile, snapshot: Snapshot) -> None:
    """The blocks "Also read by" and "Duplicates"."""
    assembly = snapshot.assembly
    if assembly is None:
        return
    page.block("Also read by")
    if snapshot.other_agents is None:
        page.line(Span("… computing", "dim"))
    for reading in snapshot.other_agents or ():
        _reader(page, reading, file)
    if not file.present:
        return
    repeats = snapshot.duplicates or {}
    found = repeats.get(file.path) or repeats.get(file.real_path) or ()
    if found:
        page.block("Duplicates")
    for repeat in found[:_MOST]:
        _repeat(page, repeat, assembly)
    if len(found) > _MOST:
        rest = [repeat.tokens for repeat in found[_MOST:]]
        known = [tokens for tokens in rest if tokens is not None]
        page.line(Span(f"… {len(rest)} more, {number(sum(known))} tok", "dim"))


def _reader(page: Page, reading: Reading, file: SourceFile) -> None:
    name = Span(f"{reading.name:<{_NAME}} ", "dim")
    theirs = reading.files.get(file.real_path)
    if reading.error:
        page.line(name, Span("unknown: ", "warn"), reading.error, hang=_NAME + 1)
    elif theirs is None:
        page.line(name, Span("no", "faint"))
    elif theirs.present:
        page.line(name, Span("✓ yes", "good"), Span(f"  {theirs.kind}, {theirs.load}", "dim"), hang=_NAME + 1)
    else:
        why = sentence(page.shorten(theirs.why.text.removeprefix("absent: ")))
        page.line(name, Span("✗ no: ", "error"), *why, hang=_NAME + 1)


def _repeat(page: Page, repeat: Repeat, assembly: Assembly) -> None:
    lines = f"line {repeat.start}" if repeat.start == repeat.end else f"lines {repeat.start}-{repeat.end}"
    place = Span(f"{short_path(repeat.path, assembly)}:{repeat.at}", "file")
    page.link([f"{lines}, also in ", place], OpenSource(repeat.path, repeat.at))
    page.line(Span(f"{number(repeat.tokens)} tok duplicated", "more"), indent=3)
