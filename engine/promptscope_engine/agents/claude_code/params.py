"""Claude Code's inputs: its command line, settings and the things a session brings along (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.params import Fields, with_switches
from promptscope_engine.inputs.params import Params


@with_switches(Path(__file__).parent)
class ClaudeCodeOverlay(Params, extra="allow"):
    """What `--settings` lays over the settings files."""


@Fields(Path(__file__).parent, ClaudeCodeOverlay=ClaudeCodeOverlay)
class ClaudeCodeParams(Params):
    """Everything that decides a Claude Code prompt besides files, mode, model and environment variables."""
