"""Which actions an agent has something for: what does nothing is not offered."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.adapter import Agent, inputs_of
from promptscope_engine.agents.features import LimitsEdits, LoadsLazily, Reporting
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.replies import completion_of, replies_of

from .sent import Sent

_NO_CAPTURE = "has no capture open: o opens one, O makes one"


def unavailable_actions(agent: Agent, assembly: Assembly, sent: Sent | None = None) -> Mapping[str, str]:
    """The actions, by id, that show nothing for an agent, each with what the agent lacks. `sent`: of it is shown."""
    is_modelled = sent is not None and sent.agent is not None
    no_prediction = "has no prediction for this request: it is not modelled" if sent else _NO_CAPTURE
    if sent is not None and sent.request.label != "main":
        no_prediction = f"has no prediction for this request: it is no main one ({sent.request.label})"
    one = "sent no other request to a model" if sent else _NO_CAPTURE
    has = {
        "views": (is_modelled, no_prediction),
        "differences": (is_modelled, no_prediction),
        "next_request": (sent is not None and len(sent.numbers) > 1, one),
        "previous_request": (sent is not None and len(sent.numbers) > 1, one),
        "report": (isinstance(agent, Reporting), "has no context report"),
        "responses": (bool(replies_of(agent)), "has no replies that are modelled"),
        "completion": (completion_of(agent) is not None, "has no end of a task that is modelled"),
        "imagine": (isinstance(agent, LoadsLazily), "has no rules that load with another file"),
        "task": (any(field.name == "task" for field in inputs_of(agent)), "has no task to draft"),
        "may_edit": (isinstance(agent, LimitsEdits), "has no mode that says which files it may edit"),
        "mode": (bool(assembly.modes), "has no modes"),
    }
    return {id: f"{agent.name} {lacks}" for id, (there, lacks) in has.items() if not there}
