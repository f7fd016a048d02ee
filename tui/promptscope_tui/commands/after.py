"""`promptscope after`: what is left of the prompt after a compaction, `/clear`, a resume, or some turns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.after import EVENTS, After
from promptscope_engine.insight.afterwards import WORDS, Afterwards, afterwards, everywhere
from promptscope_engine.prompt.model import to_json
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.workspace import Workspace
from promptscope_engine.workspace.paths import path_in
from promptscope_tui.output.stdout import Format, Table, put_json, put_shown
from promptscope_tui.session.conversations import after_of
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.views.after.rows import across, because, gathered, headline

from .options import Options, counter_of, with_options
from .table import command


@command("after")
def after(event: str | None, path: str | None, **rest: Any) -> None:
    """Say what is left of the prompt after an event; the event may be left out, and is then a compaction."""
    if event is not None and event not in EVENTS:
        if path is not None:
            raise click.UsageError(f"{event!r} is not one of {', '.join(EVENTS)}")
        event, path = None, event
    skills = [*filter(None, rest.pop("skills").split(","))]
    given = After(event=event or "compact", turns=rest.pop("turns"), **({"skills": skills} if skills else {}))
    _after(path, given=given, **rest)


@with_options
def _after(given: After, transcript: str | None, everyone: bool, options: Options) -> None:
    workspace, cache = Workspace(), CountCache()
    scenario = options.scenario()
    reads = [part for path in scenario.reads for part in _parted(path, scenario.workspace)]
    asked = scenario.model_copy(update={"reads": reads, "after": given})
    conversation = 0
    if transcript is not None:
        asked, conversation = after_of(asked, transcript, workspace)
    counter = counter_of(options.assembly(workspace=workspace, cache=cache), cache)
    knowledge = knowledge_for(scenario)
    if everyone:
        put_everyone([*everywhere(asked, workspace, counter, knowledge=knowledge)], options.form)
    else:
        put_one(afterwards(asked, workspace, counter, conversation, knowledge=knowledge), options.form)
    counter.flush()


def _parted(path: str, folder: str) -> list[str]:
    """`a,b` is two files, unless there is one of that name."""
    return [path] if Path(path_in(folder, path)).exists() else [*filter(None, path.split(","))]


def put_one(found: Afterwards, form: Format) -> None:
    """Print the forecast of one agent."""
    if form == "json":
        put_json(as_json(found))
        return
    if form == "text":
        put_shown("".join(f"{line}\n" for line in headline(found)) + "\n")
    rows = [(row.title, WORDS[row.verdict], f"{row.tokens:,}", because(row)) for row in gathered(found.parts)]
    Table(("part", "after", "tokens", "why"), rows, frozenset({"tokens"})).put(form)


def put_everyone(found: Sequence[Afterwards], form: Format) -> None:
    """Print which file survives where."""
    if form == "json":
        put_json([as_json(each) for each in found])
        return
    names, rows = across(found)
    Table(names, rows, frozenset()).put(form)


def as_json(found: Afterwards) -> dict[str, Json]:
    """The forecast as JSON values."""
    tokens = {
        "now": found.now,
        "after": found.after,
        "room": found.room,
        "limit": found.limit,
        "written": found.written,
    }
    return {
        "agent": found.agent,
        "event": found.event,
        "parts": [to_json(part) for part in found.parts],
        "tokens": tokens,
        "warnings": [*found.warnings],
    }
