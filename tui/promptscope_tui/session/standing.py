"""How each agent stands: what is modelled, learned and installed of it here, how old that is, and what became of it."""

from datetime import date

from msgspec import Struct

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.learned.model import Learned
from promptscope_engine.tokens.measured import version_numbers
from promptscope_tui.learning.clients import Client
from promptscope_tui.text.words import age

from .installed import installed_client
from .versions import learned_versions

HEADS = ("modelled", "on", "age", "learned", "installed", "state")
"""The heads of the cells."""


class Standing(Struct, frozen=True):
    """`learned` is the newest version that was learned here ("" without one), `client` the one that is installed."""

    agent: Agent
    learned: str
    client: Client | None
    today: date

    @classmethod
    def of(cls, agent: Agent, learned: Learned | None, today: date) -> "Standing":
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
        newest, state = self.agent.versions[-1], self.agent.state
        day = self.agent.modelled.get(newest, "")
        since = age(day, self.today) if day else ""
        return newest, day, since, self.learned, self.installed, state.now if state else ""
