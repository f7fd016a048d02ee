"""The two tools of the group `mcp`: described while an MCP server is enabled (specs/roo.md 2.2)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label

from .block import required, tool, usage


@tool("mcp", parameters=required("server_name", "tool_name", "arguments"))
def use_mcp_tool(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """Calling a server's tool."""
    yield builtin(
        "use_mcp_tool.description",
        "Description: Request a call of a tool that a connected MCP server offers. A server may offer several tools, each with abilities of its own, and an input schema of each tool says which parameters it needs and which it takes besides.\n",
    )
    yield label("Parameters:\n- server_name: (required) ")
    yield builtin("use_mcp_tool.server_name", "Which MCP server offers the tool")
    yield label("\n- tool_name: (required) ")
    yield builtin("use_mcp_tool.tool_name", "Which of its tools to call")
    yield label("\n- arguments: (required) ")
    yield builtin("use_mcp_tool.arguments", "The input of the tool: a JSON object that obeys the tool's input schema")
    yield label("\nUsage:\n<use_mcp_tool>\n<server_name>")
    yield builtin("use_mcp_tool.usage", "name of the server")
    yield label("</server_name>\n<tool_name>")
    yield builtin("use_mcp_tool.usage", "name of the tool")
    yield label(
        '</tool_name>\n<arguments>\n{\n  "param1": "value1",\n  "param2": "value2"\n}\n</arguments>\n</use_mcp_tool>\n\n'
    )
    yield builtin("use_mcp_tool.example", "Example: asking a library's server for books\n\n")
    yield builtin(
        "use_mcp_tool.example",
        '<use_mcp_tool>\n<server_name>library</server_name>\n<tool_name>find_books</tool_name>\n<arguments>\n{\n  "author": "Lem",\n  "limit": 5\n}\n</arguments>\n</use_mcp_tool>',
    )


@tool("mcp", parameters=required("server_name", "uri"))
def access_mcp_resource(materials: Materials) -> Iterator[Piece]:  # noqa: ARG001 - described without inputs
    """Reading a server's resource."""
    yield builtin(
        "access_mcp_resource.description",
        "Description: Request what a connected MCP server holds as a resource. A resource is a source of data to take into the context: a file, an answer of an API, facts about a system and the like.\n",
    )
    yield label("Parameters:\n- server_name: (required) ")
    yield builtin("access_mcp_resource.server_name", "Which MCP server holds the resource")
    yield label("\n- uri: (required) ")
    yield builtin("access_mcp_resource.uri", "The URI by which the resource is known")
    yield from usage("access_mcp_resource", server_name="name of the server", uri="URI of the resource")
    yield builtin("access_mcp_resource.example", "Example: reading the catalog entry of a book\n\n")
    yield builtin(
        "access_mcp_resource.example",
        "<access_mcp_resource>\n<server_name>library</server_name>\n<uri>library://books/4711</uri>\n</access_mcp_resource>",
    )
