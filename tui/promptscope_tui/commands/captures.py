"""`promptscope captures` and `promptscope import`: what was recorded, here or by another tool."""

from __future__ import annotations

import stat
from datetime import datetime
from pathlib import Path

import click

from promptscope_engine.captures.errors import CaptureError
from promptscope_engine.captures.files import MAX_BYTES, read_capture
from promptscope_engine.captures.model import Capture
from promptscope_tui.capturing import store
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import FORMATS, Format, Table, put_json, put_shown
from promptscope_tui.text.capture import verdict

_COLUMNS = ("recorded", "agent", "version", "source", "requests", "bytes", "reported", "file")


@click.command()
@click.option("--prune", "age", metavar="AGE", help="Delete those that are older, as in 30d, 12h or 2w.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
def captures(age: str | None, form: Format) -> None:
    """List the captures in the state folder, newest first, or delete old ones.

    \b
    Examples:
      promptscope captures
      promptscope captures --prune 30d
      promptscope show --capture "$(promptscope captures --format json | jq -r '.[0].path')"
    """
    found = store.stored()
    if age is not None:
        found = _pruned(found, age)
    if form == "json":
        put_json([_as_json(each) for each in found])
        return
    for each in found:
        if each.problem:
            exits.say(f"{each.path}: {each.problem}")
    Table(_COLUMNS, [_row(each) for each in found], frozenset({"requests", "bytes", "reported"})).put(form)
    if not found and form == "text" and age is None:
        exits.say("promptscope: no captures yet; `promptscope capture -- claude -p hi` makes one")


def _pruned(found: list[store.Stored], age: str) -> list[store.Stored]:
    try:
        gone = list(store.prune(found, store.seconds(age)))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--prune'") from None
    except OSError as error:
        exits.say(f"promptscope: cannot delete {error.filename}: {error.strerror}")
        raise click.exceptions.Exit(exits.CANNOT_ASSEMBLE) from None
    exits.say(f"deleted {len(gone)} of {len(found)} captures")
    return [each for each in found if each not in gone]


def _row(each: store.Stored) -> tuple[str, ...]:
    header = each.header
    return (
        f"{datetime.fromtimestamp(each.modified):%Y-%m-%d %H:%M}",
        str(header.get("agent") or "?"),
        str(header.get("agent_version") or ""),
        str(header.get("source") or ""),
        f"{each.requests:,}",
        f"{each.bytes:,}",
        "" if each.reported is None else f"{each.reported:,} tok",
        str(each.path),
    )


def _as_json(each: store.Stored) -> dict[str, object]:
    keys = ("agent", "agent_version", "source", "started", "cwd", "prompt", "login")
    return {
        "path": str(each.path),
        "bytes": each.bytes,
        "modified": datetime.fromtimestamp(each.modified).astimezone().isoformat(timespec="seconds"),
        "requests": each.requests,
        "main": each.end.get("main"),
        "reported": each.reported,
        **{key: each.header.get(key) for key in keys},
    }


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--to",
    "to",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Where to; by default a new file in the state folder.",
)
def import_(file: str, to: str | None) -> None:
    """Take over what another tool recorded: HAR, claude-tap, claude-trace, LHAR, or the body of one request.

    Keys and tokens are masked, headers left out. What is broken is passed over and said, with its line. Prints the
    path of the capture.

    \b
    Examples:
      promptscope import session.har
      mitmdump --set hardump=run.har; promptscope import run.har
      promptscope show --capture "$(promptscope import body.json)"
    """
    found = _read(Path(file))
    for problem in found.problems:
        exits.say(f"{file}: {problem}")
    path = Path(to).absolute() if to else store.new_path(found.header.agent, datetime.now())
    try:
        store.save(found, path)
    except OSError as error:
        exits.say(f"promptscope: cannot write {path}: {error.strerror or error}")
        raise click.exceptions.Exit(exits.CANNOT_ASSEMBLE) from None
    exits.say(verdict(found).partition("\n")[0])
    put_shown(f"{path}\n")


def _read(path: Path) -> Capture:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise CaptureError("is not a regular file")
        with path.open("rb") as file:
            return read_capture(file.read(MAX_BYTES + 1))
    except CaptureError as error:
        exits.say(f"{path}{f':{error.line}' if error.line else ''}: error: {error.message}")
    except OSError as error:
        exits.say(f"{path}: error: {error.strerror or error}")
    raise click.exceptions.Exit(exits.CANNOT_ASSEMBLE)
