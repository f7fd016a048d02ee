"""Claude Code's inputs: its command line, settings and the things a session brings along (`[inputs]` of agent.toml)."""

from pathlib import Path

from promptscope_engine.agents.kit.params import with_fields, with_switches
from promptscope_engine.inputs.params import Params


@with_switches(Path(__file__).parent)
class ClaudeCodeOverlay(Params, extra="allow"):
    """What `--settings` lays over the settings files."""


@with_fields(Path(__file__).parent)
class ClaudeCodeParams(Params):
    """Everything that decides a Claude Code prompt besides files, mode, model and environment variables."""
