"""Every tool that Gemini CLI may offer (specs/gemini.md 9)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials, McpTool
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import Choice, Later, ToolDraft, computed

from .schema import WAIT, ToolText, parameters_of
from .selection import GROUP_OF, MCP_GROUP, offered
from .table import TEXTS


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """The tools in the order of the request, the absent ones too."""
    return tuple(_drafts(m))


def _drafts(m: Materials) -> Iterator[ToolDraft]:
    texts = TEXTS[m.model.family]
    of_servers = {tool.name: tool for tool in reversed(m.mcp_tools)}  # of one name the first counts
    for name, when in offered(m):
        if name in texts:
            yield _built_in(m, name, texts[name], when)
        else:
            yield _mcp(of_servers[name], when)


def _built_in(m: Materials, name: str, text: ToolText, when: Condition) -> ToolDraft:
    return ToolDraft(
        name=name,
        group=GROUP_OF[name],
        description=Later(text.description(m)),
        when=when,
        parameters=text.parameters(m),
        input_schema=Choice(text.others(m), text.input_schema),
        reference=f"tools.{name}",
    )


def _mcp(tool: McpTool, when: Condition) -> ToolDraft:
    # The client adds a parameter of its own to every server's tool (9.4).
    schema = {**tool.input_schema, "properties": {**tool.input_schema["properties"], "wait_for_previous": WAIT}}
    return ToolDraft(
        name=tool.name,
        group=MCP_GROUP,
        description=(computed(f"mcp.{tool.server}", tool.description),),
        when=when,
        parameters=parameters_of(schema),
        input_schema=schema,
    )
