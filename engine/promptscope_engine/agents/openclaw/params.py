"""OpenClaw's inputs: what gathering starts from, and the 26 parameters of its builder, which override what it finds."""

from pathlib import Path

from promptscope_engine.agents.kit.params import with_fields
from promptscope_engine.inputs.params import Params

MAIN, SUBAGENT, CRON = "main", "sub-agent", "cron"
CHANNELS = ("telegram", "whatsapp", "discord", "irc", "googlechat", "slack", "signal", "imessage")
"""The eight built-in channels, in the order the message tool lists them."""


@with_fields(Path(__file__).parent)
class ToolStandIn(Params):
    """A tool that stands in for the agent's own; `pluginId` names the plugin it comes from."""


@with_fields(Path(__file__).parent)
class BootstrapStandIn(Params):
    """A bootstrap file that stands in for those on the disk."""


@with_fields(Path(__file__).parent)
class PromptParams(Params):
    """The parameters of `buildAgentSystemPrompt`. One that is not mentioned is gathered, null is not passed."""


@with_fields(Path(__file__).parent)
class OpenClawParams(Params):
    """Everything that decides an OpenClaw prompt besides files, mode and model."""
