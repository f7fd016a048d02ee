"""What can't be done now: actions that an agent has nothing for, and what is wrong with the prompt."""

from collections.abc import Mapping

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.agents.features import LimitsEdits, LoadsLazily, Reporting
from promptscope_engine.agents.registry import OBSERVED, agent_ids
from promptscope_engine.prompt.model import Assembly
from promptscope_engine.replies import completion_of, replies_of
from promptscope_tui.text.reasons import refusal

from .snapshot import Sent, Snapshot

_NO_CAPTURE = "has no capture open: o opens one, O records one"


def unavailable_actions(agent: Describes, assembly: Assembly, sent: Sent | None = None) -> Mapping[str, str]:
    """The actions, by id, that show nothing for an agent, each with what the agent lacks.

    `sent` is the request that is shown.
    """
    is_modelled = sent is not None and sent.agent is not None
    no_prediction = "has no prediction for this request: its agent isn't modelled" if sent else _NO_CAPTURE
    if sent is not None and sent.request.label != "main":
        no_prediction = f"has no prediction for this request: it isn't a main one ({sent.request.label})"
    one = "sent no other request to a model" if sent else _NO_CAPTURE
    is_known = agent.id.removeprefix(OBSERVED) in agent_ids()
    has = {
        "views": (is_modelled, no_prediction),
        "differences": (is_modelled, no_prediction),
        "next_request": (sent is not None and len(sent.numbers) > 1, one),
        "previous_request": (sent is not None and len(sent.numbers) > 1, one),
        "report": (isinstance(agent, Reporting), "has no context report"),
        "responses": (bool(replies_of(agent)), "has no modelled tool replies"),
        "completion": (completion_of(agent) is not None, "has no modelled end of a task"),
        "imagine": (isinstance(agent, LoadsLazily), "has no rules that load with another file"),
        "task": (agent.about.first_message is not None, "has no message to draft yet"),
        "may_edit": (isinstance(agent, LimitsEdits), "has no mode that limits which files it edits"),
        "releases": (is_known, "has no versions that are known here"),
        "release_changes": (is_known, "has no versions that are known here"),
        "learn": (is_known, "has no client that can be asked"),
        "mode": (bool(assembly.modes), "has no modes"),
    }
    return {id: f"{agent.name} {lacks}" for id, (there, lacks) in has.items() if not there}


def idle_actions(agent: Describes | None, now: Snapshot) -> frozenset[str]:
    """The actions, by id, that would do nothing now."""
    found = {*unavailable_actions(agent, now.assembly)} if agent and now.assembly else set()
    acts = {"undo": now.can_undo, "redo": now.can_redo, "reset": now.can_reset, "problems": has_problems(now)}
    return frozenset(found | {id for id, does in acts.items() if not does})


def has_problems(now: Snapshot) -> bool:
    """Whether something is wrong with the prompt that is shown."""
    return now.assembly is not None and any(found.severity != "info" for found in now.assembly.diagnostics)


def trouble(now: Snapshot) -> str:
    """What is wrong with the whole prompt: the scenario makes no sense, or the agent does not start; "" if nothing."""
    if now.error:
        return f"✗ {now.error}{'   u undoes' if now.can_undo else ''}"
    refused = refusal(now.assembly) if now.assembly else None
    return f"✗ {refused}" if refused else ""
