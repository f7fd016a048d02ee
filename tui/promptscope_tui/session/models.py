"""The models to choose from, and what each would cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from promptscope_engine.agents.registry import load_agent
from promptscope_engine.assembly.assembler import totals
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.tokens.counter import counter_for

from .session import Session

_COMMON: dict[str, str] = json.loads(Path(__file__).with_name("models.json").read_text(encoding="utf-8"))


def models_of(assembly: Assembly | None) -> dict[str, str]:
    """Names with what they mean: the agent's own; common ones of an agent that takes any model."""
    own = load_agent(assembly.agent).models(assembly.agent_version) if assembly else {}
    return dict(own) or _COMMON


def model_costs(session: Session, names: Iterable[str], cancelled: Callable[[], bool]) -> dict[str, int | None]:
    """The tokens that each model would add to the prompt that is shown; None where there is no prompt with it.

    For a thread of its own: the session's one is reading with the original workspace.
    """
    shown, now = session.snapshot.assembly, session.placed
    counter, place = counter_for(now.model, session.counter.cache), session.workspace.snapshot()
    found: dict[str, int | None] = {}
    for name in names:
        if shown is None or shown.tokens.expected is None or cancelled():
            break
        try:
            whole = totals(now.model_copy(update={"model": name}), place, counter, session.knowledge).expected
        except ScenarioError:
            whole = None
        found[name] = None if whole is None else whole - shown.tokens.expected
    return found
