"""From scenario, disk and machine to materials (specs/claude-code.md 3-7)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from promptscope_engine.agents.claude_code.gates import HEADLESS, gates_of, is_first_party
from promptscope_engine.agents.claude_code.materials import Materials, Origined, SubAgent
from promptscope_engine.agents.claude_code.params import ClaudeCodeParams
from promptscope_engine.agents.claude_code.versions import layout_of, resolve_model
from promptscope_engine.agents.claude_code.window import window_of
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import unknown
from promptscope_engine.inputs.params import fields_of, flatten
from promptscope_engine.inputs.resolved import Inputs
from promptscope_engine.prompt.conditions import Facts, Observed
from promptscope_engine.prompt.drafts import FileDraft
from promptscope_engine.prompt.model import Diagnostic, ModeChoice
from promptscope_engine.workspace import Workspace

from .git import find_repository, git_status
from .instructions import Chain, texts
from .lazy import wake
from .mcp import configured, connected, externals_approved, mcp_tools, user_config
from .memory import gather_memory, memory_folder
from .mentions import find_mentions
from .settings import Found, Sources, gather_settings, read_json
from .skills import CHARS_PER_TOKEN, SkillGatherer, listing_budget, slash_commands_gate
from .styles import gather_style, style_folders
from .subagents import AgentGatherer

MODES = (
    ModeChoice("default", "Default"),
    ModeChoice("acceptEdits", "Accept edits"),
    ModeChoice("plan", "Plan"),
    ModeChoice("bypassPermissions", "Bypass permissions"),
    ModeChoice("dontAsk", "Do not ask"),
)
_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "win32": r"C:\Program Files\ClaudeCode"}
_AUTO_PERCENT = 10


def added_directories(inputs: Inputs, params: ClaudeCodeParams) -> tuple[str, ...]:
    """The directories of --add-dir, absolute."""
    return tuple(_absolute(folder, inputs) for folder in params.args.addDir)


def _absolute(path: str, inputs: Inputs) -> str:
    if path == "~" or path.startswith("~/"):
        path = inputs.home + path[1:]
    return os.path.normpath(f"{inputs.workspace}/{path}" if not path.startswith("/") else path)


@dataclass(frozen=True, slots=True)
class _Start:
    """What has to be known before any instruction file is looked for."""

    inputs: Inputs
    params: ClaudeCodeParams
    config: str
    managed: str
    settings: Found
    user: Json
    user_file: FileDraft | None
    user_diagnostics: tuple[Diagnostic, ...]

    @property
    def env(self) -> Mapping[str, str]:
        return self.inputs.env


def gather(inputs: Inputs, workspace: Workspace) -> Materials:
    """Everything the sections need. The same door state and scenario give the same materials."""
    start = _start(inputs, workspace)
    inputs, params, plain = start.inputs, start.params, start.settings.plain
    version = inputs.agent_version
    model = resolve_model(inputs.model or inputs.env.get("ANTHROPIC_MODEL") or _text(plain.get("model")), version)
    facts = _facts(start, model.name)
    repository = find_repository(inputs.workspace, workspace)
    root = repository.root if repository else None
    sources = Sources(params.args.settingSources)
    window = window_of(model, version, inputs.env)
    servers = connected(inputs)
    offered = mcp_tools(servers)
    diagnostics = [*start.settings.diagnostics, *start.user_diagnostics]

    agents = AgentGatherer(workspace, version, inputs.workspace, root, start.config, sources, HEADLESS.holds(facts))
    listed_agents = agents.gather()
    main_agent = _main_agent(params, listed_agents, diagnostics)
    git = None
    if repository:
        git = git_status(repository, inputs.workspace, inputs.home, inputs.env, version, workspace)
    approved = params.approvedExternalImports or externals_approved(start.user, inputs.workspace)
    layout = layout_of(version, model)
    gates = gates_of(
        layout=layout,
        version=version,
        env=inputs.env,
        settings=plain,
        repository=repository is not None,
        git_there=git is not None,
        agent_asked=bool(params.args.agent),
        agent_found=main_agent is not None,
        external_approved=externals_approved(start.user, inputs.workspace),
        heavy_tools=_heavy(inputs.env, window, [(t.description, str(t.input_schema)) for t in offered]),
    )
    project = repository.main_root if repository else inputs.workspace
    memory = gather_memory(memory_folder(start.config, project), gates.auto_memory, workspace)
    additional = added_directories(inputs, params)
    chain = Chain(
        workspace, version, inputs.workspace, inputs.home, start.config, start.managed, gates, sources,
        tuple(texts(plain, "claudeMdExcludes")), repository, approved,
    )  # fmt: skip
    chain.load(tuple(zip(params.args.addDir, additional, strict=True)), inputs.env)
    woken = wake(chain, inputs.reads, chain.silencer(), facts)
    skills = SkillGatherer(
        workspace, version, inputs.workspace, root, start.config, sources, ~gates.bare & slash_commands_gate(), facts
    )
    listed_skills = skills.gather(listing_budget(window, inputs.env, plain))
    folders = style_folders(inputs.workspace, root, start.config, sources)
    style, style_files, style_problems = gather_style(plain.get("outputStyle"), folders, workspace)
    mcp_files, mcp_problems = configured(inputs, plain, start.user, workspace)
    mentions = find_mentions(params.prompt, inputs.workspace, inputs.home, workspace)
    files: list[FileDraft] = [
        *start.settings.files,
        *([start.user_file] if start.user_file else []),
        *chain.drafts.values(),
        memory.draft,
        *agents.files,
        *skills.files,
        *style_files,
        *mcp_files,
        *(mention.draft for mention in mentions),
    ]
    problems = (chain.diagnostics, agents.diagnostics, skills.diagnostics, style_problems, mcp_problems)
    diagnostics += [d for group in problems for d in group]
    return Materials(
        inputs=inputs,
        params=params,
        facts=facts,
        gates=gates,
        version=version,
        model=model,
        layout=layout,
        settings=start.settings.values,
        first_party=is_first_party(inputs.env),
        cwd=inputs.workspace,
        additional=additional,
        git_root=root,
        memory_folder=memory_folder(start.config, project),
        config_folder=start.config,
        git=git,
        instructions=tuple(chain.files),
        auto_memory=memory.file,
        memory_warning=memory.warning,
        woken=woken,
        mentions=mentions,
        skills=listed_skills,
        agents=listed_agents,
        main_agent=main_agent,
        style=style,
        language=_language(start.settings),
        servers=servers,
        mcp_tools=offered,
        window=window,
        files=tuple({draft.path: draft for draft in files}.values()),
        diagnostics=tuple(dict.fromkeys(diagnostics)),
    )


def _start(inputs: Inputs, workspace: Workspace) -> _Start:
    params = cast(ClaudeCodeParams, inputs.params)
    config = (inputs.env.get("CLAUDE_CONFIG_DIR") or f"{inputs.home.rstrip('/')}/.claude").rstrip("/")
    managed = inputs.managed or _MANAGED.get(inputs.environment.platform or "", "/etc/claude-code")
    settings = gather_settings(inputs, params, config, managed, workspace)
    path = user_config(inputs.env, inputs.home)
    file = workspace.read(path)
    user, problem = workspace.memo(("claude-code.user", path, file.data), lambda: read_json(file, "bad-claude-json"))
    extra = settings.plain.get("env")
    if isinstance(extra, dict):  # settings may set variables; they win over the process's own
        given = {str(k): str(v) for k, v in extra.items() if isinstance(v, (str, int))}
        inputs = replace(inputs, env={**inputs.env, **given})
    draft = None
    if file.problem != "missing":
        usable = Observed("file", path, isinstance(user, dict), "the file was found", "it cannot be used")
        draft = FileDraft(path, file.real_path, "settings", "always", usable, file.size, len(file.text))
    return _Start(inputs, params, config, managed, settings, user, draft, (problem,) if problem else ())


def _facts(start: _Start, model: str) -> Facts:
    permissions = start.settings.plain.get("permissions")
    default = permissions.get("defaultMode") if isinstance(permissions, dict) else None
    slugs = [mode.slug for mode in MODES]
    mode = start.inputs.mode or (default if default in slugs else "default")
    if mode not in slugs:
        raise unknown("permission mode", mode, slugs, where="mode")
    return Facts(
        params=flatten(start.params.model_dump(mode="json")),
        choices=_choices(),
        mode=mode,
        modes=MODES,
        model=model,
        version=start.inputs.agent_version,
    )


@cache
def _choices() -> dict[str, tuple[Json, ...]]:
    """The values of every flag, for levers."""
    return {f.name: tuple(value for _, value in f.choices) for f in fields_of(ClaudeCodeParams) if f.choices}


def _main_agent(
    params: ClaudeCodeParams, agents: tuple[SubAgent, ...], diagnostics: list[Diagnostic]
) -> SubAgent | None:
    """The agent of --agent, if there is one of that name with a prompt of its own."""
    name = params.args.agent
    if not name:
        return None
    found = next((agent for agent in agents if agent.name == name and agent.body), None)
    if found is None:
        known = ", ".join(agent.name for agent in agents)
        diagnostics.append(Diagnostic("warning", "unknown-agent", f"no agent is called {name}; known: {known}"))
    return found


def _language(settings: Found) -> Origined | None:
    found = settings.values.get("language")
    return found if found and isinstance(found.value, str) and found.value.strip() else None


def _heavy(env: Mapping[str, str], window: int, tools: list[tuple[str, str]]) -> bool:
    """`ENABLE_TOOL_SEARCH=auto:N`: tools of servers take more than N percent of the window [D]."""
    _, _, percent = env.get("ENABLE_TOOL_SEARCH", "").partition(":")
    share = int(percent) if percent.isascii() and percent.isdigit() else _AUTO_PERCENT
    characters = sum(len(description) + len(schema) for description, schema in tools)
    return characters / CHARS_PER_TOKEN > window * share / 100


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
