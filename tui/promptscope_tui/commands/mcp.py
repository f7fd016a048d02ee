"""`promptscope mcp`: a server that coding agents ask about their own prompt."""

from __future__ import annotations

import os

import click

from promptscope_engine.agents.registry import agent_ids
from promptscope_engine.inputs.errors import unknown

from .options import FOLDER

_MISSING = (
    "mcp needs the package mcp, which is optional: pip install 'mcp>=1.9,<2'; in a clone, "
    "uv run --extra mcp promptscope mcp"
)


@click.command()
@click.argument("folders", nargs=-1, metavar="[FOLDER]...", type=FOLDER)
@click.option("--agent", metavar="ID", help="Whose prompt, where a question names none; by default the files tell.")
@click.option("--home", metavar="DIR", type=FOLDER, help="The home folder that the agent would see.")
def mcp(folders: tuple[str, ...], agent: str | None, home: str | None) -> None:
    """Serve coding agents that ask what their own prompt is, over MCP on stdin and stdout.

    The tools show_prompt, why, tokens, check and diff only read, and only in the FOLDERs, by default the one that the
    server is started in. Long answers are cut, and say so.

    \b
    Examples:
      promptscope mcp
      promptscope mcp ~/code/shop --agent claude-code
      claude mcp add promptscope -- promptscope mcp --agent claude-code
    """
    if agent is not None and agent not in agent_ids():
        raise unknown("agent", agent, agent_ids())
    try:
        from .mcp_server import run  # 500 ms, and of the extra
    except ImportError:
        raise click.UsageError(_MISSING) from None
    from .mcp_tools import Toolbox  # what `--help` does not need

    run(Toolbox(folders or (os.getcwd(),), agent=agent, home=home, env=os.environ).answer)  # noqa: PTH109
