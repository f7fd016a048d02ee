"""The request as it is sent: system blocks with their cache breakpoints, messages, tools."""

from collections.abc import Iterator, Mapping

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import Caches
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt import positions
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.prompt.positions import Block
from promptscope_engine.wire.request import Field, WireBlock
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.text.tables import sum_rows
from promptscope_tui.text.totals import channels_sum
from promptscope_tui.text.words import many, number, total
from promptscope_tui.views.subjects import BlockSubject, blocks
from promptscope_tui.views.why.parts import EFFECTS, no_cache
from promptscope_tui.widgets.row_list import RowList


class CacheMarks:
    """The marks of one assembly, by block."""

    def __init__(self, assembly: Assembly, agent: Describes) -> None:
        self.assembly, self.agent = assembly, agent
        self.counted = assembly.tokens.expected is not None
        self.blocks: Mapping[BlockSubject, Block] = {_subject(block): block for block in positions.blocks(assembly)}
        self.boundary = self._boundary()

    def _boundary(self) -> tuple[Block, int, str] | None:
        """(the block, the character in it, the title of the section behind it)."""
        found = self.agent.boundary(self.assembly) if isinstance(self.agent, Caches) else None
        section = self.assembly.section(found) if found else None
        if section is None:
            return None
        offset = positions.offset_of(self.assembly, section)
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


_ROLE = 9  # `assistant`
_LINES, _LINE = 2000, 20_000
"""What is shown of an open block: wrapping a line of megabytes would block the keys."""


class RequestView(RowList):
    """The request as blocks; enter opens and closes one."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.assembly: Assembly | None = None
        self.opened: set[BlockSubject] = set()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the request of a session's assembly."""
        self.assembly = snapshot.assembly
        self._show()

    def _show(self) -> None:
        if (assembly := self.assembly) is not None:
            self.show(lambda _: request_rows(assembly, frozenset(self.opened)))

    def action_choose(self) -> None:
        """Open or close the block under the cursor."""
        if isinstance(self.key, BlockSubject):
            self.opened ^= {self.key}
            self._show()


def request_rows(assembly: Assembly, opened: frozenset[BlockSubject]) -> list[Row]:
    """The rows of a request in which some blocks are open."""
    request = assembly.request
    sent = blocks(request)
    marks = CacheMarks(assembly, load_agent(assembly.agent))
    rows: list[Row] = [*_endpoint(assembly)]
    for name, fields in _GROUPS[request.protocol].items():
        mine = {at: block for at, block in sent.items() if block.field in fields}
        rows += [_head(name, fields, len(mine), assembly), *_blocks(mine, opened, marks), BLANK]
    return [*rows, *_also(assembly), *_sum(assembly), BLANK, *marks.events()]


def _endpoint(assembly: Assembly) -> Iterator[Row]:
    """Where it goes, and what decides that."""
    if (goes_to := assembly.endpoint) is not None:
        yield row(Span("SENT TO", "title"), Span(f"  {goes_to.why}", "faint"))
        yield paragraph(f"  {goes_to.method} {goes_to.url or '…'}", indent=4)
        yield BLANK


def _also(assembly: Assembly) -> Iterator[Row]:
    """The keys of the body that are no prompt: those that tell about the person or the machine with what is in them."""
    keys = [key for key in load_agent(assembly.agent).body(assembly) if key.name not in _SHOWN]
    if not keys:
        return
    yield row(Span("ALSO SENT", "title"), Span("  in keys of their own, which are no prompt and not counted", "faint"))
    for key in keys:
        if key.says:
            yield paragraph(f"  {key.name}", Span(f"  {key.says}", "dim"), indent=4)
    if plain := ", ".join(key.name for key in keys if not key.says):
        yield paragraph(Span(f"  as it applies: {plain}", "dim"), indent=4)
    yield BLANK


_SHOWN = frozenset({"system", "messages", "tools", "input", "instructions", "contents", "systemInstruction"})
"""Keys that are the prompt."""


def _sum(assembly: Assembly) -> Iterator[Row]:
    """The channels added up."""
    yield row(Span("ALL OF IT", "title"), Span("  what the agent sends", "faint"))
    yield from sum_rows(channels_sum(assembly))


_GROUPS: Mapping[str, Mapping[str, tuple[Field, ...]]] = {
    "anthropic": {"system": ("system",), "messages": ("messages",), "tools": ("tools",)},
    "responses": {"input": ("system", "messages"), "tools": ("tools",)},
    "chat": {"messages": ("system", "messages"), "tools": ("tools",)},
    "messages": {"system": ("system",), "messages": ("messages",), "tools": ("tools",)},
    "gemini": {"systemInstruction": ("system",), "contents": ("messages",), "tools": ("tools",)},
}
"""The parts of a request as each protocol names them."""


def _head(name: str, fields: tuple[Field, ...], count: int, assembly: Assembly) -> Row:
    words = many(count, "block") if count else "none"
    tools = len(assembly.tools_beside)
    if name == "tools" and count not in (0, tools):
        words += f" for {tools} tools"
    tokens = total(assembly.tokens.expected_by_channel.get(field) for field in fields)
    size = Span(f"{number(tokens)} tok" if count else "", "dim")
    return row(Span(name.upper(), "title"), Span(f"  {words}", "faint"), right=[size])


def _blocks(
    sent: Mapping[BlockSubject, WireBlock], opened: frozenset[BlockSubject], marks: CacheMarks
) -> Iterator[Row]:
    for at, block in sent.items():
        text, is_open = block.text, at in opened
        right = [*marks.cached(at), Span(f"  {len(text):,} chars", "dim")]
        yield from marks.before(at)
        yield row(Span("▾ " if is_open else "▸ ", "dim"), *_title(at, block), right=right, key=at)
        yield from marks.inside(at)
        if is_open:
            lines = text.split("\n")
            yield from (paragraph("  ", line[:_LINE], indent=2) for line in lines[:_LINES])
            if len(lines) > _LINES or any(len(line) > _LINE for line in lines[:_LINES]):
                yield paragraph(Span("  … truncated here; y copies the whole block", "warn"), indent=2)


def _title(at: BlockSubject, block: WireBlock) -> list[Span]:
    if block.field == "tools":
        return _tool(block.value)
    role = [Span(f"{block.role if at.part == 0 else '·':<{_ROLE}} ", "param")] if block.role else []
    return [*role, Span(_first_line(block.text))]


def _tool(tool: Mapping[str, Json]) -> list[Span]:
    tool = tool.get("function", tool)
    name = str(tool.get("name", tool.get("type", "tool")))
    inner = tool.get("tools")
    said = many(len(inner), "tool") if isinstance(inner, list) else _first_line(str(tool.get("description", "")))
    return [Span(name, "tool"), Span(f"  {said}", "dim")]


def _first_line(text: str) -> str:
    """The first line with text, after the tag that opens it, if any."""
    first, _, rest = text.lstrip().partition("\n")
    if first.startswith("<") and first.rstrip().endswith(">"):
        first = first.strip() + " " + rest.lstrip().partition("\n")[0]
    return first.strip()[:100] or "empty"
