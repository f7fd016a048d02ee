"""OpenCode's tools in the order of the request: its own, those of servers, and those of the user's files."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from promptscope_engine.agents.kit.servers import OfferedTool
from promptscope_engine.agents.kit.settings import mapping
from promptscope_engine.formats.document import Json
from promptscope_engine.javascript.collation import locale_order
from promptscope_engine.prompt.drafts import Choice, ToolDraft
from promptscope_engine.wire.protocols import Protocol
from promptscope_engine.wire.request import FixedSchema
from promptscope_engine.wire.sdk import reduced

from .materials import Materials
from .texts import FOLDER, scope_of

_JUDGED: Mapping[str, str] = FOLDER.agent["judged"]
"""The permission by which a tool is judged, where that is not its name."""


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool that the request may hold, the absent ones too; own ones take the place of built-in ones."""
    found = {draft.name: draft for draft in (*_built_in(m), *_of_servers(m), *_own(m))}
    names = [*found]
    return tuple(found[names[at]] for at in locale_order(names))


def _built_in(m: Materials) -> Iterator[ToolDraft]:
    for name in FOLDER.tool_names():
        draft = FOLDER.tool(name, scope_of(m), m.allowed[_JUDGED.get(name, name)])
        schema = draft.input_schema
        if isinstance(schema, Choice):
            options = [(when, _shaped(name, n, m.model.protocol)) for n, (when, _) in enumerate(schema.options)]
            schema = Choice(tuple(options), _shaped(name, -1, m.model.protocol))
        yield replace(draft, input_schema=schema, wire=wire_of(draft.name, m.model.protocol))


@cache
def _shaped(name: str, form: int, protocol: Protocol) -> FixedSchema:
    """A schema as the protocol has it; the same object each time."""
    schema = FOLDER.schema(name)
    assert schema is not None
    usual = schema.usual if form < 0 else tuple(schema.others)[form][2]
    return FixedSchema(mapping(shaped(usual, protocol)))


def shaped(schema: Json, protocol: Protocol) -> Json:
    """A schema with what is left of it in the protocol of the model's provider."""
    kept = FOLDER.agent["schema_keys"].get(protocol)
    return schema if kept is None else reduced(schema, frozenset(kept))


def _of_servers(m: Materials) -> Iterator[ToolDraft]:
    """Those of servers always have an object of known properties."""
    for tool in (tool for server in m.servers for tool in server.tools):
        said = mapping(tool.schema)
        properties = mapping(said.get("properties"))
        schema = {**said, "type": "object", "properties": properties, "additionalProperties": False}
        yield _sent(m, replace(tool, when=~m.gates["code_mode"] & m.allowed[tool.name]), schema)


def _own(m: Materials) -> Iterator[ToolDraft]:
    for tool in m.own_tools:
        yield _sent(m, replace(tool, when=m.allowed[tool.name]), tool.schema)


def _sent(m: Materials, tool: OfferedTool, schema: Json) -> ToolDraft:
    """The tool with its schema as the protocol has it."""
    return tool.draft(wire_of(tool.name, m.model.protocol), shaped(schema, m.model.protocol))


def wire_of(name: str, protocol: Protocol) -> Callable[[str, Json], dict[str, Json]]:
    """How a tool is sent: with the keys that the protocol adds."""
    more: Mapping[str, Json] = FOLDER.agent["tool_keys"].get(protocol, {})
    return lambda description, schema: {"name": name, "description": description, "input_schema": schema, **more}
