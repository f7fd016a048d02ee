"""`promptscope captures`: what was recorded on this machine."""

from collections.abc import Iterable
from datetime import datetime

import click

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_tui.capturing import store
from promptscope_tui.learning.clients import script_for
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Format, Table, put_json
from promptscope_tui.session.versions import newer_than_known
from promptscope_tui.settings import wordings

from .table import command

_COLUMNS = ("recorded", "agent", "version", "source", "requests", "bytes", "reported", "file")


@command("captures")
def captures(age: str | None, form: Format) -> None:
    """List the captures in the state folder, newest first, or delete old ones."""
    found = store.stored()
    if age is not None:
        found = _pruned(found, age)
    if form == "json":
        learned = wordings.load()
        put_json([{**_as_json(each), "newer": bool(newer_than_known(*store.sender(each), learned))} for each in found])
        return
    for each in found:
        if each.problem:
            exits.say(f"{each.path}: {each.problem}")
    say_newer(store.sender(each) for each in found)
    Table(_COLUMNS, [_row(each) for each in found], frozenset({"requests", "bytes", "reported"})).put(form)
    if not found and form == "text" and age is None:
        exits.say("promptscope: no captures yet; `promptscope capture -- claude -p hi` makes one")


def say_newer(sent: Iterable[tuple[str | None, str | None]]) -> None:
    """Say which of these versions are newer than all that are known here, and what to do about it."""
    learned = wordings.load()
    for name, version in dict.fromkeys(sent):
        if words := newer_than_known(name, version, learned):
            can_be_asked = script_for(load_agent(str(name))) is not None
            hint = f"; `promptscope learn {name}` asks the installed client for its own words" if can_be_asked else ""
            exits.say(f"promptscope: {words}{hint}")


def _pruned(found: list[store.Stored], age: str) -> list[store.Stored]:
    try:
        gone = list(store.prune(found, store.seconds(age)))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--prune'") from None
    except OSError as error:
        raise ScenarioError(f"cannot delete {error.filename}: {error.strerror}") from None
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
