"""MCP servers in words: what each offers, and how that is known."""

from collections.abc import Iterable, Sequence

from promptscope_engine.prompt.model import Assembly, Server, Tool

from .tables import plain_reason
from .words import many, number, total

GROUP = "MCP server"
"""The group in which servers are listed, and the tools that stand for those that offer nothing."""


def own_tools(assembly: Assembly) -> list[Tool]:
    """The tools without those that stand for a server, which has a row of its own."""
    return [tool for tool in assembly.tools if not assembly.servers or tool.group != GROUP]


def offer(server: Server) -> str:
    """`12 tools, 3 of them deferred`, or that nobody knows."""
    if not server.known:
        return "not asked" if server.configured else "of another agent"
    late = f", {server.deferred:,} of them deferred" if server.deferred else ""
    return f"{many(server.tools, 'tool')}{late}"


def knowledge(server: Server, assembly: Assembly) -> str:
    """Why it offers nothing here, or else how it is known what it offers."""
    return server.known if server.present and server.known else plain_reason(server.why, assembly)


def cost(server: Server) -> str:
    """`1,204`; nothing for a server that takes no part, since its cost is not known."""
    return number(server.tokens.expected) if server.known else ""


def parts(server: Server) -> str:
    """`84 in the prompt's text, 1,120 for its tools, 412 more once its deferred tools are loaded`."""
    tokens = server.tokens
    said = [(tokens.text, "in the prompt's text"), (tokens.tools, "for its tools")]
    said += [(tokens.deferred, "more once all of its deferred tools are loaded")]
    return ", ".join(f"{number(count)} {words}" for count, words in said if count != 0)


def whole(servers: Sequence[Server]) -> tuple[int | None, str]:
    """What all servers take together, and how many of them nobody has asked."""
    unknown = [server for server in servers if not server.known and server.configured]
    return _sum(servers), f"  without {many(len(unknown), 'server')} that nobody has asked" if unknown else ""


def _sum(servers: Iterable[Server]) -> int | None:
    return total(server.tokens.expected for server in servers)
