"""OpenClaw's inputs: what its gatherer starts from, and the 26 parameters of `buildAgentSystemPrompt`
(specs/openclaw.md 1) under its own names, which override what is gathered."""

from __future__ import annotations

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

    agentId: str | None = param(None, title="agentId", group=RUNTIME, help="agent=")
    host: str | None = param(None, title="host", group=RUNTIME, help="host=, the machine's display name")
    os: str | None = param(None, title="os", group=RUNTIME, help="os=, with the architecture in brackets")
    arch: str | None = param(None, title="arch", group=RUNTIME, help="arch= where no os is given")
    node: str | None = param(None, title="node", group=RUNTIME, help="node=, the JavaScript runtime's version")
    model: str | None = param(None, title="model", group=RUNTIME, help="model=, provider/model")
    defaultModel: str | None = param(None, title="defaultModel", group=RUNTIME, help="default_model=")
    shell: str | None = param(None, title="shell", group=RUNTIME, help="shell=")
    channel: str | None = param(None, title="channel", group=RUNTIME, help="channel=, and the hint about buttons")
    capabilities: list[str] | None = param(None, title="capabilities", group=RUNTIME, help="capabilities=")
    repoRoot: str | None = param(None, title="repoRoot", group=RUNTIME, help="repo=, the repository's root")
    channelActions: list[str] | None = param(None, title="channelActions", group=RUNTIME, help="never shown")


Think = Literal["off", "minimal", "low", "medium", "high", "xhigh"]


class PromptParams(Params):
    """The parameters of `buildAgentSystemPrompt`. One that is not mentioned is gathered, null is not passed."""

    workspaceDir: str | None = param(None, title="workspaceDir", group=PROMPT, help="the working directory shown")
    defaultThinkLevel: Think | None = param(
        None, title="defaultThinkLevel", group=PROMPT, help="thinking= in the runtime line"
    )
    reasoningLevel: Literal["off", "on", "stream"] | None = param(
        None, title="reasoningLevel", group=PROMPT, help="the second line of Runtime"
    )
    extraSystemPrompt: str | None = param(
        None, title="extraSystemPrompt", group=PROMPT, help="group chat or sub-agent context"
    )
    ownerNumbers: list[str] | None = param(None, title="ownerNumbers", group=PROMPT, help="the authorized senders")
    ownerDisplay: str | None = param(
        None,
        title="ownerDisplay",
        group=PROMPT,
        help="shows the senders in the clear, or with `hash` hashed",
        choices={"not passed": None, "raw": "raw", "hash": "hash"},
    )
    ownerDisplaySecret: str | None = param(
        None, title="ownerDisplaySecret", group=PROMPT, help="the key of the hash; none: a plain hash"
    )
    reasoningTagHint: bool | None = param(
        None, title="reasoningTagHint", group=PROMPT, help="asks for <think> and <final> tags"
    )
    toolNames: list[str] | None = param(None, title="toolNames", group=PROMPT, help="the tools that Tooling lists")
    toolSummaries: dict[str, str | None] | None = param(
        None, title="toolSummaries", group=PROMPT, help="one text per tool without a built-in summary"
    )
    modelAliasLines: list[str] | None = param(
        None, title="modelAliasLines", group=PROMPT, help="lines `- alias: provider/model`"
    )
    userTimezone: str | None = param(None, title="userTimezone", group=PROMPT, help="the time zone shown")
    userTime: str | None = param(None, title="userTime", group=PROMPT, help="accepted and never used")
    userTimeFormat: str | None = param(None, title="userTimeFormat", group=PROMPT, help="accepted and never used")
    contextFiles: list[ContextFile] | None = param(
        None, title="contextFiles", group=PROMPT, help="the files of Project Context"
    )
    skillsPrompt: str | None = param(None, title="skillsPrompt", group=PROMPT, help="the listing of skills")
    heartbeatPrompt: str | None = param(None, title="heartbeatPrompt", group=PROMPT, help="the text of a heartbeat")
    docsPath: str | None = param(None, title="docsPath", group=PROMPT, help="where the documentation lies")
    workspaceNotes: list[str] | None = param(
        None, title="workspaceNotes", group=PROMPT, help="lines at the end of Workspace"
    )
    ttsHint: str | None = param(None, title="ttsHint", group=PROMPT, help="how to speak")
    promptMode: Literal["full", "minimal", "none"] | None = param(
        None, title="promptMode", group=PROMPT, help="the size of the prompt; the scenario's mode overrides it"
    )
    runtimeInfo: RuntimeInfo | None = param(None, title="runtimeInfo", group=PROMPT, help="replaces the gathered one")
    messageToolHints: list[str] | None = param(
        None, title="messageToolHints", group=PROMPT, help="lines at the end of the message tool's block"
    )
    sandboxInfo: SandboxInfo | None = param(
        None,
        title="sandboxInfo",
        group=PROMPT,
        help="the sandbox of this run",
        choices={
            "not passed": None,
            "container": {"enabled": True, "containerWorkspaceDir": "/workspace", "workspaceAccess": "rw"},
        },
    )
    reactionGuidance: ReactionGuidance | None = param(
        None,
        title="reactionGuidance",
        group=PROMPT,
        help="how freely messages are reacted to",
        choices={
            "not passed": None,
            "minimal": {"level": "minimal", "channel": "Telegram"},
            "extensive": {"level": "extensive", "channel": "Telegram"},
        },
    )
    memoryCitationsMode: Literal["auto", "on", "off"] | None = param(
        None, title="memoryCitationsMode", group=PROMPT, help="`off` asks for no sources of memories"
    )


class OpenClawParams(Params):
    """Everything that decides an OpenClaw prompt besides files, mode and model."""

    sessionKey: str | None = param(
        None,
        title="sessionKey",
        group=SESSION,
        help="whose session, and which kind; null: the default agent's main one",
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
        None,
        title="channel",
        group=SESSION,
        help="where the message came from",
        choices={"none": None, **{name: name for name in CHANNELS}},
    )
    senderIsOwner: bool = param(
        True, title="senderIsOwner", group=SESSION, help="only an owner is offered cron, gateway and logins"
    )
    heartbeatDefault: bool | None = param(
        None, title="heartbeatDefault", group=SESSION, help="the agent has the heartbeat; null: it is the default agent"
    )
    config: dict[str, Any] | None = param(
        None, title="config", group=FILES, help="replaces the file ~/.openclaw/openclaw.json"
    )
    configOverlay: dict[str, Any] = param(
        dict, title="configOverlay", group=FILES, help="overrides the configuration key by key: what if it said this?"
    )
    useConfiguredWorkspace: bool = param(
        False,
        title="useConfiguredWorkspace",
        group=FILES,
        help="takes the workspace that the configuration or the profile names, not the folder looked at",
    )
    internalHooks: bool = param(
        False, title="internalHooks", group=FILES, help="a gateway runs the bundled hooks (bootstrap-extra-files)"
    )
    bootstrapFiles: list[BootstrapStandIn] | None = param(
        None, title="bootstrapFiles", group=FILES, help="stand in for the workspace's files"
    )
    tools: list[ToolStandIn] | None = param(None, title="tools", group=TOOLS, help="stand in for the agent's own tools")
    disableMessageTool: bool = param(False, title="disableMessageTool", group=TOOLS, help="the run has no message tool")
    skills: list[SkillStandIn] | None = param(
        None, title="skills", group=SKILLS, help="stand in for the skills on the disk"
    )
    skillFilter: list[str] | None = param(
        None, title="skillFilter", group=SKILLS, help="names of the skills to list; null: the agent's own list"
    )
    bundledSkillsDir: str | None = param(
        None, title="bundledSkillsDir", group=SKILLS, help="the installed package's skills"
    )
    managedSkillsDir: str | None = param(None, title="managedSkillsDir", group=SKILLS, help="null: ~/.openclaw/skills")
    promptParams: PromptParams = param(
        PromptParams, title="promptParams", group=PROMPT, help="overrides what was gathered"
    )
