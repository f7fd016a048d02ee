"""What is found out after a start about the versions of the agent that is shown."""

from contextlib import suppress
from functools import partial

from msgspec import Struct

from promptscope_engine.agents.adapter import Describes
from promptscope_engine.inputs.errors import ScenarioError
from promptscope_engine.prompt.model import Assembly
from promptscope_tui.session.installed import installed_client, offer
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.session.versions import newest_learned
from promptscope_tui.settings.memory import Memory
from promptscope_tui.text.escape import visible
from promptscope_tui.widgets.messages import in_thread

from .host import Host


class Found(Struct, frozen=True):
    """The version of the client that is installed, "" without one, and what to say.

    `news`: the version whose changes are said.
    """

    installed: str = ""
    words: str = ""
    news: str = ""


class Versions:
    """Shows which client is installed, and says once what the version that was learned last has changed."""

    def __init__(self, host: Host, memory: Memory) -> None:
        self._host, self._session, self._memory = host, host.session, memory
        self._looked = ""

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Find it out for another agent, aside."""
        agent, shown = self._host.modelled_agent, snapshot.assembly
        if agent is None or shown is None or shown.agent == self._looked or not snapshot.counted:
            return
        self._looked = shown.agent
        in_thread(self._host, partial(self._find, agent, shown), partial(self._say, agent), "versions")

    def _find(self, agent: Describes, shown: Assembly) -> Found:
        learned, client = self._session.learned, installed_client(agent)
        found = Found(client.version if client else "", offer(agent, client, learned))
        newest = newest_learned(agent, learned)
        seen = self._memory.version_seen(agent.id)
        if found.words or newest is None or newest == seen or shown.learned_version != newest:
            return found
        from promptscope_tui.session.comparing import news_of  # 110 ms: what compares, once for a version

        with suppress(ScenarioError):  # a prompt that cannot be assembled says so itself
            if words := news_of(agent, newest, self._session):
                return Found(found.installed, f"{words}; enter shows it", newest)
        return found

    def _say(self, agent: Describes, found: Found | ScenarioError) -> None:
        if isinstance(found, ScenarioError):
            return
        self._host.header.installed = found.installed
        if found.words:
            self._host.note(visible(found.words), leads_to="release_changes" if found.news else "")
        if found.news:
            self._memory.keep_version(agent.id, found.news)
