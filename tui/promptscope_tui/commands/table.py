"""The commands as data: `commands.json` has what each takes and its line in `promptscope --help`, `help/` its help."""

import json
from collections.abc import Callable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from promptscope_engine.workspace.paths import absolute, has_drive
from promptscope_tui.output import exits

_FOLDER = Path(__file__).parent
_DATA = json.loads((_FOLDER / "commands.json").read_text(encoding="utf-8"))

COMMANDS: Mapping[str, Mapping[str, Any]] = _DATA["commands"]
"""By name: `at`, a module and an attribute in this package; `line`; `takes`, rows of arguments and options.

A row that is a text names shared ones. `settings` are those of click.
"""

MEANT: Mapping[str, str] = _DATA["meant"]
"""Other words for commands, with the command's name."""


class _Home(click.Path):
    """A folder of this machine, or one in Windows' notation: that of an inspected machine, where nothing has to be."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path as it was given."""
        return value if has_drive(absolute(str(value))) else super().convert(value, param, ctx)


_TYPES: Mapping[str, Any] = {
    "path": click.Path(),
    "folder": click.Path(exists=True, file_okay=False),
    "home": _Home(exists=True, file_okay=False),
    "file": click.Path(exists=True, dir_okay=False),
    "file or -": click.Path(exists=True, dir_okay=False, allow_dash=True),
    "file, folder or -": click.Path(exists=True, allow_dash=True),
    "new file": click.Path(dir_okay=False),
    "text": click.File(encoding="utf-8"),
    "number": int,
    "port": click.IntRange(0, 65535),
    "seconds": click.FloatRange(min=0, min_open=True),
    "word": click.UNPROCESSED,
}


def command(name: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a function the command of that name."""
    row = COMMANDS[name]

    def made(run: Callable[..., None]) -> click.Command:
        words = "Say on stderr what took how long: reading, gathering, assembling, counting, by section and file."
        timings = click.Option(["--timings"], is_flag=True, expose_value=False, callback=_measure, help=words)
        params = [*_params(row["takes"]), timings]
        # named here, too: click keeps the option that it makes for the first context, which need not have a parent
        settings = {"help_option_names": ["-h", "--help"], **row.get("settings", {})}
        return click.Command(name, callback=run, params=params, help=help_of(name), context_settings=settings)

    return made


def help_of(name: str) -> str:
    """A help text, with click's mark at each paragraph that has indented lines, as examples do: it is not wrapped."""
    paragraphs = cleandoc((_FOLDER / "help" / f"{name}.txt").read_text(encoding="utf-8")).split("\n\n")
    return "\n\n".join(f"\b\n{each}" if "\n " in each else each for each in paragraphs)


def _params(rows: list[Any]) -> Iterator[click.Parameter]:
    for row in rows:
        if isinstance(row, str):
            for name in row.split():
                yield from _params([_DATA["shared"][name]])
        else:
            names, kind, more = row["name"].split(), row.get("type"), {**row}
            del more["name"]
            if kind:
                more["type"] = click.Choice(kind) if isinstance(kind, list) else _TYPES[kind]
            yield click.Option(names, **more) if names[0].startswith("-") else click.Argument(names, **more)


def _measure(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Measure until the command is done, however it ends."""
    if asked and not ctx.resilient_parsing:
        # 30 ms: msgspec, which help need not wait for
        from promptscope_engine.timings import telling

        ctx.with_resource(telling(exits.say))
