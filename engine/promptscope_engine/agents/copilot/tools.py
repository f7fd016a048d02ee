"""Copilot's tools: which there are, in the order of the wire, and how each protocol sends them."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.drafts import Choice, ToolDraft
from promptscope_engine.wire.protocols import tool_of
from promptscope_engine.wire.request import FixedSchema

from .materials import Materials
from .texts import FOLDER, INTERACTIVE

_LAST = ("extensions_reload", "extensions_manage")
"""Tools of the client's own that follow those of servers."""


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool that the model could have, the absent ones too."""
    own = {name: _own(m, name) for name in m.tools}
    servers = (tool.draft(partial(tool_of, m.protocol, tool.name), tool.schema) for tool in m.mcp_tools)
    return (*(draft for name, draft in own.items() if name not in _LAST), *servers, *(own[name] for name in _LAST))


def _own(m: Materials, name: str) -> ToolDraft:
    """A tool of the client: rg and grep are one under two names."""
    file = "search" if name in ("rg", "grep") else name
    draft = FOLDER.tool(file, m.scope, m.tools[name])
    if name == "task":
        draft = replace(draft, input_schema=_with_agents(m, draft.input_schema))
    form = {"chat": "~2", "messages": "~3"}.get(m.protocol, "") if name == "apply_patch" else ""
    return replace(draft, name=name, wire=partial(tool_of, m.protocol, name), reference=f"tools.{name}{form}")


def _with_agents(m: Materials, schema: Any) -> Choice[Json]:
    """The schema of task: the built-in agents, then the user's own; in an interactive session one model alone."""
    written, parts = schema.otherwise, schema.otherwise["properties"]
    kind = {"agent_type": {"type": "string", "enum": [*m.kinds], "description": parts["agent_type"]["description"]}}
    one = {"model": {"type": "string", "enum": [m.model.name], "description": parts["model"]["description"]}}
    usual, talk = (FixedSchema({**written, "properties": parts | kind | more}, [*m.kinds]) for more in ({}, one))
    return Choice(((INTERACTIVE, talk),), usual)
