"""The agents to choose from: which have files in the folder, and how many tokens each one's prompt takes."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.assembly.resolve import agents_for
from promptscope_tui.session.agents import AgentHere, agents_here, situated
from promptscope_tui.session.snapshot import Snapshot
from promptscope_tui.text.spans import Span
from promptscope_tui.text.words import number
from promptscope_tui.widgets.picker import Option


def agent_options(snapshot: Snapshot) -> list[Option]:
    """An option for each version of each agent; what is known of an agent stands at the first of its versions."""
    return list(_options(snapshot))


def _options(snapshot: Snapshot) -> Iterator[Option]:
    here = {agent.id: agent for agent in agents_here(snapshot)}
    for agent in agents_for(situated(snapshot)):
        known = here.get(agent.id)
        for at, version in enumerate(reversed(agent.versions)):
            first = at == 0
            detail = f"{agent.name}  {_files(known)}" if first else agent.name
            tokens = known.tokens if known else None
            size = "does not start here" if tokens == 0 else f"≈{number(tokens)} tok"
            right = Span(size if first else "", "dim")
            yield Option(f"{agent.id} {version}", detail, right)


def _files(agent: AgentHere | None) -> str:
    """`2 files here`."""
    if agent is None:
        return "…"
    count = len(agent.files)
    return f"{count:,} file{'s' * (count != 1)} here" if count else "no files here"
