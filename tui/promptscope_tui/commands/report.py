"""`promptscope report`: what the agent's own report on its context would print, and where that misleads."""

from __future__ import annotations

from dataclasses import replace

import click

from promptscope_engine.agents.features import AgentReport, Reporting
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Format, put, put_json

from .options import Asked, asking

VIEWS = ("list", "detail", "json")
_NOTE = "    ◂ "


@click.command()
@click.argument("view", required=False, metavar="[list|detail|json]")
@asking
@click.pass_context
def report(context: click.Context, view: str | None, asked: Asked) -> None:
    """Print what the agent's own report on its context would say (OpenClaw's /context), from our numbers.

    What that report leaves out or gets wrong here stands under the line it concerns, behind ◂, or at the end. As
    `plain` there is only what the agent would print; as `json`, and in the view json, remarks go to stderr.

    \b
    Examples:
      promptscope report --agent openclaw
      promptscope report detail ~/.openclaw/workspace
      promptscope report json | jq .report.systemPrompt
    """
    if view is not None and view not in VIEWS:
        if asked.path is not None:
            raise click.UsageError(f"{view!r} is no view of a report: {', '.join(VIEWS)}")
        view, asked = None, replace(asked, path=view)  # PATH came without a view
    workspace = Workspace()
    scenario = asked.scenario()
    assembly = asked.assembly(workspace=workspace)
    agent = load_agent(assembly.agent)
    if not isinstance(agent, Reporting):
        exits.say(f"promptscope: {agent.name} has no report of its own on its context")
        context.exit(exits.WRONG_USE)
    _put(agent.report(resolve(scenario, workspace)[1], workspace, assembly), view or VIEWS[0], asked.form)


def _put(found: AgentReport, view: str, form: Format) -> None:
    lines = found.views[view]
    if form == "json" or view == "json":
        put_json(found.data)
        for note in [note for line in lines for note in line.notes] + list(found.notes):
            exits.say(f"promptscope: {found.command}: {note}")
        return
    bare = "".join(f"{line.text}\n" for line in lines)
    if form == "plain":
        put(bare)
        return
    if form == "markdown":
        notes = [note for line in lines for note in line.notes]
        put(f"```text\n{bare}```\n\n" + "".join(f"- {note}\n" for note in (*notes, *found.notes)))
        return
    noted = "".join(f"{line.text}\n" + "".join(f"{_NOTE}{note}\n" for note in line.notes) for line in lines)
    put(f"{noted}\nOf the whole report:\n" + "".join(f"{_NOTE}{note}\n" for note in found.notes))
