"""MCP servers: the connected stand-ins of the scenario, and the configured ones with their approval."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.materials import McpTool, SubAgent
from promptscope_engine.agents.claude_code.texts import FOLDER, HEADLESS
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.agents.kit.disk.front_matter import unknown_server_keys
from promptscope_engine.agents.kit.disk.servers import (
    Configured,
    IdleServer,
    given_servers,
    idle,
    not_started,
    servers_in,
    some,
)
from promptscope_engine.agents.kit.disk.settings import mapping, texts
from promptscope_engine.agents.kit.disk.walking import shown, upwards
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.javascript.glob import stars_match
from promptscope_engine.javascript.text import splits_pair, utf16_len, utf16_slice
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Setting
from promptscope_engine.prompt.model import Diagnostic, Lever, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import FileText
from promptscope_engine.workspace.paths import path_in

from .prefix import failing, prefix_of
from .server_shapes import ONLY, flaw_of
from .session import Gatherer, Session
from .settings import MANAGED, read_json

_TEXT_LIMIT = 4096
"""UTF-16 units of what a server says of itself, or of a tool."""
_CUT = "… [truncated]"
_ALWAYS = "alwaysLoad"
_NAME, _COMMAND, _URL = "serverName", "serverCommand", "serverUrl"


def _entries(rules: Sourced[Json]) -> list[dict[str, Json]]:
    """The entries that say one thing of a server; others match none."""
    found = rules.value if isinstance(rules.value, list) else []
    kinds = {_NAME, _COMMAND, _URL}
    return [rule for rule in found if isinstance(rule, dict) and len(kinds.intersection(rule)) == 1]


def _allows(rules: Sequence[dict[str, Json]], name: str, config: Json) -> bool:
    """Where entries say commands, a server that is a command needs one of these; likewise with URLs."""
    kind = _COMMAND if _command(config) else _URL if _url(config) else _NAME
    if not any(kind in rule for rule in rules):
        kind = _NAME
    if kind == _NAME and name.startswith("plugin:"):  # no name allows a plugin's [asked of 2.1.332]
        return False
    return any(kind in rule and _means(rule, name, config) for rule in rules)


def _means(rule: dict[str, Json], name: str, config: Json) -> bool:
    url, pattern = _url(config), rule.get(_URL)
    if url and isinstance(pattern, str):
        return stars_match(pattern, url)
    return rule.get(_NAME) == name or (_COMMAND in rule and rule[_COMMAND] == _command(config))


def _command(config: Json) -> list[Json]:
    if not isinstance(config, dict) or not isinstance(config.get("command"), str):
        return []
    more = config.get("args")
    return [config["command"], *(more if isinstance(more, list) else ())]


def _url(config: Json) -> str:
    url = config.get("url") if isinstance(config, dict) else None
    return url if isinstance(url, str) else ""


def _asks(config: Json) -> str:
    """What a server starts or where it is asked, as one text; "" where neither is said."""
    return json.dumps(_command(config)) if _command(config) else _url(config)


_ALL, _LIST, _OFF_LIST = "enableAllProjectMcpServers", "enabledMcpjsonServers", "disabledMcpjsonServers"


class Answers(Struct, frozen=True):
    """What a folder's entry of `.claude.json` says of the servers of `.mcp.json`, beside the settings.

    There a text switches a server off, and lets none in [asked of 2.1.332].
    """

    off: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    every: bool = False

    @classmethod
    def of(cls, entry: Mapping[str, Json]) -> Answers:
        """By the entry of the folder."""
        off = entry.get(_OFF_LIST)
        refused = (off,) if isinstance(off, str) else tuple(texts(off) or ())
        return cls(refused, tuple(texts(entry.get(_LIST)) or ()), entry.get(_ALL) is True)

    def decisive(self, names: Iterable[str], settings: Mapping[str, Json]) -> str:
        """The key that approves, or else switches off, one of these servers without the settings; "" if none does."""
        if settings.get(_ALL) is True or {*names}.intersection(texts(settings.get(_LIST)) or ()):
            return ""
        keys = {_LIST: {*names}.intersection(self.on), _ALL: self.every, _OFF_LIST: {*names}.intersection(self.off)}
        return next((key for key, found in keys.items() if found), "")


_APPROVED, _WAITS, _OFF = "approved", "waits for approval", "switched off"
_APPROVE = "approve it: `--set settings.enableAllProjectMcpServers=true`"
_IS = {_WAITS: "waits for your approval", _OFF: "is switched off by `disabledMcpjsonServers`"}


def wire_name(server: str, tool: str) -> str:
    """`mcp__<server>__<tool>`: what is not a letter, digit, dash or underscore becomes an underscore."""
    return f"mcp__{_plain(server)}__{_plain(tool)}"


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def mcp_tools(servers: tuple[McpServer, ...], version: str, places: Mapping[str, str] = {}) -> tuple[McpTool, ...]:
    """Their tools, sorted by wire name. `places` are the files that the servers are in, by their names."""
    offered = ((s, tool) for s in servers for tool in s.tools if tool.get("enabledForPrompt", True))
    tools = [_tool(s, tool, version, places.get(s.name, "")) for s, tool in offered if _may_bring(s, tool, version)]
    return tuple(sorted(tools, key=lambda tool: tool.name))


def _may_bring(server: McpServer, tool: Mapping[str, Json], version: str) -> bool:
    return version == V100 or tool.get("name") in ONLY.get(server.name, (tool.get("name"),))


def _tool(server: McpServer, tool: Mapping[str, Json], version: str, place: str) -> McpTool:
    name, description = wire_name(server.name, str(tool.get("name", ""))), str(tool.get("description") or "")
    schema = tool.get("inputSchema") or {"type": "object", "properties": {}}
    # Either is enough [asked of 2.1.332]; 2.1.100 goes by the tool alone.
    by_server = server.config.get(_ALWAYS) is True and version != V100
    always = by_server or mapping(tool.get("_meta")).get(f"anthropic/{_ALWAYS}") is True
    return McpTool(name, server.name, description, schema, always, place if by_server else "")


def _as_sent(server: McpServer, limit: int, notes: list[Diagnostic]) -> McpServer:
    """The server with its texts cut at the limit, a surrogate pair as a whole [asked of 2.1.332]; 0 is no limit."""

    def sent(what: str, text: Json) -> Json:
        if not isinstance(text, str):
            return text
        if not limit:
            return text.rstrip() if what == _INSTRUCTIONS else text
        size = utf16_len(text)
        if size <= limit:
            return text
        notes.append(FOLDER.note("mcp-cut", None, server=server.name, what=what, size=size, limit=limit))
        return utf16_slice(text, 0, limit - splits_pair(text, limit)) + _CUT

    tools = [
        {**tool, "description": sent(f"description of {tool.get('name')}", tool["description"])}
        if "description" in tool
        else tool
        for tool in server.tools
    ]
    said = sent(_INSTRUCTIONS, server.instructions)
    return server.model_copy(update={"instructions": said, "tools": tools})


_INSTRUCTIONS = "instructions"


class SharedFile(Struct, frozen=True):
    """A `.mcp.json`, and the servers in it by name."""

    file: FileText
    servers: Mapping[str, Json]


def _merged(files: Iterable[SharedFile]) -> dict[str, Json]:
    """Of the same name the server of the nearest folder counts, in the place of the first."""
    return {name: config for each in files for name, config in each.servers.items()}


class ServerPlace(Struct, frozen=True):
    """Where a server is configured: what has to hold for it to be started, and why it may not answer all the same."""

    when: Condition
    why: str = ""
    remedy: str = ""


class Servers(Gatherer):
    """The configured servers, and which of them wait for approval. promptscope starts none.

    An organisation's managed-mcp.json, even a broken one, keeps all other servers from starting. `places` has every
    server by name.
    """

    def __init__(self, session: Session, agent: SubAgent | None = None) -> None:
        """`agent` is the one whose prompt is shown, or which drives the session; it may bring servers along."""
        super().__init__(session, "mcp")
        self.agent = agent
        self.shared = tuple(self._shared())
        self.managed = self.workspace.read(f"{session.managed}/managed-mcp.json")
        self.alone, own = self.managed.problem != "missing", None
        if self.alone:
            own, self.managed_problem = read_json(self.managed, "bad-mcp-config")
        self.of_project, self.of_managed = _merged(self.shared), servers_in(own)
        self.of_user, self.of_folder = servers_in(session.user), servers_in(session.project)
        self.of_arguments = session.arguments.servers
        self.configured = tuple(self._configured())
        self.configs = {each.name: each.config for each in self.configured}
        off = texts(session.project.get("disabledMcpServers")) or ()
        self.switched_off = frozenset(off)
        self.of_answers = Answers() if self.version == V100 else Answers.of(session.project)
        self.states = self._states(self.of_project)
        self.prefix = prefix_of(session)
        self.limit = 0 if self.version == V100 else _TEXT_LIMIT
        self.diagnostics += self.prefix.notes()
        found = map(self._known, given_servers(session.inputs, self.configured))
        self.given = tuple(server for server in found if not self._waits(server.name))
        self.doubled: set[str] = set()
        """Servers of plugins that start what another one starts."""
        self.places = self._places()
        self._report()
        self._rows()

    def _shared(self) -> Iterator[SharedFile]:
        """The `.mcp.json` of every folder from the root of the disk down, repository or not [recorded 2.1.332]."""
        for folder in reversed(upwards(self.cwd)):
            file = self.workspace.read(path_in(folder, ".mcp.json"))
            data, problem = read_json(file, "bad-mcp-config")
            self.diagnostics += [problem] if problem else []
            if folder == self.cwd or file.problem != "missing":
                yield SharedFile(file, servers_in(data))

    def _known(self, server: McpServer) -> McpServer:
        """A stand-in with what is configured for it, and with its texts as they are sent."""
        config = server.config or dict(self.configs.get(server.name, {}))
        return _as_sent(server.model_copy(update={"config": config}), self.limit, self.diagnostics)

    def _states(self, servers: Iterable[str]) -> dict[str, str]:
        """A headless session starts what is not switched off, without asking [recorded 2.1.332]."""
        settings, own = self.session.settings.plain, self.of_answers
        every = settings.get(_ALL) is True or own.every or self.session.params.args.print
        off, on = (texts(settings.get(key)) or [] for key in (_OFF_LIST, _LIST))
        off, on = [*off, *own.off], [*on, *own.on]
        return {name: _OFF if name in off else _APPROVED if every or name in on else _WAITS for name in servers}

    def connected(self, facts: Facts) -> tuple[McpServer, ...]:
        """The servers that answer and may be started, by name."""
        started = [s for s in self._given if s.name not in self.places or self.places[s.name].when.holds(facts)]
        started = [s for s in started if not self._is_broken(s.config) and not failing(s.config, self.session)]
        return () if self.sources.safe else tuple(sorted(started, key=lambda server: server.name))

    def _is_broken(self, config: Mapping[str, Json]) -> bool:
        """Whether the prefix of the shell keeps a server from answering."""
        return bool(self.prefix.code) and "command" in config

    def absent(self, facts: Facts) -> tuple[McpServer, ...]:
        """The servers that failed or have not answered yet, by name."""
        found = [s for s in self.given if s.status != "connected" and not s.disabled]
        said = {"status": "disconnected", "errorCode": self.prefix.code, "error": self.prefix.error}
        for each in self.configured:
            if self._is_broken(each.config) and self.places[each.name].when.holds(facts):
                found = [*(s for s in found if s.name != each.name), McpServer(name=each.name, **said)]
            elif (why := failing(each.config, self.session)) and self.places[each.name].when.holds(facts):
                code = why.partition(":")[0]
                failed = McpServer(name=each.name, status="disconnected", errorCode=code, error=why)
                found = [*(s for s in found if s.name != each.name), failed]
        return () if self.sources.safe else tuple(sorted(found, key=lambda server: server.name))

    @property
    def _given(self) -> list[McpServer]:
        return [server for server in self.given if server.status == "connected" and not server.disabled]

    def prompting(self, facts: Facts) -> tuple[str, ...]:
        """The servers that may offer prompts: those that answer, else, where nobody says, those that are started."""
        if self.session.inputs.mcp_servers is not None:
            return tuple(server.name for server in self.connected(facts))
        return tuple(name for name, place in self.places.items() if place.when.holds(facts) and not place.why)

    def idle(self, facts: Facts) -> Iterator[IdleServer]:
        """The configured servers that offer nothing, each with its reason."""
        given = {server.name for server in self._given}
        for name, place in self.places.items():
            if name in self.doubled:  # a note says it
                continue
            if self._is_broken(self.configs.get(name, {})):
                yield IdleServer(name, place.when & self.prefix.servers)
            elif name not in given:
                yield idle(name, place.when, why=place.why, remedy=place.remedy)
            elif not place.when.holds(facts):
                yield IdleServer(name, place.when)

    def _waits(self, name: str) -> bool:
        """Whether a server waits for approval, whatever it once answered; a stand-in of the scenario does not."""
        elsewhere = (self.of_user, self.of_folder, self.of_arguments, self.of_managed)
        waits = self.states.get(name) == _WAITS and not any(name in servers for servers in elsewhere)
        return waits and self.session.inputs.mcp_servers is None

    def _configured(self) -> Iterator[Configured]:
        """The servers by name: of the same name those of --mcp-config first, then this folder's, the project's.

        They get the whole environment, with the folder and what tells that an agent started them [recorded 2.1.332].
        """
        plugins = [
            (f"plugin:{plugin.name}:{name}", config, plugin.folder, plugin.folder)
            for plugin in self.session.plugins.all
            for name, config in plugin.servers.items()
        ]
        places = (
            (self.of_user, self.session.user_path),
            *((each.servers, each.file.path) for each in self.shared),
            (self.of_folder, self.session.user_path),
            (self.of_arguments, "--mcp-config"),
        )
        if self.agent:
            places = (*places, (dict(self.agent.servers), self.agent.path))
        managed = [(name, config, self.managed.path, "") for name, config in self.of_managed.items()]
        own = [(name, config, path, "") for servers, path in places for name, config in servers.items()]
        by_name = {name: (mapping(config), path, root) for name, config, path, root in managed or [*plugins, *own]}
        for name, (config, path, root) in by_name.items():
            adds = {"CLAUDE_PROJECT_DIR": self.cwd, "CLAUDECODE": "1", **({"CLAUDE_PLUGIN_ROOT": root} if root else {})}
            filled = partial(_filled, env={**self.session.inputs.env, **adds})
            yield Configured(name, config, self.cwd, path, adds=adds, filled=filled)

    def _others(self) -> Condition:
        """Neither an organisation's file nor --strict-mcp-config takes the place of all other servers."""
        others = FOLDER.reason("managed_alone", path=self.managed.path) if self.alone else ALWAYS
        if not self.session.params.args.strictMcpConfig:
            return others
        source = SettingSource("--strict-mcp-config", overlay="args.strictMcpConfig")
        no = "--strict-mcp-config leaves all but the servers of --mcp-config out"
        return others & Setting(source, True, "is", False, "", no, on=Lever("args.strictMcpConfig", False))

    def _places(self) -> dict[str, ServerPlace]:
        """What lets a server in [recorded 2.1.332].

        `--setting-sources` admits those of the repository, this folder and the user by their source. One of `.mcp.json`
        may be switched off, an organisation's file replaces all others, and rules of settings may leave a server out.
        A plugin's has the plugin's name before its own. One of --mcp-config comes before others of its name; only safe
        mode and rules leave it out.
        """
        others = self._others()
        found: dict[str, ServerPlace] = {}
        for name, state in self.states.items():
            why = "" if state == _APPROVED else f"the server {name} of .mcp.json is not started: it {_IS[state]}"
            is_on = FOLDER.reason("switched_on", state != _OFF, name=name, why=why)
            permitted = self._permitted(name, self.of_project[name])
            when = others & self.sources.condition("project") & is_on & permitted
            found[name] = ServerPlace(when, why, _APPROVE if state == _WAITS else "")
        for servers, source in ((self.of_user, "user"), (self.of_folder, "local")):
            for name, config in servers.items():
                place = others & self.sources.condition(source) & self._permitted(name, config)
                found[name] = ServerPlace(found[name].when | place if name in found else place)
        found |= self._of_plugins(others)
        for name, config in self.of_arguments.items():
            found[name] = ServerPlace(self.sources.own & self._permitted(name, config))
        found |= self._of_agent(others)
        for name, config in self.of_managed.items():
            found[name] = ServerPlace(self._permitted(name, config, allowed=True))
        return found

    def _of_plugins(self, others: Condition) -> dict[str, ServerPlace]:
        found: dict[str, ServerPlace] = {}
        taken = self._commands()
        for plugin in self.session.plugins.all:
            for name, config in plugin.servers.items():
                called, asks = f"plugin:{plugin.name}:{name}", _asks(config)
                same = taken.get(asks)
                own = FOLDER.reason("own_command", same is None, name=called, other=same or "")
                if same and plugin.enabled:
                    self.diagnostics.append(FOLDER.note("mcp-same", plugin.folder, name=called, other=same))
                    self.doubled.add(called)
                found[called] = ServerPlace(others & plugin.when & self._permitted(called, config) & own)
                if plugin.enabled and asks:
                    taken.setdefault(asks, called)
        return found

    def _of_agent(self, others: Condition) -> dict[str, ServerPlace]:
        """Those that an agent brings along, in the place of others of the same name [asked of 2.1.332]."""
        if self.agent is None:
            return {}
        trusted = FOLDER.reason("agent_trusted", self.agent.source != "project" or self.session.trusted)
        servers = self.agent.servers
        return {name: ServerPlace(others & trusted & self._permitted(name, config)) for name, config in servers}

    def _commands(self) -> dict[str, str]:
        """The servers of others than plugins by what they start, without those that are switched off or wait.

        A plugin's that starts the same is left out, whatever its variables [asked of 2.1.332].
        """
        started = {name: config for name, config in self.of_project.items() if self.states[name] == _APPROVED}
        own = {**self.of_user, **started, **self.of_folder, **self.of_arguments}
        return {_asks(config): name for name, config in own.items() if _asks(config) and name not in self.switched_off}

    def _permitted(self, name: str, config: Json, *, allowed: bool = False) -> Condition:
        """No rule keeps the server from starting. `allowed`: it need not be in the list of what is allowed.

        The lists of all files count, which say one of a name, a command, a URL; an organisation may say that only its
        own list of what is allowed does. Without such a list every server is allowed.
        """
        settings, own = self.session.settings, self.session.settings.of(MANAGED)
        allowing = (own if own.at("allowManagedMcpServersOnly") is True else settings).known("allowedMcpServers")
        denying = settings.known("deniedMcpServers")
        condition: Condition = ALWAYS
        if self.version != V100 and (flaw := flaw_of(name, config)):
            condition = FOLDER.reason("well_formed", False, name=name, flaw=flaw)
        if name in self.switched_off:
            condition = condition & FOLDER.reason("enabled_here", False, name=name, path=self.session.user_path)
        if not allowed and isinstance(allowing.value, list):
            fits, key = _allows(_entries(allowing), name, config), allowing.source.key
            yes, no = f"`{key}` names it", f"`{key}` leaves it out"
            condition = condition & Setting(allowing.source, fits, "is", True, yes, no)
        if any(_means(rule, name, config) for rule in _entries(denying)):
            no = f"`{denying.source.key}` names it"
            condition = condition & Setting(denying.source, True, "is", False, "no rule denies it", no)
        return condition

    def _report(self) -> None:
        if self.alone and self.of_arguments:
            text = f"--mcp-config is refused where an organisation has {self.managed.path}"
            self.say("error", "agent-refuses", f"Claude Code does not start: {text}", self.managed.path)
        for each in self.shared:
            waiting = [name for name in self._own(each) if self.states[name] == _WAITS]
            if waiting and not self.alone:
                self.diagnostics.append(FOLDER.note("mcp-approval", each.file.path, servers=some(waiting)))
            known = FOLDER.agent["known_keys"]["server"]
            self.diagnostics += unknown_server_keys(FOLDER.agent["name"], each.servers, known, each.file)
        places: list[tuple[list[str], str | None]] = [([*self.of_arguments], None)]
        if not self.session.params.args.strictMcpConfig:
            users = [*self.of_user, *self.of_folder]
            places = [*map(self._approved, self.shared), (users, self.session.user_path), *places]
        if self.session.inputs.mcp_servers is None and not self.sources.safe:
            places = [([*self.of_managed], self.managed.path)] if self.alone else places
            said, known = "MCP servers that need no more approval", {server.name for server in self.given}
            silent = [([name for name in names if name not in known], place) for names, place in places]
            self.diagnostics += [not_started(said, found, place) for found, place in silent if found]
        if self.alone and self.managed_problem:
            self.diagnostics.append(self.managed_problem)

    def _own(self, shared: SharedFile) -> list[str]:
        """The names that no file of a folder further down has, too."""
        nearer = self.shared[self.shared.index(shared) + 1 :]
        return [name for name in shared.servers if not any(name in each.servers for each in nearer)]

    def _approved(self, shared: SharedFile) -> tuple[list[str], str]:
        return [name for name in self._own(shared) if self.states[name] == _APPROVED], shared.file.path

    def _rows(self) -> None:
        if self.alone:
            when: Condition = FOLDER.reason("configures", bool(self.of_managed), path=self.managed.path)
            self.row(self.managed, "mcp-config", "always", when)
        for shared in self.shared:
            if shared.file.problem != "missing":
                own = self._own(shared)
                when = FOLDER.reason("configures", bool(shared.servers), path=shared.file.path)
                if own:
                    when = when & self._approval(own)
                elif shared.servers:
                    when = when & FOLDER.reason("nearest", False)
                if self.sources.safe:
                    when = when & self.sources.own
                self.row(shared.file, "mcp-config", "always", when & self.sources.open & self._others())

    def _approval(self, names: Sequence[str]) -> Condition:
        """At least one of these servers is approved: by its name, or with all others."""
        states, settings = {name: self.states[name] for name in names}, self.session.settings
        each = some([f"{name} ({state})" for name, state in states.items()])
        yes, no = f"its servers: {each}", f"none of its servers is approved: {each}"
        if self.session.params.args.print and _APPROVED in states.values():
            return HEADLESS
        every = settings.known(_ALL, default=False)
        approved = {name for name, state in states.items() if state == _APPROVED}
        judged = approved or (() if _WAITS in states.values() else states)
        if key := self.of_answers.decisive(judged, settings.plain):
            path = self.session.user_path
            source = SettingSource(f"projects.{self.cwd}.{key}", path, shown(path, self.cwd, self.session.home))
        elif approved.intersection(texts(settings.plain.get(_LIST)) or ()):
            source = settings.known(_LIST).source
        elif approved or _WAITS in states.values():
            return every.is_(True, unset=False, yes=yes, no=no)
        else:
            source = settings.known(_OFF_LIST).source
        return Setting(replace(source, overlay=None), bool(approved), "is", True, yes, no)


_VARIABLE = re.compile(r"\$\{(\w{1,200})(?::-([^{}$]*))?\}", re.ASCII)


def _filled(text: str, env: Mapping[str, str]) -> str:
    """`${NAME}` and `${NAME:-otherwise}` filled in; without either it stays as it is."""
    return _VARIABLE.sub(lambda found: env.get(found[1], found[0] if found[2] is None else found[2]), text)
