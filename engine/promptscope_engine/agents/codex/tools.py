"""Codex's tools: which there are in which shape, in the order of the wire, and what is said of them (agent.toml)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.texts import parameters_of
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition
from promptscope_engine.prompt.drafts import (
    DEFERRED,
    Choice,
    LazySequence,
    Span,
    ToolDraft,
    builtin,
    computed,
    guarded,
    of_server,
)
from promptscope_engine.wire.protocols import function_of

from .materials import Materials
from .texts import FOLDER, ToolText, scope_of, tool_text

_TYPES = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_JOINED = {"anyOf": " | ", "oneOf": " | ", "allOf": " & "}
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_LONGEST = 20_000
"""Characters of a definition that are written out."""


Others = Sequence[tuple[Condition, str, Json]]
"""The forms of parameters that a condition chooses."""


def declaration(
    prefix: str, text: ToolText, gates: Mapping[str, Condition] = {}, others: Others = (), name: str = ""
) -> Iterator[Span]:
    """The declaration in a fenced block, with a span for each parameter; in one line where none is described.

    A tool without a schema takes text.
    """
    name, schema, returns = name or prefix.rpartition(".")[2], text.schema, text.returns
    yield builtin(prefix, "\n\nexec tool declaration:\n```ts\n")
    if schema is None:
        yield builtin(prefix, f"declare const tools: {{ {name}(input: string): Promise<{returns}>; }};\n```")
        return
    yield builtin(prefix, f"declare const tools: {{ {name}(args: {{")
    required = schema.get("required") or ()
    described = any(each.get("description") for each in schema["properties"].values())
    before, after = ("\n  ", "\n") if described else (" ", " ")
    types = _Types(schema.get("$defs") or {})
    for parameter, each in schema["properties"].items():
        when, optional = gates.get(parameter, ALWAYS), "" if parameter in required else "?"
        forms = [(chosen, other["properties"][parameter]) for chosen, key, other in others if key == parameter]
        for chosen, form in (*forms, (ALWAYS, each)):
            note = "".join(f"\n{line}" for line in _notes(form))
            line = f"{note}{before}{_key(parameter)}{optional}: {types.of(form)};"
            yield builtin(f"{prefix}.{parameter}", line, when=when & chosen)
            when = when if chosen is ALWAYS else when & ~chosen
    yield builtin(prefix, f"{after if schema['properties'] else ''}}}): Promise<{returns}>; }};\n```")


def _notes(schema: Mapping[str, Json]) -> list[str]:
    """What describes a property, line by line, without blank ones."""
    lines = (line.strip() for line in str(schema.get("description") or "").split("\n"))
    return [f"  // {line}" for line in lines if line]


_quoted = partial(json.dumps, ensure_ascii=False)


def _key(name: str) -> str:
    return name if _IDENTIFIER.fullmatch(name) else _quoted(name)


class _Types:
    """The types that schemas, as they are sent, stand for; `defined` are those that others refer to."""

    def __init__(self, defined: Mapping[str, Json]) -> None:
        self._defined = defined
        self._known: dict[str, str] = {}

    def of(self, schema: Mapping[str, Json]) -> str:
        if "$ref" in schema:
            return self._defined_as(str(schema["$ref"]).removeprefix("#/$defs/"))
        for key, sign in _JOINED.items():
            if key in schema:
                return sign.join(map(self.of, schema[key])) or "unknown"
        return " | ".join(map(_quoted, schema["enum"])) if "enum" in schema else self._of_type(schema)

    def _of_type(self, schema: Mapping[str, Json]) -> str:
        match schema.get("type"):
            case list() as kinds:
                return " | ".join(self.of({**schema, "type": kind}) for kind in kinds)
            case "array":
                return f"Array<{self.of(schema['items'])}>"
            case "object":
                return self._object(schema)
            case str() as kind if kind in _TYPES:
                return _TYPES[kind]
        return "unknown"

    def _object(self, schema: Mapping[str, Json]) -> str:
        """In one line, or with a line for each property where one is described: none is indented further."""
        properties, required = schema.get("properties") or {}, schema.get("required") or ()
        parts = [
            (_notes(each), f"{_key(name)}{'' if name in required else '?'}: {self.of(each)};")
            for name, each in properties.items()
        ]
        if (more := schema.get("additionalProperties", False)) is not False:
            parts.append(([], f"[key: string]: {self.of(more) if isinstance(more, Mapping) else 'unknown'};"))
        if any(each.get("description") for each in properties.values()):
            return "\n".join(["{", *(line for notes, part in parts for line in (*notes, f"  {part}")), "}"])
        return f"{{ {' '.join(part for _, part in parts)} }}" if parts else "{}"

    def _defined_as(self, name: str) -> str:
        """Written out once, and not at all where it refers to itself or doubles without end."""
        if name not in self._known:
            self._known[name] = "unknown"
            if name in self._defined and len(found := self.of(self._defined[name])) <= _LONGEST:
                self._known[name] = found
        return self._known[name]


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

    `inside` names the tool in whose description it is, with others of its `namespace`; `gates` are the conditions of
    parameters, `others` those of a parameter's further forms, with the schema that has it.
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
    namespace: str = ""


def rows(m: Materials) -> Iterator[Row]:
    """Every tool that the model could have in its shape, in order."""
    table: Mapping[str, str] = FOLDER.agent["lite" if m.model.lite else "classic"]
    for name, text in table.items():
        if text.startswith("direct_only(") and name.rpartition(".")[0] not in m.code_mode.direct_only:
            continue  # another row of a tool, which only the list in the settings can call for
        when = FOLDER.condition(text, scope_of(m), "agent.toml")
        if name.endswith("@servers"):
            yield from _servers(m, name.removesuffix("@servers"), when)
        else:
            yield _row(m, name, when)


def _row(m: Materials, name: str, when: Condition) -> Row:
    *_, namespace, own = f".{name}".replace("__", ".").split(".")
    inside = name.startswith(f"{SCRIPT}.") or (m.model.lite and "." not in name and own != "web_search")
    namespace = "" if inside and namespace == SCRIPT else namespace
    text = tool_text(own, m.version, namespace or (SCRIPT if inside else ""))
    if inside:
        when = when & m.code_mode.nested(_renamed(m, namespace) or "functions")
    if not m.model.known:
        text = replace(text, returns=FOLDER.agent["unknown_returns"].get(own, text.returns))
    if own == "wait_agent":
        text = replace(text, schema=_filled(text.schema, m.sub_agents.waits))
    if own == "spawn_agent":
        text = replace(text, schema=_with_roles(text.schema, m.roles))

    def condition(gate: str) -> Condition:
        return FOLDER.condition(gate, scope_of(m), f"tools/{own}.json")

    gates = {key: condition(gate) for key, gate in text.gates.items()}
    others = tuple((condition(gate), key, schema) for gate, key, schema in text.others)
    name = _renamed(m, name)
    if inside:
        script = EXEC if m.model.lite else SCRIPT
        return Row(name, text, None, when, gates, script, others=others, namespace=_renamed(m, namespace))
    return Row(name, text, _wire(m, own), when, gates, deferred=namespace == "multi_agent_v1", others=others)


def _renamed(m: Materials, name: str) -> str:
    """The name with the namespace that the settings have for sub-agents."""
    return name.replace("collaboration", m.sub_agents.namespace) if "collaboration" in name else name


def _filled(schema: Json, values: Mapping[str, str]) -> Json:
    """The schema with values in the descriptions of its parameters, in place of their keys."""
    properties = dict(schema["properties"])
    for name, each in properties.items():
        said = each.get("description", "")
        for key, value in values.items():
            said = said.replace(f"{{{key}}}", value)
        properties[name] = {**each, "description": said}
    return {**schema, "properties": properties}


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
            text = ToolText("MCP", tool.description, tool.schema, "CallToolResult")
            if before:
                name, nested = f"{before}{server.namespace}__{tool.name}", m.code_mode.nested(server.namespace)
                yield Row(name, text, None, when & nested, {}, SCRIPT, server=server.name, namespace=server.namespace)
            else:
                name, alone = f"{server.namespace}.{tool.name}", scope_of(m).word("alone", (server.namespace,))
                yield Row(name, text, function(tool.name), when & alone, {}, deferred=True, server=server.name)


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
    own = {**own, m.sub_agents.namespace: own["collaboration"]}
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
    name = row.name.rpartition(".")[2].replace(f"{m.sub_agents.namespace}__", "collaboration__")
    if row.inside:
        return f"tools.nested.{name}"
    if row.name == EXEC:
        return f"tools.{EXEC}" if m.model.current else f"tools.{EXEC}.older"
    if row.name == f"{m.sub_agents.namespace}.{name}":
        return f"tools.collaboration.{name}"
    return f"tools.{name}" if row.name.startswith("functions.") else f"tools.{row.name}"


def _description(m: Materials, row: Row, every: tuple[Row, ...]) -> Iterator[Span]:
    fragment = f"tools.{row.name}"
    if row.inside:
        yield from _nested(m, row)
        return
    if row.text.group == "MCP" and row.deferred:
        yield computed(f"mcp.{row.name}", row.text.description)
        yield from _declared(m, row)
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
    yield from _said(m, row)
    if row.name in (EXEC, SCRIPT):
        yield from _scripts(m, [other for other in every if other.inside == row.name])
    else:
        yield from _declared(m, row)


def _said(m: Materials, row: Row) -> Iterator[Span]:
    """The description, with all that a scenario decides about it."""
    fragment, text = f"tools.{row.name}", row.text
    if text.body is not None:
        for span in text.body.spans(scope_of(m)):
            yield builtin(fragment, span.text, when=span.when) if span.origin.kind == "builtin" else span
    elif text.description:
        # the client's own tools for resources are in the group of the servers' tools
        is_theirs = text.group == "MCP" and not row.name.endswith(_RESOURCES)
        yield computed(f"mcp.{row.name}", text.description) if is_theirs else builtin(fragment, text.description)


def _declared(m: Materials, row: Row) -> Iterator[Span]:
    """How scripts call a tool of classic models, which is there beside them."""
    namespace, _, own = row.name.rpartition(".")
    if m.model.lite or own in _OUTSIDE:
        return
    when = m.features["code_mode"] & m.code_mode.nested(namespace or "functions")
    if namespace == m.sub_agents.namespace:
        when = when & m.gates["in_scripts"]
    name = f"{namespace}__{own}" if namespace else own
    yield from guarded(declaration(f"tools.{row.name}", row.text, row.gates, row.others, name), when)


_OUTSIDE = frozenset({"request_user_input", "send_message_to_user_async", "new_context", "sleep", "wait", "web_search"})
"""Tools that no script may call."""


def _scripts(m: Materials, rows: Sequence[Row]) -> Iterator[Span]:
    """What the description of `exec` holds of the tools that scripts may call, by their namespaces."""
    texts = namespace_texts(m)
    for namespace, group in groupby(rows, key=lambda row: row.namespace):
        those = list(group)
        if namespace:
            head, server = f"tools.{those[0].name}", those[0].server
            said = texts.get(namespace, f"Tools of the namespace {namespace}.")
            own = (builtin(head, f"\n\n## {namespace}\n"), builtin(head, said))
            theirs = (builtin(head, f"\n\n## {namespace}\n"), computed(f"mcp.{server}", said))
            yield from guarded(of_server(server, *theirs) if server else own, AnyOf(tuple(row.when for row in those)))
        for row in those:
            yield from guarded(_nested(m, row), row.when)


def _nested(m: Materials, row: Row) -> Iterator[Span]:
    """A section of the description of `exec`."""
    fragment = f"tools.{row.name}"
    yield builtin(fragment, f"\n\n### `{row.name.rpartition('.')[2]}`\n")
    yield from _said(m, row)
    yield from declaration(fragment, row.text, row.gates, row.others)


_RESOURCES = ("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource")
