"""The command line. Each command's module is imported when it runs."""

import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import cleandoc
from typing import Any, NoReturn, cast

import click

from promptscope_engine import __version__
from promptscope_engine.timings import measured
from promptscope_tui.commands.table import COMMANDS

from .output import exits


class Commands(click.Group):
    """A group that imports a command's module when it runs; anything else is the PATH of `open`."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.help = _laid_out(self.help or "")

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
        module, _, attribute = COMMANDS[name][0].partition(":")
        command = cast(click.Command, getattr(import_module(f".commands.{module}", __package__), attribute))
        command.help = _laid_out(command.help or "")
        return _with_timings(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, with a line each, into a help text."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])

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


def _laid_out(text: str) -> str:
    """The help with click's mark at each paragraph that has indented lines, as examples do: it is not wrapped."""
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(f"\b\n{each}" if "\n " in each and each[0] != "\b" else each for each in paragraphs)


def _with_timings(command: click.Command) -> click.Command:
    """The command with the option that all of them have."""
    if not any(option.name == _TIMINGS for option in command.params):
        words = "Say on stderr what took how long: reading, gathering, assembling, counting, by section and file."
        command.params.append(
            click.Option(["--timings"], is_flag=True, expose_value=False, callback=_measure, help=words)
        )
    return command


_TIMINGS = "timings"


def _measure(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Measure until the command is done, however it ends."""
    if asked and not ctx.resilient_parsing:
        from promptscope_tui.views.timings.rows import (
            lines,  # 40 ms: the model of a prompt, which help need not wait for
        )

        timings = ctx.with_resource(measured())
        ctx.call_on_close(lambda: exits.say("\n".join(lines(timings))))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", "-V", message="promptscope %(version)s", help="Print the version.")
def cli() -> None:
    """See the prompt that a coding agent will actually get, before it's sent, and why.

    promptscope [PATH]         opens the app on a folder (by default this one);
                               without a terminal it prints the prompt, like `show`
    promptscope COMMAND ...    prints one thing and exits

    Examples:
      promptscope ~/code/shop --agent roo --mode architect
      promptscope show --format plain | wc -c
      promptscope why codebase_search
      promptscope tokens --set diffEnabled=false

    Data goes to stdout, messages go to stderr. Exit codes: 0 success, 1 a check failed, 2 wrong usage, 3 the prompt
    cannot be assembled.
    """
