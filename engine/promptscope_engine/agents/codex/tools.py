"""Codex's tools: which there are in which shape, in the order of the wire, and what is said of them (agent.toml)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, Condition
from promptscope_engine.prompt.drafts import DEFERRED, Choice, LazySequence, Span, ToolDraft, builtin, computed, guarded
from promptscope_engine.wire.protocols import function_of

from .materials import Materials
from .texts import FOLDER, ToolText, scope_of, tool_text

_TYPES = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}


Others = Sequence[tuple[Condition, str, Json]]
"""The forms of parameters that a condition chooses."""


def declaration(
    prefix: str, text: ToolText, gates: Mapping[str, Condition] = {}, others: Others = ()
) -> Iterator[Span]:
    """The declaration in a fenced block, with a span for each parameter.

    A tool without a schema takes text.
    """
    name, schema, returns = prefix.rpartition(".")[2], text.schema, text.returns
    yield builtin(prefix, "\n\nexec tool declaration:\n```ts\n")
    if schema is None:
        yield builtin(prefix, f"declare const tools: {{ {name}(input: string): Promise<{returns}>; }};\n```")
        return
    yield builtin(prefix, f"declare const tools: {{ {name}(args: {{")
    required = schema.get("required") or ()
    for parameter, each in schema["properties"].items():
        when, optional = gates.get(parameter, ALWAYS), "" if parameter in required else "?"
        forms = [(chosen, other["properties"][parameter]) for chosen, key, other in others if key == parameter]
        for chosen, form in (*forms, (ALWAYS, each)):
            note = f"\n  // {form['description']}" if form.get("description") else ""
            line = f"{note}\n  {parameter}{optional}: {_type(form)};"
            yield builtin(f"{prefix}.{parameter}", line, when=when & chosen)
            when = when if chosen is ALWAYS else when & ~chosen
    yield builtin(prefix, f"{chr(10) if schema['properties'] else ''}}}): Promise<{returns}>; }};\n```")


def _type(schema: Mapping[str, Json]) -> str:
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    match schema.get("type"):
        case "array":
            return f"Array<{_type(schema['items'])}>"
        case "object":
            required = schema.get("required") or ()
            parts = (
                f"{name}{'' if name in required else '?'}: {_type(each)};"
                for name, each in schema.get("properties", {}).items()
            )
            return f"{{ {' '.join(parts)} }}" if schema.get("properties") else "{}"
        case str() as kind if kind in _TYPES:
            return _TYPES[kind]
    return "unknown"


Wire = Callable[[str, Json], dict[str, Json]]
"""What is sent of a description and a schema."""

EXEC = "functions.exec"
"""The tool whose description holds the others, of lite models."""
SCRIPT = "exec"
"""The same tool of classic models with code mode."""
SERVER_TEXT = "Tools of an MCP server."
"""What the namespace of a server says that has no instructions."""


class Row(Struct, frozen=True):
    """A tool of the list: `name` with its namespace in front, whether it is there, how it is sent.

    `inside` names the tool in whose description it is, `gates` the conditions of parameters, `others` those of a
    parameter's further forms, with the schema that has it.
    """

    name: str
    text: ToolText
    wire: Wire | None
    when: Condition
    gates: Mapping[str, Condition]
    inside: str | None = None
    deferred: bool = False
    others: Others = ()
    server: str | None = None


def rows(m: Materials) -> Iterator[Row]:
    """Every tool that the model could have in its shape, in order."""
    table: Mapping[str, str] = FOLDER.agent["lite" if m.model.lite else "classic"]
    for name, text in table.items():
        when = FOLDER.condition(text, scope_of(m), "agent.toml")
        if name.endswith("@servers"):
            yield from _servers(m, name.removesuffix("@servers"), when)
        else:
            yield _row(m, name, when)


def _row(m: Materials, name: str, when: Condition) -> Row:
    *_, namespace, own = f".{name}".replace("__", ".").split(".")
    text = tool_text(own, m.version, namespace)
    if own == "spawn_agent":
        text = replace(text, schema=_with_roles(text.schema, m.roles))

    def condition(gate: str) -> Condition:
        return FOLDER.condition(gate, scope_of(m), f"tools/{own}.json")

    gates = {key: condition(gate) for key, gate in text.gates.items()}
    others = tuple((condition(gate), key, schema) for gate, key, schema in text.others)
    inside = name.startswith(f"{SCRIPT}.") or (m.model.lite and "." not in name and own != "web_search")
    if inside:
        return Row(name, text, None, when, gates, EXEC if m.model.lite else SCRIPT, others=others)
    return Row(name, text, _wire(m, own), when, gates, deferred=namespace == "multi_agent_v1", others=others)


def _with_roles(schema: Json, roles: Mapping[str, str]) -> Json:
    """The schema of spawn_agent: `agent_type` names the user's own roles first, which replace built-in ones."""
    built_in = FOLDER.agent["roles"]
    every = {**roles, **{name: text for name, text in built_in["own"].items() if name not in roles}}
    said = "\n".join([built_in["intro"], *(f"{name}: {{\n{text}\n}}" for name, text in every.items())])
    properties = {**schema["properties"], "agent_type": {"type": "string", "description": said}}
    return {**schema, "properties": {name: properties[name] for name in sorted(properties)}}


def _servers(m: Materials, before: str, when: Condition) -> Iterator[Row]:
    for server in m.servers:
        for tool in server.tools:
            text = ToolText("MCP", tool.description, tool.schema)
            if before:
                name = f"{before}{server.namespace}__{tool.name}"
                yield Row(name, text, None, when, {}, SCRIPT, server=server.name)
            else:
                name = f"{server.namespace}.{tool.name}"
                yield Row(name, text, function(tool.name), when, {}, deferred=True, server=server.name)


# --- what is sent -----------------------------------------------------------------------------------------------------


def _wire(m: Materials, name: str) -> Wire:
    form = FOLDER.sources.schemas.get(name, {})
    if name == "web_search":
        return lambda _, __: dict(m.web_search)
    if name == "tool_search":
        sent = {"type": "tool_search", "execution": "client"}
        return lambda description, schema: {**sent, "description": description, "parameters": schema}
    if form.get("type") == "grammar":  # it takes a text: its form is ours, unless the agent's own is known
        custom = {"type": "custom", "name": name}
        return lambda description, known: {**custom, "description": description, "format": known or form}
    return function(name)


def function(name: str) -> Wire:
    """How an ordinary tool is sent."""
    return partial(function_of, name)


def namespace_texts(m: Materials) -> Mapping[str, str]:
    """What the namespaces of the wire say of themselves; `functions` says nothing."""
    own: dict[str, str] = FOLDER.agent["namespaces"]
    return {**own, **{server.namespace: server.instructions or SERVER_TEXT for server in m.servers}}


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool that the model could have, the absent ones too."""
    every = tuple(rows(m))
    return tuple(_draft(m, row, every) for row in every)


def _draft(m: Materials, row: Row, every: tuple[Row, ...]) -> ToolDraft:
    schema: Json | Choice[Json] = row.text.schema
    if row.others:
        schema = Choice(tuple((when, other) for when, _, other in row.others), schema)
    deferred = Choice[str | None](((m.gates["known"], DEFERRED),), None) if row.deferred else None
    return ToolDraft(
        name=row.name,
        group=row.text.group,
        description=LazySequence(_description(m, row, every)),
        when=row.when,
        parameters=tuple(replace(p, when=row.gates.get(p.name, ALWAYS)) for p in parameters_of(row.text.schema)),
        input_schema=None if row.inside else schema,
        variant=f"inside of {row.inside.rpartition('.')[2]}" if row.inside else deferred,
        section=row.inside,
        reference=_measured(m, row),
        wire=row.wire,
        server=row.server,
    )


def _measured(m: Materials, row: Row) -> str:
    """The tool as it was measured: within a script's description a tool takes less than by itself."""
    name = row.name.rpartition(".")[2]
    if row.inside:
        return f"tools.nested.{name}"
    if row.name == EXEC:
        return f"tools.{EXEC}" if m.model.current else f"tools.{EXEC}.older"
    return f"tools.{name}" if row.name.startswith("functions.") else f"tools.{row.name}"


def _description(m: Materials, row: Row, every: tuple[Row, ...]) -> Iterator[Span]:
    fragment = f"tools.{row.name}"
    if row.inside:
        yield from _nested(row)
        return
    if row.text.group == "MCP" and row.deferred:
        yield computed(f"mcp.{row.name}", row.text.description)
        return
    if row.name == "tool_search":
        named = m.features["deferred_tool_world_state"]
        yield builtin(fragment, row.text.description, when=named)
        yield builtin(fragment, tool_text("tool_search", m.version, "alone").description, when=~named)
        return
    if row.name.endswith("request_user_input"):
        anywhere = m.features["default_mode_request_user_input"]
        yield builtin(fragment, row.text.description, when=~anywhere)
        yield builtin(fragment, tool_text("request_user_input", m.version, "anywhere").description, when=anywhere)
        return
    if row.text.description:
        yield builtin(fragment, row.text.description)
    if row.name in (EXEC, SCRIPT):
        for other in every:
            if other.inside == row.name:
                yield from guarded(_nested(other), other.when)
    elif not m.model.lite and row.name in _SCRIPTED:
        declared = declaration(fragment, row.text, row.gates, row.others)
        yield from guarded(declared, m.features["code_mode"])


_SCRIPTED = frozenset(
    {
        "exec_command", "write_stdin", "list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource",
        "apply_patch", "view_image", "get_goal", "create_goal", "update_goal",
    }
)  # fmt: skip
"""Tools that scripts may call as well: with code mode their description says how."""


def _nested(row: Row) -> Iterator[Span]:
    """A section of the description of `exec`."""
    name = row.name.rpartition(".")[2]
    fragment = f"tools.{row.name}"
    if name.startswith("clock__"):
        yield builtin(fragment, "\n\n## clock")
    yield builtin(fragment, f"\n\n### `{name}`\n")
    said = row.text.description
    # the client's own tools for resources are in the group of the servers' tools
    is_theirs = row.text.group == "MCP" and not row.name.endswith(_RESOURCES)
    yield computed(f"mcp.{row.name}", said) if is_theirs else builtin(fragment, said)
    yield from declaration(fragment, row.text, row.gates, row.others)


_RESOURCES = ("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource")
