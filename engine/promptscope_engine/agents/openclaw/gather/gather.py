"""From configuration, workspace and machine to the materials, and what a run derives from them."""

from collections.abc import Container, Iterator
from functools import partial
from typing import cast

from msgspec.structs import replace

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.kit.disk.rows import Place, Reads, Strays, near_misses, near_skills, rows_below
from promptscope_engine.agents.kit.disk.settings import mapping, text, unmatched
from promptscope_engine.agents.kit.disk.settings_schema import refusal
from promptscope_engine.agents.kit.text.params import facts_of
from promptscope_engine.agents.openclaw import tool_policy
from promptscope_engine.agents.openclaw.directory import described, form_of, room_of, waiting_now
from promptscope_engine.agents.openclaw.gather import bootstrap, channels, project, runtime, skills
from promptscope_engine.agents.openclaw.gather.config import (
    completed,
    config_path,
    load_config,
    policy_of,
    schema,
    short_path,
    state_dir,
    user_path,
)
from promptscope_engine.agents.openclaw.gather.references import PLUGIN, lists_of_names, strangers
from promptscope_engine.agents.openclaw.gather.runtime import AgentRun, agent_id, parse_session
from promptscope_engine.agents.openclaw.gather.tools import (
    box,
    in_form,
    own_tools,
    sandbox,
    searching,
    stand_ins,
)
from promptscope_engine.agents.openclaw.materials import (
    Answers,
    Context,
    Materials,
    Parameter,
    Prompt,
    of_setting,
    parameter,
)
from promptscope_engine.agents.openclaw.params import OpenClawParams
from promptscope_engine.agents.openclaw.texts import BOUNDARY, FOLDER, NEWER, RUNTIME
from promptscope_engine.agents.openclaw.tool_policy import Offer, Policy
from promptscope_engine.formats.document import Json, Path
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.javascript.json import parse_json5
from promptscope_engine.javascript.text import js_trim
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Facts, Named, any_of
from promptscope_engine.prompt.derived import Derivation, because, in_home
from promptscope_engine.prompt.drafts import FileDraft, computed
from promptscope_engine.prompt.model import Diagnostic, ModeChoice
from promptscope_engine.prompt.spans import joined
from promptscope_engine.workspace import Workspace

from . import turns
from .messages import history
from .servers import Servers
from .skill_folders import usual_limits
from .turns import whose

_WORDS = {
    "toolNames": "they are the tools that the policies leave",
    "workspaceDir": "it is the folder that the agent works in",
    "userTimezone": "it is the machine's time zone",
    **{f"runtimeInfo.{part['of']}": part["is"] for part in RUNTIME.values()},
}
"""What the values without a condition are made of."""


def from_session(run: AgentRun, prompt: Prompt) -> Iterator[Derivation]:
    """What the session and the configuration decide of the run."""
    yield from run.whose
    owner = "the default agent" if run.is_default else f"the agent {run.me}"
    key = run.params.sessionKey or ("" if run.session.kind == "main" else run.session.key)
    session = f"the session {key or f'of {owner}'} is {run.session.kind}"
    by_session = because("sessionKey", session)
    yield Derivation("promptParams.promptMode", run.mode, by_session, prompt.passed.get("promptMode"))
    agent = f"{run.me} is {'the' if run.is_default else 'not the'} default agent"
    by_agent = because("heartbeatDefault", agent)
    yield Derivation("heartbeatDefault", run.is_default, by_agent, run.params.heartbeatDefault)
    if run.inputs.mode is None and not prompt.passes("promptMode"):
        yield Derivation("mode", run.mode, by_session)
    if run.inputs.model is None:
        own = run.entry.get("model")
        named = own or run.settings.get("agents.defaults.model")
        key = "`model` of its entry in `agents.list`" if own else "`agents.defaults.model`"
        told = f"{key} is {text(named) or text(mapping(named).get('primary'))}"
        cause = because("model", told if named else "it is OpenClaw's own where the configuration names none")
        yield Derivation("model", run.model, cause)


def from_folders(run: AgentRun, workspace: Workspace) -> Iterator[Derivation]:
    """Where things lie, and the agent's own list of skills."""
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
        yield Derivation(param, path, because(param, "it is in the state folder"), given or None, is_setting=True)
    bundled, why = named("OPENCLAW_BUNDLED_SKILLS_DIR"), "`OPENCLAW_BUNDLED_SKILLS_DIR` names it"
    if not bundled:
        package = skills.package_of(run, workspace) if run.is_newer else None
        bundled = f"{package}/skills" if package else None
        why = skills.UNKNOWN_PACKAGE[run.is_newer] if bundled is None else "it is in the installed package"
    cause = because("bundledSkillsDir", why)
    yield Derivation("bundledSkillsDir", bundled, cause, params.bundledSkillsDir, is_setting=True)
    own = run.entry.get("skills")
    listed = [str(name) for name in own] if isinstance(own, list) else None
    why = "`skills` of its entry in `agents.list` names them" if listed is not None else "no list: it is offered all"
    filtered: Json = None if params.skillFilter is None else [*params.skillFilter]
    yield Derivation("skillFilter", listed and [*listed], because("skillFilter", why), filtered, is_setting=True)


def from_parameters(prompt: Prompt) -> Iterator[Derivation]:
    """The builder's parameters that were gathered. They are there to be replaced: other values are no mistake."""
    for name, found in prompt.gathered.items():
        passed = prompt.passed.get(name)
        if not isinstance(found.value, dict):  # `runtimeInfo` alone is an object
            yield _parameter(name, found.value, found.because, passed)
            continue
        replaced = passed if isinstance(passed, dict) else {}
        for key in (*found.value, *(each for each in ("channel", "capabilities") if each not in found.value)):
            value: Json = found.value.get(key)
            cause: Condition = ALWAYS
            if passed is not None and key not in replaced:  # the whole of it is replaced
                value = None
                cause = because(f"promptParams.{name}.{key}", f"`promptParams.{name}` is passed without it")
            elif key not in found.value:
                cause = because(f"promptParams.{name}.{key}", "the message has no channel")
            yield _parameter(f"{name}.{key}", value, cause, replaced.get(key))


def from_run(prompt: Prompt, channel: str | None) -> Iterator[Derivation]:
    """The parameters that parts of OpenClaw give which are not modelled: a channel's plugin, commands."""
    plugin = f"the plugin of {channel} may say some: plugins are not run, so none are shown"
    hints = plugin if channel else "the message has no channel, whose plugin would say them"
    known: tuple[tuple[str, Json, str], ...] = (
        ("messageToolHints", None, hints),
        ("toolSummaries", "the whole description of each tool", "they are those of the tools that the policies leave"),
        ("reasoningLevel", "off", "it is off until somebody sends /reasoning"),
    )
    for name, value, why in known:
        yield _parameter(name, value, because(f"promptParams.{name}", why), prompt.passed.get(name))


def from_materials(materials: Materials, facts: Facts) -> Iterator[Derivation]:
    """The parameters that are made of files, skills, the channel and the sandbox."""
    boxed, reactions, chat = materials.sandbox, materials.reactions, materials.chat
    level = "minimal" if reactions.minimal.holds(facts) else "extensive"
    heartbeat = materials.heartbeat
    own_prompt = heartbeat.prompt.value if heartbeat.configured.holds(facts) else "the built-in prompt"
    listed: list[Json] = [context.entry.path for context in materials.contexts if context.entry.when.holds(facts)]
    made: tuple[tuple[str, Json, Condition], ...] = (
        ("contextFiles", listed, any_of((c.entry.when for c in materials.contexts), FOLDER.reason("injected"))),
        ("workspaceNotes", "a note on commits", materials.bootstrapping),
        ("skillsPrompt", joined(materials.skills), materials.has_skills),
        ("heartbeatPrompt", own_prompt, heartbeat.passed),
        ("extraSystemPrompt", "what it says about the channel", chat.comes_by_channel | chat.group_prompt.because),
        ("sandboxInfo", {"enabled": True, "containerWorkspaceDir": boxed.workdir.value}, boxed.on),
        ("reactionGuidance", {"level": level, "channel": reactions.channel.value}, reactions.on),
        ("ttsHint", materials.speech.auto, materials.speech.on),
    )
    for name, value, cause in made:
        if not materials.prompt.passes(name):  # otherwise the condition is about what was passed
            yield Derivation(f"promptParams.{name}", value if cause.holds(facts) else None, cause, is_setting=True)


def _parameter(name: str, value: Json, cause: Condition, given: Json) -> Derivation:
    param = f"promptParams.{name}"
    if cause is ALWAYS:
        cause = because(param, _WORDS.get(name, "it is gathered"))
    return Derivation(param, value, cause, given, is_setting=True)


GENERATORS = ("image_generate", "music_generate", "video_generate")
MODES = ("full", "minimal", "none")


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything that sections and tools need. Raises ScenarioError for a mode that does not exist."""
    return _Gathering(inputs, workspace).gather()


class _Gathering:
    """Gathers for one run."""

    def __init__(self, inputs: Inputs, workspace: Workspace) -> None:
        self.workspace = workspace
        self.inputs, self.variables = completed(inputs, workspace)
        self.run = run = _run(self.inputs, workspace)
        self.loaded = bootstrap.loaded(run, workspace)
        self.found = skills.skills(run, workspace)
        self.found_by = turns.finding(run)
        self.servers = Servers(run, workspace)
        self.offers, self.ignored = _offers(run, self.found_by, self.servers)
        self.waiting = waiting_now(self.offers)
        passed = run.params.promptParams.model_dump(exclude_unset=True)
        self.prompt = Prompt(_parameters(run, workspace, self.offers), passed)
        own = run.entry if run.is_newer else {}
        self.limits = bootstrap.bounds(run.settings, bootstrap.said_of(run)["total"], own)
        self.shown = bootstrap.contexts(self.loaded.entries, self.limits, run)
        self.own_speech, self.preferences = channels.preferences(workspace, state_dir(self.inputs), self.inputs.home)
        self.form = self._form()
        session_file = run.params.sessionFile
        self.session_file = user_path(session_file, self.inputs) if session_file else ""
        self.history, self.session_files, self.unread = history(self.session_file, run.params.sessionLine, workspace)

    def _form(self) -> tuple[int | None, int, int]:
        """The longest description in the directory, None if there is none, its rows, and what has none."""
        run = self.run
        if not run.is_newer or self.found_by.code.holds(Facts()):
            return None, 0, 0
        told = [(offer, described(offer, run.version)) for offer in self.waiting]
        return form_of(told, self.found_by.mode, room_of(run.window))

    def _room_for_skills(self) -> Condition:
        """Where not even one has room, nothing is said of skills [asked of 2026.9.6]."""
        key = "skills.limits.maxSkillsPromptChars"
        if not self.run.is_newer or not self.found.because.holds(Facts()) or joined(self.found.spans):
            return ALWAYS
        return self.run.settings.decides(
            key,
            False,
            "",
            f"no skill fits into `{key}`",
            on=usual_limits(self.run.version).chars,
        )

    def gather(self) -> Gathered[Materials]:
        """The materials, with rows, notes and the inputs that were computed."""
        run, prompt, found, loaded = self.run, self.prompt, self.found, self.loaded
        materials, facts = self._materials(), self._facts()
        replaced = prompt.value("contextFiles") is not None
        seen = {entry.path for entry in loaded.entries} | {file.path for file in found.files}
        names = lists_of_names(run, self.offers, found)
        return Gathered(
            refused=run.config.refused or _refused(run, self.workspace),
            facts=facts,
            materials=materials,
            files=(
                *run.config.files,
                *self.variables,
                *self.preferences,
                *bootstrap.files(self.shown, self.limits, replaced=replaced),
                *_unread(run, self.workspace, seen),
                *found.files,
                *self.session_files,
            ),
            diagnostics=(
                *run.config.diagnostics,
                *loaded.diagnostics,
                *found.diagnostics,
                *self.ignored,
                *self.servers.diagnostics,
                *unmatched(names),
                *self.unread,
                *_notices(run, prompt),
                *_moved(materials.boundary, self.shown),
                *_seeded(run, loaded),
            ),
            configured=self.servers.configured,
            idle=tuple(self.servers.idle),
            known={"skillFilter": tuple(found.names)},
            endpoint=turns.endpoint_of(run),
            derived=(
                *from_session(run, prompt),
                *from_parameters(prompt),
                *from_run(prompt, run.channel),
                *from_folders(run, self.workspace),
                *from_materials(materials, facts),
            ),
        )

    def _materials(self) -> Materials:
        run, prompt, params, settings = self.run, self.prompt, self.run.params, self.run.settings
        hashed = settings.named("commands.ownerDisplay", "raw")
        bootstrapping = _bootstrapping(self.shown, short_path(run.folder, self.inputs.home))
        citations = settings.named("memory.citations", "auto")
        return Materials(
            settings=settings,
            session=run.session,
            prompt=prompt,
            date=self.inputs.environment.date,
            offers=self.offers,
            offered=_by_name(self.offers),
            contexts=self.shown,
            limits=self.limits,
            skills=self.found.spans,
            has_skills=self.found.because & self._room_for_skills(),
            bootstrapping=bootstrapping,
            speech=channels.speech(settings, self.own_speech, run.version),
            chat=channels.chat(settings, prompt, run.session, run.channel, run.version),
            reactions=channels.reactions(settings, prompt, run.channel),
            heartbeat=_heartbeat(run),
            sandbox=sandbox(run, prompt),
            runtime=tuple(runtime.runtime_parts(prompt, run.channel, run.version)),
            hashed=hashed.is_("hash", unset="raw"),
            citations_off=citations.is_("off", unset="auto"),
            message=params.task,
            history=self.history,
            session_file=self.session_file,
            version=run.version,
            api=turns.api_of(run),
            window=run.params.modelInfo.contextWindow if run.params.modelInfo else None,
            more=self._more(bootstrapping) if run.is_newer else {},
            row_chars=None if self._mode() == "none" else self.form[0],  # which has no directory
            rows=self.form[1],
            boundary=_boundary(self.shown) if run.is_newer else None,
        )

    def _more(self, bootstrapping: Condition) -> dict[str, object]:
        left = self.form[2]
        return {
            **turns.answers(self.run, self.found_by, self.shown, bootstrapping),
            **project.answers(self.run, self.workspace),
            "generators": [{"name": each.name, "when": each.when} for each in self.offers if each.key in GENERATORS],
            "no_rows": not self.waiting,
            "rows_left_out": computed("directory.left", str(left)) if left else None,
        }

    def _mode(self) -> str:
        prompt = self.prompt
        passed = prompt.passed["promptMode"] or "full" if prompt.passes("promptMode") else self.run.mode
        return self.inputs.mode or str(passed)

    def _facts(self) -> Facts:
        mode = self._mode()
        if mode not in MODES:
            raise unknown("mode of OpenClaw", mode, MODES, where="mode")
        return facts_of(self.inputs, mode, tuple(ModeChoice(slug, slug) for slug in MODES), self.run.model)


def _refused(run: AgentRun, workspace: Workspace) -> Diagnostic | None:
    """The first thing that the configuration's file names and OpenClaw does not find."""
    settings = run.settings
    if run.params.config is not None:
        return None
    plugins = skills.manifests(run, workspace)
    known = (mapping(parse_json5(file.text).value) for file in plugins)

    def place(path: Path) -> tuple[str | None, int | None]:
        source = settings.source(path)
        return source.path, source.line

    found = strangers(settings, schema(run.version), known, run.inputs, workspace)
    return next((refusal(finding, policy_of(run.version), place) for finding in found), None)


# --- whose session ----------------------------------------------------------------------------------------------------


def _run(inputs: Inputs, workspace: Workspace) -> AgentRun:
    params = cast(OpenClawParams, inputs.params)
    config = load_config(inputs, params.config, params.configOverlay, workspace)
    settings = config.settings
    here = None if params.useConfiguredWorkspace else runtime.agent_of_folder(inputs, settings, workspace)
    found = whose(params, settings, here, is_newer=inputs.agent_version >= NEWER)
    me = found.me
    own = runtime.agent_path(settings, me)
    entry = settings.object(own) if own else {}
    folder = runtime.workspace_of(inputs, settings, me) if params.useConfiguredWorkspace else inputs.workspace
    workspace.allow([folder, *skills.roots(inputs, settings)])
    default = runtime.default_model(settings.values, entry, is_newer=inputs.agent_version >= NEWER)
    if inputs.agent_version >= NEWER and inputs.model and not runtime.names_model(settings.values, entry):
        default = runtime.model_ref(settings.values, inputs.model)
    return AgentRun(
        inputs=inputs,
        params=params,
        config=config,
        session=parse_session(found.key),
        me=me,
        own=own,
        is_default=me == runtime.default_agent_id(settings),
        whose=found.derived,
        to_main=found.to_main,
        folder=folder,
        channel=found.channel,
        box=box(inputs, settings, own, (me, found.key), folder),
        model=runtime.model_ref(settings.values, inputs.model) if inputs.model else default,
        default_model=default,
    )


# --- files, tools -----------------------------------------------------------------------------------------------------


def _unread(run: AgentRun, workspace: Workspace, known: Container[str]) -> Iterator[FileDraft]:
    """Rows of what nearly counts: other spellings, files of these names below the workspace folder, no skills."""
    folder, state, home = run.folder, state_dir(run.inputs), run.inputs.home
    reads = Reads.of(FOLDER.agent, run.inputs.agent_version)
    names = tuple(name for name in bootstrap.names_of(run) if name != "memory.md")
    theirs = {name: reads.sentence(name) for name in ("AGENTS.local.md", "CLAUDE.md", "GEMINI.md")}
    places = [Place(folder, "bootstrap", (*names, *(() if run.is_newer else ("memory.md",))), theirs=theirs)]
    if state != folder:
        places.append(Place(state, "bootstrap", others={name: reads.sentence(name) for name in names}))
    yield from near_misses(workspace, places, known)
    yield from rows_below(workspace, folder, Strays(names, "bootstrap", reads), known)
    at = (f"{folder}/skills", f"{folder}/.agents/skills", f"{state}/skills", f"{home}/.agents/skills")
    near = [draft for path in dict.fromkeys(at) for draft in near_skills(workspace, path, root=True)]
    seen = {draft.path for draft in near}
    yield from (draft for draft in near if draft.path not in known)
    for top in (folder, *(f"{folder}/{name}" for name in (".agents", ".claude", ".openclaw")), f"{home}/skills"):
        for draft in rows_below(workspace, top, Strays(("SKILL.md",), "skill", reads), known):
            if draft.path not in seen:
                seen.add(draft.path)
                yield draft


def _seeded(run: AgentRun, loaded: bootstrap.Loaded) -> Iterator[Diagnostic]:
    """OpenClaw creates missing files from templates that aren't known here, so they exist at the next start."""
    absent = [entry.name for entry in loaded.entries if entry.missing and entry.absence == bootstrap.NO_FILE]
    names = [name for name in absent if name != "BOOTSTRAP.md"]  # that one is for a new workspace only
    if run.params.bootstrapFiles is None and run.settings.get("agents.defaults.skipBootstrap") is not True and names:
        what = f"OpenClaw writes {', '.join(names)} when it starts, unless `agents.defaults.skipBootstrap` is on"
        shown = "they are shown" if len(names) > 1 else "it is shown"
        yield Diagnostic("info", "seeded", f"{what}; here {shown} as missing", run.folder)


def _offers(run: AgentRun, found_by: Answers, servers: Servers) -> tuple[tuple[Offer, ...], tuple[Diagnostic, ...]]:
    steps: list[Policy | None] = [
        *tool_policy.configured(run.settings, run.own, run.me, (run.provider, run.model_name), run.lists),
        channels.group_policy(run.settings, run.session),
    ]
    taken = [step for step in steps if step]
    boxed = tool_policy.sandbox_policy(run.settings, run.own, run.lists)
    denied = tool_policy.subagent_policy(run.settings, max(1, run.session.depth), run.lists)
    started = replace(denied, lifts=run.to_main)
    by_nobody = FOLDER.reason("by_nobody", not run.session.is_subagent, {"on": run.to_main}, me=run.me)
    elsewhere = []
    for there, policy, outside in (
        (run.box.on, boxed, Named("all", "sandbox", ~run.box.active, "no sandbox hides it")),
        # the session was not started by another one, whose policy would hide a tool
        (run.session.is_subagent, started, by_nobody),
    ):
        if there:
            taken.append(policy)
        else:
            elsewhere.append((policy, outside))
    given = run.params.tools
    offers = own_tools(run, taken) if given is None else stand_ins(given, run.lists)
    if run.is_newer:
        offers = [*searching([*offers, *servers.offers()], found_by, turns.by_tool_only(run))]
    owner = channels.by_owner(run.settings, run.params)
    decided, ignored = tool_policy.decide(offers, tool_policy.Run(taken, elsewhere, owner), run.settings, run.lists)
    return (tuple(in_form(run, decided)) if run.is_newer else decided), ignored


def _by_name(offers: tuple[Offer, ...]) -> dict[str, Condition]:
    found: dict[str, Condition] = {}
    for offer in offers:
        found[offer.key] = found[offer.key] | offer.when if offer.key in found else offer.when
    return found


# --- single parameters ------------------------------------------------------------------------------------------------


def _parameters(run: AgentRun, workspace: Workspace, offers: tuple[Offer, ...]) -> dict[str, Parameter]:
    inputs, settings = run.inputs, run.settings

    def setting(path: str, example: str) -> Parameter:
        return of_setting(settings.known(path, settings.word(path)), example, "")

    names = [offer.name for offer in offers if offer.when.holds(Facts())]
    return {
        "defaultThinkLevel": setting("agents.defaults.thinkingDefault", "high"),
        "ownerNumbers": channels.owners(settings, run.channel),
        "ownerDisplay": setting("commands.ownerDisplay", "hash"),
        "ownerDisplaySecret": setting("commands.ownerDisplaySecret", "secret"),
        "memoryCitationsMode": setting("memory.citations", "off"),
        "modelAliasLines": runtime.alias_lines(settings, partial(runtime.alias_known, run)),
        "reasoningTagHint": parameter(None, "provider", "computed", runtime.reasoning_tags(run.model)),
        "toolNames": parameter(names, "tools", "computed"),
        "workspaceDir": parameter(run.box.folder, "workspace", "environment"),
        "userTimezone": runtime.user_timezone(inputs, settings),
        "docsPath": _site(run) if run.is_newer else _docs(workspace, run.folder, inputs.home),
        "runtimeInfo": parameter(runtime.runtime_info(run, workspace), "runtime", "environment"),
    }


def _heartbeat(run: AgentRun) -> Answers:
    """The prompt of the default agent; other agents are passed none."""
    key = "agents.defaults.heartbeat.prompt"
    passed = run.is_default if run.params.heartbeatDefault is None else run.params.heartbeatDefault
    named = run.settings.word(key)
    has_own = run.settings.known(key, named).is_given("Look around.", "")
    return Answers(passed=FOLDER.reason("beats", passed), configured=has_own, prompt=parameter(named, key))


def _site(run: AgentRun) -> Parameter:
    """The documentation of the installed package, or the site where that is not known."""
    package = run.params.packageDir
    return parameter(f"{package.rstrip('/')}/docs" if package else "https://docs.openclaw.ai", "packageDir")


def _boundary(shown: tuple[Context, ...]) -> str | None:
    """The first file of those that are injected with the line at which the text is split."""
    found = (each for each in shown if BOUNDARY in each.injection.text and each.why.holds(Facts()))
    return next((each.entry.path for each in found), None)


def _moved(path: str | None, shown: tuple[Context, ...]) -> Iterator[Diagnostic]:
    """A file that moves the boundary: what comes behind its line is read again in every turn."""
    for context in shown:
        if context.entry.path == path:
            before = (context.entry.content or "").partition(BOUNDARY)[0]
            message = "the line of the cache boundary is in this file: what follows it is not cached any more"
            yield Diagnostic("warning", "boundary", message, context.entry.source or path, 1 + before.count("\n"))


def _docs(workspace: Workspace, folder: str, home: str) -> Parameter:
    """The workspace's own `docs`; the package's folder isn't known here."""
    path = f"{folder}/docs"
    there = workspace.is_dir(path)
    because = FOLDER.reason("documented", there, path=path, shown=short_path(path, home))
    return parameter(path if there else None, "workspace", "environment", because)


def _bootstrapping(shown: tuple[Context, ...], folder: str) -> Condition:
    """BOOTSTRAP.md is there, whether its text still found room or not."""
    entries = [context.entry for context in shown if context.entry.name == "BOOTSTRAP.md"]
    given = tuple(entry.when for entry in entries if not entry.missing)
    if given:
        return AnyOf(given)
    return FOLDER.reason("bootstrapping", folder=folder)


def _notices(run: AgentRun, prompt: Prompt) -> Iterator[Diagnostic]:
    """What the agent would know and we do not, and what was said that it does not read."""
    if js_trim(run.params.sessionKey or ""):
        known = [agent_id(entry.get("id")) for _, entry in runtime.agents(run.settings)]
        yield from runtime.unread_session(run.session, known)
    yield from channels.unknown_channel(run.settings, run.channel)
    of_key = run.session.channel
    if run.channel and of_key and channels.normal_channel(of_key) != run.channel:
        message = f"the message comes by {run.channel}, and the session `{run.session.key}` is one of {of_key}"
        yield Diagnostic("info", "channel", message)
    if prompt.value("runtimeInfo") is not None and not prompt.object("runtimeInfo").get("node"):
        yield Diagnostic("info", "runtime", "the runtime line lacks node=: `environment.node` is not given")
    for plugin, entry in run.settings.object("plugins.entries").items():
        if mapping(entry).get("enabled") is True and f"{PLUGIN}{plugin}" not in schema(run.version).named:
            message = f"the plugin {plugin} is on: plugins are not run, so tools that it brings are not shown"
            yield Diagnostic("info", "plugins", message)
    named = run.settings.word("agents.defaults.workspace")
    if named and user_path(named, run.inputs) != run.folder:
        message = f"the configuration names the workspace {named}; `useConfiguredWorkspace` takes it"
        yield Diagnostic("info", "workspace", message)
    if prompt.value("ownerDisplay") == "hash" and not prompt.text("ownerDisplaySecret"):
        message = "OpenClaw makes up a secret for hashed senders; without it these are plain hashes"
        yield Diagnostic("info", "owners", message)
