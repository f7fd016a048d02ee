"""Claude Code's inputs: its command line, settings and the things a session brings along."""

from pathlib import Path

from promptscope_engine.agents.kit.params import with_switches
from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
PROMPT = "System prompt"
TOOLS = "Tools"
INSTRUCTIONS = "Instructions"
SETTINGS = "Settings"
HOOKS = "Hooks"


@with_switches(Path(__file__).parent)
class ClaudeCodeOverlay(Params, extra="allow"):
    """What `--settings` lays over the settings files."""


class Args(Params):
    """The command line. `print` is headless mode (`-p`)."""

    print: bool = param(False, SESSION, "headless: one answer, no dialogs", title="--print")
    bare: bool = param(False, SESSION, "cwd and date only; Bash, Edit and Read only", title="--bare")
    systemPrompt: str | None = param(
        None, PROMPT, "replaces every section of the system prompt", title="--system-prompt"
    )
    appendSystemPrompt: str | None = param(None, PROMPT, "added after the last section", title="--append-system-prompt")
    agent: str | None = param(None, PROMPT, "the body of this agent file replaces the system prompt", title="--agent")
    excludeDynamicSystemPromptSections: bool = param(
        False,
        PROMPT,
        "moves what differs between machines into the first message",
        title="--exclude-dynamic-system-prompt-sections",
    )
    addDir: list[str] = param(list, INSTRUCTIONS, "more working directories", title="--add-dir")
    settingSources: str | None = param(
        None,
        INSTRUCTIONS,
        "which of user, project, local are read; null: all",
        title="--setting-sources",
        choices={"all": None, "user": "user", "project": "project", "user,project": "user,project"},
    )
    tools: list[str] | None = param(
        None, TOOLS, "keep only these built-in tools; empty: none, null: the default", title="--tools"
    )
    disallowedTools: list[str] = param(list, TOOLS, "remove these tools", title="--disallowed-tools")
    allowedTools: list[str] = param(
        list, TOOLS, "tools that need no permission; no effect on the prompt", title="--allowed-tools"
    )
    disableSlashCommands: bool = param(False, TOOLS, "no skills and no Skill tool", title="--disable-slash-commands")


class Hooks(Params):
    """Outputs of hooks, imagined: promptscope never runs one."""

    SessionStart: str = param("", HOOKS, "what the SessionStart hook would print", title="SessionStart")
    UserPromptSubmit: str = param("", HOOKS, "what the UserPromptSubmit hook would print", title="UserPromptSubmit")


class Usage(Params):
    """What the last answer reported, for the arithmetic of the window."""

    lastTotal: int | None = param(
        None, SESSION, "tokens of the last request and its answer; null: a new session", title="lastTotal", ge=0
    )


class ClaudeCodeParams(Params):
    """Everything that decides a Claude Code prompt besides files, mode, model and environment variables."""

    prompt: str = param("hi", SESSION, "the user's first message", title="prompt")
    subagent: str | None = param(
        None,
        SESSION,
        "shows what this sub-agent is given in place of the main session: built in, or from .claude/agents/*.md",
        title="subagent",
    )
    args: Args = param(Args, SESSION, "the command line", title="args")
    approvedExternalImports: bool = param(
        False, INSTRUCTIONS, "imports of project files may leave the working directory", title="approvedExternalImports"
    )
    settings: ClaudeCodeOverlay = param(ClaudeCodeOverlay, SETTINGS, "as given with --settings", title="settings")
    hooks: Hooks = param(Hooks, HOOKS, "imagined hook outputs", title="hooks")
    usage: Usage = param(Usage, SESSION, "the last answer's usage", title="usage")
