"""What Why says about caching: what an event recomputes, and what stays cached if a file changes."""

from __future__ import annotations

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Caches, What
from promptscope_engine.agents.kit.built_in import NO_TEXT
from promptscope_engine.prompt.model import Assembly, Section, SourceFile
from promptscope_tui.text.spans import Span, Tone

from .page import Page

EFFECTS: dict[What, tuple[str, Tone]] = {
    "kept": ("=", "good"),
    "computed": ("↻", "warn"),
    "dropped": ("✗", "error"),
    "lost": ("○", "more"),
    "unknown": ("?", "dim"),
}
"""What an event does to a section: its glyph and tone."""

WORDS: dict[What, str] = {
    "kept": "kept",
    "computed": "recomputed",
    "dropped": "dropped",
    "lost": "lost until loaded again",
    "unknown": "unknown",
}


def no_cache(agent: Agent) -> Span:
    """The line for an agent whose caching is not modelled."""
    return Span(f"caching is not modelled for {agent.name}", "faint")


def section_cache(page: Page, section: Section, assembly: Assembly, agent: Agent) -> None:
    """What each event does to a section."""
    page.block("Cache")
    if not isinstance(agent, Caches):
        page.line(no_cache(agent))
        return
    if not section.present:
        return
    for event, words in agent.events.items():
        effect = agent.cache_effect(assembly, section, event)
        glyph, tone = EFFECTS[effect.what]
        page.line(Span(f"{glyph} ", tone), Span(f"{words}: "), Span(WORDS[effect.what], tone), hang=2)
        page.line(Span(effect.why, "faint"), indent=3)


def file_cache(page: Page, file: SourceFile, assembly: Assembly, agent: Agent) -> None:
    """How many leading tokens stay cached if a file changes."""
    page.block("If it changes")
    if not isinstance(agent, Caches):
        page.line(no_cache(agent))
        return
    found = agent.forecast(assembly, file.path)
    if found.section is None:
        page.line(NO_TEXT if found.note == NO_TEXT else "the request does not change; all of it stays cached")
        return
    section = assembly.section(found.section)
    page.pair("from", section.title if section else found.section)
    page.pair("before it", f"≈{found.unchanged:,} of {found.total:,} tok", "dim")
    share = f"  {found.cached / found.total:.0%}" if found.total else ""
    page.pair("cached", f"≈{found.cached:,} tok{share}", "good" if found.cached else "warn")
    page.line(Span(found.note, "faint"))
    if section and section.present:
        effect = agent.cache_effect(assembly, section, next(iter(agent.events)))
        page.line(Span(f"in the current session: {effect.why}", "faint"))
