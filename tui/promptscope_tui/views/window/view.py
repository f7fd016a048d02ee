"""The context window as a block map by category, with the reserve and the point of compaction."""

from collections.abc import Iterator

from rich.cells import cell_len

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.snapshot import GoTo, Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.servers import cost, knowledge, offer, parts, whole
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, pad, paragraph, row
from promptscope_tui.text.words import number, percent, short_text
from promptscope_tui.views.subjects import ServerSubject, ToolSubject
from promptscope_tui.widgets.row_list import RowList

from .composition import by_origin, no_account, own_account, tone_of
from .rows import context_rows, cost_rows

_LIST = 20  # sections in the list


class WindowView(RowList):
    """A map of blocks, each an equal part of the window; below it the largest sections."""

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the window of a session's assembly, in the agent's own categories if it has any, else by origin."""
        assembly = snapshot.assembly
        if assembly is None:
            return
        agent = load_agent(assembly.agent)
        own = own_account(agent, assembly, snapshot.scenario)
        report = own or by_origin(assembly)
        note = [] if own else [paragraph(Span(f" {no_account(agent)}", "faint"), indent=1)]
        cost = [*cost_rows(assembly), BLANK]
        self.show(
            lambda width: [
                *(BLANK, *context_rows(report, width), *note, BLANK, *cost),
                *server_rows(assembly, width),
                *largest_rows(assembly, width),
            ]
        )


def server_rows(assembly: Assembly, width: int) -> Iterator[Row]:
    """What each MCP server takes of the prompt, and what all of them take; nothing without servers."""
    if not assembly.servers:
        return
    yield row(" ", Span("MCP SERVERS", "title"), Span("  all that is in the prompt for each", "faint"))
    together, left = whole(assembly.servers)
    name_width = min(max(cell_len(visible(name)) for name in (_ALL, *(s.name for s in assembly.servers))), width // 3)
    for server in assembly.servers:
        tone: Tone = "text" if server.present else "faint"
        said = [offer(server), parts(server)] if server.known else []
        yield paragraph(
            " ",
            Span(pad(server.name, name_width), tone),
            Span(f"{cost(server):>8}  ", tone),
            Span(" · ".join([*said, knowledge(server, assembly)]), "dim"),
            indent=name_width + 11,
            key=GoTo("tools", ServerSubject(server.name)),
        )
    yield row(
        " ",
        Span(f"{pad(_ALL, name_width)}{number(together):>8}", "strong"),
        Span(left, "faint"),
    )
    yield BLANK


_ALL = "all servers"


def largest_rows(assembly: Assembly, width: int) -> Iterator[Row]:
    """The largest sections and tools, with bars, and what all others and all of them take."""
    counted = [
        (short_text(s.title, assembly), s.expected_tokens, tone_of(s, assembly), GoTo("prompt", s.id))
        for s in assembly.sections
        if s.present
    ]
    counted += [(t.name, t.expected_tokens, "tool", GoTo("tools", ToolSubject(t.name))) for t in assembly.tools_beside]
    known = [(title, size, tone, place) for title, size, tone, place in counted if size]
    sizes = sorted(known, key=lambda entry: -entry[1])[:_LIST]
    if not sizes:
        return
    yield row(" ", Span("LARGEST", "title"), Span("  each its own text, without what is nested in it", "faint"))
    rest = [size for _, size, _, _ in known]
    left, whole = f"{len(rest) - len(sizes)} others", "the whole request"
    most = sizes[0][1]
    titles = (*(title for title, _, _, _ in sizes), left, whole)
    title_width = min(max(map(cell_len, titles)), max(width - 30, 12))
    room = max(width - title_width - 20, 4)
    for title, size, tone, place in sizes:
        bar = "█" * max(1, round(size / most * room)) if size * room * 2 >= most else "▏"
        yield row(
            " ",
            Span(pad(title, title_width)),
            Span(f"{size:>8,}"),
            Span(f" {percent(size, assembly.tokens.expected or size):>6}  ", "dim"),
            Span(bar, tone),
            key=place,
        )
    if others := sum(rest) - sum(size for _, size, _, _ in sizes):
        yield row(" ", Span(f"{pad(left, title_width)}{others:>8,}", "dim"))
    yield row(" ", Span(f"{pad(whole, title_width)}{number(assembly.tokens.expected):>8}", "strong"))
