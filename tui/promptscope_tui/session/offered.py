"""Which actions an agent has something for: what does nothing is not offered."""

from __future__ import annotations

from collections.abc import Mapping

from promptscope_engine.agents.adapter import Agent, inputs_of
from promptscope_engine.agents.features import KeepsTranscripts, LoadsLazily, Reporting
from promptscope_engine.agents.replies import completion_of, replies_of
from promptscope_engine.prompt.model import Assembly


def not_offered(agent: Agent, assembly: Assembly) -> Mapping[str, str]:
    """The actions, by id, that show nothing for an agent, each with what the agent lacks."""
    has = {
        "report": (isinstance(agent, Reporting), "has no context report"),
        "responses": (bool(replies_of(agent)), "has no replies that are modelled"),
        "completion": (completion_of(agent) is not None, "has no end of a task that is modelled"),
        "transcript": (isinstance(agent, KeepsTranscripts), "keeps no transcripts that can be read"),
        "imagine": (isinstance(agent, LoadsLazily), "has no rules that load with another file"),
        "task": (any(field.name == "task" for field in inputs_of(agent)), "has no task to draft"),
        "mode": (bool(assembly.modes), "has no modes"),
    }
    return {id: f"{agent.name} {lacks}" for id, (there, lacks) in has.items() if not there}
