"""What Why says about a file that may be too long: its sizes, the limits, which of its lines were kept."""

from __future__ import annotations

from promptscope_engine.model import Limit, SourceFile, Stretch
from promptscope_tui.spans import Span, number

from .page import Page


def size_block(page: Page, file: SourceFile) -> None:
    """Raw against injected, and what was cut, stretch by stretch."""
    page.block("Size")
    page.pair("on disk", f"{file.bytes:,} bytes, {file.raw_chars:,} characters")
    page.pair("injected", f"{file.injected_chars:,} characters, {number(file.tokens)} tok")
    for limit in file.limits:
        _limit(page, limit)
    if file.truncated:
        page.line(Span("text was cut", "warn"))
    for stretch in file.stretches:
        _stretch(page, stretch)


def _limit(page: Page, limit: Limit) -> None:
    over = limit.wanted > limit.allowed
    wanted = Span(f"  {limit.wanted:,} wanted", "warn" if over else "dim")
    page.line(Span(f"{'✗' if over else '✓'} ", "error" if over else "good"), limit.name, hang=2)
    page.line(f"{limit.allowed:,} allowed,", wanted, indent=3)


def _stretch(page: Page, stretch: Stretch) -> None:
    one = stretch.start_line == stretch.end_line
    lines = f"line {stretch.start_line}" if one else f"lines {stretch.start_line}-{stretch.end_line}"
    split = [stretch.start_line] * stretch.partial_start + [stretch.end_line] * stretch.partial_end
    parts = " and ".join(map(str, dict.fromkeys(split)))
    mark = Span("┃ kept ", "file") if stretch.kept else Span("✂ cut  ", "more")
    words = Span(f"  {stretch.chars:,} characters" + (f", {parts} in part" if parts else ""), "dim")
    page.line(mark, lines, words, hang=7)
