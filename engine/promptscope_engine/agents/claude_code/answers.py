"""The values and conditions of one scenario that texts name besides its gates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from promptscope_engine.prompt.conditions import ALWAYS, Any, Condition, Named, Observed
from promptscope_engine.prompt.drafts import Piece, computed, environment, label, param_value, unpredictable
from promptscope_engine.prompt.model import Lever

from . import gates
from .materials import DEFAULT_STYLE, STATUS_LIMIT, InstructionFile, Materials, SubAgent
from .selection import any_offered, available, deferrable, deferred, lists_agent, lists_deferred
from .texts import FOLDER
from .versions import CURRENT_MODEL, TOLD_CUTOFFS, V100, has
from .wording import commit_trailer, pull_request_footer

# Not those of `calendar`, which go by the locale of the process.
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_TASK_LISTS = {"todos": "TodoWrite", "tasks": "TaskCreate"}


def answers(m: Materials) -> Mapping[str, object]:
    """What stands under each name, or what makes it."""
    return {**_values(m), **_conditions(m), **_lists(m)}


def _values(m: Materials) -> dict[str, object]:
    machine, today = m.inputs.environment, date_of(m)
    model = m.model.name if m.version == V100 or m.model.marked_long else m.model.id
    return {
        "month": lambda: computed("month", _month(today)),
        "date": environment("date", today),
        "today": computed("date", today),
        "trailer": tuple(commit_trailer(m)),
        "footer": pull_request_footer(m),
        "memory.folder": computed("memory.folder", m.memory_folder + "/"),
        "plan.folder": computed("plan.folder", f"{m.config_folder}/plans/"),
        "task_list": {name: computed("tools.task_list", tool) for name, tool in _TASK_LISTS.items()},
        "entrypoint": tuple(_entrypoint(m)),
        "turn_origin": (
            computed("turn_origin", "sdk", when=gates.HEADLESS),
            unpredictable("turn_origin", "human", when=gates.INTERACTIVE),  # recorded with five characters
        ),
        "cwd": environment("cwd", m.cwd),
        "is_git_repository": computed("is_git_repository", "true" if m.git_root else "false"),
        "platform": environment("platform", machine.platform or ""),
        "shell": environment("shell", _shell(m)),
        "login_shell": environment("shell", (machine.shell or "unknown").rpartition("/")[2]),
        "os_version": environment("os_version", f"{machine.os_type} {machine.os_version}"),
        "model": {"display": computed("model.display", m.model.display), "name": computed("model.name", model)},
        "cutoff": lambda: _cutoff(m, m.model.cutoff),
        "cutoff_100": lambda: _cutoff(m, TOLD_CUTOFFS.get(m.model.id, "")),
        "language.name": lambda: replace(m.language.piece(), text=m.language.value),
        "style.name": computed("output_style.name", m.style.name),
        "style.text": m.style.body,
    }


def _conditions(m: Materials) -> dict[str, object]:
    typed = m.typed.kind if m.typed else ""
    return {
        "counts_tokens": m.gates.counts_tokens,
        "styled": lambda: style_gate(m),
        "style.is_built_in": lambda: _built_in_style(m),
        "coding": lambda: _coding_gate(m),
        "guidance": lambda: _guidance_gate(m),
        # null would leave the language to the files
        "language.given": lambda: m.language.is_given("English", "", no="there is no `language`"),
        "launched": lambda: _launched(m),
        "prompt.known": lambda: _prompt_known(m),
        "named": lambda: _about(m, "name", m.model.known, "its id tells its name", "its id does not tell its name"),
        "directories": bool(m.directories),
        "any_file": lambda: _any_file(m),
        "lists_deferred": lambda: lists_deferred(m),
        "any_deferrable": lambda: Named(
            "tool",
            "deferred",
            Any(tuple(available(m, name) for name in deferrable(m))),
            yes="there are tools to defer",
            no="there are no tools to defer",
        ),
        "speaking_servers": lambda: Observed(
            "mcp",
            "instructions",
            any(server.instructions for server in m.servers),
            "a connected server has instructions",
            "no server gives instructions",
            remedy="connect a server that has `instructions`: `mcp_servers` simulates one",
        ),
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
            {"shown": computed("skill.name", skill.shown), "text": skill.pieces, "when": skill.when}
            for skill in m.skills
        ],
        "deferrable": lambda: [
            {"line": computed("deferred_tools", f"\n{name}"), "when": deferred(m, name)} for name in deferrable(m)
        ],
        "speaking": lambda: [
            {
                "heading": label(f"\n\n## {server.name}\n"),
                "text": computed(f"mcp.{server.name}", server.instructions.rstrip()),
            }
            for server in m.servers
            if server.instructions
        ],
        "failed": lambda: [
            {
                "line": computed(
                    f"mcp.{s.name}", f'\n{s.name} ({s.errorCode or "CONNECTION_CLOSED"}): "{_error(s.error)}"'
                )
            }
            for s in m.absent_servers
            if s.status == "disconnected"
        ],
        "again": lambda: any("url" in s.config for s in m.absent_servers if s.status == "disconnected"),
        "waiting": lambda: [
            {"line": computed(f"mcp.{s.name}", f"\n{s.name}")} for s in m.absent_servers if s.status == "connecting"
        ],
    }


def _error(said: str | None) -> str:
    return said or "Connection closed"


# --- the session ------------------------------------------------------------------------------------------------------


def _begins(no: str, remedy: str = "begin the prompt with other words") -> Condition:
    """The prompt begins with other words than it does."""
    return Observed("flag", "prompt", False, "", no, remedy=remedy)


def surrounded(m: Materials) -> Condition:
    """Something is said beside the prompt: not where it begins like a path."""
    if m.typed is None or m.typed.kind not in ("path", "server"):
        return ALWAYS
    what = "is no command" if m.typed.kind == "path" else "names a prompt of an MCP server"
    no = f"the prompt begins with a slash and {what}: nothing but the date goes with it"
    return _begins(no, "begin the prompt with another character")


def _launched(m: Materials) -> Condition:
    """An agent has launched the sub-agent, and not a command that the user types [recorded 2.1.332]."""
    return ALWAYS if m.typed is None or m.typed.agent is None else _begins(f"/{m.typed.name} asks for it")


def _prompt_known(m: Materials) -> Condition:
    """There is a text for the sub-agent: its own, or ours of a built-in one."""
    agent = m.sub_agent
    known = agent is None or (agent.name in BUILT_IN_PROMPTS if agent.source == "built-in" else bool(agent.body))
    missing = f"its prompt is not known: {agent.name} is built in" if agent else "there is no sub-agent"
    return Observed("file", "subagent", known, "its prompt is known", missing)


BUILT_IN_PROMPTS = {"general-purpose": "general_purpose", "Explore": "explore", "Plan": "plan"}
"""The built-in sub-agents whose prompts were recorded, each with its text in sections/subagents."""


def _guidance_gate(m: Materials) -> Condition:
    """`# Session-specific guidance` is left out where none of its bullets stands."""
    skills = any_offered(m, "Skill")
    if m.version != V100:  # the bullet on skills goes with the dynamic sections
        skills = skills & ~gates.EXCLUDE_DYNAMIC
    bullets = [gates.INTERACTIVE, skills]
    if m.layout != "B":
        bullets.append(any_offered(m, "Agent"))
    if m.version == V100:
        bullets.append(any_offered(m, "AskUserQuestion"))
    return Named("all", "guidance", Any(tuple(bullets)), yes="it has something to say")


def _any_file(m: Materials) -> Condition:
    # Where AGENTS.md is not read, the section that another version has for it is another one.
    reads = [file for file in startup_files(m) if m.version != V100 or file.kind != "agents-md"]
    each = tuple(file.when for file in reads)
    if not each:
        remedy = f"create {m.cwd.rstrip('/')}/CLAUDE.md"
        return Observed("file", "instructions", False, "", "there is no instruction file", remedy=remedy)
    return Named("file", "instructions", Any(each), yes="instruction files load")


def startup_files(m: Materials) -> list[InstructionFile]:
    """The files that may stand in the user context, in order. Rules with `paths` wait for a read."""
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


def _built_in_style(m: Materials) -> Condition:
    built_in = Any(tuple(style_is(m, name) for name in FOLDER.agent["styles"]))
    return Named("file", "style", built_in, yes="the style is built in", no="the style is from a file")


def _coding_gate(m: Materials) -> Condition:
    """An own output style drops `# Doing tasks` unless its frontmatter keeps it; built-in styles keep it."""
    keeps = m.style.built_in or m.style.keep_coding_instructions
    no = f"the output style {m.style.name} replaces the coding instructions (keep-coding-instructions is not set)"
    in_force = replace(m.style_setting, value=DEFAULT_STYLE if keeps else m.style.name)
    return in_force.is_(DEFAULT_STYLE, yes="no output style replaces the coding instructions", no=no)


# --- the model --------------------------------------------------------------------------------------------------------


def _late_auto_mode(m: Materials) -> bool:
    """Some versions announced auto mode to a model without one; the session leaves the mode right after the start."""
    return has(m.version, "late_auto_mode") and not m.model.auto_mode and m.message_layout == "A'"


def _auto_mode_gate(m: Materials) -> Condition:
    """What auto mode adds: a text by the model, for many of them none (recorded 2.1.332)."""
    late = _late_auto_mode(m)
    able = m.gates.about_model(
        "auto mode",
        late or bool(m.model.auto_mode),
        "{model} has a text on auto mode",
        "{model} has no text on auto mode",
        such=CURRENT_MODEL,
        other="claude-haiku-5-5",
    )
    when = m.gates.auto_mode & able & m.gates.main
    return when & gates.INTERACTIVE & ~m.gates.quiet if late else when


def _cutoff(m: Materials, until: str) -> Mapping[str, object]:
    known = _about(m, "cutoff", bool(until), "its cutoff is known", "its cutoff is not known")
    return {"known": known, "date": computed("model.cutoff", until)}


def _about(m: Materials, name: str, ok: bool, yes: str, no: str) -> Condition:
    levers = (Lever("model", next(iter(TOLD_CUTOFFS))),)
    return Observed("model", name, ok, yes, no, actual=m.model.id, on=levers, remedy="choose another model")


# --- the machine ------------------------------------------------------------------------------------------------------


def date_of(m: Materials) -> str:
    """The day, `2026-11-20`."""
    return (m.inputs.environment.date or "")[:10]


def _month(today: str) -> str:
    """`November 2026`."""
    day = date.fromisoformat(today)
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _entrypoint(m: Materials) -> Iterator[Piece]:
    if m.started_as not in ("cli", "sdk-cli"):
        yield param_value("env.CLAUDE_CODE_ENTRYPOINT", m.started_as)
        return
    yield computed("entrypoint", "sdk-cli", when=gates.HEADLESS)
    yield computed("entrypoint", "cli", when=gates.INTERACTIVE)


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


def _git_facts(m: Materials) -> Mapping[str, object]:
    """The snapshot of git."""
    git = m.git
    name = "`git config user.name` is {}"
    limit = f"{STATUS_LIMIT:,} characters"
    changed = "change, commit or discard files"
    return {
        "branch": computed("git.branch", git.branch),
        "main_branch": computed("git.main_branch", git.main_branch),
        "has_user": _git("user", bool(git.user), name.format("set"), name.format("not set"), f"run {_SET_USER}"),
        "user": computed("git.user", git.user),
        "failed": git.failed,
        "has_changes": _git("status", bool(git.status_shown), "there are changes", "nothing is changed", changed),
        "status": computed("git.status", git.status_shown),
        "is_cut": _git(
            "cut", git.cut, f"the status is longer than {limit}", f"the status fits in {limit}", "change more files"
        ),
        "bash_tool": computed("tool", "BashTool"),
        "bash": computed("tool", "Bash"),
        "commits": computed("git.commits", "\n".join(git.commits)),
    }


_SET_USER = "`git config user.name NAME`"


def _git(name: str, ok: bool, yes: str, no: str, remedy: str) -> Condition:
    return Observed("file", f"git {name}", ok, yes, no, remedy=remedy)


def _listed(agent: SubAgent, when: Condition) -> dict[str, object]:
    """An agent as the description of the tool Agent lists it, and as a message does, where its name is a label."""
    return {
        "name": computed("agent.name", agent.name),
        "bullet": label(f"\n- {agent.name}: "),
        "text": agent.pieces,
        "tools": label(f" (Tools: {agent.tools})"),
        "when": when,
    }
