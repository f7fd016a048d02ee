"""`promptscope tools`: what the prompt offers."""

from promptscope_engine.prompt.model import to_json
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.text import words
from promptscope_tui.text.reasons import plain_reason
from promptscope_tui.text.totals import GROUP, cost, knowledge, offer, own_tools, tools_sum

from .options import Options, with_options
from .table import command

_LOADED = "once loaded"
_AT = 4
"""Where that column is, which is left out where nothing is in it."""


@command("tools")
@with_options
def tools(options: Options) -> None:
    """List the MCP servers, and the tools, present and absent, with their reasons."""
    assembly = options.assembly()
    if options.form == "json":
        put_json(to_json(assembly.tools))
        return
    servers = (
        (
            "✓" if server.present else "✗" if server.known else "?",
            server.name,
            GROUP,
            f"{words.MARKS['exact' if assembly.tokens.exact else 'estimated']}{cost(server)}" if server.known else "",
            words.difference(server.tokens.deferred) if server.known and server.tokens.deferred else "",
            offer(server),
            knowledge(server, assembly),
        )
        for server in assembly.servers
    )
    tools = (
        (
            "✓" if tool.present else "✗",
            tool.name,
            tool.group,
            f"{words.MARKS[tool.confidence]}{words.number(tool.expected_tokens)}" if tool.present else "",
            "" if tool.tokens.loaded is None else words.difference(tool.tokens.loaded),
            "prompt" if tool.section else "schema",
            plain_reason(tool, assembly),
        )
        for tool in own_tools(assembly)
    )
    heads: tuple[str, ...] = ("", "tool", "group", "tokens", _LOADED, "in", "why")
    rows: list[tuple[str, ...]] = [*servers, *tools]
    if options.form == "plain" or not any(row[_AT] for row in rows):  # scripts take the columns of `plain` by number
        heads, rows = _less(heads), [_less(row) for row in rows]
    Table(heads, rows, frozenset({"tokens", _LOADED})).put(options.form)
    if options.form in ("text", "markdown"):
        put_shown("\n" + "".join(f"{line}\n" for line in tools_sum(assembly).lines()))


def _less(cells: tuple[str, ...]) -> tuple[str, ...]:
    return cells[:_AT] + cells[_AT + 1 :]
