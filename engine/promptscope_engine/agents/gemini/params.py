"""Gemini CLI's inputs: its command line, settings, and what a session brings along (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.params import Fields, with_switches
from promptscope_engine.inputs.params import Params


@with_switches(Path(__file__).parent)
class GeminiOverlay(Params, extra="allow"):
    """Settings laid over the merged ones of the files."""


@Fields(Path(__file__).parent, GeminiOverlay=GeminiOverlay)
class GeminiParams(Params):
    """Everything that decides a Gemini CLI prompt besides files, mode, model and environment variables."""
