"""`promptscope window`: the context window in the agent's own categories."""

from __future__ import annotations

import click

from promptscope_engine.abilities import Category, CategoryKind, ContextReport, ReportsContext
from promptscope_engine.agents import load_agent
from promptscope_engine.model import Assembly, to_json
from promptscope_engine.scenario import Scenario
from promptscope_tui import exits, words
from promptscope_tui.composition import composition
from promptscope_tui.output import Table, put, put_json
from promptscope_tui.spans import Tone

from .asked import Asked, asking

_KINDS: dict[Tone, CategoryKind] = {"tool": "tools", "file": "files"}


@click.command()
@asking
def window(asked: Asked) -> None:
    """Show how the context window is filled: the agent's own categories, what is free, reserve and compaction.

    An agent that keeps no such account is shown by where its text comes from.

    \b
    Examples:
      promptscope window
      promptscope window --set usage.lastTotal=150000
      promptscope window --format json | jq '.categories[] | [.name, .tokens]'
    """
    assembly = asked.assembly()
    report = context_of(assembly, asked.scenario())
    if asked.form == "json":
        put_json(to_json(report) | {"used": report.used})
        return
    rows = [
        (row.name, f"{row.tokens:,}", words.percent(row.tokens, report.window), "" if row.used else "not in used")
        for row in report.categories
    ]
    table = Table(("category", "tokens", "share", ""), rows, frozenset({"tokens", "share"}))
    if asked.form != "text":
        table.put(asked.form)
        return
    put(f"{words.who(assembly)}\n{header(report)}\n\n")
    table.put("text")


def context_of(assembly: Assembly, scenario: Scenario) -> ContextReport:
    """The agent's account; for one that keeps none, one by origins."""
    agent = load_agent(assembly.agent)
    if isinstance(agent, ReportsContext):
        return agent.context(assembly, scenario.params)
    exits.say(f"promptscope: {agent.name} keeps no account of its window: grouped by where the text comes from")
    return by_origin(assembly)


def by_origin(assembly: Assembly) -> ContextReport:
    """An account in the groups of the budget bar."""
    tokens = assembly.tokens
    rows = [Category(s.name, s.tokens, kind=_KINDS.get(s.tone, "prompt")) for s in composition(assembly)]
    rows.append(Category("free", tokens.free or 0, used=False, kind="free"))
    if tokens.reserve:
        rows.append(Category("reserve", tokens.reserve, used=False, kind="reserve"))
    return ContextReport(tuple(rows), tokens.window, tokens.reserve, tokens.compact_at)


def header(report: ContextReport) -> str:
    """`24,512 of 200,000 tokens (12%); compacts at 167,000`."""
    share = words.percent(report.used, report.window)
    line = f"≈{report.used:,} of {report.window:,} tokens used ({share})"
    if report.reported is not None:
        line += f"; the last answer is said to have used {report.reported:,}"
    if report.compact_at is not None:
        return f"{line}; compacts at {report.compact_at:,}"
    return f"{line}; it never compacts by itself"
