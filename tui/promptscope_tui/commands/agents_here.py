"""`promptscope agents PATH`: which agent reads which file of a folder, and what each pays, as the app shows it."""

from typing import Any

import click

from promptscope_engine.agents.adapter import Describes, inputs_of
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import assemble
from promptscope_engine.assembly.resolve import agents_for
from promptscope_engine.checks.live import LiveCheck
from promptscope_engine.formats.document import Json
from promptscope_engine.inputs.errors import nearest
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.insight.agents_table import AgentsTable, Column, agents_table
from promptscope_engine.prompt.model import to_json
from promptscope_engine.tokens.cache import CountCache
from promptscope_engine.tokens.counter import counter_for
from promptscope_engine.workspace import Workspace
from promptscope_tui.output.stdout import Format, Table, put_json, put_shown
from promptscope_tui.session.history import placed, switched
from promptscope_tui.session.versions import default_version
from promptscope_tui.views.agents.lines import FOLDED, LEGEND, Line, file_lines, totals

from .options import Options

_GIVEN = ("agent", "agent_version", "mode", "model", "tokenizer", "workspace", "capture")


def put_agents_here(path: str, agent_dir: str | None, form: Format) -> None:
    """Print the table for a folder: each agent as it starts there. Raises ScenarioError if it is not a folder."""
    given = dict.fromkeys(_GIVEN)
    now = placed(Options(path, None, given, (), form, agent_dir=agent_dir).scenario(), ".")
    agents = list(agents_for(now))
    counter = counter_for(now.model, CountCache())
    columns = [Column(agent, switched(now, agent, default_version(agent, None), None)) for agent in agents]
    check, workspace = LiveCheck(counter), Workspace()
    found = agents_table(columns, workspace, counter, repeats_of=lambda each: check.paid_twice(each, workspace).repeats)
    assert found is not None  # nobody gives up
    counter.flush()
    if form == "json":
        put_json(to_json(found))
    else:
        _put(found, form)


def put_values_here(agent_id: str, path: str, name: str, agent_dir: str | None, form: Format) -> None:
    """Print the table for a folder with a column for each value of an input. Raises ScenarioError, click.UsageError."""
    given = {
        **dict.fromkeys(("agent_version", "mode", "model", "tokenizer", "workspace", "capture")),
        "agent": agent_id,
    }
    now = placed(Options(path, None, given, (), form, agent_dir=agent_dir).scenario(), ".")
    agent = load_agent(agent_id)
    field, choices = _choices(agent, name, now)
    columns = [Column(agent, now.with_value(field, value), label) for label, value in choices]
    counter = counter_for(now.model, CountCache())
    check, workspace = LiveCheck(counter), Workspace()
    found = agents_table(columns, workspace, counter, repeats_of=lambda each: check.paid_twice(each, workspace).repeats)
    assert found is not None  # nobody gives up
    counter.flush()
    if form == "json":
        put_json(to_json(found))
    else:
        _put(found, form, f"{agent.name} by {field}", "READ WITH NONE OF THESE")


def _choices(agent: Describes, name: str, now: Scenario) -> tuple[str, list[tuple[str, Json]]]:
    """An input by its name, or the end of it, and its values with their labels. Raises click.UsageError."""
    if name == "mode":
        return name, [(mode.slug, mode.slug) for mode in assemble(now, cached_only=True).modes]
    few = {field.name: [*field.choices] for field in inputs_of(agent) if field.choices}
    named = [name] if name in few else [each for each in few if each.endswith(f".{name}")]
    if len(named) != 1:
        close = named or nearest(name, [*few, *(each.rpartition(".")[2] for each in few)])
        hint = f" (did you mean {' or '.join(close)}?)" if close else ""
        raise click.UsageError(f"{agent.name} has no input {name!r} with a few values{hint}")
    return named[0], [(label, value) for label, value in few[named[0]]]


def _put(found: AgentsTable, form: Format, title: str = "", nobody: str = "READ BY NO AGENT") -> None:
    """As `plain` each file has a row, else folders are as in the app, those with many files folded."""
    choices: dict[str, Any] | None = None if form == "plain" else {}
    read, unread = (file_lines(found, is_read=which, choices=choices) for which in (True, False))
    heads = tuple(agent.name for agent in found.agents)
    empty = ("",) * len(heads)
    marks = 2 if form != "plain" and any(line.mark for line in (*read, *unread)) else 0
    rows = [_row(line, marks) for line in read]
    rows += [("", *empty)] * (form == "text") + [_row(line, 0) for line in totals(found)]
    if unread:
        rows += [] if form == "plain" else [("", *empty), (nobody, *empty)]
        rows += [_row(line, marks) for line in unread]
    if title and form != "plain":
        put_shown(f"{title}\n\n")
    Table(("file", *heads), rows, frozenset(heads)).put(form)
    if form != "plain":
        folded = any(line.mark == FOLDED for line in (*read, *unread))
        put_shown(
            f"\n{LEGEND}\n" + ("folders with many files are one row: --format plain has each\n" if folded else "")
        )


def _row(line: Line, marks: int) -> tuple[str, ...]:
    """The cells of a line, the first one with so many for its mark."""
    name = f"{line.mark:<{marks}}{line.name}" + (f"  {line.note}" if line.note else "")
    return name, *(text for text, _ in line.cells)
