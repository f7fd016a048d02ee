"""Which tools stay active: the rules of the client's policy engine, and what they come to.

A rule speaks of tools by name. The first rule that fits a tool decides, the highest priority first; one that looks at
a call's arguments as well cannot take the tool away, since another call might be allowed.
"""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from promptscope_engine.prompt.model import SettingSource

Decision = Literal["allow", "ask", "deny"]
Mode = Literal["default", "auto_edit", "yolo", "plan"]

MODES: tuple[Mode, ...] = ("default", "auto_edit", "yolo", "plan")
NOT_PLAN: tuple[Mode, ...] = ("default", "auto_edit", "yolo")

TITLES = {
    "update_topic": "Update Topic Context",
    "list_directory": "ReadFolder",
    "read_file": "ReadFile",
    "grep_search": "SearchText",
    "glob": "FindFiles",
    "activate_skill": "Activate Skill",
    "replace": "Edit",
    "write_file": "WriteFile",
    "web_fetch": "WebFetch",
    "read_mcp_resource": "Read MCP Resource",
    "list_mcp_resources": "List MCP Resources",
    "run_shell_command": "Shell",
    "list_background_processes": "List Background Processes",
    "read_background_output": "Read Background Output",
    "google_web_search": "GoogleSearch",
    "ask_user": "Ask User",
    "write_todos": "WriteTodos",
    "exit_plan_mode": "Exit Plan Mode",
    "enter_plan_mode": "Enter Plan Mode",
    "tracker_create_task": "Create Task",
    "tracker_update_task": "Update Task",
    "tracker_get_task": "Get Task",
    "tracker_list_tasks": "List Tasks",
    "tracker_add_dependency": "Add Dependency",
    "tracker_visualize": "Visualize Tracker",
    "invoke_agent": "Invoke Subagent",
}
"""The built-in tools in the order in which they are registered, each with what the client calls it on the screen."""
TOOLS = tuple(TITLES)
"""The built-in tools; activate_skill again at the end if there are skills."""
CLASSES = {
    "UpdateTopicTool": "update_topic",
    "LSTool": "list_directory",
    "ReadFileTool": "read_file",
    "GrepTool": "grep_search",
    "RipGrepTool": "grep_search",
    "GlobTool": "glob",
    "ActivateSkillTool": "activate_skill",
    "EditTool": "replace",
    "WriteFileTool": "write_file",
    "WebFetchTool": "web_fetch",
    "ReadMcpResourceTool": "read_mcp_resource",
    "ListMcpResourcesTool": "list_mcp_resources",
    "ShellTool": "run_shell_command",
    "ListBackgroundProcessesTool": "list_background_processes",
    "ReadBackgroundOutputTool": "read_background_output",
    "WebSearchTool": "google_web_search",
    "AskUserTool": "ask_user",
    "WriteTodosTool": "write_todos",
    "ExitPlanModeTool": "exit_plan_mode",
    "EnterPlanModeTool": "enter_plan_mode",
    "AgentTool": "invoke_agent",
}
"""The class of each tool: `tools.core` and `tools.exclude` understand these names, too."""
OLD_NAMES = {"search_file_content": "grep_search"}
"""Names of tools that the client still understands."""
SHELL = "run_shell_command"
SHELL_NAMES = (SHELL, "ShellTool")
"""The names that settings may call the shell tool by; its class name alone is translated."""


class Rule(Struct, frozen=True):
    """A rule: `tools` are names, `*` for all, or `mcp_SERVER_*`. None of the further marks: it holds everywhere.

    `narrowed`: it looks at a call's arguments. `read_only`: it speaks only of servers' tools that change nothing.
    `source` is the setting that it comes from, None for a built-in one; `words` says what it does in a sentence.
    """

    tools: tuple[str, ...]
    decision: Decision
    priority: float
    words: str
    modes: tuple[Mode, ...] = MODES
    interactive: bool | None = None
    narrowed: bool = False
    read_only: bool = False
    source: SettingSource | None = None

    def fits(self, tool: str, mode: str, *, interactive: bool, read_only: bool) -> bool:
        """Whether the rule speaks of the tool in such a session."""
        if mode not in self.modes or self.interactive not in (None, interactive) or (self.read_only and not read_only):
            return False
        return _name(self.tools, tool)


@lru_cache(2_000)
def _name(names: tuple[str, ...], tool: str) -> bool:
    """Whether one of the names is the tool's: asked for each rule in every mode, with a dialog and without."""
    return any(name in (tool, "*") or (_OF_SERVER(name) and tool.startswith(name[:-1])) for name in names)


_OF_SERVER = re.compile(r"mcp_(.*_)?\*", re.DOTALL).fullmatch
"""`mcp_*`, `mcp_SERVER_*`: in other names a star is but a sign (asked 0.61.0)."""


def is_pattern(name: str) -> bool:
    """Whether a rule with this name speaks of several tools."""
    return name == "*" or bool(_OF_SERVER(name))


class Verdict(Struct, frozen=True):
    """Whether a tool stays, and the rule that decided; None where no rule speaks of it."""

    stays: bool
    rule: Rule | None


class Policy(Struct, frozen=True):
    """All rules, the highest priority first."""

    rules: tuple[Rule, ...]

    def verdict(self, tool: str, mode: str, *, interactive: bool, read_only: bool = False) -> Verdict:
        """What the rules come to for a tool. Headless, a tool that no rule speaks of is dropped."""
        for rule in self.rules:
            if not rule.fits(tool, mode, interactive=interactive, read_only=read_only):
                continue
            if not rule.narrowed:
                return Verdict(rule.decision != "deny", rule)
            if rule.decision != "deny":
                return Verdict(True, rule)
        return Verdict(interactive, None)


_BUILT_IN = (
    Rule(
        tools=("ask_user",),
        decision="deny",
        priority=4.4,
        words="nobody answers in a headless session",
        interactive=False,
    ),
    Rule(
        tools=(
            "enter_plan_mode",
            "exit_plan_mode",
        ),
        decision="deny",
        priority=1.999,
        words="yolo mode is not left for plan mode",
        modes=("yolo",),
        interactive=True,
    ),
    Rule(tools=("*",), decision="allow", priority=1.998, words="yolo mode allows every tool", modes=("yolo",)),
    Rule(
        tools=(
            "replace",
            "write_file",
        ),
        decision="allow",
        priority=1.07,
        words="plan mode lets plans be written",
        modes=("plan",),
        narrowed=True,
    ),
    Rule(
        tools=(
            "list_directory",
            "read_file",
            "grep_search",
            "glob",
            "google_web_search",
            "read_mcp_resource",
            "list_mcp_resources",
            "tracker_create_task",
            "tracker_update_task",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_add_dependency",
            "tracker_visualize",
            "update_topic",
            "invoke_agent",
            "enter_plan_mode",
            "exit_plan_mode",
        ),
        decision="allow",
        priority=1.05,
        words="it changes nothing, so it is always allowed",
    ),
    Rule(
        tools=(
            "ask_user",
            "web_fetch",
            "activate_skill",
        ),
        decision="ask",
        priority=1.05,
        words="plan mode asks for it",
        modes=("plan",),
        interactive=True,
    ),
    Rule(
        tools=("mcp_*",),
        decision="ask",
        priority=1.05,
        words="plan mode asks for what only reads",
        modes=("plan",),
        interactive=True,
        read_only=True,
    ),
    Rule(
        tools=("*",),
        decision="deny",
        priority=1.04,
        words="plan mode denies what may change something",
        modes=("plan",),
    ),
    Rule(
        tools=(
            "replace",
            "write_file",
            "web_fetch",
        ),
        decision="allow",
        priority=1.015,
        words="auto-edit mode allows it",
        modes=("auto_edit",),
    ),
    Rule(
        tools=(
            "replace",
            "write_file",
            "web_fetch",
            "run_shell_command",
            "activate_skill",
            "discovered_tool_*",
        ),
        decision="ask",
        priority=1.01,
        words="it is asked for",
        interactive=True,
    ),
    Rule(
        tools=(
            "replace",
            "write_file",
            "web_fetch",
            "run_shell_command",
            "activate_skill",
            "discovered_tool_*",
        ),
        decision="deny",
        priority=1.01,
        words="nobody can allow it in a headless session",
        interactive=False,
    ),
)
"""The rules on tools that come with the client."""


def policy_of(rules: tuple[Rule, ...]) -> Policy:
    """The policy of these rules and the built-in ones."""
    return Policy(tuple(sorted((*rules, *_BUILT_IN), key=lambda rule: -rule.priority)))


def current(name: str) -> str:
    """The present name of a tool that an entry calls by an old name."""
    return OLD_NAMES.get(name, name)


def excluded(entry: str) -> str:
    """The tool that an entry of `tools.exclude` names; here a class is understood, too."""
    return CLASSES.get(entry, current(entry))


def registers(entry: str, tool: str) -> bool:
    """Whether an entry of `tools.core` lets a tool be registered: by its name or its class, arguments aside."""
    name = entry.partition("(")[0]
    return name == tool or CLASSES.get(name) == tool


def named_tool(entry: str) -> tuple[str, bool]:
    """The tool that an entry of a list names, and whether the entry looks at its arguments: `run_shell_command(ls)`.

    A shell without a command, `run_shell_command()`, names nothing (asked 0.61.0).
    """
    name, bracket, _ = entry.partition("(")
    narrowed = bool(bracket) and entry.endswith(")") and entry not in {f"{shell}()" for shell in SHELL_NAMES}
    name = name if narrowed else entry
    return (SHELL if name in SHELL_NAMES else name), narrowed


def server_rule(server: str, decision: Decision, priority: float, words: str, source: SettingSource | None) -> Rule:
    """A rule on all tools of a server, `*` for all. The name is taken as it is, so one with a space never fits."""
    everywhere = decision == "deny"
    names = "mcp_*" if server == "*" else f"mcp_{server}_*"
    return Rule((names,), decision, priority, words, MODES if everywhere else NOT_PLAN, source=source)
