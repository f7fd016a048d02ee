"""OpenCode's tools in the order of the request: its own, those of servers, and those of the user's files."""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.servers import OfferedTool
from promptscope_engine.agents.kit.disk.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import in_locale_order
from promptscope_engine.prompt.drafts import Choice, ToolDraft
from promptscope_engine.wire.protocols import Protocol
from promptscope_engine.wire.schemas import reduced

from .materials import Materials
from .texts import FOLDER

WIRE: Mapping[str, Mapping[str, Json]] = {
    "messages": {"tool": {"eager_input_streaming": True}, "choice": {"tool_choice": {"type": "auto"}}},
    "responses": {
        "tool": {"strict": False},
        "schema": (
            "description", "enum", "properties", "required", "items", "anyOf", "oneOf", "allOf", "type", "$ref",
            "$defs", "additionalProperties",
        ),
        "choice": {"tool_choice": "auto"},
        "apart": ("assistant", "user"),
    },
    "chat": {"choice": {"tool_choice": "auto"}, "apart": ("user",)},
    "gemini": {
        "schema": (
            "description", "enum", "properties", "required", "items", "anyOf", "oneOf", "allOf", "type", "format",
        ),
        "choice": {"toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}},
    },
}  # fmt: skip
"""What goes with tools in a protocol: further keys of each, the keys that are left of a schema, what lets the model
choose one, and the roles of calls and results for each of which there is a message."""


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool that the request may hold, the absent ones too; own ones take the place of built-in ones."""
    own = (_sent(m, tool, tool.schema) for tool in m.own_tools)
    found = {draft.name: draft for draft in (*_built_in(m), *_of_servers(m), *own)}
    return tuple(in_locale_order(found.values(), lambda draft: draft.name))


def tool_of(protocol: Protocol, name: str, description: str, schema: Json) -> dict[str, Json]:
    """A tool, in Anthropic's shape, with the keys that the protocol adds."""
    return {"name": name, "description": description, "input_schema": schema, **WIRE[protocol].get("tool", {})}


def _schema_of(protocol: Protocol, schema: Json) -> Json:
    """A schema with what is left of it in a protocol."""
    kept = WIRE[protocol].get("schema")
    return reduced(schema, kept) if kept else schema


def _built_in(m: Materials) -> Iterator[ToolDraft]:
    protocol = m.model.protocol
    for name, when in m.tools.items():
        draft = FOLDER.tool(name, m.scope, when)
        schema = draft.input_schema
        if isinstance(schema, Choice):
            schema = schema.each(lambda each: each.form(protocol, partial(_schema_of, protocol)))
        yield replace(draft, input_schema=schema, wire=partial(tool_of, protocol, draft.name))


def _of_servers(m: Materials) -> Iterator[ToolDraft]:
    """Those of servers always have an object of known properties."""
    for tool in m.mcp_tools:
        said = mapping(tool.schema)
        always = {"type": "object", "properties": mapping(said.get("properties")), "additionalProperties": False}
        yield _sent(m, replace(tool, when=~m.gates["code_mode"] & tool.when), {**said, **always})


def _sent(m: Materials, tool: OfferedTool, schema: Json) -> ToolDraft:
    """The tool with its schema as the protocol has it."""
    return tool.draft(partial(tool_of, m.model.protocol, tool.name), _schema_of(m.model.protocol, schema))
