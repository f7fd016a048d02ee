"""Plugins: where each one's files are, what its manifest says, and whether it is switched on [recorded 2.1.332]."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from promptscope_engine.agents.claude_code.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import usable
from promptscope_engine.agents.kit.disk.rows import Found, locked
from promptscope_engine.agents.kit.disk.settings import Names, mapping, unmatched
from promptscope_engine.agents.kit.disk.settings_schema import Schema
from promptscope_engine.formats.document import Json
from promptscope_engine.formats.key_lines import key_line
from promptscope_engine.nearest import meant
from promptscope_engine.prompt.conditions import Condition, Fact
from promptscope_engine.prompt.model import Diagnostic, SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import from_system, path_in

from .settings import MANAGED, ClaudeCodeSettings, Sources, read_json

_MAX_PLUGINS = 500
MANIFEST = ".claude-plugin/plugin.json"
_PARTS = (MANIFEST, "agents", "commands", "skills", "SKILL.md", "hooks", ".mcp.json")
"""What makes a folder a plugin."""
_MARKETPLACE = ".claude-plugin/marketplace.json"
_FORMS = {
    "Json": (r"(?s)\./.*\.json", "the path of a .json file that begins with ./"),
    "Path": (r"(?s)\./.*", "a path that begins with ./"),
    "Name": (r"[A-Za-z0-9][\w.-]*(@[A-Za-z0-9][\w.-]*)?", "the name of a plugin"),
    "Option": (r"[A-Za-z_]\w*", "a name of letters, digits and `_`"),
    "File": (r"(?s)\./.*\.md", "the path of an .md file that begins with ./"),
}
_KINDS = ("commands", "agents", "skills", "outputStyles")
"""Kinds of files that a manifest and the entry of a marketplace may name."""
_SCHEMA = Schema(FOLDER.agent["shapes"]["plugin"], FOLDER.agent["shapes"]["plugin_parts"], _FORMS)


class NamedCommand(Struct, frozen=True):
    """A command that a manifest names itself: of a file, or of the manifest's own text, then `path` is the manifest."""

    name: str
    path: str
    content: str | None = None
    description: str = ""


class SkillsFolder(Struct, frozen=True):
    """A folder of skills, in which those with a manifest are plugins, too. `let_in`: its source is."""

    path: str
    let_in: Condition
    allowed: bool


class Places(Struct, frozen=True):
    """Where plugins are that nothing installed: `given` are the folders of --plugin-dir.

    In `skills` a skill may be a plugin; of two with one name the first counts [asked of 2.1.332].
    """

    given: tuple[str, ...] = ()
    skills: tuple[SkillsFolder, ...] = ()


NOWHERE = Places()


class Plugin(Struct, frozen=True):
    """A plugin: `name` as its manifest says, its folder, whether it is switched on, and the `id` that settings name.

    `commands` are folders and files, `named` those that its manifest names, `agents` and `styles` folders or files,
    `skills` folders of skills or with a SKILL.md, `servers` its MCP servers by the names that it gives them, `agent`
    the one that it has drive the session, `workflows` folders of scripts.
    """

    name: str
    folder: str
    enabled: bool
    when: Condition
    commands: tuple[str, ...] = ()
    named: tuple[NamedCommand, ...] = ()
    agents: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    servers: Mapping[str, Json] = {}
    styles: tuple[str, ...] = ()
    agent: Sourced[str] | None = None
    workflows: tuple[str, ...] = ()
    id: str = ""
    languages: bool = False
    """It has a language server."""
    needs: tuple[str, ...] = ()
    """The names of the plugins that it depends on."""


class Plugins(Found):
    """The plugins of --plugin-dir, of `enabledPlugins` in its order, then others installed, and those among skills.

    `known` are the marketplaces by name.
    """

    def __init__(
        self,
        settings: ClaudeCodeSettings,
        sources: Sources,
        config: str,
        workspace: Workspace,
        places: Places = NOWHERE,
    ) -> None:
        super().__init__(workspace=workspace)
        self.settings, self.sources, self.folder = settings, sources, f"{config}/plugins"
        self.installed = self.table("installed_plugins.json", "plugins")
        self.known = self.table("known_marketplaces.json")
        named = [*settings.table("enabledPlugins"), *sorted(self.installed)]
        keys = list(dict.fromkeys(named))[:_MAX_PLUGINS]
        self.local = {
            entry.name
            for folder in (*places.given, *(each.path for each in places.skills))
            for entry in workspace.list(folder).entries
        } | {folder.rpartition("/")[2] for folder in places.given}
        """The names of folders that may be plugins nobody installed."""
        given = [plugin for folder in places.given for plugin in self.given(folder)]
        installed = [plugin for key in keys for plugin in self.plugin(key)]
        for folder in places.skills:
            installed += self.among_skills(folder, [plugin.name for plugin in (*given, *installed) if plugin.enabled])
        self.all = (*given, *installed)
        # Of two in --plugin-dir with one name the later one's agents count, and the first one's skills [recorded].
        self.of_agents = (*reversed(given), *installed)

    def table(self, name: str, key: str = "") -> Mapping[str, Json]:
        """The object in a file of the folder of plugins, or under one of its keys; empty without the file."""
        path = f"{self.folder}/{name}"
        if self.workspace.kind(path) is None:
            return {}
        file = self.workspace.read(path)
        data, problem = read_json(file, "bad-plugins")
        table = mapping(data).get(key) if key and isinstance(data, dict) else data
        when = usable(file, isinstance(table, dict))
        self.row(file, "settings", "always", when)
        self.diagnostics += [problem] if problem else []
        return mapping(table)

    def plugin(self, key: str) -> Iterator[Plugin]:
        """The plugin of a key, if it loads."""
        switch = self.settings.member("enabledPlugins", key)
        no = f"the plugin {key} is not switched on in `enabledPlugins`"
        when = switch.is_(True, unset=False, yes=f"the plugin {key} is switched on", no=no) & self.sources.own
        folder, problem, entry = self._folder(key)
        manifest: Mapping[str, Json] = {}
        if folder and not problem:
            manifest, problem = self._manifest(folder)
            entry = _fitting(entry)
            problem = problem or _conflict(manifest, entry) or self._lacking(manifest or entry, key)
        if problem:
            when = when & Fact("file", folder or key, False, "", problem, remedy=f"install {key} again")
            self.diagnostics += self._missing(key, switch, folder, problem)
        if folder:
            name = manifest.get("name")
            called = name if isinstance(name, str) and name else key.partition("@")[0]
            enabled = switch.value is True and not self.sources.safe and not problem
            said = manifest or {key: value for key, value in entry.items() if key in ("mcpServers", "lspServers")}
            named = tuple(_commands(folder, "", entry.get("commands"), self.workspace))
            made = replace(self._made(called, folder, said, when, enabled=enabled), id=key)
            made = _with_entry(made, entry, named)
            whole = folder == self._location(key.partition("@")[2])[0].rstrip("/")
            there = tuple(path for path in _named(folder, entry.get("skills")) if whole and self.workspace.kind(path))
            # a plugin that is all of its marketplace has the skills of its entry and no others [asked of 2.1.332]
            yield replace(made, skills=there) if there else made

    def _lacking(self, said: Mapping[str, Json], key: str = "") -> str:
        """Which of the plugins that it depends on is not here or off: then it isn't loaded [asked of 2.1.332]."""
        market = key.partition("@")[2]
        for name in _needed(said):
            if not market and name.partition("@")[0] in self.local:
                continue
            whole = name if "@" in name or not market else f"{name}@{market}"
            if whole not in self.installed or self.settings.member("enabledPlugins", whole).value is not True:
                return f"it depends on the plugin {name}, which is not switched on"
        return ""

    def given(self, folder: str) -> Iterator[Plugin]:
        """The plugin in a folder of --plugin-dir, or in each of its folders that has a manifest [recorded 2.1.332].

        Settings switch it off as NAME@inline. One whose manifest is refused is left out, as is a folder that is gone.
        """
        found = [folder]
        if not any(self.workspace.kind(f"{folder}/{name}") for name in _PARTS):
            self.files += locked(self.workspace, folder, "plugin")
            below = [f"{folder}/{entry.name}" for entry in self.workspace.list(folder).entries]
            found = [each for each in below if self.workspace.kind(f"{each}/{MANIFEST}") == "file"]
        if not found:
            self.warn("plugin-missing", "--plugin-dir: there is no plugin in this folder", folder)
        for each in found[:_MAX_PLUGINS]:
            yield self._local(each, "inline", "--plugin-dir names it")

    def copy_of(self, plugin: Plugin) -> str:
        """Where a plugin was installed, if it is read from its marketplace instead; "" otherwise."""
        cached = _install_path(self.installed.get(plugin.id))
        return cached if cached != plugin.folder else ""

    def among_skills(self, skills: SkillsFolder, taken: Sequence[str]) -> Iterator[Plugin]:
        """The plugins in a folder of skills, as the disk lists them; settings switch one off as NAME@skills-dir.

        It needs a manifest. Those of a folder of --plugin-dir are by name [both asked of 2.1.332].
        """
        if not self.workspace.is_dir(skills.path):
            return
        for entry in self.workspace.list(skills.path).listed[:_MAX_PLUGINS]:
            folder = f"{skills.path}/{entry.name}"
            if self.workspace.kind(f"{folder}/{MANIFEST}") != "file":
                continue
            plugin = self._local(folder, "skills-dir", "it is in a folder of skills")
            when, first = plugin.when & skills.let_in, plugin.name not in taken
            if not first:
                other = f"another plugin is called {plugin.name}"
                when = when & Fact("file", folder, False, "", other, remedy="give it another name")
            linked = self.workspace.real_path(folder) != f"{self.workspace.real_path(skills.path)}/{entry.name}"
            servers = {} if linked else plugin.servers  # [asked of 2.1.332]
            yield replace(plugin, when=when, servers=servers, enabled=plugin.enabled and skills.allowed and first)

    def _local(self, folder: str, market: str, yes: str) -> Plugin:
        """A plugin that nothing was installed for, and that is on unless a setting or its manifest says otherwise."""
        manifest, problem = self._manifest(folder)
        problem = problem or self._lacking(manifest)
        name = str(manifest.get("name") or folder.rpartition("/")[2])
        usual = manifest.get("defaultEnabled") is not False
        switch = self.settings.known("enabledPlugins", f"{name}@{market}", default=usual)
        no = f"`enabledPlugins` switches {name}@{market} off" if usual else "`defaultEnabled` of its manifest is off"
        when = switch.is_(True, unset=usual, yes=yes, no=no) & self.sources.own
        if problem:
            self.warn("plugin-missing", f"the plugin {name} is not loaded: {problem}", folder)
            when = when & Fact("file", folder, False, "", problem, remedy=f"correct {folder}/{MANIFEST}")
        enabled = switch.value is not False and not self.sources.safe and not problem
        made = self._made(name, folder, manifest, when, enabled=enabled)
        return replace(made, id=f"{name}@{market}")

    def _made(self, name: str, folder: str, manifest: Mapping[str, Json], when: Condition, *, enabled: bool) -> Plugin:
        commands, agents, skills, styles = (tuple(_paths(folder, manifest, kind, self.workspace)) for kind in _KINDS)
        servers, agent = self._servers(folder, manifest, when), self._agent(folder, manifest, when)
        named = tuple(_commands(folder, f"{folder}/{MANIFEST}", manifest.get("commands"), self.workspace))
        commands = tuple(path for path in commands if path not in {each.path for each in named})
        scripts = tuple(_paths(folder, manifest, "workflows", self.workspace))
        parts = (commands, named, agents, skills, servers, styles, agent, scripts)
        languages = self._languages(folder, manifest, when)
        return Plugin(name, folder, enabled, when, *parts, languages=languages, needs=tuple(_needed(manifest)))

    def _languages(self, folder: str, manifest: Mapping[str, Json], when: Condition) -> bool:
        """Whether its .lsp.json or its manifest has a language server that is one to the client [asked of 2.1.332]."""
        given = manifest.get("lspServers")
        items = given if isinstance(given, list) else [given]
        paths = [f"{folder}/.lsp.json", *(path_in(folder, f"./{item}") for item in items if isinstance(item, str))]
        tables: list[Mapping[str, Json]] = [item for item in items if isinstance(item, dict)]
        for path in paths:
            if self.workspace.kind(path) == "file":
                file = self.workspace.read(path)
                data, problem = read_json(file, "bad-plugin")
                self.diagnostics += [problem] if problem else []
                self.row(file, "settings", "always", usable(file, isinstance(data, dict)) & when)
                tables.append(mapping(data))
        servers = [mapping(each) for table in tables for each in table.values()]
        return any(each.get("command") and mapping(each.get("extensionToLanguage")) for each in servers)

    def _agent(self, folder: str, manifest: Mapping[str, Json], when: Condition) -> Sourced[str] | None:
        """`agent` of its settings.json, else of its manifest's `settings`; nothing else counts [asked of 2.1.332]."""
        file = self.workspace.read(f"{folder}/settings.json")
        if file.problem != "missing":
            data, problem = read_json(file, "bad-plugin")
            self.diagnostics += [problem] if problem else []
            self.row(file, "settings", "always", usable(file, isinstance(data, dict)) & when)
            named = mapping(data).get("agent")
            line = key_line(file.text, "agent", "json")
            if isinstance(named, str):
                return Sourced(named, SettingSource("agent", file.path, line=line))
        own = mapping(manifest.get("settings")).get("agent")
        return Sourced(own, SettingSource("agent", f"{folder}/{MANIFEST}")) if isinstance(own, str) else None

    def _servers(self, folder: str, manifest: Mapping[str, Json], when: Condition) -> Mapping[str, Json]:
        """The servers of its .mcp.json, with or without `mcpServers`, and of its manifest [recorded 2.1.332]."""
        said, found = manifest.get("mcpServers"), dict[str, Json]()
        given = said if isinstance(said, list) else [said]  # of a list each is a file or a table [asked of 2.1.332]
        named = [path_in(folder, f"./{each}") for each in given if isinstance(each, str)]
        for path in (f"{folder}/.mcp.json", *named):
            if self.workspace.kind(path) == "file":
                file = self.workspace.read(path)
                data, problem = read_json(file, "bad-mcp-config")
                self.diagnostics += [problem] if problem else []
                self.row(file, "mcp-config", "always", usable(file, isinstance(data, dict)) & when)
                found |= mapping(mapping(data).get("mcpServers", data))
        for each in given:
            found |= mapping(each)
        return found

    def _missing(self, key: str, switch: Sourced[Json], folder: str, problem: str) -> Iterator[Diagnostic]:
        """What is said of a plugin that is not loaded. One that the user switches off may be another project's."""
        place, users = switch.source, f"{self.folder.removesuffix('/plugins')}/settings.json"
        if switch.value is True:
            hint = "" if folder else meant(key, self.installed, 1)
            text = f"the plugin {key} is switched on, but not loaded: {problem}{hint}"
            yield Diagnostic("warning", "plugin-missing", text, place.path, place.line)
        elif switch.value is False and self.installed and not folder and place.path != users:
            yield from unmatched([Names("enabledPlugins", "plugin here", [Sourced(key, place)], self.installed)])

    def _folder(self, key: str) -> tuple[str, str, Mapping[str, Json]]:
        """A plugin's folder (its marketplace's if on disk, else where it was installed), and why it doesn't load.

        Then its entry in the marketplace.
        """
        name, _, market = key.partition("@")
        cached = _install_path(self.installed.get(key))
        location, kind = self._location(market)
        if not location:
            return cached, f"known_marketplaces.json has no marketplace {market}", {}
        path = path_in(location, _MARKETPLACE)
        data, _ = read_json(self.workspace.read(path), "bad-plugins")
        root = mapping(mapping(data).get("metadata")).get("pluginRoot", "")
        plugins = mapping(data).get("plugins") if isinstance(root, str) else None
        items = map(mapping, plugins if isinstance(plugins, list) else [])
        listed = next((item for item in items if item.get("name") == name), None)
        if listed is None:
            return cached, f"the marketplace {market} has no plugin {name}", {}
        source = listed.get("source")
        # one that is no path of this form is passed over, and what was installed counts [asked of 2.1.332]
        below = _below(source, root) if kind == "directory" and isinstance(source, str) else None
        if below is None and kind == "directory" and str(source).startswith("./"):
            return path_in(location, str(source)), f"its `source` leads through `.` or `..`: {source}", listed
        folder = cached if below is None else path_in(location, below)
        if not folder:
            return "", "it is not installed", listed
        return folder, "" if self.workspace.is_dir(folder) else f"there is no folder {folder}", listed

    def _location(self, market: str) -> tuple[str, Json]:
        """A marketplace's folder, "" if it is not known, and what kind of source it has.

        It may be any folder of the machine: only the user and an organisation can name it.
        """
        entry = mapping(self.known.get(market)) or self._declared(market)
        location = entry.get("installLocation")
        if not isinstance(location, str):
            return "", None
        self.workspace.allow([location := from_system(location)])
        return location, mapping(entry.get("source")).get("source")

    def _declared(self, market: str) -> Mapping[str, Json]:
        """A marketplace that an organisation's settings name, where it is a folder of this machine."""
        named = self.settings.of(MANAGED).member("extraKnownMarketplaces", market).value
        source = mapping(mapping(named).get("source"))
        path = source.get("path")
        if source.get("source") != "directory" or not isinstance(path, str):
            return {}
        return {"source": source, "installLocation": path}

    def _manifest(self, folder: str) -> tuple[Mapping[str, Json], str]:
        """What the manifest says, and why it is refused; a plugin may have none."""
        path = f"{folder}/{MANIFEST}"
        if self.workspace.kind(path) is None:
            return {}, ""
        data, problem = read_json(self.workspace.read(path), "bad-plugin")
        if not isinstance(data, dict):
            return {}, f"{path} is {problem.message if problem else 'not an object'}"
        if found := re.search(r"[\s/\\:@]", str(data.get("name", ""))):
            return data, f"`name` of {path} has {'a blank' if found[0].isspace() else f'`{found[0]}`'} in it"
        return data, next((f"`{wrong.key}` of {path} {wrong.reason}" for wrong in _SCHEMA.findings(data)), "")


def _needed(said: Mapping[str, Json]) -> Iterator[str]:
    """The plugins that a manifest or an entry depends on."""
    listed = said.get("dependencies")
    for each in listed if isinstance(listed, list) else ():
        yield str(mapping(each).get("name") if isinstance(each, dict) else each)


def _install_path(install: Json) -> str:
    installs = install if isinstance(install, list) else [install]
    places = (item.get("installPath") for item in installs if isinstance(item, dict))
    written = (from_system(place) for place in places if isinstance(place, str))
    return next((place.rstrip("/") for place in written if place.startswith("/")), "")


_FOLDERS = {"outputStyles": "output-styles"}
"""What a folder is called whose key in the manifest is another."""


def _paths(folder: str, manifest: Mapping[str, Json], key: str, workspace: Workspace) -> Iterator[str]:
    """Where a kind of file is: the usual folder, which paths of the manifest replace or, for skills, are beside."""
    given = manifest.get(key)
    if given is None or key == "skills":
        usual = f"{folder}/{_FOLDERS.get(key, key)}"
        yield folder if key == "skills" and workspace.kind(usual) is None else usual
    yield from _named(folder, given)


def _commands(folder: str, place: str, given: Json, workspace: Workspace) -> Iterator[NamedCommand]:
    """The commands that an object names: files, and texts of its own; a folder's have their own names.

    `place` is the file that holds the object, "" of a marketplace's entry, which may give no text.
    """
    for name, each in given.items() if isinstance(given, dict) else ():
        said = mapping(each)
        source, content, description = said.get("source"), said.get("content"), str(said.get("description") or "")
        if isinstance(content, str) and place:
            yield NamedCommand(name, place, content, description)
        elif isinstance(source, str) and workspace.kind(path := path_in(folder, f"./{source}")) == "file":
            yield NamedCommand(name, path, None, description)


def _named(folder: str, given: Json) -> Iterator[str]:
    """The paths that a key of a manifest or of a marketplace's entry names."""
    items = given.values() if isinstance(given, dict) else given if isinstance(given, list) else [given]
    for item in items:
        path = item.get("source") if isinstance(item, dict) else item
        if isinstance(path, str):
            yield path_in(folder, f"./{path}")


def _below(source: str, root: str) -> str | None:
    """Where in its marketplace a plugin is, None if the entry is refused [asked of 2.1.332].

    A name alone is looked for below the marketplace's `pluginRoot`.
    """
    if source in (".", "./"):
        return source
    if source.startswith("./"):
        parts = source[2:].split("/")
    elif source and root and "/" not in source and not root.startswith("/"):
        parts = ["" if root == "." else root.removeprefix("./"), source]
    else:
        return None
    path = "/".join(parts)
    return None if {".", ".."} & {*path.split("/")} else f"./{path}"


def _with_entry(plugin: Plugin, entry: Mapping[str, Json], named: tuple[NamedCommand, ...]) -> Plugin:
    """What the entry of a marketplace names is beside what there is without it [asked of 2.1.332]."""
    commands, agents, skills, styles = (tuple(_named(plugin.folder, entry.get(kind))) for kind in _KINDS)
    return replace(
        plugin,
        commands=(*plugin.commands, *(path for path in commands if path not in {each.path for each in named})),
        named=(*plugin.named, *named),
        agents=(*plugin.agents, *agents),
        skills=(*plugin.skills, *skills),
        styles=(*plugin.styles, *styles),
    )


def _fitting(entry: Mapping[str, Json]) -> Mapping[str, Json]:
    """The entry of a marketplace without the keys whose value a manifest could not have."""
    wrong = {str(found.key).partition(".")[0].partition("[")[0] for found in _SCHEMA.findings(entry)}
    return {key: value for key, value in entry.items() if key not in wrong}


def _conflict(manifest: Mapping[str, Json], entry: Mapping[str, Json]) -> str:
    """Why an entry with `strict: false` refuses a plugin that has a manifest: both say what is in it."""
    named = [kind for kind in (*_KINDS, "hooks") if kind in entry]
    if not (manifest and named and entry.get("strict") is False):
        return ""
    return f"its marketplace has `strict: false` and names `{named[0]}`, and it has a manifest of its own"
