"""Which tools there are in which shape, in the order of the wire (specs/codex.md 7.1, 7.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from promptscope_engine.agents.codex.gates import CHATGPT
from promptscope_engine.agents.codex.materials import Materials
from promptscope_engine.formats.document import Json
from promptscope_engine.frozen import frozen
from promptscope_engine.prompt.conditions import ALWAYS, Condition

from . import agents, resources, scripts, session, shell, web
from .schema import record
from .text import ToolText

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


def freeform(name: str, grammar: str) -> Wire:
    """A tool that takes a text. What stands in a schema's place is its form: ours, unless the agent's own is known."""
    ours: dict[str, Json] = {"type": "grammar", "syntax": "lark", "definition": grammar}

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
    yield Row(EXEC, _scripts(scripts.ONLY), freeform("exec", scripts.GRAMMAR))
    for name, text, when, gates in nested(m):
        yield Row(name, text, None, when, gates, inside=EXEC)
    yield _row("functions.wait", shell.WAIT)
    yield _row("functions.request_user_input", session.REQUEST_USER_INPUT)
    yield _row("functions.request_user_input_async", session.REQUEST_USER_INPUT_ASYNC, m.gates.current)
    yield _row("clock.sleep", session.SLEEP, m.gates.current & m.gates.on("sleep_tool"))
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
    found.append(("clock__curr_time", session.CURR_TIME, clock, {}))
    found.append(("image_gen__imagegen", web.IMAGEGEN, CHATGPT, {}))
    found.append(("web__run", web.WEB_RUN, CHATGPT, {}))
    return found


def _callable(m: Materials) -> Iterator[tuple[str, ToolText, Condition, Gates]]:
    on = m.gates.on
    yield "exec_command", _exec_command(), on("shell_tool"), _command_gates(m)
    yield "write_stdin", shell.WRITE_STDIN, on("shell_tool"), {}
    yield "list_mcp_resources", resources.LIST_RESOURCES, ALWAYS, {}
    yield "list_mcp_resource_templates", resources.LIST_TEMPLATES, ALWAYS, {}
    yield "read_mcp_resource", resources.READ_RESOURCE, ALWAYS, {}
    yield "apply_patch", shell.APPLY_PATCH, ALWAYS, {}
    yield "view_image", shell.VIEW_IMAGE, on("view_image"), {}
    for name, text in _GOALS.items():
        yield name, text, on("goals"), {}
    for name, (text, feature) in _BY_FEATURE.items():
        yield name, text, on(feature), {}


_GOALS = {"get_goal": session.GET_GOAL, "create_goal": session.CREATE_GOAL, "update_goal": session.UPDATE_GOAL}
_BY_FEATURE = {
    "request_permissions": (shell.REQUEST_PERMISSIONS, "request_permissions_tool"),
    "new_context": (session.NEW_CONTEXT, "token_budget"),
    "get_context_remaining": (session.GET_CONTEXT_REMAINING, "token_budget"),
    "send_message_to_user_async": (session.SEND_MESSAGE, "send_message_to_user_async"),
}
"""Tools that a feature adds, in the order of the body."""


# --- classic: the body's list (7.1) -----------------------------------------------------------------------------------


def _classic(m: Materials) -> Iterator[Row]:
    g, on = m.gates, m.gates.on
    only = on("code_mode_only")
    scripted = on("code_mode") | only
    yield Row(SCRIPT, _scripts(scripts.CODE_MODE), freeform("exec", scripts.GRAMMAR), scripted)
    for name, text, when, gates in (*nested(m), *_nested_direct(m)):
        if not name.startswith("web__"):
            yield Row(f"{SCRIPT}.{name}", text, None, only & when & _nested_gate(m, name), gates, inside=SCRIPT)
    yield _row("wait", shell.WAIT, scripted)
    beside = ~only
    yield _row("exec_command", _exec_command(), beside & on("shell_tool"), _command_gates(m))
    yield _row("write_stdin", shell.WRITE_STDIN, beside & on("shell_tool"))
    there = beside & (g.servers | CHATGPT)
    yield _row("list_mcp_resources", resources.LIST_RESOURCES, there)
    yield _row("list_mcp_resource_templates", resources.LIST_TEMPLATES, there)
    yield _row("read_mcp_resource", resources.READ_RESOURCE, there)
    yield _row("request_user_input", session.REQUEST_USER_INPUT)
    yield _row("request_permissions", shell.REQUEST_PERMISSIONS, beside & on("request_permissions_tool"))
    yield _row("clock.curr_time", session.CURR_TIME, beside & on("current_time_reminder"))
    yield _row("new_context", session.NEW_CONTEXT, beside & on("token_budget"))
    yield _row("get_context_remaining", session.GET_CONTEXT_REMAINING, beside & on("token_budget"))
    yield _row("send_message_to_user_async", session.SEND_MESSAGE, beside & on("send_message_to_user_async"))
    yield Row("apply_patch", shell.APPLY_PATCH, freeform("apply_patch", shell.APPLY_PATCH.grammar), beside & g.known)
    yield _row("view_image", shell.VIEW_IMAGE, beside & on("view_image"))
    yield from _first_kind(m)
    yield from _second_kind(m)
    yield from _servers(m)
    for name, text in _GOALS.items():
        yield _row(name, text, beside & on("goals"))
    yield _row("image_gen.imagegen", web.IMAGEGEN, beside & CHATGPT)
    yield Row("tool_search", resources.TOOL_SEARCH, _search, beside & g.deferred)
    yield Row("web_search", _hosted(), _fixed(m.web_search), g.web_search)


def _nested_direct(m: Materials) -> Iterator[tuple[str, ToolText, Condition, Gates]]:
    """Tools of namespaces that a model is given at the start, where scripts are the only way to them."""
    for server in m.servers:
        for tool in server.tools:
            yield f"{server.namespace}__{tool.name}", ToolText("MCP", tool.description, tool.schema), m.gates.direct, {}
    for name, text in _FIRST_KIND.items():
        when = m.gates.direct & m.gates.first_kind
        yield f"multi_agent_v1__{name}", _with_roles(text, m, name), when, _roles(m, name)


def _nested_gate(m: Materials, name: str) -> Condition:
    """What a tool needs besides, where scripts are the only way to it."""
    if name in ("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"):
        return m.gates.servers | CHATGPT
    return m.gates.known if name == "apply_patch" else ALWAYS


# --- tools of both shapes ---------------------------------------------------------------------------------------------


_FIRST_KIND = {
    "close_agent": agents.CLOSE_AGENT,
    "resume_agent": agents.RESUME_AGENT,
    "send_input": agents.SEND_INPUT,
    "spawn_agent": agents.SPAWN_AGENT_FIRST,
    "wait_agent": agents.WAIT_AGENT_FIRST,
}
_SECOND_KIND = {
    "followup_task": agents.FOLLOWUP_TASK,
    "interrupt_agent": agents.INTERRUPT_AGENT,
    "list_agents": agents.LIST_AGENTS,
    "send_message": agents.SEND_MESSAGE,
    "spawn_agent": agents.SPAWN_AGENT,
    "wait_agent": agents.WAIT_AGENT,
}


def _first_kind(m: Materials) -> Iterator[Row]:
    for name, text in _FIRST_KIND.items():
        full = f"multi_agent_v1.{name}"
        yield Row(full, _with_roles(text, m, name), function(name), _direct(m) & m.gates.first_kind, _roles(m, name),
                  deferred=True)  # fmt: skip


def _second_kind(m: Materials) -> Iterator[Row]:
    """Scripts cannot call these: they stand beside `exec` in each shape."""
    for name, text in _SECOND_KIND.items():
        yield _row(f"collaboration.{name}", _with_roles(text, m, name), m.gates.second_kind, _roles(m, name))


def _direct(m: Materials) -> Condition:
    return m.gates.direct & ~m.gates.on("code_mode_only") if not m.model.lite else m.gates.direct


def _with_roles(text: ToolText, m: Materials, name: str) -> ToolText:
    if name != "spawn_agent":
        return text
    return ToolText(text.group, text.description, agents.with_roles(text.schema, m.roles))


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
    own = {
        "multi_agent_v1": agents.NAMESPACE_TEXT,
        "collaboration": agents.NAMESPACE_TEXT,
        "clock": "Tools for time and for waiting.",
        "image_gen": web.IMAGE_GEN_TEXT,
    }
    return {**own, **{server.namespace: server.instructions or SERVER_TEXT for server in m.servers}}


SERVER_TEXT = "Tools of an MCP server."
"""What the namespace of a server says that has no instructions."""


def _row(name: str, text: ToolText, when: Condition = ALWAYS, gates: Gates | None = None) -> Row:
    return Row(name, text, function(name.rpartition(".")[2]), when, gates)


def _exec_command() -> ToolText:
    text = shell.EXEC_COMMAND
    properties = {**text.schema["properties"], "additional_permissions": shell.ADDITIONAL_PERMISSIONS}
    return ToolText(text.group, text.description, record(properties, ["cmd"]), returns=text.returns)


def _command_gates(m: Materials) -> Gates:
    return {"tty": m.gates.on("unified_exec_tty"), "additional_permissions": m.gates.on("exec_permission_approvals")}


def _scripts(description: str) -> ToolText:
    return ToolText("Scripts", description)


def _hosted() -> ToolText:
    return ToolText("Web", "")


def _fixed(wire: Mapping[str, Json]) -> Wire:
    return lambda _, __: dict(wire)
