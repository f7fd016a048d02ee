"""Which tools there are in which shape, in the order of the wire (agent.toml, specs/codex.md 7.1, 7.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from promptscope_engine.agents.codex.materials import Materials, Role
from promptscope_engine.agents.codex.scope import scope_of
from promptscope_engine.agents.codex.texts import FOLDER, ToolText, tool_text
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import Condition

Wire = Callable[[str, Json], dict[str, Json]]
"""What is sent of a description and a schema."""

EXEC = "functions.exec"
"""The tool whose description holds the others, of lite models."""
SCRIPT = "exec"
"""The same tool of classic models with code mode."""
SERVER_TEXT = "Tools of an MCP server."
"""What the namespace of a server says that has no instructions."""


@frozen(slots=False)
class Row:
    """A tool of the list: `name` with its namespace in front, whether it is there, how it is sent.

    `inside` names the tool in whose description it stands, `gates` the conditions of parameters, `others` those of a
    parameter's further forms, with the schema that has it.
    """

    name: str
    text: ToolText
    wire: Wire | None
    when: Condition
    gates: Mapping[str, Condition]
    inside: str | None = None
    deferred: bool = False
    others: tuple[tuple[Condition, str, Json], ...] = ()


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
    text = tool_text(own, namespace)
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


def _role_text(roles: Sequence[Role]) -> str:
    """What `agent_type` says: the user's own roles first; one that has the name of a built-in role replaces it."""
    built_in = FOLDER.agent["roles"]
    own = [f"{role.name}: {{\n{role.description}\n}}" for role in roles]
    taken = {role.name for role in roles}
    fixed = [f"{name}: {{\n{text}\n}}" for name, text in built_in["own"].items() if name not in taken]
    return "\n".join([built_in["intro"], *own, *fixed])


def _with_roles(schema: Json, roles: Sequence[Role]) -> Json:
    """The schema of spawn_agent with the roles that there are."""
    properties = {**schema["properties"], "agent_type": {"type": "string", "description": _role_text(roles)}}
    return {**schema, "properties": {name: properties[name] for name in sorted(properties)}}


def _servers(m: Materials, before: str, when: Condition) -> Iterator[Row]:
    for server in m.servers:
        for tool in server.tools:
            text = ToolText("MCP", tool.description, tool.schema)
            if before:
                yield Row(f"{before}{server.namespace}__{tool.name}", text, None, when, {}, SCRIPT)
            else:
                name = f"{server.namespace}.{tool.name}"
                yield Row(name, text, function(tool.name), when, {}, deferred=True)


# --- what is sent -----------------------------------------------------------------------------------------------------


def _wire(m: Materials, name: str) -> Wire:
    if name == "web_search":
        return lambda _, __: dict(m.web_search)
    if name == "tool_search":
        return _search
    form = FOLDER.sources.schemas.get(name, {})
    return _freeform(name, form) if form.get("type") == "grammar" else function(name)


def function(name: str) -> Wire:
    def wire(description: str, schema: Json) -> dict[str, Json]:
        return {"type": "function", "name": name, "description": description, "strict": False, "parameters": schema}

    return wire


def _freeform(name: str, ours: dict[str, Json]) -> Wire:
    """A tool that takes a text. What stands in a schema's place is its form: ours, unless the agent's own is known."""

    def wire(description: str, form: Json) -> dict[str, Json]:
        return {"type": "custom", "name": name, "description": description, "format": form or ours}

    return wire


def _search(description: str, schema: Json) -> dict[str, Json]:
    return {"type": "tool_search", "execution": "client", "description": description, "parameters": schema}


def namespace_texts(m: Materials) -> Mapping[str, str]:
    """What the namespaces of the wire say of themselves; `functions` says nothing."""
    own: dict[str, str] = FOLDER.agent["namespaces"]
    return {**own, **{server.namespace: server.instructions or SERVER_TEXT for server in m.servers}}
