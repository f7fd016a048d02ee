"""What Why says about a file that may be too long: sizes, limits, which lines were kept."""

from __future__ import annotations

from promptscope_engine.prompt.model import Assembly, FileRange, Limit, Section, SourceFile
from promptscope_tui.rows.page import Page, sentence
from promptscope_tui.text.paths import short_path
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import line_range, number

_LISTED = 80
"""Files that a page names; a folder may hold thousands."""


def size_block(page: Page, file: SourceFile) -> None:
    """Raw and injected sizes, and what was cut, part by part."""
    page.block("Size")
    page.pair("on disk", f"{file.bytes:,} bytes, {file.raw_chars:,} characters")
    page.pair("injected", f"{file.injected_chars:,} characters, {number(file.tokens)} tok")
    for limit in file.limits:
        _limit(page, limit)
    if file.truncated:
        page.line(Span("truncated", "warn"))
    for stretch in file.stretches:
        _stretch(page, stretch)


def section_sizes(page: Page, section: Section, assembly: Assembly) -> None:
    """The sizes of the section's file, if it is a single one with limits."""
    paths = {f.origin.path for f in section.fragments if f.origin.kind == "file"}
    files = [file for file in assembly.files if file.limits and {file.path, file.real_path} & paths]
    if len(files) == 1:
        size_block(page, files[0])


def _limit(page: Page, limit: Limit) -> None:
    over = limit.wanted > limit.allowed
    wanted = Span(f" {limit.wanted:,} wanted", "warn" if over else "dim")
    page.line(Span(f"{'✗' if over else '✓'} ", "error" if over else "good"), limit.name, hang=2)
    page.line(f"{limit.allowed:,} allowed,", wanted, indent=3)


def _stretch(page: Page, stretch: FileRange) -> None:
    split = [stretch.start_line] * stretch.partial_start + [stretch.end_line] * stretch.partial_end
    parts = " and ".join(map(str, dict.fromkeys(split)))
    mark = Span("┃ kept ", "file") if stretch.kept else Span("✂ cut  ", "more")
    words = Span(f"  {stretch.chars:,} characters" + (f", {parts} partly" if parts else ""), "dim")
    page.line(mark, line_range(stretch.start_line, stretch.end_line), words, hang=7)


def on_demand(page: Page, section: Section, assembly: Assembly) -> None:
    """Of a section that lists files to read on demand: the last one listed, and the ones left out, with the reason."""
    paths = {fragment.origin.path for fragment in section.fragments}
    kinds = {f.kind for f in assembly.files if f.load == "on-demand" and {f.path, f.real_path} & paths}
    files = [file for file in assembly.files if file.kind in kinds]
    listed, left = [f for f in files if f.present], [f for f in files if not f.present]
    if not listed:
        return
    page.block(f"Listed: {len(listed)} of {len(files)}")
    _listed(page, listed[-1], assembly)
    for file in left[:_LISTED]:
        _listed(page, file, assembly)
    if len(left) > _LISTED:
        page.line(Span(f"… {len(left) - _LISTED:,} more, see Files", "faint"))


def _listed(page: Page, file: SourceFile, assembly: Assembly) -> None:
    mark = Span("○ ", "file") if file.present else Span("✗ ", "error")
    page.line(mark, Span(short_path(file.path, assembly), "text" if file.present else "dim"), hang=2)
    page.line(*sentence(file.why.text.partition(": ")[2]), indent=3)
