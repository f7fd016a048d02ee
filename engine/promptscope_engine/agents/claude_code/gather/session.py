"""What everything is gathered with: the scenario, the arguments of the command line, the disk, the settings.

An argument that is not a JSON object is a file's path, from the working directory on; `~` is not the home folder. What
is missing, or has another shape, keeps the agent from starting [asked of 2.1.332].
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from promptscope_engine.agents.claude_code.selection import is_rule, rules_in
from promptscope_engine.agents.claude_code.texts import FOLDER, SAFE_MODE
from promptscope_engine.agents.claude_code.versions import V100, config_folder, config_written, entrypoint
from promptscope_engine.agents.kit.disk.heads import Budget
from promptscope_engine.agents.kit.disk.layered import usable
from promptscope_engine.agents.kit.disk.rows import Found
from promptscope_engine.agents.kit.disk.servers import servers_in
from promptscope_engine.agents.kit.disk.settings import mapping, object_in
from promptscope_engine.agents.kit.disk.settings_schema import Schema
from promptscope_engine.agents.kit.disk.walking import absolute, upwards
from promptscope_engine.formats.document import Json, too_deep
from promptscope_engine.inputs.params import Params
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import SettingSource
from promptscope_engine.prompt.sourced import Sourced
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from .machine import find_repository
from .plugins import Places, Plugins, SkillsFolder
from .settings import MANAGED, ClaudeCodeSettings, Sources, as_variable, gather_settings, named_sources, read_json

_AGENT = Schema(FOLDER.agent["shapes"]["agent"])


def named_paths(params: Params, cwd: str) -> Iterator[str]:
    """The files and folders that arguments name."""
    args = params.args
    files = (args.settings, args.agents, *args.mcpConfig)
    yield from (_from_cwd(each, cwd) for each in files if isinstance(each, str) and each and _object(each) is None)
    yield from (_from_cwd(each, cwd) for each in args.pluginDir)


def _from_cwd(path: str, cwd: str) -> str:
    """A path of an argument, absolute."""
    return path_in(cwd, path)


def _object(text: str) -> Mapping[str, Json] | None:
    value = object_in(text)
    return None if too_deep(value) else value


class _Arguments(Found):
    """The agents and servers of the command line, and the schema of its answer; with the files' rows and refusals."""

    def __init__(self, params: Params, cwd: str, workspace: Workspace) -> None:
        super().__init__(workspace=workspace)
        args, self.cwd, self.headless = params.args, cwd, params.args.print
        given = args.agents
        if isinstance(given, str) and given and not self.headless and _object(given) is None:
            self.refuse("--agents names a file, which only a headless session reads")
            given = None
        self.agents_path, agents = self.read("--agents", given)
        self.agents = {name: each for name, each in (agents or {}).items() if self._is_agent(name, each)}
        self.schema = self._schema(args.jsonSchema)
        self.servers: dict[str, Json] = {}
        for each in args.mcpConfig:
            path, config = self.read("--mcp-config", each)
            if config is not None and each and not isinstance(config.get("mcpServers"), dict):
                self.refuse("--mcp-config has no `mcpServers`", path)
            self.servers |= servers_in(config)

    def refuse(self, text: str, path: str | None = None) -> None:
        """The agent does not start."""
        self.say("error", "agent-refuses", f"Claude Code does not start: {text}", path)

    def read(self, option: str, given: Json) -> tuple[str | None, Mapping[str, Json] | None]:
        """The file that a value names, if it does, and the object that is given; None where that cannot be read."""
        if not given:
            return None, {}
        if isinstance(given, dict):
            return None, given
        if (inline := _object(str(given))) is not None:
            return None, inline
        path = _from_cwd(str(given), self.cwd)
        file = self.workspace.read(path)
        value, problem = read_json(file, "bad-argument")
        self.row(file, "settings", "always", usable(file, isinstance(value, dict)))
        if not file.found:
            self.refuse(f"{option} names a file that cannot be read", path)
        elif not isinstance(value, dict):
            self.refuse(f"{option}: {problem.message if problem else 'the file holds no JSON object'}", path)
        return path, value if isinstance(value, dict) else None

    def _is_agent(self, name: str, value: Json) -> bool:
        wrong = next(iter(_AGENT.findings(value)), None)
        if wrong:
            key = ".".join(filter(None, (name, str(wrong.key))))
            self.refuse(f"`{key}` of --agents {wrong.reason}", self.agents_path)
        return wrong is None

    def _schema(self, given: Json) -> Mapping[str, Json] | None:
        """The schema that a headless answer has to fit; it is never read from a file."""
        if given is None or not self.headless:
            return None
        found = given if isinstance(given, dict) else _object(str(given))
        if found is None:
            self.refuse("--json-schema is not a JSON object")
        return found


_MANAGED_FOLDERS = {"darwin": "/Library/Application Support/ClaudeCode", "win32": "/C:/Program Files/ClaudeCode"}


def added_directories(inputs: Inputs) -> tuple[str, ...]:
    """The directories of --add-dir, absolute."""
    given = inputs.params.args.addDir
    return tuple(absolute(folder, inputs.workspace, inputs.home) for folder in given)


def managed_folder(inputs: Inputs) -> str:
    """Where an organisation's own files are on this platform."""
    return inputs.managed or _MANAGED_FOLDERS.get(inputs.environment.platform or "", "/etc/claude-code")


PLUGIN_DIRS = "CLAUDE_CODE_PLUGIN_DIRS"


def plugin_dirs(value: Json, cwd: str) -> tuple[str, ...]:
    """The folders of a variable that lists them as PATH does."""
    return tuple(_from_cwd(each, cwd) for each in value.split(":") if each) if isinstance(value, str) else ()


class Session(Found):
    """One scenario, and what the other files are looked for with.

    `config` is the user's folder, `written` the same as the agent writes it; `added` are the directories of --add-dir;
    `denied` are the rules of settings that forbid something, `rules` those of the command line as well. `inputs` have
    the variables that settings set, too. `files` and `diagnostics` are those of the settings.
    """

    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        super().__init__(workspace=workspace)
        self.params = inputs.params
        self.cwd, self.home, self.version = inputs.workspace, inputs.home, inputs.agent_version
        self.follow = inputs.follow_links
        self.managed, self.added = managed_folder(inputs), added_directories(inputs)
        self.repository = find_repository(self.cwd, workspace)
        self.root = self.repository.root if self.repository else None
        self.main_root = self.repository.main_root if self.repository else None
        self.arguments = _Arguments(self.params, self.cwd, workspace)
        self.inputs = inputs
        self.settings = self._settled()
        self.written = config_written(self.inputs.env, self.home)
        self.files += self.arguments.files
        self.diagnostics = [*self.settings.diagnostics, *self.arguments.diagnostics]
        self.diagnostics += self.settings.uncounted("permissions.deny")
        # Where the agent keeps the user's own servers, the answers to its dialogs, and projects.
        moved = self.inputs.env.get("CLAUDE_CONFIG_DIR")
        self.user_path = f"{self.config if moved else self.home.rstrip('/')}/.claude.json"
        self.user = self._users()
        if self.version != V100:  # its `env` wins over that of settings [asked of 2.1.332]
            own = mapping(self.user.get("env")).items()
            env = {name: as_variable(value) for name, value in own if isinstance(value, (str, int))}
            self.inputs = replace(self.inputs, env={**self.inputs.env, **env})
        self.started_as = entrypoint(inputs.env, headless=self.params.args.print, by_sdk=self.params.sdk is not None)
        self.safe_mode = self._safe_mode()
        closed = self.settings.of(MANAGED).known("strictPluginOnlyCustomization", default=False)
        safe_mode = self.safe_mode if self.version != V100 else None
        self.sources = Sources(named_sources(self.params), safe_mode, closed)
        folders = tuple(_from_cwd(each, self.cwd) for each in self.params.args.pluginDir)
        if self.version != V100:
            set_by = self.settings.without("project", "local").known("env", PLUGIN_DIRS)
            named = plugin_dirs(set_by.value or inputs.env.get(PLUGIN_DIRS), self.cwd)
            workspace.allow(named)
            folders += named
        places = Places(folders, tuple(self._skills()))
        self.plugins = Plugins(self.settings, self.sources, self.config, workspace, places)
        self.files += self.plugins.files
        self.diagnostics += self.plugins.diagnostics
        self.denied = tuple(rule for rule in self.settings.rules("permissions.deny") if is_rule(rule.value))
        argument = SettingSource("--disallowed-tools", overlay="args.disallowedTools")
        self.rules = (*self.denied, *(Sourced(rule, argument) for rule in rules_in(self.params.args.disallowedTools)))

    def _safe_mode(self) -> Sourced[str]:
        """The variable for safe mode, or the argument."""
        if self.params.args.safeMode:
            return Sourced("true", SettingSource("--safe-mode", overlay="args.safeMode"))
        return self.variable(SAFE_MODE)

    def _skills(self) -> Iterator[SkillsFolder]:
        """The user's folder of skills, and that of a trusted start folder alone [asked of 2.1.332]."""
        if self.version == V100:
            return
        sources, trusted = self.sources.of("skills"), FOLDER.reason("plugins_trusted", self.trusted)
        own, here = f"{self.config}/skills", f"{self.cwd}/.claude/skills"
        yield SkillsFolder(own, sources.condition("user"), sources.allows("user"))
        if here != own:
            yield SkillsFolder(here, sources.condition("project") & trusted, sources.allows("project") and self.trusted)

    def _settled(self) -> ClaudeCodeSettings:
        """The settings. They may move the user's folder, where its own are read again [recorded 2.1.332].

        The variables of the first ones stay set; nothing else of the user's file there counts.
        """
        rows: dict[str, FileDraft] = {}
        # A home folder that is a repository shares its local settings with linked worktrees only [recorded 2.1.332].
        shared = None if self.root == self.home else self.main_root
        for _ in range(2):
            self.config = config_folder(self.inputs.env, self.home, self.cwd)
            settings = gather_settings(self.inputs, self.config, self.managed, shared, self.workspace)
            rows |= {file.path: file for file in settings.files}
            self.inputs = replace(self.inputs, env=settings.environment(self.inputs.env))
            if config_folder(self.inputs.env, self.home, self.cwd) == self.config:
                break
        self.files = list(rows.values())
        return settings

    def variable(self, name: str) -> Sourced[str]:
        """An environment variable, and whether settings or the process set it."""
        return self.settings.variable(name, self.inputs.env)

    def _users(self) -> Mapping[str, Json]:
        path = self.user_path
        file = self.workspace.read(path)
        key = ("claude-code.user", path, file.data)
        value, problem = self.workspace.memo(key, lambda: read_json(file, "bad-claude-json"))
        if file.problem != "missing":
            self.row(file, "settings", "always", usable(file, isinstance(value, dict)))
        self.diagnostics += [problem] if problem else []
        return mapping(value)

    @property
    def project(self) -> Mapping[str, Json]:
        """What `.claude.json` has of the working directory."""
        return mapping(mapping(self.user.get("projects")).get(self.cwd))

    @property
    def trusted(self) -> bool:
        """The folder, or one above it, was trusted, by `.claude.json`.

        An interactive session has already asked. Without the file nothing is known, and the folder counts as trusted.
        """
        if not self.params.args.print or not self.user:
            return True
        projects = mapping(self.user.get("projects"))
        answers = (mapping(projects.get(place)) for place in upwards(self.main_root or self.cwd))
        return any(answer.get("hasTrustDialogAccepted") is True for answer in answers)


class Gatherer(Found):
    """Looks for files of one kind."""

    def __init__(self, session: Session, surface: str = "") -> None:
        super().__init__(workspace=session.workspace)
        self.session, self.version, self.cwd = session, session.version, session.cwd
        self.sources = session.sources.of(surface)
        self.budget = Budget()
