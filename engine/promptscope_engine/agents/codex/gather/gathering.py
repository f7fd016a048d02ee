"""Disk, settings and machine to materials."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.codex import gates
from promptscope_engine.agents.codex.gates import DEFAULT, model_named
from promptscope_engine.agents.codex.materials import AgentsFile, Materials
from promptscope_engine.agents.codex.params import CodexParams
from promptscope_engine.agents.kit.layered import Layer
from promptscope_engine.agents.kit.near_misses import near_misses
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.servers import IdleServer, foreign
from promptscope_engine.agents.kit.settings import MOST, Names, mapping, note, unmatched
from promptscope_engine.agents.kit.walking import beyond, walk
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.params import fields_of
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer as StandIn
from promptscope_engine.prompt.conditions import Condition, Observed
from promptscope_engine.prompt.derived import Derivation, because, by_setting, from_settings, in_home
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.model import Diagnostic
from promptscope_engine.workspace import Workspace

from . import mcp
from .agents_md import MAX_BYTES, MOVE_THE_ROOT, NAME, OVERRIDE, AgentsGatherer, nested_files, places
from .beside_settings import approved_prefixes, roles, untrusted_roles
from .permissions import (
    CHOICES,
    FULL_ACCESS,
    MODES,
    Approvals,
    Sandbox,
    Trust,
    UnknownProfileError,
    approvals,
    is_repository,
    sandbox,
    saved,
    trust,
    unsaved,
    view,
)
from .session import developer_text, environment, hooks, images, memory_text, options, own_base
from .settings import DECIDING, POLICY, Settings, SettingsReader, refusal, trimmed
from .skills import NAME as SKILL
from .skills import Found, Listing, SkillGatherer, mentioned, path_of

_FALLBACKS = "project_doc_fallback_filenames"


def unmatched_entries(
    settings: Settings,
    skills: Sequence[Found],
    servers: Sequence[StandIn],
    folders: Sequence[str],
    home: str,
    workspace: Workspace,
) -> Iterator[Diagnostic]:
    """The notes. `folders` are the project's; `servers` those of which the tools are known."""
    copy = workspace.snapshot()
    yield from islice(_switches(settings, skills, home, copy), MOST)
    yield from unmatched(names for server in servers for names in _tools(settings, server))
    yield from islice(_fallbacks(settings, folders, copy), MOST)


def _switches(settings: Settings, skills: Sequence[Found], home: str, workspace: Workspace) -> Iterator[Diagnostic]:
    names = {skill.name for skill in skills}

    def matches(name: str) -> bool:
        return trimmed(name) in names

    paths = {workspace.real_path(skill.path) for skill in skills}
    for layer in settings.layers:
        items = layer.table("skills").get("config")
        for number, item in enumerate(items if isinstance(items, list) else ()):
            entry: Mapping[str, Json] = mapping(item)
            name, path = entry.get("name"), entry.get("path")
            source = layer.source(("skills", "config", number), key="skills.config")
            if isinstance(name, str) and isinstance(path, str):
                yield note("`[[skills.config]]` has both a name and a path: Codex passes over it", source)
            elif isinstance(path, str):
                real = workspace.real_path(path_of(path, layer, home))
                if real not in paths:
                    folder = f"{real}/{SKILL}" in paths
                    why = f"only the path of its {SKILL} counts" if folder else "no skill lies there"
                    yield note(f"`[[skills.config]]` names {path}: {why}", source)
            elif isinstance(name, str):
                yield from unmatched([Names("[[skills.config]]", "skill", [Known(name, source)], names, matches)])


def _tools(settings: Settings, server: StandIn) -> Iterator[Names]:
    names = [str(tool.get("name")) for tool in server.tools]
    for key in ("enabled_tools", "disabled_tools") if names else ():
        source = settings.known("mcp_servers", server.name, key).source
        entries = [Known(entry, source) for entry in settings.texts("mcp_servers", server.name, key) or ()]
        yield Names(f"mcp_servers.{server.name}.{key}", "tool of this server", entries, names)


def _fallbacks(settings: Settings, folders: Sequence[str], workspace: Workspace) -> Iterator[Diagnostic]:
    source = settings.known(_FALLBACKS).source
    for entry in settings.texts(_FALLBACKS) or ():
        if why := _never(entry) or _other_case(entry, folders, workspace):
            yield note(f"`{_FALLBACKS}` names {entry!r}: {why}", source)


def _never(entry: str) -> str:
    """Why a name can match no file of a folder; "" where it can."""
    if not entry.strip():
        return "a blank name matches no file"
    if "/" in entry:
        return "it has to be the name of a file in a folder of the project, not a path"
    return "Codex reads this file anyway" if entry in (NAME, OVERRIDE) else ""


def _other_case(entry: str, folders: Sequence[str], workspace: Workspace) -> str:
    there: Collection[str] = [each.name for folder in folders for each in workspace.list(folder).entries]
    close = next((name for name in there if name.strip().lower() == entry.strip().lower()), None)
    return f"the file is called {close}" if close and entry not in there else ""


_THREADS = 4


def codex_home(inputs: Inputs) -> str:
    """The folder of the settings; a relative one begins where Codex is started."""
    named = inputs.env.get("CODEX_HOME", "")
    if not named:
        return f"{inputs.home.rstrip('/')}/.codex"
    return os.path.normpath(os.path.join(inputs.workspace, named))  # noqa: PTH118


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need."""
    return _Gatherer(inputs, workspace).gather()


class _Gatherer:
    """One scenario's gathering: settings first, as they decide what else is looked for."""

    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        self.inputs, self.workspace = inputs, workspace
        self.params = cast(CodexParams, inputs.params)
        self.home = codex_home(inputs)
        self.cwd = workspace.real_path(inputs.workspace)
        strict = self.params.args.strictConfig
        policy = replace(POLICY, unknown="start") if strict else POLICY
        self.reader = SettingsReader(inputs=inputs, workspace=workspace, policy=policy, codex_home=self.home)
        self.files: list[FileDraft] = self.reader.files
        self.diagnostics: list[Diagnostic] = self.reader.diagnostics
        self.refusals: list[Diagnostic] = self.reader.refusals
        self._home()
        self._settings()
        self.model = model_named(inputs.model or self.settings.text("model").value or DEFAULT)
        self.of_model = gates.of_model(self.model)
        self.features = {name: self.settings.feature(name) for name in DECIDING}

    def _home(self) -> None:
        """A folder that `CODEX_HOME` names must be there [source]."""
        if self.inputs.env.get("CODEX_HOME") and not self.workspace.is_dir(self.home):
            self.refusals.append(refusal(f"CODEX_HOME names {self.home}, and there is no such folder", self.home))

    def _settings(self) -> None:
        """The layers; whether the repository's count depends on those that do not come with it (4.1, 4.3)."""
        personal = self.reader.personal()
        command_line, overlay = self.reader.command_line(), self.reader.overlay()
        before = self.reader.come_to([*personal, command_line, overlay])
        self.trust = self._trust(personal, command_line, overlay)
        markers = before.texts("project_root_markers")
        self.walk = walk(self.workspace, self.cwd, [".git"] if markers is None else markers)
        self.folders = self.walk.folders
        of_project = self._project_layers()
        # a trusted project may call itself untrusted: its settings count, its AGENTS.md does not [0.169.0]
        at = len(self.trust.layers) - 2
        in_force = (*self.trust.layers[:at], *of_project, *self.trust.layers[at:])
        self.in_force = replace(self.trust, layers=in_force)
        layers = [*personal, *of_project, command_line, overlay]
        self.settings: Settings = self.reader.come_to(layers)
        self.reader.check_whole(self.settings)
        self.diagnostics += self.reader.features(self.settings)

    def _trust(self, personal: Sequence[Layer], command_line: Layer, overlay: Layer) -> Trust:
        path = f"{self.home}/config.toml"
        layers = [*personal, command_line, overlay]
        found = trust(self.inputs, self.workspace, self.cwd, layers, path, self.reader.shown(path))
        self.decided = found
        if not self.params.args.trust:
            return found
        if self.params.args.ignoreUserConfig:
            self.reader.refuse("--trust cannot go with --ignore-user-config, as it needs what was decided before")
        elif problem := unsaved(replace(found, layers=tuple(personal))):
            self.reader.refuse(problem)
        return replace(found, layers=(*personal, saved(found), command_line, overlay))

    def _project_layers(self) -> list[Layer]:
        """The settings of each folder of the repository that is trusted; the others are worth a warning."""
        layers: list[Layer] = []
        searched = walk(self.workspace, self.cwd, self.walk.markers, lambda path: is_repository(path, self.workspace))
        self.settings_folders = [
            folder
            for folder in searched.folders
            if self.workspace.is_dir(f"{folder.rstrip('/')}/.codex") and not self._is_home(folder)
        ]
        off: list[str] = []
        for folder in self.settings_folders:
            level = self.trust.of(folder).level
            name = "this folder" if folder != self.trust.root else "the project"
            trusted = self.trust.is_("trusted", folder, f"{name} is trusted", f"{name} is not trusted")
            layer = self.reader.project(folder.rstrip("/"), trusted, is_trusted=level == "trusted")
            if layer is not None:
                layers.append(layer)
            if level != "trusted":
                off.append(f"{folder.rstrip('/')}/.codex")
        if off:
            why = "is untrusted" if self.trust.of(self.cwd).level == "untrusted" else "was not decided to be trusted"
            more = f" and {len(off) - 1} more" if len(off) > 1 else ""
            text = f"the settings in it{more} do not count: the project {why}"
            self.diagnostics.append(Diagnostic("warning", "untrusted-config", text, off[0]))
        return layers

    def _is_home(self, folder: str) -> bool:
        """The user's own settings do not count once more as those of a project."""
        return self.workspace.real_path(f"{folder.rstrip('/')}/.codex") == self.workspace.real_path(self.home)

    # --- everything else ------------------------------------------------------------------------------------------

    def gather(self) -> Gathered[Materials]:
        level = self.in_force.of(self.cwd).level
        chosen = self._sandbox()
        seen = view(chosen, self.inputs, self.params, self.settings, self.cwd)
        asked = approvals(self.params, self.settings, level, self.of_model["lite"])
        features = {name: gates.feature(name, known) for name, known in self.features.items()}
        servers = mcp.servers(
            self.inputs, self.settings, prefixed=not self.features["non_prefixed_mcp_tool_names"].value
        )
        self.diagnostics += servers.diagnostics
        self.refusals += servers.refusals
        base, problem = own_base(self.settings, self.inputs.home, self.cwd, self.workspace, self.files)
        self._refuse(problem)
        developer = developer_text(self.settings, self.workspace)
        memory = memory_text(self.home, features["memories"], self.settings, self.workspace, self.files)
        user_file, project_files = self._agents_md()
        listing = self._skills()
        beside = self._beside_settings()
        own_roles = roles(
            self.settings, beside, self.inputs.home, self.cwd, self.workspace, self.files, self.diagnostics
        )
        for folder in self.settings_folders:
            if self.trust.of(folder).level != "trusted":
                trusted = self.trust.is_("trusted", folder, "the project is trusted", "the project is not trusted")
                self.files += untrusted_roles(f"{folder.rstrip('/')}/.codex", self.workspace, trusted)
        prefixes = approved_prefixes(beside, self.workspace, self.files, self.diagnostics, self.refusals)
        self.diagnostics += unmatched_entries(
            self.settings,
            listing.found,
            [each for each in self.inputs.mcp_servers or () if each.status == "connected"],
            self.folders,
            self.inputs.home,
            self.workspace,
        )
        hook = hooks(
            self.params,
            self.settings,
            beside,
            self.home,
            self.workspace,
            features["hooks"],
            self.files,
            self.diagnostics,
        )
        pictures = images(self.params, self.cwd, self.workspace, self.files, self.diagnostics)
        body, problem = options(self.model, self.params, self.settings, self.cwd, self.workspace)
        self._refuse(problem)
        self._unknown_model()
        materials = Materials(
            model=self.model,
            gates={
                **self._gates(features, servers, bool(own_roles)),
                **asked.gates,
                "own_base": base.when,
                "developer": developer.when,
                "memory": memory.when,
                "session_hook": hook["SessionStart"].when,
                "prompt_hook": hook["UserPromptSubmit"].when,
            },
            features=features,
            sandboxes={mode: chosen.is_(mode) for mode in MODES},
            codex_home=self.home,
            prompt=self.params.prompt,
            cwd=self.cwd,
            here=environment(self.inputs, self.cwd),
            sandbox=seen,
            base=base.pieces,
            developer=developer.pieces,
            memory=memory.pieces,
            user_file=user_file,
            project_files=project_files,
            skills=listing.skills,
            skill_roots=listing.roots,
            mentioned=mentioned(self.params.prompt, listing.found, self.workspace),
            servers=servers.answering,
            roles=own_roles,
            approved_prefixes=prefixes,
            session_hook=hook["SessionStart"].pieces,
            prompt_hook=hook["UserPromptSubmit"].pieces,
            images=pictures,
            threads=self._threads(),
            window=self._window(),
            compact_limit=self._compact_limit(),
            options=body,
            web_search=self._web_search(chosen),
        )
        return Gathered(
            facts=facts_of(self.inputs, self.params, chosen.mode, CHOICES, self.model.name),
            materials=materials,
            files=tuple(self.files),
            diagnostics=tuple(self.diagnostics),
            derived=(*self._derived(chosen, asked), *self._by_model(chosen, features, materials.web_search)),
            refused=self.refusals[0] if self.refusals else None,
            idle=(*servers.idle, *self._foreign_servers(servers)),
        )

    def _foreign_servers(self, servers: mcp.Servers) -> Iterator[IdleServer]:
        why = "Codex does not read .mcp.json: its servers are in `mcp_servers` of config.toml"
        known = [server.name for server in servers.idle]
        known += [server.name for server in servers.answering]
        return foreign(self.workspace, f"{self.cwd.rstrip('/')}/.mcp.json", why, known)

    def _derived(self, sandbox: Sandbox, asked: Approvals) -> Iterator[Derivation]:
        """The sandbox and who approves, by what decides them (4.3, 6.2), and the settings that files decide."""
        known, args = self.settings.known, self.params.args
        decides = sandbox.is_(sandbox.mode)
        if self.inputs.mode != sandbox.mode:
            yield Derivation("mode", sandbox.mode, decides)
        named = known("model")
        if self.inputs.model is None:
            usual = because("model", "it is Codex's own where none is named")
            yield Derivation("model", self.model.name, by_setting(named) if named.value else usual)
        yield Derivation("args.sandbox", sandbox.mode, decides, args.sandbox)
        yield Derivation("args.approval", asked.policy, asked.because, args.approval, is_setting=True)
        trusted = self.decided.of(self.cwd).level == "trusted"
        by_decision = self.decided.is_("trusted", self.cwd, "the project is trusted", "nobody trusted the project")
        yield Derivation("args.trust", trusted, by_decision, args.trust or None, is_setting=True)
        yield in_home("CODEX_HOME", codex_home(replace(self.inputs, env={})), self.inputs.env.get("CODEX_HOME"))
        yield from from_settings(fields_of(CodexParams), lambda key: known(*key.split(".")))

    def _by_model(
        self, sandbox: Sandbox, features: dict[str, Condition], web_search: Mapping[str, Json]
    ) -> Iterator[Derivation]:
        """The settings that no layer has and that the model's entry, or the sandbox, decides (1.3, 7.6)."""
        model = self.model
        own = because("model", f"the entry of {model.name} says so" if model.known else f"{model.name} is not known")
        second = gates.second_kind(self.of_model["second_own"], features["multi_agent_v2"])
        search = sandbox.is_(FULL_ACCESS) | features["web_search_request"]
        found: tuple[tuple[str, Json, Condition], ...] = (
            ("model_reasoning_effort", model.effort, own),
            ("model_reasoning_summary", None if model.known else "auto", own),
            ("model_verbosity", model.verbosity, own),
            ("model_context_window", model.window, own),
            ("features.multi_agent_v2", model.sub_agents == "v2" or None, second),
            ("web_search", "live" if web_search["external_web_access"] else "cached", search),
        )
        for key, value, cause in found:
            if value is not None and self.settings.known(*key.split(".")).value is None:
                yield Derivation(f"settings.{key}", value, cause, is_setting=True)

    def _beside_settings(self) -> tuple[str, ...]:
        """The folders of the settings that count, the strongest last: rules and roles lie beside these."""
        trusted = (f for f in self.settings_folders if self.trust.of(f).level == "trusted")
        return (self.reader.system_folder, self.home, *(f"{folder.rstrip('/')}/.codex" for folder in trusted))

    def _refuse(self, problem: Diagnostic | None) -> None:
        if problem is not None:
            self.refusals.append(problem)

    def _sandbox(self) -> Sandbox:
        level = self.in_force.of(self.cwd).level
        try:
            return sandbox(self.inputs, self.params, self.settings, level)
        except UnknownProfileError as error:
            source = self.settings.known("default_permissions").source
            self.refusals.append(refusal(str(error), source.path, source.line))
            return Sandbox("read-only", "it does not start", "mode")

    def _unknown_model(self) -> None:
        if not self.model.known:
            known = self.settings.known("model").source
            path, line = (None, None) if self.inputs.model else (known.path, known.line)
            text = f"Codex does not know the model {self.model.name}: it goes by data that fit no model in particular"
            self.diagnostics.append(Diagnostic("warning", "unknown-model", text, path, line))

    def _agents_md(self) -> tuple[AgentsFile | None, tuple[AgentsFile, ...]]:
        limit = self.settings.known("project_doc_max_bytes")
        size = limit.value if isinstance(limit.value, int) and limit.value >= 0 else MAX_BYTES
        fallbacks = self.settings.texts("project_doc_fallback_filenames") or []
        level = self.in_force.of(self.cwd).level
        no = "the project is trusted" if level else "nobody has called the project untrusted"
        untrusted = self.in_force.is_("untrusted", self.cwd, "the project is untrusted", no)
        gatherer = AgentsGatherer(
            self.workspace, self.home, self.folders, Known(size, limit.source), fallbacks, ~untrusted,
            level != "untrusted", self.files, self.diagnostics,
        )  # fmt: skip
        user, project = gatherer.user_file(), gatherer.project_files()
        if level == "untrusted":
            self._untrusted()
        self.diagnostics += nested_files(self.cwd, (OVERRIDE, NAME, *fallbacks), self.workspace, self.files)
        self._unread((OVERRIDE, NAME, *fallbacks))
        return user, project

    def _unread(self, names: Sequence[str]) -> None:
        """Rows of what nearly counts: other spellings, other places, and files beyond the project's root."""
        known = {file.path for file in self.files} | {f"{self.home}/{name}" for name in names}
        above = beyond(self.workspace, self.walk, "agents-md", lambda _, at: _in(at, names), known, MOVE_THE_ROOT)
        near = near_misses(self.workspace, [*places(self.folders, names, self.home)], known)
        home = self.inputs.home  # whose skills count wherever Codex is started

        def skill_files(copy: Workspace, folder: str) -> Iterator[str]:
            entries = copy.list(f"{folder.rstrip('/')}/.agents/skills").entries if folder != home else ()
            return _in(folder, (f".agents/skills/{entry.name}/{SKILL}" for entry in entries))

        skills = beyond(self.workspace, self.walk, "skill", skill_files, known, MOVE_THE_ROOT)
        self.files += [*above, *near, *skills]

    def _untrusted(self) -> None:
        """The surprise: the text is lost, and skills of the same repository are kept (2.8, 4.3)."""
        lost = [file for file in self.files if file.kind == "agents-md" and not file.path.startswith(f"{self.home}/")]
        if any(file.bytes for file in lost):
            place = self.in_force.of(self.cwd).source
            text = "the project is untrusted: its AGENTS.md are not read, while its skills still count"
            self.diagnostics.append(Diagnostic("warning", "untrusted-agents-md", text, place.path, place.line))

    def _skills(self) -> Listing:
        bundled = self.settings.flag("skills", "bundled", "enabled", default=True)
        when = bundled.is_(True, unset=False, yes="Codex's own skills are on", no="Codex's own skills are off")
        gatherer = SkillGatherer(
            workspace=self.workspace,
            settings=self.settings,
            codex_home=self.home,
            system_folder=self.reader.system_folder,
            home=self.inputs.home,
            folders=self.folders,
            settings_folders=[folder.rstrip("/") for folder in self.settings_folders],
            window=self._window(),
            names_only=self.features["omit_skill_descriptions"].value,
            bundled=when,
            has_bundled=bundled.value,
            files=self.files,
            diagnostics=self.diagnostics,
        )
        return gatherer.gather()

    def _window(self) -> int:
        """Tokens of the raw window."""
        given = self.settings.known("model_context_window").value
        return given if isinstance(given, int) and given > 0 else self.model.window

    def _compact_limit(self) -> int | None:
        given = self.settings.known("model_auto_compact_token_limit").value
        return given if isinstance(given, int) and given > 0 else None

    def _threads(self) -> int:
        given = self.settings.known("features", "multi_agent_v2", "max_concurrent_threads_per_session").value
        return given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else _THREADS

    def _web_search(self, chosen: Sandbox) -> dict[str, Json]:
        """The tool as classic models are given it (7.6)."""
        mode = self.settings.text("web_search").value
        by_default = chosen.mode == FULL_ACCESS or self.features["web_search_request"].value
        live = mode in ("live", "indexed") or (mode is None and by_default)
        made: dict[str, Json] = {"type": "web_search", "external_web_access": live}
        table = self.settings.table("tools", "web_search")
        if isinstance(table.get("context_size"), str):
            made["search_context_size"] = table["context_size"]
        if isinstance(table.get("allowed_domains"), list):
            made["filters"] = {"allowed_domains": table["allowed_domains"]}
        if isinstance(table.get("location"), dict):
            made["user_location"] = {"type": "approximate", **table["location"]}
        if self.model.known:
            made["search_content_types"] = ["text", "image"]
        return made

    def _gates(self, features: Mapping[str, Condition], servers: mcp.Servers, roles: bool) -> dict[str, Condition]:
        """What the model, the features, the settings and the servers decide."""
        on, text, of_model = self.settings.enabled, self.settings.text, self.of_model
        second = gates.second_kind(of_model["second_own"], features["multi_agent_v2"])
        first = features["multi_agent"] & ~second
        return {
            **of_model,
            "second_kind": second,
            "first_kind": first,
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
            "deferred": (servers.with_tools & of_model["known"]) | (first & of_model["known"]),
            "web_search": ~text("web_search").is_(
                "disabled", unset="cached", yes="`web_search` is disabled", no="`web_search` is {actual}"
            ),
            "roles": Observed(
                "file", "roles", roles, "roles are described", "no role is described",
                remedy=f"describe a role in {self.home}/agents/<name>.toml",
            ),
        }  # fmt: skip


def _in(folder: str, names: Iterable[str]) -> Iterator[str]:
    return (f"{folder.rstrip('/')}/{name}" for name in names)
