"""Caching in the request view: breakpoints, the boundary of static parts, what events recompute."""

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Caches
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.prompt.positions import Block, blocks, offset_of
from promptscope_tui.text.spans import Row, Span, paragraph, row
from promptscope_tui.views.subjects import BlockSubject
from promptscope_tui.views.why.request import EFFECTS, no_cache


class CacheMarks:
    """The marks of one assembly, by block."""

    def __init__(self, assembly: Assembly, agent: Agent) -> None:
        self.assembly, self.agent = assembly, agent
        self.counted = assembly.tokens.expected is not None
        self.blocks: Mapping[BlockSubject, Block] = {_subject(block): block for block in blocks(assembly)}
        self.boundary = self._boundary()

    def _boundary(self) -> tuple[Block, int, str] | None:
        """(the block, the character in it, the title of the section behind it)."""
        found = self.agent.boundary(self.assembly) if isinstance(self.agent, Caches) else None
        section = self.assembly.section(found) if found else None
        if section is None:
            return None
        offset = offset_of(self.assembly, section)
        block = next((b for b in self.blocks.values() if b.at[0] == "system" and b.start <= offset < b.end), None)
        return (block, offset - block.start, section.title) if block else None

    def cached(self, at: BlockSubject) -> list[Span]:
        """The mark of a block that ends in a breakpoint, with the tokens cached up to there."""
        block = self.blocks.get(at)
        if block is None or block.cache is None:
            return []
        words = ", ".join(str(v) for k, v in block.cache.items() if k != "type")
        upto = f" up to ≈{block.after:,} tok" if self.counted else ""
        return [Span("  ◆ cached", "accent"), Span(upto + (f", {words}" if words else ""), "dim")]

    def before(self, at: BlockSubject) -> Iterator[Row]:
        """The boundary, if it is between two blocks."""
        if self.boundary and _subject(self.boundary[0]) == at and self.boundary[1] == 0:
            yield _line("static above, dynamic below")

    def inside(self, at: BlockSubject) -> Iterator[Row]:
        """The boundary, if it is inside a block."""
        if self.boundary and _subject(self.boundary[0]) == at and self.boundary[1] > 0:
            _, upto, title = self.boundary
            yield _line(f"static for {upto:,} chars, dynamic from {title} on")

    def events(self) -> Iterator[Row]:
        """What each event keeps and recomputes, in tokens."""
        yield row(Span("SESSION", "title"), Span("  what is kept and what is recomputed of the sections", "faint"))
        if not isinstance(self.agent, Caches):
            yield paragraph("  ", no_cache(self.agent), indent=2)
            return
        present = [section for section in self.assembly.sections if section.present]
        for event, words in self.agent.events.items():
            sums = dict.fromkeys(EFFECTS, 0)
            for section in present:
                sums[self.agent.cache_effect(self.assembly, section, event).what] += section.expected_tokens or 0
            parts: list[Span | str] = [f"  {words:<27}"]
            for what, tokens in sums.items():
                if tokens:
                    glyph, tone, word = EFFECTS[what]
                    parts += [Span(f" {glyph} ", tone), f"{tokens:,} ", Span(f"{word} ", "dim")]
            yield paragraph(*parts, indent=30)


def _subject(block: Block) -> BlockSubject:
    return BlockSubject("messages" if block.at[0] == "messages" else "system", *map(int, block.at[1:]))


def _line(words: str) -> Row:
    return row(Span(f"  ┄┄ {words} ┄┄", "warn"))
