"""The command line. Each command's module is imported when it runs."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn, cast

import click

from promptscope_engine import __version__
from promptscope_tui.commands.table import COMMANDS, help_of

from .output import exits


class Commands(click.Group):
    """A group that imports a command's module when it runs; anything else is the PATH of `open`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command by its name."""
        del ctx
        if name not in COMMANDS:
            return None
        # The modules bring the engine, which help and `locate` do not need.
        module, _, attribute = COMMANDS[name]["at"].partition(":")
        return cast(click.Command, getattr(import_module(f".commands.{module}", __package__), attribute))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, with a line each, into a help text."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, row["line"]) for name, row in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words, as those of `open` if they name no command."""
        # Options of `open` may come without the command: `promptscope --agent roo`.
        known = bool(args) and (args[0] in COMMANDS or args[0] in ("--help", "-h", "--version", "-V"))
        if not known and not ctx.resilient_parsing:  # set by shell completion, which should offer the commands too
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run, and exit with a code of exits.py. Replaces click's own handling, which has other codes."""
        words = list(sys.argv[1:] if args is None else args)

        self._main_shell_completion({}, "promptscope")

        def run() -> None:
            with self.make_context("promptscope", words) as ctx:
                self.invoke(ctx)

        sys.exit(exits.guard(run))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, help=help_of("promptscope"))
@click.version_option(__version__, "--version", "-V", message="promptscope %(version)s", help="Print the version.")
def cli() -> None:
    """See the prompt that a coding agent will actually get, before it's sent, and why."""
