"""Codex's inputs: command line, settings, and what a session brings along (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.params import Fields, with_switches
from promptscope_engine.inputs.params import Params


@with_switches(Path(__file__).parent)
class CodexOverlay(Params, extra="allow"):
    """What is laid over the settings files, stronger than everything else."""


@Fields(Path(__file__).parent, CodexOverlay=CodexOverlay)
class CodexParams(Params):
    """Everything that decides a Codex prompt besides files, mode, model and environment variables."""
