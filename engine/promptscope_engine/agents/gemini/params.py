"""Gemini CLI's inputs: its command line, settings, and what a session brings along (specs/gemini.md 16)."""

from typing import Any, Literal

from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
INSTRUCTIONS = "Instructions"
TOOLS = "Tools"
SETTINGS = "Settings"
HOOKS = "Hooks"


class _Open(Params, extra="allow"):
    """A group of settings: keys that are not drawn as switches are kept as they are."""


def _flag(name: str, help: str) -> Any:
    return param(None, title=name, group=SETTINGS, help=help)


class Plan(_Open):
    """`general.plan`."""

    enabled: bool | None = _flag("general.plan.enabled", "plan mode and its tools")
    directory: str | None = _flag("general.plan.directory", "where plans are kept, relative to the workspace")


class General(_Open):
    """`general`."""

    defaultApprovalMode: Literal["default", "auto_edit", "plan"] | None = _flag(
        "general.defaultApprovalMode", "the approval mode of a session that names none"
    )
    topicUpdateNarration: bool | None = _flag("general.topicUpdateNarration", "the tool update_topic, and its rules")
    plan: Plan = param(Plan, title="plan", group=SETTINGS, help="plan mode")


class Context(_Open):
    """`context`."""

    fileName: str | list[str] | None = _flag("context.fileName", "further names of context files")
    importFormat: Literal["tree", "flat"] | None = _flag("context.importFormat", "how imports are written")
    includeDirectoryTree: bool | None = _flag("context.includeDirectoryTree", "the structure of the folders")
    includeDirectories: list[str] | None = _flag("context.includeDirectories", "further workspace folders")
    memoryBoundaryMarkers: list[str] | None = _flag(
        "context.memoryBoundaryMarkers", "what marks the topmost folder that is searched; .git when not set"
    )


class Shell(_Open):
    """`tools.shell`."""

    enableInteractiveShell: bool | None = _flag("tools.shell.enableInteractiveShell", "commands that ask back")
    enableShellOutputEfficiency: bool | None = _flag(
        "tools.shell.enableShellOutputEfficiency", "older models: rules on the length of output"
    )


class Tools(_Open):
    """`tools`."""

    core: list[str] | None = _flag("tools.core", "only these built-in tools; an empty list leaves none")
    exclude: list[str] | None = _flag("tools.exclude", "tools that are left out")
    allowed: list[str] | None = _flag("tools.allowed", "tools that need no confirmation")
    confirmationRequired: list[str] | None = _flag("tools.confirmationRequired", "tools that always ask")
    useRipgrep: bool | None = _flag("tools.useRipgrep", "grep_search through ripgrep")
    shell: Shell = param(Shell, title="shell", group=SETTINGS, help="the shell tool")


class Skills(_Open):
    """`skills`."""

    enabled: bool | None = _flag("skills.enabled", "skills at all, the built-in ones too")
    disabled: list[str] | None = _flag("skills.disabled", "names of skills that are left out")


class Experimental(_Open):
    """`experimental`."""

    enableAgents: bool | None = _flag("experimental.enableAgents", "sub-agents")
    taskTracker: bool | None = _flag("experimental.taskTracker", "the task tracker's tools and rules")
    contextManagement: bool | None = _flag("experimental.contextManagement", "another way to manage the context")
    directWebFetch: bool | None = _flag("experimental.directWebFetch", "web_fetch takes an address")


class FolderTrust(_Open):
    """`security.folderTrust`."""

    enabled: bool | None = _flag("security.folderTrust.enabled", "off: every folder is trusted")


class Security(_Open):
    """`security`."""

    toolSandboxing: bool | None = _flag("security.toolSandboxing", "commands ask for further permissions")
    folderTrust: FolderTrust = param(FolderTrust, title="folderTrust", group=SETTINGS, help="whose folders are trusted")


class Mcp(_Open):
    """`mcp`."""

    allowed: list[str] | None = _flag("mcp.allowed", "the only servers that are started")
    excluded: list[str] | None = _flag("mcp.excluded", "servers that are not started")
    autoAllowInHeadless: bool | None = _flag("mcp.autoAllowInHeadless", "servers' tools in headless sessions")


class ModelSettings(_Open):
    """`model`."""

    name: str | None = _flag("model.name", "the model, unless the command line or the environment names one")
    compressionThreshold: float | None = _flag("model.compressionThreshold", "the part of the window that compresses")


class HooksConfig(_Open):
    """`hooksConfig`."""

    enabled: bool | None = _flag("hooksConfig.enabled", "hooks at all")


class Settings(_Open):
    """Settings laid over the merged ones of the files."""

    general: General = param(General, title="general", group=SETTINGS, help="general settings")
    context: Context = param(Context, title="context", group=SETTINGS, help="context files and folders")
    tools: Tools = param(Tools, title="tools", group=SETTINGS, help="tools")
    skills: Skills = param(Skills, title="skills", group=SETTINGS, help="skills")
    experimental: Experimental = param(Experimental, title="experimental", group=SETTINGS, help="experiments")
    security: Security = param(Security, title="security", group=SETTINGS, help="trust and sandboxes")
    mcp: Mcp = param(Mcp, title="mcp", group=SETTINGS, help="MCP servers")
    model: ModelSettings = param(ModelSettings, title="model", group=SETTINGS, help="the model")
    hooksConfig: HooksConfig = param(HooksConfig, title="hooksConfig", group=SETTINGS, help="hooks")
    useWriteTodos: bool | None = _flag("useWriteTodos", "older models: the tool write_todos")


class Args(Params):
    """The command line. `print` is headless mode (`-p`, or no terminal)."""

    print: bool = param(True, title="--prompt", group=SESSION, help="headless: one answer, no dialogs")
    includeDirectories: list[str] = param(
        list, title="--include-directories", group=INSTRUCTIONS, help="more workspace folders"
    )
    extensions: list[str] | None = param(
        None, title="--extensions", group=INSTRUCTIONS, help="the only active extensions; `none` for none, null: all"
    )
    allowedTools: list[str] | None = param(
        None, title="--allowed-tools", group=TOOLS, help="tools that need no confirmation, in place of the setting"
    )
    allowedMcpServerNames: list[str] | None = param(
        None, title="--allowed-mcp-server-names", group=TOOLS, help="the only servers that are started; null: all"
    )
    policy: list[str] = param(
        list, title="--policy", group=TOOLS, help="policy files or folders, in place of ~/.gemini/policies"
    )


class Hooks(Params):
    """Outputs of hooks, imagined: promptscope never runs one."""

    SessionStart: str | None = param(
        None, title="SessionStart", group=HOOKS, help="what the SessionStart hook would add"
    )
    BeforeAgent: str | None = param(None, title="BeforeAgent", group=HOOKS, help="what the BeforeAgent hook would add")


class GeminiParams(Params):
    """Everything that decides a Gemini CLI prompt besides files, mode, model and environment variables."""

    prompt: str = param("hi", title="prompt", group=SESSION, help="the user's first message")
    stdin: str | None = param(None, title="stdin", group=SESSION, help="headless: what is piped in")
    args: Args = param(Args, title="args", group=SESSION, help="the command line")
    trusted: bool | None = param(
        None,
        title="trusted",
        group=SESSION,
        help="what trustedFolders.json says of the workspace; null: the file itself",
    )
    routed: Literal["flash", "pro"] = param(
        "flash", title="routed", group=SESSION, help="the answer of the router that an `auto` model asks first"
    )
    acknowledgedAgents: list[str] = param(
        list, title="acknowledgedAgents", group=INSTRUCTIONS, help="project agents that the user has acknowledged"
    )
    hooks: Hooks = param(Hooks, title="hooks", group=HOOKS, help="imagined hook outputs")
    ripgrep: bool = param(True, title="ripgrep", group=TOOLS, help="`rg` lies in a trusted folder of the system")
    sessionId: str = param(
        "00000000-0000-4000-8000-000000000001", title="sessionId", group=SESSION, help="names the session's folders"
    )
    packageDir: str = param(
        "{PACKAGE}", title="packageDir", group=SESSION, help="where the client is installed; its own skills lie there"
    )
    authType: str = param("gemini-api-key", title="authType", group=SESSION, help="how the user signed in")
    settings: Settings = param(Settings, title="settings", group=SETTINGS, help="laid over the settings files")
