"""execute_command (specs/roo.md 2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.roo.materials import Materials
from promptscope_engine.conditions import mode_has
from promptscope_engine.draft import Piece, ToolDraft, builtin, label

from .block import block, cwd, optional, required


def execute_command(materials: Materials) -> ToolDraft:
    """A command in the user's terminal."""
    return block(
        "execute_command",
        "command",
        _pieces(materials),
        when=mode_has("command"),
        parameters=required("command") + optional("cwd"),
    )


def _pieces(materials: Materials) -> Iterator[Piece]:
    yield builtin(
        "execute_command.description",
        "Description: Request that a CLI command be run on the user's system, be it to operate that system or to take any other step of the user's task. Your command has to suit the system at hand, and you have to explain clearly what it does. To chain commands, use the syntax that the user's shell has for it. Rather than write an executable script, give a complex command: it is more flexible and simpler to run. Relative commands and paths, which leave no doubt about the place, are to be preferred, such as `touch ./testdata/example.file`, `dir ./examples/model1/data/yaml` or `go test ./cmd/front --config ./cmd/front/config.yml`. Where the user directs it, a terminal may be opened in another directory by way of the `cwd` parameter.\n",
    )
    yield label("Parameters:\n- command: (required) ")
    yield builtin(
        "execute_command.command",
        "The CLI command to run. It has to be valid on the present operating system, properly formatted, and free of harmful instructions.",
    )
    yield label("\n- cwd: (optional) ")
    yield builtin("execute_command.cwd", "The directory in which the command runs (default: ")
    yield cwd(materials)
    yield label(")\nUsage:\n<execute_command>\n<command>")
    yield builtin("execute_command.usage", "your command")
    yield label("</command>\n<cwd>")
    yield builtin("execute_command.usage", "directory to run it in (may be left out)")
    yield label("</cwd>\n</execute_command>\n\n")
    yield builtin("execute_command.examples", "Example: starting a development server\n")
    yield label("<execute_command>\n<command>npm run dev</command>\n</execute_command>\n\n")
    yield builtin("execute_command.examples", "Example: listing files in a certain directory, if so directed\n")
    yield label("<execute_command>\n<command>ls -la</command>\n<cwd>/home/user/projects</cwd>\n</execute_command>")
