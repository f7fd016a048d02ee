"""What Why says of a file that waits: what wakes it, or why nothing ever will."""

from __future__ import annotations

from promptscope_engine.insight.lazy_rules import Survey, Waiting
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.rows.page import Page
from promptscope_tui.session.intents import OpenSource
from promptscope_tui.text.spans import Span, short_path

_LISTED = 30


def waking(page: Page, waiting: Waiting, survey: Survey, assembly: Assembly) -> None:
    """The block of a waiting file, present by now or not."""
    lazy, listing = waiting.lazy, survey.listing
    if waiting.dead:
        page.block("It can never fire")
        page.line(Span("⊘ ", "warn"), lazy.never or "no file of the repository matches", hang=2)
    else:
        page.block("What wakes it")
    if not lazy.patterns:
        page.line("any read below ", Span(short_path(lazy.base, assembly), "file"))
        return
    page.pair("patterns", ", ".join(lazy.patterns), "param")
    base = "where the agent starts" if lazy.base == assembly.workspace else short_path(lazy.base, assembly)
    page.pair("below", base, "dim")
    source = "as git lists them" if listing.source == "git" else "found by walking: there is no git"
    page.pair("held to", f"{len(listing.files):,} files, {source}" + ("" if listing.complete else "; cut"), "dim")
    for name in waiting.files[:_LISTED]:
        page.line(Span("· ", "faint"), Span(name, "file"), hang=2)
    if waiting.count > _LISTED:
        page.line(Span(f"… {waiting.count - _LISTED:,} more", "faint"))


def waiting_page(page: Page, path: str, survey: Survey, assembly: Assembly) -> None:
    """The page of a file that nothing has asked for yet."""
    waiting = survey.of(path)
    if waiting is not None:
        page.heading(short_path(path, assembly))
        waking(page, waiting, survey, assembly)
        page.block("Source")
        page.link([Span("open "), Span(path, "file")], OpenSource(path, 1))
