"""What the texts of Claude Code may name in one scenario."""

from __future__ import annotations

from calendar import month_name
from datetime import date
from functools import lru_cache

from promptscope_engine.agents.kit.texts import Scope
from promptscope_engine.prompt.conditions import Condition
from promptscope_engine.prompt.drafts import computed, label

from .materials import Materials, SubAgent
from .selection import offers
from .wording import commit_trailer, pull_request_footer


@lru_cache(maxsize=1)  # sections and tools of one scenario
def scope_of(m: Materials) -> Scope:
    """Its gates, the values that stand in texts, and the words that ask for a layout, a model or a tool."""
    names = {
        **{name: getattr(m.gates, name) for name in m.gates.__dataclass_fields__},
        "counts_tokens": m.gates.counts_tokens,
        "month": lambda: computed("month", _month(m)),
        "agents": [_listed(agent) for agent in m.agents],
        "trailer": tuple(commit_trailer(m)),
        "footer": pull_request_footer(m),
    }
    words = {
        "layout": m.gates.layout_is,
        "messages": m.gates.messages_are,
        "tool": lambda name: offers(m, name),
        "family": lambda model: _family(m, model),
    }
    return Scope(names, words, m.params, m.version)


def _listed(agent: SubAgent) -> dict[str, object]:
    """An agent as the description of the tool Agent lists it."""
    tools = label(f" (Tools: {agent.tools})")
    return {"name": computed("agent.name", agent.name), "text": agent.pieces, "tools": tools, "when": agent.when}


def _month(m: Materials) -> str:
    """`November 2026`."""
    day = date.fromisoformat((m.inputs.environment.date or "")[:10])
    return f"{month_name[day.month]} {day.year}"


def _family(m: Materials, model: str) -> Condition:
    """`claude-opus-5-5`: the model is of this family and version."""
    family, *version = model.removeprefix("claude-").split("-")
    major, minor = (*map(int, version), 0)[:2]
    return m.gates.model_is(family, (major, minor))
