"""The boundary behind which a service caches nothing: what is on either side of it, and what crosses it."""

from collections.abc import Sequence

from msgspec import Struct

from promptscope_engine.agents.adapter import Agent
from promptscope_engine.agents.features import Caches
from promptscope_engine.prompt.model import Assembly, Section


class Crossing(Struct, frozen=True):
    """The sections that were in front of the boundary and aren't any more, those that are now, and their tokens.

    The tokens are expected ones of the later assembly, None until they are counted.
    """

    lost: tuple[str, ...]
    """Titles of what isn't cached any more."""
    won: tuple[str, ...]
    """Titles of what is cached since."""
    tokens: int | None


def crossing(before: Assembly, after: Assembly, agent: Agent) -> Crossing | None:
    """What crossed it; None if nothing did, or if the agent has no boundary."""
    if not isinstance(agent, Caches) or agent.boundary(before) != agent.boundary(after):
        return None  # the boundary is another section: where an agent has no line of its own, the first that may change
    was, now = sides(before, agent), sides(after, agent)
    if was is None or now is None:
        return None
    kept = {section.id for section in was[0]}
    known = kept | {section.id for section in was[1]}
    lost = [s for s in now[1] if s.id in kept or (s.id not in known and s.parent in kept)]
    won = [s for s in now[0] if s.id in known - kept]
    counts = [section.expected_tokens for section in (*lost, *won)]
    tokens = None if None in counts else sum(count or 0 for count in counts)
    return Crossing(_titles(lost), _titles(won), tokens) if lost or won else None


def _titles(sections: Sequence[Section]) -> tuple[str, ...]:
    return tuple(section.title for section in sections)


def sides(assembly: Assembly, agent: Caches) -> tuple[Sequence[Section], Sequence[Section]] | None:
    """The present sections of the system text in front of the boundary, and those behind it."""
    first = agent.boundary(assembly)
    system = [section for section in assembly.sections if section.present and section.channel == "system"]
    at = next((n for n, section in enumerate(system) if section.id == first), None)
    return None if at is None else (system[:at], system[at:])
