"""What Why says about a file that loads when another one is read."""

from __future__ import annotations

from promptscope_engine.insight.lazy_rules import LazyRule, LazyRules
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.rows.page import Page
from promptscope_tui.session.intents import OpenSource
from promptscope_tui.text.paths import short_path
from promptscope_tui.text.spans import Span

_LISTED = 30


def loading(page: Page, rule: LazyRule, lazy_rules: LazyRules, assembly: Assembly) -> None:
    """What loads it, or why nothing ever does."""
    lazy, listing = rule.file, lazy_rules.listing
    if rule.unmatched:
        page.block("It never loads")
        page.line(Span("⊘ ", "warn"), lazy.never or "no file of the repository matches", hang=2)
    else:
        page.block("What loads it")
    if not lazy.patterns:
        page.line("reading any file below ", Span(short_path(lazy.base, assembly), "file"))
        return
    page.pair("patterns", ", ".join(lazy.patterns), "param")
    base = "where the agent starts" if lazy.base == assembly.workspace else short_path(lazy.base, assembly)
    page.pair("below", base, "dim")
    source = "listed by git" if listing.source == "git" else "found without git"
    page.pair("checked", f"{len(listing.files):,} files, {source}" + ("" if listing.complete else "; cut off"), "dim")
    for name in rule.files[:_LISTED]:
        page.line(Span("· ", "faint"), Span(name, "file"), hang=2)
    if rule.count > _LISTED:
        page.line(Span(f"… {rule.count - _LISTED:,} more", "faint"))


def lazy_page(page: Page, path: str, lazy_rules: LazyRules, assembly: Assembly) -> None:
    """The page of a file that is not loaded yet."""
    rule = lazy_rules.of(path)
    if rule is not None:
        page.heading(short_path(path, assembly))
        loading(page, rule, lazy_rules, assembly)
        page.block("Source")
        page.link([Span("open "), Span(path, "file")], OpenSource(path, 1))
