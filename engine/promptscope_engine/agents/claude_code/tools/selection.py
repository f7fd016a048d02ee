"""Which tools there are: versions, modes, switches, deferring, MCP (specs/claude-code.md 6). Names are exact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.versions import V100
from promptscope_engine.formats.document import Json
from promptscope_engine.prompt.conditions import Any, Condition, Named, Not, Observed
from promptscope_engine.prompt.leaves import flag
from promptscope_engine.prompt.model import Lever

GROUPS: Mapping[str, str] = {
    **dict.fromkeys(("Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep"), "Files"),
    **dict.fromkeys(("Bash", "Monitor", "TaskOutput", "TaskStop"), "Shell"),
    **dict.fromkeys(("Agent", "ListAgents", "SendMessage", "Workflow", "ReportFindings"), "Agents"),
    **dict.fromkeys(("WebFetch", "WebSearch"), "Web"),
    **dict.fromkeys(("TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"), "Tasks"),
    **dict.fromkeys(("EnterPlanMode", "ExitPlanMode", "AskUserQuestion"), "Dialog"),
    **dict.fromkeys(("CronCreate", "CronDelete", "CronList", "ScheduleWakeup"), "Schedule"),
    **dict.fromkeys(("EnterWorktree", "ExitWorktree"), "Worktrees"),
    **dict.fromkeys(("Skill", "ToolSearch"), "Extension"),
}
MCP_GROUP = "MCP"


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES_100 = _words(
    "Agent AskUserQuestion Bash CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode "
    "ExitWorktree Glob Grep NotebookEdit Read Skill TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate "
    "TodoWrite ToolSearch WebFetch WebSearch Write"
)
NAMES_329 = _words(
    "Agent AskUserQuestion Bash CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode "
    "ExitWorktree Glob Grep ListAgents Monitor NotebookEdit Read ReportFindings ScheduleWakeup SendMessage Skill "
    "TaskCreate TaskGet TaskList TaskStop TaskUpdate ToolSearch WebFetch WebSearch Workflow Write"
)

_TASKS = frozenset(_words("TaskCreate TaskGet TaskList TaskUpdate"))
_PLAN = frozenset(_words("EnterPlanMode ExitPlanMode"))
_SEARCH = frozenset(_words("Glob Grep"))
_BARE = frozenset(_words("Bash Edit Read"))

_KEPT_100 = frozenset(_words("Agent Bash Edit Glob Grep Read Skill ToolSearch Write"))
"""What stays in `tools` of 2.1.100 when tool search is on."""
_DEFERRED_329 = (
    _TASKS
    | _PLAN
    | frozenset(
        _words(
            "CronCreate CronDelete CronList EnterWorktree ExitWorktree Monitor NotebookEdit SendMessage TaskStop "
            "WebFetch WebSearch"
        )
    )
)


def names(m: Materials) -> list[str]:
    """Every built-in tool of the version, in the order of the wire."""
    ordered = NAMES_100 if m.version == V100 else NAMES_329
    wanted = m.main_agent.tool_list if m.main_agent and m.version != V100 else None
    if wanted is None:
        return list(ordered)
    # Recorded: an agent's tools keep the order of its own list.
    return [name for name in wanted if name in ordered] + [name for name in ordered if name not in wanted]


def available(m: Materials, name: str) -> Condition:
    """The tool can be called, directly or after ToolSearch has loaded it."""
    if name not in m.conditions:
        found = _exists(m, name)
        for condition in _restrictions(m, name, built_in=True):
            found = found & condition
        m.conditions[name] = found
    return m.conditions[name]


def deferred(m: Materials, name: str) -> Condition:
    """The tool is named only, and loaded by ToolSearch. Tool search is an environment variable: no lever."""
    deferrable = name.startswith("mcp__") or (name not in _KEPT_100 if m.version == V100 else name in _DEFERRED_329)
    put_off = deferrable and searches(m)
    return Observed("tool", "ToolSearch", put_off, "tool search defers it: only its name is sent", "it is not deferred")


def searches(m: Materials) -> bool:
    """Whether tools can be looked for: tool search is on and its tool is not taken away."""
    return available(m, "ToolSearch").holds(m.facts)


def _exists(m: Materials, name: str) -> Condition:
    """What the version, the mode and other tools say."""
    classic = m.version == V100
    known = name in (NAMES_100 if classic else NAMES_329)
    there: Condition = Observed(
        "version", "", known, f"{m.version} has it", f"{m.version} does not have it", actual=m.version
    )
    interactive_only = gates.INTERACTIVE
    if name == "ToolSearch":
        there = m.gates.tool_search
    elif classic and name in _TASKS:
        there = interactive_only
    elif classic and name == "TodoWrite":
        there = gates.HEADLESS
    elif not classic and name in _TASKS:
        older = m.layout == "A'"
        there = Observed("model", "id", older, "older models have it", "models of today do without", actual=m.model.id)
    elif not classic and (name in _PLAN or name == "AskUserQuestion"):
        there = interactive_only
    elif not classic and name in _SEARCH:
        there = Not(_bash(m, "Bash is there, which searches as well", "Bash is not there"))
    elif not classic and name == "Monitor":
        there = _bash(m, "Bash is there", "it needs Bash")
    elif name == "Skill":
        there = there & ~flag(
            "args.disableSlashCommands", yes="slash commands are disabled", no="slash commands are on"
        )
    if name in _BARE:
        return there
    return there & ~m.gates.bare


def _bash(m: Materials, yes: str, no: str) -> Condition:
    """Bash can be called: tools that come and go with it."""
    without = [tool for tool in m.params.args.disallowedTools if tool != "Bash"]
    return gates.Settable(
        "tool",
        "Bash",
        available(m, "Bash").holds(m.facts),
        yes,
        no,
        on=(Lever("args.disallowedTools", without),) if "Bash" in m.params.args.disallowedTools else None,
        off=(Lever("args.disallowedTools", [*without, "Bash"]),),
    )


def _restrictions(m: Materials, name: str, *, built_in: bool) -> Iterable[Condition]:
    """--tools, --disallowed-tools, permissions.deny and the list of the agent that drives the session."""
    args = m.params.args
    if built_in and args.tools is not None and "default" not in args.tools:
        yield gates.Settable(
            "flag",
            "args.tools",
            name in args.tools,
            "--tools names it",
            "--tools leaves it out",
            wanted=name,
            actual=list(args.tools),
            on=(Lever("args.tools", [*args.tools, name]),),
            off=(Lever("args.tools", [tool for tool in args.tools if tool != name]),),
        )
    if args.disallowedTools:
        kept = [tool for tool in args.disallowedTools if not names_tool(tool, name)]
        yield gates.Settable(
            "flag",
            "args.disallowedTools",
            len(kept) == len(args.disallowedTools),
            "--disallowed-tools does not name it",
            "--disallowed-tools names it",
            actual=list(args.disallowedTools),
            on=(Lever("args.disallowedTools", kept),),
        )
    denied = [rule for rule in _deny(m) if names_tool(rule, name)]
    if denied:
        yield Observed("flag", "settings.permissions.deny", False, "", f"`permissions.deny` names {denied[0]}")
    wanted = m.main_agent.tool_list if m.main_agent and m.version != V100 else None
    if wanted is not None:
        who = m.main_agent.name if m.main_agent else ""
        yield Observed(
            "file", "agent", name in wanted, f"the agent {who} has it", f"the agent {who} does not list it", wanted=name
        )


def _deny(m: Materials) -> list[str]:
    found = m.settings.get("permissions")
    rules: Json = found.value.get("deny") if found and isinstance(found.value, dict) else None
    return [rule for rule in rules if isinstance(rule, str)] if isinstance(rules, list) else []


def names_tool(rule: str, name: str) -> bool:
    """Whether a rule takes a whole tool away: `Bash`, `mcp__server`, `mcp__server__*`, but not `Bash(rm *)`."""
    rule = rule.strip()
    if rule == name:
        return True
    if not rule.startswith("mcp__") or "(" in rule:
        return False
    return name.startswith(rule.removesuffix("*").rstrip("_") + "__") or bool(
        re.fullmatch(re.escape(rule).replace(r"\*", ".*"), name)
    )


def mcp_available(m: Materials, name: str) -> Condition:
    """A connected server's tool can be called."""
    found: Condition = Observed("mcp", name, True, "its server is connected", "") & ~m.gates.bare
    for condition in _restrictions(m, name, built_in=False):
        found = found & condition
    return found


def any_offered(m: Materials, *wanted: str) -> Condition:
    """At least one of the tools can be called."""
    conditions = tuple(offers(m, name) for name in wanted)
    return conditions[0] if len(conditions) == 1 else Any(conditions)


def offers(m: Materials, name: str) -> Condition:
    """The tool can be called: for a section or a bullet that names it."""
    return Named("tool", name, available(m, name), yes=f"{name} is offered", no=f"{name} is not offered")


def deferred_names(m: Materials) -> list[str]:
    """The names that are listed for ToolSearch: built-in ones sorted, then MCP tools sorted."""
    built_in = [name for name in sorted(names(m)) if (available(m, name) & deferred(m, name)).holds(m.facts)]
    servers = [t.name for t in m.mcp_tools if (mcp_available(m, t.name) & deferred(m, t.name)).holds(m.facts)]
    return [*built_in, *servers]


def sends_placeholder(m: Materials) -> bool:
    """2.1.329 sends a placeholder with tool search on, even where nothing is deferred [recorded with --agent]."""
    return m.version != V100 and m.gates.tool_search.holds(m.facts)
