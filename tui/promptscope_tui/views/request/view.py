"""The request as it is sent: system blocks with their cache breakpoints, messages, tools."""

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.wire.request import Field
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import BLANK, Row, Span, paragraph, row
from promptscope_tui.text.tables import sum_rows
from promptscope_tui.text.totals import channels_sum
from promptscope_tui.text.words import number
from promptscope_tui.views.subjects import BlockSubject, blocks, roles, wire_blocks
from promptscope_tui.widgets.row_list import RowList

from .rows import CacheMarks

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
    texts = blocks(request)
    said_by = roles(request)
    wire = wire_blocks(request)
    marks = CacheMarks(assembly, load_agent(assembly.agent))
    rows: list[Row] = []
    for name, fields in _GROUPS[request.protocol].items():
        mine = {block: text for block, text in texts.items() if block.field in fields}

        def title(block: BlockSubject, text: str) -> list[Span]:
            if block.field == "tools":
                return _tool(wire[block])
            return _said(said_by[block] if block.part == 0 else "·", text) if said_by[block] else _plain(text)

        rows += [_head(name, fields, len(mine), assembly), *_blocks(mine, title, opened, marks), BLANK]
    return [*rows, *_sum(assembly), BLANK, *marks.events()]


def _sum(assembly: Assembly) -> Iterator[Row]:
    """The channels added up, and what the text that is shown counts: ours where the agent's own is not known."""
    yield row(Span("ALL OF IT", "title"), Span("  what the real agent sends", "faint"))
    yield from sum_rows(channels_sum(assembly))
    ours = assembly.tokens.total
    if ours != assembly.tokens.expected:
        words = f"{number(ours)} tok as worded here: our text stands in for the agent's own"
        yield paragraph("  ", Span(words, "faint"), indent=2)


_GROUPS: Mapping[str, Mapping[str, tuple[Field, ...]]] = {
    "anthropic": {"system": ("system",), "messages": ("messages",), "tools": ("tools",)},
    "responses": {"input": ("system", "messages"), "tools": ("tools",)},
    "chat": {"messages": ("system", "messages"), "tools": ("tools",)},
}
"""The parts of a request as each protocol names them."""


def _head(name: str, fields: tuple[Field, ...], count: int, assembly: Assembly) -> Row:
    words = "none" if not count else "1 block" if count == 1 else f"{count} blocks"
    tools = len(assembly.tools_beside)
    if name == "tools" and count not in (0, tools):
        words += f" for {tools} tools"
    counts = [assembly.tokens.expected_by_channel.get(field) for field in fields]
    tokens = None if None in counts else sum(count or 0 for count in counts)
    size = Span(f"{number(tokens)} tok" if count else "", "dim")
    return row(Span(name.upper(), "title"), Span(f"  {words}", "faint"), right=[size])


def _blocks(
    texts: Mapping[BlockSubject, str],
    title: Callable[[BlockSubject, str], list[Span]],
    opened: frozenset[BlockSubject],
    marks: CacheMarks,
) -> Iterator[Row]:
    for block, text in texts.items():
        is_open = block in opened
        right = [*marks.cached(block), Span(f"  {len(text):,} chars", "dim")]
        yield from marks.before(block)
        yield row(Span("▾ " if is_open else "▸ ", "dim"), *title(block, text), right=right, key=block)
        yield from marks.inside(block)
        if is_open:
            lines = text.split("\n")
            yield from (paragraph("  ", line[:_LINE], indent=2) for line in lines[:_LINES])
            if len(lines) > _LINES or any(len(line) > _LINE for line in lines[:_LINES]):
                yield paragraph(Span("  … truncated here; y copies the whole block", "warn"), indent=2)


def _plain(text: str) -> list[Span]:
    return [Span(_first_line(text))]


def _said(role: str, text: str) -> list[Span]:
    return [Span(f"{role:<{_ROLE}} ", "param"), *_plain(text)]


def _tool(tool: Mapping[str, Json]) -> list[Span]:
    tool = tool.get("function", tool)
    name = str(tool.get("name", tool.get("type", "tool")))
    inner = tool.get("tools")
    said = (
        f"{len(inner)} tool{'s' * (len(inner) != 1)}"
        if isinstance(inner, list)
        else _first_line(str(tool.get("description", "")))
    )
    return [Span(name, "tool"), Span(f"  {said}", "dim")]


def _first_line(text: str) -> str:
    """The first line with text, after the tag that opens it, if any."""
    first, _, rest = text.lstrip().partition("\n")
    if first.startswith("<") and first.rstrip().endswith(">"):
        first = first.strip() + " " + rest.lstrip().partition("\n")[0]
    return first.strip()[:100] or "empty"
