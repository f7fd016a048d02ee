"""Sub-agents and skills: who and what can be called in (specs/gemini.md 3.1, 10, 11)."""

from __future__ import annotations

from collections.abc import Iterator

from promptscope_engine.agents.gemini.materials import Materials
from promptscope_engine.agents.gemini.scope import text
from promptscope_engine.prompt.drafts import Piece, computed, label


def agent_pieces(m: Materials) -> Iterator[Piece]:
    """The whole section, which an override file may ask for too."""
    return text(m, "sub_agents", agents_listed=agents_listed(m))


def agents_listed(m: Materials) -> list[dict[str, object]]:
    """The sub-agents as the section lists them."""
    return [
        {
            "opens": _opens(number, "subagent"),
            "name": computed("agent.name", agent.name),
            "text": agent.pieces if agent.pieces is not None else tuple(text(m, agent.name)),
        }
        for number, agent in enumerate(m.agents)
    ]


def skill_pieces(m: Materials) -> Iterator[Piece]:
    """The whole section, which an override file may ask for too."""
    return text(m, "skills", skills_listed=skills_listed(m))


def skills_listed(m: Materials) -> list[dict[str, object]]:
    """The skills as the section lists them."""
    return [
        {
            "opens": _opens(number, "skill"),
            "name": computed("skill.name", skill.name),
            "text": skill.pieces,
            "location": computed("skill.location", skill.location),
        }
        for number, skill in enumerate(m.skills)
    ]


def _opens(number: int, tag: str) -> Piece:
    return label(("\n" if number else "") + f"  <{tag}>\n    <name>")
