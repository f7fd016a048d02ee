"""What the texts of Claude Code may name in one scenario, but for its gates and settings."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial

from msgspec.structs import replace

from promptscope_engine.agents.kit.text.texts import Scope, parameters_of
from promptscope_engine.prompt.conditions import ALWAYS, AnyOf, Condition, Fact, Named
from promptscope_engine.prompt.drafts import (
    DEFERRED,
    Choice,
    Span,
    ToolDraft,
    computed,
    environment,
    label,
    of_server,
    param_value,
    unpredictable,
)
from promptscope_engine.prompt.model import Lever

from . import texts
from .materials import (
    DEFAULT_STYLE,
    FORCE,
    GENERAL,
    STATUS_LIMIT,
    InstructionFile,
    Materials,
    McpTool,
    MemoryCut,
    Skill,
    SubAgent,
)
from .selection import (
    MCP_GROUP,
    STRUCTURED,
    any_offered,
    available,
    can_wait,
    deferrable,
    deferred,
    let_in,
    lists_agent,
    lists_deferred,
    names,
    offers,
    searches,
    sent,
)
from .texts import FOLDER, RECORDED_PROMPTS, STYLES
from .timeouts import timeouts
from .versions import CURRENT_MODEL, TOLD_CUTOFFS, V100, has


def answers(m: Materials) -> Mapping[str, object]:
    """What is under each name, or what makes it."""
    return {**_values(m), **_conditions(m), **_lists(m)}


def _values(m: Materials) -> dict[str, object]:
    machine, today = m.inputs.environment, (m.inputs.environment.date or "")[:10]
    model = m.model.told or (m.model.name if m.version == V100 or m.model.marked_long else m.model.id)
    # An id that tells nothing: 2.1.100 credits the model that was its best, to judge by the length of the recording.
    unknown = "Opus 4.6" if m.version == V100 else "Code"
    footer = label("🤖 Generated with [Claude Code](https://claude.com/claude-code)")
    return {
        "month": lambda: computed("month", _month(today)),
        "date": environment("date", today),
        "today": computed("date", today),
        "credited": computed("model.display", m.credited.display if m.credited.known else unknown),
        "budget": lambda: param_value("args.maxBudgetUsd", f"${m.params.args.maxBudgetUsd or 0:.15g}"),
        "trailer": m.commit_trailer.span() if m.commit_trailer else partial(_text, m, "messages.credit"),
        "footer": m.pull_request_footer.span() if m.pull_request_footer else footer,
        "memory.folder": computed("memory.folder", m.memory_folder + "/"),
        "plan.folder": computed("plan.folder", f"{m.config_folder}/plans/"),
        "timeouts": lambda: {k: computed(f"timeouts.{k}", v) for k, v in timeouts(m.inputs.env).items()},
        "workflow": lambda: _workflow(m),
        "task_list": {
            "todos": computed("tools.task_list", "TodoWrite"),
            "tasks": computed("tools.task_list", "TaskCreate"),
        },
        "entrypoint": tuple(_entrypoint(m)),
        "turn_origin": (
            computed("turn_origin", "sdk", when=texts.HEADLESS),
            unpredictable("turn_origin", "human", when=texts.INTERACTIVE),  # recorded with five characters
        ),
        "cwd": _cwd(m),
        "isolated": bool(m.worktree),
        "adds_worktree": bool(m.worktree) and m.has_own_worktree,
        "is_git_repository": computed("is_git_repository", "true" if m.git_root else "false"),
        "platform": environment("platform", machine.platform or ""),
        "shell": environment("shell", _shell(m)),
        "login_shell": environment("shell", (machine.shell or "unknown").rpartition("/")[2]),
        "os_version": environment("os_version", f"{machine.os_type} {machine.os_version}"),
        "model": {"display": computed("model.display", m.model.display), "name": computed("model.name", model)},
        "cutoff": lambda: _cutoff(m, m.model.cutoff),
        "cutoff_100": lambda: _cutoff(m, TOLD_CUTOFFS.get(m.model.id, "")),
        "language.name": lambda: replace(m.language.span(), text=m.language.value),
        "style.name": computed("output_style.name", m.style.name),
        "style.text": m.style.body,
    }


def _cwd(m: Materials) -> Span:
    """The folder of the session, or of the worktree that is made for it."""
    if not m.worktree:
        return environment("cwd", m.cwd)
    return unpredictable("cwd", m.worktree) if m.has_own_worktree else computed("cwd", m.worktree)


_WORKFLOW_SIZES = {"small": 5, "medium": 10, "large": 50}
"""How many agents a workflow should stay below, by `workflowSizeGuideline`; any other one has no limit."""


def _workflow(m: Materials) -> Mapping[str, object]:
    """How large workflows should be: without the setting `medium`, in other words [asked of 2.1.332]."""
    found, sizes = m.workflow_size, _WORKFLOW_SIZES
    size = str(found.value or "")
    return {
        "unset": ~found.is_given("small", "", no="`workflowSizeGuideline` is not set"),
        "limited": found.is_(*sizes, unset=""),
        "size": computed("workflow.size", size),
        "most": computed("workflow.most", str(sizes.get(size, ""))),
    }


def _conditions(m: Materials) -> dict[str, object]:
    typed = m.typed.kind if m.typed else ""
    return {
        "counts_tokens": m.gates.counts_tokens,
        "styled": lambda: style_gate(m),
        "style.is_built_in": lambda: Named(
            "file",
            "style",
            AnyOf(tuple(style_is(m, name) for name in STYLES)),
            yes="the style is built in",
            no="the style is from a file",
        ),
        "style.is_forced": FOLDER.reason("style_forced", m.style_setting.source.key == FORCE),
        "coding": lambda: _coding_gate(m),
        "guidance": lambda: _guidance_gate(m),
        # null would leave the language to the files
        "language.given": lambda: m.language.is_given("English", "", no="there is no `language`"),
        # an agent has launched the sub-agent, and not a command that the user types [recorded 2.1.332]
        "launched": ALWAYS if not m.typed or m.typed.agent is None else _begins(f"/{m.typed.name} asks for it"),
        "prompt.known": lambda: _prompt_known(m),
        "general_purpose": _general_purpose(m),
        "shell_first": lambda: _prefers_shell(m),
        "bypasses": lambda: m.gates.bypass_mode,
        "authoring": lambda: _authoring(m),
        "thinks_hard": FOLDER.reason("thinks_hard", m.thinks_hard),
        "organised": m.organised and m.version != V100,
        "shell_only": m.model.auto_mode == "shell",
        "named": lambda: _about(m, "name", m.model.known, "its id tells its name", "its id does not tell its name"),
        "directories": bool(m.directories),
        "any_file": lambda: _any_file(m),
        "lists_deferred": lambda: lists_deferred(m),
        "any_deferrable": lambda: Named(
            "tool",
            "deferred",
            AnyOf(tuple(available(m, name) for name in deferrable(m))),
            "there are tools to defer",
            "there are no tools to defer",
        ),
        "speaking_servers": lambda: FOLDER.reason("speaking", any(s.instructions for s in m.servers)),
        "auto_mode_told": lambda: _auto_mode_gate(m),
        "auto_mode_is_long": _late_auto_mode(m) or m.model.auto_mode == "long",
        # with a command, nothing is said of the tokens that are left (recorded 2.1.332)
        "no_command": ALWAYS if typed not in ("body", "built-in", "server") else _begins("the prompt is a command"),
    }


def _lists(m: Materials) -> dict[str, Callable[[], object]]:
    return {
        "git": lambda: _git_facts(m),
        "folders": lambda: list(_folders(m)),
        "agents": lambda: [_listed(agent, agent.when) for agent in m.agents],
        "listed_agents": lambda: [_listed(agent, lists_agent(m, agent)) for agent in m.agents],
        "listed_skills": lambda: [
            {"shown": computed(_named(skill), skill.shown), "text": skill.spans, "when": skill.when}
            for skill in m.skills
        ],
        "deferrable": lambda: [{"line": line, "when": deferred(m, name)} for name, line in _deferred_lines(m)],
        "speaking": lambda: [
            {"text": of_server(s.name, label(f"\n\n## {s.name}\n"), computed(f"mcp.{s.name}", s.instructions))}
            for s in m.servers
            if s.instructions
        ],
        "failed": lambda: [
            _line(s.name, f' ({s.errorCode or "CONNECTION_CLOSED"}): "{s.error or "Connection closed"}"')
            for s in m.absent_servers
            if s.status == "disconnected" and not m.sub_agent  # which isn't told [asked of 2.1.332]
        ],
        "again": lambda: any("url" in s.config for s in m.absent_servers if s.status == "disconnected"),
        "waiting": lambda: [_line(s.name) for s in m.absent_servers if s.status == "connecting"],
    }


def _named(skill: Skill) -> str:
    """Plugins' skills are another list to the client, which not every version has at the same place."""
    return "plugin.skill" if skill.source == "plugin" else "skill.name"


def _line(server: str, said: str = "") -> dict[str, object]:
    return {"line": of_server(server, computed(f"mcp.{server}", f"\n{server}{said}"))}


def _deferred_lines(m: Materials) -> Iterator[tuple[str, tuple[Span, ...]]]:
    servers = {tool.name: tool.server for tool in m.mcp_tools}
    for name in deferrable(m):
        line = computed("deferred_tools", f"\n{name}")
        yield name, of_server(servers[name], line) if name in servers else (line,)


# --- the session ------------------------------------------------------------------------------------------------------


def _begins(no: str, remedy: str = "begin the prompt with other words") -> Condition:
    """The prompt begins with other words than it does."""
    return Fact("flag", "prompt", False, "", no, remedy=remedy)


def surrounded(m: Materials) -> Condition:
    """Something is said beside the prompt: not where it begins like a path."""
    if m.typed is None or m.typed.kind not in ("path", "server"):
        return ALWAYS
    what = "is not a command" if m.typed.kind == "path" else "names a prompt of an MCP server"
    no = f"the prompt begins with a slash and {what}: nothing but the date and what hooks say goes with it"
    return _begins(no, "begin the prompt with another character")


def _prompt_known(m: Materials) -> Condition:
    """There is a text for the sub-agent: its own, or ours of a built-in one."""
    agent = m.sub_agent
    known = agent is None or agent.has_prompt
    missing = f"its prompt is not known: {agent.name} is built in" if agent else "there is no sub-agent"
    return Fact("file", "subagent", known, "its prompt is known", missing)


def _guidance_gate(m: Materials) -> Condition:
    """`# Session-specific guidance` is left out where none of its bullets is."""
    skills = any_offered(m, "Skill")
    if m.version != V100:  # the bullet on skills goes with the dynamic sections
        skills = skills & ~texts.EXCLUDE_DYNAMIC
    bullets = [texts.INTERACTIVE, skills]
    if m.gates.layout != "B":
        bullets.append(any_offered(m, "Agent"))
    if m.version == V100:
        bullets.append(any_offered(m, "AskUserQuestion"))
    return Named("all", "guidance", AnyOf(tuple(bullets)), yes="it has something to say")


def _any_file(m: Materials) -> Condition:
    # Where AGENTS.md is not read, the section that another version has for it is another one.
    reads = [file for file in startup_files(m) if m.version != V100 or file.kind != "agents-md"]
    each = tuple(file.when for file in reads)
    if not each:
        return FOLDER.reason("instructions", folder=m.cwd.rstrip("/"))
    return Named("file", "instructions", AnyOf(each), yes="instruction files load")


def startup_files(m: Materials) -> list[InstructionFile]:
    """The files that may be in the user context, in order. Rules with `paths` wait for a read."""
    return [file for file in m.instructions if file.text and file.paths is None]


# --- output styles ----------------------------------------------------------------------------------------------------


def style_gate(m: Materials) -> Condition:
    """An output style other than the default is in force."""
    name, known = m.style.name, m.style_setting
    return replace(known, value=None if name == DEFAULT_STYLE else name).is_given(
        "Explanatory", DEFAULT_STYLE, yes=f"the output style {name} is in force", no="no output style is set"
    )


def style_is(m: Materials, name: str) -> Condition:
    """The built-in output style of this name is in force."""
    in_force = m.style.name if m.style.built_in else f"{m.style.name} of your own"
    return replace(m.style_setting, value=in_force).is_(name, unset=DEFAULT_STYLE, no="the output style is {actual}")


def _coding_gate(m: Materials) -> Condition:
    """An own output style drops `# Doing tasks` unless its frontmatter keeps it; built-in styles keep it."""
    keeps = m.style.built_in or m.style.keep_coding_instructions
    no = f"the output style {m.style.name} replaces the coding instructions (keep-coding-instructions is not set)"
    in_force = replace(m.style_setting, value=DEFAULT_STYLE if keeps else m.style.name)
    return in_force.is_(DEFAULT_STYLE, yes="no output style replaces the coding instructions", no=no)


# --- the model --------------------------------------------------------------------------------------------------------


def _late_auto_mode(m: Materials) -> bool:
    """Some versions announced auto mode to a model without one; the session leaves the mode right after the start."""
    return has(m.version, "late_auto_mode") and not m.model.auto_mode and m.gates.messages == "A'"


_OF_SHELL = ("short", "shell")
"""The texts on auto mode that are about the shell alone."""


def _auto_mode_gate(m: Materials) -> Condition:
    """What auto mode adds: a text by the model, for many of them none (recorded 2.1.332).

    What is about the shell is said where permissions are bypassed, too [asked of 2.1.332].
    """
    late = _late_auto_mode(m)
    has_text, other = late or bool(m.model.auto_mode), "claude-haiku-5-5"
    yes, no = "{model} has a text on auto mode", "{model} has no text on auto mode"
    able = m.gates.about_model("auto mode", has_text, yes, no, (CURRENT_MODEL, other))
    when = ((m.gates.auto_mode & able) | (m.gates.bypass_mode & _prefers_shell(m))) & m.gates.main
    if not late and m.model.auto_mode in _OF_SHELL:  # which of the two tools to take
        when = when & offers(m, "Bash") & any_offered(m, "Edit", "Write")
    return when & texts.INTERACTIVE & ~m.gates.quiet if late else when


def _prefers_shell(m: Materials) -> Condition:
    """The model is told to use the shell where it need not ask."""
    yes, no = "{model} may work by the shell", "{model} is to prefer the dedicated tools"
    levers = (CURRENT_MODEL, "claude-haiku-5-5")
    return m.gates.about_model("shell", m.model.auto_mode in _OF_SHELL, yes, no, levers)


def _authoring(m: Materials) -> Condition:
    """The skill on writing workflows, or one that took its place, is not switched off [asked of 2.1.332]."""
    found = [skill for skill in m.skills if skill.name == "workflow-authoring"]
    own = any(skill.source != "bundled" for skill in found)
    return ALWAYS if own or not found else found[0].when


def _general_purpose(m: Materials) -> Condition:
    """There is an agent of this name, which no list keeps out, whether or not a rule does [asked of 2.1.332]."""
    own = any(agent.name == GENERAL and agent.source != "built-in" for agent in m.agents)
    there = ALWAYS if own else m.gates.built_in_agents
    return there & let_in(None if m.sub_agent else m.main_agent, GENERAL, m.version)


def _cutoff(m: Materials, until: str) -> Mapping[str, object]:
    known = _about(m, "cutoff", bool(until), "its cutoff is known", "its cutoff is not known")
    return {"known": known, "date": computed("model.cutoff", until)}


def _about(m: Materials, name: str, ok: bool, yes: str, no: str) -> Condition:
    levers = (Lever("model", next(iter(TOLD_CUTOFFS))),)
    return Fact("model", name, ok, yes, no, actual=m.model.id, on=levers, remedy="choose another model")


# --- the machine ------------------------------------------------------------------------------------------------------


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def _month(today: str) -> str:
    """`November 2026`."""
    day = date.fromisoformat(today)
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _entrypoint(m: Materials) -> Iterator[Span]:
    if m.started_as not in ("cli", "sdk-cli"):
        yield param_value("env.CLAUDE_CODE_ENTRYPOINT", m.started_as)
        return
    yield computed("entrypoint", "sdk-cli", when=texts.HEADLESS)
    yield computed("entrypoint", "cli", when=texts.INTERACTIVE)


def _shell(m: Materials) -> str:
    """The shell that commands run in, and the login shell where that has another name."""
    runs, login = (path.rstrip("/").rpartition("/")[2] for path in m.shells)
    if m.version == V100:
        return login or "unknown"
    return f"{runs} (login shell: {login})" if login not in ("", runs) else runs


def _folders(m: Materials) -> Iterator[Mapping[str, object]]:
    """The additional working directories: those of settings, then those of --add-dir."""
    named = [known.value for known in m.directories]
    yield from ({"name": computed("permissions.additionalDirectories", folder)} for folder in named)
    yield from ({"name": param_value("args.addDir", folder)} for folder in m.additional if folder not in named)
    if m.worktree and m.has_own_worktree:
        yield {"name": unpredictable("cwd", m.worktree)}


def _branch(m: Materials) -> Span:
    """The branch, or that of the worktree that is made."""
    if not m.worktree:
        return computed("git.branch", m.git.branch)
    branch = f"worktree-{m.worktree.rpartition('/')[2]}"
    return unpredictable("git.branch", branch) if m.has_own_worktree else computed("git.branch", branch)


def _git_facts(m: Materials) -> Mapping[str, object]:
    """The snapshot of git."""
    git = m.git
    return {
        "branch": _branch(m),
        "main_branch": computed("git.main_branch", git.main_branch),
        "has_user": FOLDER.reason("git_user", bool(git.user)),
        "user": computed("git.user", git.user),
        "failed": git.failed,
        "has_changes": FOLDER.reason("git_status", bool(git.status_shown)),
        "status": computed("git.status", git.status_shown),
        "is_cut": FOLDER.reason("git_cut", git.cut, most=STATUS_LIMIT),
        "bash_tool": computed("tool", "BashTool"),
        "bash": computed("tool", "Bash"),
        "commits": computed("git.commits", "\n".join(git.commits)),
    }


def _listed(agent: SubAgent, when: Condition) -> dict[str, object]:
    """An agent as the description of the tool Agent lists it, and as a message does, where its name is a label."""
    return {
        "name": computed("agent.name", agent.name),
        "bullet": label(f"\n- {agent.name}: "),
        "text": agent.spans,
        "tools": label(f" (Tools: {agent.tools})"),
        "when": when,
    }


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """What texts may name: gates, values, and words on layout, model and tools. `text.NAME` is `sections/NAME.md`."""
    names = {
        **answers(m),
        **{f"text.{name}": partial(_text, m, name) for name in FOLDER.sources.sections},
        "text.memory.moved": lambda: tuple(text(m, "memory.long", moved=True)),
        "version": computed("version", m.version),
        "build": unpredictable("build", "000"),
        "cch": unpredictable("cch", "00000"),
        "prompt_id": unpredictable("prompt_id", "00000000-0000-0000-0000-000000000000"),
        "style.built_in": lambda: [
            {"text": tuple(text(m, f"styles.{name.lower()}")), "when": style_is(m, name)} for name in STYLES
        ],
        "prompt.agent": lambda: agents_prompt(m, m.main_agent),
        "prompt.subagent": lambda: agents_prompt(m, m.sub_agent),
        "moved": False,
        "of_agent": False,
    }
    words = {
        "layout": m.gates.layout_is,
        "messages": m.gates.messages_are,
        "tool": lambda name: offers(m, name),
        "family": lambda model: _family(m, model),
        "style_is": lambda name: style_is(m, name),
    }
    return Scope(names, words, m.params, m.version, m.gates.scope)


def text(m: Materials, name: str, **own: object) -> Iterable[Span]:
    """The spans of `sections/NAME.md`, which may also name what is `own` to this place."""
    return FOLDER.spans(name, scope_of(m).within(own))


def _text(m: Materials, name: str) -> tuple[Span, ...]:
    return tuple(text(m, name))


def agents_prompt(m: Materials, agent: SubAgent | None) -> tuple[Span, ...]:
    """The text of an agent's file, or our wording of a built-in one's prompt."""
    if agent is None or agent.source != "built-in":
        return agent.body if agent else ()
    return _text(m, f"subagents.{RECORDED_PROMPTS[agent.name]}") if agent.has_prompt else ()


def memory_cut(m: Materials, cut: MemoryCut) -> Iterable[Span]:
    """How long a MEMORY.md is, and from where on it is missing."""
    both = bool(cut.lines and cut.size)
    where = f" lines are missing, from line {cut.line} on" + (f' ("{cut.start}")' if cut.start else "")
    missing = f"line {cut.line} ends after 25000 characters" if cut.inside else f"{cut.total - cut.line + 1}{where}"
    return text(
        m,
        "context.memory_cut",
        size=computed("memory.size", f"{cut.lines} and {cut.size}" if both else cut.lines or cut.size),
        limit=None if both else computed("memory.limit", "200" if cut.lines else "24.4KB"),
        missing=computed("memory.missing", missing),
    )


def _family(m: Materials, model: str) -> Condition:
    """`claude-opus-5-5`: the model is of this family and version."""
    family, *version = model.removeprefix("claude-").split("-")
    major, minor = (*map(int, version), 0)[:2]
    return m.gates.model_is(family, (major, minor))


# --- drafts -----------------------------------------------------------------------------------------------------------


def tool_drafts(m: Materials) -> tuple[ToolDraft, ...]:
    """Every tool, the absent ones too. One that is deferred is absent from the request: its name is listed instead."""
    scope = scope_of(m)
    return (
        *(_with_schema(m, FOLDER.tool(name, scope, sent(m, name), _variant(m, name))) for name in names(m)),
        *(_mcp(m, tool) for tool in m.mcp_tools),
    )


def _with_schema(m: Materials, tool: ToolDraft) -> ToolDraft:
    """The tool for the answer takes what --json-schema says."""
    if tool.name != STRUCTURED or m.schema is None:
        return tool
    return replace(tool, input_schema=m.schema, parameters=parameters_of(m.schema))


def _mcp(m: Materials, tool: McpTool) -> ToolDraft:
    described, schema = (computed(f"mcp.{tool.server}", tool.description),), tool.input_schema
    parameters, variant = parameters_of(schema), _variant(m, tool.name)
    when = sent(m, tool.name)
    return ToolDraft(tool.name, MCP_GROUP, described, when, parameters, schema, variant, server=tool.server)


def _variant(m: Materials, name: str) -> Choice[str | None] | None:
    """`deferred`: ToolSearch can load it. What is denied or not there cannot be loaded."""
    return Choice(((available(m, name) & searches(m), DEFERRED),), None) if can_wait(m, name) else None
