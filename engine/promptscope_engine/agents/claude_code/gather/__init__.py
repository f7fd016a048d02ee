"""From scenario, disk and machine to materials (specs/claude-code.md 3-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from promptscope_engine.agents.adapter import Gathered
from promptscope_engine.agents.claude_code.gates import (
    HEADLESS,
    NO_BUILT_IN_AGENTS,
    SAFE_MODE,
    auto_share,
    gates_of,
    tool_search_gate,
    variable_is_on,
)
from promptscope_engine.agents.claude_code.materials import GitStatus, Materials, McpTool, SubAgent
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.agents.claude_code.selection import is_rule, offers
from promptscope_engine.agents.claude_code.variables import (
    WATCHED,
    config_folder,
    config_written,
    entrypoint,
    is_first_party,
)
from promptscope_engine.agents.claude_code.versions import (
    V100,
    Model,
    message_layout,
    prompt_layout,
    resolve_model,
    window_of,
)
from promptscope_engine.agents.kit.params import facts_of
from promptscope_engine.agents.kit.paths import absolute
from promptscope_engine.agents.kit.settings import unmatched
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.inputs.scenario import McpServer
from promptscope_engine.prompt.conditions import ALWAYS, Condition, Facts, Named, Observed, Setting
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.known import Known
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Diagnostic, Lever, ModeChoice, SettingSource, View
from promptscope_engine.workspace import Workspace

from .agent_memory import MemoryPlaces, memory_rows, with_memories
from .delegation import GENERAL, delegation_problems, gather_delegation, has_prompt
from .denied import DeniedReads
from .derived import derived_inputs
from .git import Repository, find_repository, git_status, given_status
from .hooks import gather_hooks, stopped
from .instruction_files import InstructionFiles
from .instructions import InstructionLoader
from .lazy import load_lazily
from .lists import There, lists_of_names, never_excluding
from .mcp import (
    ServerPlace,
    absent,
    configured,
    connected,
    externals_approved,
    idle_servers,
    is_trusted,
    mcp_tools,
    read_user_config,
    server_places,
)
from .memory import gather_memory, memory_folder
from .mentions import Place, find_mentions, woken_by
from .plugins import gather_plugins
from .settings import MANAGED, Settings, Sources, gather_settings
from .shell import shells
from .skill_lines import CHARS_PER_TOKEN, listing_budget
from .skills import SkillGatherer
from .styles import gather_style, style_folders
from .subagents import AgentGatherer, with_long_texts
from .typed import Surroundings, commands_of, typed_command, typed_notes
from .woken_skills import woken_skills

MODES = (
    ModeChoice("default", "Default"),
    ModeChoice("auto", "Auto"),
    ModeChoice("acceptEdits", "Accept edits"),
    ModeChoice("plan", "Plan"),
    ModeChoice("bypassPermissions", "Bypass permissions"),
    ModeChoice("dontAsk", "Do not ask"),
)
_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "win32": r"C:\Program Files\ClaudeCode"}


def added_directories(inputs: Inputs, params: ClaudeCodeParams) -> tuple[str, ...]:
    """The directories of --add-dir, absolute."""
    return tuple(absolute(folder, inputs.workspace, inputs.home) for folder in params.args.addDir)


def managed_folder(inputs: Inputs) -> str:
    """Where an organisation's own files lie on this platform (specs/claude-code.md)."""
    return inputs.managed or _MANAGED.get(inputs.environment.platform or "", "/etc/claude-code")


def gather(inputs: Inputs, workspace: Workspace) -> Gathered[Materials]:
    """Everything the sections need. The same files and scenario give the same materials.

    A typed command may ask for a model: the messages are then as for that one, all else as for the session's. One that
    asks for a fork is a sub-agent's task, and only that is sent [recorded 2.1.332].
    """
    found = _gather(inputs, workspace, None)
    typed = found.materials.typed
    if typed is not None and typed.agent is not None and found.materials.params.subagent is None:
        return _gather(_forked(inputs, found.materials, typed.agent), workspace, None, agents_model=typed.model is None)
    if typed is None or typed.model is None:
        return found
    version, mode = found.materials.version, found.facts.mode
    wanted = resolve_model(typed.model.value, version, mode, found.materials.inputs.env)
    return _gather(inputs, workspace, wanted)


def _forked(inputs: Inputs, m: Materials, wanted: str) -> Inputs:
    """The scenario of the sub-agent that a command's text goes to: the one it names, else the general one."""
    agent = wanted if any(agent.name == wanted for agent in m.agents) else GENERAL
    model = m.typed.model.value if m.typed and m.typed.model else inputs.model
    return replace(inputs, params=m.params.model_copy(update={"subagent": agent}), model=model)


def _gather(
    inputs: Inputs, workspace: Workspace, spoken_to: Model | None, *, agents_model: bool = True
) -> Gathered[Materials]:
    """`spoken_to`: the model that the request goes to, where a command asks for one. `agents_model`: a sub-agent's own
    model counts."""
    params = cast(ClaudeCodeParams, inputs.params)
    config = config_folder(inputs.env, inputs.home, inputs.workspace)
    written = config_written(inputs.env, inputs.home)
    managed = managed_folder(inputs)
    repository = find_repository(inputs.workspace, workspace)
    main_root = repository.main_root if repository else None
    settings = gather_settings(inputs, params, config, managed, main_root, workspace)
    user = read_user_config(inputs, workspace)
    safe_mode = settings.personal_variable(SAFE_MODE, inputs.env)
    started_as = entrypoint(inputs.env, headless=params.args.print)
    inputs = replace(inputs, env=settings.environment(inputs))
    cwd, version = inputs.workspace, inputs.agent_version
    mode = _mode(inputs, started_as, settings)
    root = repository.root if repository else None
    organisations = settings.layered.of(MANAGED).known("strictPluginOnlyCustomization", default=False)
    sources = Sources(params.args.settingSources, safe_mode if version != V100 else None, organisations)
    plugins = gather_plugins(settings, sources, config, workspace)
    denied = tuple(rule for rule in settings.rules("permissions.deny") if is_rule(rule.value))
    disallowed = SettingSource("--disallowed-tools", overlay="args.disallowedTools")
    rules = (*denied, *(Known(rule.strip(), disallowed) for rule in params.args.disallowedTools))
    additional = added_directories(inputs, params)
    start = workspace, version, cwd, root, config, managed, additional
    follow = inputs.follow_links
    agents = AgentGatherer(
        *start,
        sources.of("agents"),
        plugins.all,
        follow,
        rules,
        started_as,
        settings.known("disableAgentView", False).is_(False, unset=True, no="`disableAgentView` is on"),
        ~(HEADLESS & variable_is_on(settings.variable(NO_BUILT_IN_AGENTS, inputs.env))) if version != V100 else ALWAYS,
    )
    listed_agents = agents.gather()
    delegation = gather_delegation(params.subagent, listed_agents)
    asked = _asked_agent(params, settings)
    main_agent = next((a for a in listed_agents if a.name == asked.value and has_prompt(a)), None)
    model = _model(inputs, settings, mode, delegation.agent if agents_model else None, main_agent)
    layout = prompt_layout(version, model)
    facts = _facts(inputs, params, model, mode)
    window = window_of(model, version, inputs.env)
    servers_of = sources.of("mcp")
    places = server_places(inputs, settings, servers_of, user.value, managed, workspace)
    servers = () if sources.safe else connected(inputs, places, facts)
    offered = mcp_tools(servers)

    git = _git_status(inputs, repository, workspace)
    answer = _answer(externals_approved(user.value, cwd))
    search = settings.variable("ENABLE_TOOL_SEARCH", inputs.env)
    gates = gates_of(
        version=version,
        model=model,
        layout=layout,
        messages=message_layout(version, spoken_to or model),
        env=inputs.env,
        variable=lambda name: settings.variable(name, inputs.env),
        setting=settings.known,
        safe_mode=safe_mode,
        git=_git_answers(repository, git, workspace),
        delegated=delegation.delegated,
        sees_project=delegation.sees_project,
        agent_body=_agent_body(asked, main_agent, listed_agents),
        external=_external(answer),
        tool_search=tool_search_gate(
            search, version, model, is_first_party(inputs.env), _heavy(search.value, window, offered)
        ),
    )
    memories = MemoryPlaces(workspace, cwd, config, written)
    if gates.auto_memory.holds(facts):
        listed_agents = tuple(with_memories(listed_agents, memories))
    main_agent, sub_agent = (
        next((a for a in listed_agents if agent and a.name == agent.name), None)
        for agent in (main_agent, delegation.agent)
    )
    own = settings.layered.without("project") if version == V100 else settings.layered
    moved = own.known("autoMemoryDirectory").value
    folder, shown = (memory_folder(place, main_root or cwd, moved, inputs.home) for place in (config, written))
    # The index is an instruction file too: the switch that drops those drops it, and leaves the instructions on memory.
    indexed = gates.auto_memory & gates.claude_mds
    memory = gather_memory(folder, shown, version, indexed, workspace, follow=inputs.follow_links)
    directories = settings.directories(inputs, workspace, trusted=is_trusted(user.value, main_root or cwd, params))
    # What the command line forbids counts for tools and mentions alone [recorded 2.1.332].
    unread, reads = (DeniedReads(which, cwd, inputs.home, config) for which in (denied, rules))
    instructions = InstructionFiles(
        workspace, version, cwd, inputs.home, gates, sources, settings.items("claudeMdExcludes"), unread, facts,
        inputs.follow_links,
    )  # fmt: skip
    loader = InstructionLoader(instructions, config, written, managed, repository, inputs.in_listed_order)
    switch = settings.variable("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", inputs.env)
    loader.load(tuple(zip(params.args.addDir, additional, strict=True)), switch)
    skills = SkillGatherer(*start, sources.of("skills"), plugins.all, follow, settings, gates, facts)
    fraction = settings.known("skillListingBudgetFraction").value
    listed_skills = skills.gather(listing_budget(model, version, inputs.env, fraction))
    around = Surroundings(
        cwd,
        lambda path: next((p.folder for p in plugins.all if path.startswith(p.folder + "/")), None),
        _prompting(inputs, places, servers, facts),
    )
    asks = version != V100 and not gates.bare.holds(facts)
    commands = commands_of(skills.items)
    typed = typed_command(params.prompt, commands, listed_skills, facts, around) if asks else None
    said = typed.text if typed and typed.kind in ("body", "path", "built-in", "server") else params.prompt
    callable_agents = {agent.name for agent in listed_agents if agent.when.holds(facts)}
    where = Place(cwd, inputs.home, version, reads, gates.attachments & gates.unsafe)
    mentions, mentioned = find_mentions(said, callable_agents, where, workspace)
    done: set[str] = set()
    reading = version != V100 and where.when.holds(facts)
    woken = load_lazily(loader, woken_by(mentions) if reading else (), additional, facts, done)
    lazy = load_lazily(loader, inputs.reads, additional, facts, done)
    loader.near_misses(settings.items("permissions.additionalDirectories"))
    style_setting = settings.known("outputStyle")
    style, style_files, style_problems = gather_style(
        style_setting, style_folders(cwd, root, config, managed, sources), sources, workspace, version
    )
    mcp_files, mcp_problems = configured(inputs, settings, servers_of, user.value, managed, workspace)
    materials = Materials(
        inputs=inputs,
        params=params,
        gates=gates,
        version=version,
        model=model,
        layout=layout,
        message_layout=message_layout(version, spoken_to or model),
        credited=spoken_to or model,
        denied=denied,
        splits=gates.first_party.holds(facts) and gates.full.holds(facts),
        cwd=cwd,
        started_as=started_as,
        shells=shells(inputs, workspace),
        additional=additional,
        directories=directories,
        git_root=root,
        memory_folder=shown,
        config_folder=written,
        git=git or GitStatus(),
        instructions=(*instructions.files, memory.file),
        memory_cut=memory.cut,
        lazy=lazy,
        mentions=mentions,
        woken=woken,
        typed=typed,
        hooks=gather_hooks(params, settings, sources.of("hooks"), memory_folder(written, cwd).removesuffix("/memory")),
        attached=gates.attachments.holds(facts),
        skills=listed_skills,
        woken_skills=woken_skills(skills, listed_skills, inputs.reads),
        agents=tuple(with_long_texts(listed_agents, version, gates)),
        main_agent=main_agent,
        sub_agent=sub_agent,
        style=style,
        style_setting=style_setting,
        language=_language(settings, workspace),
        commit_trailer=_own_text(settings.known("attribution.commit")),
        pull_request_footer=_own_text(settings.known("attribution.pr")),
        servers=servers,
        mcp_tools=offered,
        absent_servers=() if sources.safe else absent(inputs),
        window=window,
    )
    has_home = workspace.kind(inputs.home) is not None  # a check leaves it out
    called = [item.described for item in skills.items if item.loaded]
    there = There(offered, listed_skills if has_home else None, places, agents.heads, called)
    files: Sequence[FileDraft] = (
        *settings.files,
        *user.files,
        *plugins.files,
        *_as_read(materials, instructions.drafts.values()),
        memory.draft,
        *agents.files,
        *memory_rows(listed_agents, sub_agent or main_agent, workspace),
        *_as_read(materials, skills.files),
        *style_files,
        *mcp_files,
        *mentioned,
    )
    diagnostics = (
        *settings.diagnostics,
        *settings.uncounted("permissions.deny"),
        *user.diagnostics,
        *plugins.diagnostics,
        *_unknown_agent(asked, main_agent, listed_agents, facts),
        *delegation_problems(params.subagent, delegation.agent, listed_agents, facts),
        *instructions.diagnostics,
        *agents.diagnostics,
        *skills.diagnostics,
        *style_problems,
        *mcp_problems,
        *typed_notes(typed),
        *unmatched(lists_of_names(settings, params.args, there, version)),
        *never_excluding(settings.items("claudeMdExcludes"), workspace),
    )
    by_path = {draft.path: draft for draft in files}
    refused, starts = stopped(params, materials.hooks, facts) or (None, None)
    if spoken_to:
        facts = replace(facts, model=spoken_to.name)
    return Gathered(
        facts,
        materials,
        tuple(by_path.values()),
        tuple(dict.fromkeys(diagnostics)),
        settings.variables(),
        tuple(_views(listed_agents, facts)),
        tuple(derived_inputs(materials, settings, facts, asked, answer)),
        idle=tuple(idle_servers(inputs, places, facts)),
        refused=refused,
        starts=starts,
    )


def _as_read(m: Materials, rows: Iterable[FileDraft]) -> Iterator[FileDraft]:
    """The rows, those of what the simulated reads load under the condition that the agent can read."""
    can_read = offers(m, "Read")
    by_path = dict.fromkeys((each.file.shown for each in m.lazy), can_read)
    by_path |= dict.fromkeys(m.woken_skills.paths, can_read & offers(m, "Skill"))
    for row in rows:
        yield replace(row, when=row.when & by_path.get(row.path, ALWAYS))


def _prompting(
    inputs: Inputs, places: Mapping[str, ServerPlace], servers: Sequence[McpServer], facts: Facts
) -> tuple[str, ...]:
    """The servers that may offer prompts: those that answer, else, where nobody says, those that are started."""
    if inputs.mcp_servers is not None:
        return tuple(server.name for server in servers)
    return tuple(name for name, place in places.items() if place.when.holds(facts) and not place.why)


def _views(agents: Iterable[SubAgent], facts: Facts) -> Iterator[View]:
    """The prompt of each agent that is listed, and the way back to the main session's."""
    for agent in agents:
        if agent.when.holds(facts):
            path = next((piece.origin.path for piece in (*agent.body, *agent.pieces) if piece.origin.path), None)
            yield View(agent.name, Lever("subagent", agent.name), "agents", path)
    yield View("the main session", Lever("subagent", None), "subagent_prompt")


def _model(
    inputs: Inputs, settings: Settings, mode: str, sub_agent: SubAgent | None, main_agent: SubAgent | None
) -> Model:
    configured = settings.plain.get("model")
    fallback = configured if isinstance(configured, str) and configured else None
    # The model of the agent that drives the session counts unless one is chosen on the command line [D].
    own = main_agent.model.value if main_agent and main_agent.model else None
    asked = inputs.model or own or inputs.env.get("ANTHROPIC_MODEL") or fallback
    if sub_agent and sub_agent.model:  # a sub-agent's own model goes before that of the session
        asked = sub_agent.model.value
    return resolve_model(asked, inputs.agent_version, mode, inputs.env)


def _mode(inputs: Inputs, started_as: str, settings: Settings) -> str:
    """The permission mode. From 2.1.329 on, a session that somebody watches starts in auto mode (variants, b)."""
    slugs = [mode.slug for mode in MODES]
    configured = settings.known("permissions.defaultMode").value
    watched = not cast(ClaudeCodeParams, inputs.params).args.print or started_as in WATCHED
    usual = "auto" if watched and inputs.agent_version != V100 else "default"
    mode = inputs.mode or (str(configured) if configured in slugs else usual)
    if mode not in slugs:
        raise unknown("permission mode", mode, slugs, where="mode")
    return mode


def _facts(inputs: Inputs, params: ClaudeCodeParams, model: Model, mode: str) -> Facts:
    return facts_of(inputs, params, mode, MODES, model.name)


def _git_status(inputs: Inputs, repository: Repository | None, workspace: Workspace) -> GitStatus | None:
    if repository is None:
        return None
    if inputs.environment.git is not None:
        return given_status(inputs.environment.git, inputs.agent_version)
    return git_status(repository, inputs.workspace, inputs.home, inputs.env, inputs.agent_version, workspace)


def _git_answers(repository: Repository | None, git: GitStatus | None, workspace: Workspace) -> Condition:
    there = Observed(
        "file",
        ".git",
        repository is not None,
        "the working directory is a git repository",
        "no git repository",
        remedy="run `git init`",
    )
    if repository is None:
        return there
    no, remedy = "git is not there or did not answer", "install git, and see that `git status` works here"
    if path := repository.waits_on(workspace):
        no, remedy = f"git would wait on {path}, which is a pipe or a device", f"remove {path}"
    return there & Observed("file", "git", git is not None, "git answered", no, remedy=remedy)


def _asked_agent(params: ClaudeCodeParams, settings: Settings) -> Known[str | None]:
    """The agent that is to drive the session: --agent, else the setting `agent` [D]."""
    named = settings.known("agent")
    if params.args.agent or not isinstance(named.value, str):
        return Known(params.args.agent, SettingSource("--agent", overlay="args.agent"))
    return Known(named.value or None, replace(named.source, overlay=None))


def _agent_body(asked: Known[str | None], found: SubAgent | None, agents: Sequence[SubAgent]) -> Condition:
    """An agent with a prompt of its own drives the session."""
    key = asked.source.key if asked.source.key == "--agent" else f"the setting `{asked.source.key}`"
    yes = f"{key} replaces the sections"
    no = f"no agent with a prompt of its own is called {asked.value}" if asked.value else "no --agent is given"
    overlay = "args.agent"
    first = next(agent.name for agent in agents if has_prompt(agent))
    return Setting(
        asked.source,
        found.name if found else None,
        "given",
        True,
        yes,
        no,
        on=Lever(overlay, first),
        off=Lever(overlay, None) if asked.source.overlay else None,
    )


def _unknown_agent(
    asked: Known[str | None], found: SubAgent | None, agents: Sequence[SubAgent], facts: Facts
) -> tuple[Diagnostic, ...]:
    """An agent that is not there; from 2.1.329 on the command line's stops the start [recorded]."""
    if not asked.value or found:
        return ()
    if any(agent.name == asked.value for agent in agents):
        return (Diagnostic("warning", "agent-without-prompt", f"the agent {asked.value} has no prompt of its own"),)
    known = ", ".join(agent.name for agent in agents if agent.when.holds(facts))
    text = f"no agent is called {asked.value}; known: {known}"
    if facts.version != V100 and asked.source.key == "--agent":
        return (Diagnostic("error", "agent-refuses", f"Claude Code does not start: {text}"),)
    return (Diagnostic("warning", "unknown-agent", text, asked.source.path, asked.source.line),)


def _answer(approved: bool) -> Condition:
    """The answer to the dialog on external imports, in `.claude.json`."""
    yes, no = "the dialog was answered with yes", "the dialog was not answered with yes"
    return Observed("file", ".claude.json", approved, yes, no)


def _external(answer: Condition) -> Condition:
    """External imports are approved, by the param or by the answer in `.claude.json`."""
    return Named(
        "flag",
        "external imports",
        flag("approvedExternalImports") | answer,
        yes="external imports are approved",
        no="it lies outside of the working directory, and external imports are not approved",
    )


def _language(settings: Settings, workspace: Workspace) -> Known[str]:
    """The language to answer in, "" for none. A line is named only where the value stands on it as it is."""
    found = settings.known("language")
    text = found.value if isinstance(found.value, str) and found.value.strip() else ""
    path, line = found.source.path, found.source.line
    file = workspace.read(path).text if path else ""
    verbatim = line is not None and text in file.split("\n")[line - 1]
    return Known(text, found.source if verbatim else replace(found.source, line=None))


def _own_text(known: Known[Json]) -> Known[str] | None:
    # A text of several lines stands on one line of the file, so that line is not where it stands verbatim.
    text = known.value if isinstance(known.value, str) else None
    return None if text is None else Known(text, replace(known.source, line=None))


def _heavy(value: str, window: int, tools: Sequence[McpTool]) -> bool:
    """`ENABLE_TOOL_SEARCH=auto:N`: tools of servers take more than N percent of the window [D]."""
    characters = sum(len(tool.description) + len(str(tool.input_schema)) for tool in tools)
    return characters / CHARS_PER_TOKEN > window * (auto_share(value) or 0) / 100
