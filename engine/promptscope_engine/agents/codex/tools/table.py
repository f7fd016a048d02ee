"""Which tools there are in which shape, in the order of the wire (specs/codex.md 7.1, 7.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from promptscope_engine.agents.codex.gates import CHATGPT
from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.agents.codex.texts import FOLDER, ToolText, tool_text
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition

from .roles import with_roles

Wire = Callable[[str, Json], dict[str, Json]]
"""What is sent of a description and a schema."""

Gates = Mapping[str, Condition]

EXEC = "functions.exec"
"""The tool whose description holds the others, of lite models."""
SCRIPT = "exec"
"""The same tool of classic models with code mode."""


@frozen(slots=False)
class Row:
    """A tool of the list: `name` with its namespace in front, whether it is there, how it is sent.

    `inside` names the tool in whose description it stands.
    """

    name: str
    text: ToolText
    wire: Wire | None
    when: Condition = ALWAYS
    gates: Mapping[str, Condition] | None = None
    inside: str | None = None
    deferred: bool = False


def function(name: str) -> Wire:
    def wire(description: str, schema: Json) -> dict[str, Json]:
        return {"type": "function", "name": name, "description": description, "strict": False, "parameters": schema}

    return wire


def freeform(name: str) -> Wire:
    """A tool that takes a text. What stands in a schema's place is its form: ours, unless the agent's own is known."""
    ours: dict[str, Json] = FOLDER.sources.schemas[name]

    def wire(description: str, form: Json) -> dict[str, Json]:
        return {"type": "custom", "name": name, "description": description, "format": form or ours}

    return wire


def _search(description: str, schema: Json) -> dict[str, Json]:
    return {"type": "tool_search", "execution": "client", "description": description, "parameters": schema}


def rows(m: Materials) -> Iterator[Row]:
    """Every tool that the model could have in its shape, in order."""
    return _lite(m) if m.model.lite else _classic(m)


# --- lite: namespaces, and most tools inside of `exec` (7.2) ----------------------------------------------------------


def _lite(m: Materials) -> Iterator[Row]:
    yield Row(EXEC, tool_text("exec@functions"), freeform("exec"))
    for name, text, when, gates in nested(m):
        yield Row(name, text, None, when, gates, inside=EXEC)
    yield _row("functions.wait", tool_text("wait"))
    yield _row("functions.request_user_input", tool_text("request_user_input"))
    yield _row("functions.request_user_input_async", tool_text("request_user_input_async"), m.gates.current)
    yield _row("clock.sleep", tool_text("sleep"), m.gates.current & m.gates.on("sleep_tool"))
    yield from _first_kind(m)
    yield from _servers(m)
    yield from _second_kind(m)
    yield Row("web_search", _hosted(), _fixed(m.web_search), m.gates.searches & m.gates.web_search)


def nested(m: Materials) -> list[tuple[str, ToolText, Condition, Gates]]:
    """The tools that scripts call, in the order in which they are described: by name, those of namespaces last."""
    own = {name: (text, when, gates) for name, text, when, gates in _callable(m)}
    found = [(name, *own[name]) for name in sorted(own)]
    by_feature = m.gates.on("current_time_reminder")
    clock = m.gates.current | by_feature if m.model.lite else by_feature
    found.append(("clock__curr_time", tool_text("curr_time"), clock, {}))
    found.append(("image_gen__imagegen", tool_text("imagegen"), CHATGPT, {}))
    found.append(("web__run", tool_text("run"), CHATGPT, {}))
    return found


def _callable(m: Materials) -> Iterator[tuple[str, ToolText, Condition, Gates]]:
    on = m.gates.on
    yield "exec_command", tool_text("exec_command"), on("shell_tool"), _command_gates(m)
    yield "write_stdin", tool_text("write_stdin"), on("shell_tool"), {}
    yield "list_mcp_resources", tool_text("list_mcp_resources"), ALWAYS, {}
    yield "list_mcp_resource_templates", tool_text("list_mcp_resource_templates"), ALWAYS, {}
    yield "read_mcp_resource", tool_text("read_mcp_resource"), ALWAYS, {}
    yield "apply_patch", tool_text("apply_patch"), ALWAYS, {}
    yield "view_image", tool_text("view_image"), on("view_image"), {}
    for name in _GOALS:
        yield name, tool_text(name), on("goals"), {}
    for name, feature in _BY_FEATURE.items():
        yield name, tool_text(name), on(feature), {}


_GOALS = ("get_goal", "create_goal", "update_goal")
_BY_FEATURE = {
    "request_permissions": "request_permissions_tool",
    "new_context": "token_budget",
    "get_context_remaining": "token_budget",
    "send_message_to_user_async": "send_message_to_user_async",
}
"""Tools that a feature adds, in the order of the body."""


# --- classic: the body's list (7.1) -----------------------------------------------------------------------------------


def _classic(m: Materials) -> Iterator[Row]:
    g, on = m.gates, m.gates.on
    only = on("code_mode_only")
    scripted = on("code_mode") | only
    yield Row(SCRIPT, tool_text("exec"), freeform("exec"), scripted)
    for name, text, when, gates in (*nested(m), *_nested_direct(m)):
        if not name.startswith("web__"):
            yield Row(f"{SCRIPT}.{name}", text, None, only & when & _nested_gate(m, name), gates, inside=SCRIPT)
    yield _row("wait", tool_text("wait"), scripted)
    beside = ~only
    yield _row("exec_command", tool_text("exec_command"), beside & on("shell_tool"), _command_gates(m))
    yield _row("write_stdin", tool_text("write_stdin"), beside & on("shell_tool"))
    there = beside & (g.servers | CHATGPT)
    yield _row("list_mcp_resources", tool_text("list_mcp_resources"), there)
    yield _row("list_mcp_resource_templates", tool_text("list_mcp_resource_templates"), there)
    yield _row("read_mcp_resource", tool_text("read_mcp_resource"), there)
    yield _row("request_user_input", tool_text("request_user_input"))
    yield _row("request_permissions", tool_text("request_permissions"), beside & on("request_permissions_tool"))
    yield _row("clock.curr_time", tool_text("curr_time"), beside & on("current_time_reminder"))
    yield _row("new_context", tool_text("new_context"), beside & on("token_budget"))
    yield _row("get_context_remaining", tool_text("get_context_remaining"), beside & on("token_budget"))
    yield _row(
        "send_message_to_user_async", tool_text("send_message_to_user_async"), beside & on("send_message_to_user_async")
    )
    yield Row("apply_patch", tool_text("apply_patch"), freeform("apply_patch"), beside & g.known)
    yield _row("view_image", tool_text("view_image"), beside & on("view_image"))
    yield from _first_kind(m)
    yield from _second_kind(m)
    yield from _servers(m)
    for name in _GOALS:
        yield _row(name, tool_text(name), beside & on("goals"))
    yield _row("image_gen.imagegen", tool_text("imagegen"), beside & CHATGPT)
    yield Row("tool_search", tool_text("tool_search"), _search, beside & g.deferred)
    yield Row("web_search", _hosted(), _fixed(m.web_search), g.web_search)


def _nested_direct(m: Materials) -> Iterator[tuple[str, ToolText, Condition, Gates]]:
    """Tools of namespaces that a model is given at the start, where scripts are the only way to them."""
    for server in m.servers:
        for tool in server.tools:
            yield f"{server.namespace}__{tool.name}", ToolText("MCP", tool.description, tool.schema), m.gates.direct, {}
    for file in _FIRST_KIND:
        name, when = file.partition("@")[0], m.gates.direct & m.gates.first_kind
        yield f"multi_agent_v1__{name}", _with_roles(m, file), when, _roles(m, name)


def _nested_gate(m: Materials, name: str) -> Condition:
    """What a tool needs besides, where scripts are the only way to it."""
    if name in ("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"):
        return m.gates.servers | CHATGPT
    return m.gates.known if name == "apply_patch" else ALWAYS


# --- tools of both shapes ---------------------------------------------------------------------------------------------


_FIRST_KIND = ("close_agent", "resume_agent", "send_input", "spawn_agent@multi_agent_v1", "wait_agent@multi_agent_v1")
_SECOND_KIND = ("followup_task", "interrupt_agent", "list_agents", "send_message", "spawn_agent", "wait_agent")


def _first_kind(m: Materials) -> Iterator[Row]:
    for file in _FIRST_KIND:
        name = file.partition("@")[0]
        full = f"multi_agent_v1.{name}"
        yield Row(full, _with_roles(m, file), function(name), _direct(m) & m.gates.first_kind, _roles(m, name),
                  deferred=True)  # fmt: skip


def _second_kind(m: Materials) -> Iterator[Row]:
    """Scripts cannot call these: they stand beside `exec` in each shape."""
    for name in _SECOND_KIND:
        yield _row(f"collaboration.{name}", _with_roles(m, name), m.gates.second_kind, _roles(m, name))


def _direct(m: Materials) -> Condition:
    return m.gates.direct & ~m.gates.on("code_mode_only") if not m.model.lite else m.gates.direct


def _with_roles(m: Materials, file: str) -> ToolText:
    text = tool_text(file)
    return replace(text, schema=with_roles(text.schema, m.roles)) if file.startswith("spawn_agent") else text


def _roles(m: Materials, name: str) -> Gates:
    return {"agent_type": m.gates.roles} if name == "spawn_agent" else {}


def _servers(m: Materials) -> Iterator[Row]:
    for server in m.servers:
        for tool in server.tools:
            text = ToolText("MCP", tool.description, tool.schema)
            name = f"{server.namespace}.{tool.name}"
            yield Row(name, text, function(tool.name), _direct(m), deferred=True)


def namespace_texts(m: Materials) -> Mapping[str, str]:
    """What the namespaces of the wire say of themselves; `functions` says nothing."""
    own: dict[str, str] = FOLDER.agent["namespaces"]
    return {**own, **{server.namespace: server.instructions or SERVER_TEXT for server in m.servers}}


SERVER_TEXT = "Tools of an MCP server."
"""What the namespace of a server says that has no instructions."""


def _row(name: str, text: ToolText, when: Condition = ALWAYS, gates: Gates | None = None) -> Row:
    return Row(name, text, function(name.rpartition(".")[2]), when, gates)


def _command_gates(m: Materials) -> Gates:
    return {"tty": m.gates.on("unified_exec_tty"), "additional_permissions": m.gates.on("exec_permission_approvals")}


def _hosted() -> ToolText:
    return ToolText("Web", "")


def _fixed(wire: Mapping[str, Json]) -> Wire:
    return lambda _, __: dict(wire)
