"""The client of an agent that is installed here, and how old the agent's model is.

A start looks for it: nothing here plans, runs or reads a request.
"""

from datetime import date

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.learned import Learned
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.learning.clients import Client, learnable_client
from promptscope_tui.text.words import age

from .versions import learned_versions, the_model


def installed_client(agent: Describes) -> Client | None:
    """The client that is installed here; None without one, and for an agent whose clients cannot be found."""
    found = learnable_client(agent)
    return found[1] if found else None


def offer(agent: Describes, client: Client | None, learned: Learned | None) -> str:
    """What to say of a client that was not learned; "" of any other."""
    if client is None or not client.version or (learned and (agent.id, client.version) in learned):
        return ""
    model = "" if client.version in agent.versions else f"; {the_model(agent)}"
    said = f"{agent.name} {client.version} is installed{model}"
    return f"{said}: L learns its own words, in up to 3 minutes; nothing is sent"


HEADS = ("modelled", "on", "age", "learned", "installed", "state")
"""The heads of the cells."""


class Standing(Struct, frozen=True):
    """`learned` is the newest version that was learned here ("" without one), `client` the one that is installed."""

    agent: Describes
    learned: str
    client: Client | None
    today: date

    @classmethod
    def of(cls, agent: Describes, learned: Learned | None, today: date) -> "Standing":
        """Look for it; no client is run."""
        own = [each.agent_version for each in learned_versions(agent, learned)]
        return cls(agent, max(own, key=version_numbers, default=""), installed_client(agent), today)

    @property
    def installed(self) -> str:
        """The version of the client; `?` where only a run can tell, "" without one."""
        return (self.client.version or "?") if self.client else ""

    @property
    def cells(self) -> tuple[str, ...]:
        """What a table says of it, under `HEADS`: the newest version, its day and that day's age, and so on."""
        newest, state = self.agent.versions[-1], self.agent.about.state
        day = self.agent.about.modelled.get(newest, "")
        since = age(day, self.today) if day else ""
        return newest, day, since, self.learned, self.installed, state.now if state else ""
