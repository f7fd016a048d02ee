"""OpenClaw's inputs: what gathering starts from, and the 26 parameters of its builder, which override what it finds."""

from pathlib import Path

from promptscope_engine.agents.kit.text.params import Fields
from promptscope_engine.inputs.params import Params

_described = Fields(Path(__file__).parent)

CHANNELS = ("telegram", "whatsapp", "discord", "irc", "googlechat", "slack", "signal", "imessage")
"""The eight built-in channels, in the order the message tool lists them."""


@_described
class ToolStandIn(Params):
    """A tool that stands in for the agent's own; `pluginId` names the plugin it comes from."""


@_described
class BootstrapStandIn(Params):
    """A bootstrap file that stands in for those on the disk."""


@_described
class PromptParams(Params):
    """The parameters of `buildAgentSystemPrompt`. One that is not mentioned is gathered, null is not passed."""


@_described
class OpenClawParams(Params):
    """Everything that decides an OpenClaw prompt besides files, mode and model."""
