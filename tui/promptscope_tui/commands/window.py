"""`promptscope window`: the context window in the agent's own categories."""

import click
from msgspec.structs import replace

from promptscope_engine.agents.features import AgentReport, ContextReport, Reporting
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.resolve import resolve
from promptscope_engine.prompt.model import Assembly, to_json
from promptscope_engine.workspace import Workspace
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Format, Table, put, put_json, put_shown
from promptscope_tui.settings.knowledge import knowledge_for
from promptscope_tui.text import words
from promptscope_tui.text.totals import with_total
from promptscope_tui.views.window.rows import by_origin, no_account, own_account

from .options import Options, with_options
from .table import command


@command("window")
@with_options
def window(options: Options) -> None:
    """Show how the context window is filled: the agent's own categories, free space, reserve and compaction."""
    assembly = options.assembly()
    agent = load_agent(assembly.agent)
    report = own_account(agent, assembly, options.scenario())
    if report is None:
        exits.say(f"promptscope: {no_account(agent)}")
        report = by_origin(assembly)
    if options.form == "json":
        put_json(to_json(report) | {"used": report.used, "expected": assembly.tokens.expected})
        return
    rows = [
        (
            row.name,
            f"{row.tokens:,}",
            words.percent(row.tokens, report.window),
            "" if row.used else "not counted as used",
        )
        for row in report.categories
    ]
    if options.form == "text":
        remark = f"{report.remark}\n" if report.remark else ""
        put_shown(f"{words.who(assembly)}\n{header(report)}\n{remark}\n")
    Table(("category", "tokens", "share", ""), rows, frozenset({"tokens", "share"})).put(options.form)


def header(report: ContextReport) -> str:
    """`24,512 of 200,000 tokens (12%); compacts at 167,000 tok`."""
    share = words.percent(report.used, report.window)
    line = f"≈{report.used:,} of {report.window:,} tokens used ({share})"
    if report.reported is not None:
        line += f"; the last response reported {report.reported:,}"
    word = "compaction" if report.compact_at is None else "compacts"
    return f"{line}; {word} {words.compaction(report.compact_at, report.compaction)}"


VIEWS = ("list", "detail", "json")
_NOTE = "    ◂ "


@command("report")
@with_options
@click.pass_context
def report(context: click.Context, view: str | None, options: Options) -> None:
    """Print the agent's own context report (OpenClaw's /context) with our numbers."""
    if view is not None and view not in VIEWS:
        if options.path is not None:
            raise click.UsageError(f"unknown view {view!r}; choose from {', '.join(VIEWS)}")
        view, options = None, replace(options, path=view)  # PATH came without a view
    workspace = Workspace()
    scenario = options.scenario()
    assembly = options.assembly(workspace=workspace)
    agent = load_agent(assembly.agent)
    if not isinstance(agent, Reporting):
        exits.say(f"promptscope: {agent.name} has no context report")
        context.exit(exits.WRONG_USE)
    found = agent.report(resolve(scenario, workspace, knowledge_for(scenario)).inputs, workspace, assembly)
    _put(with_total(found, assembly), view or VIEWS[0], options.form, assembly)


def _put(found: AgentReport, view: str, form: Format, assembly: Assembly) -> None:
    lines = found.views[view]
    notes = [*(note for line in lines for note in line.notes), *found.notes]
    if form == "json" or view == "json":
        put_json({**found.data, "tokens": to_json(assembly.tokens)} if form == "json" else found.data)
        for note in notes:
            exits.say(f"promptscope: {found.command}: {note}")
        return
    bare = "".join(f"{line.text}\n" for line in lines)
    if form == "plain":
        put(bare)
        return
    if form == "markdown":
        put_shown(f"```text\n{bare}```\n\n" + "".join(f"- {note}\n" for note in notes))
        return
    noted = "".join(f"{line.text}\n" + "".join(f"{_NOTE}{note}\n" for note in line.notes) for line in lines)
    put_shown(f"{noted}\nOn the whole report:\n" + "".join(f"{_NOTE}{note}\n" for note in found.notes))
