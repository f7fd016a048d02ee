"""The account of the context window: the agent's own where it keeps one, else by where the text comes from."""

from __future__ import annotations

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Category, CategoryKind, ContextReport, ReportsContext
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.text.spans import Tone

from .composition import composition

_KINDS: dict[Tone, CategoryKind] = {"tool": "tools", "file": "files"}


def own_account(agent: Agent, assembly: Assembly, scenario: Scenario) -> ContextReport | None:
    """The agent's own account; None if it keeps none, or if the scenario is about to be refused."""
    if not isinstance(agent, ReportsContext):
        return None
    try:
        return agent.context(assembly, scenario.params)
    except ScenarioError:  # the assembly that is shown is the last good one
        return None


def no_account(agent: Agent) -> str:
    """What is said of an agent without categories of its own."""
    return f"{agent.name} keeps no account of its window: grouped by where the text comes from"


def by_origin(assembly: Assembly) -> ContextReport:
    """An account in the groups of the budget bar."""
    tokens = assembly.tokens
    rows = [Category(s.name, s.tokens, kind=_KINDS.get(s.tone, "prompt")) for s in composition(assembly)]
    rows.append(Category("free", tokens.free or 0, used=False, kind="free"))
    if tokens.reserve:
        rows.append(Category("reserve", tokens.reserve, used=False, kind="reserve"))
    return ContextReport(tuple(rows), tokens.window, tokens.reserve, tokens.compact_at)
