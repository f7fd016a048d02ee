"""OpenClaw's inputs: what its gatherer starts from, and the 26 parameters of `buildAgentSystemPrompt`
(specs/openclaw.md 1) under its own names, which override what is gathered."""

from typing import Any, Literal

from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
FILES = "Files"
TOOLS = "Tools"
SKILLS = "Skills"
PROMPT = "Prompt parameters"
RUNTIME = "Runtime information"

MAIN, SUBAGENT, CRON = "main", "sub-agent", "cron"
CHANNELS = ("telegram", "whatsapp", "discord", "irc", "googlechat", "slack", "signal", "imessage")
"""The eight built-in channels, in the order the message tool lists them."""


class ToolStandIn(Params):
    """A tool that stands in for the agent's own; `pluginId` names the plugin it comes from."""

    name: str
    label: str | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None
    pluginId: str | None = None
    ownerOnly: bool = False


class SkillStandIn(Params):
    """A skill that stands in for those on the disk; it has passed every gate but the filter."""

    name: str
    description: str
    filePath: str
    source: str = "openclaw-workspace"
    disableModelInvocation: bool = False


class BootstrapStandIn(Params):
    """A bootstrap file that stands in for those on the disk."""

    name: str
    path: str | None = None
    content: str | None = None
    missing: bool = False


class ContextFile(Params):
    """A file of the section Project Context."""

    path: str | None = None
    content: str = ""


class Elevated(Params):
    """Whether the sandbox may be left for single commands."""

    allowed: bool = False
    defaultLevel: Literal["on", "off", "ask", "full"] = "off"


class SandboxInfo(Params):
    """What the section Sandbox tells."""

    enabled: bool = False
    workspaceDir: str | None = None
    containerWorkspaceDir: str | None = None
    workspaceAccess: Literal["none", "ro", "rw"] | None = None
    agentWorkspaceMount: str | None = None
    browserBridgeUrl: str | None = None
    browserNoVncUrl: str | None = None
    hostBrowserAllowed: bool | None = None
    elevated: Elevated | None = None


class ReactionGuidance(Params):
    """How freely messages are reacted to, and the channel's display name."""

    level: Literal["minimal", "extensive"]
    channel: str = ""


class RuntimeInfo(Params):
    """The parts of the runtime line. `channelActions` is accepted and never shown."""

    agentId: str | None = param(None, RUNTIME, "agent=")
    host: str | None = param(None, RUNTIME, "host=, the machine's display name")
    os: str | None = param(None, RUNTIME, "os=, with the architecture in brackets")
    arch: str | None = param(None, RUNTIME, "arch= where no os is given")
    node: str | None = param(None, RUNTIME, "node=, the JavaScript runtime's version")
    model: str | None = param(None, RUNTIME, "model=, provider/model")
    defaultModel: str | None = param(None, RUNTIME, "default_model=")
    shell: str | None = param(None, RUNTIME, "shell=")
    channel: str | None = param(None, RUNTIME, "channel=, and the hint about buttons")
    capabilities: list[str] | None = param(None, RUNTIME, "capabilities=")
    repoRoot: str | None = param(None, RUNTIME, "repo=, the repository's root")
    channelActions: list[str] | None = param(None, RUNTIME, "never shown")


Think = Literal["off", "minimal", "low", "medium", "high", "xhigh"]


class PromptParams(Params):
    """The parameters of `buildAgentSystemPrompt`. One that is not mentioned is gathered, null is not passed."""

    workspaceDir: str | None = param(None, PROMPT, "the working directory shown")
    defaultThinkLevel: Think | None = param(None, PROMPT, "thinking= in the runtime line")
    reasoningLevel: Literal["off", "on", "stream"] | None = param(None, PROMPT, "the second line of Runtime")
    extraSystemPrompt: str | None = param(None, PROMPT, "group chat or sub-agent context")
    ownerNumbers: list[str] | None = param(None, PROMPT, "the authorized senders")
    ownerDisplay: str | None = param(
        None,
        PROMPT,
        "shows the senders in the clear, or with `hash` hashed",
        choices={"not passed": None, "raw": "raw", "hash": "hash"},
    )
    ownerDisplaySecret: str | None = param(None, PROMPT, "the key of the hash; none: a plain hash")
    reasoningTagHint: bool | None = param(None, PROMPT, "asks for <think> and <final> tags")
    toolNames: list[str] | None = param(None, PROMPT, "the tools that Tooling lists")
    toolSummaries: dict[str, str | None] | None = param(None, PROMPT, "one text per tool without a built-in summary")
    modelAliasLines: list[str] | None = param(None, PROMPT, "lines `- alias: provider/model`")
    userTimezone: str | None = param(None, PROMPT, "the time zone shown")
    userTime: str | None = param(None, PROMPT, "accepted and never used")
    userTimeFormat: str | None = param(None, PROMPT, "accepted and never used")
    contextFiles: list[ContextFile] | None = param(None, PROMPT, "the files of Project Context")
    skillsPrompt: str | None = param(None, PROMPT, "the listing of skills")
    heartbeatPrompt: str | None = param(None, PROMPT, "the text of a heartbeat")
    docsPath: str | None = param(None, PROMPT, "where the documentation lies")
    workspaceNotes: list[str] | None = param(None, PROMPT, "lines at the end of Workspace")
    ttsHint: str | None = param(None, PROMPT, "how to speak")
    promptMode: Literal["full", "minimal", "none"] | None = param(
        None, PROMPT, "the size of the prompt; the scenario's mode overrides it"
    )
    runtimeInfo: RuntimeInfo | None = param(None, PROMPT, "replaces the gathered one")
    messageToolHints: list[str] | None = param(None, PROMPT, "lines at the end of the message tool's block")
    sandboxInfo: SandboxInfo | None = param(
        None,
        PROMPT,
        "the sandbox of this run",
        choices={
            "not passed": None,
            "container": {"enabled": True, "containerWorkspaceDir": "/workspace", "workspaceAccess": "rw"},
        },
    )
    reactionGuidance: ReactionGuidance | None = param(
        None,
        PROMPT,
        "how freely messages are reacted to",
        choices={
            "not passed": None,
            "minimal": {"level": "minimal", "channel": "Telegram"},
            "extensive": {"level": "extensive", "channel": "Telegram"},
        },
    )
    memoryCitationsMode: Literal["auto", "on", "off"] | None = param(
        None, PROMPT, "`off` asks for no sources of memories"
    )


class OpenClawParams(Params):
    """Everything that decides an OpenClaw prompt besides files, mode and model."""

    sessionKey: str | None = param(
        None,
        SESSION,
        "whose session, and which kind; null: the default agent's main one",
        choices={
            MAIN: None,
            SUBAGENT: "agent:main:subagent:1",
            CRON: "agent:main:cron:job",
            "group": "agent:main:telegram:group:1",
            "thread": "agent:main:telegram:group:1:thread:2",
            "direct": "agent:main:telegram:direct:1",
        },
    )
    channel: str | None = param(
        None, SESSION, "where the message came from", choices={"none": None, **{name: name for name in CHANNELS}}
    )
    task: str = param("", SESSION, "the user's words; empty: no message is drafted")
    sessionFile: str | None = param(None, SESSION, "a session's file: its conversation stands before the message")
    sessionLine: int | None = param(None, SESSION, "the last line of that file that counts; null: all do", ge=1)
    senderIsOwner: bool = param(True, SESSION, "only an owner is offered cron, gateway and logins")
    heartbeatDefault: bool | None = param(None, SESSION, "the agent has the heartbeat; null: it is the default agent")
    config: dict[str, Any] | None = param(None, FILES, "replaces the file ~/.openclaw/openclaw.json")
    configOverlay: dict[str, Any] = param(dict, FILES, "overrides the configuration key by key: what if it said this?")
    useConfiguredWorkspace: bool = param(
        False, FILES, "takes the workspace that the configuration or the profile names, not the folder looked at"
    )
    internalHooks: bool = param(False, FILES, "a gateway runs the bundled hooks (bootstrap-extra-files)")
    bootstrapFiles: list[BootstrapStandIn] | None = param(None, FILES, "stand in for the workspace's files")
    tools: list[ToolStandIn] | None = param(None, TOOLS, "stand in for the agent's own tools")
    disableMessageTool: bool = param(False, TOOLS, "the run has no message tool")
    skills: list[SkillStandIn] | None = param(None, SKILLS, "stand in for the skills on the disk")
    skillFilter: list[str] | None = param(None, SKILLS, "names of the skills to list; null: the agent's own list")
    bundledSkillsDir: str | None = param(None, SKILLS, "the installed package's skills")
    managedSkillsDir: str | None = param(None, SKILLS, "null: ~/.openclaw/skills")
    promptParams: PromptParams = param(PromptParams, PROMPT, "overrides what was gathered")
