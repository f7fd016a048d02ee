"""The client of an agent that is installed here. A start looks for it: nothing here plans, runs or reads a request."""

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.learned.model import Learned
from promptscope_tui.learning.clients import Client, learnable_client

from .versions import the_model


def installed_client(agent: Agent) -> Client | None:
    """The client that is installed here; None without one, and for an agent whose clients cannot be found."""
    found = learnable_client(agent)
    return found[1] if found else None


def offer(agent: Agent, client: Client | None, learned: Learned | None) -> str:
    """What to say of a client that was not learned; "" of any other."""
    if client is None or not client.version or (learned and (agent.id, client.version) in learned):
        return ""
    model = "" if client.version in agent.versions else f"; {the_model(agent)}"
    said = f"{agent.name} {client.version} is installed{model}"
    return f"{said}: L learns its own words, in up to 3 minutes; nothing is sent"
