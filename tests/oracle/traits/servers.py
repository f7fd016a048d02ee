"""MCP servers: which are started, and what their tools, instructions and resources add."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.situation import Json
from tests.oracle.sketch import Sketch

from . import trait

_PROGRAM = "server.py"
_TRUSTED = '[projects."{REPO}"]\ntrust_level = "trusted"\n'


@dataclass
class Server:
    """A stand-in server: its name, what it offers, the first tool's name."""

    name: str
    offers: Json
    tool: str
    more: Json = field(default_factory=dict)

    @property
    def config(self) -> Json:
        """Its command, as every agent's configuration has it."""
        offers = json.dumps(self.offers, ensure_ascii=False)
        return {"command": "python3", "args": [f"{{ROOT}}/{_PROGRAM}", offers], **self.more}

    @property
    def toml(self) -> str:
        """Its table in a config.toml."""
        rows = [f"{key} = {_toml(value)}\n" for key, value in self.config.items()]
        return f"[mcp_servers.{self.name}]\n{''.join(rows)}"

    def connected(self, source: str) -> Json:
        """The stand-in that promptscope is told about."""
        told = {"name": self.name, "status": "connected", "source": source, "config": self.config}
        offered = ("tools", "resources", "instructions")
        return {**told, **{key: value for key, value in self.offers.items() if key in offered}}


def server(s: Sketch, label: str, **offers: Any) -> Server:
    """A server with two tools of its own; `offers` adds to them, None takes away."""
    if _PROGRAM not in s.situation.files:
        s.put(_PROGRAM, {"copy": "mcp_server.py"})
    stems = [s.stem(f"{label}: {what}") for what in ("first tool", "second tool")]
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    tools = [{"name": f"ZQ{stem}", "description": f"ZQ{stem} does", "inputSchema": schema} for stem in stems]
    offered = {"tools": tools, **offers}
    kept = {key: value for key, value in offered.items() if value is not None}
    return Server(s.one("srv", "my-srv", "my_srv"), kept, f"ZQ{stems[0]}")


def _instructions(s: Sketch, label: str) -> str:
    mark = s.mark(f"{label}: instructions")
    return f"{mark}n0001 words\n{mark}n0002 end"


def _offered(s: Sketch, kind: str) -> Server:
    """What the server of a kind offers, whichever agent asks."""
    label = f"server, {kind}"
    more: dict[str, Json] = {
        "instructions": {"instructions": _instructions(s, label)} if kind == "instructions" else {},
        "long instructions": {"instructions": (_instructions(s, label) + "\n") * 60} if kind.startswith("long") else {},
        "resources": {"resources": [{"uri": "file:///a.txt", "name": "a"}]},
        "no tools": {"tools": None, "instructions": _instructions(s, label) if kind == "no tools" else None},
        "fails": {"exit": 1},
        "slow": {"delay": 2},
    }
    return server(s, label, **more.get(kind, {}))


_COMMON = ("plain", "instructions", "long instructions", "resources", "no tools", "fails", "slow", "program missing")
_UNCONNECTED = ("fails", "program missing", "disabled", "unapproved")

_CLAUDE_SETTINGS: dict[str, Json] = {
    "disabled": {"disabledMcpjsonServers": ["NAME"]},
    "enabled": {"enabledMcpjsonServers": ["NAME"]},
    "another enabled": {"enabledMcpjsonServers": ["other"]},
    "all enabled": {"enableAllProjectMcpServers": True},
    "tool denied": {"permissions": {"deny": ["mcp__NAME__TOOL"]}},
    "server denied": {"permissions": {"deny": ["mcp__NAME"]}},
    "star denied": {"permissions": {"deny": ["mcp__NAME__*"]}},
    "all denied": {"permissions": {"deny": ["mcp__*"]}},
    "tool search off": {"env": {"ENABLE_TOOL_SEARCH": "false"}},
}


@trait("claude-code")
def servers(s: Sketch) -> None:
    """A server of the project, the user or this folder; the first request waits for it, or chance would decide."""
    s.variable("MCP_CONNECTION_NONBLOCKING", "0")
    kind = s.one(*_COMMON, *_CLAUDE_SETTINGS)
    scope = s.one("project", "project", "user", "local")
    one = _offered(s, kind)
    if kind == "program missing":
        one.more = {"command": "no-such-program"}
    s.label_tools(f"server, {kind}, {scope}")
    if kind in _CLAUDE_SETTINGS:
        text = json.dumps(_CLAUDE_SETTINGS[kind]).replace("NAME", one.name).replace("TOOL", one.tool)
        s.settings(s.one("repo/.claude/settings.json", "home/.claude/settings.json"), json.loads(text))
    table = {"mcpServers": {one.name: one.config}}
    if scope == "project":
        s.settings("repo/.mcp.json", table)
    else:
        s.settings("home/.claude.json", table if scope == "user" else {"projects": {"{REPO}": table}})
    _tell(s, one, "plain" if kind == "disabled" and scope != "project" else kind, scope)


_MANAGED = "etc/claude-code/"
_MANAGED_SERVERS: dict[str, Json] = {
    "a server": {"mcpServers": {"MAN": "CONFIG"}},
    "the user's name": {"mcpServers": {"USR": "CONFIG"}},
    "no servers": {"mcpServers": {}},
    "an empty object": {},
    "a list": [],
    "servers in a list": {"mcpServers": []},
    "one broken entry": {"mcpServers": {"MAN": "CONFIG", "bad": {"command": 5}}},
}
_SERVER_RULES: dict[str, Json] = {
    "allowed by name": {"allowedMcpServers": [{"serverName": "USR"}]},
    "allowed by command": {"allowedMcpServers": [{"serverCommand": "COMMAND"}]},
    "allowed by name and another command": {"allowedMcpServers": [{"serverName": "USR"}, {"serverCommand": ["x"]}]},
    "allowed by two things at once": {"allowedMcpServers": [{"serverName": "USR", "serverCommand": ["x"]}]},
    "allowed with an extra key": {"allowedMcpServers": [{"serverName": "USR", "x": 1}]},
    "none allowed": {"allowedMcpServers": []},
    "allowed by a text": {"allowedMcpServers": "USR"},
    "allowed by null": {"allowedMcpServers": None},
    "allowed by a number": {"allowedMcpServers": [5]},
    "allowed by a name and a number": {"allowedMcpServers": [{"serverName": "USR"}, 5]},
    "denied by name": {"deniedMcpServers": [{"serverName": "USR"}]},
    "denied by command": {"deniedMcpServers": [{"serverCommand": "COMMAND"}]},
    "denied by a star": {"deniedMcpServers": [{"serverName": "*"}]},
    "denied by a text": {"deniedMcpServers": "USR"},
    "mcp closed": {"strictPluginOnlyCustomization": ["mcp"]},
}


@trait("claude-code")
def managed_servers(s: Sketch) -> None:
    """Servers of three places, an organisation's file that takes their place, and rules on which of them may start."""
    s.variable("MCP_CONNECTION_NONBLOCKING", "0")
    s.variable("ENABLE_TOOL_SEARCH", "false")
    kind = s.one(
        *_MANAGED_SERVERS, *_SERVER_RULES, "an empty file", "a cut file", "allowed, and only an organisation's list"
    )
    places = ("usr", "loc", "prj", "man")
    each = {place: server(s, f"servers, {kind}: of {place}") for place in places}
    for place, one in each.items():
        one.name = place
    s.label_tools(f"servers, {kind}")
    s.settings("home/.claude.json", {"mcpServers": {"usr": each["usr"].config}})
    s.settings("home/.claude.json", {"projects": {"{REPO}": {"mcpServers": {"loc": each["loc"].config}}}})
    s.settings("repo/.mcp.json", {"mcpServers": {"prj": each["prj"].config}})
    text = json.dumps(_MANAGED_SERVERS.get(kind) if kind in _MANAGED_SERVERS else _SERVER_RULES.get(kind))
    words = {'"CONFIG"': each["man"].config, '"COMMAND"': ["python3", *each["usr"].config["args"]]}
    for word, value in words.items():
        text = text.replace(word, json.dumps(value))
    text = text.replace("USR", "usr").replace("MAN", "man")
    if kind in _MANAGED_SERVERS:
        s.put(f"{_MANAGED}managed-mcp.json", text)
    elif kind in _SERVER_RULES:
        s.settings(s.one(f"{_MANAGED}managed-settings.json", "home/.claude/settings.json"), json.loads(text))
    elif kind == "allowed, and only an organisation's list":
        s.settings("home/.claude/settings.json", {"allowedMcpServers": [{"serverName": "usr"}]})
        only = s.one(True, "nope", "false", 0)
        own = {"allowedMcpServers": [{"serverName": "loc"}]} if s.perhaps(0.5) else {}
        s.settings(f"{_MANAGED}managed-settings.json", {"allowManagedMcpServersOnly": only, **own})
    else:
        s.put(f"{_MANAGED}managed-mcp.json", "" if kind == "an empty file" else "{")
    if kind == "the user's name":
        each["man"].name = "usr"
        del each["usr"]
    s.tell("mcp_servers", [one.connected("global") for one in each.values() if _is_there(one, kind)])


def _is_there(one: Server, kind: str) -> bool:
    """The organisation's own server is there only where its file says so."""
    return one.name != "man" or kind in ("a server", "one broken entry")


_CODEX_ROWS: dict[str, Json] = {
    "disabled": {"enabled": False},
    "enabled tools": {"enabled_tools": ["TOOL"]},
    "disabled tools": {"disabled_tools": ["TOOL"]},
    "both lists": {"enabled_tools": ["TOOL", "nope"], "disabled_tools": ["TOOL"]},
    "no tool enabled": {"enabled_tools": []},
    "short time limit": {"startup_timeout_sec": 0.5},
    "required": {"required": True},
    "unknown key": {"nope": 1},
    "approval": {"default_tools_approval_mode": "prompt"},
}


@trait("codex")
def codex_servers(s: Sketch) -> None:
    """A server of the user's, or of a project that is trusted or not."""
    kind, scope = s.one(*_COMMON, *_CODEX_ROWS), s.one("user", "user", "project", "untrusted project")
    one = _offered(s, "slow" if kind == "short time limit" else kind)
    one.more = json.loads(json.dumps(_CODEX_ROWS.get(kind, {})).replace("TOOL", one.tool))
    if kind == "program missing":
        one.more = {"command": "no-such-program"}
    s.label_tools(f"server, {kind}, {scope}")
    s.put("home/.codex/config.toml", one.toml if scope == "user" else _TRUSTED if scope == "project" else "")
    if scope != "user":
        s.put("repo/.codex/config.toml", one.toml)
    if s.perhaps(0.4):
        s.argument("model", "gpt-5.5")
    _tell(s, one, "disabled" if kind == "short time limit" or scope.startswith("un") else kind, scope)


_GEMINI_ROWS: dict[str, Json] = {
    "included tools": {"includeTools": ["TOOL"]},
    "excluded tools": {"excludeTools": ["TOOL"]},
    "excluded with a pattern": {"excludeTools": ["TOOL(x)"]},
    "trusted": {"trust": True},
    "described": {"description": "a server"},
    "short time limit": {"timeout": 500},
}
_GEMINI_SETTINGS: dict[str, Json] = {
    "allowed": {"mcp": {"allowed": ["NAME"]}},
    "another allowed": {"mcp": {"allowed": ["other"]}},
    "excluded": {"mcp": {"excluded": ["NAME"]}},
    "tool excluded": {"tools": {"exclude": ["mcp_NAME_TOOL"]}},
    "all of a server excluded": {"tools": {"exclude": ["mcp_NAME_*"]}},
}
_GEMINI_OFF = ("another allowed", "excluded", "short time limit")


@trait("gemini")
def gemini_servers(s: Sketch) -> None:
    """A server of the user's or the project's settings, or an extension's."""
    kind = s.one(*_COMMON, *_GEMINI_ROWS, *_GEMINI_SETTINGS)
    scope = s.one("user", "project", "extension")
    one = _offered(s, "slow" if kind == "short time limit" else kind)
    one.more = json.loads(json.dumps(_GEMINI_ROWS.get(kind, {})).replace("TOOL", one.tool))
    if kind == "program missing":
        one.more = {"command": "no-such-program"}
    s.label_tools(f"server, {kind}, {scope}")
    if kind in _GEMINI_SETTINGS:
        text = json.dumps(_GEMINI_SETTINGS[kind]).replace("NAME", one.name).replace("TOOL", one.tool)
        s.settings(s.one("home/.gemini/settings.json", "repo/.gemini/settings.json"), json.loads(text))
    table = {"mcpServers": {one.name: one.config}}
    if scope == "extension":
        manifest = {"name": "ext", "version": "1.0.0", **table}
        s.settings("home/.gemini/extensions/ext/gemini-extension.json", manifest)
    else:
        s.settings("home/.gemini/settings.json" if scope == "user" else "repo/.gemini/settings.json", table)
    _tell(s, one, "disabled" if kind in _GEMINI_OFF else kind, scope)


_COPILOT_ROWS: dict[str, Json] = {
    "local": {"type": "local"},
    "stdio": {"type": "stdio"},
    "unknown type": {"type": "nothing"},
    "all tools": {"tools": ["*"]},
    "one tool": {"tools": ["TOOL"]},
    "one tool by its wire name": {"tools": ["NAME-TOOL"]},
    "no tool": {"tools": []},
    "tools in a text": {"tools": "TOOL"},
    "disabled row": {"disabled": True},
    "not enabled": {"enabled": False},
    "short time limit": {"timeout": 500},
    "environment": {"env": {"A": "b"}},
}
_COPILOT_ARGS: dict[str, Json] = {
    "disabled by an option": {"disableMcpServer": ["NAME"]},
    "another disabled": {"disableMcpServer": ["other"]},
    "instructions wanted": {"allowAllMcpServerInstructions": True},
    "long instructions wanted": {"allowAllMcpServerInstructions": True},
    "tool excluded": {"excludedTools": ["NAME-TOOL"]},
    "tool excluded by its own name": {"excludedTools": ["TOOL"]},
    "server excluded": {"excludedTools": ["NAME"]},
    "tool available": {"availableTools": ["NAME-TOOL", "view"]},
    "server denied": {"denyTool": ["NAME"]},
    "Claude": {"model": "claude-sonnet-5"},
}
_COPILOT_PLACES = {
    "user": "home/.copilot/mcp-config.json",
    "workspace": "repo/.mcp.json",
    "github": "repo/.github/mcp.json",
    "editor": "repo/.vscode/mcp.json",
    "workspace copilot": "repo/.copilot/mcp-config.json",
    "below": "repo/sub/.mcp.json",
}


@trait("copilot")
def copilot_servers(s: Sketch) -> None:
    """A server of the user's, the workspace's, or the command line's."""
    kind = s.one(
        *_COMMON, *_COPILOT_ROWS, *_COPILOT_ARGS, "disabled by settings", "enabled again", "bare table", "other key"
    )
    scope = s.one("user", "user", *_COPILOT_PLACES, "option", "file of an option", "agent")
    one = _offered(
        s, {"short time limit": "slow", "instructions wanted": "instructions"}.get(kind, kind.removesuffix(" wanted"))
    )
    filled = {"NAME": one.name, "TOOL": one.tool}
    row, arguments = (_filled(table.get(kind, {}), filled) for table in (_COPILOT_ROWS, _COPILOT_ARGS))
    one.more = {"command": "no-such-program"} if kind == "program missing" else row
    s.label_tools(f"server, {kind}, {scope}")
    if kind in ("disabled by settings", "enabled again"):
        s.settings("home/.copilot/settings.json", {"disabledMcpServers": [one.name]})
    if kind == "enabled again":
        arguments = {"enableMcpServer": [one.name]}
    if s.perhaps(0.6):
        arguments["trustFolder"] = True
    table = {"mcpServers": {one.name: one.config}}
    table = {"bare table": {one.name: one.config}, "other key": {"servers": {one.name: one.config}}}.get(kind, table)
    if scope in _COPILOT_PLACES:
        s.settings(_COPILOT_PLACES[scope], table)
    elif scope == "option":
        arguments["additionalMcpConfig"] = [json.dumps(table)]
    elif scope == "agent":
        text = json.dumps(one.config)
        s.put(
            "repo/.github/agents/ag.md", f"---\nname: ag\ndescription: x\nmcp-servers:\n  {one.name}: {text}\n---\nb\n"
        )
        arguments["agent"] = "ag"
    else:
        s.settings("more.json", table)
        arguments["additionalMcpConfig"] = [s.one("@{ROOT}/more.json", "@../more.json")]
    for name, value in arguments.items():
        s.argument(name, value)
    s.tell("mcp_servers", None if kind in _UNCONNECTED else [one.connected("global")])


@trait("copilot")
def copilot_server_filters(s: Sketch) -> None:
    """Which tools of servers the command line and an agent leave."""
    name, tools = s.one("srv", "Srv", "my srv"), ("one", "Two")
    stems = [s.mark(f"tool {tool}") for tool in tools]
    offered = [{"name": tool, "description": f"{stem} does"} for tool, stem in zip(tools, stems, strict=True)]
    one = Server(name, {"tools": offered, "instructions": _instructions(s, "filtered")}, tools[0])
    wired = name.replace(" ", "-")
    said = s.some(
        [
            f"{wired}-one", f"{wired}-two", f"{name}/one", f"{name}/TWO", f"{name}/*", name, name.upper(), "one",
            wired, f"{name}(one)", f"{wired}-*",
        ],
        1, 2,
    )  # fmt: skip
    place = s.one("availableTools", "excludedTools", "agent")
    s.put(_PROGRAM, {"copy": "mcp_server.py"})
    s.settings("home/.copilot/mcp-config.json", {"mcpServers": {name: one.config}})
    if place == "agent":
        s.put(
            "repo/.github/agents/ag.md",
            f"---\nname: ag\ndescription: x\ntools: {json.dumps(['view', *said])}\n---\nb\n",
        )
        s.argument("agent", "ag")
    else:
        s.argument(place, ["view", *said])
    if s.perhaps(0.4):
        s.argument("allowAllMcpServerInstructions", True)
    s.label_tools(f"{place}: {said}")
    s.tell("mcp_servers", [one.connected("global")])


@trait("copilot")
def copilot_server_names(s: Sketch) -> None:
    """Names of servers and tools, and what schemas become."""
    names = s.some(["srv", "Srv", "a b", "a.b", "äö", "srv-b", "a_b", "a/b", "x" * 60, "日本"], 1, 3)
    told, table = [], {}
    for name in names:
        own = s.some(["t", "T", "get it", "a.b", "ü", "y" * 50, "get-it", "get_it"], 1, 3)
        stems = [s.mark(f"server {name!r}: {tool!r}") for tool in own]
        schemas = [_filled(s.one(*_SCHEMAS), {"MARK": stem}) for stem in stems]
        tools = [
            {"name": tool, "description": f"{stem} does", "inputSchema": schema}
            for tool, stem, schema in zip(own, stems, schemas, strict=True)
        ]
        one = Server(name, {"tools": tools}, own[0])
        table[name] = one.config
        told.append(one.connected("global"))
    s.put(_PROGRAM, {"copy": "mcp_server.py"})
    s.label_tools(f"names {names}")
    s.settings("home/.copilot/mcp-config.json", {"mcpServers": table})
    if s.perhaps(0.4):
        s.variable("COPILOT_PROVIDER_TYPE", "anthropic")
    s.tell("mcp_servers", told)


_SCHEMAS: tuple[Json, ...] = (
    {"type": "object", "properties": {}},
    {"type": "object"},
    {},
    {"type": "object", "properties": {"a": {"type": "string", "description": "MARK", "minLength": 1}}},
    {"type": "object", "properties": {"a": {"type": "string", "format": "uri", "description": "MARK", "default": "x"}}},
    {"type": "object", "properties": {"a": {"type": "array", "description": "MARK"}}},
)


def _filled(value: Json, words: dict[str, str]) -> Json:
    """A JSON value with these words replaced."""
    text = json.dumps(value)
    for word, own in words.items():
        text = text.replace(word, own)
    found: Json = json.loads(text)
    return found


def _tell(s: Sketch, one: Server, kind: str, scope: str) -> None:
    """promptscope starts no server: say what the one that runs offers; of the others, only what is configured."""
    source = "project" if scope in ("project", "local") else "global"
    s.tell("mcp_servers", None if kind in _UNCONNECTED else [one.connected(source)])


def _toml(value: Any) -> str:
    if isinstance(value, str) and '"' in value:
        return f"'{value}'"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
