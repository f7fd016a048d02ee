"""Every MCP server and every tool of the agent, present or absent, with its tokens."""

from promptscope_engine.prompt.drafts import DEFERRED
from promptscope_engine.prompt.model import Assembly, Server, ServerTokens, Tool
from promptscope_tui.text.reasons import is_usual, plain_reason
from promptscope_tui.text.spans import BLANK, Row, Span, Tone, paragraph, row
from promptscope_tui.text.tables import COLUMNS, NOTHING, Arrangement, sum_rows
from promptscope_tui.text.totals import GROUP, cost, knowledge, offer, own_tools, tool_parts, tools_inside, tools_sum
from promptscope_tui.text.words import difference, number, total
from promptscope_tui.widgets.table_list import TableList

from .subjects import ServerSubject, ToolSubject

_COLUMNS = COLUMNS["tools"]

_OWN = Arrangement()


class ToolsTable(TableList):
    """A table of tools; the one under the cursor is explained in Why, enter leads to its place in the prompt."""

    columns = _COLUMNS

    def table_rows(self, assembly: Assembly, width: int) -> list[Row]:
        """The tools in the order that was chosen."""
        return tool_rows(assembly, width, self.arrangement)


def tool_rows(assembly: Assembly, width: int, arrangement: Arrangement = _OWN) -> list[Row]:
    """The table's rows: servers, present tools in the agent's order, then absent ones, unless they are sorted."""
    if not assembly.tools and not assembly.servers:
        return [paragraph("  ", Span("no tools", "dim"), indent=2), BLANK, *sum_rows(tools_sum(assembly))]
    tools = own_tools(assembly)
    present = [t for t in tools if t.present]
    absent = [t for t in tools if not t.present]
    servers = [_server(each, assembly) for each in assembly.servers]
    records = [*servers, *(_record(tool, assembly) for tool in (*present, *absent))]
    rows = arrangement.rows(_COLUMNS, records, width)
    parts = [tool_parts(tool) for tool in present]
    text, schema = (total(getattr(part, name) for part in parts) for name in ("description", "schema"))
    inside = tools_inside(assembly)
    within = f", {len(inside)} of them inside of {inside[0].section}" if inside else ""
    words = f"{len(present)} of {len(tools)} present{within}"
    if schema:
        words += f". Of their tokens {number(text)} are descriptions, {number(schema)} schemas"
    if late := [tool for tool in tools if tool.variant == DEFERRED]:
        more = number(total(tool.tokens.loaded for tool in late))
        words += f". {len(late)} are only named until the agent loads them: all of them would add {more} tok"
    if assembly.servers:
        words += ". A server's row is what all of it takes: its tools have rows of their own, its text is in the prompt"
    return [*rows, BLANK, *sum_rows(tools_sum(assembly)), paragraph("  ", Span(words, "faint"), indent=2)]


def _server(server: Server, assembly: Assembly) -> Row:
    tone: Tone = "text" if server.present else "faint"
    tokens = server.tokens if server.known else ServerTokens(0, 0, 0)
    return row(
        Span("◆" if server.present else "✗" if server.known else "?", "tool" if server.present else "faint"),
        Span(server.name, "strong" if server.present else "faint"),
        Span(GROUP, "dim" if server.present else "faint"),
        Span(cost(server), tone),
        Span(_tokens(tokens.text) if server.known else "", "dim"),
        Span(_tokens(tokens.tools) if server.known else "", "dim"),
        Span(difference(tokens.deferred) if tokens.deferred else "", "dim"),
        Span(offer(server), "dim" if server.present else "faint"),
        Span(knowledge(server, assembly), "dim"),
        key=ServerSubject(server.name),
    )


def _record(tool: Tool, assembly: Assembly) -> Row:
    tone: Tone = "text" if tool.present else "faint"
    parts = tool_parts(tool)
    return row(
        Span("●" if tool.present else "✗", "tool" if tool.present else "faint"),
        Span(tool.name, "strong" if tool.present else "faint"),
        Span(tool.group, "dim" if tool.present else "faint"),
        Span(number(tool.expected_tokens) if tool.present else "", tone),
        Span(_tokens(parts.description) if tool.present and parts.schema else "", "dim"),
        Span(_tokens(parts.schema) if tool.present else "", "dim"),
        Span("" if tool.tokens.loaded is None else difference(tool.tokens.loaded), "dim"),
        Span(tool.variant or "", "dim" if tool.present else "faint"),
        Span("" if is_usual(tool) else plain_reason(tool, assembly), "dim"),
        key=ToolSubject(tool.name),
    )


def _tokens(count: int | None) -> str:
    return NOTHING if count == 0 else number(count)
