"""Claude Code's inputs: its command line, settings and the things a session brings along (specs/claude-code.md 1-4)."""

from pathlib import Path

from promptscope_engine.agents.kit.switches import with_switches
from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
PROMPT = "System prompt"
TOOLS = "Tools"
INSTRUCTIONS = "Instructions"
SETTINGS = "Settings"
HOOKS = "Hooks"


@with_switches(Path(__file__).parent)
class Settings(Params, extra="allow"):
    """What `--settings` lays over the settings files."""


class Args(Params):
    """The command line. `print` is headless mode (`-p`)."""

    print: bool = param(False, title="--print", group=SESSION, help="headless: one answer, no dialogs")
    bare: bool = param(False, title="--bare", group=SESSION, help="cwd and date only; Bash, Edit and Read only")
    systemPrompt: str | None = param(
        None, title="--system-prompt", group=PROMPT, help="replaces every section of the system prompt"
    )
    appendSystemPrompt: str | None = param(
        None, title="--append-system-prompt", group=PROMPT, help="added after the last section"
    )
    agent: str | None = param(
        None, title="--agent", group=PROMPT, help="the body of this agent file replaces the system prompt"
    )
    excludeDynamicSystemPromptSections: bool = param(
        False,
        title="--exclude-dynamic-system-prompt-sections",
        group=PROMPT,
        help="moves what differs between machines into the first message",
    )
    addDir: list[str] = param(list, title="--add-dir", group=INSTRUCTIONS, help="more working directories")
    settingSources: str | None = param(
        None,
        title="--setting-sources",
        group=INSTRUCTIONS,
        help="which of user, project, local are read; null: all",
        choices={"all": None, "user": "user", "project": "project", "user,project": "user,project"},
    )
    tools: list[str] | None = param(
        None, title="--tools", group=TOOLS, help="keep only these built-in tools; empty: none, null: the default"
    )
    disallowedTools: list[str] = param(list, title="--disallowed-tools", group=TOOLS, help="remove these tools")
    allowedTools: list[str] = param(
        list, title="--allowed-tools", group=TOOLS, help="tools that need no permission; no effect on the prompt"
    )
    disableSlashCommands: bool = param(
        False, title="--disable-slash-commands", group=TOOLS, help="no skills and no Skill tool"
    )


class Hooks(Params):
    """Outputs of hooks, imagined: promptscope never runs one."""

    SessionStart: str = param("", title="SessionStart", group=HOOKS, help="what the SessionStart hook would print")
    UserPromptSubmit: str = param(
        "", title="UserPromptSubmit", group=HOOKS, help="what the UserPromptSubmit hook would print"
    )


class Usage(Params):
    """What the last answer reported, for the arithmetic of the window."""

    lastTotal: int | None = param(
        None,
        title="lastTotal",
        group=SESSION,
        help="tokens of the last request and its answer; null: a new session",
        ge=0,
    )


class ClaudeCodeParams(Params):
    """Everything that decides a Claude Code prompt besides files, mode, model and environment variables."""

    prompt: str = param("hi", title="prompt", group=SESSION, help="the user's first message")
    subagent: str | None = param(
        None,
        title="subagent",
        group=SESSION,
        help="shows what this sub-agent is given in place of the main session: built in, or from .claude/agents/*.md",
    )
    args: Args = param(Args, title="args", group=SESSION, help="the command line")
    approvedExternalImports: bool = param(
        False,
        title="approvedExternalImports",
        group=INSTRUCTIONS,
        help="imports of project files may leave the working directory",
    )
    settings: Settings = param(Settings, title="settings", group=SETTINGS, help="as given with --settings")
    hooks: Hooks = param(Hooks, title="hooks", group=HOOKS, help="imagined hook outputs")
    usage: Usage = param(Usage, title="usage", group=SESSION, help="the last answer's usage")
