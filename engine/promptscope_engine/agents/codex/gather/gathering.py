"""Disk, settings and machine to materials."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.codex import gates
from promptscope_engine.agents.codex.materials import Materials, SandboxView
from promptscope_engine.agents.codex.texts import FOLDER
from promptscope_engine.agents.kit.disk.layered import Layer
from promptscope_engine.agents.kit.disk.rows import never
from promptscope_engine.agents.kit.disk.servers import foreign
from promptscope_engine.agents.kit.disk.settings import MOST, unmatched
from promptscope_engine.agents.kit.disk.walking import walk
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.model import Assumption, SettingSource
from promptscope_engine.prompt.sourced import from_settings, unless_given
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in

from . import mcp, permissions, tools
from .agents_md import agents_md, unmatched_fallbacks
from .beside_settings import approved_prefixes, roles, untrusted_roles
from .message import mentioned, message_sent, note_command
from .plugins import Plugin, plugins_of
from .requirements import required
from .session import (
    Text,
    developer_text,
    endpoint_of,
    environment,
    guided_otherwise,
    hooks,
    images,
    memory_text,
    options,
    own_base,
    window_guidance,
)
from .settings import DECIDING, POLICY, PROJECT, Session
from .skills import Listing, SkillGatherer, unmatched_switches
from .sub_agents import sub_agents


def codex_home(inputs: Inputs) -> str:
    """The folder of the settings; a relative one begins where Codex is started."""
    named = inputs.env.get("CODEX_HOME", "")
    if not named:
        return f"{inputs.home.rstrip('/')}/.codex"
    return path_in(inputs.workspace, named)


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need."""
    return _Gatherer(inputs, workspace).gather()


def _in_main_checkout(session: Session, root: str, base: str) -> str:
    """A folder of settings in a linked worktree has its hooks in the main checkout [asked of 0.171.0]."""
    root = root.rstrip("/")
    if main := permissions.main_repository(root, session.workspace):
        unread = session.workspace.read(f"{base}/hooks.json")
        base = f"{main}{base.removeprefix(root)}"
        session.workspace.allow([base])
        if unread.found:
            why = f"in a linked worktree the hooks of the main checkout count, {base}/hooks.json, once they are trusted"
            session.row(unread, "settings", "always", never(unread.path, why, "write them into that file"))
    return base


class _Gatherer:
    """One scenario's gathering: settings first, as they decide what else is looked for."""

    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        self.params = params = inputs.params
        self.session = session = Session(
            workspace=workspace,
            policy=replace(POLICY, unknown="start") if params.args.strictConfig else POLICY,
            inputs=inputs,
            codex_home=codex_home(inputs),
            cwd=workspace.real_path(inputs.workspace),
        )
        if inputs.env.get("CODEX_HOME") and not workspace.is_dir(session.codex_home):  # [source]
            session.refuse(f"CODEX_HOME names {session.codex_home}, but there is no such folder", session.codex_home)
        self._settings()
        self.settings = session.settings
        version = inputs.agent_version
        named = inputs.model or self.settings.text("model").value or next(iter(gates.models(version)))
        self.model = gates.model_named(named, version)
        self.of_model = gates.of_model(self.model)
        self.known_features = {name: self.settings.feature(name) for name in DECIDING}
        self.features = {
            name: known.is_(True, unset=False, yes=f"the feature `{name}` is on", no=f"the feature `{name}` is off")
            for name, known in self.known_features.items()
        }
        self.sub_agents = sub_agents(session, self.of_model, self.features)
        self.code_mode = tools.code_mode(self.settings)

    def _settings(self) -> None:
        """The layers; whether the repository's count depends on those that do not come with it."""
        session, workspace = self.session, self.session.workspace
        session.requirements = demands = required(session, session.system_folder)
        managed = [demands.legacy] if demands.legacy.path else []
        personal, outermost = session.personal(), [session.command_line(), *managed, session.overlay()]
        before = session.come_to([*personal, *outermost])
        self.trust = self._trust(personal, outermost)
        markers = before.texts("project_root_markers")
        self.walk = walk(workspace, session.cwd, [".git"] if markers is None else markers)
        of_project = self._project_layers()
        # a trusted project may call itself untrusted: its settings count, its AGENTS.md does not [0.169.0]
        decided, outer = self.trust.layers, len(outermost)
        self.in_force = replace(self.trust, layers=(*decided[:-outer], *of_project, *decided[-outer:]))
        switched = [demands.features] if demands.features else []
        session.settings = session.come_to([*personal, *of_project, *outermost, *switched])
        session.check_whole(session.settings)

    def _trust(self, personal: Sequence[Layer], outermost: Sequence[Layer]) -> permissions.Trust:
        """What was decided; `--trust` decides where nothing was."""
        session, args = self.session, self.params.args
        if args.approveForMe and (args.sandbox or args.bypassSandbox):
            other = "--sandbox" if args.sandbox else "--dangerously-bypass-approvals-and-sandbox"
            session.refuse(f"--approve-for-me cannot go with {other}")
        path = f"{session.codex_home}/config.toml"
        unset = SettingSource("projects", path, session.shown(path), is_set=False)
        raw = session.inputs.workspace
        self.decided = found = permissions.trust(session.workspace, session.cwd, raw, [*personal, *outermost], unset)
        if not args.trust:
            if session.inputs.attended is None or found.of(session.cwd).value:
                return found
            session.assumed.append(Assumption("trusted", (found.lever("untrusted"),)))
        elif args.ignoreUserConfig:
            session.refuse("--trust cannot go with --ignore-user-config, as it needs what was decided before")
        elif problem := permissions.unsaved(replace(found, layers=tuple(personal))):
            session.refuse(problem)
        return replace(found, layers=(*personal, permissions.saved(found), *outermost))

    def _project_layers(self) -> list[Layer]:
        """The settings of each folder of the repository that is trusted; the others are worth a warning."""
        session, workspace = self.session, self.session.workspace
        searched = walk(
            workspace, session.cwd, self.walk.markers, lambda path: permissions.is_repository(path, workspace)
        )
        # the user's own settings do not count once more as those of a project
        own = workspace.real_path(session.codex_home)
        bases = [(folder, f"{folder.rstrip('/')}/.codex") for folder in searched.folders]
        found = [(f, base) for f, base in bases if workspace.is_dir(base) and workspace.real_path(base) != own]
        self.trusted_bases: list[str] = []
        self.untrusted_bases: list[tuple[str, Condition]] = []
        self.settings_folders = [folder.rstrip("/") for folder, _ in found]
        layers: list[Layer | None] = []
        for folder, base in found:
            is_trusted = self.trust.of(folder).value == "trusted"
            name = "this folder" if folder != self.trust.root else "the project"
            trusted = self.trust.is_("trusted", folder, f"{name} is trusted", f"{name} is not trusted")
            layers.append(session.layer(f"{base}/config.toml", PROJECT, when=trusted, reads=is_trusted))
            if is_trusted:
                self.trusted_bases.append(base)
            else:
                when = self.trust.is_("trusted", folder, "the project is trusted", "the project is not trusted")
                self.untrusted_bases.append((base, when))
        if off := self.untrusted_bases:
            level = self.trust.of(session.cwd).value
            why = "is untrusted" if level == "untrusted" else "is not marked as trusted"
            more = f" and {len(off) - 1} more" if len(off) > 1 else ""
            session.diagnostics.append(FOLDER.note("untrusted-config", off[0][0], more=more, why=why))
        return [layer for layer in layers if layer is not None]

    # --- everything else ------------------------------------------------------------------------------------------

    def gather(self) -> Gathered[Materials]:
        """Everything else, in the order in which it is listed."""
        session, features = self.session, self.features
        # the folders of the settings that count, the strongest last: rules, roles and hooks are beside these
        beside = (session.system_folder, session.codex_home, *self.trusted_bases)
        level = self.in_force.of(session.cwd).value
        asked = self._approvals(level)
        chosen = permissions.sandbox(session, level, asks=asked.asks)
        servers = mcp.servers(session, bare=bool(self.known_features["non_prefixed_mcp_tool_names"].value))
        base = own_base(session)
        texts = self._texts()
        seen, shown = self._seen(view := permissions.view(chosen, session))
        user_file, project_files = agents_md(session, self.walk, self.in_force, seen)
        plugins = tuple(plugins_of(session))
        listing = self._skills(shown, plugins)
        own_roles = self._roles(beside)
        prefixes = approved_prefixes(session, beside)
        self._unmatched(listing)
        hook, self.programs = hooks(session, [*self._places_of_hooks(plugins)], features["hooks"])
        texts |= {"session_hook": hook["SessionStart"], "prompt_hook": hook["UserPromptSubmit"]}
        live = chosen.mode == permissions.FULL_ACCESS or bool(self.known_features["web_search_request"].value)
        materials = Materials(
            version=session.inputs.agent_version,
            model=self.model,
            gates={
                **self._gates(servers, bool(own_roles)),
                **asked.gates,
                "guided": texts["window_guidance"].when | (self.of_model["lite"] & ~guided_otherwise(session)),
                "own_base": base.when,
                **{name: text.when for name, text in texts.items()},
            },
            features=features,
            sandboxes={mode: chosen.is_(mode) for mode in permissions.MODES},
            codex_home=session.codex_home,
            prompt=message_sent(self.params),
            cwd=session.cwd,
            here=environment(session.inputs, None if session.placeless else session.cwd),
            sandbox=view,
            base=base.spans,
            own={**self.sub_agents.own, **{name: text.spans for name, text in texts.items()}},
            user_file=user_file,
            project_files=project_files,
            skills=listing.skills,
            skill_roots=listing.roots,
            mentioned=mentioned(self.params.prompt, listing.found, session.workspace),
            servers=servers.answering,
            roles=own_roles,
            approved_prefixes=prefixes,
            images=images(session),
            sub_agents=self.sub_agents,
            code_mode=self.code_mode,
            window=self._window(),
            compact_limit=self.settings.whole("model_auto_compact_token_limit"),
            counts_body=self.settings.text("model_auto_compact_token_limit_scope").value == "body_after_prefix",
            options=self._options(),
            web_search=tools.web_search(self.settings, session.requirements, self.model, live=live),
        )
        derived = (*self._derived(chosen, asked), *self._by_model(chosen, materials.web_search))
        return self._gathered(materials, chosen.mode, servers, derived)

    def _skills(self, folders: Sequence[str], plugins: Sequence[Plugin]) -> Listing:
        names_only = self.known_features["omit_skill_descriptions"].value
        found = SkillGatherer(self.session, folders, self.settings_folders, self._window(), names_only, plugins)
        return found.gather()

    def _roles(self, folders: Sequence[str]) -> dict[str, str]:
        """Those of folders that count; the files of untrusted ones get rows."""
        found = roles(self.session, folders)
        for folder, trusted in self.untrusted_bases:
            untrusted_roles(self.session, folder, trusted)
        return found

    def _places_of_hooks(self, plugins: Sequence[Plugin]) -> Iterator[str]:
        """The folders of the settings that count, and those of plugins."""
        yield from (self.session.system_folder, self.session.codex_home)
        yield from (_in_main_checkout(self.session, self.walk.folders[0], base) for base in self.trusted_bases)
        yield from (f"{plugin.folder}/hooks" for plugin in plugins)

    def _unmatched(self, listing: Listing) -> None:
        """What is said of entries that match nothing, of a prompt that is a command, and of what isn't modelled."""
        session = self.session
        if self.params.entry == "interactive" and session.inputs.agent_version != FOLDER.versions[0]:
            session.diagnostics.append(FOLDER.note("terminal-tools"))
        session.diagnostics += islice(unmatched_switches(session, listing.found), MOST)
        session.diagnostics += unmatched(mcp.lists_of_tools(session))
        session.diagnostics += islice(unmatched_fallbacks(session, self.walk.folders), MOST)
        note_command(session, self.params)

    def _approvals(self, level: permissions.Level | None) -> permissions.Approvals:
        current, required = self.of_model["current"], self.session.requirements
        return permissions.approvals(self.params, self.settings, level, current, required)

    def _seen(self, view: SandboxView) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The folders in which AGENTS.md counts, and those in which skills do."""
        folders = () if self.session.placeless else self.walk.folders
        return permissions.reached(view, folders, self.session), permissions.readable(view, folders)

    def _texts(self) -> dict[str, Text]:
        """Texts of the user's own and the administrator's, by the gate of each."""
        session = self.session
        when, spans = session.requirements.instructions(session.workspace)
        return {
            "developer": developer_text(session),
            "memory": memory_text(session, self.features["memories"]),
            "window_guidance": window_guidance(session),
            "managed": Text(spans, when),
        }

    def _options(self) -> dict[str, Json]:
        """The other keys of the body; a model that Codex does not know is worth a warning."""
        body = options(self.session, self.model)
        if not self.model.known:
            source = self.settings.known("model").source
            path, line = (None, None) if self.session.inputs.model else (source.path, source.line)
            self.session.diagnostics.append(FOLDER.note("unknown-model", path, line, model=self.model.name))
        return body

    def _gathered(
        self, materials: Materials, mode: str, servers: mcp.Servers, derived: tuple[Derivation, ...]
    ) -> Gathered[Materials]:
        session = self.session
        why = "Codex does not read .mcp.json: its servers are in `mcp_servers` of config.toml"
        known = [*(server.name for server in servers.idle), *(server.name for server in servers.answering)]
        return Gathered.of(
            session,
            facts_of(session.inputs, mode, permissions.CHOICES, self.model.name),
            materials,
            derived=derived,
            endpoint=endpoint_of(session, chatgpt=self.params.auth == "chatgpt"),
            configured=servers.configured,
            programs=tuple(self.programs),
            idle=(*servers.idle, *foreign(session.workspace, f"{session.cwd.rstrip('/')}/.mcp.json", why, known)),
        )

    def _derived(self, sandbox: permissions.Sandbox, asked: permissions.Approvals) -> Iterator[Derivation]:
        """The sandbox and who approves, by what decides them, and the settings that files decide."""
        known, args, inputs = self.settings.known, self.params.args, self.session.inputs
        decides = sandbox.is_(sandbox.mode)
        if inputs.mode != sandbox.mode:
            yield Derivation("mode", sandbox.mode, decides)
        usual = "it is Codex's own where none is named"
        yield from unless_given("model", inputs.model, self.model.name, known("model"), usual)
        yield Derivation("args.sandbox", sandbox.mode, decides, args.sandbox if args.sandbox == sandbox.mode else None)
        yield Derivation("args.approval", asked.policy, asked.because, args.approval, is_setting=True)
        cwd = self.session.cwd
        trusted = self.decided.of(cwd).value == "trusted"
        by_decision = self.decided.is_(
            "trusted", cwd, "the project is trusted", "you haven't marked this project as trusted"
        )
        yield Derivation("args.trust", trusted, by_decision, args.trust or None, is_setting=True)
        yield in_home("CODEX_HOME", codex_home(replace(inputs, env={})), inputs.env.get("CODEX_HOME"))
        yield from from_settings(self.params, lambda key: known(*key.split(".")))

    def _by_model(self, sandbox: permissions.Sandbox, web_search: Mapping[str, Json]) -> Iterator[Derivation]:
        """The settings that no layer has and that the model's entry, or the sandbox, decides."""
        model, features = self.model, self.features
        own = because("model", f"the entry of {model.name} says so" if model.known else f"{model.name} is not known")
        search = sandbox.is_(permissions.FULL_ACCESS) | features["web_search_request"]
        found: tuple[tuple[str, Json, Condition], ...] = (
            ("model_reasoning_effort", model.effort, own),
            ("model_reasoning_summary", None if model.known else "auto", own),
            ("model_verbosity", model.verbosity, own),
            ("model_context_window", model.window, own),
            ("features.multi_agent_v2", model.sub_agents == "v2" or None, self.sub_agents.gates["second_kind"]),
            ("web_search", "live" if web_search["external_web_access"] else "cached", search),
        )
        for key, value, cause in found:
            if value is not None and self.settings.known(*key.split(".")).value is None:
                yield Derivation(f"settings.{key}", value, cause, is_setting=True)

    def _window(self) -> int:
        """Tokens of the raw window."""
        return self.settings.whole("model_context_window") or self.model.window

    def _gates(self, servers: mcp.Servers, roles: bool) -> dict[str, Condition]:
        """What the model, the features, the settings and the servers decide."""
        on, text, of_model = self.settings.enabled, self.settings.text, self.of_model
        return {
            **of_model,
            **self.sub_agents.gates,
            "environment": on("include_environment_context", True),
            "permissions": on("include_permissions_instructions", True),
            "collaboration_mode": (of_model["current"] | gates.PLANNING)
            & on("include_collaboration_mode_instructions", True),
            "skills": on("skills.include_instructions", True),
            "personality": ~text("personality").is_(
                "none", unset="pragmatic", yes="`personality` is none", no="`personality` is {actual}"
            ),
            "proactive": text("model_reasoning_effort").is_(
                "ultra", unset="medium", yes="the effort is ultra", no="`model_reasoning_effort` is {actual}"
            ),
            "servers": servers.any,
            "mcp_tools": servers.with_tools,
            **tools.deferred(self.code_mode, servers, self.sub_agents.gates["first_kind"], of_model["known"]),
            "asks": on("tools.experimental_request_user_input.enabled", True),
            "plans": on("tools.update_plan.enabled", False),
            "sleeps": tools.sleeps(self.settings, self.features, of_model["current"]),
            "web_search": tools.searches(self.settings, self.session.requirements),
            "roles": FOLDER.reason("roles", roles, home=self.session.codex_home),
        }
