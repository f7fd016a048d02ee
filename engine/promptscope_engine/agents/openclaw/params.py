"""OpenClaw's inputs: what gathering starts from, and the 26 parameters of its builder, which override what it finds."""

from pathlib import Path
from typing import Any

from promptscope_engine.agents.kit.params import with_fields
from promptscope_engine.inputs.params import Params, param

SESSION = "Session"
FILES = "Files"
TOOLS = "Tools"
SKILLS = "Skills"
PROMPT = "Prompt parameters"

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


@with_fields(Path(__file__).parent)
class PromptParams(Params):
    """The parameters of `buildAgentSystemPrompt`. One that is not mentioned is gathered, null is not passed."""


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
    sessionFile: str | None = param(None, SESSION, "a session's file: its conversation comes before the message")
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
