"""What fills the context window: in the agent's own categories if it has any, else by origin."""

from __future__ import annotations

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Category, CategoryKind, ContextReport, ReportsContext
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.inputs.scenario import Scenario
from promptscope_engine.prompt.model import Assembly, TokenSummary
from promptscope_tui.text.spans import Tone

from .composition import composition

_KINDS: dict[Tone, CategoryKind] = {"tool": "tools", "file": "files", "param": "settings", "environment": "machine"}


def own_account(agent: Agent, assembly: Assembly, scenario: Scenario) -> ContextReport | None:
    """In the agent's own categories; None if it has none, or if the scenario is invalid."""
    if not isinstance(agent, ReportsContext):
        return None
    try:
        return agent.context(assembly, scenario.params)
    except ScenarioError:  # the assembly that is shown is the last good one
        return None


def no_account(agent: Agent) -> str:
    """The note on an agent without categories of its own."""
    return f"{agent.name} has no categories of its own: grouped by origin"


def free(tokens: TokenSummary) -> int:
    """The part of the window that the prompt as it is expected leaves free, without the reserve."""
    return max(tokens.window - tokens.reserve - (tokens.expected or 0), 0)


def by_origin(assembly: Assembly) -> ContextReport:
    """In the groups of the budget bar."""
    tokens = assembly.tokens
    rows = [Category(s.name, s.tokens, kind=_KINDS.get(s.tone, "prompt")) for s in composition(assembly)]
    if tokens.expected is not None:
        rows.append(Category("free", free(tokens), used=False, kind="free"))
    if tokens.reserve:
        rows.append(Category("reserve", tokens.reserve, used=False, kind="reserve"))
    return ContextReport(tuple(rows), tokens.window, tokens.reserve, tokens.compact_at, compaction=tokens.compaction)
