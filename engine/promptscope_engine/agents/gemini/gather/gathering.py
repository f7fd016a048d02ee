"""From scenario, disk and machine to materials."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.gemini import texts
from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.scope import active
from promptscope_engine.agents.gemini.texts import (
    AUTO,
    FOLDER,
    ROUTERS,
    Model,
    long_date,
    resolve_model,
    writer,
)
from promptscope_engine.agents.gemini.tool_policy import policy_of
from promptscope_engine.agents.kit.disk.heads import Budget
from promptscope_engine.agents.kit.disk.hooks import runs
from promptscope_engine.agents.kit.disk.rows import Found, absent
from promptscope_engine.agents.kit.disk.servers import foreign, servers_in
from promptscope_engine.agents.kit.disk.settings import Names, unmatched
from promptscope_engine.agents.kit.disk.walking import from_home
from promptscope_engine.agents.kit.sessions.after import typed_skills
from promptscope_engine.agents.kit.text.endpoints import endpoint
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.text import join, relative, resolve
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Named, any_of
from promptscope_engine.prompt.derived import Derivation, because
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, ModeChoice, SettingSource
from promptscope_engine.prompt.sourced import Sourced, by_setting, from_settings
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.repository import repository_root

from .commands import gather_request, planned
from .context import MemoryLoader
from .folders import OWN, IgnoreRules, find_places, folder_tree
from .hooks import list_hooks
from .notes import NO_MCP_JSON, Unread, settings_warnings
from .policies import policy_files, setting_rules
from .request import MentionFinder
from .servers import Servers, gather_servers
from .session import Session, asked_for, gather_extensions
from .settings import (
    GeminiSettings,
    SettingsReader,
    machine_files,
    managed_folder,
    merged,
    usable_settings,
    without_effect,
)
from .skills import AgentFinder, SkillFinder
from .start import find_override, find_trust, is_vouched_for, read_dotenv

MODES = (
    ModeChoice("default", "Default"),
    ModeChoice("auto_edit", "Auto-edit"),
    ModeChoice("plan", "Plan"),
    ModeChoice("yolo", "YOLO"),
)
_PROFILES = ("generalistProfile", "powerUserProfile", "stressTestProfile")
"""Below `experimental`, profiles of the other way to manage the context: each switches it on [source]."""
_SECTIONS = {
    "GEMINI_PROMPT_PREAMBLE": "preamble",
    "GEMINI_PROMPT_COREMANDATES": "core_mandates",
    "GEMINI_PROMPT_AGENTCONTEXTS": "sub_agents",
    "GEMINI_PROMPT_AGENTSKILLS": "skills",
    "GEMINI_PROMPT_HOOKCONTEXT": "hook_context",
    "GEMINI_PROMPT_PLANNINGWORKFLOW": "plan",
    "GEMINI_PROMPT_PRIMARYWORKFLOWS": "primary_workflows",
    "GEMINI_PROMPT_OPERATIONALGUIDELINES": "operational_guidelines",
    "GEMINI_PROMPT_INTERACTIVEYOLOMODE": "yolo",
    "GEMINI_PROMPT_SANDBOX": "sandbox",
    "GEMINI_PROMPT_GIT": "git",
    "GEMINI_PROMPT_FINALREMINDER": "final_reminder",
}
"""Sections by the variable that leaves each out where it is `0`."""
_SETTABLE = ("default", "auto_edit", "plan")
_THRESHOLD = 0.5


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything the sections need. The same files and scenario give the same materials."""
    return _Gathering(inputs, workspace).gather()


class _Gathering:
    """Gathers for one scenario. Settings and trust come first: they decide where else to look."""

    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        self.inputs, self.workspace = inputs, workspace
        self.params = inputs.params
        self.places = find_places(inputs, self.params.sessionId, workspace)
        self.reader = SettingsReader(inputs=inputs, places=self.places, workspace=workspace)
        self.early, self.notes, self.of_override = (Found(workspace=workspace) for _ in range(3))
        self._settings()
        extensions = gather_extensions(self.params, self.places, self.early)
        self.session = Session(inputs, workspace, self.places, self.settings, self.facts, self.trust, extensions)
        self.plans = _plans(self.session, self.notes)
        without_effect(self.settings, self.notes)
        self.directories, self.missing = _directories(self.session, self.plans)
        self.override = find_override(
            self.settings.variable(texts.SYSTEM_MD), self.places, self.of_override, follow=inputs.follow_links
        )
        self.in_repository = repository_root(self.places.cwd, workspace) is not None
        self.loader = MemoryLoader(self.session, _unreadable(self.session, in_repository=self.in_repository))

    def _settings(self) -> None:
        inputs, places, reader = self.inputs, self.places, self.reader
        low, high = reader.user_layers(self.params)
        self.trust = find_trust(inputs, merged((*low, *high), places, inputs.env, ()), places, self.early)
        self.trusted = self.trust.holds(self._facts_of(None, None))
        self.own_layers = reader.workspace_layer(self.trust)
        own = self.own_layers if self.trusted else ()
        plain = merged((*low, *own, *high), places, inputs.env, ())
        variables = read_dotenv(inputs, plain, places, self.early, self.trust)
        variables = variables if self.trusted else ()
        env = {**{variable.name: variable.value for variable in variables}, **inputs.env}
        self.settings = settings = merged((*low, *own, *high), places, env, variables)
        self.hooks = settings.enabled("hooksConfig.enabled", True).holds(self._facts_of(None, None))
        typed = planned(self.params, hooks=self.hooks) is not None
        self.mode = _mode(inputs, settings, self.trusted, self.notes, typed=typed)
        named = inputs.model or settings.env.get(texts.MODEL) or settings.text("model.name").value or AUTO
        by_variable = self.params.args.print and any(settings.env.get(name) for name in texts.LOGINS)
        chosen = bool(settings.text("security.auth.selectedType").value)
        plan = self.mode == "plan"
        self.model = resolve_model(named, self.params.routed, plan=plan, previews=chosen or not by_variable)
        self.facts = self._facts_of(self.mode, self.model)

    def _facts_of(self, mode: str | None, model: Model | None) -> Facts:
        return facts_of(self.inputs, mode, MODES, model.name if model else None)

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session, settings, facts, loader = self.session, self.settings, self.facts, self.loader
        session.parts.append(self.of_override)
        if self.trusted:
            self.workspace.allow(loader.projects(self.directories))
        loader.load(self.directories)
        unread = Unread(session, loader.drafts)
        unread.gather(loader.names, loader.importer.markers)
        budget = Budget()
        skills, agents = SkillFinder(session, budget), AgentFinder(session, budget)
        self.skills = skills.gather()
        self.directories = (*self.directories, *self._activated())
        self.agents = agents.gather()
        untrusted = (
            () if self.trusted else tuple(name for layer in self.own_layers for name in servers_in(layer.values))
        )
        self.servers = gather_servers(session, untrusted)
        self.rules = (*setting_rules(session, self.servers.tools), *policy_files(session, managed_folder(self.inputs)))
        searches = settings.enabled("context.fileFiltering.enableRecursiveFileSearch", True).holds(facts)
        finder = MentionFinder(session, loader, self.directories, [agent.name for agent in self.agents], searches)
        # whether a command may run one of the shell's, or somebody can be asked
        rule = policy_of(self.rules).verdict("run_shell_command", facts.mode or "default", interactive=False).rule
        shell = not self.params.args.print or bool(rule and rule.decision == "allow")
        self.prompt, self.mentions, ready = gather_request(
            finder, hooks=self.hooks, shell=shell, plan=self.mode == "plan"
        )
        in_order = self.reader.in_order & usable_settings(settings, self.inputs, self.workspace) & ready
        starts = _starts(self.trust, in_order, self.override[2], self.missing) & self._each_once()
        self.programs = list_hooks(session, self.own_layers)
        materials = self._materials()
        by_tool = {f.path: active(materials, each.tool) for each in materials.discovered for f in each.files}
        loader.found.files += (replace(e, when=e.when & by_tool.get(e.path, ALWAYS)) for e in loader.drafts.values())
        last = Found(workspace=self.workspace)
        if not writer(language := self.inputs.environment.language):
            last.diagnostics.append(FOLDER.note("unknown-locale", language=language))
        names = tuple(_lists_of_names(session, skills, agents))
        self.known = {f"settings.{each.key}": tuple(each.known) for each in names}
        last.diagnostics += [
            *(settings_warnings(materials, settings, facts) if starts.holds(facts) else ()),
            *unmatched(names),
        ]
        gathered = [part for part in session.parts if part is not unread.found]
        return self._gathered(materials, starts, (self.reader, self.early, self.notes, *gathered, unread.found, last))

    def _each_once(self) -> Condition:
        """Of two extensions of one name the second stops the start [asked of 0.61.0]."""
        seen: dict[str, str] = {}
        for each in self.session.extensions:
            first = seen.setdefault(each.name, each.manifest)
            if first != each.manifest:
                why = f"the client refuses to start: {first} and {each.manifest} are both called {each.name}"
                return absent(each.manifest, why, f"give the extension of {each.manifest} another name")
        return ALWAYS

    def _gathered(
        self, materials: Materials, starts: Condition, parts: Sequence[SettingsReader | Found]
    ) -> Gathered[Materials]:
        servers = self.servers
        by_path = {draft.path: draft for draft in reversed([file for part in parts for file in part.files])}
        known = [*(server.name for server in servers.idle), *(server.name for server in servers.connected)]
        mcp_json = f"{self.places.cwd.rstrip('/')}/.mcp.json"
        given = self.params.trusted
        return Gathered(
            self.facts,
            materials,
            tuple(reversed(by_path.values())),
            tuple(dict.fromkeys(note for part in parts for note in part.diagnostics)),
            self.settings.variables,
            derived=(
                *_mode_and_model(self.session, self.mode, self.model),
                Derivation("trusted", self.trusted, self.trust, given if given is self.trusted else None),
                *_folders(self.session, self.plans),
                *from_settings(self.inputs.params, self.settings.known),
            ),
            assumed=tuple(self.early.assumed),
            endpoint=endpoint(FOLDER.agent["endpoints"], _signed_in(self.inputs, self.model), self.inputs.env),
            known=self.known,
            refused=None
            if starts.holds(self.facts)
            else Diagnostic("error", "agent-refuses", starts.evaluate(self.facts).text),
            starts=starts,
            configured=servers.configured,
            programs=self.programs,
            idle=(*servers.idle, *foreign(self.workspace, mcp_json, NO_MCP_JSON, known)),
        )

    def _activated(self) -> Iterator[str]:
        """The folders of skills that were activated in a session that still runs: they count as the workspace's."""
        after = self.inputs.after
        if after and (after.compacts or after.event == "clear") and not self.params.args.print:
            folders = {skill.name: skill.location.rpartition("/")[0] for skill in self.skills}
            yield from (folders[name] for name in reversed(typed_skills(after)) if name in folders)

    def _materials(self) -> Materials:
        settings, places, loader, machine = self.settings, self.places, self.loader, self.inputs.environment
        discovered = loader.discover(self.inputs.reads, self.directories)
        shown_tree = settings.enabled("context.includeDirectoryTree", True).holds(self.facts)
        ignore = IgnoreRules(places.cwd, self.in_repository, self.session.part())
        return Materials(
            inputs=self.inputs,
            params=self.params,
            gates=self._gates(),
            switches={section: texts.section_switch(settings.variable(name)) for name, section in _SECTIONS.items()},
            model=self.model,
            policy=policy_of(self.rules),
            core=settings.items("tools.core") if settings.is_list("tools.core") else None,
            core_source=settings.known("tools.core").source,
            names=loader.names,
            date=long_date(machine.date or machine.read_at, machine.timezone, machine.language),
            temporary=places.temporary,
            private_memory=loader.private,
            global_memory=join(places.own, loader.names[0]),
            plans=self.plans,
            plans_shown=relative(places.cwd, self.plans),
            tracker=places.tracker,
            directories=self.directories,
            trees=tuple(folder_tree(d, ignore) for d in self.directories) if shown_tree else (),
            context=tuple(loader.loaded),
            skills=self.skills,
            agents=self.agents,
            servers=self.servers.connected if self.trusted else (),
            mcp_tools=self.servers.tools,
            override=self.override[0],
            prompt=self.prompt,
            mentions=self.mentions,
            discovered=discovered,
            hidden_by=loader.ignored.hidden_by,
            compression=_compression(settings),
        )

    def _gates(self) -> dict[str, Condition]:
        """What decides, by the names that the texts use."""
        trusted = self.trust
        return {
            **_by_settings(self.settings, self.model),
            # the approval mode: without trust it is always the usual one, and a headless session does not even begin
            "trusted": trusted,
            "headless": texts.HEADLESS & trusted,
            "plan": texts.approval("plan", trusted=trusted) & self.settings.enabled("general.plan.enabled", True),
            "auto_edit": texts.approval("auto_edit", trusted=trusted),
            "yolo": texts.approval("yolo", trusted=trusted),
            "usual": ~texts.approval("auto_edit", "plan", "yolo", trusted=trusted),
            **_by_finds(self.loader, self.skills, self.agents, self.servers),
            "session_hook": runs(self.programs, "SessionStart"),
            "prompt_hook": runs(self.programs, "BeforeAgent"),
            "built_in": ~self.override[1],
            "repository": FOLDER.reason("repository", self.in_repository),
        }


def _compression(settings: GeminiSettings) -> float:
    """The share of the window at which the client compresses the conversation."""
    given = settings.known("model.compressionThreshold").value
    is_usable = isinstance(given, (int, float)) and not isinstance(given, bool) and 0 < given <= 1
    return float(given) if is_usable else _THRESHOLD


def _unreadable(session: Session, *, in_repository: bool) -> IgnoreRules:
    """What the client refuses to read: its settings leave kinds of ignore files out, or name further ones."""
    filtering, settings, facts = "context.fileFiltering", session.settings, session.facts
    git, gemini = (
        settings.enabled(f"{filtering}.respect{name}Ignore", True).holds(facts) for name in ("Git", "Gemini")
    )
    further = reversed([item.value for item in settings.items(f"{filtering}.customIgnoreFilePaths")])
    own = (*((OWN,) if gemini else ()), *further)
    untold = Found(workspace=session.workspace)  # the rules of the structure tell the same
    return IgnoreRules(session.places.cwd, in_repository and git, untold, own, ("node_modules",))  # recorded 0.61.0


def _lists_of_names(session: Session, skills: SkillFinder, agents: AgentFinder) -> Iterator[Names]:
    """Lists and tables of names, and the names that there are. Those of `-e` may have any case; `none` is a word."""
    settings, extensions = session.settings, [each.name for each in session.extensions]
    of_extensions = [name for extension in session.active for name in extension.servers or ()]
    stand_ins = [server.name for server in session.inputs.mcp_servers or ()]
    servers = [*servers_in(settings.plain), *of_extensions, *stand_ins]
    named: tuple[tuple[str, str, Collection[str]], ...] = (
        ("skills.disabled", "skill", skills.skills),
        ("agents.overrides", "sub-agent", agents.known),
        ("mcp.allowed", "server", servers),
        ("mcp.excluded", "server", servers),
    )
    for key, what, known in named:
        entries = [*settings.items(key), *(Sourced(n, settings.member(key, n).source) for n in settings.table(key))]
        plain = {"*", *(name.lower() for name in known)}
        yield Names(key, what, [entry for entry in entries if entry.value.lower() not in plain], known)
    asked = [Sourced(name, SettingSource("--extensions")) for name in asked_for(session.params) or ()]
    plain = {"none", *(name.lower() for name in extensions)}
    yield Names("--extensions", "extension", asked, extensions, lambda name: name.lower() in plain)


def roots(inputs: Inputs) -> tuple[str, ...]:
    """The folders that the scenario names, and the machine's own settings.

    The client follows links of a folder that it trusts. Where the scenario itself vouches for the folder, those that
    lead to its neighbours may be followed; further ones take the scenario's `outside_links`.
    """
    params = inputs.params
    home = texts.home_folder(inputs.env, inputs.home)
    named = (*params.args.includeDirectories, *params.args.policy)
    around = inputs.workspace.rpartition("/")[0]
    neighbours = (around,) if around and is_vouched_for(inputs) else ()
    folders = (resolve(inputs.workspace, from_home(path, home)) for path in named)
    listed = inputs.env.get(texts.TRUSTED_FOLDERS)
    trusted = (resolve(inputs.workspace, listed),) if listed else ()
    return (home, *folders, managed_folder(inputs), *machine_files(inputs), *trusted, *neighbours)


# --- gates --------------------------------------------------------------------------------------------------------


def _signed_in(inputs: Inputs, model: Model) -> dict[str, str | bool]:
    """What decides where the request goes."""
    key, params = inputs.env.get("GOOGLE_API_KEY"), inputs.params
    return {**inputs.env, "login": params.authType, "keyed": bool(key), "model": model.name}


_SWITCHED = {
    "narration": ("general.topicUpdateNarration", True),
    "planning": ("general.plan.enabled", True),
    "tree": ("context.includeDirectoryTree", True),
    "interactive_shell": ("tools.shell.enableInteractiveShell", True),
    "short_output": ("tools.shell.enableShellOutputEfficiency", True),
    "tracker": ("experimental.taskTracker", False),
    "context_management": ("experimental.contextManagement", False),
    "direct_fetch": ("experimental.directWebFetch", False),
    "tool_sandboxing": ("security.toolSandboxing", False),
    "hooks": ("hooksConfig.enabled", True),
}
"""Gates that are a setting alone, with what is usual."""


def _by_settings(settings: GeminiSettings, model: Model) -> dict[str, Condition]:
    """What settings and variables decide."""
    alone = {
        gate: settings.enabled(key, usual, in_group=gate == "narration") for gate, (key, usual) in _SWITCHED.items()
    }
    found = flag("ripgrep", yes="`rg` was found", no="there is no `rg`")
    named = (settings.enabled(f"experimental.{name}", False) for name in _PROFILES)
    profiles = [alone["context_management"], *named]
    by_name = FOLDER.reason("by_name", model.configured.startswith("gemini-2"), model=model.configured)
    return {
        **alone,
        **texts.sandbox_gates(settings.variable(texts.SANDBOX)),
        "ripgrep": settings.enabled("tools.useRipgrep", True) & found,
        "context_management": any_of(profiles, alone["context_management"]),
        "todos": by_name & settings.enabled("useWriteTodos", True) & ~alone["tracker"],
    }


def _by_finds(
    loader: MemoryLoader, skills: Collection[object], agents: Collection[object], servers: Servers
) -> dict[str, Condition]:
    """What files and servers decide. Whether there are skills and sub-agents is not known where they are off."""
    settings, facts, places = loader.session.settings, loader.facts, loader.places
    resources = any(server.has_resources for server in servers.connected)
    memories = {"global", "private"} <= {file.place for file in loader.loaded}
    skills_on, agents_on = (settings.enabled(key, True) for key in ("skills.enabled", "experimental.enableAgents"))
    any_skill, any_agent = bool(skills) or not skills_on.holds(facts), bool(agents) or not agents_on.holds(facts)
    of_user = f"{places.own}/{loader.names[0]}"
    return {
        "skills": skills_on & FOLDER.reason("any_skill", any_skill, own=places.own),
        "agents": agents_on & FOLDER.reason("any_agent", any_agent, own=places.own),
        "resources": FOLDER.reason("resources", resources),
        "two_memories": FOLDER.reason("two_memories", memories, private=loader.private, user=of_user),
    }


# --- what decides the rest ----------------------------------------------------------------------------------------


def _mode(inputs: Inputs, settings: GeminiSettings, trusted: bool, notes: Found, *, typed: bool) -> str:
    """The approval mode, of which `/plan` may be typed in a trusted folder.

    `yolo` in settings is ignored, and a folder without trust has the usual mode.
    """
    slugs = [mode.slug for mode in MODES]
    configured = settings.known("general.defaultApprovalMode")
    usual = configured.value if configured.value in _SETTABLE else "default"
    if configured.value == "yolo":
        notes.diagnostics.append(FOLDER.note("yolo-ignored", configured.source))
    mode = inputs.mode or str(usual)
    if mode not in slugs:
        raise unknown("approval mode", mode, slugs, where="mode")
    plans = settings.known("general.plan.enabled").value is not False
    if typed and plans and trusted:
        return "plan"
    if mode == "plan" and not plans:
        notes.warn("plan-disabled", "`general.plan.enabled` is off: the mode is default")
        return "default"
    if mode != "default" and not trusted:
        notes.warn("mode-not-trusted", f"the folder is not trusted: {mode} becomes default")
        return "default"
    return mode


def _mode_and_model(session: Session, mode: str, model: Model) -> Iterator[Derivation]:
    """What decided the mode and the model that were not chosen, or not taken (see `_mode`, `_model`)."""
    inputs, settings = session.inputs, session.settings
    configured, plans = settings.known("general.defaultApprovalMode"), settings.known("general.plan.enabled")
    asked = inputs.mode or (configured.value if configured.value in _SETTABLE else None)
    if asked == "plan" and plans.value is False:
        yield Derivation("mode", mode, by_setting(plans))
    elif asked not in (None, mode):
        yield Derivation("mode", mode, session.trusted)
    elif inputs.mode is None:
        usual = because("mode", "it is the mode of a session that names none")
        yield Derivation("mode", mode, by_setting(configured) if asked else usual)
    if model.configured in ROUTERS:
        text = f"the model that `{model.configured}` asks first routes to {session.params.routed}"
        yield Derivation("model", model.name, because("model", text))
    elif inputs.model is None:
        variable = settings.variable(texts.MODEL)
        yield Derivation("model", model.name, by_setting(variable if variable.value else settings.known("model.name")))


def _folders(session: Session, plans: str) -> Iterator[Derivation]:
    """Where things lie that no setting names."""
    inputs = session.inputs
    own = because(f"env.{texts.HOME}", "it is the user's home folder")
    yield Derivation(f"env.{texts.HOME}", inputs.home, own, inputs.env.get(texts.HOME) or None, is_setting=True)
    if session.settings.known("general.plan.directory").value is None:
        extension = next((extension.name for extension in session.active if extension.plans), None)
        why = f"the extension {extension} names it" if extension else "it is in the session's folder"
        cause = because("general.plan.directory", why)
        yield Derivation("settings.general.plan.directory", plans, cause, is_setting=True)


def _plans(session: Session, notes: Found) -> str:
    """The folder of plans: the setting's, else an extension's, if within the workspace; else the usual one."""
    places, workspace = session.places, session.workspace
    known = session.settings.known("general.plan.directory")
    own = known.value if isinstance(known.value, str) else ""
    given = own or next((extension.plans for extension in session.active if extension.plans), None)
    if not given:
        return places.plans
    path = resolve(places.cwd, given)
    real, inside = workspace.real_path(path), workspace.real_path(places.cwd)
    if not f"{real}/".startswith(f"{inside.rstrip('/')}/"):
        notes.diagnostics.append(FOLDER.note("plans-outside", known.source, folder=given))
        return places.plans
    return path


def _directories(session: Session, plans: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The workspace's folders, each once by its real path, and those that are missing."""
    settings, places, workspace = session.settings, session.places, session.workspace
    named = [item.value for item in settings.items("context.includeDirectories")]
    more = session.params.args.includeDirectories
    given = [places.absolute(path) for path in (*named, *more) if "\0" not in path]
    # The scenario, or a settings file that the client trusts, names them: they may be read.
    workspace.allow(given, shallow=[str(parent) for path in given for parent in PurePosixPath(path).parents])
    missing = tuple(path for path in given if not workspace.is_dir(path))
    if settings.known("general.plan.enabled").value is not False and workspace.is_dir(plans):
        given.append(plans)
    found = {workspace.real_path(places.cwd): places.cwd}
    for path in given:
        if path not in missing:
            found.setdefault(workspace.real_path(path), workspace.real_path(path))
    return tuple(found.values()), missing


def _starts(trusted: Condition, settings: Condition, override: Condition, missing: Sequence[str]) -> Condition:
    """The client starts. It refuses unreadable settings, missing files, and, headless, an untrusted folder."""
    there: Condition = ALWAYS
    for path in missing[:10]:
        there &= absent(path, f"the included directory {path} is not there", f"create {path}, or name it no more")
    every = settings & (texts.INTERACTIVE | trusted) & override & there
    return Named("flag", "start", every, yes="the client starts", no="the client refuses to start: {inner}")
