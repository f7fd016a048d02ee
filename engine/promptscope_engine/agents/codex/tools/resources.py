"""The tools for resources of MCP servers, for tools that are found by searching, and for the web."""

from __future__ import annotations

from .schema import number, parameters, string
from .text import ToolText

MCP = "MCP"
WEB = "Web"

LIST_RESOURCES = ToolText(
    MCP,
    "Lists the resources that MCP servers offer: data such as files, database schemas or what an application knows, made "
    "to be read by a model. Prefer what is offered there to a search on the web. Returned page by page.",
    parameters(
        {
            "cursor": string("Where the next page begins, as the call before it said; left out it is the first."),
            "server": string("The server to ask, by name; left out every server is asked."),
        }
    ),
)
LIST_TEMPLATES = ToolText(
    MCP,
    "Lists the resource templates that MCP servers offer. A template is a resource with parameters: filled in, it yields "
    "data such as files, database schemas or what an application knows, made to be read by a model. Prefer what is "
    "offered there to a search on the web. By page.",
    parameters(
        {
            "cursor": string("Where the next page begins, as the call before it said; left out it is the first."),
            "server": string("The server to ask, by name; left out the templates of every server are listed."),
        }
    ),
)
READ_RESOURCE = ToolText(
    MCP,
    "Reads a resource of an MCP server, which the server's name and the resource's address pick out.",
    parameters(
        {
            "server": string("The server that the resource was listed for, by name."),
            "uri": string("The resource's address, exactly as it was listed for this server."),
        },
        ["server", "uri"],
    ),
)

TOOL_SEARCH = ToolText(
    MCP,
    "# Finding tools\n\n"
    "Searches what is known of tools that were not given to you at the start, and adds those that fit to the tools of your "
    "next call.\n\n"
    "Their namespaces are named under `<tools>`. When a task needs something that none of your tools does, search here "
    "before anything else, and before you ask the MCP servers for resources or say that it cannot be done.",
    parameters(
        {"limit": number("The most tools to return (8 unless told otherwise)."), "query": string("What to look for.")},
        ["query"],
    ),
)
TOOL_SEARCH_ALONE = (
    "# Finding tools\n\n"
    "Searches what is known of tools that were not given to you at the start, and adds those that fit to the tools of your "
    "next call.\n\n"
    "There are tools of these sources behind it:\n"
    "- the MCP servers that the user has configured\n"
    "- sub-agents: tools that start other agents and talk to them\n\n"
    "When a task needs something that none of your tools does, search here before anything else, and before you ask the MCP "
    "servers for resources or say that it cannot be done."
)
"""Its description where no deferred tool is named in the prompt."""
