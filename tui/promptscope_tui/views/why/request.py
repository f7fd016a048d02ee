"""What Why says about a block of the request, and about a problem that was found."""

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Caches, What
from promptscope_engine.agents.kit.built_in import NO_TEXT
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly, Section, SourceFile
from promptscope_tui.session.snapshot import OpenSource
from promptscope_tui.text.spans import Span, Tone
from promptscope_tui.views.subjects import BlockSubject, DiagnosticSubject, blocks

from .page import Page

_TONES: dict[str, Tone] = {"error": "error", "warning": "warn", "info": "dim"}
_WHOSE = {
    "system": "The system prompt is sent as blocks; the model reads them as one text.",
    "messages": "What the agent adds to the conversation before and around what the user types.",
    "tools": "A tool as the model sees it: name, description and input schema.",
}


def block_page(page: Page, block: BlockSubject) -> None:
    """A block of the request: what it is, whether it ends in a breakpoint, which sections it contains."""
    assembly = page.assembly
    sent = blocks(assembly.request).get(block)
    if sent is None:
        return
    name = {"system": "System block", "messages": "Message", "tools": "Tool"}[block.field]
    part = f", part {block.part + 1}" if block.part else ""
    page.heading(f"{name} {block.number + 1}{part}")
    page.line(Span(f"{len(sent.text):,} characters", "dim"))
    page.line(Span(_WHOSE[block.field], "dim"))
    _cache(page, sent.value)
    if block.field == "tools":
        return
    page.block("Contains")
    for section in _sections(block, assembly):
        page.place(section)


def _sections(block: BlockSubject, assembly: Assembly) -> list[Section]:
    """The sections in a block: a channel's sections joined in order are its blocks joined in order."""
    start = end = 0
    for each, sent in blocks(assembly.request).items():
        if each.field == block.field:
            start, end = end, end + len(sent.text)
            if each == block:
                break
    found, at = [], 0
    for section in assembly.sections:
        if not section.present or section.channel != block.field:
            continue
        length = sum(len(fragment.text) for fragment in section.fragments)
        if length and at < end and at + length > start:
            found.append(section)
        at += length
    return found


def _cache(page: Page, wire: dict[str, Json]) -> None:
    control = wire.get("cache_control")
    page.block("Cache")
    if not control:
        page.line(Span("no breakpoint here", "dim"))
        return
    page.line(Span("◆ ", "accent"), "everything up to here is cached", hang=2)
    for key, value in control.items():
        page.pair(str(key), str(value), "dim")


def diagnostic_page(page: Page, subject: DiagnosticSubject) -> None:
    """A problem that was found, and where."""
    if subject.index >= len(page.assembly.diagnostics):
        return
    found = page.assembly.diagnostics[subject.index]
    page.heading(found.message)
    page.line(Span(found.severity, _TONES[found.severity]), Span(f"  {found.code}", "faint"))
    if found.path:
        page.block("Where")
        line = f":{found.line}" if found.line else ""
        page.link([Span(page.shorten(found.path), "file"), Span(line, "dim")], OpenSource(found.path, found.line or 1))


EFFECTS: dict[What, tuple[str, Tone, str]] = {
    "kept": ("=", "good", "kept"),
    "computed": ("↻", "warn", "recomputed"),
    "dropped": ("✗", "error", "dropped"),
    "lost": ("○", "more", "lost until loaded again"),
    "unknown": ("?", "dim", "unknown"),
}
"""What an event does to a section: its glyph, its tone, its word."""


def no_cache(agent: Agent) -> Span:
    """The line for an agent whose caching is not modelled."""
    return Span(f"caching is not modelled for {agent.name}", "faint")


_CHANGES = {"static": "never", "session": "with each session", "turn": "with each turn"}


def section_cache(page: Page, section: Section) -> None:
    """How often a section's text changes, and what each event does to it."""
    agent = page.inputs.agent
    page.block("Cache")
    page.pair("changes", _CHANGES[section.stability])
    if not isinstance(agent, Caches):
        page.line(no_cache(agent))
        return
    if not section.present:
        return
    for event, words in agent.events.items():
        effect = agent.cache_effect(page.assembly, section, event)
        glyph, tone, word = EFFECTS[effect.what]
        page.line(Span(f"{glyph} ", tone), Span(f"{words}: "), Span(word, tone), hang=2)
        page.line(Span(effect.why, "faint"), indent=3)


def file_cache(page: Page, file: SourceFile) -> None:
    """How many leading tokens stay cached if a file changes."""
    agent, assembly = page.inputs.agent, page.assembly
    page.block("If it changes")
    if not isinstance(agent, Caches):
        page.line(no_cache(agent))
        return
    found = agent.forecast(assembly, file.path)
    if found.section is None:
        page.line(NO_TEXT if found.note == NO_TEXT else "the request does not change and stays cached")
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
