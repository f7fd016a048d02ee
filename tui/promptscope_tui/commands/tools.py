"""`promptscope tools`: what the prompt offers."""

from promptscope_engine.prompt.model import to_json
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.text import words
from promptscope_tui.text.reasons import own_reason, refusal
from promptscope_tui.text.servers import GROUP, cost, knowledge, offer, own_tools
from promptscope_tui.text.totals import tools_sum

from .options import Options, with_options
from .table import command


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
            "prompt" if tool.section else "schema",
            own_reason(tool.why, refusal(assembly)),
        )
        for tool in own_tools(assembly)
    )
    Table(("", "tool", "group", "tokens", "in", "why"), (*servers, *tools), frozenset({"tokens"})).put(options.form)
    if options.form in ("text", "markdown"):
        put_shown("\n" + "".join(f"{line}\n" for line in tools_sum(assembly).lines()))
