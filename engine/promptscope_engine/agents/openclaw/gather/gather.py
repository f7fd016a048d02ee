"""From configuration, workspace and machine to the materials."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.near_misses import Place, Reads, near_misses, near_skills, rows_below
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.settings import mapping, text, unmatched
from promptscope_engine.agents.kit.settings_schema import refusal
from promptscope_engine.agents.openclaw.gather import bootstrap, channels, contexts, derived, runtime, skills
from promptscope_engine.agents.openclaw.gather.agents import (
    agent_id,
    agent_of_folder,
    agent_path,
    agents,
    default_agent_id,
    parse_session,
    unread_session,
    workspace_of,
)
from promptscope_engine.agents.openclaw.gather.config import (
    POLICY,
    Config,
    completed,
    config_path,
    load_config,
    schema,
    short_path,
    state_dir,
    user_path,
)
from promptscope_engine.agents.openclaw.gather.history import history
from promptscope_engine.agents.openclaw.gather.references import PLUGIN, lists_of_names, strangers
from promptscope_engine.agents.openclaw.gather.sandbox import Box, box, main_key, sandbox
from promptscope_engine.agents.openclaw.gather.tools import Creation, own_tools, stand_ins
from promptscope_engine.agents.openclaw.levers import Settings
from promptscope_engine.agents.openclaw.materials import (
    Context,
    Heartbeat,
    Materials,
    Parameter,
    Prompt,
    Session,
    of_setting,
    parameter,
)
from promptscope_engine.agents.openclaw.params import OpenClawParams
from promptscope_engine.agents.openclaw.texts import FOLDER
from promptscope_engine.agents.openclaw.tool_policy import (
    Offer,
    Policy,
    configured,
    decide,
    sandbox_policy,
    subagent_policy,
)
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.frozen import frozen
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json5 import parse_json5
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import Any, Condition, Facts, Observed
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.leaves import param_decides
from promptscope_engine.prompt.model import Diagnostic, ModeChoice
from promptscope_engine.workspace import Workspace

NAMES = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md")
_KIND = "bootstrap"


def places(folder: str, state: str, reads: Reads) -> Iterator[Place]:
    """`folder` is the agent's workspace, `state` the folder of its settings."""
    theirs = {name: reads.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    yield Place(folder, _KIND, (*NAMES, "memory.md"), theirs=theirs)
    if state != folder:
        yield Place(state, _KIND, others={name: reads.sentence(name) for name in NAMES})


MODES = ("full", "minimal", "none")
_MODE_CHOICES = tuple(ModeChoice(slug, slug) for slug in MODES)


@frozen
class _Run:
    """Whose run it is, where, through which channel, with which model."""

    inputs: Inputs
    params: OpenClawParams
    config: Config
    session: Session
    me: str
    """The agent's id."""
    own: Path
    """Its own entry in `agents.list`, () without one."""
    is_default: bool
    of_folder: tuple[str, Condition] | None
    """The agent whose workspace the folder is, and why."""
    folder: str
    channel: str | None
    box: Box
    model: str
    default_model: str

    @property
    def settings(self) -> Settings:
        return self.config.settings

    @property
    def entry(self) -> Mapping[str, Json]:
        """The agent's own entry in `agents.list`."""
        return mapping(self.settings.get(self.own)) if self.own else {}


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need. Raises ScenarioError for a mode that does not exist."""
    inputs, variables = completed(inputs, workspace)
    run = _run(inputs, workspace)
    params, settings = run.params, run.settings
    loaded = _entries(run, workspace)
    found = skills.skills(inputs, params, run.config, run.entry, workspace, run.folder)
    offers, ignored = _offers(run)
    passed = params.promptParams.model_dump(exclude_unset=True)
    prompt = Prompt(_parameters(run, workspace, offers), passed)
    limits = contexts.bounds(settings)
    shown = contexts.contexts(loaded.entries, limits)
    chat = channels.chat(settings, prompt, run.session, run.channel)
    own_speech, preferences = channels.preferences(workspace, state_dir(inputs), inputs.home)
    hashed = settings.known("commands.ownerDisplay", text(settings.get("commands.ownerDisplay")) or "raw")
    citations = settings.known("memory.citations", text(settings.get("memory.citations")) or "auto")
    before, session_files, unread = history(_session_file(inputs, params), params.sessionLine, workspace)
    materials = Materials(
        settings=settings,
        session=run.session,
        prompt=prompt,
        date=inputs.environment.date,
        offers=offers,
        offered=_by_name(offers),
        tool_stand_ins=None if params.tools is None else tuple(params.tools),
        contexts=shown,
        limits=limits,
        skills=found.pieces,
        has_skills=found.because,
        bootstrapping=_bootstrapping(shown, short_path(run.folder, inputs.home)),
        speech=channels.speech(settings, own_speech),
        chat=chat,
        reactions=channels.reactions(settings, prompt, run.channel),
        heartbeat=_heartbeat(run),
        sandbox=sandbox(settings, prompt, run.box, run.own, run.channel),
        runtime=tuple(runtime.runtime_parts(prompt, run.channel)),
        hashed=hashed.is_("hash", unset="raw"),
        citations_off=citations.is_("off", unset="auto"),
        message=params.task,
        history=before,
        session_file=_session_file(inputs, params) or "",
    )
    facts = _facts(run, prompt)
    bootstrapped = contexts.files(shown, limits, replaced=prompt.value("contextFiles") is not None)
    return Gathered(
        refused=run.config.refused or _refused(run, workspace),
        facts=facts,
        materials=materials,
        files=(
            *run.config.files,
            *variables,
            *preferences,
            *bootstrapped,
            *_unread(run, workspace, {entry.path for entry in loaded.entries} | {file.path for file in found.files}),
            *found.files,
            *session_files,
        ),
        diagnostics=(
            *run.config.diagnostics,
            *loaded.diagnostics,
            *found.diagnostics,
            *ignored,
            *unmatched(
                lists_of_names(settings, run.own, offers, found.names, found.keys, knows_bundled=found.knows_bundled)
            ),
            *unread,
            *_notices(run, prompt),
            *_seeded(run, loaded),
        ),
        derived=(
            *_by_session(run, prompt),
            *derived.from_parameters(prompt),
            *derived.from_run(prompt, run.channel),
            *_folders(run),
            *derived.from_materials(materials, facts),
        ),
    )


def _refused(run: _Run, workspace: Workspace) -> Diagnostic | None:
    """The first thing that the configuration's file names and OpenClaw does not find."""
    settings = run.settings
    if run.params.config is not None:
        return None
    plugins = skills.manifests(run.inputs, settings, workspace, run.folder)
    known = (mapping(parse_json5(file.text).value) for file in plugins)

    def place(path: Path) -> tuple[str | None, int | None]:
        source = settings.source(path)
        return source.path, source.line

    found = strangers(settings, schema(), known, run.inputs, workspace)
    return next((refusal(finding, POLICY, place) for finding in found), None)


def _session_file(inputs: Inputs, params: OpenClawParams) -> str | None:
    return user_path(params.sessionFile, inputs) if params.sessionFile else None


def _by_session(run: _Run, prompt: Prompt) -> Iterator[Derivation]:
    """What the session and the configuration decide of the run (1, 6, 7)."""
    if run.of_folder is not None:
        whose, cause = run.of_folder
        key = main_key(run.settings, whose)
        yield Derivation("sessionKey", key, cause, run.params.sessionKey, is_setting=True)
    owner = "the default agent" if run.is_default else f"the agent {run.me}"
    session = f"the session {run.params.sessionKey or f'of {owner}'} is {run.session.kind}"
    by_session = Observed("flag", "sessionKey", True, session, session)
    yield Derivation("promptParams.promptMode", run.session.mode, by_session, prompt.passed.get("promptMode"))
    agent = f"{run.me} is {'the' if run.is_default else 'not the'} default agent"
    by_agent = Observed("flag", "heartbeatDefault", True, agent, agent)
    yield Derivation("heartbeatDefault", run.is_default, by_agent, run.params.heartbeatDefault)
    if run.inputs.mode is None and not prompt.passes("promptMode"):
        yield Derivation("mode", run.session.mode, by_session)
    if run.inputs.model is None:
        own = run.entry.get("model")
        named = own or run.settings.get("agents.defaults.model")
        key = "`model` of its entry in `agents.list`" if own else "`agents.defaults.model`"
        told = f"{key} is {text(named) or text(mapping(named).get('primary'))}"
        cause = because("model", told if named else "it is OpenClaw's own where the configuration names none")
        yield Derivation("model", run.model, cause)


def _folders(run: _Run) -> Iterator[Derivation]:
    """Where things lie, and the agent's own list of skills (3, 4)."""
    inputs, params = run.inputs, run.params
    named = inputs.env.get

    def without(variable: str) -> Inputs:
        return replace(inputs, env={name: value for name, value in inputs.env.items() if name != variable})

    yield in_home("OPENCLAW_HOME", inputs.home, named("OPENCLAW_HOME"))
    yield in_home("OPENCLAW_STATE_DIR", state_dir(without("OPENCLAW_STATE_DIR")), named("OPENCLAW_STATE_DIR"))
    for param, path, given in (
        ("env.OPENCLAW_CONFIG_PATH", config_path(without("OPENCLAW_CONFIG_PATH")), named("OPENCLAW_CONFIG_PATH")),
        ("managedSkillsDir", f"{state_dir(inputs)}/skills", params.managedSkillsDir),
    ):
        yield Derivation(param, path, because(param, "it lies in the state folder"), given or None, is_setting=True)
    bundled = named("OPENCLAW_BUNDLED_SKILLS_DIR")
    package = "it lies in the installed package, which is not known here"
    why = "`OPENCLAW_BUNDLED_SKILLS_DIR` names it" if bundled else package
    cause = because("bundledSkillsDir", why)
    yield Derivation("bundledSkillsDir", bundled, cause, params.bundledSkillsDir, is_setting=True)
    own = run.entry.get("skills")
    listed = [str(name) for name in own] if isinstance(own, list) else None
    why = "`skills` of its entry in `agents.list` names them" if listed is not None else "no list: it is offered all"
    filtered: Json = None if params.skillFilter is None else [*params.skillFilter]
    yield Derivation("skillFilter", listed and [*listed], because("skillFilter", why), filtered, is_setting=True)


def _facts(run: _Run, prompt: Prompt) -> Facts:
    mode = run.inputs.mode or (
        prompt.passed["promptMode"] or "full" if prompt.passes("promptMode") else run.session.mode
    )
    if mode not in MODES:
        raise unknown("mode of OpenClaw", mode, MODES, where="mode")
    return facts_of(run.inputs, run.params, mode, _MODE_CHOICES, run.model)


# --- whose session ----------------------------------------------------------------------------------------------------


def _run(inputs: Inputs, workspace: Workspace) -> _Run:
    params = cast(OpenClawParams, inputs.params)
    config = load_config(inputs, params.config, params.configOverlay, workspace)
    settings = config.settings
    default_agent = default_agent_id(settings)
    here = None if params.useConfiguredWorkspace else agent_of_folder(inputs, settings, workspace)
    key = js_trim(params.sessionKey or "") or main_key(settings, here[0] if here else default_agent)
    me = parse_session(key.lower()).agent_id or (here[0] if here else default_agent)
    own = agent_path(settings, me)
    entry = mapping(settings.get(own)) if own else {}
    folder = inputs.workspace
    if params.useConfiguredWorkspace:
        folder = workspace_of(inputs, settings, me)
    workspace.allow([folder, *skills.roots(inputs, config)])
    default = runtime.default_model(settings.values, entry)
    return _Run(
        inputs=inputs,
        params=params,
        config=config,
        session=parse_session(key),
        me=me,
        own=own,
        is_default=me == default_agent,
        of_folder=here,
        folder=folder,
        channel=channels.normal_channel(params.channel),
        box=box(inputs, settings, own, me, key, folder),
        model=runtime.model_ref(settings.values, inputs.model) if inputs.model else default,
        default_model=default,
    )


# --- files, tools -----------------------------------------------------------------------------------------------------


def _unread(run: _Run, workspace: Workspace, known: Container[str]) -> Iterator[FileDraft]:
    """Rows of what nearly counts: other spellings, files of these names below the workspace folder, no skills."""
    folder, state, home = run.folder, state_dir(run.inputs), run.inputs.home
    reads = Reads.of(FOLDER.agent, run.inputs.agent_version)
    yield from near_misses(workspace, [*places(folder, state, reads)], known)
    yield from rows_below(workspace, folder, NAMES, "bootstrap", reads, known)
    at = (f"{folder}/skills", f"{folder}/.agents/skills", f"{state}/skills", f"{home}/.agents/skills")
    near = [draft for path in dict.fromkeys(at) for draft in near_skills(workspace, path, root=True)]
    seen = {draft.path for draft in near}
    yield from (draft for draft in near if draft.path not in known)
    for top in (folder, *(f"{folder}/{name}" for name in (".agents", ".claude", ".openclaw")), f"{home}/skills"):
        for draft in rows_below(workspace, top, ("SKILL.md",), "skill", reads, known):
            if draft.path not in seen:
                seen.add(draft.path)
                yield draft


def _entries(run: _Run, workspace: Workspace) -> bootstrap.Loaded:
    if run.params.bootstrapFiles is not None:
        return bootstrap.stand_ins(run.params.bootstrapFiles, run.session)
    hooks = run.params.internalHooks
    return bootstrap.load_entries(workspace, run.box.folder, run.folder, run.settings, run.session, hooks)


def _seeded(run: _Run, loaded: bootstrap.Loaded) -> Iterator[Diagnostic]:
    """Unless it is told not to, OpenClaw writes the files that are missing from its templates, which are not known
    here: what is shown as missing is there at the next start."""
    absent = [entry.name for entry in loaded.entries if entry.missing and entry.absence == bootstrap.NO_FILE]
    names = [name for name in absent if name != "BOOTSTRAP.md"]  # that one is for a new workspace only
    if run.params.bootstrapFiles is None and run.settings.get("agents.defaults.skipBootstrap") is not True and names:
        what = f"OpenClaw writes {', '.join(names)} when it starts, unless `agents.defaults.skipBootstrap` is on"
        message = (
            f"{what}; here they are shown as missing" if len(names) > 1 else f"{what}; here it is shown as missing"
        )
        yield Diagnostic("info", "seeded", message, run.folder)


def _offers(run: _Run) -> tuple[tuple[Offer, ...], tuple[Diagnostic, ...]]:
    provider, name = runtime.provider_of(run.model), run.model.partition("/")[2]
    steps: list[Policy | None] = [
        *configured(run.settings, run.own, run.me, provider, name),
        channels.group_policy(run.settings, run.session),
    ]
    if run.box.on:
        steps.append(sandbox_policy(run.settings, run.own))
    if run.session.is_subagent:
        steps.append(subagent_policy(run.settings, run.session.depth))
    taken = [step for step in steps if step]
    messages = not run.params.disableMessageTool
    creation = Creation(run.settings, run.own, provider, name, run.box, run.channel, messages, taken)
    offers = own_tools(creation) if run.params.tools is None else stand_ins(run.params.tools)
    return decide(offers, taken, run.settings, owner=run.params.senderIsOwner)


def _by_name(offers: tuple[Offer, ...]) -> dict[str, Condition]:
    found: dict[str, Condition] = {}
    for offer in offers:
        found[offer.key] = found[offer.key] | offer.when if offer.key in found else offer.when
    return found


# --- single parameters ------------------------------------------------------------------------------------------------


def _parameters(run: _Run, workspace: Workspace, offers: tuple[Offer, ...]) -> dict[str, Parameter]:
    inputs, settings = run.inputs, run.settings
    info = runtime.runtime_info(
        inputs, workspace, settings, run.me, run.folder, run.model, run.default_model, run.channel
    )

    def setting(path: str, example: str) -> Parameter:
        return of_setting(settings.known(path, text(settings.get(path))), example, "")

    names = [offer.name for offer in offers if offer.when.holds(Facts())]
    return {
        "defaultThinkLevel": setting("agents.defaults.thinkingDefault", "high"),
        "ownerNumbers": channels.owners(settings, run.channel),
        "ownerDisplay": setting("commands.ownerDisplay", "hash"),
        "ownerDisplaySecret": setting("commands.ownerDisplaySecret", "secret"),
        "memoryCitationsMode": setting("memory.citations", "off"),
        "modelAliasLines": runtime.alias_lines(settings),
        "reasoningTagHint": parameter(None, "provider", "computed", runtime.reasoning_tags(run.model)),
        "toolNames": parameter(names, "tools", "computed"),
        "workspaceDir": parameter(run.box.folder, "workspace", "environment"),
        "userTimezone": runtime.user_timezone(inputs, settings),
        "docsPath": _docs(workspace, run.folder, inputs.home),
        "runtimeInfo": parameter(info, "runtime", "environment"),
    }


def _heartbeat(run: _Run) -> Heartbeat:
    """The prompt of the default agent; other agents are passed none (7)."""
    key = "agents.defaults.heartbeat.prompt"
    passed = run.is_default if run.params.heartbeatDefault is None else run.params.heartbeatDefault
    yes, no = "the default agent has the heartbeat", "only the default agent has the heartbeat"
    named = text(run.settings.get(key))
    configured_prompt = run.settings.known(key, named).is_given("Look around.", "")
    return Heartbeat(
        param_decides("heartbeatDefault", passed, yes, no, on=True, off=False), configured_prompt, parameter(named, key)
    )


def _docs(workspace: Workspace, folder: str, home: str) -> Parameter:
    """The workspace's own `docs`; where the package lies is not known here."""
    path = f"{folder}/docs"
    there = workspace.is_dir(path)
    yes, no = "the documentation's path is known", "no documentation was found"
    remedy = f"put the documentation into {short_path(path, home)}; no switch simulates it"
    because = Observed("file", path, there, yes, no, remedy=remedy)
    return parameter(path if there else None, "workspace", "environment", because)


def _bootstrapping(shown: tuple[Context, ...], folder: str) -> Condition:
    """BOOTSTRAP.md is there, whether its text still found room or not (4)."""
    entries = [context.entry for context in shown if context.entry.name == "BOOTSTRAP.md"]
    given = tuple(entry.when for entry in entries if not entry.missing)
    if given:
        return Any(given)
    no, remedy = "there is no BOOTSTRAP.md", f"create {folder}/BOOTSTRAP.md; no switch simulates it"
    return Observed("file", "BOOTSTRAP.md", False, "", no, remedy=remedy)


def _notices(run: _Run, prompt: Prompt) -> Iterator[Diagnostic]:
    """What the agent would know and we do not, and what was said that it does not read."""
    if js_trim(run.params.sessionKey or ""):
        yield from unread_session(run.session, [agent_id(entry.get("id")) for _, entry in agents(run.settings)])
    yield from channels.unknown_channel(run.settings, run.channel)
    if prompt.value("runtimeInfo") is not None and not prompt.object("runtimeInfo").get("node"):
        yield Diagnostic("info", "runtime", "the runtime line lacks node=: `environment.node` is not given")
    for plugin, entry in mapping(run.settings.get("plugins.entries")).items():
        if mapping(entry).get("enabled") is True and f"{PLUGIN}{plugin}" not in schema().named:
            message = f"the plugin {plugin} is on: plugins are not run, so tools that it brings are not shown"
            yield Diagnostic("info", "plugins", message)
    named = text(run.settings.get("agents.defaults.workspace"))
    if named and user_path(named, run.inputs) != run.folder:
        message = f"the configuration names the workspace {named}; `useConfiguredWorkspace` takes it"
        yield Diagnostic("info", "workspace", message)
    if prompt.value("ownerDisplay") == "hash" and not prompt.text("ownerDisplaySecret"):
        message = "OpenClaw makes up a secret for hashed senders; without it these are plain hashes"
        yield Diagnostic("info", "owners", message)
