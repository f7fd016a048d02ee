"""`promptscope schema`, `locate` and `shell-completion`: what needs no prompt and no agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

import promptscope_engine
from promptscope_tui.output.stdout import Format, Table, put, put_json
from promptscope_tui.settings import paths

from .table import command

if TYPE_CHECKING:
    from promptscope_engine.schemas import Schema


@command("schema")
def schema(what: Schema, agent: str | None) -> None:
    """Print a JSON schema."""
    put_json(promptscope_engine.schema(what, agent))


@command("locate")
def locate(form: Format) -> None:
    """Print the folders that promptscope uses. They follow the platform's conventions and may not exist yet."""
    found = {
        "cache": (str(paths.cache_folder()), "token counts, those of providers too, and last frames; safe to delete"),
        "config": (str(paths.config_folder()), "your settings, settings.toml; only read"),
        "state": (
            str(paths.state_folder()),
            "your screenshots, scenarios and captures, what was learned; the last theme, tab and folders",
        ),
    }
    if form == "json":
        put_json({name: path for name, (path, _) in found.items()})
        return
    Table(("folder", "path", "holds"), [(name, path, holds) for name, (path, holds) in found.items()]).put(form)


_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@command("shell-completion")
@click.pass_context
def shell_completion(ctx: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete promptscope's commands and options."""
    found = _SHELLS[shell](ctx.find_root().command, {}, "promptscope", "_PROMPTSCOPE_COMPLETE")
    # Not `found.source()`: for bash it starts a bash, to look at its version.
    put(found.source_template % found.source_vars())
