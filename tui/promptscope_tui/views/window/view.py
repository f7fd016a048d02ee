"""The context window as a block map by category, with the reserve and the point of compaction."""

from collections.abc import Iterator

from rich.cells import cell_len

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import Caches
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.insight.cache_miss import sides
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.snapshot import GoTo, Snapshot
from promptscope_tui.text.escape import visible
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, fit, pad, paragraph, row
from promptscope_tui.text.totals import cost, knowledge, offer, parts, whole
from promptscope_tui.text.words import number, percent, short_text, total
from promptscope_tui.views.subjects import ServerSubject, ToolSubject
from promptscope_tui.widgets.row_list import RowList

from .rows import by_origin, context_rows, cost_rows, no_account, own_account, tone_of

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
                *([] if own else part_rows(assembly, agent, width)),
                *server_rows(assembly, width),
                *largest_rows(assembly, width),
            ]
        )


def part_rows(assembly: Assembly, agent: Describes, width: int) -> Iterator[Row]:
    """The two parts of a system text with a cache boundary, and the messages; nothing where there is no boundary."""
    found = sides(assembly, agent) if isinstance(agent, Caches) else None
    if found is None:
        return
    stays, turn = found
    said = [section for section in assembly.sections if section.present and section.channel == "messages"]
    entries = [
        ("system, static", stays, f"from {stays[0].title} to {stays[-1].title}"),
        ("system, dynamic", turn, f"from {turn[0].title} on"),
        *(("message", [section], section.title) for section in said[:_MESSAGES]),
    ]
    if rest := said[_MESSAGES:]:
        entries.append(("messages", rest, f"{len(rest):,} more parts"))
    yield row(" ", Span("PARTS", "title"), Span("  in the order in which they are sent, without tools", "faint"))
    for name, sections, words in entries:
        tokens = total(section.expected_tokens for section in sections)
        yield row(
            " ",
            Span(pad(name, _PART)),
            Span(f"{number(tokens):>8}"),
            Span(f" {percent(tokens or 0, assembly.tokens.expected or 1):>6}  ", "dim"),
            Span(fit(short_text(words, assembly), max(width - _PART - 19, 8)), "dim"),
            key=GoTo("prompt", sections[0].id),
        )
    yield BLANK


_PART = len("system, dynamic")
_MESSAGES = 5
"""Parts of messages that have a row each: some agents send every file in one."""


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
