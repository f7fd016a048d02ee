"""Codex's tools: which there are in which shape, in the order of the wire, and what is said of them (agent.toml)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.text.texts import parameters_of
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
from .texts import FOLDER, NAMESPACES, ToolText, scope_of, tool_text

_TYPES = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_JOINED = {"anyOf": " | ", "oneOf": " | ", "allOf": " & "}
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
# The tools in the order of the wire, each with its namespace in front and the condition under which it is there.
# `@servers` are those of MCP servers. Of lite models a tool without a namespace is in the description of
# `functions.exec`, of classic ones what begins with `exec.` in that of `exec`. What `features.code_mode` says of
# namespaces: nested: scripts may call its tools, as for all of these · single, alone: tools of their own, and those
# that may be deferred · direct_only: the list names the namespace.
LITE = {
    "functions.exec": "",
    "apply_patch": "",
    "create_goal": "features.goals",
    "exec_command": "features.shell_tool",
    "get_context_remaining": "features.token_budget",
    "get_goal": "features.goals",
    "list_mcp_resource_templates": "",
    "list_mcp_resources": "",
    "multi_env_copy_file": "features.multi_env_copy_file",
    "read_mcp_resource": "",
    "request_permissions": "features.request_permissions_tool",
    "tool_search": "features.code_mode_tool_search and deferred",
    "update_goal": "features.goals",
    "update_plan": "plans",
    "view_image": "features.view_image",
    "wait_for_environment": "features.deferred_executor",
    "write_stdin": "features.shell_tool",
    "clock__curr_time": "current or features.current_time_reminder",
    "collaboration__followup_task": "second_kind and native and in_scripts and messages",
    "collaboration__interrupt_agent": "second_kind and native and in_scripts",
    "collaboration__list_agents": "second_kind and native and in_scripts",
    "collaboration__send_message": "second_kind and native and in_scripts and messages",
    "collaboration__spawn_agent": "second_kind and native and in_scripts",
    "collaboration__wait_agent": "second_kind and native and in_scripts and waits",
    "image_gen__imagegen": "chatgpt",
    "skills__installations": "features.executor_capability_discovery_v2",
    "skills__list": "features.executor_capability_discovery_v2",
    "skills__read": "features.executor_capability_discovery_v2",
    "web__run": "chatgpt",
    "functions.wait": "",
    "functions.exec_command": 'direct_only("functions") and features.shell_tool',
    "functions.write_stdin": 'direct_only("functions") and features.shell_tool',
    "functions.list_mcp_resources": 'direct_only("functions")',
    "functions.list_mcp_resource_templates": 'direct_only("functions")',
    "functions.read_mcp_resource": 'direct_only("functions")',
    "functions.update_plan": 'direct_only("functions") and plans',
    "functions.wait_for_environment": 'direct_only("functions") and features.deferred_executor',
    "functions.request_user_input": "asks",
    "functions.request_user_input_async": "current and asks",
    "functions.send_message_to_user_async": "newest or features.send_message_to_user_async",
    "functions.request_permissions": 'direct_only("functions") and features.request_permissions_tool',
    "functions.new_context": "features.token_budget",
    "functions.get_context_remaining": 'direct_only("functions") and features.token_budget',
    "functions.apply_patch": 'direct_only("functions")',
    "functions.view_image": 'direct_only("functions") and features.view_image',
    "functions.multi_env_copy_file": 'direct_only("functions") and features.multi_env_copy_file',
    "functions.get_goal": 'direct_only("functions") and features.goals',
    "functions.create_goal": 'direct_only("functions") and features.goals',
    "functions.update_goal": 'direct_only("functions") and features.goals',
    "clock.curr_time": 'direct_only("clock") and (current or features.current_time_reminder)',
    "clock.sleep": "sleeps",
    "multi_agent_v1.close_agent": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.resume_agent": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.send_input": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.spawn_agent": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.wait_agent": 'first_kind and alone("multi_agent_v1")',
    "@servers": "",
    "collaboration.followup_task": (
        'second_kind and native and not (in_scripts and nested("collaboration")) and messages'
    ),
    "collaboration.interrupt_agent": 'second_kind and native and not (in_scripts and nested("collaboration"))',
    "collaboration.list_agents": 'second_kind and native and not (in_scripts and nested("collaboration"))',
    "collaboration.send_message": (
        'second_kind and native and not (in_scripts and nested("collaboration")) and messages'
    ),
    "collaboration.spawn_agent": 'second_kind and native and not (in_scripts and nested("collaboration"))',
    "collaboration.wait_agent": ('second_kind and native and not (in_scripts and nested("collaboration")) and waits'),
    "skills.installations": 'direct_only("skills") and features.executor_capability_discovery_v2',
    "skills.list": 'direct_only("skills") and features.executor_capability_discovery_v2',
    "skills.read": 'direct_only("skills") and features.executor_capability_discovery_v2',
    "image_gen.imagegen": 'direct_only("image_gen") and chatgpt',
    "web.run": 'direct_only("web") and chatgpt',
    "web_search": "searches and web_search",
}
CLASSIC = {
    "exec": "features.code_mode or features.code_mode_only",
    "exec.apply_patch": "features.code_mode_only and known",
    "exec.create_goal": "features.code_mode_only and features.goals",
    "exec.exec_command": "features.code_mode_only and features.shell_tool",
    "exec.get_context_remaining": "features.code_mode_only and features.token_budget",
    "exec.get_goal": "features.code_mode_only and features.goals",
    "exec.list_mcp_resource_templates": "features.code_mode_only and (servers or chatgpt)",
    "exec.list_mcp_resources": "features.code_mode_only and (servers or chatgpt)",
    "exec.multi_env_copy_file": "features.code_mode_only and features.multi_env_copy_file",
    "exec.read_mcp_resource": "features.code_mode_only and (servers or chatgpt)",
    "exec.request_permissions": "features.code_mode_only and features.request_permissions_tool",
    "exec.tool_search": "features.code_mode_only and features.code_mode_tool_search and deferred",
    "exec.update_goal": "features.code_mode_only and features.goals",
    "exec.update_plan": "features.code_mode_only and plans",
    "exec.view_image": "features.code_mode_only and features.view_image",
    "exec.wait_for_environment": "features.code_mode_only and features.deferred_executor",
    "exec.write_stdin": "features.code_mode_only and features.shell_tool",
    "exec.clock__curr_time": "features.code_mode_only and features.current_time_reminder",
    "exec.collaboration__followup_task": (
        "features.code_mode_only and second_kind and native and in_scripts and messages"
    ),
    "exec.collaboration__interrupt_agent": "features.code_mode_only and second_kind and native and in_scripts",
    "exec.collaboration__list_agents": "features.code_mode_only and second_kind and native and in_scripts",
    "exec.collaboration__send_message": (
        "features.code_mode_only and second_kind and native and in_scripts and messages"
    ),
    "exec.collaboration__spawn_agent": "features.code_mode_only and second_kind and native and in_scripts",
    "exec.collaboration__wait_agent": "features.code_mode_only and second_kind and native and in_scripts and waits",
    "exec.image_gen__imagegen": "features.code_mode_only and chatgpt",
    "exec.@servers": "features.code_mode_only and direct",
    "exec.multi_agent_v1__close_agent": "features.code_mode_only and direct and first_kind",
    "exec.multi_agent_v1__resume_agent": "features.code_mode_only and direct and first_kind",
    "exec.multi_agent_v1__send_input": "features.code_mode_only and direct and first_kind",
    "exec.multi_agent_v1__spawn_agent": "features.code_mode_only and direct and first_kind",
    "exec.multi_agent_v1__wait_agent": "features.code_mode_only and direct and first_kind",
    "exec.skills__installations": "features.code_mode_only and features.executor_capability_discovery_v2",
    "exec.skills__list": "features.code_mode_only and features.executor_capability_discovery_v2",
    "exec.skills__read": "features.code_mode_only and features.executor_capability_discovery_v2",
    "wait": "features.code_mode or features.code_mode_only",
    "exec_command": 'single("functions") and features.shell_tool',
    "write_stdin": 'single("functions") and features.shell_tool',
    "list_mcp_resources": 'single("functions") and (servers or chatgpt)',
    "list_mcp_resource_templates": 'single("functions") and (servers or chatgpt)',
    "read_mcp_resource": 'single("functions") and (servers or chatgpt)',
    "update_plan": 'single("functions") and plans',
    "wait_for_environment": 'single("functions") and features.deferred_executor',
    "request_user_input": "asks",
    "send_message_to_user_async": "features.send_message_to_user_async",
    "request_permissions": 'single("functions") and features.request_permissions_tool',
    "new_context": "features.token_budget",
    "get_context_remaining": 'single("functions") and features.token_budget',
    "clock.curr_time": 'single("clock") and features.current_time_reminder',
    "clock.sleep": "sleeps",
    "apply_patch": 'single("functions") and known',
    "view_image": 'single("functions") and features.view_image',
    "multi_agent_v1.close_agent": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.resume_agent": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.send_input": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.spawn_agent": 'first_kind and alone("multi_agent_v1")',
    "multi_agent_v1.wait_agent": 'first_kind and alone("multi_agent_v1")',
    "collaboration.followup_task": (
        'second_kind and native and not (in_scripts and features.code_mode_only and nested("collaboration")) and '
        "messages"
    ),
    "collaboration.interrupt_agent": (
        'second_kind and native and not (in_scripts and features.code_mode_only and nested("collaboration"))'
    ),
    "collaboration.list_agents": (
        'second_kind and native and not (in_scripts and features.code_mode_only and nested("collaboration"))'
    ),
    "collaboration.send_message": (
        'second_kind and native and not (in_scripts and features.code_mode_only and nested("collaboration")) and '
        "messages"
    ),
    "collaboration.spawn_agent": (
        'second_kind and native and not (in_scripts and features.code_mode_only and nested("collaboration"))'
    ),
    "collaboration.wait_agent": (
        'second_kind and native and not (in_scripts and features.code_mode_only and nested("collaboration")) and waits'
    ),
    "@servers": "",
    "multi_env_copy_file": 'single("functions") and features.multi_env_copy_file',
    "get_goal": 'single("functions") and features.goals',
    "create_goal": 'single("functions") and features.goals',
    "update_goal": 'single("functions") and features.goals',
    "skills.installations": 'single("skills") and features.executor_capability_discovery_v2',
    "skills.list": 'single("skills") and features.executor_capability_discovery_v2',
    "skills.read": 'single("skills") and features.executor_capability_discovery_v2',
    "image_gen.imagegen": 'single("image_gen") and chatgpt',
    "tool_search": 'single("functions") and deferred',
    "web_search": "web_search",
}
_UNKNOWN_RETURNS = {
    "view_image": (
        "{\n  // How large the image is as it is given: `high` as a rule, or `original` where it keeps the size "
        'that it has on disk.\n  detail: "high" | "original";\n  // The image as a data URL.\n  image_url: '
        "string;\n"
        "}"
    ),
}
"""What a script is given by a tool where Codex doesn't know the model."""
_ROLES = (
    "The kind of agent to start, which may be left out: the new agent is of the kind `default` then. Each kind "
    "says what it is for.\n"
    "Available roles:"
)
"""What the parameter `agent_type` of spawn_agent says, before the user's own roles and the built-in ones."""
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
    for name, text in (LITE if m.model.lite else CLASSIC).items():
        if text.startswith("direct_only(") and name.rpartition(".")[0] not in m.code_mode.direct_only:
            continue  # another row of a tool, which only the list in the settings can call for
        when = FOLDER.condition(text, scope_of(m), FOLDER.main)
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
        text = replace(text, returns=_UNKNOWN_RETURNS.get(own, text.returns))
    if own == "wait_agent":
        text = replace(text, schema=_filled(text.schema, m.sub_agents.waits))
    if own == "spawn_agent":
        built_in = {name: each.text for name, each in FOLDER.bundled("roles", m.version).items()}
        text = replace(text, schema=_with_roles(text.schema, m.roles, built_in))

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


def _with_roles(schema: Json, roles: Mapping[str, str], built_in: Mapping[str, str]) -> Json:
    """The schema of spawn_agent: `agent_type` names the user's own roles first, which replace built-in ones."""
    every = {**roles, **{name: text for name, text in built_in.items() if name not in roles}}
    said = "\n".join([_ROLES, *(f"{name}: {{\n{text}\n}}" for name, text in every.items())])
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
    own = {**NAMESPACES, m.sub_agents.namespace: NAMESPACES["collaboration"]}
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
