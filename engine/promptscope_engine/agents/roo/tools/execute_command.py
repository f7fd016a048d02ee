"""execute_command (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.prompt.drafts import Piece, builtin, label

from .block import cwd, optional, required, tool, usage


@tool("command", parameters=required("command") + optional("cwd"))
def execute_command(materials: Materials) -> Iterator[Piece]:
    """A command in the user's terminal."""
    yield builtin(
        "execute_command.description",
        "Description: Request that a CLI command be run on the user's system, be it to operate that system or to take any other step of the user's task. Your command has to suit the system at hand, and you have to explain clearly what it does. Several commands are chained in the way that the user's shell has for it. One command, even a complex one, is to be preferred to a script that is written only to be run. Keep commands and paths relative, so that they mean the same wherever the terminal stands, as in `mkdir -p ./build/logs`, `cat ./docs/setup.md` or `pytest ./tests/unit --config-file ./tests/pytest.ini`. Where the user directs it, a terminal may be opened in another directory by way of the `cwd` parameter.\n",
    )
    yield label("Parameters:\n- command: (required) ")
    yield builtin(
        "execute_command.command",
        "The CLI command to run. It has to be valid on the present operating system, properly formatted, and free of harmful instructions.",
    )
    yield label("\n- cwd: (optional) ")
    yield builtin("execute_command.cwd", "The directory in which the command runs (default: ")
    yield cwd(materials)
    yield from usage(
        "execute_command", lead=")\n", command="your command", cwd="directory to run it in (may be left out)"
    )
    yield builtin("execute_command.examples", "Example: starting a development server\n")
    yield builtin(
        "execute_command.examples", "<execute_command>\n<command>make serve</command>\n</execute_command>\n\n"
    )
    yield builtin("execute_command.examples", "Example: the state of another repository, if the user directs it\n")
    yield builtin(
        "execute_command.examples",
        "<execute_command>\n<command>git status --short</command>\n<cwd>../shared-library</cwd>\n</execute_command>",
    )
