"""OpenCode's inputs: its command line, settings, and what a session brings along (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.params import Fields, with_switches
from promptscope_engine.inputs.params import Params


@with_switches(Path(__file__).parent)
class OpenCodeOverlay(Params, extra="allow"):
    """Settings laid over the merged ones of all files."""


@Fields(Path(__file__).parent, OpenCodeOverlay=OpenCodeOverlay)
class OpenCodeParams(Params):
    """Everything that decides an OpenCode prompt besides files, agent, model and environment variables."""
