"""`promptscope mcp`: a server that coding agents ask about their own prompt."""

from __future__ import annotations

import os

import click

from promptscope_engine.inputs.scenario import Scenario

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
    try:
        from .mcp_server import run  # 500 ms, and of the extra
    except ImportError:
        raise click.UsageError(_MISSING) from None
    from .mcp_tools import Toolbox, check_agent  # what `--help` does not need

    folders = folders or (os.getcwd(),)  # noqa: PTH109
    if agent is not None:
        check_agent(agent, Scenario(workspace=folders[0], home=home))
    run(Toolbox(folders, agent=agent, home=home, env=os.environ).answer)
