"""`promptscope window`: the context window in the agent's own categories."""

from __future__ import annotations

import click

from promptscope_engine.agents.features import ContextReport
from promptscope_engine.agents.registry import load_agent
from promptscope_engine.prompt.model import to_json
from promptscope_tui.output import exits
from promptscope_tui.output.stdout import Table, put_json, put_shown
from promptscope_tui.text import words
from promptscope_tui.views.window.composition import by_origin, no_account, own_account

from .options import Options, with_options


@click.command()
@with_options
def window(options: Options) -> None:
    """Show how the context window is filled: the agent's own categories, free space, reserve and compaction.

    For an agent without categories of its own, the text is grouped by origin.

    \b
    Examples:
      promptscope window
      promptscope window --agent claude-code --set usage.lastTotal=150000
      promptscope window --format json | jq '.categories[] | [.name, .tokens]'
    """
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
