"""Another agent for the same workspace: which parts of a scenario are shared, and which belong to one agent."""

from __future__ import annotations

import re
from typing import Any

from promptscope_engine.inputs.scenario import Scenario

_SHARED_MODEL = re.compile(r"claude-[a-z]+-\d[\w.-]*")
"""A model's full name. An alias (`opus`) or a provider's name (`anthropic/…`) is known to one agent only."""


def moved(now: Scenario, folder: str, agent: str | None) -> Scenario:
    """The scenario in another folder, for `agent`; None: the one whose files are there.

    A mode may be one of the folder's own, and files that are simulated to be read lie in it.
    """
    return now.model_copy(
        update={"workspace": folder, "agent": agent, "agent_version": None, "mode": None, "reads": []}
    )


def switched(now: Scenario, agent: str, version: str, left: Scenario | None) -> Scenario:
    """The scenario for another agent; `left` is that agent's when it was last shown, None if it never was.

    Mode, model, params and edits belong to an agent: they return with it, and do not carry over to another one.
    """
    model = now.model if now.model and _SHARED_MODEL.fullmatch(now.model) else None
    own: dict[str, Any] = {"mode": None, "params": {}, "model": model, "edits": []}
    if left is not None:
        own = {"mode": left.mode, "params": left.params, "model": left.model, "edits": left.edits}
    return now.model_copy(update={**own, "agent": agent, "agent_version": version})
