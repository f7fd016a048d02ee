"""Copilot's inputs: command line, settings, and what a session brings along (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.params import Fields, with_switches
from promptscope_engine.inputs.params import Params


@with_switches(Path(__file__).parent)
class CopilotOverlay(Params, extra="allow"):
    """What is laid over the settings files, stronger than everything else."""


@Fields(Path(__file__).parent, CopilotOverlay=CopilotOverlay)
class CopilotParams(Params):
    """Everything that decides a Copilot prompt besides files, mode, model and environment variables."""
