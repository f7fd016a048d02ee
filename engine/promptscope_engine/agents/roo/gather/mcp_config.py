"""The configured MCP servers: `.roo/mcp.json` and the global `mcp_settings.json`.

No server is ever started, so a configured one is shown as not connected; stand-ins of the scenario replace them all.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.kit.disk.rows import file_row
from promptscope_engine.agents.kit.disk.servers import NOT_ASKED, as_stand_in, how_to_tell
from promptscope_engine.agents.kit.disk.settings import Names, mapping, texts, unmatched
from promptscope_engine.agents.roo.gather.found import Found, counts, file_diagnostic
from promptscope_engine.agents.roo.gather.modes import global_storage, schema
from promptscope_engine.agents.roo.materials import Mode, Server
from promptscope_engine.agents.roo.params import RooParams
from promptscope_engine.agents.roo.texts import FOLDER
from promptscope_engine.formats.document import Json, with_texts
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.json import JsonSyntaxError, parse_json
from promptscope_engine.javascript.text import well_formed
from promptscope_engine.learned import ServerAnswer
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText, Workspace

MAX_SERVERS = 200
"""Servers of one file: each is a section, and nobody starts twenty."""

WAIT = 10
"""Seconds that a task waits for servers that are connecting; the preview does not wait."""

_ENABLED = flag("mcpEnabled")
"""Without the setting a task passes no hub."""

_VARIABLE = re.compile(r"\$\{(?:env:(\w+)|(workspaceFolder))\}", re.ASCII)


class _Entry(Struct, frozen=True):
    """A server's configuration, disabled ones too, and where it is."""

    name: str
    config: dict[str, Json]
    place: str
    path: str


class _Config(Struct, frozen=True):
    """One file and its valid entries. `wrong` is where the first mistake is, "" without one."""

    file: FileText
    shown: str
    entries: tuple[_Entry, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    wrong: str = ""


def find_servers(
    inputs: Inputs, params: RooParams, mode: Mode, workspace: Workspace
) -> Found[tuple[Condition, tuple[Server, ...]]]:
    """shouldIncludeMcp, and the servers, disabled ones too. Both files give connections, of the same name too."""
    storage = global_storage(inputs, params.globalStorage)
    configs = (
        _config(workspace, f"{storage}/settings/mcp_settings.json", "mcp_settings.json", project=False),
        _config(workspace, f"{inputs.workspace}/.roo/mcp.json", ".roo/mcp.json", project=True),
    )
    stand_ins = inputs.mcp_servers
    if stand_ins is not None:
        servers = tuple(_stand_in(server, params.mcpConnectSeconds) for server in stand_ins)
        disabled = [server.name for server in stand_ins if server.disabled]
        remedy = (
            "set `disabled` to false in `mcp_servers`"
            if disabled
            else "`--set 'mcp_servers=[{name: docs, tools: [{name: find}]}]'`"
        )
    else:
        entries = [entry for config in configs for entry in config.entries]
        servers = tuple(_server(entry, inputs, inputs.answers.get(entry.name)) for entry in entries)
        disabled = [entry.place for entry in entries if entry.config.get("disabled")]
        remedy = "add a server to `mcpServers` in .roo/mcp.json"
        remedy = f"remove `disabled` from {disabled[0]}" if disabled else remedy
    enabled = len(servers) - len(disabled)
    no = "every configured MCP server is disabled" if servers else "no MCP server is configured"
    yes = "an MCP server is enabled" if enabled == 1 else f"{enabled} MCP servers are enabled"
    any_enabled = Fact("mcp", "servers", enabled > 0, yes, no, wanted="> 0", actual=enabled, remedy=remedy)
    return Found(
        (_ENABLED & mode.has("mcp") & any_enabled, servers),
        tuple(_draft(config, replaced=stand_ins is not None) for config in configs),
        (*(d for config in configs for d in config.diagnostics), *unmatched(_lists_of_tools(stand_ins or ()))),
    )


def _lists_of_tools(servers: Iterable[McpServer]) -> Iterator[Names]:
    """A server's lists of tools, where its tools are known."""
    for server in servers:
        known = [str(tool.get("name")) for tool in server.tools]
        for key in ("alwaysAllow", "disabledTools") if known else ():
            place = f"mcp_servers.{server.name}.{key}"
            entries = [Sourced(name, SettingSource(place)) for name in texts(server.config.get(key)) or []]
            yield Names(place, "tool of this server", entries, known)


def _stand_in(server: McpServer, seconds: int | None) -> Server:
    disabled = server.config.get("disabledTools")
    hidden = disabled if isinstance(disabled, list) else ()
    tools = ({"enabledForPrompt": tool.get("name") not in hidden, **tool} for tool in server.tools)
    place = f"the server {server.name} in `mcp_servers`"
    ok, waits = server.status == "connected", server.status == "connecting"
    # whether a server that is connecting has done so when the wait ends
    ok = seconds is not None and seconds <= WAIT if waits else ok
    more = {"wanted": "connected", "actual": server.status}
    key, status = "connects" if waits else "connected", server.status
    when: Condition = FOLDER.reason(key, ok, more, name=server.name, status=status, place=place, wait=WAIT)
    if server.disabled:
        when = FOLDER.reason("enabled", name=server.name, enable=f"set `disabled` of {place} to false") & when
    return Server(
        server.name,
        when,
        dict(server.config),
        server.instructions,
        tuple(tools),
        tuple(server.resources),
        tuple(server.resourceTemplates),
    )


def _server(entry: _Entry, inputs: Inputs, answer: ServerAnswer | None) -> Server:
    config = substitute(entry.config, inputs.env, inputs.workspace)
    if answer is not None:
        server = replace(_stand_in(as_stand_in(answer, config), None), path=entry.path)
    else:
        more = {"wanted": "connected", "actual": "disconnected"}
        when = FOLDER.reason("asked", False, more, name=entry.name, why=NOT_ASKED, tell=how_to_tell(entry.name))
        server = Server(entry.name, when, config, path=entry.path)
    if not entry.config.get("disabled"):
        return server
    off = FOLDER.reason("enabled", name=entry.name, enable=f"remove `disabled` from {entry.place}")
    return replace(server, when=off & server.when)


def substitute(value: Json, env: Mapping[str, str], folder: str) -> Json:
    """`${env:NAME}` and `${workspaceFolder}` in every text of a configuration; an unknown variable stays."""
    filled = partial(_VARIABLE.sub, lambda found: env.get(found[1], found[0]) if found[1] else folder)
    return with_texts(value, filled, keys=True)


def _draft(config: _Config, *, replaced: bool) -> FileDraft:
    names, shown = len(config.entries), config.shown
    no, remedy = f"{shown} names no server", f"add a server to `mcpServers` in {shown}"
    if config.wrong:
        no, remedy = f"{shown} is not valid", f"correct {config.wrong}"
    yes = f"{shown} configures {'1 server' if names == 1 else f'{names} servers'}"
    read = Fact("file", shown, names > 0, yes, no, remedy=remedy)
    when: Condition = counts(shown, config.file, read, " with `mcpServers`")
    if replaced:
        when = when & FOLDER.reason("replaced_servers")
    return file_row(config.file, "mcp-config", "always", when)


# --- reading a file --------------------------------------------------------------------------------------------------


def _config(workspace: Workspace, path: str, shown: str, *, project: bool) -> _Config:
    file = workspace.read(path)
    if not file.found:
        silent = file.problem == "missing"
        return _Config(file, shown, diagnostics=() if silent else (file_diagnostic(file.path, file),))
    entries, diagnostics = _servers_of(file, shown, project)
    line = next((d.line for d in diagnostics if d.line), None)
    wrong = (f"{shown}:{line}" if line else shown) if diagnostics else ""
    return _Config(file, shown, tuple(entries), tuple(diagnostics), wrong)


def _servers_of(file: FileText, shown: str, project: bool) -> tuple[list[_Entry], list[Diagnostic]]:
    """The valid servers of a file, and what is wrong with it."""
    path = file.path
    try:
        document = parse_json(file.text)
    except JsonSyntaxError as error:
        message = f"JSON syntax error: {error.message}; no server of this file is loaded"
        return [], [Diagnostic("error", "mcp-json-syntax", message, path, error.line)]
    found = replace(schema(), root="@Servers").findings(document.value)
    wrong = {each.path: f"{f'`{each.key}`' if each.path else 'the file'} {each.reason}" for each in found}
    servers = mapping(mapping(document.value).get("mcpServers"))
    bad = {path[1] for path in wrong if path[1:]}
    # One bad server drops the whole project file; the global one is then tried entry by entry, on the raw
    # configuration, where a url needs its type.
    if wrong and not project:
        bare = [n for n, config in servers.items() if n not in bad and "url" in config and not config.get("type")]
        bad.update(bare)
        wrong |= {("mcpServers", n): f"`mcpServers.{n}`: a url needs a type: sse or streamable-http" for n in bare}
    tail = "no server of this file is loaded" if project or not servers else "this server is left out"
    diagnostics = [
        Diagnostic("error", "mcp-invalid", f"{what}; {tail}", path, document.line(at)) for at, what in wrong.items()
    ]
    if wrong and project:
        return [], diagnostics
    good = [name for name in servers if name not in bad]
    if len(good) > MAX_SERVERS:
        diagnostics.append(FOLDER.note("mcp-too-many", path, servers=len(good), most=MAX_SERVERS))
    entries = []
    for name in good[:MAX_SERVERS]:
        line = document.line(("mcpServers", name))
        place = f"`mcpServers.{well_formed(name)}` in {shown}{f':{line}' if line else ''}"
        entries.append(_Entry(well_formed(name), servers[name], place, path))
    return entries, diagnostics
